"""What a picture is made from: the method's view of a study, names and units, and what is asked to be shown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from ordbo_cli.errors import UsageError
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.slices import Slice, slice_of
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.parameter_axes import ParameterAxes, named
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.words import counted, figure_of, told_apart
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import PartitionKind

_MARKS: Final = (">", "<", "p", "h", "8")  # of campaigns: other marks mean something else
_OTHERS: Final = "The pictures fit, effects, importance, parallel and warp show every kind of parameter"


@dataclass(frozen=True)
class Truth:
    """What is known of a test problem.

    Args:
        function: maps a point [D] to its value without noise, NaN for a failure.
        regret: maps such a value to its regret, floored at the problem's precision.
        minimiser: where it is lowest [D].
    """

    function: Callable[[Sequence[float]], float]
    regret: Callable[[float], float]
    minimiser: Sequence[float]


class Elsewhere(NamedTuple):
    """Where a campaign, or a lower level of fidelity, has results.

    Args:
        name: of the campaign.
        X: the points along the axes [P, D].
        mark: of matplotlib.
        kind: ``campaign`` or ``level``.
    """

    name: str
    X: Array
    mark: str
    kind: str

    @property
    def label(self) -> str:
        """What stands in a legend."""
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Scene:
    """What a picture is made from.

    Args:
        view: what the method sees.
        name: of the study or of the test problem.
        truth: of a test problem.
        shown: the parameters that are asked for, by place among the free ones; none for those of most latent length.
        partition: the cells that are asked for; None for the method's.
        samples: of Thompson sampling, where its minima are shown.
    """

    view: View
    name: str
    truth: Truth | None = None
    shown: tuple[int, ...] = ()
    partition: PartitionKind | None = None
    samples: int = 200

    @cached_property
    def along(self) -> ParameterAxes:
        """The parameters along the axes of the part that the method looks at."""
        return ParameterAxes(self.view.parameters, self.view.orders)

    @cached_property
    def all(self) -> ParameterAxes:
        """All free parameters, in the order of the problem."""
        return ParameterAxes(self.view.problem.free, self.view.orders)

    @property
    def asked(self) -> tuple[int, ...]:
        """The parameters of pictures of all: those asked for, else every free one, by place."""
        return self.shown or tuple(range(len(self.all.parameters)))

    def longest(self, most: int) -> list[int]:
        """Return those asked for, or as many of most latent length, in the order in which they are asked for."""
        asked = np.array(self.asked, dtype=np.int64)
        some = np.argsort(-self.view.all_lengths[asked], kind="stable")[:most]
        return [int(j) for j in asked[np.sort(some)]]

    @property
    def dimension(self) -> int:
        """D, the number of axes of the part."""
        return self.view.space.dimension

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """The parameter or the two that pictures of a plane show, among those along the axes.

        They are those asked for, else those of most latent length.

        Raises:
            UsageError: more than two are asked for, or one that has no axis there; there is none at all.
        """
        columns, free = self.view.space.columns, self.all.parameters
        if not columns:
            raise UsageError("no parameter that counts has an order: this picture has no axes", _OTHERS)
        self.refuse_many()
        for k in self.shown:
            if free[k].type == "categorical":
                raise UsageError(
                    f"the levels of {free[k].name!r} have no order: this picture has no axis for it", _OTHERS
                )
            if k not in columns:
                raise UsageError(f"{free[k].name!r} does not count at {self.view.levels}, where the best lies", _OTHERS)
        if self.shown:
            return tuple(columns.index(k) for k in self.shown)
        return tuple(sorted(np.argsort(-self.view.lengths, kind="stable")[:2].tolist()))

    def refuse_many(self) -> None:
        """Raise where more parameters are asked for than a plane has.

        Raises:
            UsageError: there are more than two.
        """
        if len(self.shown) > 2:
            raise UsageError(f"{len(self.shown)} parameters are asked for", "This picture shows two, or one")

    @cached_property
    def slice(self) -> Slice:
        """The slice through the best point along :attr:`axes`."""
        return slice_of(self.view, self.axes, self.partition)

    @cached_property
    def heights(self) -> Heights:
        """Where the objective's values stand on an axis."""
        problem = self.view.problem
        return heights([e.objective for e in self.view.evaluations], problem.goal, problem.grades)

    @property
    def objective(self) -> str:
        """The name of the objective with its unit."""
        return named(self.view.problem.objective, self.view.problem.unit)

    def result(self, y: Decimal | float | None) -> str:
        """Return a result in the user's words: a word for its place, or a figure with the unit."""
        problem = self.view.problem
        if problem.grades and y is not None:
            return problem.grades[int(y)]
        return figure_of(y, problem.unit)

    def results(self, values: Sequence[Decimal | float]) -> list[str]:
        """Return what stands beside results on an axis: words, or figures that tell them apart."""
        return [self.result(y) for y in values] if self.view.problem.grades else told_apart(values)

    @property
    def noun(self) -> str:
        """What a row is called: of comparisons alone, a point that was compared."""
        return "compared point" if self.view.compared else "evaluation"

    def counted(self, number: int) -> str:
        """Return a number of evaluations in words."""
        return counted(number, self.noun)

    @cached_property
    def compared(self) -> Array:
        """The points of the part that have comparisons and no evaluation, along the axes [P, D]."""
        return self._within(self.view.whole.rows.compared)

    @cached_property
    def pending(self) -> Array:
        """The points of the part whose results are awaited, along the axes [P, D]."""
        return self._within(self.view.whole.pending)

    @cached_property
    def campaigns(self) -> list[Elsewhere]:
        """The results of campaigns that the model sees, those of the part and within the bounds."""
        seen = self.view.whole.rows.campaigns
        marks = itertools.cycle(_MARKS)
        found = [(each, self._within([e.values for e in each.evaluations])) for each in seen]
        return [
            Elsewhere(each.name, X, next(marks), "campaign" if each.level is None else "level") for each, X in found
        ]

    def _within(self, points: Sequence[Sequence[Number]]) -> Array:
        """Return the points that lie in the part and within the bounds, along the axes [P, D]."""
        space = self.view.space
        X = space.inputs([x for x in points if space.contains(x)])
        return np.asarray(X[np.all((space.low <= X) & (space.high >= X), axis=1)])

    @property
    def best_word(self) -> str:
        """What the point that leads is called."""
        return "best" if self.view.leader is None or self.view.leader.by == "value" else "best by mean"

    @property
    def elsewhere(self) -> str:
        """In words, where the other parameters are on a slice; nothing where it shows all."""
        levels, through = self.view.levels, ""
        if self.dimension > len(self.axes):
            through = " through the best point" if self.view.leader is not None else " through the middle"
        at = f" at {levels}" if levels else ""
        return f"slice{at}{through}" if at or through else ""
