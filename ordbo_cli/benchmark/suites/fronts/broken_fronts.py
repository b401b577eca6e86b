"""Trades of this project's own: one in steps, one that fails right beside its front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem, Values
from ordbo_cli.benchmark.suites.fronts.sampling import found_front

_STEPS: Final = 24.0  # to a unit of distance
_UNIT: Final = (0.0, 1.0)


def stairs(x: Sequence[float]) -> Values:
    """Return how far a point is from two places, the second seen in a bent metric, in whole 24ths.

    ``floor(24 |x - (0.2, 0.3, 0.6)|)`` and ``floor(24 sqrt(d1^2 + 4 d2^2 + d3^2))`` with
    ``d = x - (0.8, 0.6, 0.3 + 0.4 x1)``.

    Source: this project.
    """
    near = math.dist(x, (0.2, 0.3, 0.6))
    far = math.sqrt((x[0] - 0.8) ** 2 + 4.0 * (x[1] - 0.6) ** 2 + (x[2] - 0.3 - 0.4 * x[0]) ** 2)
    return float(math.floor(_STEPS * near)), float(math.floor(_STEPS * far))


def cliff(x: Sequence[float]) -> Values | None:
    """Return the squared distances from two places; None beyond a wave that runs along the line between them.

    ``|x - (0, 0.5, 0.5)|^2`` and ``|x - (1, 0.5, 0.5)|^2``; it fails where ``x2 > 0.5 + 0.12 sin(2 pi x1)``. So half of
    the trades are where they would be without failures, and half lie at the edge of them.

    Source: this project.
    """
    if x[1] > 0.5 + 0.12 * math.sin(2.0 * math.pi * x[0]):
        return None
    off = (x[1] - 0.5) ** 2 + (x[2] - 0.5) ** 2
    return x[0] ** 2 + off, (x[0] - 1.0) ** 2 + off


BROKEN_FRONTS: Final = (
    FrontProblem("stairs_3d", stairs, (_UNIT,) * 3, partial(found_front, "stairs_3d"), kind="jumps", tune=True),
    FrontProblem("cliff_3d", cliff, (_UNIT,) * 3, partial(found_front, "cliff_3d"), kind="fails", tune=True),
)
