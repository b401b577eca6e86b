"""BayBE through its ``Campaign``, with the recommender that it has by default (extra ``ordbo[peers]``)."""

from __future__ import annotations

import math
from typing import Any, Final

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Share, Whole
from ordbo_cli.benchmark.rivals.libraries.peers import Peer
from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number

with quiet():
    import pandas as pd
    import torch
    from baybe import Campaign
    from baybe.exceptions import NotEnoughPointsLeftError
    from baybe.parameters import CategoricalParameter, NumericalContinuousParameter, NumericalDiscreteParameter
    from baybe.recommenders import BotorchRecommender, TwoPhaseMetaRecommender
    from baybe.searchspace import SearchSpace
    from baybe.settings import Settings
    from baybe.targets import NumericalTarget

_LOSS: Final = "loss"
_TABLE: Final = 10_000  # points of a space that BayBE looks through one by one
_CLIMBS: Final = 16  # combinations of levels for each of which BayBE climbs over the floats


class BayBE(Peer):
    """Its default campaign, which is Bayesian from the first measurement on.

    BayBE lists all combinations of whole numbers and levels. In a space of these alone they are its own where they
    are few enough for that; else whole numbers are shares, and of many combinations of levels it climbs from a random
    choice at each step, a setting of BayBE's.
    """

    def _begin(self, X: Array, y: Array) -> None:
        torch.set_num_threads(1)
        self._space = NativeSpace(self.start.problem)
        kinds = list(self._space.kinds.values())
        if any(isinstance(kind, Share) for kind in kinds) or math.prod(map(_count, kinds)) > _TABLE:
            self._space = NativeSpace(self.start.problem, wholes=False)
        with quiet():
            self._campaign = Campaign(
                SearchSpace.from_product([_parameter(name, kind) for name, kind in self._space.kinds.items()]),
                NumericalTarget(_LOSS, minimize=True).to_objective(),
                TwoPhaseMetaRecommender(recommender=self._recommender()),
            )
            rows = [self._row(point) | {_LOSS: value} for point, value in zip(self.points, y, strict=True)]
            self._campaign.add_measurements(pd.DataFrame(rows))

    def _recommender(self) -> Any:
        kinds = self._space.kinds.values()
        levels = math.prod(_count(kind) for kind in kinds if isinstance(kind, Choices))
        if levels <= _CLIMBS or not any(isinstance(kind, Share) for kind in kinds):
            return BotorchRecommender()
        return BotorchRecommender(hybrid_sampler="Random", sampling_percentage=_CLIMBS / levels)

    def _row(self, point: tuple[Number, ...]) -> dict[str, Any]:
        inside = self._space.inside(point)
        return {name: _word(x) if isinstance(self._space.kinds[name], Choices) else x for name, x in inside.items()}

    def _suggest(self) -> tuple[Number, ...]:
        with quiet(), Settings(random_seed=self.step_seed):
            try:
                table = self._campaign.recommend(1)
            except NotEnoughPointsLeftError:
                self._campaign.allow_recommending_already_recommended = True
                table = self._campaign.recommend(1)
        self._asked = table.iloc[0].to_dict()
        return self._space.point({name: int(x[1:]) if isinstance(x, str) else x for name, x in self._asked.items()})

    def _observe(self, y: float) -> None:
        with quiet():
            self._campaign.add_measurements(pd.DataFrame([self._asked | {_LOSS: y}]))


def _count(kind: Kind) -> int:
    if isinstance(kind, Choices):
        return kind.number
    return kind.high - kind.low + 1 if isinstance(kind, Whole) else 1


def _word(level: Number) -> str:
    return f"l{level}"


def _parameter(name: str, kind: Kind) -> Any:
    """Return what BayBE calls a parameter."""
    if isinstance(kind, Choices):
        return CategoricalParameter(name, [_word(k) for k in range(kind.number)])
    if isinstance(kind, Whole):
        return NumericalDiscreteParameter(name, list(range(kind.low, kind.high + 1)))
    return NumericalContinuousParameter(name, (0.0, 1.0))
