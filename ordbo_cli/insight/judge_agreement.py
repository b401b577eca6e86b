"""How many answers of each judge the model puts right."""

from __future__ import annotations

from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.search.threads import thread_pool


def right_answers(given: StepInput) -> dict[str, tuple[int, int]]:
    """Return of each judge how many answers the model agrees with, and of how many; ties are left out.

    It agrees where the posterior mean of the better point is the lower one. The model has learnt from these answers, so
    that it agrees with more of them than with new ones: the figure compares judges, and is no chance of being right.

    Args:
        given: what is known, of one objective.
    """
    given = given.settled()
    if not given.comparisons:
        return {}
    with thread_pool(1):
        fitted = fit_surrogate(given).fit
    means = fitted.posterior(given.problem.method.kernel).means(fitted.S).tolist()
    place = {tuple(x): mean for x, mean in zip(fitted.data.inputs.tolist(), means, strict=True)}
    found: dict[str, tuple[int, int]] = {}
    told = [each for each in given.comparisons if not each.tie]
    ends = (given.latent_axes.encoded(x).tolist() for x in ([e.better for e in told], [e.worse for e in told]))
    for each, better, worse in zip(told, *ends, strict=True):
        one, other = place.get(tuple(better)), place.get(tuple(worse))
        if one is not None and other is not None:  # the model sees both
            right, number = found.get(each.judge, (0, 0))
            found[each.judge] = right + (one < other), number + 1
    return found
