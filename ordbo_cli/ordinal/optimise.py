"""How theta is fitted, whatever engine computes the objective: L-BFGS by SciPy, and Adam.

======  =============================================  =======
symbol  meaning                                        shape
======  =============================================  =======
theta   unconstrained numbers of the model             [parts]
z       the same seen through the preconditioner       [parts]
L_j     latent length of an axis: the sum of its gaps  [D]
======  =============================================  =======
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.linalg import Array, rounded
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.preconditioner import Preconditioner, preconditioner_at
from ordbo_cli.ordinal.warp import FreeGaps

Objective: TypeAlias = Callable[[Array], tuple[float, Array]]  # value, to be raised, and gradient at theta

_FIRST_LOOK: Final = 10  # evaluations until the curvature is looked at anew; twice as many until the next time
_VALUE_BITS: Final = 26  # of a value that L-BFGS sees: less than what ends a cold fit, more than rounding errors
_SLOPE_BITS: Final = 16  # of its slopes
_MEMORY: Final = 50  # steps that L-BFGS remembers
_ENDED: Final = 0  # status of SciPy's L-BFGS where it did not run out of steps
_FARTHEST: Final = 2.0  # by how much the logarithm of an axis's length grows until the preconditioner is taken anew
_FENCE: Final = 1.0  # nats, times the number of rows: half of it times the square is what being longer costs
_SPREAD_LIMIT: Final = 20.0  # of the log of a variance or precision: where it is flat, a line search tries exp(300)


def lbfgs(objective: Objective, model: Model, theta: Array, iterations: int, tolerance: float) -> Array:
    """Return the best theta that SciPy's L-BFGS met, wherever a line search may have ended.

    It goes through the coordinates of a :class:`Preconditioner`. The curvature where a fit starts is not that where it
    ends, so the preconditioner is taken anew on the way. Until then no axis grows beyond a :class:`TrustRegion`.

    Args:
        model: whose objective it is.
        theta: where it starts.
        iterations: the most steps that it takes.
        tolerance: relative gain of a step below which it ends.
    """

    def seen(theta: Array) -> tuple[float, Array]:
        value, gradient = objective(theta)
        return float(rounded(value, _VALUE_BITS)), gradient

    best, highest, slope = theta, *seen(theta)
    look = _FIRST_LOOK
    while iterations > 0:
        origin, preconditioner, start = best, preconditioner_at(model, best), (highest, slope)
        trust_region = TrustRegion.around(model, origin)

        def negative(
            z: Array,
            origin: Array = origin,
            preconditioner: Preconditioner = preconditioner,
            start: tuple[float, Array] = start,
            trust_region: TrustRegion = trust_region,
        ) -> tuple[float, Array]:
            nonlocal best, highest, slope
            x = origin + preconditioner.theta(z)
            value, gradient = seen(x) if z.any() else start
            cost, by_theta = trust_region.cost(x)
            if value > highest and not cost:
                best, highest, slope = x, value, gradient
            slopes = preconditioner.pull_back(by_theta - gradient)
            return cost - value, rounded(slopes, _SLOPE_BITS, together=True)

        options = {"maxiter": iterations, "maxfun": look, "ftol": tolerance, "maxcor": _MEMORY}
        found = scipy.optimize.minimize(
            negative,
            np.zeros_like(theta),
            jac=True,
            method="L-BFGS-B",
            bounds=_bounds(origin, preconditioner),
            options=options,
        )
        held = best is not origin and trust_region.cost(origin + preconditioner.theta(found.x))[0] > 0.0
        if found.status == _ENDED and look > _FIRST_LOOK and not held:
            break
        iterations -= max(1, found.nit)
        look *= 2
    return best


@dataclass(frozen=True)
class TrustRegion:
    """How long the axes may grow until the preconditioner is taken anew, and what it costs to be longer.

    The preconditioner knows how the prior is curved along the length of an axis, not how the likelihood is. With
    hundreds of rows a step may be far too long, to where all gaps are at their largest: the transform is flat there, so
    that no gradient leads back, and so many steep terms of the likelihood are gone that the value may even be higher.
    Without a prior that is where gaps may belong, and nothing holds them.

    Args:
        model: whose theta it is.
        lengths: the longest that each axis may be [D], infinite where nothing holds it.
    """

    model: Model
    lengths: Array

    @classmethod
    def around(cls, model: Model, theta: Array) -> TrustRegion:
        """Return how far one may go from a given theta."""
        held = isinstance(model.warp, FreeGaps) and model.input_prior is not None
        lengths = _lengths(model, model.warp.gaps(theta[model.parts[0]]))
        return cls(model, np.exp(_FARTHEST) * lengths if held else np.full(len(lengths), np.inf))

    def cost(self, theta: Array) -> tuple[float, Array]:
        """Return what theta costs, 0 inside the region, and the gradient of it."""
        by_theta = np.zeros_like(theta)
        part, data = self.model.parts[0], self.model.data
        lengths = _lengths(self.model, self.model.warp.gaps(theta[part]))
        if np.all(lengths <= self.lengths):
            return 0.0, by_theta
        beyond = np.log(np.maximum(1.0, lengths / self.lengths))
        weight = _FENCE * sum(len(scale.rank) for scale in data.scales)
        by_gaps = np.repeat(weight * beyond / lengths, data.gap_counts)
        by_theta[part] = self.model.warp.pull_back(theta[part], by_gaps)
        return 0.5 * weight * float(beyond @ beyond), by_theta


def _lengths(model: Model, gaps: Array) -> Array:
    """Return the latent length of each axis [D]."""
    return np.add.reduceat(gaps, model.data.starts)


def _bounds(origin: Array, preconditioner: Preconditioner) -> scipy.optimize.Bounds:
    """Return the box of z: all of theta is free but the posterior's variances or precisions."""
    limit, unit = np.full(len(origin), np.inf), np.ones(len(origin))
    spread = preconditioner.model.spread_part
    limit[spread], unit[spread] = _SPREAD_LIMIT, preconditioner.spread
    return scipy.optimize.Bounds((-limit - origin) / unit, (limit - origin) / unit)


def adam(objective: Objective, theta: Array, iterations: int, rate: float) -> Array:
    """Return the last theta of Adam (Kingma and Ba 2015), with their constants but for the rate."""
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, iterations + 1):
        _, gradient = objective(theta)
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient * gradient - second)
        length = rate * np.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
        theta = theta + length * first / (np.sqrt(second) + 1e-8)
    return theta
