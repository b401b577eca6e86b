"""The rule by which the model ends a search: read from its text, asked of a point, told in words."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.numbers import PLAIN
from ordbo_cli.problem.spelling import nearest

if TYPE_CHECKING:
    from ordbo_cli.search.prediction import Prediction

CHANCE: Final = "improvement-probability"
RANK: Final = "expected-rank"
_RULE: Final = re.compile(r"([A-Za-z][\w-]*)\s*([<>]=?)\s*(\S+)")
_POSSIBLE: Final = f"Write a name, one of < <= > >=, and a number: '{CHANCE} < 0.01' or '{RANK} > 20'"
_TINY: Final = 1e-6  # a chance below it is told as that
_OPERATORS: Final[dict[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "<": (operator.lt, "below"),
    "<=": (operator.le, "not above"),
    ">": (operator.gt, "above"),
    ">=": (operator.ge, "not below"),
}


@dataclass(frozen=True)
class StopRule:
    """What has to hold of the next point for the search to end.

    Args:
        name: of the figure: the point's chance to beat the best, or its expected rank among the distinct results.
        comparison: ``<``, ``<=``, ``>`` or ``>=``.
        limit: that the figure is compared with.

    Raises:
        UsageError: there is no such figure or comparison, or the figure is always on one side of the limit.
    """

    name: str
    comparison: str
    limit: float

    def __post_init__(self) -> None:
        if self.name not in (CHANCE, RANK):
            guess = nearest(self.name, (CHANCE, RANK))
            hint = _POSSIBLE if guess is None else f"Did you mean {guess}?"
            raise UsageError(f"{self.name!r} is nothing that a stop rule knows", hint)
        if self.comparison not in _OPERATORS:
            raise UsageError(f"{self.comparison!r} is no comparison", _POSSIBLE)
        if not math.isfinite(self.limit):
            raise UsageError(f"the stop rule's limit is {self.limit}", _POSSIBLE)
        if self.name == CHANCE and not 0.0 <= self.limit <= 1.0:
            raise UsageError(f"{CHANCE} is compared with {self.limit!r}", "A probability lies between 0 and 1")
        if self.name == RANK and self.limit < 1.0:
            raise UsageError(f"{RANK} is compared with {self.limit!r}", "Ranks begin at 1, the best")

    @classmethod
    def parse(cls, text: str) -> StopRule:
        """Return the rule that a text says, such as ``improvement-probability < 0.01``.

        Raises:
            UsageError: it says none; the hint says what is possible.
        """
        match = _RULE.fullmatch(text.strip())
        if match is None or not PLAIN.fullmatch(match[3]):
            raise UsageError(f"{text!r} is no stop rule", _POSSIBLE)
        return cls(match[1], match[2], float(match[3]))

    def __str__(self) -> str:
        return f"{self.name} {self.comparison} {self.limit!r}"

    def holds(self, expected: Prediction) -> bool:
        """Return whether it holds of what the model expects at a point."""
        return _OPERATORS[self.comparison][0](self._figure(expected), self.limit)

    def words(self, expected: Prediction) -> str:
        """Return the figure at a point of which it holds, and that it does, in a sentence."""
        figure, limit = _told_apart(self._figure(expected), self.limit, percent=self.name == CHANCE)
        what = "chance to beat the best" if self.name == CHANCE else "expected rank"
        how = _OPERATORS[self.comparison][1]
        return f'the next point\'s {what} is {figure}, {how} {limit}: the rule "{self}" stops here'

    def _figure(self, expected: Prediction) -> float:
        return expected.improvement if self.name == CHANCE else expected.rank


def _told_apart(figure: float, limit: float, *, percent: bool) -> tuple[str, str]:
    """Return both with as few digits, from two on, as tell them apart."""
    scale, sign = (100.0, "%") if percent else (1.0, "")
    exact = f"{limit * scale:.12g}"
    if percent and 0.0 < figure < _TINY <= limit:
        return f"less than {_TINY * scale:g}%", exact + sign
    whole = len(f"{abs(figure * scale):.0f}")
    tries = (f"{figure * scale:.{digits}g}" for digits in range(max(2, whole), 18))
    short = next((each for each in tries if float(each) != float(exact)), exact)
    return short + sign, exact + sign
