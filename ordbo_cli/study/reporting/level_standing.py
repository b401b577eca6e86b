"""How many evaluations there are at each level of fidelity, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ordbo_cli.files.values.numbers import printed

if TYPE_CHECKING:
    from ordbo_cli.study.reading.study_files import StudyFiles


@dataclass(frozen=True)
class LevelStanding:
    """What is known of a level of fidelity.

    Args:
        name: of what decides the level.
        level: its value.
        cost: of an evaluation there, in the unit of the problem's costs, or in seconds; NaN where nobody knows yet.
        ok, failed, pending: evaluations by what became of them.
    """

    name: str
    level: int | float | str
    cost: float
    ok: int = 0
    failed: int = 0
    pending: int = 0

    @property
    def spent(self) -> float:
        """What its evaluations have cost."""
        done = self.ok + self.failed
        return done * self.cost if done else 0.0

    @property
    def text(self) -> str:
        """All that in a few words."""
        counts = ((self.ok, "ok"), (self.failed, "failed"), (self.pending, "pending"))
        said = " and ".join(f"{number} {word}" for number, word in counts if number) or "none"
        return f"{said} at {printed(self.level)}" + (f" (cost {self.spent:.6g})" if self.ok + self.failed else "")


def level_standing(files: StudyFiles) -> tuple[LevelStanding, ...]:
    """Return how many evaluations there are at each level, the lowest first; none where there are no levels."""
    fidelity, ledger = files.fidelity, files.ledger
    if fidelity is None:
        return ()
    last = len(fidelity.levels) - 1
    done = [(last if each.row.level is None else each.row.level, each.row.status) for each in ledger.at_any_level()]
    out = [last if each.level is None else each.level for each in ledger.waiting if not each.is_aside]
    return tuple(
        LevelStanding(fidelity.name, level, cost, done.count((k, "ok")), done.count((k, "failed")), out.count(k))
        for k, (level, cost) in enumerate(zip(fidelity.levels, fidelity.costs, strict=True))
    )


def total_spent(levels: Sequence[LevelStanding]) -> float:
    """Return what all evaluations have cost."""
    return sum(each.spent for each in levels)


def standing_words(levels: Sequence[LevelStanding]) -> str:
    """Return all levels in a line."""
    return f"{levels[0].name}: {', '.join(each.text for each in levels)}; cost {total_spent(levels):.6g} in all"


def room_for(levels: Sequence[LevelStanding], budget: float, out: Sequence[float]) -> int | None:
    """Return how many evaluations a budget in cost has room for at any level; None where nobody knows what one costs.

    Args:
        levels: all of them.
        budget: in the unit of the costs.
        out: costs of evaluations that run, NaN where nobody knows.
    """
    dearest = levels[-1].cost
    if math.isnan(dearest):
        return None if budget > total_spent(levels) else 0
    left = budget - total_spent(levels) - math.fsum(dearest if math.isnan(cost) else cost for cost in out)
    return max(0, math.floor(left / dearest * (1.0 + 1e-12)))
