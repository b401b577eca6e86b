"""What ``ordbo benchmark`` prints of an experiment, and the figure that it draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ordbo_cli.cli.benchmarks.distortion_tables import change_table, change_words
from ordbo_cli.cli.benchmarks.standings import (
    AboutMethod,
    Table,
    as_json,
    group_table,
    print_methods,
    print_tables,
    problem_table,
    profile_table,
    ranking_table,
    ranking_words,
)
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import demand
from ordbo_cli.cli.output import check_target

if TYPE_CHECKING:
    from ordbo_cli.benchmark.distortions.changes import Change
    from ordbo_cli.benchmark.scoring.results import Results
    from ordbo_cli.benchmark.scoring.score_tables import ScoreTables
    from ordbo_cli.pictures.plots.regret import Panel


def print_scores(console: Console, tables: ScoreTables, changed: Sequence[Change], form: str) -> None:
    """Print the tables: those of problems and of groups for each budget, profiles, rankings, and what distortions do.

    Args:
        console: where to.
        tables: of the experiment.
        changed: how much distortions change each method.
        form: table, markdown or json.
    """
    about = about_methods(tables.found.methods)
    if form == "json":
        named = {"problems": tables.problems, "groups": tables.groups}
        more = {"profiles": tables.profiles, "rankings": tables.rankings, "distortions": changed}
        console.data(as_json(**named, **more, methods=about))
    else:
        last = tables.rankings[-2:]
        print_tables(console, [*_by_budget(tables), profile_table(tables.profiles), *map(ranking_table, last)], form)
        if last:
            console.data("".join(f"\n{line}\n" for line in ranking_words(last)))
        if changed:
            console.data("\n")
            print_tables(console, [change_table(changed)], form)
        print_methods(console, about, form)
    for line in change_words(changed):
        console.say(line)


def about_methods(names: Iterable[str]) -> list[AboutMethod]:
    """Return what is to be known of the methods that are made of other packages."""
    from ordbo_cli.benchmark.rivals.methods import contestant

    return [AboutMethod(one.name, one.versions, one.settings) for one in map(contestant, names) if one.settings]


def _by_budget(tables: ScoreTables) -> list[Table]:
    found = tables.found
    several = len(found.budgets) > 1
    problems = [[row for row in tables.problems if row.budget == budget] for budget in found.budgets]
    groups = [[row for row in tables.groups if row.budget == budget] for budget in found.budgets]
    return [
        *(problem_table(rows, found.compared_with) for rows in problems),
        *(group_table(rows, found.compared_with, at=several) for rows in groups if rows),
    ]


def check_figure(figure: Path) -> None:
    """Refuse a figure that could not be drawn or written, before hours of work.

    Raises:
        UsageError: its suffix names no format, it is a folder, or matplotlib is missing.
        MissingFileError: its folder is not there.
    """
    from ordbo_cli.pictures.style import format_of

    format_of(figure)
    demand("--figure", "matplotlib")
    check_target(figure)


def check_page(page: Path, *inputs: Path) -> None:
    """Refuse a page that could not be written, before hours of work.

    Args:
        page: where it goes.
        inputs: files of records, which it must not replace.

    Raises:
        UsageError: it is a folder or one of these files, or matplotlib or jinja2 is missing.
        MissingFileError: its folder is not there.
    """
    demand("--html", "matplotlib", "jinja2")
    check_target(page, *inputs)


def panels_of(found: Results) -> Sequence[Panel]:
    """Return what pictures of the regrets are made from, a panel for each problem."""
    from ordbo_cli.pictures.plots.regret import Panel

    return [
        Panel(problem, {method: found.regrets[problem, method] for method in found.methods}, found.initial)
        for problem in found.problems
    ]


def draw(found: Results, figure: Path) -> None:
    """Draw the paper's figure."""
    from ordbo_cli.benchmark.suites.suite import PROBLEMS
    from ordbo_cli.pictures.plots.regret import Landscape, draw_regret
    from ordbo_cli.pictures.style import Look

    known = [PROBLEMS[problem] for problem in found.problems if problem in PROBLEMS]
    landscapes = [
        Landscape(one.name, one, one.bounds, one.scales, one.minimiser) for one in known if one.dimension == 2
    ]
    draw_regret(panels_of(found), landscapes, Look()).save(figure)
