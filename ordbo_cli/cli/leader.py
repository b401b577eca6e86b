"""The best point of a study, or its front, as the commands print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ordbo_cli.cli.output import ShownPoint, words
from ordbo_cli.study.reporting.views import of_results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

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
    return ShownPoint(best.id, best.parameters, result, problem.names, more, _results(best, problem))


def leader_words(best: Best, problem: Problem) -> str:
    """Return what the result of a point that was chosen by its mean is, in words."""
    if best.objective is None:
        return f"compared only, expected rank {best.expected_rank:.1f} of the compared points"
    first = {problem.objective: str(problem.shown(best.objective, best.censored))}
    results = results_words(best, problem) if problem.several else words(first)
    if not problem.has_front:
        return f"{results} is {of_results(best.results)}, expected rank {best.expected_rank:.1f}"
    are = f"are the medians of {best.results} results" if best.results > 1 else f"is {of_results(best.results)}"
    ranks = ", ".join(f"{rank:.1f} by {name}" for name, rank in best.expected_ranks.items())
    return f"{results} {are}, expected rank {ranks}"


def results_words(best: Best, problem: Problem) -> str:
    """Return all results of a point in words, those that are limited among them."""
    return words({problem.objective: str(problem.shown(best.objective, best.censored)), **best.outcomes})


def front_words(front: Sequence[Best]) -> str:
    """Return what a front is that was chosen by means, in words."""
    number = f"{len(front)} point{'' if len(front) == 1 else 's'}"
    return f"front by mean: {number} that none dominates; values are medians of their results"


def _results(best: Best, problem: Problem) -> dict[str, Decimal | str]:
    """Return the values of several objectives by name, empty ones of a point that was compared only."""
    if not problem.several:
        return {}
    others = {aim.name: best.outcomes.get(aim.name, "") for _, aim in problem.aims}
    return {problem.objective: problem.shown(best.objective, best.censored), **others}
