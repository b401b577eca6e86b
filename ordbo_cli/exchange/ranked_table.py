"""The table of a copy of a study that has ranks for results: those of each level and of each campaign are its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ordbo_cli.files.tables.dialect import Dialect, harmless
from ordbo_cli.files.tables.table import CAMPAIGN, JUDGE, columns_of
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import SIGNS, Censored, Evaluation, Goal, Level, Problem
from ordbo_cli.problem.censored import TURNED
from ordbo_cli.problem.limit import violations
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.several import alone, alone_in, without_enough
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.listing import Listed


@dataclass(frozen=True)
class _Copied:
    """A row of the copy.

    Args:
        evaluation: the result, or none.
        parameters: by name, as the user has them.
        id: of the point, if it has one.
        status: what became of it.
        infeasible: whether it breaks limits.
        scale: what its results are compared within: a campaign's name, a level of fidelity, None for the study's own.
    """

    evaluation: Evaluation
    parameters: Mapping[str, Level]
    id: int | None
    status: str
    infeasible: bool
    scale: str | int | None = None


def ranked_table(
    files: StudyFiles, hidden: Problem, aliases: Mapping[str, str], rows: Sequence[Listed], *, names: bool
) -> str:
    """Return the table.

    Args:
        files: of the study.
        hidden: what the copy asks.
        aliases: its names of parameters by the study's.
        rows: of the study's own points.
        names: whether campaigns and judges are called by numbers.
    """
    problem, sources = files.problem, files.sources
    copied = [
        _Copied(Evaluation((), each.objective, None, each.censored, each.outcomes, sides=each.sides),
                each.parameters, each.id, each.status, each.infeasible, each.level)
        for each in rows
    ]  # fmt: skip
    columns = columns_of(hidden)
    called: dict[str, str] = {}
    if sources and CAMPAIGN not in (*columns, *columns_of(problem)):
        columns = (*columns, CAMPAIGN)
        called = {each.name: f"campaign {k}" if names else each.name for k, each in enumerate(sources, 1)}
        copied += [_elsewhere(problem, each.name, result) for each in sources for result in each.evaluations]
    cells = dict(_result_cells(problem, hidden, copied))
    levels = _nameless_by_name(problem, aliases)
    lines: list[Sequence[str]] = [[*map(harmless, columns)]]
    for k, row in enumerate(copied):
        found = {"id": "" if row.id is None else str(row.id), "status": row.status, **cells.get(k, {})}
        for name, value in row.parameters.items():
            if name in aliases:
                said = levels.get(name, {}).get(value, value)
                found[aliases[name]] = harmless(said) if isinstance(said, str) else printed(said)
        if isinstance(row.scale, str):
            found[CAMPAIGN] = harmless(called[row.scale])
        lines.append([found.get(column, "") for column in columns])
    if files.judgements.scored and JUDGE not in columns:
        lines = [[*line, "" if k else JUDGE] for k, line in enumerate(lines)]
        lines += _scores(files, hidden, [*columns, JUDGE], {line[0]: line for line in lines[1:]}, names)
    return "".join(map(Dialect().line, lines))


def _scores(
    files: StudyFiles, hidden: Problem, columns: Sequence[str], rows: Mapping[str, Sequence[str]], names: bool
) -> Iterator[list[str]]:
    """Yield a row for each score of a judge: among those of the same one it has a rank.

    Args:
        files: of the study.
        hidden: what the copy asks.
        columns: of the copy.
        rows: of the points, by their ids as they are written.
        names: whether judges are called by numbers.
    """
    called = judges_called(files, names=names)
    for each in files.judgements.scored:
        for rank, group in enumerate(each.groups, 1):
            for id in group:
                point = dict(zip(columns, rows[str(id)], strict=True)) if str(id) in rows else {}
                said = {name: point.get(name, "") for name in ("id", *hidden.names)}
                said |= {hidden.objective: str(rank), "status": "ok", JUDGE: harmless(called[each.judge])}
                if point:
                    yield [said.get(name, "") for name in columns]


def judges_called(files: StudyFiles, *, names: bool) -> dict[str, str]:
    """Return what the judges of a study are called in a copy."""
    return {name: f"judge {k}" if names else name for k, name in enumerate(files.judgements.judges, 1)}


def _elsewhere(problem: Problem, name: str, result: Evaluation) -> _Copied:
    """Return a row of a campaign."""
    infeasible = problem.is_infeasible(result)
    status = "failed" if problem.is_failure(result) else "ok"
    return _Copied(result, problem.mapping(result.values), None, status, infeasible, name)


def _result_cells(problem: Problem, hidden: Problem, copied: Sequence[_Copied]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the place of each row that has results, with their cells."""
    for scale in dict.fromkeys(each.scale for each in copied):
        places = [k for k, each in enumerate(copied) if each.scale == scale]
        some = [copied[k] for k in places]
        results = [each.evaluation for each in some]
        values = [Evaluation((), each.objective, outcomes=each.outcomes) for each in results]  # limits keep their sides
        by_each = [_ranks(problem, k, values, hidden, own=scale is None) for k in range(len(problem.goals))]
        broken = [each for each in results if each.outcomes and problem.is_infeasible(each)]
        totals = violations(problem.outcomes, [each.outcomes for each in broken])
        badly = {total: str(k) for k, total in enumerate(sorted(set(totals)), 1)}
        violation = {id(each): badly[total] for each, total in zip(broken, totals, strict=True)}
        for k, row, *found in zip(places, some, *by_each, strict=True):
            yield k, _cells(problem, hidden, row, found, violation.get(id(row.evaluation), "1"))


def _cells(problem: Problem, hidden: Problem, row: _Copied, found: Sequence[int], violation: str) -> dict[str, str]:
    """Return the cells of a row's results."""
    cells: dict[str, str] = {}
    if row.evaluation.objective is not None:
        by_goal = zip(hidden.goals, problem.goals, _sides(problem, row.evaluation), found, strict=True)
        cells |= {name: f"{_sign(goal, side)}{rank + 1}" for (name, _), (_, goal), side, rank in by_goal}
    if hidden.is_limited and row.status == "ok":
        cells[hidden.outcomes[-1].name] = violation if row.infeasible else "0"
    return cells


def _ranks(problem: Problem, which: int, results: Sequence[Evaluation], hidden: Problem, *, own: bool) -> list[int]:
    """Return the ranks of values by one of the objectives.

    Where a copy says that a rank is good enough, what is good enough has the first, whether any result is or not.

    Args:
        problem: what the study asks.
        which: of its objectives.
        results: that are compared with each other.
        hidden: what the copy asks.
        own: whether they are the study's own, among which those that are good enough count as equal.
    """
    one, found = alone(problem, which), [alone_in(problem, each, which) for each in results]
    if not own:
        return ranks(without_enough(one), found)
    more = [] if hidden.enoughs[which] is None else [Evaluation((), one.enough)]
    return ranks(one, [*found, *more])[: len(found)]


def sides_of(problem: Problem, point: Listed) -> tuple[Censored, ...]:
    """Return on which side of its value a point's result lies, for each objective."""
    return (point.censored, *(point.side(k) for k, _ in problem.aims))


def _sides(problem: Problem, result: Evaluation) -> tuple[Censored, ...]:
    return (result.censored, *(result.side(k) for k, _ in problem.aims))


def nameless_levels(levels: Sequence[Level]) -> dict[Level, Level]:
    """Return what stands for each level: a word is a name, too."""
    return {level: f"level {k}" if isinstance(level, str) else level for k, level in enumerate(levels, 1)}


def _nameless_by_name(problem: Problem, aliases: Mapping[str, str]) -> dict[str, dict[Level, Level]]:
    """Return the same by name of a parameter, of those that have another one in the copy."""
    found = {each.name: nameless_levels(each.levels) for each in problem.free if aliases[each.name] != each.name}
    fidelity = problem.fidelity
    if fidelity is not None and aliases[fidelity.name] != fidelity.name:
        found[fidelity.name] = nameless_levels(fidelity.levels)
    return found


def _sign(goal: Goal, censored: Censored) -> str:
    """Return the sign of a result's rank: small ranks are the good ones."""
    return SIGNS[censored if goal == "minimize" else TURNED[censored]]
