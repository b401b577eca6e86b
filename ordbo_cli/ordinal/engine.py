"""One interface to the two implementations of the objective, and the NumPy one."""

from __future__ import annotations

from typing import Protocol

from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.optimise import adam, lbfgs
from ordbo_cli.ordinal.tensorflow_setup import demand_gpflow
from ordbo_cli.problem.method import ADAM_RATE, EngineKind, OptimizerKind


class Engine(Protocol):
    """The objective of one model: ELBO plus log prior of the gaps, as a function of theta."""

    def objective(self, theta: Array) -> tuple[float, Array]:
        """Return the value at theta and the gradient there."""
        ...

    def maximise(
        self, theta: Array, optimizer: OptimizerKind, iterations: int, tolerance: float, rate: float = ADAM_RATE
    ) -> Array:
        """Return where an optimiser leads from a given theta in at most so many steps.

        L-BFGS ends where a step's relative gain is below a tolerance, and never lower than it began. Adam takes all
        steps, of the length ``rate``, and may end lower, as it keeps its last theta, not its best.
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

    def maximise(
        self, theta: Array, optimizer: OptimizerKind, iterations: int, tolerance: float, rate: float = ADAM_RATE
    ) -> Array:
        """Return where an optimiser leads from a given theta in at most so many steps."""
        if optimizer == "adam":
            return adam(self.objective, theta, iterations, rate)
        return lbfgs(self.objective, self.model, theta, iterations, tolerance)


def make_engine(kind: EngineKind, model: Model) -> Engine:
    """Return an engine for a model; only ``gpflow`` imports TensorFlow.

    Raises:
        UsageError: it is not installed.
    """
    if kind == "numpy":
        return NumpyEngine(model)
    demand_gpflow()
    from ordbo_cli.ordinal.gpflow_engine import GpflowEngine

    return GpflowEngine(model)
