"""Points of fronts: the best of many, and those that a search has found, which stand in ``found_fronts.json``.

``tests/bench/front_references.py`` finds them again.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array

FOUND: Final = Path(__file__).with_name("found_fronts.json")


def not_dominated(Y: Array) -> Array:
    """Return the values that none dominates, each once, in rising order of the first objective.

    Args:
        Y: values, all to be minimised [N, K].

    Returns:
        Some of them [F, K].
    """
    left = np.unique(Y, axis=0)  # in order of the first, then the second, ...: what dominates comes before
    place = 0
    while place < len(left):
        beaten = np.all(left >= left[place], axis=1)
        beaten[place] = False
        left = left[~beaten]
        place += 1
    return left


def best_of(Y: Array, most: int) -> Array:
    """Return some of the values that none dominates, spread out over their ranges, the ends included.

    Args:
        Y: values, all to be minimised [N, K].
        most: how many at most.

    Returns:
        At most that many of them [F, K].
    """
    front = not_dominated(Y)
    if len(front) <= most:
        return front
    shares = (front - front.min(axis=0)) / np.maximum(np.ptp(front, axis=0), np.finfo(np.float64).tiny)
    chosen = [int(np.argmin(shares[:, k])) for k in range(front.shape[1])]
    away = np.min([np.linalg.norm(shares - shares[place], axis=1) for place in chosen], axis=0)
    while len(chosen) < most:  # the one that is farthest from all that are chosen
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(shares - shares[chosen[-1]], axis=1))
    return not_dominated(front[chosen])


def found_front(name: str) -> Array:
    """Return the points of a problem's front that a search has found [F, K]."""
    return np.array(_found()[name], dtype=np.float64)


@cache
def _found() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FOUND.read_text(encoding="utf-8"))
    return found
