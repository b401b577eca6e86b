"""How theta is fitted, whatever engine computes the objective: L-BFGS by SciPy, and Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.metric import Metric, metric_at
from ordbo_cli.ordinal.model import Model

Objective: TypeAlias = Callable[[Array], tuple[float, Array]]  # value, to be raised, and gradient at theta

_FIRST_LOOK: Final = 10  # evaluations until the metric is taken anew; twice as many until the next time, and so on
_MEMORY: Final = 50  # steps that L-BFGS remembers
_ENDED: Final = 0  # status of SciPy's L-BFGS where it did not run out of steps
ADAM_RATE: Final = 0.05  # step length of Adam, in units of theta
_SPREAD_LIMIT: Final = 20.0  # of the log of a variance or precision: where it is flat, a line search tries exp(300)


def lbfgs(objective: Objective, model: Model, theta: Array, iterations: int, tolerance: float) -> Array:
    """Return the best theta that SciPy's L-BFGS met, wherever a line search may have ended.

    It goes through the coordinates of a :class:`Metric`. The curvature where a fit starts is not that where it ends, so
    the metric is taken anew on the way.

    Args:
        model: whose objective it is.
        theta: where it starts.
        iterations: the most steps that it takes.
        tolerance: relative gain of a step below which it ends.
    """
    best, highest, slope = theta, *objective(theta)
    look = _FIRST_LOOK
    while iterations > 0:
        origin, metric, start = best, metric_at(model, best), (highest, slope)

        def negative(
            z: Array, origin: Array = origin, metric: Metric = metric, start: tuple[float, Array] = start
        ) -> tuple[float, Array]:
            nonlocal best, highest, slope
            x = origin + metric.theta(z)
            value, gradient = objective(x) if z.any() else start
            if value > highest:
                best, highest, slope = x, value, gradient
            return -value, -metric.pull_back(gradient)

        options = {"maxiter": iterations, "maxfun": look, "ftol": tolerance, "maxcor": _MEMORY}
        found = scipy.optimize.minimize(
            negative,
            np.zeros_like(theta),
            jac=True,
            method="L-BFGS-B",
            bounds=_bounds(origin, metric),
            options=options,
        )
        if found.status == _ENDED and look > _FIRST_LOOK:
            break
        iterations -= max(1, found.nit)
        look *= 2
    return best


def _bounds(origin: Array, metric: Metric) -> scipy.optimize.Bounds:
    """Return the box of z: all of theta is free but the posterior's variances or precisions."""
    limit, unit = np.full(len(origin), np.inf), np.ones(len(origin))
    spread = metric.model.parts[-1]
    limit[spread], unit[spread] = _SPREAD_LIMIT, metric.spread
    return scipy.optimize.Bounds((-limit - origin) / unit, (limit - origin) / unit)


def adam(objective: Objective, theta: Array, iterations: int) -> Array:
    """Return the last theta of Adam (Kingma and Ba 2015), with their constants."""
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, iterations + 1):
        _, gradient = objective(theta)
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient * gradient - second)
        rate = ADAM_RATE * np.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
        theta = theta + rate * first / (np.sqrt(second) + 1e-8)
    return theta
