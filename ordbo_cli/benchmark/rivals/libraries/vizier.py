"""Vizier with the designer that its service takes by default; it needs an older jax, and an environment of its own."""

from __future__ import annotations

from typing import Any, Final

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Whole
from ordbo_cli.benchmark.rivals.libraries.peers import Peer
from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number

with quiet():
    import jax
    from vizier import pyvizier
    from vizier.algorithms import ActiveTrials, CompletedTrials
    from vizier.algorithms.designers import VizierGPUCBPEBandit

jax.config.update("jax_enable_x64", True)  # in single precision it ends in points without coordinates
_LOSS: Final = "loss"


class Vizier(Peer):
    """Its Gaussian process bandit, from the first suggestion on; a failure is an infeasible trial to it."""

    def _begin(self, X: Array, y: Array) -> None:
        self._space = NativeSpace(self.start.problem, log=True)
        with quiet():
            statement = pyvizier.ProblemStatement()
            for name, kind in self._space.kinds.items():
                _add(statement.search_space.root, name, kind)
            goal = pyvizier.ObjectiveMetricGoal.MINIMIZE
            statement.metric_information.append(pyvizier.MetricInformation(_LOSS, goal=goal))
            self._designer = VizierGPUCBPEBandit(statement, rng=jax.random.PRNGKey(self.start.seed))
        self._told = 0
        for point, value, failed in zip(self.points, y, self.failed, strict=True):
            self._tell(self._outside(self._space.inside(point)), float(value), failed)

    def _suggest(self) -> tuple[Number, ...]:
        with quiet():
            (suggestion,) = self._designer.suggest(1)
        self._parameters = suggestion.parameters.as_dict()
        if self._parameters.keys() != self._space.kinds.keys():
            self._parameters = self._outside(self._space.inside(self.at_random()))
        return self._space.point({name: float(x) for name, x in self._parameters.items()})

    def _observe(self, y: float) -> None:
        self._tell(self._parameters, y, bool(self.failed[-1]))

    def _outside(self, inside: dict[str, Number]) -> dict[str, Any]:
        """Return a point as Vizier has it: levels are words."""
        return {name: str(x) if isinstance(self._space.kinds[name], Choices) else x for name, x in inside.items()}

    def _tell(self, parameters: dict[str, Any], y: float, failed: bool) -> None:
        self._told += 1
        with quiet():
            trial = pyvizier.Trial(parameters=parameters, id=self._told)
            if failed:
                trial.complete(pyvizier.Measurement(), infeasibility_reason="it failed")
            else:
                trial.complete(pyvizier.Measurement({_LOSS: y}))
            self._designer.update(CompletedTrials([trial]), ActiveTrials())


def _add(root: Any, name: str, kind: Kind) -> None:
    """Add a parameter to a search space."""
    if isinstance(kind, Choices):
        root.add_categorical_param(name, [str(k) for k in range(kind.number)])
    elif isinstance(kind, Whole):
        scale = pyvizier.ScaleType.LOG if kind.log else pyvizier.ScaleType.LINEAR
        root.add_int_param(name, kind.low, kind.high, scale_type=scale)
    else:
        root.add_float_param(name, 0.0, 1.0)
