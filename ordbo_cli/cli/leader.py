"""The best point of a study as the commands print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ordbo_cli.cli.output import ShownPoint

if TYPE_CHECKING:
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.reporting.views import Best


def leader_point(best: Best, problem: Problem) -> ShownPoint:
    """Return the best point with its result, and what else there is to say on it in JSON."""
    from ordbo_cli.study.reporting.entries import best_entries

    outcomes = {"outcomes": best_entries(best, problem)["outcomes"]} if problem.outcomes else {}
    by_mean = {"by": best.by, "results": best.results, "expected_rank": best.expected_rank}
    result = None
    if best.objective is not None:
        result = (problem.objective, problem.shown(best.objective, best.censored))
    return ShownPoint(
        best.id, best.parameters, result, problem.names, outcomes | (by_mean if best.by == "mean" else {})
    )


def leader_words(best: Best, problem: Problem) -> str:
    """Return what the result of a point that was chosen by its mean is, in words."""
    if best.objective is None:
        return f"compared only, expected rank {best.expected_rank:.1f} of the compared points"
    of = f"the median of {best.results} results" if best.results > 1 else "its one result"
    result = problem.shown(best.objective, best.censored)
    return f"{problem.objective}={result} is {of}, expected rank {best.expected_rank:.1f}"
