"""When a run ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.reporting.views import Status


@dataclass(frozen=True)
class Ending:
    """Why a run has ended.

    Args:
        kind: ``done`` where it came to its budget or target, ``rule`` where a stop rule holds of the next point.
        words: for people.
    """

    kind: Literal["done", "patience", "exhausted", "rule", "stopped"]
    words: str = ""


@dataclass(frozen=True)
class Rules:
    """The rules that end a run. They look at the whole study, so that a run that was cut goes on to the same end.

    Args:
        budget: number of evaluations, failures among them and those of earlier runs.
        target: value of the objective that is good enough.
        patience: number of evaluations that may pass without anything better.
        stop_when: rules of the next point; the study is asked for them with it.

    Raises:
        UsageError: the target is no finite number.
    """

    budget: int | None = None
    target: Decimal | None = None
    patience: int | None = None
    stop_when: tuple[StopRule, ...] = ()

    def __post_init__(self) -> None:
        if self.target is not None and not self.target.is_finite():
            raise UsageError(f"the target is {self.target}", "Give a finite number")

    def left(self, status: Status) -> int | None:
        """Return how many evaluations the budget has left, None where there is no budget."""
        return None if self.budget is None else max(0, self.budget - status.ok - status.failed)

    def on_budget(self, status: Status) -> str:
        """Return in words what the budget has left for a study that has evaluations already, or that nothing ends it.

        "" where there is nothing to say.
        """
        done, left = status.ok + status.failed, self.left(status)
        if self == Rules():
            return "no --budget: the run goes on until it is interrupted, or no point is left"
        if self.budget is None or not done:
            return ""
        more = f"{left} to go" if left else f"none to go; --budget {done + self.budget} does {self.budget} more"
        are = "is" if done == 1 else "are"
        return f"--budget {self.budget} counts all evaluations of the study: {done} {are} done, {more}"

    def ending(self, problem: Problem, status: Status) -> Ending | None:
        """Return the rule that ends the run now, if any."""
        best = status.best.objective if status.best else None
        if best is not None and self._is_good_enough(problem, best):
            assert status.best is not None
            assert self.target is not None
            one, other = problem.shown(best, status.best.censored), problem.shown(self.target)
            return Ending("done", f"{problem.objective} has come to {one}, the target is {other}")
        if self.left(status) == 0:
            done = status.ok + status.failed
            all_of = f"all {done}" if done == self.budget else f"{done}"
            return Ending("done", f"{all_of} evaluations are done")
        since = _since_best(status.history)
        if self.patience is not None and since >= self.patience:
            return Ending("patience", f"{since} evaluations have brought nothing better")
        return None

    def _is_good_enough(self, problem: Problem, value: Decimal) -> bool:
        if self.target is None:
            return False
        return value <= self.target if problem.goal == "minimize" else value >= self.target


def _since_best(history: Sequence[Decimal | None]) -> int:
    """Return the number of evaluations since the best value so far was found; before any success, of all of them."""
    if not history or history[-1] is None:
        return len(history)
    return len(history) - 1 - history.index(history[-1])
