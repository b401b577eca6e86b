"""``ordbo benchmark`` with several objectives: what it takes, its tables, and what they say in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.benchmarks.score_output import about_methods
from ordbo_cli.cli.benchmarks.standings import Table, as_json, figure_of, print_methods, print_tables
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import typed
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.scoring.front_scores import FrontScores, FrontStanding, Mean, SamePoints
    from ordbo_cli.benchmark.suites.benchmark_problem import Subject
    from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem

BUDGETS: Final = (25, 50)
"""Numbers of evaluations at which all is told where nothing else is asked for."""
_NO_PART: Final[Mapping[str, str]] = {
    "theory": "--theory is about one objective",
    "problem": "nobody knows the front of a --problem",
    "distort": "copies of several objectives are named, not made by --distort",
    "baseline": "shares of a front need no --baseline",
    "figure": "--figure draws regrets, which several objectives do not have",
    "page": "--html shows regrets, which several objectives do not have",
}
_HINTS: Final[Mapping[str, str]] = {"distort": "Write zdt1_4d@exp; there are exp, log, cube and clip"}
_CLASSES: Final[Mapping[str, str]] = {"rough": "jumps, fails or distorted"}


def fronts_of(context: click.Context, subjects: Sequence[Subject]) -> list[FrontProblem]:
    """Return the problems of several objectives, if these are all; none if there are none.

    Raises:
        UsageError: there are others too, or an option was given that has no part in it.
    """
    from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem

    found = [one for one in subjects if isinstance(one, FrontProblem)]
    if not found:
        return []
    for name, why in _NO_PART.items():
        if typed(context, name):
            raise UsageError(why, _HINTS.get(name, "Leave it out"))
    if others := [one.name for one in subjects if not isinstance(one, FrontProblem)]:
        raise UsageError(
            f"{found[0].name} has several objectives, {others[0]} has one: no figure is of both",
            "Call the benchmark once for each kind",
        )
    return found


def budgets_of(context: click.Context, budgets: tuple[int, ...], initial: int, iterations: int) -> tuple[int, ...]:
    """Return the numbers of evaluations at which all is told.

    Args:
        context: of the command.
        budgets: as given.
        initial: number of initial points.
        iterations: suggestions after them, which counts if it was given.
    """
    if budgets:
        return budgets
    if typed(context, "iterations"):
        return (initial + iterations,)
    return tuple(budget for budget in BUDGETS if budget > initial) or (initial + BUDGETS[-1],)


def print_fronts(console: Console, scores: FrontScores, methods: Sequence[str], form: str) -> None:
    """Print the tables: of problems and of classes for each budget, and of copies.

    Args:
        console: where to.
        scores: of the experiment.
        methods: names of those that take part.
        form: table, markdown or json.
    """
    about = about_methods(methods)
    if form == "json":
        console.data(as_json(problems=scores.problems, classes=scores.classes, copies=scores.copies, methods=about))
    else:
        tables = [_table("problem", rows) for rows in _by_budget(scores.problems)]
        tables += [_table("problems", rows) for rows in _by_budget(scores.classes)]
        print_tables(console, [*tables, *([_copies(scores.copies)] if scores.copies else [])], form)
        print_methods(console, about, form)
    for line in _words(scores.copies):
        console.say(line)


def _by_budget(rows: Sequence[FrontStanding]) -> list[list[FrontStanding]]:
    return [[row for row in rows if row.budget == budget] for budget in dict.fromkeys(row.budget for row in rows)]


def _table(what: str, rows: Sequence[FrontStanding]) -> Table:
    """Return headers and cells: a row for each problem or class and method, all after as many evaluations."""
    at = f"@{rows[0].budget}"
    figures = (f"hypervolume{at}", f"distance{at}", "hypervolume by rank", "distance by rank")
    headers = [what, "method", *(header for figure in figures for header in (figure, "rank")), "s/suggestion"]
    return headers, [
        [
            _CLASSES.get(row.subject, row.subject),
            row.method,
            *_cells(row.hypervolume),
            *_cells(row.distance),
            *_cells(row.ranked_hypervolume),
            *_cells(row.ranked_distance),
            figure_of(row.seconds, 2),
        ]
        for row in rows
    ]


def _cells(mean: Mean) -> list[str]:
    return [f"{mean.value:.3f} [{mean.low:.2f}, {mean.high:.2f}]", f"{mean.rank:.2f}"]


def _copies(rows: Sequence[SamePoints]) -> Table:
    return ["copy", "method", "same runs"], [[row.copy, row.method, f"{row.same}/{row.runs}"] for row in rows]


def _words(rows: Sequence[SamePoints]) -> list[str]:
    """Return in words which copies change no point of a method, and which do."""
    said = []
    for method in dict.fromkeys(row.method for row in rows):
        own = [row for row in rows if row.method == method]
        if same := [row.copy for row in own if row.same == row.runs]:
            said.append(f"{method}: every point on {', '.join(same)} is that on the problem as it is, to the digit")
    return said
