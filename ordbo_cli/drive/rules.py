"""When a run ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.problem import Censored, Problem
from ordbo_cli.problem.several import alone
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.reporting.views import Best, Status


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
        targets: values that are good enough, by the place of the objective; all of them by one result.
        patience: number of evaluations that may pass without anything better.
        stop_when: rules of the next point; the study is asked for them with it.

    Raises:
        UsageError: a target is no finite number.
    """

    budget: int | None = None
    targets: Mapping[int, Decimal] = field(default_factory=dict)
    patience: int | None = None
    stop_when: tuple[StopRule, ...] = ()

    def __post_init__(self) -> None:
        for target in self.targets.values():
            if not target.is_finite():
                raise UsageError(f"the target is {target}", "Give a finite number")

    def left(self, status: Status) -> int | None:
        """Return how many evaluations the budget has left, None where there is no budget."""
        return None if self.budget is None else max(0, self.budget - status.ok - status.failed)

    def on_budget(self, status: Status, problem: Problem) -> str:
        """Return in words what the budget has left for a study that has evaluations already, or that nothing ends it.

        "" where there is nothing to say.
        """
        done, left = status.ok + status.failed, self.left(status)
        if self == Rules():
            return f"no --budget: the run goes on until it is interrupted, or no point is left{_all_enough(problem)}"
        if self.budget is None or not done:
            return ""
        more = f"{left} to go" if left else f"none to go; --budget {done + self.budget} does {self.budget} more"
        are = "is" if done == 1 else "are"
        return f"--budget {self.budget} counts all evaluations of the study: {done} {are} done, {more}"

    def ending(self, problem: Problem, status: Status) -> Ending | None:
        """Return the rule that ends the run now, if any."""
        if self.targets and (found := next((each for each in status.ranking if self._are_met(problem, each)), None)):
            return Ending("done", _met_in_words(problem, found, self.targets))
        if self.left(status) == 0:
            done = status.ok + status.failed
            all_of = f"all {done}" if done == self.budget else f"{done}"
            return Ending("done", f"{all_of} evaluations are done")
        since = _since_best(status.history)
        if self.patience is not None and since >= self.patience:
            return Ending("patience", f"{since} evaluations have brought nothing better")
        return None

    def _are_met(self, problem: Problem, result: Best) -> bool:
        """Return whether a success is as good as all targets."""
        for objective, target in self.targets.items():
            value, _ = _value(problem, result, objective)
            if value is None or (value > target if problem.goals[objective][1] == "minimize" else value < target):
                return False
        return True


def _value(problem: Problem, result: Best, objective: int) -> tuple[Decimal | None, Censored]:
    """Return the value of an objective at a result, and on which side of it that lies where it is only a limit."""
    if objective == 0:
        return result.objective, result.censored
    return censored_value(alone(problem, objective), result.outcomes.get(problem.goals[objective][0], "failed"))


def _met_in_words(problem: Problem, result: Best, targets: Mapping[int, Decimal]) -> str:
    """Return what one result has come to."""
    said: list[str] = []
    for objective, target in targets.items():
        one = alone(problem, objective)
        reached = one.shown(*_value(problem, result, objective))
        of = f"{one.objective} has come to {reached}" if not said else f"{one.objective} to {reached}"
        said.append(f"{of}, the target is {one.shown(target)}")
    where = f" (id {result.id})" if problem.several and result.id is not None else ""
    return "; ".join(said) + where


def _all_enough(problem: Problem) -> str:
    """Return which targets would end a run of a study whose objectives all have a value that is good enough."""
    if not problem.several or None in problem.enoughs:
        return ""
    each = zip(problem.goals, problem.enoughs, strict=True)
    said = [f"--target {name}={alone(problem, k).shown(end)}" for k, ((name, _), end) in enumerate(each)]
    return f"; {' '.join(said)} would end it where one result is good enough in all"


def _since_best(history: Sequence[Decimal | None]) -> int:
    """Return the number of evaluations since the best value so far was found; before any success, of all of them."""
    if not history or history[-1] is None:
        return len(history)
    return len(history) - 1 - history.index(history[-1])
