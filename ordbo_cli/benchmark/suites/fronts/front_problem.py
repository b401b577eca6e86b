"""A function of several values to minimise, the front of its best trades, and its copies seen through distortions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from ordbo_cli.benchmark.distortions.lens import Lens
from ordbo_cli.benchmark.suites.benchmark_problem import Observation
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.limit import Aim
from ordbo_cli.problem.method import Method

BEYOND: Final = 0.1  # of the front's extent, by which the reference point is worse than the worst of the front
Kind = Literal["smooth", "jumps", "fails", "distorted"]
Values = tuple[float, ...]
_AS_THEY_ARE: Final = Method()


def reference_of(front: Array) -> Array:
    """Return the point ``[K]`` that is a tenth of a front's extent beyond the worst of its points ``[F, K]``."""
    return np.asarray(front.max(axis=0) + BEYOND * np.ptp(front, axis=0))


@dataclass(frozen=True)
class FrontProblem:
    """A function of several values, all to be minimised, whose front is known.

    Args:
        name: the number of parameters stands behind it, and that of objectives where there are more than two.
        true: maps a point ``[D]`` to its values ``[K]``, or None for a failure; its docstring names the source.
        bounds: lower and upper bound of each of the D parameters.
        sampled: returns points of its front ``[F, K]``, a few hundred at most.
        kind: smooth, with jumps, with failures, or a distorted copy of another one.
        tune: whether settings of the method may be chosen by it.
        origin: what a copy is a copy of.
        through: returns what stands between each objective of the origin and a method.
    """

    name: str
    true: Callable[[Sequence[float]], Values | None]
    bounds: tuple[tuple[float, float], ...]
    sampled: Callable[[], Array]
    kind: Kind = "smooth"
    tune: bool = False
    origin: FrontProblem | None = None
    through: Callable[[FrontProblem], Sequence[Lens]] | None = None

    def function(self, values: Sequence[float]) -> Values | None:
        """Return what a method is told of a point ``[D]``: its values ``[K]``, or None for a failure."""
        found = self.true(values)
        return None if found is None else self.seen(found)

    def seen(self, found: Sequence[float]) -> Values:
        """Return what a method is told in place of values ``[K]``."""
        if self.through is None:
            return tuple(found)
        return tuple(lens.image(y) for lens, y in zip(self.lenses, found, strict=True))

    @cached_property
    def lenses(self) -> Sequence[Lens]:
        """What stands between each objective and a method; empty for nothing."""
        return () if self.through is None or self.origin is None else self.through(self.origin)

    @cached_property
    def front(self) -> Array:
        """Points of the front, as values without distortions ``[F, K]``."""
        return self.sampled()

    @cached_property
    def extent(self) -> Array:
        """The ranges of the front's values ``[K]``."""
        return np.ptp(self.front, axis=0)

    @cached_property
    def reference(self) -> Values:
        """The point that the judge counts hypervolume from ``[K]``."""
        return tuple(reference_of(self.front).tolist())

    @property
    def objectives(self) -> int:
        """Their number, K."""
        return len(self.reference)

    def problem(self, method: Method = _AS_THEY_ARE, seed: int = 0) -> Problem:
        """Return the question to put to an optimiser, with parameters x1 to xD and objectives f1 to fK."""
        parameters = tuple(Parameter(f"x{i}", low, high) for i, (low, high) in enumerate(self.bounds, 1))
        others = tuple(Aim(f"f{k}") for k in range(2, self.objectives + 1))
        return Problem(parameters, objective="f1", outcomes=others, seed=seed, method=method)

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Evaluate one point ``[D]``: the first objective is the result, the others are its outcomes."""
        found = self.function(values)
        return Observation(None, None) if found is None else Observation(found[0], None, found[1:], found[0])
