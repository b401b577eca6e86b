"""How theta is fitted, whatever engine computes the objective: L-BFGS by SciPy, and Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.metric import Metric, metric_at
from ordbo_cli.ordinal.model import Model

Objective: TypeAlias = Callable[[Array], tuple[float, Array]]  # value, to be raised, and gradient at theta

RELATIVE_TOLERANCE = 1e-6  # of the objective between two steps of L-BFGS
_FIRST_LOOK = 10  # evaluations until the metric is taken anew: the curvature where a fit starts is not that of its end
ADAM_RATE = 0.05  # step length of Adam, in units of theta
_SPREAD_LIMIT = 20.0  # of the logarithm of a variance or precision: a line search may try exp(300) where it is flat


def lbfgs(objective: Objective, theta: Array, iterations: int, model: Model) -> Array:
    """Return the best theta that SciPy's L-BFGS met, wherever a line search may have ended.

    It goes through the coordinates of a :class:`Metric`, first that of the start, then that of where it leads.

    Args:
        iterations: the most steps that it takes.
        model: whose objective it is.
    """
    best, highest = theta, -np.inf
    for evaluations in (_FIRST_LOOK, 2 * iterations):
        origin, metric = best, metric_at(model, best)

        def negative(z: Array, origin: Array = origin, metric: Metric = metric) -> tuple[float, Array]:
            nonlocal best, highest
            x = origin + metric.theta(z)
            value, gradient = objective(x)
            if value > highest:
                best, highest = x, value
            return -value, -metric.pull_back(gradient)

        options = {"maxiter": iterations, "maxfun": evaluations, "ftol": RELATIVE_TOLERANCE, "maxcor": 20}
        scipy.optimize.minimize(
            negative, np.zeros_like(theta), jac=True, method="L-BFGS-B", bounds=_bounds(model, origin, metric), options=options
        )
    return best


def _bounds(model: Model, origin: Array, metric: Metric) -> scipy.optimize.Bounds:
    """Return the box that L-BFGS searches: all of theta is free but the posterior's variances or precisions."""
    limit = np.full(len(origin), np.inf)
    spread = model.parts[-1]
    limit[spread] = _SPREAD_LIMIT
    unit = np.ones(len(origin))
    unit[spread] = metric.spread
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
