"""Prints whether the rivals with models reach through our wrappers what their libraries reach by their own loops.

Usage: ``PYTHONPATH=. python tests/bench/rivals_reach_models.py [--methods egobox,ax] [--seeds 3]``.

Each has a question of its own documentation. The library begins with its own design; ours, as in the benchmark, with
five points that are the same for all. Both make as many evaluations; figures are the best values of each seed.
"""

from __future__ import annotations

import contextlib
import io
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.runs import initial_points
from ordbo_cli.problem import Parameter, Problem
from tests.bench.rivals_reach import report

Function = Callable[[Mapping[str, Any]], float]
INITIAL = 5


@dataclass(frozen=True)
class Case:
    """A question that suits a rival.

    Args:
        source: where it stands.
        function: maps parameters by name to a value.
        problem: with the parameters.
        evaluations: that both may make.
        best: the lowest value.
        own: minimises by the library's own loop, given the function, the case and a seed.
    """

    source: str
    function: Function
    problem: Problem
    evaluations: int
    best: float
    own: Callable[[Function, Case, int], object]


def by_itself(case: Case, seed: int) -> list[float]:
    """Return the best values after each evaluation of the library's own loop [N]."""
    values: list[float] = []

    def function(parameters: Mapping[str, Any]) -> float:
        values.append(case.function(parameters))
        return values[-1]

    with contextlib.redirect_stdout(io.StringIO()), quiet():
        case.own(function, case, seed)
    return list(accumulate(values[: case.evaluations], min))


def wrapped(name: str, case: Case, seed: int) -> list[float]:
    """Return the best values after each evaluation through our wrapper [N]."""
    searcher = contestant(name).begin(Start(case.problem, seed, INITIAL, case.evaluations))
    values: list[float] = []
    initial = initial_points(case.problem, INITIAL)
    while len(values) < case.evaluations:
        point = initial[len(values)] if len(values) < INITIAL else searcher.ask()
        values.append(case.function(case.problem.mapping(point)))
        searcher.tell(point, values[-1])
    return list(accumulate(values, min))


def _floats(low: float, high: float, count: int = 1) -> Problem:
    return Problem(tuple(Parameter(f"x{k}", low, high) for k in range(count)))


def _egobox(function: Function, case: Case, seed: int, trego: bool = False) -> None:
    import egobox

    def rows(X: Any) -> Any:
        return np.array([[function({f"x{k}": t for k, t in enumerate(x)})] for x in X])

    bounds = [[float(p.low), float(p.high)] for p in case.problem.free]
    optimiser = egobox.Egor(bounds, n_doe=INITIAL, seed=seed, trego=trego)
    optimiser.minimize(rows, max_iters=case.evaluations - INITIAL)


def _trego(function: Function, case: Case, seed: int) -> None:
    _egobox(function, case, seed, trego=True)


def _ax(function: Function, case: Case, seed: int) -> None:
    from ax.api.client import Client
    from ax.api.configs import RangeParameterConfig

    client = Client(random_seed=seed)
    bounds = [(p.name, (float(p.low), float(p.high))) for p in case.problem.free]
    client.configure_experiment([RangeParameterConfig(name, each, "float") for name, each in bounds])
    client.configure_optimization("-loss")
    for _ in range(case.evaluations):
        for index, parameters in client.get_next_trials(1).items():
            client.complete_trial(index, {"loss": function(parameters)})


def _baybe(function: Function, case: Case, seed: int) -> None:
    from baybe import Campaign
    from baybe.parameters import NumericalContinuousParameter
    from baybe.searchspace import SearchSpace
    from baybe.settings import Settings
    from baybe.targets import NumericalTarget

    with Settings(random_seed=seed):
        parameters = [NumericalContinuousParameter(p.name, (p.low, p.high)) for p in case.problem.free]
        objective = NumericalTarget("loss", minimize=True).to_objective()
        campaign = Campaign(SearchSpace.from_product(parameters), objective)
        for _ in range(case.evaluations):
            rows = campaign.recommend(1)
            rows["loss"] = [function(rows.iloc[0].to_dict())]
            campaign.add_measurements(rows)


def _smac(function: Function, case: Case, seed: int) -> None:
    from ConfigSpace import ConfigurationSpace
    from smac import BlackBoxFacade, Scenario

    def target(config: Any, seed: int = 0) -> float:
        return function(dict(config))

    space = ConfigurationSpace({p.name: (float(p.low), float(p.high)) for p in case.problem.free}, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(space, deterministic=True, n_trials=case.evaluations, seed=seed, output_directory=folder)
        BlackBoxFacade(scenario, target, logging_level=False, overwrite=True).optimize()


def _hebo(function: Function, case: Case, seed: int) -> None:
    import pandas as pd
    import torch
    from hebo.design_space.design_space import DesignSpace
    from hebo.optimizers.hebo import HEBO

    np.random.seed(seed)  # noqa: NPY002  # HEBO draws from it
    torch.manual_seed(seed)
    parameters = [{"name": p.name, "type": "num", "lb": p.low, "ub": p.high} for p in case.problem.free]
    optimiser = HEBO(DesignSpace().parse(parameters), scramble_seed=seed)
    for _ in range(case.evaluations):
        rows: pd.DataFrame = optimiser.suggest(n_suggestions=1)
        optimiser.observe(rows, np.array([[function(rows.iloc[0].to_dict())]]))


def _vizier(function: Function, case: Case, seed: int) -> None:
    import jax
    from vizier import pyvizier
    from vizier.algorithms import ActiveTrials, CompletedTrials
    from vizier.algorithms.designers import VizierGPUCBPEBandit

    jax.config.update("jax_enable_x64", True)
    statement = pyvizier.ProblemStatement()
    root = statement.search_space.root
    root.add_float_param("w", 0.0, 5.0)
    root.add_int_param("x", -2, 2)
    root.add_discrete_param("y", [0.3, 7.2])
    root.add_categorical_param("z", ["a", "g", "k"])
    goal = pyvizier.ObjectiveMetricGoal.MINIMIZE
    statement.metric_information.append(pyvizier.MetricInformation("loss", goal=goal))
    designer = VizierGPUCBPEBandit(statement, rng=jax.random.PRNGKey(seed))
    for number in range(1, case.evaluations + 1):
        trial = designer.suggest(1)[0].to_trial(number)
        trial.complete(pyvizier.Measurement({"loss": function(trial.parameters.as_dict())}))
        designer.update(CompletedTrials([trial]), ActiveTrials())


def _optuna(sampler: str) -> Callable[[Function, Case, int], None]:
    """Return Optuna's own loop with one of its samplers."""

    def own(function: Function, case: Case, seed: int) -> None:
        import optuna

        def objective(trial: Any) -> float:
            return function(
                {
                    p.name: (trial.suggest_int if p.is_whole else trial.suggest_float)(p.name, p.low, p.high)
                    for p in case.problem.free
                }
            )

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=getattr(optuna.samplers, sampler)(seed=seed))
        study.optimize(objective, n_trials=case.evaluations)

    return own


def _nevergrad(function: Function, case: Case, seed: int) -> None:
    import nevergrad

    optimiser = nevergrad.optimizers.NGOpt(parametrization=len(case.problem.free), budget=case.evaluations)
    optimiser.parametrization.random_state.seed(seed)
    optimiser.minimize(lambda x: function({f"x{k}": t for k, t in enumerate(x)}))


def _pycma(function: Function, case: Case, seed: int) -> None:
    import cma

    options = {"seed": seed + 1, "verbose": -9, "maxfevals": case.evaluations}  # a seed of 0 is the clock's
    start = [0.0] * len(case.problem.free)
    cma.fmin2(lambda x: function({f"x{k}": t for k, t in enumerate(x)}), start, 0.5, options)


def _botorch(function: Function, case: Case, seed: int) -> None:
    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from gpytorch.mlls import ExactMarginalLogLikelihood

    def results(X: torch.Tensor) -> torch.Tensor:
        return torch.tensor([[-function({f"x{k}": float(t) for k, t in enumerate(x)})] for x in X]).double()

    torch.manual_seed(seed)
    bounds = torch.tensor([[float(p.low), float(p.high)] for p in case.problem.free]).double().T
    X = bounds[0] + (bounds[1] - bounds[0]) * torch.rand(2 * INITIAL, len(case.problem.free)).double()
    y = results(X)
    while len(X) < case.evaluations:
        model = SingleTaskGP(X, y, outcome_transform=Standardize(m=1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        improvement = LogExpectedImprovement(model, best_f=y.max())
        candidate, _ = optimize_acqf(improvement, bounds=bounds, q=1, num_restarts=5, raw_samples=20)
        X, y = torch.cat([X, candidate]), torch.cat([y, results(candidate)])


def xsinx(parameters: Mapping[str, Any]) -> float:
    """Return egobox's (x - 3.5) sin((x - 3.5) / pi): -15.125 at 18.9."""
    x = float(parameters["x0"]) - 3.5
    return x * math.sin(x / math.pi)


def booth(parameters: Mapping[str, Any]) -> float:
    """Return Booth's function: 0 at (1, 3)."""
    x, y = parameters["x0"], parameters["x1"]
    return float((x + 2 * y - 7) ** 2 + (2 * x + y - 5) ** 2)


def hartmann(parameters: Mapping[str, Any]) -> float:
    """Return Hartmann's function in 3D: -3.86278 at (0.1146, 0.5556, 0.8525)."""
    x = np.array([parameters[f"x{k}"] for k in range(3)])
    A = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
    P = 1e-4 * np.array([[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]])
    return -float(np.array([1.0, 1.2, 3.0, 3.2]) @ np.exp(-np.sum(A * (x - P) ** 2, axis=1)))


def readme_of_vizier(parameters: Mapping[str, Any]) -> float:
    """Return the negative of w^2 - y^2 + x ord(z): -238.91 at its best."""
    w, x, y, z = (parameters[name] for name in "wxyz")
    return -float(w**2 - y**2 + x * ord(z))


_VIZIER = Problem(
    (
        Parameter("w", 0.0, 5.0),
        Parameter("x", -2, 2, "int"),
        Parameter.of_levels("y", (0.3, 7.2)),
        Parameter.of_levels("z", ("a", "g", "k"), "categorical"),
    )
)
_MIXED = Problem((Parameter("x", -1.0, 1.0), Parameter("y", -1, 1, "int")))


def _squares(centre: float) -> Function:
    """Return the sum of squared distances from a number: 0 there."""
    return lambda parameters: float(sum((x - centre) ** 2 for x in parameters.values()))


def _rosenbrock(parameters: Mapping[str, Any]) -> float:
    """Return Rosenbrock's function in two dimensions: 0 at (1, 1)."""
    x, y = parameters["x0"], parameters["x1"]
    return float(100.0 * (x**2 - y) ** 2 + (1.0 - x) ** 2)


CASES = {
    "optuna-tpe": Case("its README, (x - 2)^2", _squares(2.0), _floats(-10.0, 10.0), 100, 0.0, _optuna("TPESampler")),
    "optuna-gp": Case("the same", _squares(2.0), _floats(-10.0, 10.0), 20, 0.0, _optuna("GPSampler")),
    "optuna-cmaes": Case(
        "its reference, x^2 + y", lambda at: float(at["x"] ** 2 + at["y"]), _MIXED, 20, -1.0, _optuna("CmaEsSampler")
    ),
    "nevergrad": Case(
        "its README, the sum of (x - 0.5)^2 in 2D", _squares(0.5), _floats(-5.0, 5.0, 2), 100, 0.0, _nevergrad
    ),
    "pycma": Case("its ff.rosen in 2D", _rosenbrock, _floats(-2.0, 2.0, 2), 300, 0.0, _pycma),
    "botorch": Case(
        "its first page, the distance from (0.5, 0.5)",
        lambda at: math.hypot(at["x0"] - 0.5, at["x1"] - 0.5),
        _floats(0.0, 1.0, 2),
        25,
        0.0,
        _botorch,
    ),
    "egobox": Case("its tutorial, xsinx", xsinx, _floats(0.0, 25.0), 20, -15.1251032, _egobox),
    "egobox-trego": Case("its tutorial, xsinx", xsinx, _floats(0.0, 25.0), 20, -15.1251032, _trego),
    "ax": Case("its introduction, Booth 2D", booth, _floats(-10.0, 10.0, 2), 20, 0.0, _ax),
    "baybe": Case("its benchmarks, Hartmann 3D", hartmann, _floats(0.0, 1.0, 3), 25, -3.86278, _baybe),
    "smac": Case(
        "its examples, quadratic 1D", lambda given: float(given["x0"] ** 2), _floats(-5.0, 5.0), 20, 0.0, _smac
    ),
    "hebo": Case(
        "its README, (x - 0.37)^2", lambda given: float((given["x0"] - 0.37) ** 2), _floats(-3.0, 3.0), 15, 0.0, _hebo
    ),
    "vizier": Case("its README, four kinds", readme_of_vizier, _VIZIER, 15, -238.91, _vizier),
}


def row(name: str, case: Case, seeds: int) -> list[str]:
    """Return the cells of a rival."""
    own = [by_itself(case, seed)[-1] - case.best for seed in range(seeds)]
    ours = [wrapped(name, case, seed)[-1] - case.best for seed in range(seeds)]
    shown = (", ".join(f"{regret:.2g}" for regret in regrets) for regrets in (own, ours))
    return [name, case.source, str(case.evaluations), *shown]


HEADER = ("method", "question", "evaluations", "own loop: regret of each seed", "ours")

if __name__ == "__main__":
    report(__doc__, CASES, HEADER, row, seeds=3)
