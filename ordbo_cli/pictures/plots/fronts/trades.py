"""What is known of several objectives: each evaluation's values, the front, and what became of the others."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np

from ordbo_cli.files.values.levels import result_value
from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import BoolArray
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.plots.fronts.tried_points import TriedPoints, tried_points
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.words import cut, figure_of, listed
from ordbo_cli.problem import SIGNS, Censored, Comparison, Evaluation, Problem
from ordbo_cli.problem.order import FrontStep, course_of_front, front, known_of_front
from ordbo_cli.problem.several import alone, alone_in
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.reporting.listing import Listed
from ordbo_cli.study.reporting.snapshot import Snapshot

WORSE: Final = "worse than a limit"
"""What a result is called that lies beyond a limit on its bad side."""
_NOTHING: Final[Mapping[int, Decimal]] = {}
_BY_MEAN: Final = {"dominated": "single result", "front": "front by mean: medians"}
_NAME: Final = 32  # characters of an objective's name in a sentence


@dataclass(frozen=True)
class Trades:
    """Results by several objectives.

    Args:
        problem: with several objectives.
        evaluations: in order of arrival; those outside the bounds have no say, and no place in a picture. By mean those
            that stand for points of the front have the medians of these [N].
        name: of the study.
        infeasible_values: of the first objective of infeasible evaluations, by place, as far as they are known: there
            it has no say.
        comparisons: of results with each other.
        by_mean: the front by means; None for that of results.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    name: str
    infeasible_values: Mapping[int, Decimal] = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    by_mean: TriedPoints | None = None

    @property
    def objectives(self) -> range:
        """Places of the objectives."""
        return range(len(self.problem.goals))

    @cached_property
    def inside(self) -> BoolArray:
        """Whether each evaluation lies within the bounds [N]."""
        return np.array([self.problem.is_inside(each.values) for each in self.evaluations], dtype=bool)

    @cached_property
    def good(self) -> BoolArray:
        """Whether each is a success within the bounds [N]."""
        found = np.array([self.problem.is_success(each) for each in self.evaluations], dtype=bool)
        return np.asarray(found & self.inside)

    @cached_property
    def infeasible(self) -> BoolArray:
        """Whether each broke a limit within the bounds [N]."""
        broken = np.array([self.problem.is_infeasible(each) for each in self.evaluations], dtype=bool)
        return np.asarray(broken & self.inside)

    @cached_property
    def beyond(self) -> BoolArray:
        """Whether each is known within the bounds to lie beyond a limit on its bad side: it may lead nowhere [N]."""
        known = [each.objective is not None and not each.is_exact for each in self.evaluations]
        return np.asarray(np.array(known, dtype=bool) & self.inside & ~self.good)

    @property
    def failed(self) -> BoolArray:
        """Whether each came to nothing within the bounds [N]."""
        return np.asarray(self.inside & ~self.good & ~self.infeasible & ~self.beyond)

    @cached_property
    def leading(self) -> BoolArray:
        """Whether each is on the front, by mean stands for a point of it [N]."""
        found = list(self.by_mean.medians) if self.by_mean else front(self.problem, self.evaluations)
        return np.isin(np.arange(len(self.evaluations)), found)

    @cached_property
    def knee(self) -> int | None:
        """Place of the knee of the front, or of the result that comparisons speak for."""
        if self.by_mean:
            return self.by_mean.knee
        return preferred(self.problem, self.evaluations, self.comparisons)

    @property
    def star(self) -> str:
        """What that result is called."""
        return "preferred" if self.comparisons else "knee"

    @cached_property
    def known(self) -> list[int]:
        """How many results of today's front were known after each evaluation, by mean how many of its points [N]."""
        if self.by_mean:
            return list(accumulate(map(int, self.joined)))
        return known_of_front(self.problem, self.evaluations)

    @property
    def joined(self) -> BoolArray:
        """Whether each was the first that is known of something on today's front [N]."""
        return np.isin(np.arange(len(self.evaluations)), self.by_mean.first) if self.by_mean else self.leading

    @cached_property
    def course(self) -> list[FrontStep]:
        """What each evaluation made of the front of its time [N]."""
        return course_of_front(self.problem, self.evaluations)

    @property
    def left(self) -> BoolArray:
        """Whether each was on the front when it came, and is no longer; not known by mean [N]."""
        if self.by_mean:
            return np.zeros(len(self.evaluations), dtype=bool)
        return np.asarray(np.array([step.joins for step in self.course], dtype=bool) & ~self.leading)

    def values(self, objective: int) -> list[Decimal | None]:
        """Return the values of an objective, by place, that have a place in a picture [N].

        Infeasible ones have, and limits that are all that is known.
        """
        shown = self.good | self.infeasible | self.beyond
        return [self._value(k, objective) if shown[k] else None for k in range(len(self.evaluations))]

    def lies(self, objective: int, side: Censored) -> BoolArray:
        """Return whether each lies somewhere on a side of the value of an objective that has a place [N]."""
        shown = (self.good | self.beyond).tolist()
        found = [
            shows and alone_in(self.problem, each, objective).censored == side
            for shows, each in zip(shown, self.evaluations, strict=True)
        ]
        return np.array(found, dtype=bool)

    def heights(self, objective: int, *, ranks: bool = False) -> Heights:
        """Return where the values of an objective stand on an axis.

        Args:
            objective: its place.
            ranks: whether they stand at their ranks whatever they are.
        """
        name, goal = self.problem.goals[objective]
        return heights(self.values(objective), goal, self.problem.words.get(name, ()), ranks=ranks)

    def said(self, objective: int, place: int, digits: int = 4) -> str:
        """Return what an evaluation has of an objective as it is read: a word, or a number to some digits."""
        one, value = alone(self.problem, objective), self.values(objective)[place]
        side = alone_in(self.problem, self.evaluations[place], objective).censored
        return str(one.shown(value, side)) if one.grades else f"{SIGNS[side]}{figure_of(value, digits=digits)}"

    def marked(self, kind: str) -> str:
        """Return what a mark or a line of a kind is called: those of a front by mean are no single results."""
        named_ = {"beyond": WORSE, **(_BY_MEAN if self.by_mean else {})}
        return named_.get(kind, kind)

    def enough(self, objective: int, shown: Heights) -> float | None:
        """Return where to draw what is good enough of an objective; None where it is not known, or far from all.

        Args:
            objective: its place.
            shown: the axis.
        """
        value = self.problem.enoughs[objective]
        return None if value is None or not shown.has_room_for(value) else float(value)

    def enough_in_words(self, shown: Sequence[Heights]) -> str:
        """Return, with a space before it, what is good enough of each objective, and which lies beyond its axis.

        Args:
            shown: the axis of each.
        """
        found, beyond = [], []
        for k, ((name, _), value) in enumerate(zip(self.problem.goals, self.problem.enoughs, strict=True)):
            if value is not None:
                found.append(f"{cut(name, _NAME)} {figure_of(value)}")
                drawn = shown[k].kind == "rank" or not shown[k].exact or self.enough(k, shown[k]) is not None
                beyond += [] if drawn else [cut(name, _NAME)]
        if not found:
            return ""
        off = f"; that of {listed(beyond)} lies too far beyond the results to be drawn" if beyond else ""
        return f" Good enough: {listed(found)}{off}."

    def in_words(self, place: int) -> str:
        """Return an evaluation's values of all objectives in a sentence: "drag 0.03 and lift 1.091"."""
        each = zip(self.objectives, self.problem.goals, strict=True)
        return listed([f"{cut(name, _NAME)} {self.said(k, place)}" for k, (name, _) in each])

    def aim(self, objective: int) -> str:
        """Return the name of an objective with its unit, and which of its values are good."""
        _, goal = self.problem.goals[objective]
        return f"{self.label(objective)} ({'least' if goal == 'minimize' else 'most'} is best)"

    def numbers(self, which: BoolArray) -> tuple[int, ...]:
        """Return evaluations by number of arrival, from 1."""
        return tuple((1 + np.flatnonzero(which)).tolist())

    def label(self, objective: int) -> str:
        """Return the name of an objective with its unit."""
        one = alone(self.problem, objective)
        return named(one.objective, one.unit)

    @property
    def others(self) -> str:
        """In words, how many failed, broke a limit, and are known to be worse than one; "" where none did."""
        kinds = ((self.failed, "failed"), (self.infeasible, "broke a limit"), (self.beyond, WORSE))
        found = [f"{number} {what}" for which, what in kinds if (number := int(which.sum()))]
        return listed(found)

    def _value(self, place: int, objective: int) -> Decimal | None:
        each = self.evaluations[place]
        if objective:
            return each.outcomes[self.problem.aims[objective - 1][0]] if each.outcomes else None
        return self.infeasible_values.get(place) if each.objective is None else each.objective

    @classmethod
    def of(cls, snapshot: Snapshot, name: str, fits: Sequence[Fit] = ()) -> Trades:
        """Return those of a study.

        Args:
            snapshot: of it.
            name: its name.
            fits: the model of each objective, where it was fitted already.
        """
        problem = snapshot.files.problem
        return cls.given(snapshot.given, name, fits, _infeasible_values(problem, snapshot.points))

    @classmethod
    def given(
        cls, given: StepInput, name: str, fits: Sequence[Fit] = (), infeasible: Mapping[int, Decimal] = _NOTHING
    ) -> Trades:
        """Return what is known at a moment; under noise with the front by means, which costs a fit where none is given.

        Args:
            given: what is known.
            name: of the study.
            fits: the model of each objective, where it was fitted already.
            infeasible: values of the first objective of infeasible evaluations, by place.
        """
        problem = given.problem
        if not (problem.noise and problem.has_front):
            return cls(problem, given.evaluations, name, infeasible, given.comparisons)
        found = tried_points(given, fits)
        shown = [found.medians.get(k, each) for k, each in enumerate(given.evaluations)]
        return cls(problem, shown, name, infeasible, given.comparisons, found)

    @classmethod
    def seen(cls, scene: Scene) -> Trades:
        """Return those of what a picture is made from."""
        view = scene.view
        return cls.given(view.whole, scene.name, [each.fit for each in view.model.each])


def _infeasible_values(problem: Problem, points: Sequence[Listed]) -> dict[int, Decimal]:
    """Return what infeasible points have of the first objective, by place in order of arrival."""
    found = {}
    for each in points:
        with contextlib.suppress(ValueError):  # of a text that is no number nothing is known
            value = result_value(problem, each.text) if each.order and each.text else None
            if each.order and value is not None:
                found[each.order - 1] = value
    return found
