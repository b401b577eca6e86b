"""The tables of ``ordbo benchmark``: on the terminal, as Markdown, as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.output import json_line

if TYPE_CHECKING:
    from ordbo_cli.benchmark.distortions.changes import Change
    from ordbo_cli.benchmark.scores import MethodStanding, Ratio

Rows = list[list[str]]


def problem_table(rows: Sequence[MethodStanding], baseline: str) -> tuple[list[str], Rows]:
    """Return headers and cells: a row for each problem and method."""
    marks = list(rows[0].simple or ())
    headers = ["problem", "method", "cumulative", *(f"simple@{mark}" for mark in marks), *_headers(baseline)]
    cells = []
    for row in rows:
        simple = [figure_of((row.simple or {})[mark]) for mark in marks]
        cells.append([row.subject, row.method, figure_of(row.cumulative), *simple, *_common(row)])
    return headers, cells


def group_table(rows: Sequence[MethodStanding], baseline: str) -> tuple[list[str], Rows]:
    """Return headers and cells: a row for each group of problems and method."""
    return ["problems", "method", *_headers(baseline)], [[row.subject, row.method, *_common(row)] for row in rows]


def print_tables(console: Console, tables: Sequence[tuple[list[str], Rows]], form: str) -> None:
    """Print tables, each by its headers and cells, below each other, as Markdown if that is the format."""
    for place, (headers, cells) in enumerate(tables):
        if place:
            console.data("\n")
        if form == "markdown":
            lines = [headers, ["---"] * len(headers), *cells]
            console.data("".join(f"| {' | '.join(line)} |\n" for line in lines))
        else:
            console.table(headers, cells)


def as_json(problems: Sequence[MethodStanding], groups: Sequence[MethodStanding], changes: Sequence[Change]) -> str:
    """Return the tables as one JSON document, that of distortions where there are any."""
    tables: dict[str, Sequence[Any]] = {
        "problems": problems,
        "groups": groups,
        **({"distortions": changes} if changes else {}),
    }
    return json_line({name: [dataclasses.asdict(row) for row in rows] for name, rows in tables.items()})


def _headers(baseline: str) -> list[str]:
    return [f"cumulative/{baseline}", f"simple/{baseline}", "rank cumulative", "rank simple", "s/suggestion"]


def _common(row: MethodStanding) -> list[str]:
    return [
        ratio_of(row.cumulative_ratio),
        ratio_of(row.simple_ratio),
        f"{row.cumulative_rank:.2f}",
        f"{row.simple_rank:.2f}",
        figure_of(row.seconds, 2),
    ]


def figure_of(value: float | None, digits: int = 3) -> str:
    """Return a figure of a table to a few digits; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"


def ratio_of(ratio: Ratio | None) -> str:
    """Return a ratio of a table with its interval; a dash where there is none."""
    return "-" if ratio is None else f"{ratio.value:.3g} [{ratio.low:.2g}, {ratio.high:.2g}]"
