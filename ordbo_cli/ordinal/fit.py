"""A fitted model: what is kept of it, and read again by the next step.

======  ========================================================  ========
symbol  meaning                                                   shape
======  ========================================================  ========
N       evaluations
M       distinct points of them
D       latent axes
n_j     knots of axis j
K       distinct ranks
======  ========================================================  ========
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from ordbo_cli.ordinal.data import Comparisons, OrdinalData, Scale
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.model import Bins, Parameters
from ordbo_cli.ordinal.posterior import Posterior, posterior
from ordbo_cli.problem.method import EngineKind, Kernel


@dataclass(frozen=True)
class FittedScale:
    """What a fit learnt of results that are compared with each other.

    Args:
        scale: the results.
        edges: finite bin edges [K - 1].
        sigma: latent noise.
    """

    scale: Scale
    edges: Array
    sigma: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, exact as JSON."""
        plain = {name: _plain(value) for name, value in vars(self.scale).items() if name in ("point", "rank", "worst")}
        return {**plain, "edges": self.edges.tolist(), "sigma": self.sigma}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> FittedScale:
        """Return what a dictionary stands for.

        Raises:
            KeyError, TypeError, ValueError: it does not.
        """
        point, rank, worst = (np.array(plain[name], dtype=np.int64) for name in ("point", "rank", "worst"))
        return cls(Scale(point, rank, worst), np.array(plain["edges"], dtype=np.float64), float(plain["sigma"]))

    def consistent(self, points: int) -> bool:
        """Return whether the parts belong together, and to so many distinct points."""
        scale = self.scale
        return (
            scale.point.shape == scale.rank.shape == scale.worst.shape
            and _within(scale.point, points)
            and _rising(self.edges)
            and _within(scale.worst, len(self.edges) + 1)
            and bool(np.all((scale.rank >= 0) & (scale.rank <= scale.worst)))
            and math.isfinite(self.sigma)
            and self.sigma > 0
        )


@dataclass(frozen=True)
class Fit:
    """A fitted model: enough to predict from, and for the next step to start from.

    Args:
        knots, coordinates: of each dimension, in the user's units and in the latent space [n_j].
        index: place of each distinct point among the knots [M, D].
        point, rank, worst: of each evaluation [N].
        comparisons: of distinct points.
        mean, spread: the variational posterior at the distinct points [M].
        edges: finite bin edges [K - 1].
        sigma: latent noise.
        full: whether ``spread`` holds precisions of a full covariance instead of variances.
        value: ELBO plus log prior of the gaps.
        engine: that computed it.
        shaped_by: digest of every setting that shaped it, see :func:`shaping`.
        others: further scales of results.
    """

    knots: tuple[Array, ...]
    coordinates: tuple[Array, ...]
    index: IntArray
    point: IntArray
    rank: IntArray
    worst: IntArray
    comparisons: Comparisons
    mean: Array
    spread: Array
    edges: Array
    sigma: float
    full: bool
    value: float
    engine: EngineKind
    shaped_by: str = ""
    others: tuple[FittedScale, ...] = ()

    @property
    def scales(self) -> tuple[FittedScale, ...]:
        """All scales, that of the evaluations first."""
        return (FittedScale(Scale(self.point, self.rank, self.worst), self.edges, self.sigma), *self.others)

    @property
    def S(self) -> Array:
        """Latent coordinates of the distinct points [M, D]."""
        return np.stack([s[self.index[:, j]] for j, s in enumerate(self.coordinates)], axis=1)

    @property
    def data(self) -> OrdinalData:
        """What it is fitted to."""
        others = tuple(other.scale for other in self.others)
        return OrdinalData(self.knots, self.index, self.point, self.rank, self.worst, self.comparisons, others)

    @property
    def parameters(self) -> Parameters:
        """What was learnt, as the model has it."""
        gaps = np.concatenate([np.diff(s) for s in self.coordinates])
        own, *others = (Bins.of(each.edges, each.sigma) for each in self.scales)
        return Parameters(gaps, own.first_edge, own.output_gaps, own.sigma, self.mean, self.spread, tuple(others))

    def posterior(self, kernel: Kernel) -> Posterior:
        """Return the latent process after the data."""
        return posterior(self.S, self.mean, self.spread, kernel, full=self.full)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, exact as JSON; on censored results and comparisons if there are any."""
        apart = ("worst", "comparisons", "others")
        plain = {name: _plain(value) for name, value in vars(self).items() if name not in apart}
        if np.any(self.worst != self.rank):
            plain["worst"] = self.worst.tolist()
        if len(self.comparisons):
            kept = {name: _plain(value) for name, value in vars(self.comparisons).items()}
            plain["comparisons"] = {n: v for n, v in kept.items() if n != "scale" or any(v)}
        if self.others:
            plain["others"] = [other.to_dict() for other in self.others]
        return plain

    @staticmethod
    def from_dict(plain: Mapping[str, Any], dimension: int) -> Fit | None:
        """Return the fit that a dictionary stands for, or None where it does not fit a problem of D parameters."""
        try:
            fit = Fit(
                knots=tuple(np.array(u, dtype=np.float64) for u in plain["knots"]),
                coordinates=tuple(np.array(s, dtype=np.float64) for s in plain["coordinates"]),
                index=np.array(plain["index"], dtype=np.int64).reshape(-1, dimension),
                point=np.array(plain["point"], dtype=np.int64),
                rank=np.array(plain["rank"], dtype=np.int64),
                worst=np.array(plain.get("worst", plain["rank"]), dtype=np.int64),
                comparisons=_comparisons(plain.get("comparisons")),
                mean=np.array(plain["mean"], dtype=np.float64),
                spread=np.array(plain["spread"], dtype=np.float64),
                edges=np.array(plain["edges"], dtype=np.float64),
                sigma=float(plain["sigma"]),
                full=plain["full"],
                value=float(plain["value"]),
                engine=plain["engine"],
                shaped_by=str(plain.get("shaped_by", "")),
                others=tuple(FittedScale.from_dict(other) for other in plain.get("others", ())),
            )
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            return None
        return fit if fit._consistent(dimension) else None

    def _consistent(self, dimension: int) -> bool:
        """Return whether the parts belong together."""
        M = len(self.index)
        return (
            len(self.knots) == len(self.coordinates) == dimension
            and all(u.shape == s.shape for u, s in zip(self.knots, self.coordinates, strict=True))
            and all(_rising(numbers) for numbers in (*self.knots, *self.coordinates))
            and all(_within(self.index[:, j], len(u)) for j, u in enumerate(self.knots))
            and all(each.consistent(M) for each in self.scales)
            and self.comparisons.better.shape == self.comparisons.worse.shape == self.comparisons.weight.shape
            and self.comparisons.scale.shape == self.comparisons.weight.shape
            and _within(self.comparisons.scale, 1 + len(self.others))
            and _within(self.comparisons.better, M)
            and _within(self.comparisons.worse, M)
            and bool(np.all(self.comparisons.weight > 0))
            and self.mean.shape == self.spread.shape == (M,)
            and bool(np.all(np.isfinite([*self.mean, *self.spread, *self.comparisons.weight, self.value])))
            and bool(np.all(self.spread > 0))
            and isinstance(self.full, bool)
            and self.engine in get_args(EngineKind)
        )

    def is_of(self, data: OrdinalData, shaped_by: str) -> bool:
        """Return whether it is the fit to these very data, under the same settings."""
        return (
            self.shaped_by == shaped_by
            and all(np.array_equal(u, v) for u, v in zip(self.knots, data.knots, strict=True))
            and np.array_equal(self.index, data.index)
            and self.comparisons.equal(data.comparisons)
            and len(self.others) == len(data.others)
            and all(mine.scale.equal(theirs) for mine, theirs in zip(self.scales, data.scales, strict=True))
        )


def _rising(numbers: Array) -> bool:
    """Return whether these are finite numbers in a row, each above the one before."""
    return numbers.ndim == 1 and bool(np.all(np.isfinite(numbers)) and np.all(np.diff(numbers) > 0))


def _within(index: IntArray, length: int) -> bool:
    """Return whether these are places in a sequence of so many."""
    return index.ndim == 1 and bool(np.all((index >= 0) & (index < length)))


def _comparisons(plain: Mapping[str, Any] | None) -> Comparisons:
    """Return the comparisons that plain lists stand for."""
    if plain is None:
        return Comparisons.none()
    better, worse = (np.array(plain[name], dtype=np.int64) for name in ("better", "worse"))
    scale = np.array(plain.get("scale", [0] * len(better)), dtype=np.int64)
    return Comparisons(better, worse, np.array(plain["weight"], dtype=np.float64), scale)


def _plain(value: Any) -> Any:
    """Return an array or a tuple of arrays as lists, anything else as it is."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value
