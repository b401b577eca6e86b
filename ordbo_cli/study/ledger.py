"""Which row stands for each evaluation, and which suggestions still wait: evaluations and state taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.study.state import State
from ordbo_cli.study.table import Row, Table
from ordbo_cli.study.text import place

Values = tuple[Number, ...]


@dataclass(frozen=True)
class Waiting:
    """A suggestion without a result.

    Args:
        id: its number; None for a pending row that has none.
        values: of the free parameters.
        time: when it was made, if the state knows.
        after: rows before this one, by index, cannot be its answer without its id.
        row: its row in the evaluations, if it has one.
    """

    id: int | None
    values: Values
    time: str | None
    after: int
    row: Row | None


@dataclass(frozen=True)
class Standing:
    """A row that stands, with the id of the suggestion that it closes."""

    row: Row
    id: int | None


@dataclass(frozen=True)
class Ledger:
    """The study's evaluations and what is still open.

    Args:
        standing: rows that stand and are not pending, in order of arrival.
        waiting: open suggestions, by id, those without one last.
        ids: distinct ids in the evaluations.
    """

    standing: tuple[Standing, ...]
    waiting: tuple[Waiting, ...]
    ids: frozenset[int]

    def evaluations(self) -> list[Evaluation]:
        """Return the results and failures that the model sees, in order of arrival."""
        return [
            Evaluation(standing.row.values, standing.row.objective, standing.id)
            for standing in self.standing
            if standing.row.status in ("ok", "failed") and not standing.row.aside
        ]

    def never_again(self) -> list[Values]:
        """Return the abandoned points: not ranked, and not to be suggested again."""
        return [standing.row.values for standing in self.standing if standing.row.status == "abandoned"]

    def counts(self) -> dict[str, int]:
        """Return the number of rows that stand by status, and of open suggestions."""
        counts = dict.fromkeys(("ok", "failed", "abandoned", "expired"), 0)
        for standing in self.standing:
            counts[standing.row.status] += 1
        return {**counts, "pending": len(self.waiting)}


def next_id(ledger: Ledger, state: State) -> int:
    """Return the number of the next suggestion."""
    return max([state.next_id, *(id + 1 for id in ledger.ids)])


def step_of(ledger: Ledger, state: State) -> int:
    """Return the number of suggestions so far."""
    return max(state.step, len(ledger.ids))


def refuse_failures(problem: Problem, ledger: Ledger, table: Table) -> None:
    """Raise where the problem says that a failure is an error.

    Raises:
        DataError: there is a failed row.
    """
    failed = next((standing.row for standing in ledger.standing if standing.row.status == "failed"), None)
    if problem.failed == "error" and failed is not None:
        hint = "Amend the row, or choose failed: worst or failed: ignore in the problem file"
        raise DataError(f"{place(table.path, failed.line, 1)}: this evaluation failed, and failed: error is set", hint)


def ledger_of(problem: Problem, table: Table, state: State) -> Ledger:
    """Return the ledger: the last row of an id stands, and a row without an id answers an open suggestion.

    An amended result keeps the place of the first one: a correction is no new arrival.
    """
    last: dict[int, Row] = {row.id: row for row in table.rows if row.id is not None}
    waiting = _waiting(problem, table.rows, last, state)
    arrival: dict[int, int] = {}
    standing: list[tuple[int, Standing]] = []
    by_values: dict[Values, list[Waiting]] = {}
    for entry in waiting:
        by_values.setdefault(entry.values, []).append(entry)
    answered: set[int] = set()
    for number, row in enumerate(table.rows):
        if row.id is not None and row.status != "pending":
            arrival.setdefault(row.id, number)
        if row.status == "pending" or (row.id is not None and last[row.id] is not row):
            continue
        if row.id is not None:
            standing.append((arrival[row.id], Standing(row, row.id)))
            continue
        answers = _answered(row, by_values)
        if answers is not None:
            answered.add(id(answers))
        standing.append((number, Standing(row, answers.id if answers is not None else None)))
    left = tuple(entry for entry in waiting if id(entry) not in answered)
    standing.sort(key=lambda placed: placed[0])
    return Ledger(tuple(row for _, row in standing), left, frozenset(last))


def _waiting(problem: Problem, rows: Sequence[Row], last: Mapping[int, Row], state: State) -> list[Waiting]:
    """Return everything that was ever open: pending rows that stand, and the state's suggestions."""
    known = {pending.id: pending for pending in state.pending}
    entries: list[Waiting] = []
    nameless: dict[Values, list[Row]] = {}
    for row in rows:
        if row.status != "pending" or (row.id is not None and last[row.id] is not row):
            continue
        if row.id is None:
            nameless.setdefault(row.values, []).append(row)
            continue
        time = known[row.id].time if row.id in known else None
        entries.append(Waiting(row.id, row.values, time, row.index, row))
    for pending in state.pending:
        if pending.id in last:
            continue
        values = problem.values(pending.parameters)
        # In a file without ids its pending row is known by its values.
        row_of_it = nameless[values].pop(0) if nameless.get(values) else None
        after = row_of_it.index if row_of_it else pending.rows if problem.noise else 0
        entries.append(Waiting(pending.id, values, pending.time, after, row_of_it))
    entries.sort(key=lambda entry: entry.id or 0)
    rest = sorted((row for group in nameless.values() for row in group), key=lambda row: row.index)
    return entries + [Waiting(None, row.values, None, row.index, row) for row in rest]


def _answered(row: Row, by_values: Mapping[Values, list[Waiting]]) -> Waiting | None:
    """Take out the oldest open suggestion that a row without an id answers."""
    candidates = by_values.get(row.values, [])
    for k, entry in enumerate(candidates):
        if entry.after <= row.index:
            return candidates.pop(k)
    return None
