"""The methods that are compared, behind one small protocol, and those of them that need no other package.

Each is told the same initial points and their results before it is asked for anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput


class Searcher(Protocol):
    """An ask/tell optimiser that minimises."""

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take the result of a point: of the initial design, or the one that was asked for; None for a failure."""

    def ask(self) -> tuple[Number, ...]:
        """Return the next point to evaluate."""


@runtime_checkable
class TakesOutcomes(Protocol):
    """A searcher that makes something of results beside the objective; to others a point that breaks limits failed."""

    def tell_all(self, values: Sequence[Number], loss: float | None, outcomes: Sequence[float]) -> None:
        """Take all results of a point."""


@dataclass(frozen=True)
class Start:
    """What a method knows when it begins.

    Args:
        problem: what is minimised; its method holds the settings of ordinal Bayesian optimisation.
        seed: of every random choice.
        initial: number of initial points that will be told first.
        total: number of evaluations of the whole run.
        batch: number of points to choose at a time, before the results of any of them are known.
        reference: the point that the hypervolume of several objectives will be judged from; empty for one.
    """

    problem: Problem
    seed: int
    initial: int
    total: int
    batch: int = 1
    reference: tuple[float, ...] = ()

    def rng(self, *stream: int) -> np.random.Generator:
        """Return a generator that follows from the seed."""
        return np.random.default_rng([self.seed, *stream, Stream.RIVAL])


class Ordinal:
    """Ordinal Bayesian optimisation, step by step as ``ordbo suggest`` does it.

    Args:
        start: its problem's method is used, and its batch.
    """

    def __init__(self, start: Start) -> None:
        self.problem = start.problem
        self.evaluations: list[Evaluation] = []
        self.fit: dict[str, Any] | None = None
        self._total, self._batch = start.total, start.batch
        self._chosen: list[tuple[Number, ...]] = []

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take a result."""
        self.evaluations.append(Evaluation(tuple(values), None if loss is None else Decimal(repr(float(loss)))))

    def tell_all(self, values: Sequence[Number], loss: float | None, outcomes: Sequence[float]) -> None:
        """Take a result with its outcomes."""
        exact = [None if x is None or np.isnan(x) else Decimal(repr(float(x))) for x in (loss, *outcomes)]
        objective, *others = exact
        self.evaluations.append(self.problem.evaluation(tuple(values), objective, outcomes=tuple(others)))

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        if not self._chosen:
            self._chosen = self.choose(min(self._batch, self._total - len(self.evaluations)))
        return self._chosen.pop(0)

    def choose(self, number: int) -> list[tuple[Number, ...]]:
        """Return the points of a batch."""
        points: list[tuple[Number, ...]] = []
        for step in range(len(self.evaluations), len(self.evaluations) + number):
            proposal = propose(StepInput(self.problem, self.evaluations, points, step, self.fit))
            self.fit = proposal.fit or self.fit
            points.append(proposal.values)
        return points


class Random:
    """Uniform random search, on the parameters' own scales; all values of a grid and all levels are equally likely."""

    def __init__(self, start: Start) -> None:
        self._box = Box(start.problem)
        self._rng = start.rng()

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Ignore a result."""

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        return self._box.values(self._rng.random(self._box.dimension))


class Sobol:
    """A scrambled Sobol sequence, the same for all results."""

    def __init__(self, start: Start) -> None:
        from scipy.stats import qmc

        self._box = Box(start.problem)
        self._sequence = qmc.Sobol(self._box.dimension, scramble=True, seed=start.rng())

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Ignore a result."""

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        return self._box.values(self._sequence.random(1)[0])


class History:
    """Results as the methods take them that need a number for everything: a failure is as bad as the worst seen.

    Args:
        start: what the method begins with.
    """

    one_hot: ClassVar[bool] = False  # whether each level without an order has an axis of the box

    def __init__(self, start: Start) -> None:
        self.start = start
        self.box = Box(start.problem, one_hot=self.one_hot)
        self.points: list[tuple[Number, ...]] = []
        self._shares: list[Array] = []
        self._losses: list[float | None] = []

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take a result; an infinite one is a failure to these methods."""
        self.points.append(tuple(values))
        self._shares.append(self.box.shares(values))
        self._losses.append(loss if loss is not None and np.isfinite(loss) else None)

    @property
    def X(self) -> Array:
        """All points as shares of the box [N, D]."""
        return np.array(self._shares).reshape(-1, self.box.dimension)

    @property
    def y(self) -> Array:
        """All results [N], failures as the worst success so far (0 where there is none)."""
        worst = max((loss for loss in self._losses if loss is not None), default=0.0)
        return np.array([worst if loss is None else loss for loss in self._losses])

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Which results are failures [N]."""
        return np.array([loss is None for loss in self._losses], dtype=bool)

    @property
    def best(self) -> Array:
        """The best point so far as shares of the box [D]."""
        return self._shares[int(np.argmin(self.y))]

    @property
    def step_seed(self) -> int:
        """A seed for the choice of the next point, for a library that is asked anew at each step."""
        return self.start.seed * 100_003 + len(self.points)

    def at_random(self) -> tuple[Number, ...]:
        """Return a point at random, for a library that has none to give."""
        return self.box.values(self.start.rng(len(self.points)).random(self.box.dimension))


class HistoryOfSeveral(History):
    """Results of several objectives as the methods take them that need numbers for everything.

    Args:
        start: what the method begins with.
    """

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self.found: list[tuple[float, ...] | None] = []
        """The values of each point; None for a failure."""

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take a failure."""
        self.found.append(None)
        super().tell(values, None)

    def tell_all(self, values: Sequence[Number], loss: float | None, outcomes: Sequence[float]) -> None:
        """Take all values of a point."""
        assert loss is not None
        self.found.append((loss, *outcomes))
        super().tell(values, loss)

    @property
    def Y(self) -> Array:
        """All values [N, K], those of failures as the worst success so far in each objective (0 where none)."""
        good = [each for each in self.found if each is not None]
        worst = tuple(np.max(good, axis=0)) if good else (0.0,) * len(self.start.problem.goals)
        return np.array([worst if each is None else each for each in self.found], dtype=np.float64)
