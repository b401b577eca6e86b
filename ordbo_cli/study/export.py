"""A study for others: its points as one plain table, or a copy that knows the results by their ranks alone."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from ordbo_cli.errors import FileError, ProblemError, UsageError
from ordbo_cli.problem import Fixed, Level, Parameter, Problem, objective_ranks
from ordbo_cli.study.atomic import create_file
from ordbo_cli.study.books import Books
from ordbo_cli.study.ledger import step_of
from ordbo_cli.study.listing import Listed, listing
from ordbo_cli.study.numbers import printed
from ordbo_cli.study.paths import folder_of, refused
from ordbo_cli.study.problem_text import problem_text
from ordbo_cli.study.table import columns_of
from ordbo_cli.study.text import quoted, shown_path

_YAML: Final = (".yaml", ".yml")
_NAME: Final = "problem.yaml"  # in a folder; the study's own name may say what it is about


@dataclass(frozen=True)
class Exported:
    """A copy that was written.

    Args:
        problem: its problem file.
        evaluations: its table.
        rows: how many rows that has.
    """

    problem: Path
    evaluations: Path
    rows: int


def plain_rows(problem: Problem, points: Iterable[Listed]) -> list[dict[str, Level | Decimal | None]]:
    """Return a row for each point by the names of a table's columns: id, parameters, objective, status."""
    return [
        {
            "id": each.id,
            **{name: each.parameters.get(name) for name in problem.names},
            problem.objective: each.objective,
            "status": each.status,
        }
        for each in points
    ]


def write_ranks_only(books: Books, target: Path, *, names: bool) -> tuple[Exported, list[str]]:
    """Write a copy of a study in which ranks stand for the results; return it, and what people should know about it.

    Args:
        books: the files as they are.
        target: the copy's problem file, where it ends with .yaml or .yml, or else a folder for it.
        names: whether names give nothing away either: parameters become x1, x2, ..., the objective y, and fixed values
            are left out.

    Raises:
        ProblemError: the problem has settings that cannot be written.
        FileError: a file of the copy is there already, or the system refused.
        MissingFileError: the folder of the problem file is not there.
    """
    if books.problem.ranked:
        name = books.problem.free[books.problem.ranked[0]].name
        message = f"{quoted(name)} is of type ranked: a copy whose rows are renumbered is not supported"
        raise ProblemError(message, "Export without --ranks-only, or hand the files on as they are")
    rows = _numbered(books, _kept(books, names))
    hidden, aliases = (nameless if names else unitless)(books.problem)
    path = target if target.suffix.lower() in _YAML else target / _NAME
    table = path.with_name(path.stem + ".csv")
    texts = {table: _table(books.problem, hidden, aliases, rows), path: problem_text(hidden, path)}
    _create(target, path, texts)
    return Exported(path, table, len(rows)), _concerns(books, rows)


def unitless(problem: Problem) -> tuple[Problem, Mapping[str, str]]:
    """Return a problem to be minimised, without units and words of results, and its new names by the old ones."""
    parameters = tuple(replace(each, unit="") for each in problem.parameters)
    plain = replace(problem, parameters=parameters, goal="minimize", unit="", grades=())
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
    return replace(problem, parameters=free, objective="y"), aliases


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
    _create_file(path, text)


def _kept(books: Books, names: bool) -> list[Listed]:
    """Return the points that the copy has: where fixed values are left out, without those that they set apart.

    These count for nothing but their ids; an abandoned one is still not to be suggested again.
    """
    points = listing(books)
    fixed = {each.name: each.value for each in books.problem.parameters if isinstance(each, Fixed)}
    if not (names and fixed):
        return list(points)
    kept = []
    for point in points:
        apart = any(point.parameters[name] != value for name, value in fixed.items())
        if not apart or point.status == "abandoned":
            kept.append(point)
        elif point.id is not None:
            kept.append(replace(point, status="expired", objective=None))
    return kept


def _numbered(books: Books, rows: Sequence[Listed]) -> list[Listed]:
    """Return the points with as many ids as suggestions were made, on which random numbers depend.

    A table without ids does not say which rows answer suggestions: the newest ones without an id are taken for those.
    """
    used = {each.id for each in rows}
    missing = step_of(books.ledger, books.state) - len(used - {None})
    nameless = [k for k, each in enumerate(rows) if each.id is None and each.status not in ("pending", "retry")]
    free = (id for id in itertools.count(1) if id not in used)
    ids = dict(zip(nameless[len(nameless) - min(missing, len(nameless)) :], free, strict=False)) if missing > 0 else {}
    return [replace(each, id=ids.get(k, each.id)) for k, each in enumerate(rows)]


def _table(problem: Problem, hidden: Problem, aliases: Mapping[str, str], rows: Sequence[Listed]) -> str:
    """Return the copy's table."""
    ranks = objective_ranks(problem, [each.objective for each in rows])
    levels = {p.name: _nameless_levels(p) if aliases[p.name] != p.name else {} for p in problem.free}
    columns = columns_of(hidden)
    lines: list[Sequence[str]] = [columns]
    for point, rank in zip(rows, ranks, strict=True):
        cells = {"id": "" if point.id is None else str(point.id), "status": point.status}
        cells[hidden.objective] = "" if point.objective is None else str(rank + 1)
        for name, value in point.parameters.items():
            if name in aliases:
                cells[aliases[name]] = printed(levels.get(name, {}).get(value, value))
        lines.append([cells.get(column, "") for column in columns])
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(lines)
    return target.getvalue()


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
            _create_file(file, text)
            made.append(file)
    except BaseException:
        for file in made:
            with contextlib.suppress(OSError):
                file.unlink()
        raise


def _create_file(path: Path, text: str) -> None:
    try:
        create_file(path, text.encode())
    except FileExistsError:
        raise there_already(path) from None


def there_already(path: Path) -> FileError:
    """Return the refusal to overwrite a file."""
    return FileError(f"{shown_path(path)}: there is such a file already", "Give another name, or remove it first")


def _concerns(books: Books, rows: Sequence[Listed]) -> list[str]:
    """Return in what the copy may differ from the study."""
    known, made = len({each.id for each in rows if each.id is not None}), step_of(books.ledger, books.state)
    if known == made:
        return []
    words = f"{made} suggestions were made, but the copy shows {known} of their ids"
    return [f"{words}: where random numbers count, its suggestions differ from the study's"]
