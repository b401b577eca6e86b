"""What another optimiser has evaluated, as results to record: each once, however often it is imported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.exchange import optuna_trials
from ordbo_cli.exchange.foreign_table import ForeignTable, choose_column, demand_as_many, renamed, taken_in_order
from ordbo_cli.exchange.optuna_trials import PRUNED, Pruned, Trials, is_json, is_optuna, value_columns
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.table import Row, Table, columns_of, result_columns
from ordbo_cli.files.values.numbers import Known, agree
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import listed, quoted, shown_path
from ordbo_cli.study.reading.ledger import Ledger
from ordbo_cli.study.telling.recording import Told, results_of

if TYPE_CHECKING:
    from ordbo_cli.study.study import Study

Origin = Literal["auto", "optuna", "dakota"]
ORIGINS: Final = get_args(Origin)
_EVAL_ID: Final = "eval_id"
_INTERFACE: Final = "interface"
_OPEN: Final = ("pending", "expired")


class Foreign(NamedTuple):
    """Results of another optimiser.

    Args:
        table: those that can be recorded.
        words: what people should know about them.
    """

    table: Table
    words: tuple[str, ...]


class Imported(NamedTuple):
    """What became of another optimiser's results.

    Args:
        told: those that were recorded.
        known: how many the evaluations held already.
        warnings: what people should know, also of what was not recorded.
    """

    told: tuple[Told, ...]
    known: int
    warnings: tuple[str, ...] = ()


def import_results(
    study: Study,
    text: str,
    *,
    source: str,
    origin: Origin = "auto",
    column: str | Sequence[str] | None = None,
    pruned: Pruned = "skip",
) -> Imported:
    """Record what another optimiser has evaluated, all of it or nothing, and nothing twice.

    Args:
        study: that it is recorded in.
        text: Optuna's trials as CSV or JSON, or Dakota's tabular data.
        source: where it comes from, for messages.
        origin: whose it is: optuna, dakota, or auto to tell by its header.
        column: of the results, of several objectives one of each in their order; None for those that are called as the
            objectives, or those that are there where they are as many.
        pruned: whether Optuna's pruned trials, which have no result at their end, are passed over or failures.

    Raises:
        UsageError: the call cannot be right, or there are several columns of results.
        DataError: the table is nobody's, or lacks a column.
        ManyErrors: of DataError, every wrong row.
        FileError, LockTimeoutError: the system refused, or another process held the lock.
    """
    columns = (column,) if isinstance(column, str) else tuple(column or ())
    found = foreign_results(text, source, study.file, origin, columns, pruned)
    told = study.record(
        lambda files, intake: intake.take_table(not_there_yet(found.table, files.ledger, study.problem), amend=False)
    )
    return Imported(tuple(told), len(found.table.rows) - len(told), (*told.warnings, *found.words))


def origin_of(text: str, source: str, origin: Origin) -> Literal["optuna", "dakota"]:
    """Return whose table a text is.

    Raises:
        UsageError: there is no such origin.
        DataError: it is nobody's, and nobody says whose.
    """
    if origin not in ORIGINS:
        raise UsageError(f"{quoted(origin)} is no origin", f"There are {', '.join(ORIGINS)}")
    if origin != "auto":
        return origin
    if is_json(text):
        return "optuna"
    foreign = ForeignTable.of(text, source, ("number", "state", "value", "id", _INTERFACE))
    if is_optuna(foreign.header.cells):
        return "optuna"
    if _EVAL_ID in _dakota_header(foreign, ()):
        return "dakota"
    hint = "Say whose it is with --from; a table with the columns of the problem is for 'ordbo observe --file'"
    raise DataError(f"{shown_path(source)}: this is a table of neither Optuna nor Dakota", hint)


def foreign_results(
    text: str, source: str, file: ProblemFile, origin: Origin, wanted: Sequence[str], pruned: Pruned
) -> Foreign:
    """Return the results of another optimiser's table.

    Args:
        text: the table.
        source: where it comes from.
        file: the problem file.
        origin: whose it is.
        wanted: the columns of the results that somebody names.
        pruned: what becomes of Optuna's pruned trials.

    Raises:
        UsageError: there are several columns of results, or not the one that is named.
        DataError, ManyErrors: the table cannot be used.
    """
    if file.problem.ranked:
        name = file.problem.free[file.problem.ranked[0]].name
        message = f"{quoted(name)} is of type ranked: nobody else's tables have such places"
        raise UsageError(message, "Write the rows yourself, or record each with 'ordbo observe'")
    if pruned not in PRUNED:
        raise UsageError(f"{quoted(pruned)} is nothing to do with pruned trials", f"There are {', '.join(PRUNED)}")
    if origin_of(text, source, origin) == "dakota":
        return _dakota(text, source, file, wanted)
    foreign = optuna_trials.foreign_table_of(text, source, file.problem.names)
    objectives = [name for name, _ in file.problem.goals]
    columns = value_columns(foreign, objectives, wanted)
    foreign, words = optuna_trials.in_words_of(file.problem, foreign)
    words += taken_in_order(foreign, columns, objectives)
    trials = Trials(foreign, file.problem, columns, pruned)
    table = results_of(trials.text(), foreign.source, file)
    words += _passed(trials.passed, "trial")
    if trials.unknown:
        words.append(f"columns that are not recorded: {listed(trials.unknown)}: the problem has no such parameters")
    return Foreign(table, tuple(words))


def _dakota(text: str, source: str, file: ProblemFile, wanted: Sequence[str]) -> Foreign:
    problem = file.problem
    objectives = [name for name, _ in problem.goals]
    foreign = ForeignTable.of(text, source, columns_of(problem))
    theirs = _dakota_header(foreign, problem.names)
    header, words = foreign.in_words_of(problem, theirs, (*problem.names, *result_columns(problem)))
    wanted = [header[theirs.index(column)] if column in theirs else column for column in wanted]
    responses = _responses(header, problem.names)
    limited = [name for name in result_columns(problem) if name in header and name not in objectives]
    columns = _columns_of_results(foreign, objectives, wanted, [name for name in responses if name not in limited])
    for column in columns:
        _demand_response(foreign, column, responses)
    words += taken_in_order(foreign, columns, objectives)
    taken = {header.index(name): name for name in (*problem.names, "status", *limited) if name in header}
    taken |= {header.index(column): name for column, name in zip(columns, objectives, strict=True)}
    table = results_of(foreign.edited(renamed(header, taken, columns_of(problem)), lambda row: row.cells), source, file)
    passed = Counter[str](row.status for row in table.rows if row.status in _OPEN)
    rest = [name for name in responses if name not in (*columns, *limited)]
    words += _passed(passed, "row") + ([f"columns that are not recorded: {listed(rest)}"] if rest else [])
    return Foreign(table._replace(rows=tuple(row for row in table.rows if row.status not in _OPEN)), tuple(words))


def _columns_of_results(
    foreign: ForeignTable, objectives: Sequence[str], wanted: Sequence[str], free: Sequence[str]
) -> Sequence[str]:
    """Return the columns of the objectives: those that are named, those that are called so, or all that there are."""
    demand_as_many(foreign, objectives, wanted)
    if not wanted and not set(objectives) & set(free) and len(free) == len(objectives):
        return free
    return [*wanted, *objectives[len(wanted) :]]


def dakota_columns(foreign: ForeignTable, wanted: Sequence[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the parameters of a table that no problem describes, by their places, and the responses.

    Args:
        foreign: the table.
        wanted: the columns of the responses; none for the last one.

    Raises:
        UsageError: one is not there.
    """
    header = _dakota_header(foreign, ())
    others = _responses(header, ())
    columns = tuple(wanted) or (others[-1] if others else "",)
    for column in columns:
        _demand_response(foreign, column, others)
    return {name: header.index(name) for name in others if name not in columns}, columns


def _dakota_header(foreign: ForeignTable, names: Collection[str]) -> list[str]:
    """Return the names of the columns as Dakota has them: the reader of tables takes its eval_id for our id."""
    first, *rest = foreign.header.cells
    if first not in names:
        first = first.lstrip("%")
        first = _EVAL_ID if first == "id" and f"%{_EVAL_ID}" in foreign.text else first
    return [first, *rest]


def _responses(header: Sequence[str], names: Collection[str]) -> list[str]:
    known = {*names, _EVAL_ID, _INTERFACE, "id", "status"}
    return [name for name in header if name and name not in known]


def _demand_response(foreign: ForeignTable, column: str, responses: Sequence[str]) -> None:
    if column not in responses:
        hint = choose_column(column, responses) or "There are only parameters"
        raise UsageError(f"{shown_path(foreign.source)}: no column {quoted(column)} of results", hint)


def _passed(passed: Mapping[str, int], what: str) -> list[str]:
    """Return how many rows are passed over as they have no result, and why, in words."""
    if not passed:
        return []
    number = sum(passed.values())
    kinds = ", ".join(f"{count} {state}" for state, count in passed.items())
    hint = "; --pruned failed records the pruned ones as failures" if "PRUNED" in passed else ""
    return [f"{number} {what}{'s' * (number > 1)} without a result passed over: {kinds}{hint}"]


def not_there_yet(foreign: Table, ledger: Ledger, problem: Problem) -> Table:
    """Return the results that the evaluations do not hold: the same result of the same point counts once for once.

    Of several objectives a result is the same where all are.
    """
    there: dict[Hashable, list[Row]] = defaultdict(list)
    for each in ledger.standing:
        if not each.row.aside:
            there[each.row.values, each.row.level, each.row.status].append(each.row)
    known = Known(problem, (each.row.values for each in ledger.standing))
    new = []
    for row, values in zip(foreign.rows, known.snapped([row.values for row in foreign.rows]), strict=True):
        here = there[values, row.level, row.status]
        same = next((other for other in here if _same_results(row, other, problem)), None)
        if same is not None:
            here.remove(same)
        else:
            new.append(row)
    return foreign._replace(rows=tuple(new))


def _same_results(one: Row, other: Row, problem: Problem) -> bool:
    """Return whether two rows of a point hold the same results by every objective."""
    more = len(problem.goals) - 1
    others = zip(one.outcomes[:more], other.outcomes[:more], strict=True)
    same_sides = (one.censored, one.sides) == (other.censored, other.sides)
    return same_sides and _agree(one.objective, other.objective) and all(_agree(*pair) for pair in others)


def _agree(one: Decimal | None, other: Decimal | None) -> bool:
    return one == other or (one is not None and other is not None and agree(one, other))
