"""What a study answers: frozen values for people and programs to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Literal

from ordbo_cli.files.values.remark import NO_REMARK, Remark
from ordbo_cli.problem import Censored, Level, Number, Problem
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.spelling import listed, some
from ordbo_cli.study.reporting.campaign_standing import CampaignStanding
from ordbo_cli.study.reporting.level_standing import LevelStanding

if TYPE_CHECKING:
    from ordbo_cli.search.step_record import StepRecord

Parameters = Mapping[str, Number | str]
By = Literal["value", "mean"]

NOBODY: Final = "nobody in particular"  # who has judged where no name is given
_QUICK: Final = 200  # results up to which a step takes about a second


@dataclass(frozen=True, repr=False)
class Best(Brief):
    """The best evaluation so far, or the point with the lowest mean.

    Args:
        id: of its suggestion, if any; of a point with several results, of the median one's (on a front, by the first
            objective).
        parameters: all that count by name, as Python has them.
        objective: the exact value; of a point with several results the median, the better one of two in the middle.
            None where it was compared only.
        line: its line in the evaluations.
        by: what it was chosen by.
        results: how many the point has; 1 where it was chosen by its value alone, 0 where it was compared only.
        expected_rank: of the point among the distinct results (of the compared points where there are none), 1 the
            best; None where it was chosen by its value, and on a front.
        censored: on which side of the objective the result lies, where that is only a limit.
        outcomes: its other results as they are written, by name; on a front that was chosen by means the medians of
            the other objectives.
        remark: what is kept of the evaluation beside them.
        warnings: what people should know.
        expected_ranks: on a front that was chosen by means, of the point by each objective; empty elsewhere.
    """

    id: int | None
    parameters: Parameters
    objective: Decimal | None
    line: int
    by: By = "value"
    results: int = 1
    expected_rank: float | None = None
    censored: Censored = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    remark: Remark = NO_REMARK
    warnings: tuple[str, ...] = field(default=(), compare=False)
    expected_ranks: Mapping[str, float] = field(default_factory=dict)


def of_results(number: int) -> str:
    """Return what the result of a point is that has so many and was chosen by its mean, in words."""
    return f"the median of {number} results" if number > 1 else "its one result" if number else "no result"


@dataclass(frozen=True, repr=False)
class Nearest(Brief):
    """The evaluation that breaks the limits of the outcomes least, where none keeps them.

    Args:
        id: of its suggestion, if any.
        parameters: all that count by name, as Python has them.
        outcomes: its results beside the objective as they are written, by name.
        line: its line in the evaluations.
    """

    id: int | None
    parameters: Parameters
    outcomes: Mapping[str, str]
    line: int


@dataclass(frozen=True, repr=False)
class PendingPoint(Brief):
    """A suggestion without a result.

    Args:
        id: its number; None where only a row of the CSV knows it.
        parameters: all that count by name, as Python has them.
        age: seconds since it was made, if the state knows.
        line: of its row in the evaluations, if it has one.
        again: whether it waits to be evaluated again: the next suggestion hands it out.
    """

    id: int | None
    parameters: Parameters
    age: float | None
    line: int | None = None
    again: bool = False


@dataclass(frozen=True)
class Chosen:
    """What there is to say on a point that was handed out.

    Args:
        id: of the suggestion.
        record: how the search chose it; None for a point that is to be evaluated again.
        lines: why it was chosen, in sentences, where somebody asked for that.
    """

    id: int
    record: StepRecord | None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Upcoming:
    """Where the search goes next.

    Args:
        text: that in words: a cell, a point of the initial design, or why nothing comes.
        kind: ``acquire``, ``explore``, ``spread`` or ``initial``, as in the diagnostics; ``again`` for a point that is
            to be evaluated again; None where that is not known.
        id: of the suggestion, where it is out already; of the point that is to be evaluated again, if it has one.
        cell: lower and upper edge by free parameter that counts, as the user has them, if there is a cell.
        error: why nothing comes, or "".
    """

    text: str
    kind: str | None
    id: int | None = None
    cell: Mapping[str, tuple[Level, Level]] | None = None
    error: str = ""


@dataclass(frozen=True)
class Side:
    """How many points lie on the bounds of a parameter whose values have an order.

    Args:
        name: the parameter.
        lower, upper: evaluated points on either bound.
        best_lower, best_upper: of the best results.
    """

    name: str
    lower: int
    upper: int
    best_lower: int
    best_upper: int


@dataclass(frozen=True)
class OnBound:
    """Points with a coordinate on a bound of its parameter; one of two values is always there, and does not count.

    Args:
        points: how many.
        evaluated: of how many results and failures inside the bounds.
        best: the number of best results that are looked at, or of those on a front; 0 where there are too few.
        sides: the parameters on whose bounds there are any.
    """

    points: int
    evaluated: int
    best: int
    sides: tuple[Side, ...]

    @property
    def crowded(self) -> tuple[tuple[str, str, int], ...]:
        """The bounds on which more than half of the best results lie: parameter, lower or upper, how many."""
        counts = [
            (side.name, word, getattr(side, f"best_{word}")) for side in self.sides for word in ("lower", "upper")
        ]
        return tuple(each for each in counts if 2 * each[2] > self.best)


@dataclass(frozen=True, repr=False)
class Failure(Brief):
    """A failed evaluation.

    Args:
        id: of its suggestion, if any.
        parameters: all that count by name, as Python has them.
        line: its line in the evaluations.
        folder: in which ``ordbo run`` keeps what the last attempt left, if it is there.
        remark: why it failed and how long it took, as far as that is known.
    """

    id: int | None
    parameters: Parameters
    line: int
    folder: str | None
    remark: Remark = NO_REMARK


@dataclass(frozen=True)
class Judge:
    """Somebody who has judged.

    Args:
        name: "" for the answers without one.
        comparisons: how many of two points there are, all that follow from rankings among them.
        ties: how many of these are ties.
        rankings: how many answers were rankings.
        both_ways: of how many pairs both points were said to be better.
        differs: by the name of each other judge, on how many pairs the two say the opposite, and of how many that both
            have told apart; those alone with whom there is a pair of which both have.
        right: how many comparisons the model agrees with; None where no model of them was fitted.
        told: how many it was asked of: those that are no ties, and whose points it sees.
        noise: that the model has learnt of the judge, a standard deviation; None where no model was fitted.
        scores: how many samples the judge has scored.
        unscored: ids of the samples that another judge has scored, and this one, who gives scores, has not.
    """

    name: str
    comparisons: int
    ties: int = 0
    rankings: int = 0
    both_ways: int = 0
    differs: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    right: int | None = None
    told: int | None = None
    noise: float | None = None
    scores: int = 0
    unscored: tuple[int, ...] = ()

    @property
    def agreement(self) -> float | None:
        """The share that the model agrees with; None where that is not known."""
        return self.right / self.told if self.told and self.right is not None else None

    @property
    def words(self) -> str:
        """All of it, in a line."""
        kinds = {"tie": self.ties, "ranking": self.rankings, "score": self.scores}
        among = ", ".join(f"{number} {word}{'s' * (number > 1)}" for word, number in kinds.items() if number)
        said = f"{self.comparisons} comparison{'s' * (self.comparisons != 1)}{f' ({among})' * bool(among)}"
        parts = [f"judge {self.name}: {said}" if self.name else f"{NOBODY}: {said}"]
        if self.agreement is not None:
            number = f"{self.right}" if self.told == self.comparisons else f"{self.right} of {self.told}"
            parts.append(f"agrees with the model in {number} ({self.agreement:.0%})")
        if self.noise is not None:
            parts.append(f"noise {self.noise:.2g}")
        if self.both_ways:
            parts.append(f"says both of {self.both_ways} pair{'s' * (self.both_ways > 1)}")
        against = [f"{name or NOBODY} on {one} of {of} pairs" for name, (one, of) in self.differs.items() if one]
        parts += [f"differs from {listed(against)}"] if against else []
        return ", ".join([*parts, *([f"has not scored {some(self.unscored, 5)}"] if self.unscored else [])])


@dataclass(frozen=True, repr=False)
class Status:
    """Where a study stands; shown, its counts and the best point.

    Args:
        ok, failed, abandoned, expired: evaluations by what became of them.
        pending: open suggestions.
        retry: points to evaluate again that nobody has been given since.
        outside: evaluations outside the current bounds, kept for their order.
        aside: evaluations with another value of a fixed parameter, kept out of the model.
        best: the best evaluation, if any succeeded.
        ranking: the successes inside the bounds, the best first; of equal ones the earlier first. Of several objectives
            they go by fronts, and the best is the knee.
        history: the best objective after each ok or failed evaluation, None before the first success. Of several
            objectives how many results of today's front were known, with a priority among them the best one's rank.
        took: the seconds of each of these, as far as they are known.
        by: what 'ordbo best' chooses the best point by; ``best``, ``ranking``, ``front`` and ``history`` here are by
            value where nobody has asked for the means of a front.
        waiting: the open suggestions.
        again: the points to evaluate again, the next one first.
        warnings: what people should know.
        step: suggestions so far.
        steps: what the state has on the steps of the search, oldest first, each for ``StepRecord.from_dict``.
        next: where the search goes next, as far as nothing has to be computed.
        on_bound: points with a coordinate on a bound.
        failures: the newest failed evaluations, the newest first.
        comparisons: how many there are.
        infeasible: how many of the ok ones break a limit.
        nearest: the one of those that breaks them least, where there is no best one.
        front: of several objectives the results that none dominates, the best of the first one first.
        campaigns: results of other sources, as far as nothing has to be computed (:meth:`.Study.campaigns`).
        judges: who has judged, by the answers alone; :meth:`.Study.judges` says how often the model agrees, too.
        levels: of fidelity, the lowest first; empty where there is one. Counts are of all of them; ``best``,
            ``ranking``, ``front`` and ``history`` of the highest.
    """

    ok: int
    failed: int
    abandoned: int
    expired: int
    pending: int
    retry: int
    outside: int
    aside: int
    best: Best | None
    ranking: tuple[Best, ...]
    history: tuple[Decimal | None, ...]
    waiting: tuple[PendingPoint, ...]
    again: tuple[PendingPoint, ...]
    warnings: tuple[str, ...]
    step: int
    steps: tuple[Mapping[str, Any], ...] = ()
    next: Upcoming | None = None
    on_bound: OnBound = OnBound(0, 0, 0, ())
    failures: tuple[Failure, ...] = ()
    comparisons: int = 0
    infeasible: int = 0
    nearest: Nearest | None = None
    took: tuple[float | None, ...] = ()
    by: By = "value"
    front: tuple[Best, ...] = ()
    campaigns: tuple[CampaignStanding, ...] = ()
    judges: tuple[Judge, ...] = ()
    levels: tuple[LevelStanding, ...] = ()

    @property
    def leads_by_mean(self) -> bool:
        """Whether 'ordbo best' has a point, and chooses it by its mean, which costs a fit."""
        return self.by == "mean" and (self.best is not None or self.comparisons > 0)

    def is_quick(self, problem: Problem) -> bool:
        """Return whether a model of the study is fitted in about a second."""
        return problem.method.engine == "numpy" and self.ok + self.failed <= _QUICK

    def __repr__(self) -> str:
        words = ("ok", "failed", "infeasible", "pending", "retry", "abandoned", "expired")
        counts = ", ".join(f"{word}={getattr(self, word)}" for word in words if getattr(self, word))
        return f"Status({counts or 'no evaluations'}, best={self.best or self.nearest})"
