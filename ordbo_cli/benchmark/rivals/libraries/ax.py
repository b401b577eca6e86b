"""Ax through its ``Client``, with the models and the acquisition that it chooses itself (extra ``ordbo[peers]``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Whole
from ordbo_cli.benchmark.rivals.libraries.peers import Peer
from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number

with quiet():
    import torch
    from ax.api.client import Client
    from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig
    from ax.exceptions.core import SearchSpaceExhausted
    from ax.exceptions.generation_strategy import GenerationStrategyRepeatedPoints

_LOSS: Final = "loss"


class Ax(Peer):
    """Its default strategy, from the first suggestion on; a failure is a trial that Ax calls abandoned.

    That is what Ax says of points that fail whenever they are tried: it would suggest those that failed once again.
    """

    def _begin(self, X: Array, y: Array) -> None:
        torch.set_num_threads(1)
        self._space = NativeSpace(self.start.problem, log=True)
        with quiet():
            self._client = Client(random_seed=self.start.seed)
            self._client.configure_experiment([_config(name, kind) for name, kind in self._space.kinds.items()])
            self._client.configure_optimization(f"-{_LOSS}")
            for point, value, failed in zip(self.points, y, self.failed, strict=True):
                self._finish(self._client.attach_trial(self._space.inside(point)), value, failed)
            seen = max(1, int(np.sum(~self.failed)))  # without any result it goes on by design
            self._client.configure_generation_strategy(initialization_budget=seen, initialize_with_center=False)

    def _suggest(self) -> tuple[Number, ...]:
        with quiet():
            try:
                ((self._trial, inside),) = self._client.get_next_trials(1).items()
            except (SearchSpaceExhausted, GenerationStrategyRepeatedPoints):
                inside = self._space.inside(self.at_random())
                self._trial = self._client.attach_trial(inside)
        return self._space.point(inside)

    def _observe(self, y: float) -> None:
        with quiet():
            self._finish(self._trial, y, bool(self.failed[-1]))

    def _finish(self, trial: int, y: float, failed: bool) -> None:
        if failed:
            self._client.mark_trial_abandoned(trial)
        else:
            self._client.complete_trial(trial, {_LOSS: float(y)})


def _config(name: str, kind: Kind) -> Any:
    """Return what Ax calls a parameter."""
    if isinstance(kind, Choices):
        return ChoiceParameterConfig(name, list(range(kind.number)), "int", is_ordered=False)
    if isinstance(kind, Whole):
        scaling = "log" if kind.log else "linear"
        return RangeParameterConfig(name, (kind.low, kind.high), "int", scaling=scaling)
    return RangeParameterConfig(name, (0.0, 1.0), "float")
