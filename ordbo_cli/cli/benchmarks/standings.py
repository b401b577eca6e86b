"""The tables of ``ordbo benchmark``: on the terminal, as Markdown, as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.output import json_line

if TYPE_CHECKING:
    from ordbo_cli.benchmark.scoring.profiles import Profile
    from ordbo_cli.benchmark.scoring.rankings import MethodRanking
    from ordbo_cli.benchmark.scoring.scores import MethodStanding, Ratio

Table = tuple[list[str], list[list[str]]]  # headers and cells


@dataclass(frozen=True)
class AboutMethod:
    """What is to be known of a method that is made of other packages.

    Args:
        method: its name.
        packages: with their versions, None for one that is not installed here.
        settings: where it begins, and which of its settings are not its library's.
    """

    method: str
    packages: Mapping[str, str | None]
    settings: str


def problem_table(rows: Sequence[MethodStanding], baseline: str) -> Table:
    """Return headers and cells: a row for each problem and method, all after as many evaluations."""
    marks = list(rows[0].simple or ())
    at = _at(rows[0].budget) if len(marks) == 1 else ""
    headers = ["problem", "method", f"cumulative{at}", *(f"simple{_at(mark)}" for mark in marks)]
    cells = []
    for row in rows:
        simple = [figure_of((row.simple or {})[mark]) for mark in marks]
        cells.append([row.subject, row.method, figure_of(row.cumulative), *simple, *_common(row)])
    return [*headers, *_headers(baseline, at)], cells


def group_table(rows: Sequence[MethodStanding], baseline: str, *, at: bool = False) -> Table:
    """Return headers and cells: a row for each group of problems and method, all after as many evaluations.

    Args:
        rows: what the table shows.
        baseline: what the ratios are to.
        at: whether the headers say after how many.
    """
    headers = ["problems", "method", *_headers(baseline, _at(rows[0].budget) if at else "")]
    return headers, [[row.subject, row.method, *_common(row)] for row in rows]


def profile_table(rows: Sequence[Profile]) -> Table:
    """Return headers and cells: the share of targets that each method meets by each budget, and its mean on the way."""
    budgets = list(rows[0].solved)
    headers = [header for budget in budgets for header in (f"solved{_at(budget)}", f"area{_at(budget)}")]
    cells = [[row.method, *(f"{x:.3f}" for b in budgets for x in (row.solved[b], row.area[b]))] for row in rows]
    return ["method", *headers], cells


def ranking_table(ranking: MethodRanking) -> Table:
    """Return headers and cells: the methods in order of rank, and the others that each is not told apart from."""
    headers = ["method", f"rank by {ranking.figure}{_at(ranking.budget)}", "not told apart from"]
    return headers, [[method, f"{rank:.2f}", alike_in_words(ranking, method)] for method, rank in ranking.ranks.items()]


def alike_in_words(ranking: MethodRanking, method: str) -> str:
    """Return the other methods that one is not told apart from."""
    others = ranking.alike[method]
    return "none" if not others else "all others" if len(others) == len(ranking.ranks) - 1 else ", ".join(others)


def too_few(ranking: MethodRanking) -> str:
    """Return that no difference could be told from chance, if so."""
    methods, problems = len(ranking.ranks), ranking.problems
    few = f"Too few problems to tell any two methods apart: {methods} methods take {ranking.fewest}, not {problems}."
    return few if problems < ranking.fewest else ""


def ranking_words(rankings: Sequence[MethodRanking]) -> list[str]:
    """Return how differences between mean ranks were judged, for rankings of the same methods on the same problems."""
    one = rankings[0]
    lines = [f"Pairs: Wilcoxon's signed ranks over {one.problems} problems, 5% for all pairs together (Holm)."]
    lines += [few] if (few := too_few(one)) else []
    known = [(each, each.friedman) for each in rankings if each.friedman is not None]
    chances = [f"p = {chance:.2g} by {each.figure}@{each.budget}" for each, chance in known]
    if one.critical_difference is not None:
        all_alike = f"All methods alike: {', '.join(chances)} (Friedman). " if chances else ""
        lines.append(f"{all_alike}Nemenyi's critical difference, for comparison: {one.critical_difference:.2f}.")
    return lines


def print_tables(console: Console, tables: Sequence[Table], form: str) -> None:
    """Print tables, each by its headers and cells, below each other, as Markdown if that is the format."""
    for place, (headers, cells) in enumerate(tables):
        if place:
            console.data("\n")
        if form == "markdown":
            lines = [headers, ["---"] * len(headers), *cells]
            console.data("".join(f"| {' | '.join(line)} |\n" for line in lines))
        else:
            console.table(headers, cells)


def print_methods(console: Console, methods: Sequence[AboutMethod], form: str) -> None:
    """Print a line for each method that is made of other packages, as a list if the format is Markdown."""
    if methods:
        console.data("\n")
    for each in methods:
        packages = packages_in_words(each.packages)
        console.data(f"{'- ' if form == 'markdown' else ''}{each.method}: {packages}; {each.settings}\n")


def packages_in_words(packages: Mapping[str, str | None]) -> str:
    """Return packages with their versions."""
    return ", ".join(f"{name} {version or 'is not installed'}" for name, version in packages.items())


def as_json(**tables: Sequence[Any]) -> str:
    """Return tables of dataclasses by their names as one JSON document."""
    return json_line({name: list(map(dataclasses.asdict, rows)) for name, rows in tables.items()})


def _at(budget: int) -> str:
    return f"@{budget}"


def _headers(baseline: str, at: str) -> list[str]:
    return [f"cumulative{at}/{baseline}", "rank", f"simple{at}/{baseline}", "rank", "s/suggestion"]


def _common(row: MethodStanding) -> list[str]:
    return [
        ratio_of(row.cumulative_ratio),
        f"{row.cumulative_rank:.2f}",
        ratio_of(row.simple_ratio),
        f"{row.simple_rank:.2f}",
        figure_of(row.seconds, 2),
    ]


def figure_of(value: float | None, digits: int = 3) -> str:
    """Return a figure of a table to a few digits; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"


def ratio_of(ratio: Ratio | None) -> str:
    """Return a ratio and its interval; a dash where there is none."""
    return "-" if ratio is None else f"{ratio.value:.3g} [{ratio.low:.2g}, {ratio.high:.2g}]"
