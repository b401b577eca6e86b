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
from ordbo_cli.exchange.ranked_table import judges_called, nameless_levels, ranked_table, sides_of
from ordbo_cli.files.durable.atomic import create_new, there_already
from ordbo_cli.files.durable.paths import folder_of, refused
from ordbo_cli.files.problem_file.problem_text import problem_text
from ordbo_cli.files.tables.comparisons import ALL_COLUMNS, COLUMNS, cells_of_comparison
from ordbo_cli.files.tables.dialect import Dialect
from ordbo_cli.files.tables.judged import Judged, JudgedRanking
from ordbo_cli.files.tables.table import CAMPAIGN, columns_of
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.problem import Fixed, Level, Parameter, Problem
from ordbo_cli.problem.limit import Aim, Limit
from ordbo_cli.problem.parameter import in_words
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
    texts = {table: ranked_table(files, hidden, aliases, rows, names=names), path: problem_text(hidden, path)}
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
    plain = replace(problem, parameters=free, objective="y1" if aims else "y", outcomes=outcomes, fidelity=None)
    if (fidelity := problem.fidelity) is None:
        return plain, aliases
    levels = tuple(nameless_levels(fidelity.levels).values())
    return replace(plain, fidelity=replace(fidelity, name="level", levels=levels)), {**aliases, fidelity.name: "level"}


def _nameless(parameter: Parameter, aliases: Mapping[str, str]) -> Parameter:
    when = tuple(replace(each, parent=aliases[each.parent]) for each in parameter.when)
    return replace(
        parameter, name=aliases[parameter.name], when=when, levels=tuple(nameless_levels(parameter.levels).values())
    )


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
        others = {name: point.parameters[name] for name, value in fixed.items() if point.parameters[name] != value}
        apart = bool(files.problem.others_of(others))
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


def _ends(problem: Problem, rows: Sequence[Listed]) -> list[Decimal | None]:
    """Return the rank that is good enough by each objective, where one of its results is known by a limit.

    Such a limit may lie beyond what is good enough, and the result may be good enough or not; of others the ranks say
    which are.
    """
    by_each = list(zip(*(sides_of(problem, each) for each in rows), strict=True)) or [()] * len(problem.goals)
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
    judges = judges_called(files, names=names)
    kept: list[Judged] = []
    for said in files.judgements.answers:
        if isinstance(said, JudgedRanking):
            kept += said.within(seen).neighbours
        elif seen.issuperset(said.ids):
            kept.append(said)
    columns = ALL_COLUMNS if any(each.judge or each.ranking for each in kept) else COLUMNS
    cells = [cells_of_comparison(each._replace(judge=judges.get(each.judge, ""))) for each in kept]
    return "".join(map(Dialect().line, [columns, *([row[name] for name in columns] for row in cells)]))


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
    if files.sources and CAMPAIGN in columns_of(files.problem):
        told.append("campaigns are not copied: the copy's suggestions differ from the study's where one is heard")
    if files.problem.fidelity is not None and not files.problem.fidelity.costs:
        told.append("how long evaluations took is not copied, which is what levels cost: its suggestions may differ")
    if known != made:
        words = f"{made} suggestions were made, but the copy shows {known} of their ids"
        told.append(f"{words}: where random numbers count, its suggestions differ from the study's")
    return told
