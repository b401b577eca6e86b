"""What is optimised, and what is known of it: frozen values, checked when they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.censored import Censored, Goal, is_bad_side
from ordbo_cli.problem.evaluation import Evaluation
from ordbo_cli.problem.fidelity import Fidelity
from ordbo_cli.problem.limit import Aim, Limit, Measured, are_broken, check_enough, shown_result
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.parameter import Fixed, Level, Number, Parameter, in_python, in_words
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import quoted, some

if TYPE_CHECKING:
    from ordbo_cli.problem.constraints import Constraint

FailurePolicy = Literal["worst", "ignore", "error"]
Trade = Literal["front", "lexicographic"]


@dataclass(frozen=True, repr=False)
class Problem(Brief):
    """A study's question.

    Args:
        parameters: free and fixed ones in the order in which they are printed.
        objective: the objective's name; of several that of the first.
        goal: whether small or large values of it are good.
        failed: what a failed evaluation means: the worst rank, nothing, or an error.
        noise: whether a point may be suggested again.
        seed: of every random choice.
        method: the settings of the model and of the search.
        unit: of the objective, in pictures and reports.
        grades: the words that results are, in rising order; empty where they are numbers. Inside, a result is the place
            of its word.
        constraints: what every suggested point satisfies.
        outcomes: results beside the objective: limits that they have to keep within, and further objectives.
        columns: names of parameters, results and the like, each with what tables call its column instead.
        enough: a value of the objective from which on any better one counts as good as it; None where none is.
        trade: what is sought of several objectives: the front, or the best by the first, ties decided by the next.
        fidelity: levels at which a point may be evaluated; None where there is one. What decides them is a fixed
            parameter, the last one unless it is named among them, at the highest level.

    Raises:
        ProblemError: two names are equal, no parameter is free, or a condition or the grades cannot be.
    """

    parameters: tuple[Parameter | Fixed, ...]
    objective: str = "objective"
    goal: Goal = "minimize"
    failed: FailurePolicy = "worst"
    noise: bool = False
    seed: int = 0
    method: Method = field(default_factory=Method)
    unit: str = ""
    grades: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    outcomes: tuple[Limit, ...] = ()
    columns: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    enough: Decimal | None = None
    trade: Trade = "front"
    fidelity: Fidelity | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether another problem, of this class or of one made from it, asks the same."""
        if not isinstance(other, Problem):
            return NotImplemented
        return all(getattr(self, each.name) == getattr(other, each.name) for each in fields(Problem))

    def __post_init__(self) -> None:
        if self.goal not in get_args(Goal):
            raise ProblemError(f"goal is {self.goal!r}", "It has to be minimize or maximize")
        if self.failed not in get_args(FailurePolicy):
            raise ProblemError(f"failed is {self.failed!r}", "It has to be worst, ignore or error")
        if self.trade not in get_args(Trade):
            raise ProblemError(f"trade is {self.trade!r}", "It has to be front or lexicographic")
        if self.seed < 0:
            raise ProblemError(f"seed is {self.seed}", "It has to be a whole number from 0 on")
        if self.fidelity is not None:
            self._fix_at_highest(Fixed(self.fidelity.name, self.fidelity.highest))
        seen: set[str] = set()
        for name in (self.objective, *self.names, *(limit.name for limit in self.outcomes)):
            if name in seen:
                raise ProblemError(
                    f"the name {name!r} stands twice", "Each parameter, the objective and each outcome needs its own"
                )
            seen.add(name)
        check_enough(self.objective, self.enough, self.grades)
        if self.several:
            self._check_several()
        if not self.free:
            raise ProblemError("no parameter is free", "Give at least one a min and a max that differ")
        self._check_conditions()
        names = {self.free[k].name for k in self.ranked}
        if spoken := [each.text for each in self.constraints if each.needs & names]:
            raise ProblemError(f"the constraint {spoken[0]} speaks of a parameter of type ranked", "Take it out")

    def _fix_at_highest(self, level: Fixed) -> None:
        """Make sure that what decides the level of fidelity is a parameter, fixed at the highest."""
        there = [each for each in self.parameters if each.name == level.name]
        if not there:
            object.__setattr__(self, "parameters", (*self.parameters, level))
        elif not isinstance(there[0], Fixed) or there[0].value != level.value:
            message = f"{level.name!r} is a parameter, and what decides the level of fidelity"
            raise ProblemError(message, f"Take it out of the parameters, or fix it at the highest level, {level.value}")

    def _check_several(self) -> None:
        """Refuse what is not supported yet with several objectives."""
        if self.method.acquisition != "lcb" and self.has_front:
            raise ProblemError(
                f"acquisition: {self.method.acquisition} with several objectives is not supported yet",
                "Leave it out: lcb takes the place of the hypervolume's lower bound",
            )

    def _check_conditions(self) -> None:
        """Refuse conditions on what is no categorical parameter before it, so that none waits for itself."""
        before: dict[str, Parameter] = {}
        for parameter in self.free:
            for condition in parameter.when:
                where, parent = f"parameter {parameter.name!r}", before.get(condition.parent)
                if parent is None or parent.type != "categorical":
                    raise ProblemError(
                        f"{where}: when speaks of {condition.parent!r}", "It has to be a categorical parameter above it"
                    )
                if not condition.levels or not set(condition.levels) <= set(range(len(parent.levels))):
                    raise ProblemError(f"{where}: when names levels that {condition.parent!r} does not have")
            before[parameter.name] = parameter

    def _told(self) -> Iterator[tuple[str, object]]:
        texts = tuple(constraint.text for constraint in self.constraints)
        return ((key, texts if key == "constraints" else value) for key, value in Brief._told(self))

    @property
    def aim(self) -> str:
        """What is optimised over what, in a line."""
        return f"{self.purpose} over {some([parameter.name for parameter in self.free], 6)}"

    @property
    def purpose(self) -> str:
        """What becomes of each objective, in a line."""
        each = zip(self.goals, self.enoughs, strict=True)
        return (", then " if self.by_priority else " and ").join(
            f"{goal} {name}{'' if end is None else f' to {end}'}" for (name, goal), end in each
        )

    @cached_property
    def aims(self) -> tuple[tuple[int, Aim], ...]:
        """The objectives beside the first one, each with its place among the outcomes."""
        return tuple((k, each) for k, each in enumerate(self.outcomes) if isinstance(each, Aim))

    @property
    def several(self) -> bool:
        """Whether there are several objectives."""
        return bool(self.aims)

    @property
    def by_priority(self) -> bool:
        """Whether there are several objectives, of which each one decides where those before it are tied."""
        return self.several and self.trade == "lexicographic"

    @property
    def has_front(self) -> bool:
        """Whether there are several objectives that are traded off."""
        return self.several and not self.by_priority

    @cached_property
    def goals(self) -> tuple[tuple[str, Goal], ...]:
        """Name and goal of each objective."""
        return ((self.objective, self.goal), *((aim.name, aim.goal) for _, aim in self.aims))

    @property
    def enoughs(self) -> tuple[Decimal | None, ...]:
        """Of each objective the value that is good enough; None where none is."""
        return (self.enough, *(aim.enough for _, aim in self.aims))

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """By name the words that values of an objective are, in rising order, of those whose values are words."""
        each = ((self.objective, self.grades), *((aim.name, aim.grades) for _, aim in self.aims))
        return {name: grades for name, grades in each if grades}

    @cached_property
    def is_limited(self) -> bool:
        """Whether a result has to keep within limits."""
        return any(each.is_limited for each in self.outcomes)

    def demand_one_order(self, what: str, instead: str = "") -> None:
        """Refuse what is not built for a front, as it needs one order of all results.

        Args:
            what: it is.
            instead: what can be done, in a sentence; "" where a look at one of the objectives can.

        Raises:
            ProblemError: there is a front.
        """
        if self.has_front:
            *first, last = (quoted(name) for name, _ in self.goals)
            alone = f"Look at one of them: --objective {', '.join(first)} or {last}"
            raise ProblemError(f"{what} with several objectives is not supported yet", instead or alone)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all parameters, fixed ones included."""
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def free(self) -> tuple[Parameter, ...]:
        """The parameters that are searched over: the D of the mathematics."""
        return tuple(parameter for parameter in self.parameters if isinstance(parameter, Parameter))

    @cached_property
    def categorical(self) -> tuple[int, ...]:
        """Places among the free parameters of those whose levels have no order."""
        return tuple(k for k, parameter in enumerate(self.free) if parameter.type == "categorical")

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """Places among the free parameters of those whose settings are known by their order alone."""
        return tuple(k for k, parameter in enumerate(self.free) if parameter.type == "ranked")

    def shown(self, result: Decimal | None, censored: Censored = "") -> Decimal | str:
        """Return a result as the user has it: a word for its place, and the sign of one that is known by a limit.

        Where there is none, it is empty.
        """
        return shown_result(result, censored, self.grades)

    def is_infeasible(self, evaluation: Evaluation) -> bool:
        """Return whether an evaluation came to its end, or told enough of it, and breaks a limit."""
        limits = zip(self.outcomes, evaluation.outcomes, strict=True) if evaluation.outcomes else ()
        return any(not limit.holds(value) for limit, value in limits)

    def is_failure(self, evaluation: Evaluation) -> bool:
        """Return whether an evaluation failed."""
        return evaluation.objective is None and not self.is_infeasible(evaluation)

    def is_success(self, evaluation: Evaluation) -> bool:
        """Return whether an evaluation may be the best: it is feasible, finite, and no worse than what is known."""
        if not self.may_lead(evaluation.objective, evaluation.censored) or self.is_infeasible(evaluation):
            return False
        return all(aim.may_lead(evaluation.outcomes[k], evaluation.side(k)) for k, aim in self.aims)

    def may_lead(self, result: Decimal | None, censored: Censored = "") -> bool:
        """Return whether a feasible result may be the best: not infinite, and not somewhere beyond a bad limit."""
        return result is not None and result.is_finite() and not self.is_worse_than_limit(censored)

    def is_worse_than_limit(self, censored: Censored) -> bool:
        """Return whether a result that is known by a limit lies on the limit's bad side."""
        return is_bad_side(censored, self.goal)

    def evaluation(
        self,
        values: tuple[Number, ...],
        objective: Decimal | None,
        id: int | None = None,
        censored: Censored = "",
        outcomes: tuple[Measured, ...] = (),
        sides: tuple[Censored, ...] = (),
    ) -> Evaluation:
        """Return a result as it counts: a broken limit leaves an objective no say, and a failure nothing any.

        Args:
            outcomes: one for each of the problem's, in order, None where there is none; empty for a failure.
            sides: of each of these the side of a limit that it is.
        """
        if outcomes and self.lacks_a_result(objective, outcomes) and not are_broken(self.outcomes, outcomes):
            return Evaluation(values, None, id)
        sides = sides if any(sides) else ()
        found = Evaluation(values, objective, id, censored, outcomes, sides=sides)
        return Evaluation(values, None, id, "", outcomes, sides=sides) if self.is_infeasible(found) else found

    def lacks_a_result(self, objective: Decimal | None, outcomes: Sequence[Measured]) -> bool:
        """Return whether an objective has no value: then an evaluation that breaks no limit failed."""
        return objective is None or any(outcomes[k] is None for k, _ in self.aims)

    def leads_by_mean(self, comparisons: int) -> bool:
        """Return whether the best point is the one with the lowest mean, as one result may be the best by luck.

        Comparisons of whole results choose among those of a front.
        """
        return self.noise or (comparisons > 0 and not self.has_front)

    def active(self, values: Sequence[Number]) -> tuple[bool, ...]:
        """Return which free parameters count, for values of all of them in order."""
        if not self.categorical:
            return (True,) * len(self.free)
        before: dict[str, Number] = {}
        active = []
        for parameter, value in zip(self.free, values, strict=True):
            active.append(parameter.counts(before))
            if active[-1]:
                before[parameter.name] = value
        return tuple(active)

    def canonical(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return values with the lowest one for each parameter that does not count: points that act alike are equal."""
        if not any(parameter.when for parameter in self.free):
            return tuple(values)
        active = list(self.active(values))
        return tuple(x if on else p.low for x, on, p in zip(values, active, self.free, strict=True))

    def is_inside(self, values: Sequence[Number]) -> bool:
        """Return whether values of the free parameters lie within their bounds."""
        return all(p.min <= x <= p.max for p, x in zip(self.free, values, strict=True))

    def satisfies_constraints(self, values: Sequence[Number]) -> bool:
        """Return whether values of the free parameters satisfy all constraints."""
        shown = {parameter.name: parameter.shown(values[k]) for k, parameter in self._deciding}
        return all(constraint.holds(shown) for constraint in self.constraints)

    @cached_property
    def _deciding(self) -> tuple[tuple[int, Parameter], ...]:
        """The parameters that constraints speak of, with their places: few of very many."""
        needed = frozenset().union(*(constraint.needs for constraint in self.constraints))
        return tuple((k, parameter) for k, parameter in enumerate(self.free) if parameter.name in needed)

    def mapping(self, values: Sequence[Number]) -> dict[str, Level]:
        """Return the parameters by name as the user has them, for values of the free ones in order.

        Those that do not count are left out. Labels have to have their words (:meth:`SettingOrders.in_words`).
        """
        active = self.active(values)
        by_name = {p.name: p.shown(x) for p, x, on in zip(self.free, values, active, strict=True) if on}
        if len(by_name) == len(self.parameters):
            return by_name
        shown = ((p.name, p.value if isinstance(p, Fixed) else by_name.get(p.name)) for p in self.parameters)
        return {name: value for name, value in shown if value is not None}

    def point(self, values: Sequence[Number], fixed: Mapping[str, Level] | None = None) -> dict[str, Level]:
        """Return the parameters by name as Python has them: :meth:`mapping`, with ``True`` and ``False`` for bools.

        Args:
            values: of the free parameters in order.
            fixed: values of fixed parameters that are others than the problem's.
        """
        return in_python({**self.mapping(values), **(fixed or {})})

    def level_below(self, fixed: Mapping[str, Level]) -> int | None:
        """Return the lower level of fidelity that values of fixed parameters name, None where none of them does."""
        return None if self.fidelity is None else self.fidelity.below(fixed.get(self.fidelity.name))

    def level_named(self, parameters: Mapping[str, Level]) -> dict[str, Number | str]:
        """Return the lower level of fidelity among parameters by name, as a fixed parameter's other value; or none."""
        return {} if self.fidelity is None else self.fidelity.named(self.level_below(parameters))

    def others_of(self, fixed: Mapping[str, Level]) -> list[str]:
        """Return the names of fixed parameters that set a result aside, given their values that are not the problem's.

        Lower levels of fidelity set nothing aside.
        """
        level = self.fidelity.name if self.fidelity is not None and self.level_below(fixed) is not None else None
        return [name for name in fixed if name != level]

    def values(self, mapping: Mapping[str, Level], orders: SettingOrders = NO_ORDERS) -> tuple[Number, ...]:
        """Return the values of the free parameters in order, given the parameters by name as the user has them.

        Args:
            mapping: parameters by name.
            orders: of the settings that words may name.

        Raises:
            KeyError: one that counts is missing.
            ValueError: a level is unknown, or words name no place.
        """
        mapping = in_words(mapping)
        values: list[Number] = []
        for parameter in self.free:
            if parameter.name not in mapping and parameter.when:
                values.append(parameter.low)
            elif parameter.levels:
                values.append(parameter.levels.index(mapping[parameter.name]))
            elif parameter.type == "ranked":
                values.append(orders.of(parameter.name).named(mapping[parameter.name]))
            else:
                values.append(mapping[parameter.name])  # type: ignore[arg-type]  # others are numbers
        active = self.active(values)
        if lacking := [p.name for p, on in zip(self.free, active, strict=True) if on and p.name not in mapping]:
            raise KeyError(lacking[0])
        return self.canonical(values)
