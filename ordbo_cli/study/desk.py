"""Where answers to suggestions are taken, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.study.answers import Given, Outcome, bounds_warning, named_values, whole_point
from ordbo_cli.study.ledger import Ledger, Values, Waiting
from ordbo_cli.study.numbers import printed
from ordbo_cli.study.table import Row, Table
from ordbo_cli.study.text import shown_path


@dataclass(frozen=True)
class Answer:
    """A row to record, and what people should know about it.

    Args:
        id: of the suggestion that it answers, if any.
        values: of the free parameters.
        outcome: what became of the point.
        warnings: for people.
    """

    id: int | None
    values: Values
    outcome: Outcome
    warnings: tuple[str, ...] = ()


class Desk:
    """Knows what is open and what is closed, the answers that it took included.

    Args:
        problem: the problem.
        table: the evaluations.
        ledger: what stands in them, and what waits.
        handed_out: the largest id that was ever suggested.
    """

    def __init__(self, problem: Problem, table: Table, ledger: Ledger, handed_out: int) -> None:
        self._problem = problem
        self._table = table
        self._handed_out = handed_out
        self._closed: dict[int, Row] = {entry.id: entry.row for entry in ledger.standing if entry.id is not None}
        self._open: dict[int, Waiting] = {entry.id: entry for entry in ledger.waiting if entry.id is not None}
        self._at: dict[Values, list[Waiting]] = {}
        for entry in ledger.waiting:
            self._at.setdefault(entry.values, []).append(entry)

    def take(self, id: int | None, given: Given, outcome: Outcome, *, amend: bool, line: int = 0) -> Answer:
        """Return the row that answers a suggestion, or that adds a point of the user's own.

        Args:
            id: of the suggestion, if it is said.
            given: parameters by name; with an id they may be left out.
            outcome: what became of the point.
            amend: whether an answer that is there may be replaced.
            line: where this is said, in a list of results.

        Raises:
            UsageError: the point is not told, or told in two ways.
            DataError: the id is unknown or already closed, or the file cannot hold an amendment.
        """
        if amend and id is None:
            raise UsageError("an amendment without an id", "Say which evaluation is amended with its id")
        if amend and self._table.columns and "id" not in self._table.columns:
            message = f"{shown_path(self._table.path)}: without a column 'id' no row can replace another"
            raise DataError(message, "Mend the row by hand, or add a column 'id'")
        answer = self._own(given, outcome) if id is None else self._suggested(id, given, outcome, amend)
        self._close(answer, line)
        return answer

    def _own(self, given: Given, outcome: Outcome) -> Answer:
        if not given:
            raise UsageError("no point is told", "Give the suggestion's id, or every free parameter")
        values = whole_point(self._problem, given)
        waiting = self._at.get(values)
        warning = bounds_warning(self._problem, values)
        return Answer(waiting[0].id if waiting else None, values, outcome, (warning,) if warning else ())

    def _suggested(self, id: int, given: Given, outcome: Outcome, amend: bool) -> Answer:
        values, warnings = self._find(id, amend)
        known = dict(zip((parameter.name for parameter in self._problem.free), values, strict=True))
        for name, value in named_values(self._problem, given).items():
            if value != known[name]:
                message = f"suggestion {id} has {name} = {printed(known[name])}, not {printed(value)}"
                raise UsageError(message, "Leave the parameters out, or leave the id out for a point of your own")
        return Answer(id, values, outcome, warnings)

    def _find(self, id: int, amend: bool) -> tuple[Values, tuple[str, ...]]:
        if id in self._open:
            return self._open[id].values, ()
        row = self._closed.get(id)
        if row is None:
            raise self._unknown(id)
        if row.status == "expired":
            return row.values, (f"suggestion {id} had expired; its answer is recorded all the same",)
        if not amend:
            said = f"it is {row.status}" + (f" with {row.text}" if row.status == "ok" else "")
            hint = "--amend replaces it"
            raise DataError(f"suggestion {id} has its answer already: {said} (line {row.line})", hint)
        return row.values, ()

    def _unknown(self, id: int) -> DataError:
        if 1 <= id <= self._handed_out:
            hint = "Give its parameters in place of its id, if this is another result at the point"
            return DataError(f"suggestion {id} has its answer already, or is known no more", hint)
        open_ids = ", ".join(str(number) for number in list(self._open)[:10])
        return DataError(f"no suggestion has the id {id}", f"Open are {open_ids}" if open_ids else "None is open")

    def _close(self, answer: Answer, line: int) -> None:
        """Remember an answer, for those that follow it."""
        here = self._at.get(answer.values, [])
        taken = next((entry for entry in here if entry.id == answer.id), None)
        if taken is not None:
            here.remove(taken)
        if answer.id is not None:
            self._open.pop(answer.id, None)
            row = Row(line, 0, answer.id, answer.outcome.status, answer.values, None, answer.outcome.text, False, "")
            self._closed[answer.id] = replace(self._closed.get(answer.id, row), status=row.status, text=row.text)
