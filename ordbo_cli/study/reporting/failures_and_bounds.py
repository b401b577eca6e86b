"""What may be wrong with a study: points that crowd on a bound, and evaluations that failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ordbo_cli.files.tables.table import Row
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.study.reading.ledger import Ledger
from ordbo_cli.study.reporting.views import Best, Failure, OnBound, Side

FAILURES: Final = 5  # that are named, the newest
BEST: Final = 5  # results that a hint is about
_FEW: Final = 3  # results that make no "many"


def on_bound(problem: Problem, rows: Sequence[Row], leading: Sequence[Best], orders: SettingOrders) -> OnBound:
    """Return how many evaluated points have a coordinate on a bound.

    A parameter of two values is always on one, and one of values without an order never: neither counts.

    Args:
        problem: what the study asks.
        rows: results and failures inside the bounds.
        leading: the successes that a hint is about: the best, or those on the front of several objectives.
        orders: of the settings that their words may name.
    """
    best = leading if len(leading) >= _FEW else ()
    ends = [_ends(parameter) for parameter in problem.free]
    points = [_counting(problem, row.values) for row in rows]
    tops = [_counting(problem, problem.values(each.parameters, orders)) for each in best]
    touching = sum(any(x in end for x, end in zip(point, ends, strict=True)) for point in points)
    sides = []
    for j, (parameter, end) in enumerate(zip(problem.free, ends, strict=True)):
        if not end:
            continue
        column, top = [point[j] for point in points], [point[j] for point in tops]
        counts = [values.count(x) for values in (column, top) for x in end]
        if any(counts):
            sides.append(Side(parameter.name, *counts))
    return OnBound(touching, len(rows), len(best), tuple(sides))


def newest_failures(problem: Problem, ledger: Ledger, runs: Path) -> tuple[Failure, ...]:
    """Return the failures that came last, the newest first.

    Args:
        problem: what the study asks.
        ledger: what stands.
        runs: the folder in which ``ordbo run`` keeps a folder for each run.
    """
    failed = [standing for standing in ledger.standing if standing.row.status == "failed"][: -FAILURES - 1 : -1]
    return tuple(
        Failure(
            standing.id,
            problem.point(standing.row.values, standing.row.fixed),
            standing.row.line,
            None if standing.id is None else _run_folder(runs, standing.id),
            standing.row.remark,
        )
        for standing in failed
    )


def _ends(parameter: Parameter) -> tuple[Number, ...]:
    """Return the lowest and the highest value, nothing where there are no others, or no order."""
    between = parameter.type not in ("categorical", "ranked") and parameter.lattice.count > 2
    return (parameter.low, parameter.high) if between else ()


def _counting(problem: Problem, values: Sequence[Number]) -> list[Number | None]:
    """Return the values of a point, None for each that does not count."""
    return [x if counts else None for x, counts in zip(values, problem.active(values), strict=True)]


def _run_folder(runs: Path, id: int) -> str | None:
    """Return the folder of the last attempt at a point that is there."""
    found, attempt = None, 1
    while (folder := runs / (str(id) if attempt == 1 else f"{id}-{attempt}")).is_dir():
        found, attempt = str(folder), attempt + 1
    return found
