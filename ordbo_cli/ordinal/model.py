"""The ordinal latent Gaussian process: its parameters and how they are packed into one vector theta.

Both engines implement the same objective on the same theta:
``ELBO(theta) + log prior of the gaps``, with theta = (warp, first edge, output gaps, sigma, mean, spread), after it a
first edge, output gaps and a sigma for each further scale of results.

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
from itertools import chain
from typing import Final

import numpy as np

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.prior import LogGapPrior
from ordbo_cli.ordinal.warp import Logistic, Warp, gap_transform
from ordbo_cli.problem.method import Kernel

LARGEST_OUTPUT_GAP: Final = 2.0
SIGMA: Final = (0.02, 1.0)
SIGMA_ELSEWHERE: Final = (0.02, 4.0)  # of other sources and judges, who may have nothing to say


@dataclass(frozen=True)
class Bins:
    """What is learnt of a scale of results.

    Args:
        first_edge: b_1; without meaning where there is one bin.
        output_gaps: differences of the edges [max(0, K - 2)].
        sigma: latent noise.
    """

    first_edge: float
    output_gaps: Array
    sigma: float

    @classmethod
    def of(cls, edges: Array, sigma: float) -> Bins:
        """Return the bins that finite edges [K - 1] and a noise make."""
        return cls(float(edges[0]) if len(edges) else 0.0, np.diff(edges), sigma)

    def edges(self, bins: int) -> Array:
        """Return the finite bin edges b_1 .. b_{K-1} [K - 1]."""
        if bins < 2:
            return np.zeros(0)
        return self.first_edge + np.concatenate([[0.0], np.cumsum(self.output_gaps)])


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
        others: of further scales of results.
    """

    gaps: Array
    first_edge: float
    output_gaps: Array
    sigma: float
    mean: Array
    spread: Array
    others: tuple[Bins, ...] = ()

    @property
    def bins(self) -> tuple[Bins, ...]:
        """Of all scales, that of the evaluations first."""
        return (Bins(self.first_edge, self.output_gaps, self.sigma), *self.others)

    def edges(self, bins: int) -> Array:
        """Return the finite bin edges b_1 .. b_{K-1} of the evaluations [K - 1]."""
        return self.bins[0].edges(bins)


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
    def output_transforms(self) -> tuple[Logistic, ...]:
        """From theta to the output gaps of each scale."""
        return tuple(gap_transform(scale.bins, LARGEST_OUTPUT_GAP) for scale in self.data.scales)

    @cached_property
    def sigma_transforms(self) -> tuple[Logistic, ...]:
        """From theta to the noise of each scale."""
        return (Logistic(*SIGMA), *(Logistic(*SIGMA_ELSEWHERE) for _ in self.data.others))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of theta's parts."""
        M = self.data.points
        own, *others = ((1, max(0, scale.bins - 2), 1) for scale in self.data.scales)
        return (self.warp.size, *own, M, M, *chain.from_iterable(others))

    @cached_property
    def parts(self) -> tuple[slice, ...]:
        """Where theta's parts stand in it: warp, first edge, output gaps, sigma, mean, spread, then other scales."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False))

    @property
    def mean_part(self) -> slice:
        """Where the means stand in theta."""
        return self.parts[4]

    @property
    def spread_part(self) -> slice:
        """Where the posterior's spread stands in theta."""
        return self.parts[5]

    @cached_property
    def bin_parts(self) -> tuple[tuple[slice, slice, slice], ...]:
        """Where first edge, output gaps and sigma of each scale stand in theta, those of the evaluations first."""
        own, others = self.parts[1:4], self.parts[6:]
        return ((own[0], own[1], own[2]), *zip(others[::3], others[1::3], others[2::3], strict=True))

    def parameters(self, theta: Array) -> Parameters:
        """Return what a vector theta stands for."""
        own, *others = (
            Bins(
                float(theta[first][0]),
                transform.forward(theta[output]),
                float(noise.forward(theta[sigma])[0]),
            )
            for (first, output, sigma), transform, noise in zip(
                self.bin_parts, self.output_transforms, self.sigma_transforms, strict=True
            )
        )
        warp, mean, spread = (theta[part] for part in (self.parts[0], self.mean_part, self.spread_part))
        found = (own.first_edge, own.output_gaps, own.sigma, mean, np.exp(spread))
        return Parameters(self.warp.gaps(warp), *found, tuple(others))

    def theta(self, parameters: Parameters) -> Array:
        """Return the vector of given parameters; values at a bound are taken slightly inside."""
        own, *others = (
            [[b.first_edge], transform.inverse(b.output_gaps), noise.inverse(np.array([b.sigma]))]
            for b, transform, noise in zip(parameters.bins, self.output_transforms, self.sigma_transforms, strict=True)
        )
        parts = [self.warp.theta(parameters.gaps), *own, parameters.mean, np.log(parameters.spread)]
        return np.concatenate([*parts, *chain.from_iterable(others)])
