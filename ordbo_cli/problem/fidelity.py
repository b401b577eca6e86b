"""Levels of a simulation: cheap and wrong, or dear and right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.evaluation import Campaign, Evaluation
from ordbo_cli.problem.parameter import Level

_LEAST: Final = 1e-9  # of what an evaluation costs at the highest level


@dataclass(frozen=True, repr=False)
class Fidelity(Brief):
    """How well a point may be evaluated, and what that costs.

    Args:
        name: of what decides it, a column of the evaluations: ``mesh``.
        levels: its values, numbers or words, the highest last: what the study is about are results of that one.
        costs: of an evaluation at each level, in one unit, whatever that is; empty where they are the seconds that
            evaluations are seen to take.
        is_timed: whether the costs are such seconds, NaN for a level that has none yet.

    Raises:
        ProblemError: there are not two levels, or one twice, as a cell is read, or there is not one cost above 0 for
            each, or a lower level costs as much as the highest, or next to nothing beside it.
    """

    name: str
    levels: tuple[Level, ...]
    costs: tuple[float, ...] = ()
    is_timed: bool = False

    def __post_init__(self) -> None:
        what = f"fidelity {self.name!r}"
        if len(self.levels) < 2 or len(set(map(_read_back, self.levels))) < len(self.levels):
            levels = ", ".join(map(str, self.levels))
            raise ProblemError(f"{what} has the levels {levels}", "Give two or more, each once, the highest last")
        if self.is_timed or not self.costs:
            return
        if len(self.costs) != len(self.levels):
            raise ProblemError(f"{what}: {len(self.levels)} levels, {len(self.costs)} costs", "Give one for each")
        if not all(math.isfinite(cost) and cost > 0.0 for cost in self.costs):
            raise ProblemError(f"{what} has costs that are not above 0", "Give what an evaluation costs at each level")
        if max(self.costs[:-1]) >= self.costs[-1]:
            raise ProblemError(f"{what}: a lower level costs as much as the highest", "Name the highest level last")
        if min(self.costs) < _LEAST * self.costs[-1]:
            message = f"{what}: a level costs {min(self.costs):g}, the highest {self.costs[-1]:g}"
            raise ProblemError(message, f"What costs less than {_LEAST:g} of that costs nothing: say {_LEAST:g} of it")

    @property
    def highest(self) -> Level:
        """The level that the study is about."""
        return self.levels[-1]

    @property
    def untimed(self) -> int | None:
        """The lowest level whose cost is not known yet, of those below the highest; None where all are."""
        return next((k for k, cost in enumerate(self.costs[:-1]) if math.isnan(cost)), None)

    def timed(self, seconds: Sequence[tuple[int | None, float | None]]) -> Fidelity:
        """Return the levels with the median seconds of evaluations as costs, unless they have costs.

        A level whose evaluations came without seconds counts as the dearest one that is known, and none costs less
        than a share of that.

        Args:
            seconds: that each evaluation took, None where nobody knows, with its level, None for the highest.
        """
        if self.costs and not self.is_timed:
            return self
        last = len(self.levels) - 1
        each = [[x for level, x in seconds if (last if level is None else level) == k] for k in range(last + 1)]
        known = [[x for x in some if x is not None and x > 0.0] for some in each]
        dearest = max((median(some) for some in known if some), default=1.0)
        costs = (
            max(median(some), _LEAST * dearest) if some else dearest if all_ else math.nan
            for some, all_ in zip(known, each, strict=True)
        )
        return replace(self, costs=tuple(costs), is_timed=True)

    def below(self, value: object) -> int | None:
        """Return the place of a lower level; None for any other value, the highest level among them."""
        return self.levels.index(value) if value in self.levels[:-1] else None

    def named(self, level: int | None) -> dict[str, Level]:
        """Return what a point at a lower level has beside its parameters, by name; nothing at the highest, None."""
        return {} if level is None else {self.name: self.levels[level]}

    def share(self, level: int) -> float:
        """Return what an evaluation at a level costs, in evaluations at the highest one."""
        return self.costs[level] / self.costs[-1]

    def cost(self, level: int | None) -> float:
        """Return what an evaluation at a level costs, None the highest."""
        return self.costs[-1 if level is None else level]

    def campaigns(self, results: Sequence[tuple[Evaluation, int | None]]) -> tuple[Campaign, ...]:
        """Return the results of each lower level that has any as a campaign, the lowest level first.

        Args:
            results: with the level of each, None for the highest, in order of arrival.
        """
        found = {k: tuple(each for each, level in results if level == k) for k in range(len(self.levels) - 1)}
        return tuple(Campaign(f"{self.name}={self.levels[k]}", each, k) for k, each in found.items() if each)

    def opens_below(self, initial: int) -> bool:
        """Return whether the initial design is evaluated at the lowest level: all of it costs no more than one above.

        Args:
            initial: how many points it has.
        """
        return initial * self.share(0) <= 1.0

    def notes(self, initial: int) -> tuple[str, ...]:
        """Return what people should know of levels that are never asked for by themselves; nothing of others.

        Args:
            initial: how many points the initial design has.
        """
        if not self.costs or self.is_timed or self.opens_below(initial):
            return ()
        low, high = self.levels[0], self.levels[-1]
        return (
            f"fidelity: the search asks for no level below {high} until there are results of one:"
            f" the {initial} points of the initial design cost more at {low} than one at {high}",
        )

    def of_design(self, initial: int, highest: int, lowest: int) -> int | None:
        """Return the level at which the next point of the initial design is evaluated; None for the highest.

        Where costs are the time that evaluations take, the first points are evaluated at one level each.

        Args:
            initial: how many points it has.
            highest: results that there are at the highest level.
            lowest: results at the lowest, and all points that are out.
        """
        if self.untimed is not None:
            return self.untimed
        if highest > self.is_timed or not self.opens_below(initial):
            return None
        return 0 if lowest < initial else None

    def spent(self, arrived: Iterable[int | None], out: Iterable[int | None]) -> float:
        """Return what lower levels have cost since the last result at the highest, in evaluations there.

        Args:
            arrived: the level of each result, in order of arrival, None for the highest.
            out: that of each point that is out; they cost once they come back.
        """
        total = 0.0
        for level in arrived:
            total = 0.0 if level is None else total + self.share(level)
        return total + sum(self.share(level) for level in out if level is not None)


def _read_back(level: Level) -> float | str:
    """Return a level as a cell that holds it is read: a word that spells a number is that number, too."""
    try:
        return float(level)
    except ValueError:
        return str(level)
