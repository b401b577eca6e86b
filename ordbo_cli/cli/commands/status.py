"""``ordbo status``: where a study stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, escape, tell_notes
from ordbo_cli.cli.leader import leader_words, results_words
from ordbo_cli.cli.options import json_option, problem_argument
from ordbo_cli.cli.output import json_line, text, words
from ordbo_cli.cli.summary import sparkline, took
from ordbo_cli.problem.spelling import age
from ordbo_cli.study.reporting.cell_words import name_in_words
from ordbo_cli.study.reporting.entries import COUNTS, ROWS, status_entries, upcoming_entries
from ordbo_cli.study.reporting.level_standing import standing_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ordbo_cli.files.values.remark import Remark
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.reporting.campaign_standing import CampaignStanding
    from ordbo_cli.study.reporting.views import Best, OnBound, Parameters, Status, Upcoming
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo status drag.yaml
ordbo status drag.yaml --json | jq .best
ordbo status drag.yaml --next                  # where the search goes next, however long that takes
watch ordbo status drag.yaml --no-next
"""


@click.command("status", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@json_option
@click.option(
    "--rows", type=click.IntRange(min=0), default=ROWS, show_default=True, help="How many of the best to show."
)
@click.option(
    "--next/--no-next",
    "compute",
    default=None,
    help="Whether to compute what the files do not say: a point only to tell where it lies, and under noise: true the"
    " best by mean (default: up to 200 results).",
)
def command(console: Console, problem: Path, as_json: bool, rows: int, compute: bool | None) -> None:
    """Show where a study stands.

    The best so far, how many evaluations there are, the progress, where the search goes next, the share of points on a
    bound, the best rows, what is pending, the newest failures, and warnings (on standard error).

    Of each campaign, results of another source, whether the study's own results agree with its order, and how many of
    them it weighs like. That is computed as where the search goes next is.

    Where the search goes next is known while a suggestion is out. Where none is, a point is chosen for that, and not
    recorded: up to 200 results, or with --next; never with --no-next.

    Where judges are named there is a line for each: how many comparisons, with how many of them the model agrees (it
    has learnt from them), the noise that it has learnt of the judge (a standard deviation; the prior one of the latent
    function is 1), and on how many pairs two judges say the opposite.

    With noise: true, and where there are comparisons, the best is the one of 'ordbo best', by mean, under the same
    rule, and so are front and rows where objectives are traded off; else it is by value, and called so.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem)
    status = study.status()
    tell_notes(console, study, status.warnings)
    upcoming = _upcoming(console, study, status, compute)
    status = _with_sources(console, study, _led(console, study, status, compute), compute)
    if as_json:
        next_entries = None if upcoming is None else upcoming_entries(upcoming)
        entries = status_entries(study, status, rows)
        console.data(json_line({**entries, "next": next_entries}))
        return
    lines = [
        *([line] if (line := _next_words(status, upcoming, compute)) else ()),
        *_campaign_lines(status.campaigns, compute),
        *(each.words for each in status.judges),
    ]
    _show(console, study, status, rows, lines)


def _may_compute(study: Study, status: Status, compute: bool | None) -> bool:
    """Return whether a model may be fitted: where nobody says so, if that is quick."""
    return status.is_quick(study.problem) if compute is None else compute


def _led(console: Console, study: Study, status: Status, compute: bool | None) -> Status:
    """Return where a study stands, under noise with the best by mean where that may be computed."""
    if not status.leads_by_mean or not _may_compute(study, status, compute):
        return status
    with console.busy("fitting the model"):
        return study.status("mean")


def _upcoming(console: Console, study: Study, status: Status, compute: bool | None) -> Upcoming | None:
    """Return where the search goes next, None where that would have to be computed and is not to be."""
    if status.next is not None or not _may_compute(study, status, compute):
        return status.next
    with console.busy("choosing a point"):
        return study.upcoming()


def _with_sources(console: Console, study: Study, status: Status, compute: bool | None) -> Status:
    """Return the status with what campaigns and judges are worth, as far as that may be computed."""
    return _with_judges(console, study, _with_campaigns(console, study, status, compute), compute)


def _with_judges(console: Console, study: Study, status: Status, compute: bool | None) -> Status:
    """Return the status with how often the model agrees with each judge, where that may be computed."""
    if not status.judges or not _may_compute(study, status, compute):
        return status
    with console.busy("fitting the model"):
        return replace(status, judges=study.judges())


def _with_campaigns(console: Console, study: Study, status: Status, compute: bool | None) -> Status:
    """Return the status with what each campaign is worth, as far as that may be computed."""
    if not status.campaigns or not _may_compute(study, status, compute):
        return status
    with console.busy("comparing with campaigns"):
        return replace(status, campaigns=tuple(study.campaigns()))


def _campaign_lines(campaigns: Sequence[CampaignStanding], compute: bool | None) -> list[str]:
    """Return a line on each campaign."""
    unknown = compute is None and any(not each.is_computed for each in campaigns)
    more = "; not compared: --next does" if unknown else ""
    return [f"{each.title}{more}" for each in campaigns]


def _next_words(status: Status, upcoming: Upcoming | None, compute: bool | None) -> str:
    """Return the line on where the search goes next, "" where nobody wants it."""
    if upcoming is None:
        return "" if compute is False else "next: not computed; --next does, and may take a while"
    out = f" (id {upcoming.id} is out there)" if any(upcoming.id == point.id for point in status.waiting) else ""
    return f"next: {upcoming.text}{out}"


def _show(console: Console, study: Study, status: Status, rows: int, computed: Sequence[str]) -> None:
    name, names = study.problem.objective, study.problem.names
    counts = ", ".join(f"{getattr(status, word)} {word}" for word in COUNTS if getattr(status, word))
    if status.infeasible:
        counts = counts.replace(f"{status.ok} ok", f"{status.ok} ok ({status.infeasible} of them infeasible)")
    lines = [f"{study.problem_path}: {study.problem.purpose}"]
    compared = f"; comparisons: {status.comparisons}" if status.comparisons else ""
    lines.append(f"evaluations: {counts or 'none yet'}{compared}; suggestions so far: {status.step}")
    if status.levels:
        lines.append(standing_words(status.levels))
    if status.best is not None:
        lines.append(_best_line(study, status.best, status))
    if any(each is not None for each in status.history):
        what = "of today's front so far" if study.problem.has_front else "best so far"
        what = "today's rank of the best so far" if study.problem.by_priority else what
        lines.append(f"{what}: {sparkline(status.history)}")
    elif (near := status.nearest) is not None:
        where = f"id {near.id}" if near.id is not None else f"line {near.line}"
        lines.append(
            f"no evaluation is feasible yet; nearest: {words(near.outcomes)} ({where}) at {words(near.parameters)}"
        )
    lines += _took(status)
    lines += computed
    lines += _on_bound(status.on_bound, "on the front" if status.front else "best")
    console.data("".join(f"{escape(line)}\n" for line in lines))
    ranking = status.ranking[:rows]
    if ranking:
        console.data("\n")
        leading = {each.line for each in status.front}
        places = [("yes" if entry.line in leading else "") if leading else str(k) for k, entry in enumerate(ranking, 1)]
        cells = [[place, *_row(entry, study.problem)] for place, entry in zip(places, ranking, strict=True)]
        results = {"results": [str(entry.results) if entry.by == "mean" else "" for entry in ranking]}
        more = {**results, **_remarked([entry.remark for entry in ranking])}
        aims = [aim.name for _, aim in study.problem.aims]
        first = ["front", "id"] if study.problem.has_front else ["rank", "id"]
        console.table(*_with_columns([*first, name, *aims, *names], cells, more), mark_first=True)
    for title, points in (("pending", status.waiting), ("to be evaluated again", status.again)):
        if points:
            console.data(f"\n{title}\n")
            cells = [[text(point.id), age(point.age), *_cells(point.parameters, names)] for point in points]
            console.table(["id", "age", *names], cells)
    if status.failures:
        shown = len(status.failures)
        console.data(f"\nfailed{'' if shown == status.failed else f', the newest {shown} of {status.failed}'}\n")
        folders = [each.folder or "" for each in status.failures]
        headers = ["id", "line", *names]
        cells = [[text(each.id), str(each.line), *_cells(each.parameters, names)] for each in status.failures]
        remarks = [each.remark for each in status.failures]
        console.table(*_with_columns(headers, cells, {**_remarked(remarks), "run folder": folders}))


def _remarked(remarks: Sequence[Remark]) -> dict[str, list[str]]:
    """Return the columns of what is kept beside results."""
    times = ["" if each.seconds is None else took(each.seconds) for each in remarks]
    return {"took": times, "note": [each.note for each in remarks]}


def _with_columns(
    headers: Sequence[str], cells: Sequence[Sequence[str]], more: Mapping[str, Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """Return a table with further columns, those in which anything stands."""
    known = {title: column for title, column in more.items() if any(column)}
    return [*headers, *known], [[*row, *(column[k] for column in known.values())] for k, row in enumerate(cells)]


def _took(status: Status) -> list[str]:
    """Return how long evaluations took, where that is known of any."""
    from statistics import median

    known = [seconds for seconds in status.took if seconds is not None]
    if not known:
        return []
    of = "" if len(known) == len(status.took) else f" (known of {len(known)} of {len(status.took)})"
    times = f"{took(median(known))} at the median, {took(max(known))} at most, {took(sum(known))} in all"
    return [f"evaluations took {times}{of}"]


def _best_line(study: Study, best: Best, status: Status) -> str:
    """Return the line on the best point, which may have to be another by what 'ordbo best' goes by."""
    problem, front = study.problem, status.front
    where = f"id {best.id}" if best.id is not None else f"line {best.line}"
    by_mean = best.by == "mean"
    title = "best by mean" if by_mean else "best value" if status.by == "mean" else "best"
    if problem.has_front:
        by = " by mean" if by_mean else " of single results" if status.by == "mean" else ""
        what = f"{'point' if by_mean else 'result'}{'' if len(front) == 1 else 's'}"
        star = "preferred" if status.comparisons else "knee"
        title = f"front{by}: {len(front)} {what} that none dominates; {star}"
    results = leader_words(best, problem) if by_mean else results_words(best, problem)
    return f"{title}: {results} ({where}) at {words(best.parameters)}"


def _on_bound(found: OnBound, what: str) -> list[str]:
    """Return which share of the points lies on a bound, and a hint where the best crowd there."""
    if not found.points:
        return []
    sides = []
    for side in found.sides:
        counts = ", ".join(f"{n} {word}" for n, word in ((side.lower, "lower"), (side.upper, "upper")) if n)
        sides.append(f"{name_in_words(side.name)} {counts}")
    share = f"{found.points} of {found.evaluated} points ({found.points / found.evaluated:.0%})"
    hints = [
        f"{number} of the {found.best} {what} are on the {word} bound of {name_in_words(name)}: widen it?"
        for name, word, number in found.crowded
    ]
    return [f"on a bound: {share}: {'; '.join(sides)}", *hints]


def _row(entry: Best, problem: Problem) -> list[str]:
    return [
        text(entry.id),
        text(problem.shown(entry.objective, entry.censored)),
        *(entry.outcomes.get(aim.name, "") for _, aim in problem.aims),
        *_cells(entry.parameters, problem.names),
    ]


def _cells(parameters: Parameters, names: Sequence[str]) -> list[str]:
    """Return the cells of a row; what does not count has an empty one."""
    return [text(parameters.get(name)) for name in names]
