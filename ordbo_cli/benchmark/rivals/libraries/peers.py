"""Other optimisers through their public ask/tell interfaces: Optuna, pycma and Nevergrad (extra ``ordbo[peers]``).

Floats are shares of the box to all of them, so that a logarithmic scale is one to them too; Optuna's samplers and
Nevergrad have levels and whole numbers of their own, and Optuna's see no parameter that does not count. All start from
the same initial points as everybody. A library is imported when its optimiser begins.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.benchmark.rivals.searchers import History, Start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Parameter


class Peer(History):
    """An optimiser of another library: it begins when the initial points are known, and is told results one by one."""

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._begun = False
        self.broken: list[tuple[float, ...]] = []
        """By how much each point breaks each limit, for samplers that want to know."""

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        if not self._begun:
            self._begin(self.X, self.y)
            self._begun = True
        return self._suggest()

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take a result, and hand it on once the optimiser has begun."""
        super().tell(values, loss)
        if self._begun:
            self._observe(float(self.y[-1]))

    @abstractmethod
    def _begin(self, X: Array, y: Array) -> None:
        """Start the optimiser from points [N, D] and results [N]."""

    @abstractmethod
    def _suggest(self) -> tuple[Number, ...]:
        """Return a point."""

    @abstractmethod
    def _observe(self, y: float) -> None:
        """Take the result of the point that was suggested last."""


class OptunaBase(Peer):
    """One of Optuna's samplers."""

    @abstractmethod
    def _sampler(self) -> Any:
        """Return the sampler."""

    def _begin(self, X: Array, y: Array) -> None:
        with quiet():  # that a sampler is experimental
            import optuna

            optuna.logging.set_verbosity(optuna.logging.ERROR)
            directions = ["minimize"] * len(self.start.problem.goals)
            self._study = optuna.create_study(directions=directions, sampler=self._sampler())
        attributes: list[dict[str, Any]] = [{"constraints": broken} for broken in self.broken] or [{}] * len(y)
        for place, (point, known_of) in enumerate(zip(self.points, attributes, strict=True)):
            known = self._known(point)
            ranges = {name: _distribution(self.start.problem.free[int(name[1:])]) for name in known}
            self._study.add_trial(
                optuna.trial.create_trial(
                    params=known, distributions=ranges, system_attrs=known_of, **self._told(place)
                )
            )

    def _known(self, point: Sequence[Number]) -> dict[str, Number]:
        """Return what counts of a point as Optuna has it."""
        problem, shares = self.start.problem, self.box.shares(point).tolist()
        inside = [t if _is_share(p) else x for x, t, p in zip(point, shares, problem.free, strict=True)]
        return {f"x{k}": inside[k] for k, on in enumerate(problem.active(point)) if on}

    def _suggest(self) -> tuple[Number, ...]:
        problem = self.start.problem
        point = [parameter.low for parameter in problem.free]
        with quiet():
            self._trial = self._study.ask()
            for k, parameter in enumerate(problem.free):
                if problem.active(point)[k]:  # what it depends on stands before it
                    x = _suggested(self._trial, f"x{k}", parameter)
                    point[k] = self.box.value(k, x) if _is_share(parameter) else int(x)
        return tuple(point)

    def _observe(self, y: float) -> None:
        self._study.tell(self._trial, **self._told(-1))

    def _told(self, place: int) -> dict[str, Any]:
        """Return what Optuna is told of a point, given its place among all."""
        return {"values": [float(self.y[place])]}


def _is_share(parameter: Parameter) -> bool:
    """Return whether Optuna gets a share of the box; whole numbers on a logarithmic scale have no steps there."""
    return not parameter.is_whole or (parameter.scale == "log" and parameter.step not in (None, 1))


def _distribution(parameter: Parameter) -> Any:
    """Return what Optuna calls a parameter."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if _is_share(parameter):
        return FloatDistribution(0.0, 1.0)
    if parameter.type == "categorical":
        return CategoricalDistribution(range(len(parameter.levels)))
    return IntDistribution(**_whole(parameter))


def _suggested(trial: Any, name: str, parameter: Parameter) -> Any:
    """Return what Optuna suggests for a parameter."""
    if _is_share(parameter):
        return trial.suggest_float(name, 0.0, 1.0)
    if parameter.type == "categorical":
        return trial.suggest_categorical(name, range(len(parameter.levels)))
    return trial.suggest_int(name, **_whole(parameter))


def _whole(parameter: Parameter) -> dict[str, Any]:
    """Return the bounds of whole numbers or of levels in order by Optuna's names."""
    low, high, step = int(parameter.low), int(parameter.high), int(parameter.step or 1)
    return {"low": low, "high": high, "step": step, "log": parameter.scale == "log"}


class OptunaTpe(OptunaBase):
    """Optuna's tree-structured Parzen estimator, from the first suggestion on."""

    def _sampler(self) -> Any:
        from optuna.samplers import TPESampler

        constrained = (lambda _: self.broken[-1]) if self.start.problem.outcomes else None
        return TPESampler(n_startup_trials=self.start.initial, seed=self.start.seed, constraints_func=constrained)

    def tell_all(self, values: Sequence[Number], loss: float | None, outcomes: Sequence[float]) -> None:
        """Take a result with its outcomes: Optuna wants by how much each limit is broken, below 0 where it is kept."""
        limits = zip(self.start.problem.outcomes, (np.inf if np.isnan(x) else x for x in outcomes), strict=True)
        self.broken.append(
            tuple(
                excess
                for limit, x in limits
                for excess in (
                    *([] if limit.max is None else [x - float(limit.max)]),
                    *([] if limit.min is None else [float(limit.min) - x]),
                )
            )
        )
        self.tell(values, loss)


class OptunaGp(OptunaBase):
    """Optuna's Gaussian process sampler, from the first suggestion on."""

    def _sampler(self) -> Any:
        import torch
        from optuna.samplers import GPSampler

        torch.set_num_threads(1)
        return GPSampler(
            n_startup_trials=self.start.initial,
            seed=self.start.seed,
            deterministic_objective=not self.start.problem.noise,
        )


class OptunaCmaEs(OptunaBase):
    """Optuna's CMA-ES sampler, its first mean the best initial point.

    In 1D Optuna samples at random instead, and so it does for levels without an order and conditional parameters.
    """

    def _sampler(self) -> Any:
        from optuna.samplers import CmaEsSampler

        x0 = self._known(self.points[int(np.argmin(self.y))])
        return CmaEsSampler(x0=x0, sigma0=0.3, n_startup_trials=self.start.initial, seed=self.start.seed)


class Pycma(Peer):
    """CMA-ES by its author, its first mean the best initial point; in 1D with a second coordinate that does nothing."""

    def _begin(self, X: Array, y: Array) -> None:
        import cma

        mean = np.resize(self.best, max(2, self.box.dimension))
        options = {"bounds": [0, 1], "seed": self.start.seed + 1, "verbose": -9}  # a seed of 0 is the clock's
        with quiet():
            self._strategy = cma.CMAEvolutionStrategy(mean, 0.3, options)
        self._generation: list[Array] = []
        self._results: list[float] = []

    def _suggest(self) -> tuple[Number, ...]:
        if len(self._results) == len(self._generation):
            if self._generation:
                self._strategy.tell(self._generation, self._results)
            self._generation, self._results = self._strategy.ask(), []
        return self.box.values(np.asarray(self._generation[len(self._results)][: self.box.dimension]))

    def _observe(self, y: float) -> None:
        self._results.append(y)


class Nevergrad(Peer):
    """Nevergrad's NGOpt, which chooses an algorithm by dimension and budget; the initial points are its first.

    Levels without an order are its ``Choice``, all else shares of the box.
    """

    def _begin(self, X: Array, y: Array) -> None:
        with quiet():
            import nevergrad

            space = self._space(nevergrad)
            space.random_state = np.random.RandomState(self.start.seed)  # the kind that Nevergrad takes
            self._optimizer = nevergrad.optimizers.NGOpt(space, budget=self.start.total, num_workers=1)
        for x, point, value in zip(X, self.points, y, strict=True):
            self._optimizer.suggest(self._inside(x, point))
            self._suggest()
            self._observe(float(value))

    def _space(self, nevergrad: Any) -> Any:
        """Return the box, and the choices beside it."""
        nominal = self.start.problem.categorical
        ordered = self.box.dimension - len(nominal)
        box = nevergrad.p.Array(init=np.full(ordered, 0.5)).set_bounds(0.0, 1.0) if ordered else None
        if not nominal:
            return box
        counts = (len(self.start.problem.free[k].levels) for k in nominal)
        choices = [nevergrad.p.Choice(range(count)) for count in counts]
        return nevergrad.p.Tuple(*([box] if ordered else []), *choices)

    def _inside(self, x: Array, point: Sequence[Number]) -> Any:
        """Return a point, also given as shares x [D], as Nevergrad has it."""
        nominal = self.start.problem.categorical
        if not nominal:
            return x
        ordered = np.delete(x, nominal)
        return (*([ordered] if len(ordered) else []), *(int(point[k]) for k in nominal))

    def _suggest(self) -> tuple[Number, ...]:
        with quiet():
            self._candidate = self._optimizer.ask()
        value, nominal = self._candidate.value, list(self.start.problem.categorical)
        if not nominal:
            return self.box.values(np.asarray(value))
        shares = np.zeros(self.box.dimension)
        others = np.delete(np.arange(len(shares)), nominal)
        shares[others] = value[0] if len(others) else 0.0
        counts = np.array([len(self.start.problem.free[k].levels) for k in nominal])
        shares[nominal] = (np.array(value[-len(nominal) :]) + 0.5) / counts
        return self.box.values(shares)

    def _observe(self, y: float) -> None:
        with quiet():
            self._optimizer.tell(self._candidate, y)
