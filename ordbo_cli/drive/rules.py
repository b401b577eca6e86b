"""When a run ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Censored, Problem
from ordbo_cli.problem.several import alone
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.reporting.level_standing import room_for, total_spent
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
        budget: number of evaluations, failures among them and those of earlier runs; with levels of fidelity what all
            of them may cost.
        targets: values that are good enough, by the place of the objective; all of them by one result.
        patience: number of evaluations that may pass without anything better.
        stop_when: rules of the next point; the study is asked for them with it.

    Raises:
        UsageError: a target is no finite number.
    """

    budget: float | None = None
    targets: Mapping[int, Decimal] = field(default_factory=dict)
    patience: int | None = None
    stop_when: tuple[StopRule, ...] = ()

    def __post_init__(self) -> None:
        for target in self.targets.values():
            if not target.is_finite():
                raise UsageError(f"the target is {target}", "Give a finite number")

    def room(self, status: Status, out: Sequence[int | None] = ()) -> int | None:
        """Return how many evaluations the budget has room for; None where there is no budget.

        With levels of fidelity those at the highest level count, as nobody knows which one the next point is for.

        Args:
            status: of the study.
            out: levels of the evaluations that run, None for the highest.
        """
        if self.budget is None:
            return None
        if not status.levels:
            return max(0, int(self.budget) - status.ok - status.failed - len(out))
        costs = [status.levels[-1 if level is None else level].cost for level in out]
        return room_for(status.levels, self.budget, costs)

    def left(self, status: Status) -> int:
        """Return about how many evaluations are left, by what one has cost so far; 0 where there is no budget."""
        if self.budget is None or not status.levels:
            return self.room(status) or 0
        spent, done = total_spent(status.levels), status.ok + status.failed
        return round(max(0.0, self.budget - spent) / (spent / done)) if spent > 0.0 else 0

    def progress(self, status: Status) -> str:
        """Return how far the study is: evaluations, or with levels of fidelity what they have cost, of the budget."""
        done = f"{status.ok + status.failed}"
        if self.budget is None:
            return done
        if not status.levels:
            return f"{done} of {self.budget}"
        return f"{done} (cost {total_spent(status.levels):.6g} of {self.budget:g})"

    def on_budget(self, status: Status, problem: Problem) -> str:
        """Return in words what the budget has left for a study that has evaluations already, or that nothing ends it.

        "" where there is nothing to say.
        """
        done = status.ok + status.failed
        if self == Rules():
            return f"no --budget: the run goes on until it is interrupted, or no point is left{_all_enough(problem)}"
        if self.budget is None or not done:
            return ""
        if status.levels:
            cost = f"{total_spent(status.levels):.6g}"
            return f"--budget {self.budget:g} is what all evaluations of the study may cost: {done} have cost {cost}"
        left = self.left(status)
        more = f"{left} to go" if left else f"none to go; --budget {done + self.budget} does {self.budget} more"
        are = "is" if done == 1 else "are"
        return f"--budget {self.budget} counts all evaluations of the study: {done} {are} done, {more}"

    def ending(self, problem: Problem, status: Status) -> Ending | None:
        """Return the rule that ends the run now, if any."""
        if self.targets and (found := next((each for each in status.ranking if self._are_met(problem, each)), None)):
            return Ending("done", _met_in_words(problem, found, self.targets))
        if self.room(status) == 0:
            return Ending("done", self._spent_in_words(status))
        since = _since_best(status.history)
        if self.patience is not None and since >= self.patience:
            return Ending("patience", f"{since} evaluations have brought nothing better")
        return None

    def _spent_in_words(self, status: Status) -> str:
        """Return that the budget has come to its end."""
        done = status.ok + status.failed
        if not status.levels:
            return f"{f'all {done}' if done == self.budget else f'{done}'} evaluations are done"
        top = status.levels[-1]
        spent = f"{done} evaluations have cost {total_spent(status.levels):.6g} of {self.budget:g}"
        return f"{spent}, and one at {top.name} = {printed(top.level)} costs {top.cost:.6g}"

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
