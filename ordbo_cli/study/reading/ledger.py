"""Which row stands for each evaluation, and which suggestions still wait: evaluations and state taken together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.files.handed import Pending
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.seen import Missing
from ordbo_cli.files.state import State
from ordbo_cli.files.tables.table import LARGEST_ID, Row, Table
from ordbo_cli.files.values.numbers import alike, same
from ordbo_cli.problem import Evaluation, Fixed, Number, Problem
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import place, quoted, shown_path, some
from ordbo_cli.study.reading.naming import ANSWERS
from ordbo_cli.study.reading.taken_back import counting, suggestions_taken_back

Values = tuple[Number, ...]


class Waiting(NamedTuple):
    """A point without a result: a suggestion that is out, or one that is to be handed out again.

    Args:
        id: its number.
        values: of the free parameters.
        time: when it was made, if the state knows.
        row: its row in the evaluations, if it has one.
        fixed: fixed parameters that it was handed out with and that are others now, by name; a lower level among them.
        level: of fidelity below the highest at which it is evaluated; None for the highest.
    """

    id: int
    values: Values
    time: str | None
    row: Row | None
    fixed: Mapping[str, Number | str] = {}
    level: int | None = None

    @property
    def is_aside(self) -> bool:
        """Whether its result will be set aside, as fixed parameters are others now."""
        return len(self.fixed) > (self.level is not None)


class Standing(NamedTuple):
    """A row that stands, with the id of its point."""

    row: Row
    id: int


class Ledger(NamedTuple):
    """The study's evaluations and what is still open.

    Args:
        standing: rows that stand and are not open, in order of arrival.
        waiting: open suggestions, by id.
        again: points whose evaluation is to be repeated and that nobody has been given since, in order of the rows.
        ids: distinct ids of points with rows in the evaluations, taken back or not.
        numbered: how many of these the rows themselves give.
        strangers: rows that have the id of a suggestion and are about another point, by id.
        compared: suggestions without a result that were compared with others, and are open no more.
        gone: suggestions whose answer was in the evaluations and is there no more.
        rows: that count, in order of arrival: undone ones do not, nor what these take back.
        taken_back: ids of suggestions that were taken back, and of which nothing else is said.
    """

    standing: tuple[Standing, ...]
    waiting: tuple[Waiting, ...]
    again: tuple[Waiting, ...]
    ids: frozenset[int]
    numbered: int = 0
    strangers: Mapping[int, Row] = {}
    compared: tuple[Waiting, ...] = ()
    gone: tuple[Waiting, ...] = ()
    rows: tuple[Row, ...] = ()
    taken_back: frozenset[int] = frozenset()

    def evaluations(self) -> list[Evaluation]:
        """Return the results and failures at the highest level of fidelity, in order of arrival."""
        return [standing.row.evaluation() for standing in self.seen()]

    def seen(self) -> list[Standing]:
        """Return the rows with results and failures at the highest level of fidelity, in order of arrival."""
        return [each for each in self.at_any_level() if each.row.level is None]

    def at_any_level(self) -> list[Standing]:
        """Return the rows with results and failures that the model sees, in order of arrival."""
        return [each for each in self.standing if each.row.status in ("ok", "failed") and not each.row.aside]

    def never_again(self) -> list[Values]:
        """Return the points that are not ranked, and not to be suggested again: abandoned ones, and lost answers."""
        abandoned = [standing.row.values for standing in self.standing if standing.row.status == "abandoned"]
        return [*abandoned, *(entry.values for entry in self.gone)]

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
    """Return the number of suggestions so far, without those that were taken back."""
    return max(state.step - len(ledger.taken_back), ledger.numbered)


def one_step_more(ledger: Ledger, state: State) -> int:
    """Return what the state counts after another suggestion: those that were taken back are among its steps."""
    return step_of(ledger, state) + 1 + len(ledger.taken_back)


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
        names = ", ".join(f"id {entry.id}" for entry in stuck)
        words.append(
            f"{names}: to be evaluated again, but the problem no longer allows the point: it stays where it is"
        )
    return words


def ledger_of(
    problem: Problem, rows: Sequence[Row], pending: Sequence[Pending], orders: SettingOrders = NO_ORDERS
) -> Ledger:
    """Return the ledger: of the rows of an id the last one stands.

    A pending row tells nothing of time: an id that was answered stays answered wherever that row stands. An amended
    result keeps the place of the first one: a correction is no new arrival. An expiry is no arrival at all, and never
    stands against a result, in whatever order the two were written. A row that was taken back says nothing.

    Args:
        problem: what the study asks.
        rows: in the order in which they came, all with ids.
        pending: what the state holds to be out, as it is under the problem of now.
        orders: of the settings that words may name.
    """
    left = counting(rows)
    last = _last(left)
    arrival: dict[int, int] = {}
    for row in left:
        if row.id is not None and row.status in ANSWERS:
            arrival.setdefault(row.id, row.position)
    closed = [Standing(row, id) for id, row in last.items() if row.status not in ("pending", "retry")]
    closed.sort(key=lambda each: (arrival.get(each.id, each.row.position), each.row.position))
    held = [waiting_of(problem, each, orders) for each in pending]
    out, again = _open(last, pending, held)
    numbered = len({row.id for row in left if row.numbered})
    ids = frozenset(row.id for row in rows if row.id is not None)
    ended = suggestions_taken_back(rows, left)
    return Ledger(tuple(closed), out, again, ids, numbered, _strangers(last, held), rows=left, taken_back=ended)


def waiting_of(problem: Problem, point: Pending, orders: SettingOrders) -> Waiting:
    """Return an open point that has no row in the evaluations."""
    values = problem.values(point.parameters, orders)
    fixed = _other_fixed(problem, point)
    return Waiting(point.id, values, point.time, None, fixed, problem.level_below(fixed))


def _last(rows: Sequence[Row]) -> dict[int, Row]:
    """Return the row of each id that stands: the last one, but for an expiry beside an answer to the same wish."""
    last: dict[int, Row] = {}
    answers: dict[int, Row] = {}
    for row in rows:
        if row.id is None:
            continue
        if row.status == "pending":
            if row.id not in last or last[row.id].status in ("pending", "retry"):
                last[row.id] = row
            continue
        last[row.id] = row
        if row.status in ANSWERS:
            answers[row.id] = row
        elif row.status == "retry":
            answers.pop(row.id, None)
        elif row.status == "expired":
            last[row.id] = answers.get(row.id, row)
    return last


def _open(
    last: Mapping[int, Row], pending: Sequence[Pending], held: Sequence[Waiting]
) -> tuple[tuple[Waiting, ...], tuple[Waiting, ...]]:
    """Return what is out, by id, and what is to be handed out again, in the order of the rows that say so."""
    known = {each.id: each for each in pending}
    out: list[Waiting] = []
    again: list[Waiting] = []
    for id, row in last.items():
        time = known[id].time if id in known else None
        if row.status == "pending" or (row.status == "retry" and id in known and row.position < known[id].rows):
            out.append(Waiting(id, row.values, time, row, row.fixed, row.level))
        elif row.status == "retry":
            again.append(Waiting(id, row.values, None, row, row.fixed, row.level))
    out += [each for each in held if each.id not in last]
    again.sort(key=lambda entry: entry.row.position if entry.row else 0)
    return tuple(sorted(out, key=lambda entry: entry.id)), tuple(again)


def _strangers(last: Mapping[int, Row], held: Sequence[Waiting]) -> dict[int, Row]:
    """Return the rows whose id the state knows with other values; a pending row that was edited is no such."""
    rows = ((each, last.get(each.id)) for each in held)
    return {
        each.id: row
        for each, row in rows
        if row is not None and row.status != "pending" and not alike(row.values, each.values)
    }


def _other_fixed(problem: Problem, pending: Pending) -> dict[str, Number | str]:
    """Return the values of fixed parameters that a suggestion was made with and that are others now."""
    fixed = {each.name: each.value for each in problem.parameters if isinstance(each, Fixed)}
    return {name: v for name, v in pending.parameters.items() if name in fixed and not same(v, fixed[name])}


def gone_points(
    gone: Collection[int], handed: Mapping[int, Pending], problem: Problem, orders: SettingOrders
) -> tuple[Waiting, ...]:
    """Return the suggestions whose answers are gone, as far as they have a place in the problem of now.

    Args:
        gone: ids of points whose answers are gone.
        handed: all points that were handed out.
        problem: what the study asks.
        orders: of the settings that words may name.
    """
    points = (handed[id].under(problem) for id in sorted(gone) if id in handed)
    return tuple(waiting_of(problem, point, orders) for point in points if point is not None)


def notices(
    file: ProblemFile, table: Table, state: State, pending: Sequence[Pending], missing: Missing, handed: Collection[int]
) -> Iterator[str]:
    """Yield what people should know, a line each.

    Args:
        file: the problem file.
        table: the evaluations, all rows with ids.
        state: as it was found.
        pending: what it holds to be out, as far as it has a place in the problem.
        missing: points whose newest answer is there no more.
        handed: ids of all points that were handed out.
    """
    gone, lost = ({id for id in missing.gone if (id in handed) == suggested} for suggested in (True, False))
    path = shown_path(file.evaluations)
    if state.seen and not file.evaluations.exists():
        yield f"{path}: it was there, and is there no more"
    if gone:
        one = f"{shown_path(file.path)} --id {min(gone)}"
        yield (
            f"{path}: the result{_s(gone)} of {some(sorted(gone))} {_was(gone)} there, and {_is(gone)} there no more:"
            f" put the rows back, or say what becomes of each: 'ordbo observe {one} {file.problem.objective}=...'"
            f" records it anew, 'ordbo pending retry {one}' has it evaluated again, 'ordbo pending expire {one}'"
            " forgets it"
        )
    if missing.older:
        yield f"{path}: a newer result of {some(sorted(missing.older))} was there; the one before it stands"
    if lost:
        yield f"{path}: {len(lost)} row{_s(lost)} of your own ({some(sorted(lost))}) {_was(lost)} there before"
    known = {each.id for each in pending}
    yield from on_blank_rows(file, [row.line for row in table.rows if row.line in table.blank and row.id not in known])
    without = [each for each in state.pending if each.id not in known]
    if without:
        names = some([each.id for each in without])
        yield f"suggestion{_s(without)} {names}: the problem has no place for the point any more"


def on_blank_rows(file: ProblemFile, lines: Sequence[int]) -> Iterator[str]:
    """Yield what rows without a result are taken for, if there are any in these lines."""
    if lines:
        are = "are points that are" if len(lines) > 1 else "is a point that is"
        which = f"{len(lines)} row{_s(lines)} without {quoted(file.problem.objective)} (line {some(lines)})"
        yield f"{shown_path(file.evaluations)}: {which} {are} out; where a simulation failed, write 'failed' there"


def on_infinite_results(file: ProblemFile, rows: Iterable[Row]) -> Iterator[str]:
    """Yield what infinite results are taken for, if there are any."""
    if lines := [row.line for row in rows if row.objective is not None and row.objective.is_infinite()]:
        what = f"{quoted(file.problem.objective)} is infinite in line {some(lines)}"
        means = "worse than every number, better than a failure; where a simulation failed, write 'failed' there"
        yield f"{shown_path(file.evaluations)}: {what}: {means}"


def on_first_ids(table: Table, state: State) -> list[str]:
    """Return a line about the ids that the rows of a table without any have from now on; none where they had them."""
    if not table.rows or state.seen or "id" in table.columns:
        return []
    ids = sorted({row.id or 0 for row in table.rows})
    said = f"the row has the id {ids[0]}" if len(ids) == 1 else f"the rows have the ids {ids[0]} to {ids[-1]}"
    return [f"{shown_path(table.path)}: {said}, as the state remembers; a column 'id' with them writes that down"]


def _s(things: Collection[object]) -> str:
    return "" if len(things) == 1 else "s"


def _was(things: Collection[object]) -> str:
    return "was" if len(things) == 1 else "were"


def _is(things: Collection[object]) -> str:
    return "is" if len(things) == 1 else "are"
