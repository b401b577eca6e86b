"""The best point of a study as the commands print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ordbo_cli.cli.output import ShownPoint
from ordbo_cli.study.reporting.views import of_results

if TYPE_CHECKING:
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.reporting.views import Best


_SHOWN: Final = ("id", "parameters", "objective")


def leader_point(best: Best, problem: Problem) -> ShownPoint:
    """Return the best point with its result, and what else there is to say on it in JSON."""
    from ordbo_cli.study.reporting.entries import best_entries

    result = None
    if best.objective is not None and not problem.several:
        result = (problem.objective, problem.shown(best.objective, best.censored))
    more = {key: entry for key, entry in best_entries(best, problem).items() if key not in _SHOWN}
    return ShownPoint(best.id, best.parameters, result, problem.names, more)


def leader_words(best: Best, problem: Problem) -> str:
    """Return what the result of a point that was chosen by its mean is, in words."""
    if best.objective is None:
        return f"compared only, expected rank {best.expected_rank:.1f} of the compared points"
    result = problem.shown(best.objective, best.censored)
    return f"{problem.objective}={result} is {of_results(best.results)}, expected rank {best.expected_rank:.1f}"
