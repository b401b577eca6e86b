"""What was evaluated below the highest level of fidelity, in memory: each level's results, and what they cost."""

from __future__ import annotations

from ordbo_cli.problem import Campaign, Evaluation, Fidelity


class LevelsInMemory:
    """The levels of a search without files.

    Args:
        fidelity: all of them; None where there is one.
    """

    def __init__(self, fidelity: Fidelity | None) -> None:
        self._fidelity = fidelity
        self._out: dict[int, int] = {}
        self._arrived: list[tuple[Evaluation, int | None]] = []

    @property
    def campaigns(self) -> tuple[Campaign, ...]:
        """The results of each level below the highest that has any."""
        return self._fidelity.campaigns(self._arrived) if self._fidelity else ()

    @property
    def spent(self) -> float:
        """What these have cost since the last result at the highest level, in evaluations there."""
        levels = (level for _, level in self._arrived)
        return self._fidelity.spent(levels, self._out.values()) if self._fidelity else 0.0

    def asked(self, id: int, level: int | None) -> None:
        """Take note of the level that a point is handed out for, None for the highest."""
        if level is not None:
            self._out[id] = level

    def of(self, id: int) -> dict[str, int | float | str]:
        """Return the level of a point that is out by the name of what decides it; nothing for the highest."""
        return self._fidelity.named(self._out.get(id)) if self._fidelity else {}

    def tell(self, evaluation: Evaluation, level: int | None) -> None:
        """Take a result."""
        self._out.pop(evaluation.id or 0, None)
        self._arrived.append((evaluation, level))
