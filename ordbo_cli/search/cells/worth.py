"""What a cell is worth by the method's settings, and around which points the search for the best one looks closely."""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.cells.acquisition import Acquisition, LowerConfidenceBound, NegativeLogImprovement, Wary
from ordbo_cli.search.cells.hypervolume import hypervolume_gain
from ordbo_cli.search.surrogate import Surrogate

_ANCHORS = 5  # best points whose surroundings are searched more closely
_ANCHORS_OF_A_FRONT = 10
_BESIDE = 0.75  # of beta, where points are pending: they lie in cells of their own, which spreads them already


def acquisition_of(surrogate: Surrogate, method: Method) -> Acquisition:
    """Return what cells are compared by: the lower confidence bound, or the expected improvement."""
    base: Acquisition
    if surrogate.traded is not None and len(surrogate.traded):
        base = hypervolume_gain(surrogate, multiplier(surrogate, method))
    elif method.acquisition == "lcb":
        base = lower_bound(surrogate, method)
    else:
        base = NegativeLogImprovement(surrogate.posterior, float(surrogate.means.min()))
    return Wary(base, surrogate.success) if method.avoid_failures and surrogate.success else base


def anchors_of(surrogate: Surrogate) -> Array:
    """Return the best points, whose surroundings are searched more closely [A, D]."""
    if surrogate.front is not None and surrogate.traded is not None and len(surrogate.front):
        front = surrogate.front[np.argsort(surrogate.traded[:, 0], kind="stable")]
        some = front[np.unique(np.linspace(0, len(front) - 1, _ANCHORS_OF_A_FRONT).astype(int))]
        return some[:, list(surrogate.held[1])]
    S = surrogate.posterior.S
    return (
        S[np.argsort(surrogate.means, kind="stable")[:_ANCHORS]] if len(S) else np.zeros((0, len(surrogate.warp.knots)))
    )


def lower_bound(surrogate: Surrogate, method: Method) -> LowerConfidenceBound:
    """Return the lower confidence bound that cells are compared by."""
    return LowerConfidenceBound(surrogate.posterior, multiplier(surrogate, method))


def multiplier(surrogate: Surrogate, method: Method) -> float:
    """Return the multiplier of the standard deviation in a lower confidence bound."""
    if not isinstance(method.beta, BetaSchedule):
        return method.beta * (_BESIDE if surrogate.pending else 1.0)
    lengths = (
        surrogate.lengths if len(surrogate.fit.coordinates) == len(surrogate.warp.knots) else surrogate.all_lengths
    )
    return beta_schedule.multiplier(method.beta, surrogate.rows + 1, method.kernel, lengths)
