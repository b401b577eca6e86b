"""What was evaluated below the highest level of fidelity, in memory: each level's results, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Campaign, Evaluation, Suggestion
from ordbo_cli.problem.fidelity import Fidelity
from ordbo_cli.problem.spelling import meant, quoted


class LevelsBelow:
    """The levels of a search that are not the highest one.

    Args:
        fidelity: all levels; None where there is one.

    ``spent`` is what they have cost, or will once what is out comes back, since the last result at the highest level,
    in evaluations there.
    """

    def __init__(self, fidelity: Fidelity | None) -> None:
        self.fidelity = fidelity
        self.spent = 0.0
        self._out: dict[int, int] = {}
        self._results: dict[int, tuple[Evaluation, ...]] = {}

    @property
    def campaigns(self) -> tuple[Campaign, ...]:
        """The results of each level that has any, the lowest level first."""
        levels = self.fidelity.levels if self.fidelity else ()
        return tuple(Campaign(levels[k], found, k) for k, found in sorted(self._results.items()))

    def named(self, suggestion: Suggestion) -> Suggestion:
        """Return a point with the level at which it is to be evaluated among its parameters."""
        if self.fidelity is None:
            return suggestion
        level = self.fidelity.levels[self._out.get(suggestion.id, -1)]
        return replace(suggestion, parameters={**suggestion.parameters, self.fidelity.name: level})

    def asked(self, id: int, level: int | None) -> None:
        """Count the cost of a point that is handed out for a level, None the highest."""
        if self.fidelity is not None and level is not None:
            self._out[id] = level
            self.spent += self.fidelity.share(level)

    def apart(self, point: Any) -> tuple[Any, int | None]:
        """Return a point without its level, and the level, None the highest; a point that names none is of that.

        Raises:
            UsageError: there is no such level.
        """
        if self.fidelity is None or not isinstance(point, Mapping) or self.fidelity.name not in point:
            return point, None
        name, levels = self.fidelity.name, self.fidelity.levels
        word = str(point[name])
        if word not in levels:
            raise UsageError(f"{name}: {quoted(word)} is no level", meant(word, levels))
        level = levels.index(word)
        rest = {key: value for key, value in point.items() if key != name}
        return rest, None if level == len(levels) - 1 else level

    def tell(self, evaluation: Evaluation, level: int | None) -> bool:
        """Take a result, and return whether it was one of a lower level."""
        if level is None:
            self.spent = 0.0
            return False
        self._results[level] = (*self._results.get(level, ()), evaluation)
        return True
