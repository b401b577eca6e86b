"""A row of units right below the header, as many programs write it: no result, and never taken for one nor one for it.

It is a row that would be an error if it were data: a unit stands where a number has to be, and nothing in the row is a
number, a level, a word for a result, an id or a status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ordbo_cli.files.values.levels import censored_value, place_of
from ordbo_cli.files.values.numbers import objective_value
from ordbo_cli.files.values.units import is_no_unit, is_unit, may_be_unit, same_unit, without_brackets
from ordbo_cli.problem import Fixed, Level, Parameter, Problem
from ordbo_cli.problem.limit import grades_of


class _Column(NamedTuple):
    """What a column of the problem holds: its unit, its words, and whether each of its cells has to be a number."""

    unit: str = ""
    words: tuple[Level, ...] = ()
    numbers: bool = False


def is_unit_row(cells: Sequence[str], names: Mapping[int, str], problem: Problem) -> bool:
    """Return whether a row holds units.

    Args:
        cells: the row.
        names: of the problem's columns, by their places.
        problem: that they belong to.
    """
    columns, evidence = _columns(problem), False
    for k, cell in enumerate(cells):
        text = without_brackets(cell)
        if is_no_unit(text):
            continue
        if _is_value(text, problem):
            return False
        if k not in names:
            continue
        column = columns.get(names[k])
        if column is None or (column.words and _is_level(cell, column.words)):
            return False
        own = bool(column.unit) and same_unit(text, column.unit)
        if not (own or may_be_unit(text)):
            return False
        evidence = evidence or (column.numbers and (own or is_unit(text)))
    return evidence


class OtherUnit(NamedTuple):
    """A unit in a row of units that is none of the problem's: its place, the column's name, and both units."""

    place: int
    name: str
    unit: str
    ours: str


def other_units(cells: Sequence[str], names: Mapping[int, str], problem: Problem) -> Iterator[OtherUnit]:
    """Yield where a row of units says another than the problem."""
    columns = _columns(problem)
    for k, name in names.items():
        unit, text = columns[name].unit if name in columns else "", without_brackets(cells[k])
        if unit and not is_no_unit(text) and not same_unit(text, unit):
            yield OtherUnit(k, name, text, unit)


def _columns(problem: Problem) -> dict[str, _Column]:
    columns = {each.name: _of_parameter(each) for each in problem.parameters}
    columns |= {each.name: _Column(each.unit, grades_of(each), not grades_of(each)) for each in problem.outcomes}
    return {**columns, problem.objective: _Column(problem.unit, problem.grades, not problem.grades)}


def _of_parameter(parameter: Parameter | Fixed) -> _Column:
    if isinstance(parameter, Fixed):
        return _Column(parameter.unit, (parameter.value,))
    numbers = not (parameter.levels or parameter.when or parameter.type == "ranked")
    return _Column(parameter.unit, parameter.levels, numbers)


def _is_value(text: str, problem: Problem) -> bool:
    """Return whether a text is a number, in whatever spelling, or a word for a failure."""
    try:
        censored_value(problem, text)
    except ValueError:
        pass
    else:
        return True
    try:
        objective_value(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _is_level(text: str, levels: Sequence[Level]) -> bool:
    try:
        place_of(levels, text)
    except ValueError:
        return False
    return True
