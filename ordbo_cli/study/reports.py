"""From the ledger to what people are shown: the best evaluation, its history, what waits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Decimal

from ordbo_cli.problem import Problem
from ordbo_cli.study.ledger import Ledger, Standing, Waiting
from ordbo_cli.study.views import Best, PendingPoint


def ranking(problem: Problem, ledger: Ledger) -> tuple[Best, ...]:
    """Return the finite results inside the bounds, the best first, of equal ones the earlier first."""
    found = [
        Best(standing.id, problem.mapping(standing.row.values), standing.row.objective, standing.row.line)
        for standing in _within(ledger)
        if standing.row.objective is not None and standing.row.objective.is_finite()
    ]
    # A reversed sort is stable, too.
    return tuple(sorted(found, key=lambda best: best.objective, reverse=problem.goal == "maximize"))


def history(problem: Problem, ledger: Ledger) -> tuple[Decimal | None, ...]:
    """Return the best objective after each result or failure inside the bounds; None before the first success."""
    better = min if problem.goal == "minimize" else max
    best: Decimal | None = None
    steps = []
    for standing in _within(ledger):
        value = standing.row.objective
        if value is not None and value.is_finite():
            best = value if best is None else better(best, value)
        steps.append(best)
    return tuple(steps)


def _within(ledger: Ledger) -> Iterator[Standing]:
    """Yield the evaluations inside the bounds that belong to the model."""
    for standing in ledger.standing:
        if standing.row.status in ("ok", "failed") and not standing.row.aside and not standing.row.outside:
            yield standing


def pending_point(problem: Problem, entry: Waiting) -> PendingPoint:
    """Return an open suggestion with its age."""
    return PendingPoint(entry.id, {**problem.mapping(entry.values), **entry.fixed}, _age(entry.time))


def _age(time: str | None) -> float | None:
    """Return the seconds since a time, or None where it is unknown or somebody has edited it."""
    try:
        return max(0.0, (datetime.now(timezone.utc) - datetime.fromisoformat(time)).total_seconds()) if time else None
    except (ValueError, TypeError):
        return None
