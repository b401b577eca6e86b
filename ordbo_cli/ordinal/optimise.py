"""How theta is fitted, whatever engine computes the objective: L-BFGS by SciPy, and Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.model import Model

Objective: TypeAlias = Callable[[Array], tuple[float, Array]]  # value, to be raised, and gradient at theta

RELATIVE_TOLERANCE = 1e-8  # of the objective between two steps of L-BFGS
ADAM_RATE = 0.05  # step length of Adam, in units of theta
_SPREAD_LIMIT = 20.0  # of the logarithm of a variance or precision: a line search may try exp(300) where it is flat


def lbfgs_options(iterations: int) -> dict[str, float]:
    """Return SciPy's options for L-BFGS: the memory that some hundred numbers need, and when to stop."""
    return {"maxiter": iterations, "maxfun": 2 * iterations, "ftol": RELATIVE_TOLERANCE, "maxcor": 20}


def theta_bounds(model: Model) -> scipy.optimize.Bounds:
    """Return the box that L-BFGS searches: all of theta is free but the posterior's variances or precisions."""
    limit = np.full(sum(model.sizes), np.inf)
    limit[len(limit) - model.data.points :] = _SPREAD_LIMIT
    return scipy.optimize.Bounds(-limit, limit)


def lbfgs(objective: Objective, theta: Array, iterations: int, bounds: scipy.optimize.Bounds) -> Array:
    """Return the best theta that SciPy's L-BFGS met, wherever a line search may have ended."""
    best, highest = theta, -np.inf

    def negative(x: Array) -> tuple[float, Array]:
        nonlocal best, highest
        value, gradient = objective(x)
        if value > highest:
            best, highest = x.copy(), value
        return -value, -gradient

    options = lbfgs_options(iterations)
    scipy.optimize.minimize(negative, theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return best


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
