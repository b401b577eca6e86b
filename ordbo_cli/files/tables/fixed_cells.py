"""The cells of fixed parameters: values that are not the problem's, and levels of fidelity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ordbo_cli.files.values.numbers import parameter_value, printed, same
from ordbo_cli.problem import Fidelity, Fixed, Number, Problem

_NONE: Final[Mapping[str, Number | str]] = MappingProxyType({})  # one for all rows


class FixedReader:
    """Reads the cells of fixed parameters, row by row.

    Args:
        problem: whose rows they are.
        number: returns a cell's number with a decimal point.

    ``values`` are the problem's, by name.
    """

    def __init__(self, problem: Problem, number: Callable[[str], str]) -> None:
        self.values = {each.name: each.value for each in problem.parameters if isinstance(each, Fixed)}
        self._fidelity = problem.fidelity
        self._number = number
        self._said: dict[int, str] = {}

    def others(self, filled: Callable[[str], str], id: int | None) -> Mapping[str, Number | str]:
        """Return by name the values of a row that are not the problem's.

        A level of fidelity is named as the problem does; a row that names none has that of the rows before of its id.

        Args:
            filled: returns the text of a cell by name, "" for an empty one.
            id: of the row.
        """
        if not self.values:
            return _NONE
        found: dict[str, Number | str] = {}
        for name, value in self.values.items():
            text = self.level_text(filled, id) if self._decides(name) else filled(name)
            if text and not self._says(text, value):
                found[name] = self._as_number(text) if not isinstance(value, str) else text
        if self._fidelity is not None:
            found.update(self._fidelity.named(self._level(self.level_text(filled, id))))
        return found

    def level_text(self, filled: Callable[[str], str], id: int | None) -> str:
        """Return what a row says of its level of fidelity, or else the rows before of its id; "" where none does.

        Args:
            filled, id: as :meth:`others` has them.
        """
        text = filled(self._fidelity.name) if self._fidelity is not None else ""
        if id is None:
            return text
        if text:
            self._said[id] = text
        return self._said.get(id, "")

    def why_aside(self, name: str, text: str, value: Number | str) -> str:
        """Return in words why a row with another value of a fixed parameter is set aside.

        Args:
            name: of the parameter.
            text: its cell.
            value: that is another.
        """
        if self._fidelity is None or not self._decides(name) or self._fidelity.below(value) is not None:
            return f"{name} is {text}, not {self.values[name]}"
        return no_level(self._fidelity, text or printed(value))

    def _decides(self, name: str) -> bool:
        return self._fidelity is not None and name == self._fidelity.name

    def _level(self, text: str) -> int | None:
        lower = self._fidelity.levels[:-1] if self._fidelity is not None else ()
        return next((k for k, each in enumerate(lower) if text and self._says(text, each)), None)

    def _says(self, text: str, value: Number | str) -> bool:
        """Return whether a cell has a value, as it stands, too: the comma of a word is no decimal one."""
        return any(same(spelt, value) for spelt in (text, self._number(text)))

    def _as_number(self, text: str) -> Number | str:
        try:
            return parameter_value(self._number(text), whole=False)
        except ValueError:
            return text


def no_level(fidelity: Fidelity, text: str) -> str:
    """Return in words why a row is set aside whose level of fidelity is none of the problem's."""
    return f"{fidelity.name} is {text}, which is no level: {' or '.join(map(printed, fidelity.levels))}"
