"""The methods by name: what makes each, what it needs, and which of its settings are ours."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final, Literal

from ordbo_cli.problem.method import PRESETS, Method

BASELINE: Final = "vanilla"
NAIVE: Final = "naive-batch"
BEST: Final = "best"  # of the baselines that take part
FRONTS: Final = "fronts"
STANDARD: Final = ("default", "metric-free", BASELINE, "vanilla-isotropic", "random", "sobol")
ORDINAL: Final[dict[str, Method]] = {
    **PRESETS,
    "paper-thompson": dataclasses.replace(PRESETS["paper"], acquisition="thompson"),
    NAIVE: PRESETS["default"],
}


@dataclass(frozen=True)
class Maker:
    """What makes a method.

    Args:
        module, name: a module of this package, and a class in it.
        needs: the modules of others that it imports.
        settings: where it begins, and what is not its library's default but ours.
        ordered_only: whether it knows no levels without an order.
        install: the command that installs what it needs, where no extra of ours does.
        open_ended: whether nothing tells it how long a run will be: a shorter run is a longer one's beginning.
        objectives: whether it takes one objective, several, or any number.
    """

    module: str
    name: str
    needs: tuple[str, ...] = ()
    settings: str = ""
    ordered_only: bool = False
    install: str = ""
    open_ended: bool = True
    objectives: Literal["one", "several", "any"] = "one"


def _called(name: str, module: str, settings: str) -> Maker:
    return Maker("libraries.minimisers", name, (module,), settings, open_ended=False)


def _vanilla(name: str, results: str, lengths: str) -> Maker:
    said = f"GPR with Matern 3/2 and expected improvement, on all points; {results}, {lengths}"
    return Maker("vanilla", name, ("gpflow",), said)


_STANDARDISED: Final = "standardised results"
_RAW: Final = "results as they are, hyper-parameters as gpflow has them"
_EACH: Final = "a lengthscale for each parameter"
_ONE: Final = "one lengthscale"
_AS_TRIALS: Final = "begins with the initial points as trials"
_FROM_THE_BEST: Final = "begins at the best initial point, and at a random one each time that it ends"

_BASELINES: Final = {
    BASELINE: _vanilla("Vanilla", _STANDARDISED, _EACH),
    "vanilla-isotropic": _vanilla("VanillaIsotropic", _STANDARDISED, _ONE),
    "vanilla-raw": _vanilla("VanillaRaw", _RAW, _EACH),
    "vanilla-raw-isotropic": _vanilla("VanillaRawIsotropic", _RAW, _ONE),
}
_OURS: Final = {
    **dict.fromkeys(ORDINAL, Maker("searchers", "Ordinal", objectives="any")),
    NAIVE: Maker("naive", "NaiveBatch", ordered_only=True, open_ended=False),
    **_BASELINES,
    "random": Maker("searchers", "Random", objectives="any"),
    "sobol": Maker("searchers", "Sobol", objectives="any"),
}
_PEERS: Final = {
    "optuna-tpe": Maker("libraries.peers", "OptunaTpe", ("optuna",), f"{_AS_TRIALS}; n_startup_trials, seed"),
    "optuna-gp": Maker(
        "libraries.peers",
        "OptunaGp",
        ("optuna", "torch"),
        f"{_AS_TRIALS}; n_startup_trials, deterministic_objective without noise, seed",
    ),
    "optuna-cmaes": Maker(
        "libraries.peers",
        "OptunaCmaEs",
        ("optuna", "cmaes"),
        "begins at the best initial point; sigma0 0.3 of the box, n_startup_trials, seed",
    ),
    "pycma": Maker(
        "libraries.peers", "Pycma", ("cma",), "begins at the best initial point; sigma0 0.3 of the box, bounds, seed"
    ),
    "nevergrad": Maker(
        "libraries.peers",
        "Nevergrad",
        ("nevergrad",),
        "NGOpt, which is told the initial points first; budget, num_workers 1, seed",
        open_ended=False,
    ),
    "botorch": Maker(
        "libraries.botorch",
        "BoTorch",
        ("botorch", "torch"),
        "SingleTaskGP and LogEI on all points; results standardised, 10 restarts, 512 raw samples, seed",
    ),
    "ax": Maker(
        "libraries.ax", "Ax", ("ax",), f"{_AS_TRIALS}; initialization_budget, no centre point, failures abandoned, seed"
    ),
    "baybe": Maker(
        "libraries.baybe",
        "BayBE",
        ("baybe",),
        "begins with the initial points as measurements; at most 16 combinations of levels a step, seed",
    ),
    "egobox": Maker(
        "libraries.egobox",
        "Egobox",
        ("egobox",),
        "suggest, on all points; failures as the worst seen, one thread, seed",
    ),
    "egobox-trego": Maker(
        "libraries.egobox",
        "EgoboxTrego",
        ("egobox",),
        "minimize with trego, the initial points as its design; failures as the worst seen, one thread, seed",
    ),
    "smac": Maker(
        "libraries.smac",
        "Smac",
        ("smac",),
        "BlackBoxFacade told the initial points; no design, n_trials, deterministic without noise, crash cost, seed",
        open_ended=False,
    ),
    "hebo": Maker(
        "libraries.hebo",
        "Hebo",
        ("hebo",),
        "told the initial points; rand_sample, failures as the worst seen, seeds",
        install="pip install 'ordbo[peers]' pymoo disjoint-set && pip install --no-deps HEBO",
    ),
    "vizier": Maker(
        "libraries.vizier",
        "Vizier",
        ("vizier", "jax"),
        "VizierGPUCBPEBandit told the initial points; double precision, failures infeasible, seed",
        install="an environment of its own, as docs/benchmarks.md says",
    ),
    "cobyqa": _called("Cobyqa", "cobyqa", f"{_FROM_THE_BEST}; radius_init 0.1 of the box, maxfev"),
    "pybobyqa": _called(
        "PyBobyqa",
        "pybobyqa",
        f"{_FROM_THE_BEST}; seek_global_minimum (restarts of its own), objfun_has_noise if so, maxfun, seed",
    ),
    "pybads": _called(
        "PyBads",
        "pybads",
        f"{_FROM_THE_BEST} (or fails); uncertainty_handling where there is noise, max_fun_evals, random_seed",
    ),
    "nomad": _called(
        "Nomad",
        "PyNomad",
        "begins at all initial points, and at a random one each time that it ends; BB_INPUT_TYPE, MAX_BB_EVAL, SEED",
    ),
}
_TRADERS: Final = {
    "optuna-motpe": Maker(
        "libraries.optuna_fronts",
        "OptunaMoTpe",
        ("optuna",),
        f"TPESampler, {_AS_TRIALS}; failures as the worst seen of each objective, n_startup_trials, seed",
        objectives="several",
    ),
    "optuna-nsga2": Maker(
        "libraries.optuna_fronts",
        "OptunaNsga2",
        ("optuna",),
        f"NSGAIISampler, {_AS_TRIALS}; failures as the worst seen of each objective, population_size 10, seed",
        objectives="several",
    ),
    "optuna-gp-ehvi": Maker(
        "libraries.optuna_fronts",
        "OptunaGpEhvi",
        ("optuna", "torch"),
        f"GPSampler, {_AS_TRIALS}; failures as the worst seen of each objective, n_startup_trials,"
        " deterministic_objective, seed",
        objectives="several",
    ),
    "botorch-nehvi": Maker(
        "libraries.botorch_fronts",
        "BoTorchNehvi",
        ("botorch", "torch"),
        "SingleTaskGP for each objective and qLogNoisyExpectedHypervolumeImprovement, told the reference point that"
        " it is judged by; results standardised, 128 samples, prune_baseline, 10 restarts, 512 raw samples, failures"
        " as the worst seen of each objective, a point at random where its acquisition is no number, seed",
        objectives="several",
    ),
}
PACKAGES: Final = {
    "PyNomad": "PyNomadBBO",
    "ax": "ax-platform",
    "hebo": "HEBO",
    "pybads": "PyBADS",
    "pybobyqa": "Py-BOBYQA",
    "vizier": "google-vizier",
}
"""The packages of modules by other names."""

MAKERS: Final = {**_OURS, **_PEERS, **_TRADERS}
PEERS: Final = tuple(_PEERS)
BASELINES: Final = tuple(_BASELINES)
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "standard": STANDARD,
    "baselines": BASELINES,
    "peers": PEERS,
    "all": (*_OURS, *_PEERS),
    FRONTS: ("default", "random", *_TRADERS),  # no part of all: they take several objectives
}
