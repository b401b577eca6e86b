"""Which column of a table is which: by the names as they are, and by other spellings where those are unique.

``Height``, ``height [m]`` and, where the problem file gives the unit m, ``height_m`` are ``height``. An exact name
wins, and what the problem file says under ``columns:`` wins over that. Nothing is chosen among several.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ordbo_cli.files.values.units import is_no_unit, is_unit, same_unit, split_unit
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import loose, nearest, quoted, shown

_MOST_TOLD: Final = 10
Fault = Callable[[int, str, str], None]
"""Takes an error: the place of a column, what is wrong, and a hint."""


class Wanted(NamedTuple):
    """A name that a header may give.

    Args:
        name: as the problem has it.
        column: what the problem file calls its column instead, or "".
        was: the name that it had before, or "".
        unit: of its values, or "".
    """

    name: str
    column: str = ""
    was: str = ""
    unit: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names that are it, in the order in which they win."""
        return tuple(filter(None, (self.column, self.name, self.was)))

    @property
    def loosely(self) -> set[str]:
        """What all spellings of these have in common."""
        return {loose(spelling) for spelling in self.spellings}

    @property
    def with_unit(self) -> set[str]:
        """The same of them with the unit behind."""
        return {loose(f"{spelling} {self.unit}") for spelling in self.spellings} if self.unit else set()

    def takes_unit(self, unit: str | None) -> bool:
        """Return whether what stands in brackets behind a name, if anything does, can be nothing but a unit."""
        if unit is None or is_no_unit(unit) or is_unit(unit):
            return unit is not None
        return bool(self.unit) and same_unit(unit, self.unit)

    def other_unit(self, cell: str) -> str:
        """Return the unit in a column's name, if that is none of this; else ""."""
        unit = split_unit(cell)[1]
        if unit is None or self.name == cell or not self.unit or same_unit(unit, self.unit):
            return ""
        return unit


class FoundColumns(NamedTuple):
    """The columns of a table that were looked for.

    Args:
        places: of each that was found, by the problem's names.
        respelt: the names of those that are spelt in another way, as they stand, by the problem's.
        notes: what people should know.
    """

    places: Mapping[str, int]
    respelt: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> list[str]:
        """What people should know, other spellings included."""
        spelt = [f"{quoted(cell)} is taken for {shown(name)}" for name, cell in self.respelt.items()]
        more = [f"and {len(spelt) - _MOST_TOLD} more"] if len(spelt) > _MOST_TOLD else []
        return [*([", ".join([*spelt[:_MOST_TOLD], *more])] if spelt else []), *self.notes]


def wanted_columns(problem: Problem, names: Iterable[str]) -> list[Wanted]:
    """Return what a header is searched for, with what a problem knows of names of its own."""
    columns = dict(problem.columns)
    units = {problem.objective: problem.unit, **{each.name: each.unit for each in problem.parameters}}
    units |= {limit.name: limit.unit for limit in problem.outcomes}
    was = {each.name: each.was for each in problem.parameters}
    return [Wanted(name, columns.get(name, ""), was.get(name, ""), units.get(name, "")) for name in names]


def likely(cells: Iterable[str], wanted: Collection[str]) -> int:
    """Return how many of some names a row may give, in other spellings, too."""
    there = {loose(part) for cell in cells if cell for part in {cell, split_unit(cell)[0]}}
    return sum(loose(name) in there for name in wanted)


def find_columns(cells: Sequence[str], wanted: Sequence[Wanted], fault: Fault) -> FoundColumns:
    """Return where the columns of a header are.

    Args:
        cells: the header.
        wanted: what is looked for.
        fault: takes what can be read in two ways, and units that are not the problem's.
    """
    search = _ColumnSearch(cells, fault)
    for which in range(3):
        for each in wanted:
            names = (each.column, each.name, each.was)
            search.exactly(each, names[which])
    respelt = search.loosely([each for each in wanted if each.name not in search.places])
    return FoundColumns(search.places, respelt, tuple(search.notes))


def guess(name: str, cells: Sequence[str], taken: Collection[int], *, blank: bool) -> str:
    """Return what may have become of a column that is not there, in words; "" where nobody knows.

    Args:
        name: as the problem has it.
        cells: the header.
        taken: places of the columns that were found.
        blank: whether blanks divide the columns.
    """
    from unicodedata import normalize

    if blank and " " in name:
        return "Names with blanks need quotation marks where blanks divide the columns"
    if any(normalize("NFKC", cell) == normalize("NFKC", name) for cell in cells):
        return "One looks the same, but is of other characters: copy it from the problem file"
    free = [cell for k, cell in enumerate(cells) if cell and k not in taken]
    behind = next((cell for cell in free if loose(split_unit(cell)[0]) == loose(name)), None)
    near = behind or nearest(name, free)
    return f"Is it {quoted(near)}?" + (f" Then say so {_in_words(name, near)}" if behind else "") if near else ""


class _ColumnSearch:
    """Finds the columns of one header."""

    def __init__(self, cells: Sequence[str], fault: Fault) -> None:
        self.places: dict[str, int] = {}
        self.notes: list[str] = []
        self._cells = cells
        self._fault = fault
        self._free = {k for k, cell in enumerate(cells) if cell}

    def exactly(self, wanted: Wanted, spelling: str) -> None:
        """Look for a name as it is spelt."""
        found = [k for k in self._spelt.get(spelling, ()) if k in self._free] if spelling else []
        if not found:
            return
        if wanted.name not in self.places:
            self.places[wanted.name] = found[0]
            for k in found[1:]:
                self._fault(k, f"the column {quoted(spelling)} stands twice", "Rename one of them")
            if unit := wanted.other_unit(spelling):
                self.notes.append(f"{quoted(spelling)} says {unit}, the problem file {wanted.unit}: taken as they are")
        elif spelling == wanted.name:
            self.notes.append(f"the column {quoted(spelling)} is passed over: columns: names another")
        else:
            return
        self._free -= set(found)

    @cached_property
    def _spelt(self) -> dict[str, list[int]]:
        return _by_key((cell, k) for k, cell in enumerate(self._cells))

    def loosely(self, wanted: Sequence[Wanted]) -> dict[str, str]:
        """Look for other spellings; return those that are taken, by the problem's names."""
        free = [(self._cells[k], k) for k in sorted(self._free)]
        whole = _by_key((loose(cell), k) for cell, k in free)
        bare = _by_key((loose(split_unit(cell)[0]), k) for cell, k in free)
        of_column: dict[int, list[Wanted]] = defaultdict(list)
        for each in wanted:
            found = {k for name in each.with_unit for k in whole.get(name, ())}
            sure = {k for name in each.loosely for k in whole.get(name, ())} | found
            found = sure | {k for name in each.loosely for k in bare.get(name, ())}
            sure |= {k for k in found if each.takes_unit(split_unit(self._cells[k])[1])}
            if len(found) > 1 and sure:
                self._several(each, sorted(found))
            elif sure:
                of_column[sure.pop()].append(each)
        return {names[0].name: self._cells[k] for k, names in of_column.items() if self._take(k, names)}

    def _take(self, k: int, names: Sequence[Wanted]) -> bool:
        """Take a column for a name; return False where that may be one of several, which is noted."""
        cell, first = self._cells[k], names[0]
        self.places |= {each.name: k for each in names}
        if len(names) > 1:
            which = " or ".join(quoted(each.name) for each in names)
            self._fault(k, f"the column {quoted(cell)} may be {which}", f"Say which {_in_words(first.name, cell)}")
        elif unit := first.other_unit(cell):
            words = f"the column {quoted(cell)} is in {unit}, and {quoted(first.name)} in {first.unit}"
            hint = f"Numbers are never converted: mend unit:, or say that both are one {_in_words(first.name, cell)}"
            self._fault(k, words, hint)
        return len(names) == 1

    def _several(self, wanted: Wanted, found: Sequence[int]) -> None:
        *others, last = [quoted(self._cells[k]) for k in found]
        words = f"the columns {', '.join(others)} and {last} may {'both' if len(found) == 2 else 'all'} be"
        hint = f"Say which {_in_words(wanted.name, self._cells[found[0]])}"
        self._fault(found[1], f"{words} {quoted(wanted.name)}", hint)
        self.places[wanted.name] = found[0]  # that it is missing would be no further error


def _by_key(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for key, place in pairs:
        found[key].append(place)
    return found


def _in_words(name: str, cell: str) -> str:
    """Return how the problem file says which column a name has."""
    return f"in the problem file: columns: {{{name}: {json.dumps(cell, ensure_ascii=False)}}}"
