"""Optuna's samplers with several objectives (extra ``ordbo[peers]``)."""

from __future__ import annotations

from typing import Any

from ordbo_cli.benchmark.rivals.libraries.peers import OptunaBase
from ordbo_cli.benchmark.rivals.searchers import HistoryOfSeveral

_POPULATION = 10  # of NSGA-II: Optuna's own 50 is all evaluations of a run, and its first generation is random


class _OptunaOfSeveral(HistoryOfSeveral, OptunaBase):
    """A sampler that is told of failures as the worst seen of each objective.

    Optuna's samplers leave failed trials out, so that TPE and the Gaussian process go to the same place again.
    """

    def _told(self, place: int) -> dict[str, Any]:
        return {"values": self.Y[place].tolist()}


class OptunaMoTpe(_OptunaOfSeveral):
    """Optuna's tree-structured Parzen estimator of several objectives, from the first suggestion on."""

    def _sampler(self) -> Any:
        from optuna.samplers import TPESampler

        return TPESampler(n_startup_trials=self.start.initial, seed=self.start.seed)


class OptunaNsga2(_OptunaOfSeveral):
    """Optuna's NSGA-II, the initial points in its first generation."""

    def _sampler(self) -> Any:
        from optuna.samplers import NSGAIISampler

        return NSGAIISampler(population_size=_POPULATION, seed=self.start.seed)


class OptunaGpEhvi(_OptunaOfSeveral):
    """Optuna's Gaussian process sampler, by the hypervolume that it expects to gain."""

    def _sampler(self) -> Any:
        import torch
        from optuna.samplers import GPSampler

        torch.set_num_threads(1)
        return GPSampler(n_startup_trials=self.start.initial, seed=self.start.seed, deterministic_objective=True)
