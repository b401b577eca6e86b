"""Functions drawn from the latent prior on a known warp, so that regret in the latent space is defined.

=========  ================================================================  ==========
symbol     meaning                                                           shape
=========  ================================================================  ==========
``x``      parameters, each from 0 to 1                                      ``[D]``
``s``      their latent point: axis j goes from 0 to T = 5 sqrt(2 / D)       ``[D]``
``f``      a draw of the prior: Matern 3/2, unit variance and lengthscale
``z``      ``f(s)`` plus normal noise of standard deviation sigma = 0.1
``y``      what a method is told, ``sinh(3 z)``
=========  ================================================================  ==========

Each seed has a function, a warp and noise of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from ordbo_cli.benchmark.suites.benchmark_problem import COCO_PRECISION, Observation
from ordbo_cli.benchmark.suites.kumaraswamy import kumaraswamy, kumaraswamy_inverse
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import posterior
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import GapPrior, Kernel, Method
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.acquisition import FunctionSample, function_sample

KERNEL: Final[Kernel] = "matern32"
SIGMA: Final = 0.1
_STEEPNESS: Final = 3.0  # of the output's warp: the values of one draw span three decades on either side of zero
_POWERS: Final = (1.75, 2.5)  # of the input's warp, or one over them: at 1 it would be a line
_LOOKS: Final = 2**13
_BLOCK: Final = 2**10  # looks that are computed together
_STARTS: Final = 32  # of the best looks, followed to the end


@dataclass(frozen=True)
class Draw:
    """A function of latent points, and the warp from the parameters to them.

    Args:
        function: f.
        lengths: of the latent box [D].
        powers: a and b of the warp ``T (1 - (1 - x^a)^b)`` of each axis [2, D].
        minimiser: the latent point with the lowest value [D].
        lowest, highest: values of f over the box.
    """

    function: FunctionSample
    lengths: Array
    powers: Array
    minimiser: Array
    lowest: float
    highest: float

    def latent(self, x: Sequence[float] | Array) -> Array:
        """Return the latent points of parameters x [..., D]."""
        return self.lengths * kumaraswamy(np.asarray(x, dtype=np.float64), *self.powers)

    def parameters(self, s: Array) -> Array:
        """Return the parameters x of latent points s [..., D]."""
        return kumaraswamy_inverse(s / self.lengths, *self.powers)

    def value(self, x: Sequence[float] | Array) -> float:
        """Return f at the latent point of parameters x [D]."""
        return float(self.function.values(self.latent(x)[None, :])[0])


@dataclass(frozen=True)
class LatentProblem:
    """Draws of the latent prior to minimise, one for each seed.

    Args:
        name: its name, the dimension at its end.
        dimension: D.
        precision: regret below this counts as this.
    """

    name: str
    dimension: int
    precision: float = COCO_PRECISION

    @property
    def lengths(self) -> Array:
        """The lengths of the latent box, those that the method expects [D]."""
        return np.full(self.dimension, GapPrior().latent_length(self.dimension))

    def draw(self, seed: int) -> Draw:
        """Return the function of a seed."""
        return _drawn(self.dimension, seed)

    def problem(self, method: Method, seed: int) -> Problem:
        """Return the question to put to an optimiser, with parameters x1 to xD."""
        parameters = tuple(Parameter(f"x{j}", 0.0, 1.0) for j in range(1, self.dimension + 1))
        return Problem(parameters, objective="y", noise=True, seed=seed, method=method)

    def observe(self, values: Sequence[float], seed: int, number: int) -> Observation:
        """Evaluate one point ``[D]``; its regret is that of f, without noise.

        Args:
            seed, number: of the run, and of the evaluation within it; the noise follows from both.
        """
        draw = self.draw(seed)
        f = draw.value(values)
        z = f + SIGMA * float(np.random.default_rng([seed, number, Stream.LATENT_NOISE]).normal())
        return Observation(math.sinh(_STEEPNESS * z), max(f - draw.lowest, self.precision))


def prior_draw(dimension: int, rng: np.random.Generator) -> FunctionSample:
    """Return a draw of the latent prior, by random features: a posterior without data."""
    nothing = posterior(np.zeros((0, dimension)), np.zeros(0), np.zeros(0), KERNEL, full=True)
    return function_sample(nothing, dimension, rng)


@lru_cache(maxsize=256)
def _drawn(dimension: int, seed: int) -> Draw:
    rng = np.random.default_rng([seed, dimension, Stream.LATENT_DRAW])
    lengths = LatentProblem("", dimension).lengths
    function = prior_draw(dimension, rng)
    sizes = np.log(rng.uniform(*_POWERS, size=(2, dimension)))
    powers = np.exp(rng.choice([-1.0, 1.0], size=sizes.shape) * sizes)
    looks = qmc.Sobol(dimension, scramble=True, seed=rng).random(_LOOKS) * lengths
    values = np.concatenate([function.values(block) for block in np.split(looks, _LOOKS // _BLOCK)])
    order = np.argsort(values, kind="stable")
    minimiser, lowest = _extreme(function, lengths, looks[order[:_STARTS]], 1.0)
    _, highest = _extreme(function, lengths, looks[order[-_STARTS:]], -1.0)
    return Draw(function, lengths, powers, minimiser, lowest, highest)


def _extreme(function: FunctionSample, lengths: Array, starts: Array, sign: float) -> tuple[Array, float]:
    """Return where the function times a sign is lowest, by descents from some points, and its value there.

    Args:
        lengths: of the box that the descents stay in [D].
        starts: the points [P, D].
    """

    def downhill(s: Array) -> tuple[float, Array]:
        value, gradient = function.values_with_gradients(s[None, :])
        return sign * float(value[0]), sign * gradient[0]

    bounds = [(0.0, length) for length in lengths]
    ends = np.array([minimize(downhill, s, jac=True, method="L-BFGS-B", bounds=bounds).x for s in starts])
    found = function.values(ends)
    best = int(np.argmin(sign * found))
    return ends[best], float(found[best])


LATENT_PROBLEMS: Final = tuple(LatentProblem(f"latent_{dimension}d", dimension) for dimension in (1, 2, 4))
