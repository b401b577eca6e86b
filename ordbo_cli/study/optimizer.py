"""The search in memory: ask for a point, tell its result; no files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ordbo_cli.errors import DataError, ExhaustedError, UsageError
from ordbo_cli.files.values.answers import apart, evaluation_of, level_given, outcome_of, whole_point
from ordbo_cli.problem import Campaign, Comparison, Evaluation, Level, Number, Problem, Suggestion
from ordbo_cli.problem.order import front, places, ranks
from ordbo_cli.problem.sample_ranking import judge_name, ranking_pairs, ranking_weight
from ordbo_cli.problem.setting_order import NO_ORDERS
from ordbo_cli.study.levels_below import LevelsInMemory
from ordbo_cli.study.scores_in_memory import ScoresInMemory
from ordbo_cli.study.told_values import (
    NO_PLACES,
    Result,
    Told,
    all_exact,
    exact,
    new_place,
    result_elsewhere,
    searchable,
    setting_of,
    value_inside,
)

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal
    from ordbo_cli.search.step_input import StepInput

Point = Suggestion | Sequence[Number] | Mapping[str, Level]


class Optimizer:
    """An ask/tell loop over one problem.

    The points are those that ``ordbo suggest`` and ``ordbo observe`` give for the same problem, one after the other.

    Settings of a ranked parameter are told in words (``between 3 and 7``), those of past results too, which then need
    ids: the words name these. Labels, the numbers that the values of suggestions and results have, are taken as well.

    Args:
        problem: what is optimised.
        evaluations: past results, in order of arrival.
        campaigns: results of other sources, by name as :meth:`add_campaign` takes them, or as a study has read them.

    ``orders`` has the places of the settings of ranked parameters.

    Raises:
        UsageError: it is no problem; the words of a past result name no place, or a result with a ranked parameter has
            no id.
    """

    def __init__(
        self,
        problem: Problem,
        evaluations: Sequence[Evaluation] = (),
        campaigns: Mapping[str, Iterable[Result]] | Sequence[Campaign] = (),
    ) -> None:
        self.problem = searchable(problem)
        self.orders = NO_ORDERS
        self._evaluations = [self._with_place(each) for each in evaluations] if problem.ranked else list(evaluations)
        self._pending: dict[int, tuple[Number, ...]] = {}
        self._asked = 0
        self._next_id = 1 + max((e.id for e in evaluations if e.id is not None), default=0)
        self._comparisons: list[Comparison] = []
        self._compared: dict[tuple[Number, ...], int] = {}
        self._levels = LevelsInMemory(problem.fidelity)
        self._scores = ScoresInMemory(problem)
        self._fit: dict[str, Any] | None = None
        self.last: Proposal | None = None
        self._campaigns: dict[str, tuple[Evaluation, ...]] = {}
        if not isinstance(campaigns, Mapping):
            campaigns = {each.name: each.evaluations for each in campaigns}
        for name, results in campaigns.items():
            self.add_campaign(name, results)

    def __repr__(self) -> str:
        return f"Optimizer({self.problem.aim}; {len(self._evaluations)} results, {len(self._pending)} pending)"

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """All results so far, in order of arrival."""
        return tuple(map(self._named, self._evaluations))

    @property
    def below(self) -> tuple[Campaign, ...]:
        """The results at each lower level of fidelity that has any, the lowest level first."""
        return self._levels.campaigns

    @property
    def pending(self) -> tuple[Suggestion, ...]:
        """Points asked for that have no result yet, oldest first."""
        return tuple(self._suggestion(i, values) for i, values in self._pending.items())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All comparisons so far, oldest first, then what the scores of judges say."""
        return (*self._comparisons, *self._scores.comparisons(len(self._comparisons)))

    @property
    def campaigns(self) -> tuple[Campaign, ...]:
        """Results of other sources, in the order in which they were added."""
        return tuple(Campaign(name, evaluations) for name, evaluations in self._campaigns.items())

    def add_campaign(self, name: str, results: Iterable[Result]) -> None:
        """Add results of another source, which are compared with each other only, and heard while the others agree.

        Args:
            name: what people call it; more results of one name are of one campaign.
            results: pairs of a point and its result, as :meth:`tell` takes them, inside the bounds or not; or
                evaluations. Of several objectives all of them by name; outcomes with limits that are not there are not
                judged.

        Raises:
            UsageError: as :meth:`tell`; the problem has a parameter of type ranked.
        """
        if self.problem.ranked:
            ranked = self.problem.free[self.problem.ranked[0]].name
            raise UsageError(f"campaigns and {ranked!r}, of type ranked, are not supported together", NO_PLACES)
        found = [
            each if isinstance(each, Evaluation) else result_elsewhere(self.problem, self._values(each[0]), each[1])
            for each in results
        ]
        self._campaigns[name] = (*self._campaigns.get(name, ()), *found)

    def best(self) -> Evaluation:
        """Return the best result so far, the earliest of equals; of several objectives the first of the front.

        Under noise, too, it is a single result, which may be good by luck, and comparisons have no say in it:
        :func:`~ordbo_cli.search.prediction.incumbent` has the point with the lowest mean, by comparisons, too.

        Raises:
            DataError: none has succeeded yet.
        """
        good = [e for e in self._evaluations if self.problem.is_success(e)]
        if not good:
            raise DataError("no evaluation has succeeded yet", "Tell a result")
        found = ranks(self.problem, good)
        return self._named(good[found.index(min(found))])

    def front(self) -> list[Evaluation]:
        """Return the results that no other one dominates by several objectives, the best of the first objective first.

        Under noise, too, they are single results, which may be there by luck; the points that none dominates by their
        means are ``front`` of :func:`~ordbo_cli.insight.leading_point.expected_of` of :meth:`step_input`.

        Raises:
            UsageError: there is one objective, or objectives have a priority.
            DataError: none has succeeded yet.
        """
        if not self.problem.has_front:
            raise UsageError("there is no front", "'best' has the best result")
        found = [self._evaluations[k] for k in front(self.problem, self._evaluations)]
        if not found:
            raise DataError("no evaluation has succeeded yet", "Tell a result")
        by_first = [rank for rank, *_ in places(self.problem, found)]
        return [self._named(found[k]) for k in sorted(range(len(found)), key=by_first.__getitem__)]

    def ask(self) -> Suggestion:
        """Return the next point; it is pending until its result is told.

        Raises:
            ExhaustedError: every point was tried.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        from ordbo_cli.search.step import propose

        proposal = propose(self.step_input())
        self._fit, self.last = proposal.fit or self._fit, proposal
        self._levels.asked(self._next_id, proposal.level)
        return self._hand_out(proposal.values)

    def ask_duel(self) -> tuple[Suggestion, Suggestion]:
        """Return the next two points to compare; :meth:`prefer` or :meth:`tie` answers.

        Raises:
            ExhaustedError: no point is left to be compared with the best.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        from ordbo_cli.search.duel import propose_duel
        from ordbo_cli.study.asking.duels import NO_DUEL

        self.problem.demand_one_order("a duel", NO_DUEL)
        duel = propose_duel(self.step_input())
        self._fit = duel.challenger.fit or self._fit
        values = (duel.first, duel.challenger.values)
        first, second = (self._known(point) or self._hand_out(point) for point in values)
        return first, second

    def step_input(self, results: int | None = None) -> StepInput:
        """Return what the next point follows from, which all that looks at the model takes.

        Args:
            results: how many of the first evaluations count, with nothing out; None for all as they are now.

        Raises:
            UsageError: there are not so many.
        """
        from ordbo_cli.search.step_input import StepInput

        if results is not None:
            return StepInput.after(results, self.problem, self._evaluations, self.orders, self.campaigns)
        comparisons = self.comparisons
        out = [*self._pending.values(), *self._scores.alone(comparisons, self._evaluations)]
        known = self.problem, self._evaluations, out, self._asked, self._fit
        given = StepInput(*known, comparisons=comparisons, orders=self.orders)
        return replace(given, campaigns=(*self.campaigns, *self.below), spent=self._levels.spent)

    def prefer(self, better: Point, worse: Point, *, judge: str | None = None) -> None:
        """Record that a point was found to be better than another.

        Args:
            better, worse: as in :meth:`tell`.
            judge: who said so; None for nobody in particular.

        Raises:
            UsageError: a point is none, compared with itself or, with a front, without a result; the judge is none.
        """
        self._compare([[better], [worse]], judge)

    def tie(self, one: Point, other: Point, *, judge: str | None = None) -> None:
        """Record that two points were found to be alike; the arguments and errors are those of :meth:`prefer`."""
        self._compare([[one, other]], judge)

    def rank(self, ranking: Sequence[Suggestion | Sequence[Point]], *, judge: str | None = None) -> None:
        """Record a ranking: all pairs of its points, with the weight of :func:`.ranking_weight` each.

        Args:
            ranking: suggestions or lists of points, as in :meth:`tell`, the best first; those of one list are tied.
            judge: who said so; None for nobody in particular.

        Raises:
            UsageError: as :meth:`prefer`; there are fewer than two points, or one stands in the ranking twice.
        """
        self._compare([[each] if isinstance(each, Suggestion) else each for each in ranking], judge)

    def ask_batch(self, number: int) -> list[Suggestion]:
        """Return the next points, those that as many calls of :meth:`ask` give; fewer where fewer are left.

        Args:
            number: how many points, at least 1.

        Raises:
            UsageError: the number is below 1.
            ExhaustedError: every point was tried.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        if number < 1:
            raise UsageError(f"{number} points are asked for", "Ask for 1 or more")
        points = [self.ask()]
        with contextlib.suppress(ExhaustedError):
            while len(points) < number:
                points.append(self.ask())
        return points

    def tell(
        self,
        point: Point,
        objective: Told | Mapping[str, Told],
        outcomes: Mapping[str, Told] | None = None,
        *,
        judge: str | None = None,
    ) -> None:
        """Record a result; it is read as :meth:`Study.tell <ordbo_cli.study.study.Study.tell>` reads one.

        Args:
            point: a suggestion, or values of the free parameters: in the problem's order, levels by their places; or by
                name, with the level of fidelity if not the highest. Settings of ranked parameters in words, or labels.
            objective: what was observed, as a number or as text, which is read as an exact decimal; a word where the
                problem has grades; ``">0.5"`` and ``"<0.5"`` are results of which only a limit is known. None, NaN and
                ``"failed"`` are a failure, but where an outcome breaks its limits. Of several objectives all of them by
                name, ``{"drag": 3, "lift": ">2"}``; outcomes may stand among them.
            outcomes: the problem's other results by name.
            judge: whose score of the point the objective is, in place of an earlier one; None for a result.

        Raises:
            UsageError: the point has other values than one finite number for each free parameter (whole for an int) or
                one of its levels, or has its result; the objective is no result or infinitely good; an outcome is
                unknown, missing or no number.
        """
        parameters = point.parameters if isinstance(point, Suggestion) else point
        level = level_given(self.problem, parameters) if isinstance(parameters, Mapping) else None
        values = point.values if isinstance(point, Suggestion) else self._values(point)
        if judge is not None:
            self._tell_score(judge_name(judge), point, values, objective, outcomes, level)
            return
        others = all_exact(outcomes or {})
        if isinstance(objective, Mapping):
            first, others = apart(self.problem, all_exact(objective), others)
        else:
            first = "failed" if objective is None else exact(objective)
        outcome = outcome_of(self.problem, first, outcomes=others)
        number = point.id if isinstance(point, Suggestion) else self._pending_id(values)
        answered = (*self._evaluations, *(each for level in self.below for each in level.evaluations))
        if not self.problem.noise and number is not None and any(each.id == number for each in answered):
            raise UsageError(f"suggestion {number} has its result", "Tell another evaluation of it by its values")
        if number is None and self.problem.ranked:
            number, values = self._next_id, new_place(self.problem, self.orders, values)
            self.orders = self.orders.placed(self.problem, number, values)
            self._next_id += 1
        self._pending.pop(number or 0, None)
        evaluation = evaluation_of(self.problem, values, outcome, number)
        self._levels.tell(evaluation, level)
        if level is None:
            self._evaluations.append(evaluation)

    def _tell_score(
        self, judge: str, point: Point, values: tuple[Number, ...], score: object, outcomes: object, level: int | None
    ) -> None:
        known = point.id if isinstance(point, Suggestion) else self._pending_id(values) or self._compared.get(values)
        self._scores.tell(judge, known, values, score, outcomes, level)
        self._leave(values)

    def _leave(self, values: tuple[Number, ...]) -> None:
        """Take a point for one that was judged: it is out no more."""
        if (number := self._pending_id(values)) is not None:
            self._compared[values] = number
            del self._pending[number]

    def _compare(self, groups: Sequence[Sequence[Point]], judge: str | None) -> None:
        name = judge_name(judge)
        values = [[p.values if isinstance(p, Suggestion) else self._values(p) for p in group] for group in groups]
        points = [point for group in values for point in group]
        if len(points) < 2:
            raise UsageError("a ranking of fewer than two points says nothing", "Give two points or more")
        if len(set(points)) < len(points):
            raise UsageError("a point is compared with itself", "Give each point once")
        whole = {e.values for e in self._evaluations if self.problem.is_success(e)}
        if self.problem.has_front and not whole.issuperset(points):
            raise UsageError("a point has no result that could be preferred", "Tell the results of all first")
        weight = ranking_weight(len(points))
        self._comparisons += [Comparison(*pair, name, weight) for pair in ranking_pairs(values)]
        for each in points:
            self._leave(each)

    def _known(self, values: tuple[Number, ...]) -> Suggestion | None:
        """Return a point that was compared or evaluated before, with the id that it had; None for a new one."""
        number = self._compared.get(values) or next((e.id for e in self._evaluations if e.values == values), None)
        return None if number is None else self._suggestion(number, values)

    def _hand_out(self, values: tuple[Number, ...]) -> Suggestion:
        suggestion = self._suggestion(self._next_id, values)
        self.orders = self.orders.placed(self.problem, suggestion.id, suggestion.values)
        self._pending[suggestion.id] = suggestion.values
        self._asked += 1
        self._next_id += 1
        return suggestion

    def _values(self, point: Sequence[Number] | Mapping[str, Level]) -> tuple[Number, ...]:
        """Return the values of a point of the user's own."""
        free = self.problem.free
        if isinstance(point, Mapping):
            ranked = {self.problem.free[k].name for k in self.problem.ranked}
            labels = {name: setting_of(self.orders, name, x) for name, x in point.items() if name in ranked}
            rest = {name: x for name, x in point.items() if name not in ranked}
            return self.problem.canonical(whole_point(self.problem, rest, self.orders, labels))
        given: list[Any] = list(point)
        if len(given) != len(free):
            raise UsageError(f"{len(given)} values for {len(free)} free parameters")
        pairs = zip(free, given, strict=True)
        return self.problem.canonical(
            [setting_of(self.orders, p.name, x) if p.type == "ranked" else value_inside(p, x) for p, x in pairs]
        )

    def _with_place(self, evaluation: Evaluation) -> Evaluation:
        """Return a past result with labels for words, its settings in their places from now on."""
        if evaluation.id is None:
            raise UsageError("a past result has no id", "Settings of ranked parameters are named by the ids of results")
        values = list(evaluation.values)
        for k in self.problem.ranked:
            values[k] = setting_of(self.orders, self.problem.free[k].name, values[k])
        placed = new_place(self.problem, self.orders, values)
        self.orders = self.orders.placed(self.problem, evaluation.id, placed)
        return replace(evaluation, values=placed)

    def _pending_id(self, values: tuple[Number, ...]) -> int | None:
        """Return the id of the pending point with these values, if any."""
        return next((i for i, pending in self._pending.items() if pending == values), None)

    def _named(self, evaluation: Evaluation) -> Evaluation:
        """Return a result with its parameters by name."""
        return replace(evaluation, parameters=self._parameters(evaluation.values))

    def _parameters(self, values: Sequence[Number]) -> Mapping[str, Level]:
        """Return the parameters by name as Python has them."""
        return self.problem.point(self.orders.in_words(self.problem, values))

    def _suggestion(self, number: int, values: tuple[Number, ...]) -> Suggestion:
        values = self.orders.in_words(self.problem, values)
        return Suggestion(number, values, self.problem.point(values, self._levels.of(number)))
