"""SMAC with its facade for black boxes, asked and told (extra ``ordbo[peers]``)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory
from typing import Any

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Whole
from ordbo_cli.benchmark.rivals.libraries.peers import Peer
from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Problem

with quiet():
    import ConfigSpace
    from smac import BlackBoxFacade, Scenario
    from smac.main.exceptions import ConfigurationSpaceExhaustedException
    from smac.runhistory.dataclasses import TrialInfo, TrialValue
    from smac.runhistory.enumerations import StatusType

# Its search starts from a set of points, whose order would follow from the hashes of words: other ones in each process.
ConfigSpace.Configuration.__hash__ = lambda self: zlib.crc32(repr(self).encode())


class Smac(Peer):
    """Its ``BlackBoxFacade`` without a design of its own; it knows the number of evaluations and the conditions.

    A failure is a crash to it, at the worst cost so far: its own cost of a crash is infinite, which its model refuses.
    """

    def _begin(self, X: Array, y: Array) -> None:
        self._space = NativeSpace(self.start.problem, log=True)
        with quiet(), TemporaryDirectory() as folder:  # it makes folders there, and is told to save nothing in them
            self._configurations = _configuration_space(self.start.problem, self._space)
            scenario = Scenario(
                self._configurations,
                output_directory=folder,
                deterministic=not self.start.problem.noise,
                n_trials=self.start.total,
                seed=self.start.seed,
            )
            design = BlackBoxFacade.get_initial_design(scenario, n_configs=0)
            self._facade = BlackBoxFacade(scenario, initial_design=design, logging_level=False, overwrite=True)
            for point, value, failed in zip(self.points, y, self.failed, strict=True):
                self._tell(self._trial_at(point), float(value), failed)

    def _suggest(self) -> tuple[Number, ...]:
        with quiet():
            try:
                self._trial = self._facade.ask()
            except (ConfigurationSpaceExhaustedException, StopIteration):
                self._trial = self._trial_at(self.at_random())
        return self._space.point(dict(self._trial.config))

    def _observe(self, y: float) -> None:
        with quiet():
            self._tell(self._trial, y, bool(self.failed[-1]))

    def _tell(self, trial: Any, y: float, failed: bool) -> None:
        status = StatusType.CRASHED if failed else StatusType.SUCCESS
        self._facade.tell(trial, TrialValue(cost=y, status=status), save=False)

    def _trial_at(self, point: Sequence[Number]) -> Any:
        """Return a point as a trial of SMAC's first seed."""
        inside = self._space.inside(point)
        counted = zip(inside.items(), self.start.problem.active(point), strict=True)
        return TrialInfo(
            ConfigSpace.Configuration(self._configurations, values={name: x for (name, x), on in counted if on}), seed=0
        )


def _configuration_space(problem: Problem, space: NativeSpace) -> Any:
    """Return the parameters and the conditions as SMAC has them."""
    names = ConfigSpace.ConfigurationSpace()
    names.add(*(_hyperparameter(name, kind) for name, kind in space.kinds.items()))
    names.add(*_conditions(problem, names))
    return names


def _hyperparameter(name: str, kind: Kind) -> Any:
    if isinstance(kind, Choices):
        return ConfigSpace.CategoricalHyperparameter(name, range(kind.number))
    if isinstance(kind, Whole):
        return ConfigSpace.UniformIntegerHyperparameter(name, kind.low, kind.high, log=kind.log)
    return ConfigSpace.UniformFloatHyperparameter(name, 0.0, 1.0)


def _conditions(problem: Problem, names: Any) -> Iterator[Any]:
    """Give the condition of each parameter that has some."""
    places = {parameter.name: f"x{k}" for k, parameter in enumerate(problem.free)}
    for name, parameter in zip(places.values(), problem.free, strict=True):  # names are sorted: x10 stands before x2
        parts = [
            ConfigSpace.InCondition(names[name], names[places[each.parent]], list(each.levels))
            for each in parameter.when
        ]
        if parts:
            yield parts[0] if len(parts) == 1 else ConfigSpace.AndConjunction(*parts)
