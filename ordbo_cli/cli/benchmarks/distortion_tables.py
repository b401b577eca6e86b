"""``ordbo benchmark --distort``: the option, its table, and what the table says in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.benchmarks.standings import Table, ratio_of
from ordbo_cli.cli.console import Console

if TYPE_CHECKING:
    from ordbo_cli.benchmark.distortions.changes import Change
    from ordbo_cli.benchmark.suites.benchmark_problem import Subject

option: Final = click.option(
    "--distort",
    multiple=True,
    metavar="NAMES",
    help="Show the methods distorted copies of all problems beside them, and print how much each method changes."
    " Names separated by commas, or all: log and cube (of what is above the optimum), clip (results above their median"
    " are told as the median), failing (the worst tenth fails), penalty (failures are told as 1e9), units, warp (floats"
    " are bent within their bounds), noise (the more, the higher above the optimum).",
)


def distorted_copies(console: Console, subjects: Sequence[Subject], names: Sequence[str]) -> tuple[Subject, ...]:
    """Return distorted copies of problems, and say which of them there cannot be.

    Raises:
        UsageError: there is no such distortion, or it makes sense of none of the problems.
    """
    from ordbo_cli.benchmark.distortions.distorted import copies

    if not names:
        return ()
    found = copies(subjects, names)
    for message in dict.fromkeys(why.message for why in found.left_out):
        console.say(f"left out: {message}")
    return found.subjects


def change_table(rows: Sequence[Change]) -> Table:
    """Return headers and cells: a row for each distortion and method."""
    headers = ["distortion", "method", "cumulative/undistorted", "simple/undistorted", "same runs", "but for rounding"]
    return headers, [
        [
            row.distortion,
            row.method,
            ratio_of(row.cumulative),
            ratio_of(row.simple),
            f"{row.same}/{row.runs}",
            f"{row.same + row.rounded}/{row.runs}",
        ]
        for row in rows
    ]


def change_words(rows: Sequence[Change]) -> list[str]:
    """Return in words which methods no distortion of some changes."""
    said = []
    for method in dict.fromkeys(row.method for row in rows):
        own = [row for row in rows if row.method == method]
        same = [row.distortion for row in own if row.same == row.runs]
        rounded = [row.distortion for row in own if row.same < row.runs == row.same + row.rounded]
        parts = [f"unchanged by {', '.join(same)}: every point is the same"] if same else []
        parts += [f"the same but for rounding under {', '.join(rounded)}"] if rounded else []
        said += [f"{method}: {'; '.join(parts)}"] if parts else []
    return said
