"""``ordbo benchmark --theory``: its settings, its tables, and what they say in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli.cli.benchmarks.standings import Table, figure_of, print_tables
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import typed
from ordbo_cli.cli.output import json_line
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.runs import Run
    from ordbo_cli.benchmark.theory_experiment import Growth, RegretCourse

SETTINGS: Final[dict[str, Any]] = {
    "problems": ("latent_1d,latent_2d",),
    "methods": (
        "default:beta=theory,drift=1",
        "default:beta=theory,beta.scale=0.1,drift=1",
        "default:beta=theory,beta.scale=0.01,drift=1",
    ),
    "seeds": tuple(range(20)),
    "iterations": 100,
}
"""What --theory takes where nothing else is asked for."""
_NO_PART: Final = {
    "baseline": "compares with bounds, not with a --baseline",
    "budgets": "tells the regret at numbers of its own, and has no --budgets",
    "page": "has a --figure, and no --html",
}


def settings(context: click.Context) -> dict[str, Any]:
    """Return the problems, methods, seeds and iterations of the experiment.

    Raises:
        UsageError: an option that has no part in it was given.
    """
    for name, why in _NO_PART.items():
        if typed(context, name):
            raise UsageError(f"--theory {why}", "Leave one of them out")
    return {name: context.params[name] if typed(context, name) else usual for name, usual in SETTINGS.items()}


def check(runs: Sequence[Run]) -> None:
    """Refuse problems whose regret in the latent space is not known.

    Raises:
        UsageError: there is one.
    """
    from ordbo_cli.benchmark.suites.suite import LATENT

    for name in dict.fromkeys(run.subject.name for run in runs):
        if name not in LATENT:
            raise UsageError(
                f"{name} has no regret in the latent space, which --theory is about: nobody knows its latent function",
                f"Name some of {', '.join(LATENT)}",
            )


def print_growth(console: Console, courses: Sequence[RegretCourse], form: str) -> None:
    """Print the tables of an experiment, and tell people in words what they show."""
    from ordbo_cli.benchmark.theory_experiment import growth

    rows = [growth(course) for course in courses]
    if form == "json":
        console.data(json_line({"growth": list(map(dataclasses.asdict, rows))}))
    else:
        print_tables(console, (growth_table(rows), bound_table(rows)), form)
    for line in words(rows):
        console.say(line)


def growth_table(rows: Sequence[Growth]) -> Table:
    """Return headers and cells: the mean cumulative regret on its way, and the slope of its growth."""
    marks = list(rows[0].regret)
    headers = ["problem", "method", *(f"regret@{mark}" for mark in marks), "slope", "sublinear"]
    shown = {True: "yes", False: "not shown", None: "-"}
    return headers, [
        [row.problem, row.method, *(figure_of(row.regret[mark]) for mark in marks), _slope(row), shown[row.sublinear]]
        for row in rows
    ]


def bound_table(rows: Sequence[Growth]) -> Table:
    """Return headers and cells: the bounds at the end, and the regret beside them."""
    total = max(rows[0].regret)
    headers = ["problem", "method", f"regret@{total}", "bound", "bound/regret", "trivial", "bound/trivial"]
    return headers, [
        [row.problem, row.method, *map(figure_of, (row.regret[total], row.bound, row.excess, row.trivial, row.share))]
        for row in rows
    ]


def words(rows: Sequence[Growth]) -> list[str]:
    """Return a line for each method: where its regret grows sublinearly, and by which factor the bound is above it."""
    return [
        f"{method}: {'; '.join(map(_said, own))}.{_caveat(own)}"
        for method in dict.fromkeys(row.method for row in rows)
        if (own := [row for row in rows if row.method == method])
    ]


def _said(row: Growth) -> str:
    verdict = {True: "is sublinear", False: "is not shown to be sublinear", None: "has no interval from one draw"}
    said = f"on {row.problem} growth {verdict[row.sublinear]} (slope {_slope(row)})"
    if row.share is None:
        return said
    worth = "so it says something" if row.share < 1.0 else "so it is vacuous"
    return (
        f"{said}, the bound of Theorem 1 is {figure_of(row.excess)} times the mean regret and"
        f" {figure_of(row.share)} times the trivial bound, {worth}"
    )


def _caveat(rows: Sequence[Growth]) -> str:
    if rows[0].bound is None:
        return " Theorem 1 is not about it."
    caveats = [
        " Without drift there is no theorem: the bound is that of points that stay where they are."
        if rows[0].drift is None
        else "",
        f" The theorem is about the whole beta, not {rows[0].scale:g} times it." if rows[0].scale != 1.0 else "",
    ]
    return "".join(caveats)


def _slope(row: Growth) -> str:
    slope = row.slope
    return f"{slope.value:.2f}" if row.sublinear is None else f"{slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}]"


def draw(courses: Sequence[RegretCourse], figure: Path) -> None:
    """Draw the growth, a panel for each problem."""
    from ordbo_cli.pictures.plots.growth import GrowthPanel, draw_growth
    from ordbo_cli.pictures.style import Look

    panels = []
    for problem in dict.fromkeys(course.problem for course in courses):
        own = [course for course in courses if course.problem == problem]
        bounds = {_named(course): course.bound.regret for course in own if course.bound is not None}
        panels.append(GrowthPanel(problem, {each.method: each.regret for each in own}, bounds, own[0].trivial))
    draw_growth(panels, Look()).save(figure)


def _named(course: RegretCourse) -> str:
    """Return what a bound is called; methods of one bound share its name."""
    if course.bound is None:
        return ""
    schedule = course.bound.schedule
    constants = {"C": course.bound.drift or 0.0, "delta": schedule.delta, "c1": schedule.c1, "c2": schedule.c2}
    shown = ", ".join(f"{name} = {value:g}" for name, value in constants.items() if value is not None)
    return f"Theorem 1, {shown}"
