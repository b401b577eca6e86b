"""One interface to the two implementations of the objective, and the optimisers of the NumPy one."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import scipy.optimize

from ordbo_cli.method import EngineKind, OptimizerKind
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.model import Model

RELATIVE_TOLERANCE = 1e-8  # of the objective between two steps of L-BFGS
ADAM_RATE = 0.05  # step length of Adam, in units of theta
_SPREAD_LIMIT = 20.0  # of the logarithm of a variance or precision: a line search may try exp(300) where it is flat


class Engine(Protocol):
    """The objective of one model: ELBO plus log prior of the gaps, as a function of theta."""

    def objective(self, theta: Array) -> tuple[float, Array]:
        """Return the value at theta and the gradient there."""
        ...

    def maximise(self, theta: Array, optimizer: OptimizerKind, iterations: int) -> Array:
        """Return where an optimiser leads from a given theta in at most so many steps.

        L-BFGS never ends lower than it began; Adam may, as it keeps its last theta, not its best.
        """
        ...


class NumpyEngine:
    """Closed-form gradients, SciPy's L-BFGS or Adam.

    Args:
        model: what is fitted.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def objective(self, theta: Array) -> tuple[float, Array]:
        """Return the value at theta and the gradient there."""
        return objective(self.model, theta)

    def maximise(self, theta: Array, optimizer: OptimizerKind, iterations: int) -> Array:
        """Return where an optimiser leads from a given theta in at most so many steps."""
        if optimizer == "adam":
            return _adam(self, theta, iterations)
        return _lbfgs(self, theta, iterations, theta_bounds(self.model))


def make_engine(kind: EngineKind, model: Model) -> Engine:
    """Return an engine for a model; only ``gpflow`` imports TensorFlow."""
    if kind == "numpy":
        return NumpyEngine(model)
    from ordbo_cli.ordinal.gpflow_engine import GpflowEngine

    return GpflowEngine(model)


def lbfgs_options(iterations: int) -> Any:  # scipy-stubs want a private class of theirs
    """Return SciPy's options for L-BFGS: the memory that some hundred numbers need, and when to stop."""
    return {"maxiter": iterations, "maxfun": 2 * iterations, "ftol": RELATIVE_TOLERANCE, "maxcor": 20}


def theta_bounds(model: Model) -> scipy.optimize.Bounds:
    """Return the box that L-BFGS searches: all of theta is free but the posterior's variances or precisions."""
    limit = np.full(sum(model.sizes), np.inf)
    limit[len(limit) - model.data.points :] = _SPREAD_LIMIT
    return scipy.optimize.Bounds(-limit, limit)


def _lbfgs(engine: Engine, theta: Array, iterations: int, bounds: scipy.optimize.Bounds) -> Array:
    """SciPy's L-BFGS. The best theta that it met is kept, wherever a line search may have ended."""
    best, highest = theta, -np.inf

    def negative(x: Array) -> tuple[float, Array]:
        nonlocal best, highest
        value, gradient = engine.objective(x)
        if value > highest:
            best, highest = x.copy(), value
        return -value, -gradient

    options = lbfgs_options(iterations)
    scipy.optimize.minimize(negative, theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return best


def _adam(engine: Engine, theta: Array, iterations: int) -> Array:
    """Kingma and Ba (2015), with their constants."""
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, iterations + 1):
        _, gradient = engine.objective(theta)
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient * gradient - second)
        rate = ADAM_RATE * np.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
        theta = theta + rate * first / (np.sqrt(second) + 1e-8)
    return theta
