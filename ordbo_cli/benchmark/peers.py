"""Other optimisers through their public ask/tell interfaces: Optuna, pycma and Nevergrad (extra ``ordbo[peers]``).

All of them search the unit cube, so that a logarithmic scale is one to them too, and start from the same initial points
as everybody. A library is imported when its optimiser begins.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordbo_cli.benchmark.searchers import History, Start
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.problem import Number


class Peer(History):
    """An optimiser of another library: it begins when the initial points are known, and is told results one by one."""

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._begun = False

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        if not self._begun:
            self._begin(self.X, self.y)
            self._begun = True
        return self.box.values(self._suggest())

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Take a result, and hand it on once the optimiser has begun."""
        super().tell(values, loss)
        if self._begun:
            self._observe(float(self.y[-1]))

    @abstractmethod
    def _begin(self, X: Array, y: Array) -> None:
        """Start the optimiser from points [N, D] and results [N]."""

    @abstractmethod
    def _suggest(self) -> Array:
        """Return a point [D]."""

    @abstractmethod
    def _observe(self, y: float) -> None:
        """Take the result of the point that was suggested last."""


class _Optuna(Peer):
    """One of Optuna's samplers."""

    @abstractmethod
    def _sampler(self) -> Any:
        """Return the sampler."""

    def _begin(self, X: Array, y: Array) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._names = [f"x{i}" for i in range(self.box.dimension)]
        self._ranges = {name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in self._names}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a sampler is experimental
            self._study = optuna.create_study(sampler=self._sampler())
        for x, value in zip(X, y, strict=True):
            parameters = dict(zip(self._names, x.tolist(), strict=True))
            self._study.add_trial(
                optuna.trial.create_trial(params=parameters, distributions=self._ranges, value=float(value))
            )

    def _suggest(self) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._trial = self._study.ask(self._ranges)
        return np.array([self._trial.params[name] for name in self._names])

    def _observe(self, y: float) -> None:
        self._study.tell(self._trial, y)


class OptunaTpe(_Optuna):
    """Optuna's tree-structured Parzen estimator, from the first suggestion on."""

    def _sampler(self) -> Any:
        from optuna.samplers import TPESampler

        return TPESampler(n_startup_trials=self.start.initial, seed=self.start.seed)


class OptunaGp(_Optuna):
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


class OptunaCmaEs(_Optuna):
    """Optuna's CMA-ES sampler, its first mean the best initial point (in 1D Optuna samples at random instead)."""

    def _sampler(self) -> Any:
        from optuna.samplers import CmaEsSampler

        x0 = {f"x{i}": float(x) for i, x in enumerate(self.best)}
        return CmaEsSampler(x0=x0, sigma0=0.3, n_startup_trials=self.start.initial, seed=self.start.seed)


class Pycma(Peer):
    """CMA-ES by its author, its first mean the best initial point; in 1D with a second coordinate that does nothing."""

    def _begin(self, X: Array, y: Array) -> None:
        import cma

        mean = np.resize(self.best, max(2, self.box.dimension))
        options = {"bounds": [0, 1], "seed": self.start.seed + 1, "verbose": -9}  # a seed of 0 is the clock's
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._strategy = cma.CMAEvolutionStrategy(mean, 0.3, options)
        self._generation: list[Array] = []
        self._results: list[float] = []

    def _suggest(self) -> Array:
        if len(self._results) == len(self._generation):
            if self._generation:
                self._strategy.tell(self._generation, self._results)
            self._generation, self._results = self._strategy.ask(), []
        return np.asarray(self._generation[len(self._results)][: self.box.dimension])

    def _observe(self, y: float) -> None:
        self._results.append(y)


class Nevergrad(Peer):
    """Nevergrad's NGOpt, which chooses an algorithm by dimension and budget; the initial points are its first."""

    def _begin(self, X: Array, y: Array) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import nevergrad

            space = nevergrad.p.Array(init=np.full(self.box.dimension, 0.5)).set_bounds(0.0, 1.0)
            space.random_state = np.random.RandomState(self.start.seed)  # the kind that Nevergrad takes
            self._optimizer = nevergrad.optimizers.NGOpt(space, budget=self.start.total, num_workers=1)
        for x, value in zip(X, y, strict=True):
            self._optimizer.suggest(x)
            self._suggest()
            self._observe(float(value))

    def _suggest(self) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._candidate = self._optimizer.ask()
        return np.asarray(self._candidate.value)

    def _observe(self, y: float) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._optimizer.tell(self._candidate, y)
