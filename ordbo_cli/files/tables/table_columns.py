"""Which columns a table has, for what it is read for: what its header says, a row of units, what the cells settle."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from ordbo_cli.files.tables.dialect import Record
from ordbo_cli.files.tables.faults import Faults
from ordbo_cli.files.tables.header import FoundColumns, find_columns, guess, wanted_columns
from ordbo_cli.files.tables.places import Places, Purpose
from ordbo_cli.files.tables.ranking import id_hint
from ordbo_cli.files.tables.rows import RowReader, id_in, is_status
from ordbo_cli.files.tables.table import CAMPAIGN, JUDGE, Row, columns_of, result_columns
from ordbo_cli.files.tables.unit_row import is_unit_row, other_units
from ordbo_cli.files.values.remark import Remark
from ordbo_cli.files.values.units import same_unit, split_unit
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import listed, loose, quoted, some

_RESULT_MISSING: Final = "It is an {} of the problem: add the column to the header and its values to the rows"


class TableColumns:
    """Finds the columns of one table.

    Args:
        problem: the problem.
        purpose: what the table is for.
        faults: takes its errors.
    """

    def __init__(self, problem: Problem, purpose: Purpose, faults: Faults) -> None:
        names = [name for name in columns_of(problem) if purpose != "points" or name in problem.names]
        self._problem = problem
        self._purpose = purpose
        self._faults = faults
        self._wanted = wanted_columns(problem, names)
        self.ours = {spelling for each in self._wanted for spelling in each.spellings}
        """What names a column of the problem, letter by letter."""
        self.places: dict[str, int] = {}
        """Place of each column by name: the problem's, where it is one of its columns."""
        self.names: dict[int, str] = {}
        """The problem's names by the places of their columns."""
        self.remarks: dict[int, str] = {}
        """The columns of notes and seconds by their places."""
        self.sources: dict[int, str] = {}
        """The columns that name the campaign and the judge of each row by their places."""
        self.own = False
        """Whether columns that might be the problem's are somebody's own, by what all their cells say."""
        self._found = FoundColumns({})
        self._notes: list[str] = []

    @property
    def notes(self) -> list[str]:
        """What people should know."""
        return [*self._found.told, *self._notes]

    def read(self, header: Record, places: Places) -> None:
        """Find the columns that a header names; those that have to be there and are not are errors.

        Raises:
            ManyErrors: of DataError: it names none at all.
        """

        def fault(place: int, message: str, hint: str) -> None:
            self._faults.add(header.line, places.column(header.line, place), message, hint)

        self._found = find_columns(header.cells, self._wanted, fault)
        self.places.update(self._found.places)
        self.names = {k: name for name, k in self.places.items()}
        for k, name in enumerate(header.cells):
            if k not in self.names:
                self.places.setdefault(name, k)
        if self._purpose == "campaign":
            self._leave_ids()
        if self._purpose != "points":
            self._find_remarks(header)
            self._find_sources(header)
        self._demand(header, blank=places.dialect.blank)

    def _find_remarks(self, header: Record) -> None:
        """Find the columns of notes and seconds by other spellings, where there is one: they are nobody's need."""
        called = dict(self._problem.columns)
        for name, unit in zip(Remark._fields, (None, "s"), strict=True):
            if name in columns_of(self._problem):
                continue
            column = called.get(name, name)
            free = [(k, cell) for k, cell in enumerate(header.cells) if k not in self.names and k not in self.remarks]
            found = [k for k, cell in free if cell == column][:1] or [
                k for k, cell in free if loose(cell) == loose(column) or _is_in(cell, column, unit)
            ]
            self.places.pop(name, None)
            if len(found) == 1:
                self.places[name] = found[0]
                self.remarks[found[0]] = name
                if header.cells[found[0]] != column:
                    self._notes.append(f"{quoted(header.cells[found[0]])} is taken for {name}")

    def _find_sources(self, header: Record) -> None:
        """Find the columns of campaigns and judges, by their names as spelt alone: in others nobody meant that."""
        for name in (CAMPAIGN, JUDGE):
            column = dict(self._problem.columns).get(name, name)
            if name in columns_of(self._problem):
                continue
            self.places.pop(name, None)
            taken = self.names | self.remarks | self.sources
            places = [k for k, cell in enumerate(header.cells) if cell == column and k not in taken]
            if places:
                self.places[name] = places[0]
                self.sources[places[0]] = name

    def _leave_ids(self) -> None:
        """Leave a column such as No. to its owner: of a campaign nobody needs ids."""
        if "id" in self._found.respelt:
            respelt = {name: cell for name, cell in self._found.respelt.items() if name != "id"}
            del self.names[self.places.pop("id")]
            self._found = self._found._replace(respelt=respelt)

    def _demand(self, header: Record, *, blank: bool) -> None:
        """Note which columns are not there."""
        needed = self._needed()
        missing = [name for name in needed if name not in self.places]
        guesses = {name: guess(name, header.cells, self.names, blank=blank) for name in missing}
        if guesses and not self.names and not any(guesses.values()):
            words = f"the first row names no columns of the problem: it begins with {quoted(header.cells[0])}"
            hint = f"It has to name {listed(needed)}, with , or ; or tabs or blanks between"
            self._faults.add(header.line, 1, words, hint)
            self._faults.raise_any()  # all other errors follow from this one
        results = {limit.name: "outcome" for limit in self._problem.outcomes}
        results |= {name: "objective" for name, _ in self._problem.goals[1:]}
        called = {
            name: f"{quoted(cell)}, which columns: names for {quoted(name)}" for name, cell in self._problem.columns
        }
        for name, near in guesses.items():
            hint = (
                near
                or (_RESULT_MISSING.format(results[name]) if name in results else "")
                or (id_hint(self._problem) if name == "id" else "")
                or f"There are {some([cell for cell in header.cells if cell])}"
            )
            self._faults.add(header.line, 1, f"there is no column {called.get(name, quoted(name))}", hint)

    def _needed(self) -> list[str]:
        free = [parameter.name for parameter in self._problem.free if parameter.past is None]
        if self._purpose == "points":
            return free
        if self._purpose == "evaluations":
            return [*(["id"] if self._problem.ranked else []), *free, *result_columns(self._problem)]
        if self._purpose == "campaign":
            return [*free, *(name for name, _ in self._problem.goals)]
        by_id = "id" in self.places and not any(name in self.places for name in free)
        return [*([] if by_id else free), *([] if "status" in self.places else result_columns(self._problem))]

    def below_units(self, found: list[Record], places: Places) -> list[Record]:
        """Return the rows without the row of units that may stand right below the header."""
        if not found or not is_unit_row(found[0].cells, self.names, self._problem):
            return found
        units, *rows = found
        self._notes.append(f"line {units.line} is a row of units, passed over")
        for k, name, unit, ours in other_units(units.cells, self.names, self._problem):
            words = f"column {quoted(name)} is in {unit}, and in the problem file in {ours}"
            if name in dict(self._problem.columns):
                self._notes.append(f"{words}: taken as it is")
                continue
            hint = "Numbers are never converted: mend one of the two"
            self._faults.add(units.line, places.column(units.line, k), words, hint)
        self._faults.raise_any()
        return rows

    def leave_own(self, found: Sequence[Record]) -> None:
        """Leave columns such as ID and Status to their owner where no cell of them is an id or a status."""
        for name, reads in (("id", id_in), ("status", is_status)):
            if name not in self._found.respelt:
                continue
            place = self.places[name]
            cells = [cell for record in found if (cell := record.cells[place])]
            if cells and not any(map(reads, cells)):
                respelt = dict(self._found.respelt)
                self.places[respelt.pop(name)] = self.places.pop(name)
                self._found = self._found._replace(respelt=respelt)
                del self.names[place]
                self.own = True

    def refuse_doubtful(self, reader: RowReader) -> None:
        """Refuse ids of two points in a column that is called otherwise: it may hold numbers of batches or samples.

        Raises:
            ManyErrors: of DataError.
        """
        if "id" in self._found.respelt and reader.moved:
            words = (
                f"the column {quoted(self._found.respelt['id'])} may hold ids, and has another point of this one above"
            )
            hint = "Call it 'id' if it holds them: the last row of one counts; and something else if it does not"
            line = reader.moved[0]
            self._faults.add(line, reader.places.column(line, self.places["id"]), words, hint)
            self._faults.raise_any()

    def again(self, rows: Sequence[Row]) -> list[int]:
        """Return the lines of results of ids that have one above, in a column that is called otherwise.

        They may be amendments, and they may be replicates whose number nobody meant as an id.
        """
        said: dict[int, list[Row]] = defaultdict(list)
        for row in rows if "id" in self._found.respelt else ():
            if row.id is None:
                continue
            back = next((each for each in reversed(said[row.id]) if row.takes_back(each)), None)
            if back is None:
                said[row.id].append(row)
            else:
                said[row.id].remove(back)
        twos = (two for each in said.values() for two in itertools.pairwise(each))
        return sorted(row.line for before, row in twos if row.status == before.status == "ok")


def _is_in(cell: str, name: str, unit: str | None) -> bool:
    """Return whether a cell is a name with a unit behind it."""
    before, inside = split_unit(cell)
    return unit is not None and inside is not None and loose(before) == loose(name) and same_unit(inside, unit)
