"""Results of which only a limit is known, as a simulation was stopped early: above it, or below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Goal = Literal["minimize", "maximize"]
Censored = Literal["", "above", "below"]
"""On which side of its limit a result lies; "" where it is known."""

SIGNS: Final[Mapping[Censored, str]] = {"": "", "above": ">", "below": "<"}
TURNED: Final[Mapping[Censored, Censored]] = {"": "", "above": "below", "below": "above"}
"""The side where the axis of the values is turned."""


def is_bad_side(censored: Censored, goal: Goal) -> bool:
    """Return whether a result that is known by a limit lies on the limit's bad side."""
    return bool(censored) and (censored == "above") == (goal == "minimize")
