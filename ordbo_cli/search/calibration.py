"""How sure a prediction may be, by what the results so far teach of it.

The variational posterior is overconfident near the data, and says next to nothing of how far results fall from what was
expected of them there. The results themselves do: each latent value is left out, and lies so far from what the others
let expect of it. New results lie somewhat farther from the means than these, as the warp has seen them all, and with
the tails of Student's t, as the scale is itself an estimate.

A suggestion is a point of hope: the search takes it where the model thinks most of it. What hopes were worth, their
record says, better than the model does: the longer nothing has beaten the best, the less is to be expected of the next.

The numbers here were chosen on the halves of the benchmark that are for tuning (``docs/theory.md``).

======  ===============================================  ======
symbol  meaning                                          shape
======  ===============================================  ======
M       distinct points of the fit
P       inverse of the prior covariance of these points  [M, M]
e       residuals, ``[P m]_i / P_ii``                    [M]
======  ===============================================  ======
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.special import expit, logit, stdtr

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.kernels import distances, prior_covariance
from ordbo_cli.ordinal.linalg import Array, cholesky, inverse
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import ranked

FREEDOM: Final = 4.0  # degrees of Student's t
_FARTHER: Final = 1.4  # than residuals lie new results
_RESIDUALS, _SD = 4.0, 0.3  # how many results the prior of their scale is worth, and what it is
_HOPE, _TRUST = 0.4, 0.7  # log odds of a hope that the model gives even odds, and how far its own are followed
_SHAPE, _SCALE = 4.5, 4.0  # of the Gamma law of the rate at which hopes fade, by misses for each parameter and one
_BELIEVED: Final = 0.05  # chance beyond which the model is not believed, on either side


def result_sd(fitted: Fit, posterior: Posterior) -> float:
    """Return the scale of the latent value of a new result around the mean there.

    Args:
        fitted: the model.
        posterior: of its latent function.
    """
    K = prior_covariance(posterior.kernel, distances(fitted.S, fitted.S))
    e = _FARTHER * posterior.a / inverse(cholesky(K)).diagonal()
    return math.sqrt((float(e @ e) + _RESIDUALS * _SD**2) / (len(e) + _RESIDUALS))


def chance_below(z: Array) -> Array:
    """Return the probabilities that a new result lies below values that are z scales above its mean, elementwise."""
    return np.asarray(stdtr(FREEDOM, z))


def with_ends(below: Array) -> Array:
    """Return a distribution function at bin edges [..., K - 1] with 0 before and 1 behind them [..., K + 1]."""
    ends = np.zeros((*below.shape[:-1], 1))
    return np.concatenate([ends, below, ends + 1.0], axis=-1)


def between(F: Array) -> Array:
    """Return the distribution function at the ends of what lies between results, given it at those of their bins.

    One between two results lies from the middle of the one's bin (in probability) to the middle of the other's.

    Args:
        F: from 0 to 1 [K + 1].

    Returns:
        From 0 to 1 [K + 2].
    """
    return np.concatenate([[0.0], 0.5 * (F[1:] + F[:-1]), [1.0]])


def narrowest(ends: Array, level: float) -> tuple[int, int]:
    """Return the first and the last of the fewest neighbouring places that hold a probability, the likeliest of equals.

    Args:
        ends: distribution function at the ends of the places, from 0 to 1 [places + 1].
        level: that they hold at least.
    """
    last = np.searchsorted(ends, ends[:-1] + level * (1.0 - 1e-12))
    first = np.flatnonzero(last < len(ends))
    if not len(first):
        return 0, len(ends) - 2
    mass = ends[last[first]] - ends[first]
    k = first[np.lexsort((-mass, last[first] - first))[0]]
    return int(k), int(last[k]) - 1


def misses(given: StepInput) -> int:
    """Return how many suggestions in a row have not beaten the best before them, those of the initial design aside."""
    problem = given.problem
    found = ranks(problem, ranked(problem, given.evaluations))
    initial = problem.method.initial_rows(len(problem.free))
    return min(_since_best(found), max(0, len(found) - initial), given.step)


def chance_of_hope(chance: float, given: StepInput) -> float:
    """Return the chance of the search's next suggestion to beat the best, given what the model says of it.

    Hopes that fade at a rate unknown, with a Gamma law, leave ``(1 + s / scale)^-shape`` of the odds after s misses.

    Args:
        chance: the model's, of the point.
        given: what the suggestion follows from.
    """
    s = misses(given) / (1.0 + len(given.problem.free))
    own = float(logit(min(max(chance, _BELIEVED), 1.0 - _BELIEVED)))
    return float(expit(_HOPE + _TRUST * math.exp(-s) * own - _SHAPE * math.log1p(s / _SCALE)))


def _since_best(found: Sequence[int]) -> int:
    """Return how many ranks follow the first of the lowest."""
    return len(found) - 1 - min(range(len(found)), key=lambda k: (found[k], k)) if found else 0
