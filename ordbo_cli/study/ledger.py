"""Which row stands for each evaluation, and which suggestions still wait: evaluations and state taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Evaluation, Fixed, Number, Problem
from ordbo_cli.study.numbers import same
from ordbo_cli.study.state import Pending, State
from ordbo_cli.study.table import LARGEST_ID, Row, Table
from ordbo_cli.study.text import place

Values = tuple[Number, ...]
_ANSWERS: Final = ("ok", "failed", "abandoned")


class Waiting(NamedTuple):
    """A point without a result: a suggestion that is out, or one that is to be handed out again.

    Args:
        id: its number; None for a pending row that has none.
        values: of the free parameters.
        time: when it was made, if the state knows.
        since: number of rows before it was handed out.
        after: rows before this one, by index, cannot be its answer without its id.
        row: its row in the evaluations, if it has one.
        fixed: fixed parameters that it was handed out with and that are others now, by name.
    """

    id: int | None
    values: Values
    time: str | None
    since: int
    after: int
    row: Row | None
    fixed: Mapping[str, Number | str] = {}


class Standing(NamedTuple):
    """A row that stands, with the id of the suggestion that it closes."""

    row: Row
    id: int | None


class Ledger(NamedTuple):
    """The study's evaluations and what is still open.

    Args:
        standing: rows that stand and are not open, in order of arrival.
        waiting: open suggestions, by id, those without one last.
        again: points whose evaluation is to be repeated and that nobody has been given since, in order of the rows.
        ids: distinct ids in the evaluations.
        strangers: rows that have the id of a suggestion and are about another point, by id.
        compared: suggestions without a result that were compared with others, and are open no more.
    """

    standing: tuple[Standing, ...]
    waiting: tuple[Waiting, ...]
    again: tuple[Waiting, ...]
    ids: frozenset[int]
    strangers: Mapping[int, Row] = {}
    compared: tuple[Waiting, ...] = ()

    def evaluations(self) -> list[Evaluation]:
        """Return the results and failures that the model sees, in order of arrival."""
        return [standing.row.evaluation(standing.id) for standing in self.seen()]

    def seen(self) -> list[Standing]:
        """Return the rows with results and failures that the model sees, in order of arrival."""
        return [each for each in self.standing if each.row.status in ("ok", "failed") and not each.row.aside]

    def never_again(self) -> list[Values]:
        """Return the abandoned points: not ranked, and not to be suggested again."""
        return [standing.row.values for standing in self.standing if standing.row.status == "abandoned"]

    def counts(self) -> dict[str, int]:
        """Return the number of rows that stand by status, and of open suggestions."""
        counts = dict.fromkeys(("ok", "failed", "abandoned", "expired"), 0)
        for standing in self.standing:
            counts[standing.row.status] += 1
        return {**counts, "pending": len(self.waiting), "retry": len(self.again)}

    def next_again(self) -> Waiting | None:
        """Return the first point to hand out again; one that the problem no longer allows stays where it is."""
        return next((entry for entry in self.again if entry.row and not (entry.row.outside or entry.row.aside)), None)


def next_id(ledger: Ledger, state: State) -> int:
    """Return the number of the next suggestion.

    Raises:
        DataError: there is none left that could be read again.
    """
    number = max([state.next_id, *(id + 1 for id in ledger.ids)])
    if number > LARGEST_ID:
        raise DataError(f"the ids have come to their end, {LARGEST_ID}", "Give the row of the largest id a smaller one")
    return number


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


def concerns(problem: Problem, ledger: Ledger) -> list[str]:
    """Return what people should know about the rows that stand: what is passed over, and why."""
    words = []
    failed = ledger.counts()["failed"]
    if problem.failed == "ignore" and failed:
        words.append(f"{failed} failed evaluation{'s are' if failed > 1 else ' is'} ignored (failed: ignore)")
    words += [
        f"line {row.line} has the id {id}, but for another point than was suggested under it"
        for id, row in ledger.strangers.items()
    ]
    stuck = [entry for entry in ledger.again if entry.row and (entry.row.outside or entry.row.aside)]
    if stuck:
        names = ", ".join(f"id {entry.id}" if entry.id else f"line {entry.row.line}" for entry in stuck if entry.row)
        words.append(
            f"{names}: to be evaluated again, but the problem no longer allows the point: it stays where it is"
        )
    return words


def ledger_of(problem: Problem, table: Table, state: State) -> Ledger:
    """Return the ledger: the last row of an id stands, and a row without an id answers an open suggestion.

    An amended result keeps the place of the first one: a correction is no new arrival. An expiry is no arrival at all,
    and never stands against a result, in whatever order the two were written.
    """
    last = _last(table.rows)
    arrival: dict[int, int] = {}
    waiting = _waiting(problem, table.rows, last, state)
    open_at = _Open(waiting)
    standing: list[tuple[int, Standing]] = []
    for row in table.rows:
        if row.id is not None and row.status in _ANSWERS:
            arrival.setdefault(row.id, row.position)
        if row.status == "pending" or (row.id is not None and last[row.id] is not row):
            continue
        if row.status == "retry":
            open_at.reopen(row)
        elif row.id is not None:
            open_at.repeated(row)
            standing.append((arrival.get(row.id, row.position), Standing(row, row.id)))
        else:
            standing.append((row.position, Standing(row, open_at.answered(row))))
    standing.sort(key=lambda placed: placed[0])
    rows = _without_overruled([row for _, row in standing])
    return Ledger(tuple(rows), *open_at.left(), frozenset(last), _strangers(problem, last, state))


def _last(rows: Sequence[Row]) -> dict[int, Row]:
    """Return the row of each id that stands: the last one, but for an expiry beside an answer to the same wish."""
    last: dict[int, Row] = {}
    answers: dict[int, Row] = {}
    for row in rows:
        if row.id is None:
            continue
        last[row.id] = row
        if row.status in _ANSWERS:
            answers[row.id] = row
        elif row.status == "retry":
            answers.pop(row.id, None)
        elif row.status == "expired":
            last[row.id] = answers.get(row.id, row)
    return last


def _without_overruled(standing: Sequence[Standing]) -> list[Standing]:
    """Leave out expiries without ids at a point that was answered: a later answer takes the suggestion over."""
    if not any(each.row.id is None and each.row.status == "expired" for each in standing):
        return list(standing)
    expired: dict[Values, list[Standing]] = {}
    answered = {each.row.values for each in standing if each.row.id is None and each.row.status in _ANSWERS}
    kept: list[Standing] = []
    for each in standing:
        here = expired.setdefault(each.row.values, [])
        if each.row.id is None and each.row.status == "expired" and each.row.values in answered:
            if each.id is None:
                continue
            here.append(each)
        elif each.row.id is None and each.id is None and each.row.status in _ANSWERS and here:
            kept.remove(here[0])
            each = Standing(each.row, here.pop(0).id)
        kept.append(each)
    return kept


def _strangers(problem: Problem, last: Mapping[int, Row], state: State) -> dict[int, Row]:
    """Return the rows whose id the state knows with other values; a pending row that was edited is no such."""
    rows = ((pending, last.get(pending.id)) for pending in state.pending)
    return {
        pending.id: row
        for pending, row in rows
        if row is not None and row.status != "pending" and row.values != problem.values(pending.parameters)
    }


class _Open:
    """The open points, from which rows take what they answer."""

    def __init__(self, waiting: Sequence[Waiting]) -> None:
        self._waiting = list(waiting)
        self._again: list[Waiting] = []
        self._at: dict[Values, list[Waiting]] = {}
        for entry in waiting:
            self._at.setdefault(entry.values, []).append(entry)
        self._taken: set[int] = set()

    def answered(self, row: Row) -> int | None:
        """Return the id of the oldest open point that a row without an id answers, and close it."""
        for entry in self._at.get(row.values, []):
            if entry.after <= row.position:
                self._take(entry)
                return entry.id
        return None

    def reopen(self, row: Row) -> None:
        """Note that a point is to be evaluated again, unless it has been handed out since."""
        here = self._at.setdefault(row.values, [])
        out = [entry for entry in here if row.id is None or entry.id == row.id]
        before = next((entry for entry in out if entry.since <= row.position), None)
        if before is not None:
            self._take(before)
        if any(entry.since > row.position for entry in out):
            return
        id = row.id if row.id is not None or before is None else before.id
        entry = Waiting(id, row.values, None, row.position, row.position, row, row.fixed)
        self._again.append(entry)
        here.append(entry)

    def repeated(self, row: Row) -> None:
        """Close the wish without an id to evaluate a point again, where a row with an id shows that it was."""
        for entry in self._at.get(row.values, []):
            if entry in self._again and entry.id is None:
                self._take(entry)
                return

    def left(self) -> tuple[tuple[Waiting, ...], tuple[Waiting, ...]]:
        """Return what nothing has answered: suggestions that are out, and points to hand out again."""
        return self._not_taken(self._waiting), self._not_taken(self._again)

    def _not_taken(self, entries: list[Waiting]) -> tuple[Waiting, ...]:
        return tuple(entry for entry in entries if id(entry) not in self._taken)

    def _take(self, entry: Waiting) -> None:
        self._taken.add(id(entry))
        self._at[entry.values].remove(entry)


def _waiting(problem: Problem, rows: Sequence[Row], last: Mapping[int, Row], state: State) -> list[Waiting]:
    """Return everything that was ever out: pending rows that stand, and the state's suggestions."""
    known = {pending.id: pending for pending in state.pending}
    entries: list[Waiting] = []
    nameless: dict[Values, list[Row]] = {}
    repeated: dict[Values, int] = {}
    for row in rows:
        if row.status in ("retry", "expired"):
            repeated.setdefault(row.values, row.position)
        if row.status != "pending" or (row.id is not None and last[row.id] is not row):
            continue
        if row.id is None:
            nameless.setdefault(row.values, []).append(row)
            continue
        time = known[row.id].time if row.id in known else None
        entries.append(Waiting(row.id, row.values, time, row.position, row.position, row, row.fixed))
    for pending in state.pending:
        if pending.id in last and not _handed_out_again(pending, last[pending.id]):
            continue
        values = problem.values(pending.parameters)
        # In a file without ids its pending row is known by its values.
        row_of_it = nameless[values].pop(0) if nameless.get(values) else None
        since = row_of_it.position if row_of_it else pending.rows
        # Whatever the order of rows says, a point that is never repeated has one answer only.
        once = row_of_it is None and not problem.noise and repeated.get(values, since) >= since
        after, fixed = 0 if once else since, _other_fixed(problem, pending)
        entries.append(Waiting(pending.id, values, pending.time, since, after, row_of_it, fixed))
    entries.sort(key=lambda entry: entry.id or 0)
    rest = sorted((row for group in nameless.values() for row in group), key=lambda row: row.position)
    return entries + [Waiting(None, row.values, None, row.position, row.position, row, row.fixed) for row in rest]


def _other_fixed(problem: Problem, pending: Pending) -> dict[str, Number | str]:
    """Return the values of fixed parameters that a suggestion was made with and that are others now."""
    fixed = {each.name: each.value for each in problem.parameters if isinstance(each, Fixed)}
    return {name: v for name, v in pending.parameters.items() if name in fixed and not same(v, fixed[name])}


def _handed_out_again(pending: Pending, last: Row) -> bool:
    return last.status == "retry" and last.position < pending.rows
