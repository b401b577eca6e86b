"""Values of a Python program as the tree of a problem file, so that one reader checks both in the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Final

from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Refused, Scalar, YamlMapping
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem.spelling import shown

DEEPEST: Final = 20
_LARGEST: Final = 3300  # bits: a double has 1024, and Python prints an int of any number of digits only when asked to


class PythonFaults(ProblemFaults):
    """Gathers every error of settings that no file holds: a message begins with the setting in place of a line."""

    def __init__(self) -> None:
        super().__init__("")
        self._paths: list[str] = []

    def tree(self, value: Any, path: str = "", depth: int = 0) -> Node:
        """Return the tree of a value; the line of a node is its number, by which an error finds its path.

        Args:
            value: mappings, lists, numbers, words, bools and None, or what NumPy has for them.
            path: the setting, such as ``parameters.angle.min``.
            depth: of mappings and lists around it.
        """
        self._paths.append(path)
        line = len(self._paths)
        value = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(value, Mapping | Sequence) or isinstance(value, str | bytes):
            return _scalar(value, line)
        if depth > DEEPEST:
            self.at(line, 1, "this is nested too deeply", f"At most {DEEPEST} levels are read")
            return Refused(line, 1)
        inside, depth = f"{path}." if path else "", depth + 1
        if isinstance(value, Mapping):
            keys = [(_scalar(key, line), entry) for key, entry in value.items()]
            entries = {key.text: (key, self.tree(entry, inside + key.text, depth)) for key, entry in keys}
            if len(entries) < len(keys):  # a number and its text
                self.at(line, 1, "a key stands twice, as text and as a number", "Keep it once")
            return YamlMapping(entries, line, 1)
        items = [self.tree(entry, f"{inside}{_called(entry, k)}", depth) for k, entry in enumerate(value)]
        return Listing(tuple(items), line, 1)

    def place(self, line: int, column: int) -> str:
        """Return the path of a node."""
        path = shown(self._paths[line - 1]) if self._paths else ""
        return f"{path}: " if path else ""


def _called(entry: Any, number: int) -> Any:
    """Return what an entry of a list is called: its name, if it has one."""
    return (isinstance(entry, Mapping) and entry.get("name")) or number


def _scalar(value: Any, line: int) -> Scalar:
    """Return the node of a value that is no mapping and no list; one that a file could not hold has its text alone."""
    if value is None:
        return Scalar("", None, line, 1)
    if isinstance(value, str):
        return Scalar(str.__str__(value), str.__str__(value), line, 1)
    if isinstance(value, int) and value.bit_length() > _LARGEST:
        return Scalar("an int of that size", value, line, 1)
    if isinstance(value, int):
        return Scalar(printed(value), bool(value) if isinstance(value, bool) else int(value), line, 1)
    if isinstance(value, Real | Decimal):
        try:
            number = float(value)
        except (OverflowError, ValueError):  # a fraction beyond all doubles, a signalling NaN
            number = float("nan")
        return Scalar(str(value) if isinstance(value, Decimal) else printed(number), number, line, 1)
    return Scalar(shown(repr(value)), None, line, 1)
