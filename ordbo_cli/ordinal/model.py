"""The ordinal latent Gaussian process: its parameters and how they are packed into one vector theta.

Both engines implement the same objective on the same theta:
``ELBO(theta) + log prior of the gaps``, with theta = (warp, first edge, output gaps, sigma, mean, spread).

=========  =======================================================================  =======
symbol     meaning                                                                  shape
=========  =======================================================================  =======
N          evaluations
M          distinct points of them
G          gaps of all axes
theta      unconstrained numbers, in the order above                                [parts]
delta      gaps between neighbouring knots, positive                                [G]
b          bin edges: the first one, then output gaps summed                        [K - 1]
sigma      latent noise
m, spread  mean of q; its variances, or the precisions lambda of a full covariance  [M]
=========  =======================================================================  =======
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.prior import LogGapPrior
from ordbo_cli.ordinal.warp import Logistic, Warp, gap_transform
from ordbo_cli.problem.method import Kernel

LARGEST_OUTPUT_GAP: Final = 2.0
SIGMA: Final = (0.02, 1.0)
SIGMA_TRANSFORM: Final = Logistic(*SIGMA)


@dataclass(frozen=True)
class Parameters:
    """What is learnt, in the model's own units.

    Args:
        gaps: input gaps of all dimensions [G].
        first_edge: b_1; without meaning where there is one bin.
        output_gaps: differences of the edges [max(0, K - 2)].
        sigma: latent noise.
        mean: m, the posterior mean at the distinct points [M].
        spread: the posterior's other M numbers, positive: variances v for a diagonal posterior, precisions lambda of
            ``Sigma = (K^-1 + diag(lambda))^-1`` for a full one [M].
    """

    gaps: Array
    first_edge: float
    output_gaps: Array
    sigma: float
    mean: Array
    spread: Array

    def edges(self, bins: int) -> Array:
        """Return the finite bin edges b_1 .. b_{K-1} [K - 1]."""
        if bins < 2:
            return np.zeros(0)
        return self.first_edge + np.concatenate([[0.0], np.cumsum(self.output_gaps)])


@dataclass(frozen=True)
class Model:
    """Everything about the objective that stays fixed while theta is fitted.

    Args:
        data: ranks of inputs and outputs.
        kernel: prior covariance of the latent function.
        full: whether the posterior covariance is full instead of diagonal.
        warp: from theta to the input gaps.
        input_prior, output_prior: of the gaps; None for free gaps.
    """

    data: OrdinalData
    kernel: Kernel
    full: bool
    warp: Warp
    input_prior: LogGapPrior | None
    output_prior: LogGapPrior | None

    @cached_property
    def output_transform(self) -> Logistic:
        """From theta to the output gaps."""
        return gap_transform(self.data.bins, LARGEST_OUTPUT_GAP)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of theta's six parts."""
        M, K = self.data.points, self.data.bins
        return self.warp.size, 1, max(0, K - 2), 1, M, M

    @cached_property
    def parts(self) -> tuple[slice, ...]:
        """Where theta's six parts stand in it."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False))

    def split(self, theta: Array) -> list[Array]:
        """Return theta's parts: warp, first edge, output gaps, sigma, mean, spread."""
        return [theta[part] for part in self.parts]

    def parameters(self, theta: Array) -> Parameters:
        """Return what a vector theta stands for."""
        warp, first_edge, output, sigma, mean, spread = self.split(theta)
        return Parameters(
            self.warp.gaps(warp),
            float(first_edge[0]),
            self.output_transform.forward(output),
            float(SIGMA_TRANSFORM.forward(sigma)[0]),
            mean,
            np.exp(spread),
        )

    def theta(self, parameters: Parameters) -> Array:
        """Return the vector of given parameters; values at a bound are taken slightly inside."""
        return np.concatenate(
            [
                self.warp.theta(parameters.gaps),
                [parameters.first_edge],
                self.output_transform.inverse(parameters.output_gaps),
                SIGMA_TRANSFORM.inverse(np.array([parameters.sigma])),
                parameters.mean,
                np.log(parameters.spread),
            ]
        )
