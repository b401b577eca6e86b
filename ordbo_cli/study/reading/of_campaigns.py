"""Results of other sources: rows of the study's own table that name their campaign, and campaigns' own tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.campaign_table import CampaignTable
from ordbo_cli.files.tables.evaluations import notes_of
from ordbo_cli.files.tables.table import Row, Table
from ordbo_cli.files.values.numbers import Known
from ordbo_cli.problem import Campaign, Evaluation, Problem
from ordbo_cli.problem.limit import Limit
from ordbo_cli.problem.spelling import Note, listed, shown, shown_path, some
from ordbo_cli.study.reading.ledger import ledger_of


class Apart(NamedTuple):
    """The evaluations of a study without those of campaigns.

    Args:
        table: the study's own rows.
        campaigns: of the other ones and of campaigns' tables, those of the study's own table first.
        warnings: what people should know of them.
        moved: ids of rows of the study's own table that name a campaign: they may have been the study's before.
    """

    table: Table
    campaigns: tuple[Campaign, ...] = ()
    warnings: tuple[str, ...] = ()
    moved: frozenset[int] = frozenset()


def apart(file: ProblemFile, table: Table) -> Apart:
    """Return the study's own rows, and the campaigns that are known beside them.

    Args:
        file: the problem file.
        table: the evaluations, those of campaigns among them.

    Raises:
        MissingFileError: a campaign's table is not there.
        ManyErrors, FileError: it cannot be used.
    """
    others = [row for row in table.rows if row.campaign]
    if not (others or file.campaigns):
        return Apart(table)
    own = table._replace(rows=tuple(row for row in table.rows if not row.campaign))
    found: dict[str, list[Evaluation]] = {}
    words: list[str] = []
    for name, rows in _by_name(others, ""):
        found[name] = _results(file.problem, file.problem.outcomes, rows, name, shown_path(file.evaluations), words)
    for each in file.campaigns:
        theirs = each.table()
        words += _told(each, theirs, file.problem)
        limits = tuple(limit for limit in file.problem.outcomes if limit.name in theirs.columns)
        for name, rows in _by_name(theirs.rows, each.name):
            more = _results(file.problem, limits, rows, name, shown_path(each.path), words)
            found[name] = [*found.get(name, ()), *more]
    known = Known(file.problem, [row.values for row in own.rows])
    snapped = iter(known.snapped([each.values for name in found for each in found[name]]))
    campaigns = tuple(
        Campaign(name, tuple(replace(each, values=next(snapped)) for each in found[name])) for name in found
    )
    return Apart(own, campaigns, tuple(words), frozenset(row.id for row in others if row.id is not None))


def _by_name(rows: Iterable[Row], name: str) -> Iterable[tuple[str, list[Row]]]:
    """Return rows by their campaign, in order of appearance.

    Args:
        rows: of a table.
        name: of the campaign of those that name none; "" where they are none.
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.campaign or name, []).append(row)
    return found.items()


def _results(
    problem: Problem, limits: Sequence[Limit], rows: Sequence[Row], name: str, source: str, words: list[str]
) -> list[Evaluation]:
    """Return the results and failures of a campaign's rows, in the order of the rows.

    Args:
        problem: the study's.
        limits: of its outcomes, those that the rows have.
        rows: of one table.
        name: of the campaign.
        source: of the table, in messages.
        words: takes what people should know.
    """
    free = count(1 + max((row.id or 0 for row in rows), default=0))
    same_fixed = all(row.fixed == rows[0].fixed for row in rows)
    kept = [
        row._replace(id=row.id or next(free), aside="" if same_fixed else row.aside, position=k)
        for k, row in enumerate(rows)
    ]
    standing = ledger_of(problem, kept, ()).standing
    if aside := [each.row for each in standing if each.row.aside]:
        words.append(f"{source}: of {shown(name)} {_lines(aside)} set aside: {shown(aside[0].aside)}")
    seen = [each.row for each in standing if each.row.status in ("ok", "failed") and not each.row.aside]
    if without := [row for row in rows if row.status in ("pending", "retry")]:
        words.append(Note(f"{source}: of {shown(name)} {_lines(without)} without a result, passed over"))
    if not seen:
        words.append(f"{source}: there is no result of {shown(name)}")
    return [_evaluation(problem, limits, row) for row in seen]


def _lines(rows: Sequence[Row]) -> str:
    one = "row" if len(rows) == 1 else "rows"
    return f"{len(rows)} {one} (line {some([row.line for row in rows], 5, counted=False)})"


def _evaluation(problem: Problem, limits: Sequence[Limit], row: Row) -> Evaluation:
    """Return a row's result with a value for each outcome of the problem.

    An outcome with limits that the row's table has no column for is one that keeps them: it is not judged there.
    """
    found = replace(row.evaluation(), id=None)
    failed = found.objective is None and not found.outcomes
    if failed or len(limits) == len(problem.outcomes):
        return found
    there = {limit.name: k for k, limit in enumerate(limits)}
    places = [there.get(limit.name) for limit in problem.outcomes]
    outcomes = tuple(
        limit.kept if k is None else found.outcomes[k] for k, limit in zip(places, problem.outcomes, strict=True)
    )
    sides = tuple("" if k is None else found.side(k) for k in places)
    return replace(found, outcomes=outcomes, sides=sides if any(sides) else ())


def _told(given: CampaignTable, table: Table, problem: Problem) -> list[str]:
    """Return what people should know of how a campaign's table was read."""
    lacking = [limit.name for limit in problem.outcomes if limit.name not in table.columns]
    words = [*notes_of(table)]
    if lacking:
        words.append(Note(f"{shown_path(given.path)}: there is no {listed(lacking)}, which is not judged there"))
    return words
