"""A study for others: its points as one plain table, or a copy that knows the results by their ranks alone."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import ProblemError, UsageError
from ordbo_cli.files.durable.atomic import create_new, there_already
from ordbo_cli.files.durable.paths import folder_of, refused
from ordbo_cli.files.problem_file.problem_text import problem_text
from ordbo_cli.files.tables.comparisons import ALL_COLUMNS, COLUMNS, cells_of_comparison
from ordbo_cli.files.tables.dialect import Dialect, harmless
from ordbo_cli.files.tables.judged import Judged, JudgedRanking
from ordbo_cli.files.tables.table import columns_of
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import SIGNS, Censored, Evaluation, Fixed, Goal, Level, Parameter, Problem
from ordbo_cli.problem.censored import TURNED
from ordbo_cli.problem.limit import Aim, Limit, violations
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.several import alone, alone_in
from ordbo_cli.problem.spelling import quoted
from ordbo_cli.study.reading.ledger import step_of
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.listing import Listed, listing

if TYPE_CHECKING:
    from ordbo_cli.study.study import Study

_YAML: Final = (".yaml", ".yml")
_NAME: Final = "problem.yaml"  # in a folder; the study's own name may say what it is about


@dataclass(frozen=True)
class Exported:
    """A copy that was written.

    Args:
        problem: its problem file.
        evaluations: its table.
        rows: how many rows that has.
        warnings: what people should know.
    """

    problem: Path
    evaluations: Path
    rows: int
    warnings: tuple[str, ...]


def export_ranks(study: Study, target: str | Path, *, names: bool = False) -> Exported:
    """Write a copy of a study in which ranks stand for the results, and whose next points are the study's.

    The state is not copied: the points are those of the study once the last fit has left its state.

    Args:
        study: that is copied.
        target: the copy's problem file, where it ends with .yaml or .yml, or else a folder for it.
        names: whether the names of parameters, objective and levels are replaced, and fixed values left out.

    Raises:
        ProblemError: the problem has settings that cannot be written.
        DataError, ManyErrors: the files cannot be used.
        FileError: a file of the copy is there already, or the system refused.
        MissingFileError: there is no such folder.
    """
    files = study.read()
    if files.problem.ranked:
        name = files.problem.free[files.problem.ranked[0]].name
        message = f"{quoted(name)} is of type ranked: a copy whose rows are renumbered is not supported"
        raise ProblemError(message, "Export without --ranks-only, or hand the files on as they are")
    rows = _numbered(files, _kept(files, names))
    hidden, aliases = (nameless if names else unitless)(files.problem)
    hidden = _with_ends(hidden, _ends(files.problem, rows))
    target = Path(target)
    path = target if target.suffix.lower() in _YAML else target / _NAME
    table = path.with_name(path.stem + ".csv")
    texts = {table: _table(files.problem, hidden, aliases, rows), path: problem_text(hidden, path)}
    if files.judgements.judged:
        texts[path.with_name(path.stem + ".comparisons.csv")] = _comparisons(files, names)
    _create(target, path, texts)
    return Exported(path, table, len(rows), (*files.warnings, *_concerns(files, rows)))


def plain_rows(problem: Problem, points: Iterable[Listed]) -> list[dict[str, Level | Decimal | None]]:
    """Return a row for each point by the names of a table's columns: id, parameters, objective, status."""
    empty = {limit.name: None for limit in problem.outcomes}
    return [
        {
            "id": each.id,
            **{name: shown.get(name) for name in problem.names},
            problem.objective: _result(problem, each),
            **empty,
            **{
                limit.name: None if value is None else limit.shown(value, each.side(k))
                for k, (limit, value) in enumerate(zip(problem.outcomes, each.outcomes, strict=False))
            },
            "status": each.status,
        }
        for each in points
        for shown in [in_words(each.parameters)]
    ]


def _result(problem: Problem, point: Listed) -> Level | Decimal | None:
    """Return a result as the user has it; of an infeasible point too, and a failed one, where it has one."""
    value, side = censored_value(problem, point.text) if point.text else (point.objective, point.censored)
    return None if value is None else problem.shown(value, side)


def unitless(problem: Problem) -> tuple[Problem, Mapping[str, str]]:
    """Return a problem to be minimised, without units and words of results, and its new names by the old ones.

    Each of several objectives has ranks of its own, among which those that are good enough are one. How badly the
    outcomes break their limits, all of them together, is a rank, too: it is 0 where they keep them.
    """
    parameters = tuple(replace(each, unit="") for each in problem.parameters)
    taken = {*problem.names, *(name for name, _ in problem.goals)}
    names = itertools.chain(["violation"], (f"violation {k}" for k in itertools.count(2)))
    name = next(name for name in names if name not in taken)
    aims = tuple(Aim(aim.name) for _, aim in problem.aims)
    outcomes = (*aims, *((Limit(name, max=Decimal(0)),) if problem.is_limited else ()))
    plain = replace(problem, parameters=parameters, goal="minimize", unit="", grades=(), outcomes=outcomes, enough=None)
    return plain, {name: name for name in problem.names}


def nameless(problem: Problem) -> tuple[Problem, Mapping[str, str]]:
    """Return the same without names and fixed parameters.

    Raises:
        UsageError: there are constraints, which speak of the parameters by their names.
    """
    if problem.constraints:
        raise UsageError("constraints name the parameters, so --names would give them away", "Leave out --names")
    problem, _ = unitless(problem)
    aliases = {parameter.name: f"x{k}" for k, parameter in enumerate(problem.free, 1)}
    free = tuple(_nameless(parameter, aliases) for parameter in problem.free)
    aims = tuple(Aim(f"y{k}") for k, _ in enumerate(problem.aims, 2))
    outcomes = (*aims, *problem.outcomes[len(aims) :])
    return replace(problem, parameters=free, objective="y1" if aims else "y", outcomes=outcomes), aliases


def _nameless(parameter: Parameter, aliases: Mapping[str, str]) -> Parameter:
    when = tuple(replace(each, parent=aliases[each.parent]) for each in parameter.when)
    return replace(
        parameter, name=aliases[parameter.name], when=when, levels=tuple(_nameless_levels(parameter).values())
    )


def _nameless_levels(parameter: Parameter) -> dict[Level, Level]:
    """Return what stands for each level: a word is a name, too."""
    return {level: f"level {k}" if isinstance(level, str) else level for k, level in enumerate(parameter.levels, 1)}


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet.

    Raises:
        FileError: it is there, or the system refused.
        MissingFileError: its folder is not there.
    """
    folder_of(path)
    if os.path.lexists(path):
        raise there_already(path)
    create_new(path, text)


def _kept(files: StudyFiles, names: bool) -> list[Listed]:
    """Return the points that the copy has: where fixed values are left out, without those that they set apart.

    These count for nothing but their ids, where anybody knows these; an abandoned one is still not to be suggested
    again.
    """
    points = [replace(each, parameters=in_words(each.parameters)) for each in listing(files)]
    spoken_of = _spoken_of(files)
    fixed = {each.name: each.value for each in files.problem.parameters if isinstance(each, Fixed)}
    if not (names and fixed):
        return points
    kept = []
    for point in points:
        apart = any(point.parameters[name] != value for name, value in fixed.items())
        if not apart or point.status == "abandoned":
            kept.append(point)
        elif point.numbered or point.id in spoken_of:
            kept.append(replace(point, status="expired", objective=None))
    return kept


def _spoken_of(files: StudyFiles) -> set[int]:
    """Return the ids that comparisons and the state know points by."""
    return {*files.judgements.ids, *(each.id for each in files.pending)}


def _numbered(files: StudyFiles, rows: Sequence[Listed]) -> list[Listed]:
    """Return the points with as many ids as suggestions were made, on which random numbers depend.

    A table without ids does not say which rows answer suggestions: the newest ones without an id are taken for those.
    """
    spoken_of = _spoken_of(files)
    numbered = {each.id for each in rows if each.numbered or each.id in spoken_of}
    missing = step_of(files.ledger, files.state) - len(numbered)
    others = [each.id for each in rows if each.id not in numbered and each.status not in ("pending", "retry")]
    numbered |= {*others[len(others) - min(missing, len(others)) :]} if missing > 0 else set()
    return [each if each.id in numbered else replace(each, id=None) for each in rows]


def _table(problem: Problem, hidden: Problem, aliases: Mapping[str, str], rows: Sequence[Listed]) -> str:
    """Return the copy's table."""
    results = [Evaluation((), each.objective, outcomes=each.outcomes) for each in rows]
    places = [_places(problem, k, results, end) for k, end in enumerate(hidden.enoughs)]
    seen = [each for each in rows if each.order is not None and each.infeasible]
    totals = violations(problem.outcomes, [each.outcomes for each in seen])
    badly = {total: str(k) for k, total in enumerate(sorted(set(totals)), 1)}
    broken = {id(each): badly[total] for each, total in zip(seen, totals, strict=True)}
    levels = {p.name: _nameless_levels(p) if aliases[p.name] != p.name else {} for p in problem.free}
    columns = columns_of(hidden)
    lines: list[Sequence[str]] = [[*map(harmless, columns)]]
    for point, *by_each in zip(rows, *places, strict=True):
        cells = {"id": "" if point.id is None else str(point.id), "status": point.status}
        if point.objective is not None:
            by_goal = zip(hidden.goals, problem.goals, _sides(problem, point), by_each, strict=True)
            cells |= {name: f"{_sign(goal, side)}{rank + 1}" for (name, _), (_, goal), side, rank in by_goal}
        if hidden.is_limited and point.status == "ok":
            cells[hidden.outcomes[-1].name] = broken.get(id(point), "1" if point.infeasible else "0")
        for name, value in point.parameters.items():
            if name in aliases:
                said = levels.get(name, {}).get(value, value)
                cells[aliases[name]] = harmless(said) if isinstance(said, str) else printed(said)
        lines.append([cells.get(column, "") for column in columns])
    return "".join(map(Dialect().line, lines))


def _places(problem: Problem, which: int, results: Sequence[Evaluation], end: Decimal | None) -> list[int]:
    """Return the ranks of results by one of the objectives; those of limits are among them, which keep their sides.

    Where there is an end, what is good enough has the first rank, whether any result is or not.
    """
    one, found = alone(problem, which), [alone_in(problem, each, which) for each in results]
    more = [] if end is None else [Evaluation((), one.enough)]
    return ranks(one, [*found, *more])[: len(found)]


def _sides(problem: Problem, point: Listed) -> tuple[Censored, ...]:
    """Return on which side of its value a point's result lies, for each objective."""
    return (point.censored, *(point.side(k) for k, _ in problem.aims))


def _ends(problem: Problem, rows: Sequence[Listed]) -> list[Decimal | None]:
    """Return the rank that is good enough by each objective, where one of its results is known by a limit.

    Such a limit may lie beyond what is good enough, and the result may be good enough or not; of others the ranks say
    which are.
    """
    by_each = list(zip(*(_sides(problem, each) for each in rows), strict=True)) or [()] * len(problem.goals)
    pairs = zip(problem.enoughs, by_each, strict=True)
    return [Decimal(1) if enough is not None and any(sides) else None for enough, sides in pairs]


def _with_ends(hidden: Problem, ends: Sequence[Decimal | None]) -> Problem:
    """Return a copy's problem in which ranks are good enough."""
    outcomes = list(hidden.outcomes)
    for (place, aim), end in zip(hidden.aims, ends[1:], strict=True):
        outcomes[place] = replace(aim, enough=end)
    return replace(hidden, enough=ends[0], outcomes=tuple(outcomes))


def _comparisons(files: StudyFiles, names: bool) -> str:
    """Return the copy's comparisons: the model does not see those of points that are set aside.

    Args:
        files: of the study.
        names: whether judges are called by numbers.
    """
    seen = {row.id for row in files.ledger.rows if row.id is not None and not row.aside}
    judges = {name: f"judge {k}" if names else name for k, name in enumerate(files.judgements.judges, 1)}
    kept: list[Judged] = []
    for said in files.judgements.answers:
        if isinstance(said, JudgedRanking):
            kept += said.within(seen).neighbours
        elif seen.issuperset(said.ids):
            kept.append(said)
    columns = ALL_COLUMNS if any(each.judge or each.ranking for each in kept) else COLUMNS
    cells = [cells_of_comparison(each._replace(judge=judges.get(each.judge, ""))) for each in kept]
    return "".join(map(Dialect().line, [columns, *([row[name] for name in columns] for row in cells)]))


def _sign(goal: Goal, censored: Censored) -> str:
    """Return the sign of a result's rank: small ranks are the good ones."""
    return SIGNS[censored if goal == "minimize" else TURNED[censored]]


def _create(target: Path, path: Path, texts: Mapping[Path, str]) -> None:
    """Write the files of a copy, all or none."""
    for each in (*texts, path.with_name(path.stem + ".state.json")):
        if os.path.lexists(each):
            raise there_already(each)
    folder_of(target)
    if path != target:
        try:
            target.mkdir(exist_ok=True)
        except OSError as error:
            raise refused("make it", target, error) from None
    made: list[Path] = []
    try:
        for file, text in texts.items():
            create_new(file, text)
            made.append(file)
    except BaseException:
        for file in made:
            with contextlib.suppress(OSError):
                file.unlink()
        raise


def _concerns(files: StudyFiles, rows: Sequence[Listed]) -> list[str]:
    """Return in what the copy may differ from the study."""
    known, made = len({each.id for each in rows if each.id is not None}), step_of(files.ledger, files.state)
    told = []
    if files.campaigns:
        told.append("campaigns are not copied: the copy's suggestions differ from the study's where one is heard")
    if known != made:
        words = f"{made} suggestions were made, but the copy shows {known} of their ids"
        told.append(f"{words}: where random numbers count, its suggestions differ from the study's")
    return told
