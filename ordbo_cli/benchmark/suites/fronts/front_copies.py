"""Copies of test problems, each objective seen through a transform of its own that keeps its order.

``exp`` keeps it strictly, and so do ``log`` and ``cube``: no method that goes by order alone can tell the copy from the
problem. ``clip`` does not: results above a limit cannot be told apart any more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from ordbo_cli.benchmark.distortions.distorted import AT
from ordbo_cli.benchmark.distortions.lens import Lens
from ordbo_cli.benchmark.distortions.result_lenses import Clip, Cube, Log
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem

WAYS: Final = ("exp", "log", "cube", "clip")
LOSSY: Final = ("clip",)
_RATE: Final = 7.0  # of exp, over the extent of a front
_LOOKS: Final = 63  # points of the sample that limits are taken from


@dataclass(frozen=True)
class Exp(Lens):
    """``exp(7 (y - best) / extent) - 1`` of a value, by the best and the extent of the front."""

    best: float
    extent: float

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return math.expm1(_RATE * (y - self.best) / self.extent)


def front_copy(problem: FrontProblem, how: str, *, tune: bool) -> FrontProblem:
    """Return a problem as a method sees it through a transform of each objective.

    Args:
        problem: as it is.
        how: exp, log, cube or clip.
        tune: whether settings of the method may be chosen by it.
    """
    name = f"{problem.name}{AT}{how}"
    return replace(problem, name=name, kind="distorted", tune=tune, origin=problem, through=partial(_lenses, how))


def _lenses(how: str, problem: FrontProblem) -> Sequence[Lens]:
    """Return a lens for each objective; a limit of clip is the median of a sample, or the worst of the front."""
    best, extent = problem.front.min(axis=0).tolist(), problem.extent.tolist()
    if how == "log":
        return [Log(low, 1e-3 * width) for low, width in zip(best, extent, strict=True)]
    if how == "cube":
        return [Cube(low) for low in best]
    if how == "exp":
        return [Exp(low, width) for low, width in zip(best, extent, strict=True)]
    low, high = np.array(problem.bounds).T
    sample = low + (high - low) * np.random.default_rng(0).random((_LOOKS, len(low)))
    told = np.array([y for y in map(problem.true, sample.tolist()) if y is not None])
    return [Clip(limit) for limit in np.maximum(np.median(told, axis=0), problem.front.max(axis=0)).tolist()]
