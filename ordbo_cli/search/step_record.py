"""What a step found, as the state keeps it: how the point was chosen, and why, where somebody asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, Literal, get_args

Edges = tuple[tuple[float, float], ...]
"""Lower and upper edge of a cell by free parameter, in the user's units; of levels without order twice the level's."""

StepKind = Literal["initial", "acquire", "refine", "explore", "spread"]
Aim = Literal["corner", "filling", "exploit", "explore", "largest", "spread", "covering", "refine"]


@dataclass(frozen=True)
class Weighing:
    """A result that weighs on the mean at a point.

    Args:
        place: in the order of arrival, from 1 on.
        id: of its suggestion, if any.
        rank: 1 the best.
        weight: the mean is the sum of latent values times these.
        failed, infeasible: what became of it, if not a result that counts.
        results: how many of one point it stands for, being the best of them.
        line: in the evaluations, where a study has them in a file.
    """

    place: int
    id: int | None
    rank: int
    weight: float
    failed: bool = False
    infeasible: bool = False
    results: int = 1
    line: int | None = None


@dataclass(frozen=True)
class RunnerUp:
    """The best other open cell.

    Args:
        cell: its edges.
        value: of the acquisition there; None for Thompson sampling.
        share: of the samples whose minimum lies in it; None for other acquisitions.
    """

    cell: Edges
    value: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class LevelGain:
    """What a result at a level of fidelity would tell of the latent value at the highest.

    Args:
        level: its place, the highest last.
        gain: nats for the cost of one evaluation at the highest; None where it was not tried yet.
        chosen: whether the point is evaluated there.
    """

    level: int
    gain: float | None
    chosen: bool


@dataclass(frozen=True)
class Traded:
    """What is expected of a point by one of several objectives.

    Args:
        objective: its name.
        expected_rank: from the results alone, 1 the best.
        distinct_results: the number of ranks there are.
        weight: of the objective in the trade that the step searched by; None where it searched by all of them.
    """

    objective: str
    expected_rank: float
    distinct_results: int
    weight: float | None = None


@dataclass(frozen=True)
class FrontResult:
    """A result that no other one dominates.

    Args:
        place: in the order of arrival, from 1 on.
        id: of its suggestion, if any.
        line: in the evaluations, where a study has them in a file.
    """

    place: int
    id: int | None
    line: int | None = None


@dataclass(frozen=True)
class Explanation:
    """Why a point was chosen; said of the latent point that speaks for the chosen cell.

    Args:
        aim: what the point is for: a ``corner`` of the box or one ``filling`` the space, in the initial design; to
            ``exploit`` or ``explore``; the ``largest`` cell in the turn to explore, ``spread`` where a result is
            awaited in every cell, and under constraints ``covering`` instead of these two; to ``refine`` the best one.
        place, of: which point of the initial design it is.
        sd_left: the share of the prior's standard deviation that is left, points that are out counting as observed.
        weights: the results that weigh most on the mean.
        expected_rank: from the results alone, as ``ordbo predict`` has it.
        chance_to_beat_best: likewise, and by how long no suggestion has beaten the best.
        distinct_results: the number of ranks there are; of compared points, where there are only comparisons.
        chance_to_fail: that an evaluation fails or breaks a limit; None where none has so far.
        acquisition: what the cells were compared by.
        value: of it there, a lower bound, the logarithm of the expected improvement, or the hypervolume gained.
        share: of Thompson samples whose minimum lies in the cell, in place of the value.
        runner_up: the best other open cell; None where no other is open, or nothing is known of others.
        trade: what is expected by each of several objectives.
        between: the results of the front that it is expected between by the first of them, one at an end of the front.
        campaigns: names of those that were heard.
        levels: of fidelity, what a result at each would tell; empty where there is one, and in the initial design.
    """

    aim: Aim
    place: int | None = None
    of: int | None = None
    sd_left: float | None = None
    weights: tuple[Weighing, ...] = ()
    expected_rank: float | None = None
    distinct_results: int | None = None
    chance_to_beat_best: float | None = None
    chance_to_fail: float | None = None
    acquisition: str | None = None
    value: float | None = None
    share: float | None = None
    runner_up: RunnerUp | None = None
    trade: tuple[Traded, ...] = ()
    between: tuple[FrontResult, ...] = ()
    campaigns: tuple[str, ...] = ()
    levels: tuple[LevelGain, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-able values, without what does not apply."""
        said = _plain(self)
        if self.sd_left is not None and not self.trade:  # a model's point has both, if only to say that there is none
            said.setdefault("weights", [])
        if self.value is not None or self.share is not None:
            said.setdefault("runner_up", None)
        return said

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> Explanation:
        """Return what :meth:`to_dict` gave.

        Raises:
            KeyError, TypeError, ValueError: it gave something else.
        """
        weights = tuple(_made(Weighing, each) for each in said.get("weights", ()))
        second = said.get("runner_up")
        runner_up = None if second is None else _made(RunnerUp, {**second, "cell": _edges(second["cell"])})
        if said["aim"] not in get_args(Aim):
            raise ValueError(said["aim"])
        trade = tuple(_made(Traded, each) for each in said.get("trade", ()))
        between = tuple(_made(FrontResult, each) for each in said.get("between", ()))
        more = {"weights": weights, "runner_up": runner_up, "trade": trade, "between": between}
        more["levels"] = tuple(_made(LevelGain, each) for each in said.get("levels", ()))
        return _made(cls, {**said, **more, "campaigns": tuple(map(str, said.get("campaigns", ())))})


@dataclass(frozen=True)
class StepRecord:
    """How a point was chosen.

    Args:
        kind: what chose it: the ``initial`` design, the acquisition (``acquire``), a quadratic among the best points
            (``refine``), the turn to ``explore``, or ``spread`` where more points are out than there are cells. Of the
            initial design nothing more is known.
        cell: its cell.
        mean, sd: of the latent value at the cell's winning point, the prior's 0 and 1; what is out counts as observed.
        objective: of the fit, its evidence bound with the priors of its settings.
        sigma: latent noise.
        lengths: of the latent axes.
        rows: that the model was fitted to.
        left_out, pending_left_out: results, and points that are out, that the model did not see.
        explanation: why it was chosen, where somebody asked.
        step: number of points asked for before it; None until a study counts it.
        id: of the suggestion.
    """

    kind: StepKind
    cell: Edges | None = None
    mean: float | None = None
    sd: float | None = None
    objective: float | None = None
    sigma: float | None = None
    lengths: tuple[float, ...] = ()
    rows: int | None = None
    left_out: int = 0
    pending_left_out: int = 0
    explanation: Explanation | None = None
    step: int | None = None
    id: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-able values, without what does not apply."""
        said = {name: getattr(self, name) for name in ("step", "id") if getattr(self, name) is not None}
        said["kind"] = self.kind
        if self.cell is not None:
            said |= {name: _plain(getattr(self, name)) for name in _OF_A_MODEL}
        if self.explanation is not None:
            said["explanation"] = self.explanation.to_dict()
        return said

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> StepRecord | None:
        """Return what :meth:`to_dict` gave; None for anything else, as people edit a state."""
        try:
            if said["kind"] not in get_args(StepKind):
                return None
            reasons = said.get("explanation")
            return _made(
                cls,
                {
                    **said,
                    "cell": _edges(said["cell"]) if "cell" in said else None,
                    "lengths": tuple(map(float, said.get("lengths", ()))),
                    "explanation": None if reasons is None else Explanation.from_dict(reasons),
                },
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            return None


_OF_A_MODEL: Final = (
    "cell", "mean", "sd", "objective", "sigma", "lengths", "rows", "left_out", "pending_left_out",
)  # fmt: skip


def _edges(cell: Sequence[Sequence[float]]) -> Edges:
    edges = tuple((float(low), float(high)) for low, high in cell)
    if not all(math.isfinite(x) for pair in edges for x in pair):
        raise ValueError(edges)
    return edges


def _plain(value: Any) -> Any:
    """Return tuples as lists, as JSON has them, and records as dictionaries of what differs from the defaults."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not is_dataclass(value):
        return value
    values = ((each, getattr(value, each.name)) for each in fields(value))
    return {each.name: _plain(its) for each, its in values if its != each.default}


def _made(kind: Any, said: Mapping[str, Any]) -> Any:
    """Return a record from the entries that it has fields for; numbers have to be numbers, and words words."""
    known = {each.name: each.type for each in fields(kind)}
    given = {name: value for name, value in said.items() if name in known}
    for name, value in given.items():
        plain, _, or_none = known[name].partition(" | ")
        wanted = _PLAIN.get(plain)
        if wanted is None or (value is None and or_none):
            continue
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise TypeError(name)
    return kind(**given)


_PLAIN: Final[dict[str, Any]] = {"int": int, "float": int | float, "bool": bool, "str": str}
