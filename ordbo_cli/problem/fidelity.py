"""Levels of a simulation: cheap and wrong, or dear and right."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.brief import Brief


@dataclass(frozen=True, repr=False)
class Fidelity(Brief):
    """How well a point may be evaluated, and what that costs.

    Args:
        name: of what decides it, a column of the evaluations: ``mesh``.
        levels: its values, the highest last: what the study is about are results of that one.
        costs: of an evaluation at each level, in one unit, whatever that is.

    Raises:
        ProblemError: there are not two levels, or one twice, or there is not one cost above 0 for each, or a lower
            level costs as much as the highest.
    """

    name: str
    levels: tuple[str, ...]
    costs: tuple[float, ...]

    def __post_init__(self) -> None:
        what = f"fidelity {self.name!r}"
        if len(self.levels) < 2 or len(set(self.levels)) < len(self.levels):
            raise ProblemError(f"{what} has the levels {', '.join(self.levels)}", "Give two or more, each once")
        if len(self.costs) != len(self.levels):
            raise ProblemError(f"{what}: {len(self.levels)} levels, {len(self.costs)} costs", "Give one for each")
        if not all(math.isfinite(cost) and cost > 0.0 for cost in self.costs):
            raise ProblemError(f"{what} has costs that are not above 0", "Give what an evaluation costs at each level")
        if max(self.costs[:-1]) >= self.costs[-1]:
            raise ProblemError(f"{what}: a lower level costs as much as the highest", "Name the highest level last")

    @property
    def highest(self) -> str:
        """The level that the study is about."""
        return self.levels[-1]

    def share(self, level: int) -> float:
        """Return what an evaluation at a level costs, in evaluations at the highest one."""
        return self.costs[level] / self.costs[-1]
