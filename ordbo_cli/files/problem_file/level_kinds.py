"""What a setting of levels may hold: one level, a list of them, conditions on those of other parameters."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ordbo_cli.files.problem_file.schema_kinds import BAD, Numeric, Schema, name_fault
from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Scalar, YamlMapping
from ordbo_cli.files.values.numbers import objective_value, printed, same
from ordbo_cli.problem import Level
from ordbo_cli.problem.spelling import quoted

MOST_LEVELS: Final = 1000
_WHEN: Final = "Write when: {name: [level, ...]} with categorical parameters above this one"


class Stated(NamedTuple):
    """One condition as it stands in the file: the parent's name, its levels, and where all of them are."""

    parent: str
    key: Node
    levels: tuple[tuple[Level, Node], ...]


class OneLevel(NamedTuple):
    """A number, or a printable word; ``true`` and ``false`` are words.

    Args:
        words: whether only words count.
    """

    words: bool = False

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return an int, a float or a text."""
        if not isinstance(node, Scalar) or node.value is None:
            report.add(node, f"{node} stands where {self._wanted()} is expected", "A word may stand in quotation marks")
            return BAD
        if isinstance(node.value, bool):
            return str(node.value).lower()
        if not isinstance(node.value, str):
            if not self.words:
                return Numeric().read(node, report)
            report.add(node, f"{node} stands where {self._wanted()} is expected", "Results that are numbers need none")
            return BAD
        wrong = name_fault(node.text)
        if self.words and not wrong and (taken := _taken(node.text)):
            report.add(node, f"{quoted(node.text)} is {taken}", "Take another word")
            return BAD
        if wrong:
            report.add(node, f"the value {quoted(node.text)} {wrong}", "Write a printable word without outer spaces")
            return BAD
        return node.text

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": ["string", "boolean"] if self.words else ["number", "string", "boolean"], "minLength": 1}

    def _wanted(self) -> str:
        return "a printable word" if self.words else "a number or a printable word"


class Levels(NamedTuple):
    """A list of levels, each once.

    Args:
        least: the smallest number of them.
        words: whether only words count.
    """

    least: int = 1
    words: bool = False

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a tuple of levels."""
        if not isinstance(node, Listing):
            report.add(node, f"{node} stands where a list of values is expected", "Write it as [first, second]")
            return BAD
        if not self.least <= len(node.items) <= MOST_LEVELS:
            wanted = f"at least {self.least}" if len(node.items) < self.least else f"at most {MOST_LEVELS}"
            report.add(node, f"a list of {len(node.items)} stands where {wanted} values are expected")
            return BAD
        kind, sound = OneLevel(self.words), True
        levels: list[Level] = []
        for item in node.items:
            level = kind.read(item, report)
            if level is BAD:
                sound = False
                continue
            twin = next((other for other in levels if _alike(other, level)), None)
            if twin is not None:
                also = "" if printed(twin) == printed(level) else f", as {printed(twin)}"
                report.add(item, f"the value {quoted(printed(level))} stands twice{also}", "Keep it once")
                sound = False
            levels.append(level)
        return tuple(levels) if sound else BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        items = OneLevel(self.words).schema()
        return {"type": "array", "items": items, "minItems": self.least, "maxItems": MOST_LEVELS, "uniqueItems": True}


def _taken(text: str) -> str:
    """Return what a word of results means already, or ""."""
    try:
        return "the word for a failed evaluation" if objective_value(text) is None else "a number"
    except ValueError:
        return ""


def _alike(one: Level, other: Level) -> bool:
    """Return whether nobody could tell two levels apart in a table: numbers by value, words by letter."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return same(one, other)


class Conditions:
    """A mapping from parameters to a level or a list of levels."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of :class:`Stated`."""
        if not isinstance(node, YamlMapping) or not node.entries:
            said = "nothing" if isinstance(node, YamlMapping) else str(node)
            report.add(node, f"{said} stands where conditions are expected", _WHEN)
            return BAD
        read = [self._one(name, key, value, report) for name, (key, value) in node.entries.items()]
        return BAD if BAD in read else read

    @staticmethod
    def _one(name: str, key: Scalar, value: Node, report: ProblemFaults) -> Any:
        items = value.items if isinstance(value, Listing) else (value,)
        if not items:
            report.add(value, f"no value of {quoted(name)} stands there", _WHEN)
            return BAD
        levels = [(OneLevel().read(item, report), item) for item in items]
        return BAD if any(level is BAD for level, _ in levels) else Stated(name, key, tuple(levels))

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        level = OneLevel().schema()
        levels = {"type": "array", "items": level, "minItems": 1}
        return {"type": "object", "additionalProperties": {"anyOf": [level, levels]}, "minProperties": 1}
