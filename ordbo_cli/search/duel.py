"""The next two points to compare, where somebody can only say which of two is better.

The first is the one that is held to be the best, the second what the search would evaluate next. So what is good is
compared again and again, which a judge who errs calls for, and each comparison says something of a new point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.search.incumbent import incumbent
from ordbo_cli.search.step import Tell, propose


@dataclass(frozen=True)
class Duel:
    """Two points to compare.

    Args:
        first: values of the free parameters of the point that is held to be the best; a new point where none is.
        second: of its challenger, a new point but for noise and where all points were tried.
        fit: the fitted model for the next step to start from, as JSON-able values; None in the initial design.
        diagnostics: how the challenger was chosen, as JSON-able values.
    """

    first: tuple[Number, ...]
    second: tuple[Number, ...]
    fit: dict[str, Any] | None
    diagnostics: dict[str, Any]


def propose_duel(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    pending: Sequence[Sequence[Number]],
    step: int,
    fit: Mapping[str, Any] | None = None,
    *,
    avoid: Sequence[Sequence[Number]] = (),
    comparisons: Sequence[Comparison] = (),
    threads: int = 1,
    tell: Tell | None = None,
) -> Duel:
    """Return the next two points to compare.

    Args: as those of :func:`~ordbo_cli.search.step.propose`.

    Raises:
        ExhaustedError: every point was tried.
        DataError: an evaluation failed where ``failed: error`` forbids it.
        ProblemError: no point satisfies the constraints.
    """
    asked: dict[str, Any] = {"comparisons": comparisons, "threads": threads, "tell": tell}
    found = propose(problem, evaluations, pending, step, fit, avoid=avoid, **asked)
    try:
        first = incumbent(problem, evaluations, found.fit or fit, comparisons).values
    except DataError:  # nothing is known to be good yet
        second = propose(problem, evaluations, [*pending, found.values], step + 1, fit, avoid=avoid, **asked)
        return Duel(found.values, second.values, second.fit, second.diagnostics)
    if first == tuple(found.values):  # which noise allows
        found = propose(problem, evaluations, pending, step, found.fit, avoid=[*avoid, first], **asked)
    return Duel(first, found.values, found.fit, found.diagnostics)
