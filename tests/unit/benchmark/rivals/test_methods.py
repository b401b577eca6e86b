"""The methods: how they are named, and that each plays by the rules."""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Sequence

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals import methods
from ordbo_cli.benchmark.rivals.methods import contestant, contestants, left_out
from ordbo_cli.benchmark.rivals.registry import GROUPS, MAKERS, PEERS, STANDARD
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.runs import Run, initial_points, perform
from ordbo_cli.benchmark.suites.suite import MIXED, PROBLEMS
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Condition, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior

_ORDERED_ONLY = ("naive-batch",)
_QUICK = {"paper": "paper:iterations=20", "paper-thompson": "paper-thompson:iterations=20,samples=10"}


def run_of(name: str, problem: str, seed: int = 1, iterations: int = 3) -> Run:
    return Run(PROBLEMS[problem], contestant(name), seed, 5, iterations)


def skip_without_packages(name: str) -> None:
    needed = MAKERS[name].needs
    if any(importlib.util.find_spec(package) is None for package in needed):
        pytest.skip(f"needs {', '.join(needed)}")


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["step_1d", "stiff_integrator_2d"])
@pytest.mark.parametrize("name", GROUPS["all"])
def test_points_are_inside_and_runs_repeat(name: str, problem: str) -> None:
    """In 1D and with failures on logarithmic scales each method stays within bounds, and a second run is the same."""
    run = run_of(_QUICK.get(name, name), problem)
    skip_without_packages(name)
    records = perform(run).records
    assert len(records) == 8
    bounds = PROBLEMS[problem].bounds
    assert all(low <= x <= high for record in records for x, (low, high) in zip(record.x, bounds, strict=True))
    assert perform(run).records == records


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["linear_solver_2c1o1i2f", "coating_1c1o3f", "pressure_vessel_2i2f"])
@pytest.mark.parametrize("name", [name for name in GROUPS["all"] if name not in _ORDERED_ONLY])
def test_points_of_every_kind_can_be_suggested(name: str, problem: str) -> None:
    """With levels, whole numbers, conditions and failures each method gives values there are, and repeats itself."""
    skip_without_packages(name)
    run = Run(MIXED[problem], contestant(_QUICK.get(name, name)), 1, 5, 2)
    records = perform(run).records
    question = MIXED[problem].problem(PRESETS["default"])
    assert len(records) == 7
    for record in records:
        assert question.canonical(record.x) == record.x
        for x, parameter in zip(record.x, question.free, strict=True):
            assert isinstance(x, int) == parameter.is_whole
            assert parameter.min <= x <= parameter.max
    assert perform(run).records == records


@pytest.mark.parametrize("name", ["default", "random", "sobol", "optuna-tpe", "optuna-cmaes", "nevergrad"])
def test_another_seed_gives_other_points(name: str) -> None:
    """Also of parameters with levels."""
    skip_without_packages(name)
    runs = [Run(MIXED["coating_1c1o3f"], contestant(name), seed, 5, 2) for seed in (1, 2)]
    first, second = ([record.x for record in perform(run).records[5:]] for run in runs)
    assert first != second


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "sobol", "default", "vanilla", *PEERS])
def test_levels_alone_are_searched(name: str) -> None:
    """A question without any float or whole number is one to each method, which does not ask the same again."""
    skip_without_packages(name)
    question = Problem(tuple(Parameter.of_levels(letter, range(4), "categorical") for letter in "abc"))
    searcher = contestant(name).begin(Start(question, 1, 2, 8))

    def wrong(point: Sequence[Number]) -> float:
        return float(sum(x != best for x, best in zip(point, (1, 2, 0), strict=True)))

    points: list[tuple[Number, ...]] = [(0, 0, 0), (3, 3, 3)]
    for point in points:
        searcher.tell(point, wrong(point))
    for _ in range(6):
        points.append(searcher.ask())
        searcher.tell(points[-1], wrong(points[-1]))
    assert all(type(x) is int and 0 <= x < 4 for point in points for x in point)
    assert len(set(points)) > 3


@pytest.mark.parametrize("name", ["optuna-tpe", "optuna-gp", "optuna-cmaes"])
def test_optuna_knows_what_counts(name: str) -> None:
    """Its trials hold categories, whole numbers and shares, and no parameter that does not count."""
    skip_without_packages(name)
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    problem = MIXED["linear_solver_2c1o1i2f"]
    question = problem.problem(dataclasses.replace(PRESETS["default"], initial=5), 3)
    searcher = contestant(name).begin(Start(question, 3, 5, 25))
    points = initial_points(question, 5)
    for point in points:
        searcher.tell(point, problem.observe(point, 3, 1).y)
    for _ in range(20):
        points.append(searcher.ask())
        searcher.tell(points[-1], problem.observe(points[-1], 3, 1).y)
    trials = searcher._study.trials  # type: ignore[attr-defined]  # only Optuna's have one
    counted = [question.active(point) for point in points]
    assert [set(trial.params) for trial in trials] == [{f"x{k}" for k, on in enumerate(row) if on} for row in counted]
    assert len({len(trial.params) for trial in trials}) > 2
    kinds = {name: one for trial in trials for name, one in trial.distributions.items()}
    assert kinds["x0"] == CategoricalDistribution(range(4))
    assert kinds["x2"] == IntDistribution(0, 4)
    assert kinds["x3"] == IntDistribution(5, 200, log=True)
    assert kinds["x4"] == kinds["x5"] == FloatDistribution(0.0, 1.0)
    for trial, point in zip(trials, points, strict=True):
        assert all(trial.params[f"x{k}"] == point[k] for k in (0, 1, 2, 3) if f"x{k}" in trial.params)


def test_nevergrad_chooses_the_levels() -> None:
    """The initial points are its first candidates, and the levels of a suggestion are those of its choices."""
    skip_without_packages("nevergrad")
    question = MIXED["coating_1c1o3f"].problem(PRESETS["default"])
    searcher = contestant("nevergrad").begin(Start(question, 1, 2, 12))
    for corner in ((0, 0, 150.0, 2.0, 10.0), (3, 4, 230.0, 60.0, 50.0)):
        searcher.tell(corner, float(corner[0]))
    point = searcher.ask()
    assert searcher._optimizer.num_tell == 2  # type: ignore[attr-defined]  # only Nevergrad's has one
    for _ in range(10):
        box, level = searcher._candidate.value  # type: ignore[attr-defined]  # as above
        assert point[0] == level
        np.testing.assert_allclose(point[4], 10 + 40 * box[-1])
        searcher.tell(point, float(point[0]))
        point = searcher.ask()


def test_whole_numbers_that_optuna_has_not() -> None:
    """Steps on a logarithmic scale are shares of the box to it; steps on a linear one are its own."""
    skip_without_packages("optuna-tpe")
    parameters = (
        Parameter("n", 1, 97, "int", scale="log", step=4),
        Parameter("m", 2, 10, "int", step=4),
        Parameter.of_levels("c", ("a", "b"), "categorical"),
        Parameter("k", 1, 3, "int", when=(Condition("c", (1,)),)),
    )
    searcher = contestant("optuna-tpe").begin(Start(Problem(parameters), 0, 2, 12))
    for corner in ((1, 2, 0, 1), (97, 10, 1, 3)):
        searcher.tell(corner, float(sum(corner)))
    for _ in range(10):
        point = searcher.ask()
        assert point[0] in range(1, 98, 4)
        assert point[1] in (2, 6, 10)
        assert point[2] == 1 or point[3] == 1
        searcher.tell(point, float(sum(point)))


def test_random_levels_are_equally_likely() -> None:
    """Each level of four, and each whole number of five, comes up about as often as any other."""
    question = Problem((Parameter.of_levels("c", "abcd", "categorical"), Parameter("n", 1, 5, "int")))
    for name in ("random", "sobol"):
        searcher = contestant(name).begin(Start(question, 0, 2, 5))
        points = np.array([searcher.ask() for _ in range(2048)])
        assert np.bincount(points[:, 0], minlength=4) == pytest.approx(512, rel=0.15)
        assert np.bincount(points[:, 1], minlength=6)[1:] == pytest.approx(2048 / 5, rel=0.15)


def test_a_method_for_ordered_levels_only_says_so_at_once() -> None:
    """The naive batch knows one part of the space; it refuses a question with a categorical parameter by its name."""
    naive, ordered = contestant("naive-batch:batch=2"), MIXED["pressure_vessel_2i2f"].problem(PRESETS["default"])
    naive.check(ordered)
    with pytest.raises(UsageError, match="naive-batch takes no categorical parameter such as powder"):
        naive.check(ordered, MIXED["coating_1c1o3f"].problem(PRESETS["default"]))
    contestant("default").check(MIXED["coating_1c1o3f"].problem(PRESETS["default"]))


@pytest.mark.parametrize("seed", [0, 3])
def test_all_start_from_the_same_points(seed: int) -> None:
    """The first five points are those of ``ordbo suggest``, the two extreme corners first; they depend on the seed."""
    starts = [[r.x for r in perform(run_of(name, "hartmann_4d", seed, 1)).records[:5]] for name in ("random", "sobol")]
    assert starts[0] == starts[1]
    assert starts[0][:2] == [(0.0,) * 4, (1.0,) * 4]
    assert starts[0] == initial_points(PROBLEMS["hartmann_4d"].problem(PRESETS["paper"], seed), 5)
    assert starts[0] != initial_points(PROBLEMS["hartmann_4d"].problem(PRESETS["paper"], seed + 1), 5)


def test_ordinal_runs_are_what_the_optimizer_gives() -> None:
    """A run of a preset is the ask/tell loop of the library, point for point."""
    from ordbo_cli.study.optimizer import Optimizer

    problem = PROBLEMS["different_powers_2d"]
    optimizer = Optimizer(problem.problem(dataclasses.replace(PRESETS["metric-free"], initial=5), 2))
    points = []
    for _ in range(8):
        suggestion = optimizer.ask()
        points.append(suggestion.values)
        optimizer.tell(suggestion, problem(suggestion.values))
    assert [record.x for record in perform(run_of("metric-free", problem.name, 2)).records] == points


def test_batches_are_what_the_optimizer_gives() -> None:
    """Each batch is chosen before the results of its first points are known; the last one may be a smaller one."""
    from ordbo_cli.study.optimizer import Optimizer

    problem = PROBLEMS["different_powers_2d"]
    optimizer = Optimizer(problem.problem(dataclasses.replace(PRESETS["default"], initial=5), 2))
    points = []
    for number in (5, 3, 3, 1):
        for suggestion in optimizer.ask_batch(number):
            points.append(suggestion.values)
            optimizer.tell(suggestion, problem(suggestion.values))
    outcome = perform(run_of("default:batch=3", problem.name, 2, 7))
    assert [record.x for record in outcome.records] == points
    seconds = outcome.timing.seconds
    assert len(seconds) == 7
    assert seconds[0] == seconds[1] == seconds[2] > 0  # a batch's time belongs to all of its points
    assert seconds[3] == seconds[4] == seconds[5] != seconds[0]


def test_the_naive_batch_is_the_best_cells_of_one_acquisition() -> None:
    """Its first point is the one that is chosen alone; the others are points of their own, not those of a batch."""
    alone, naive, batch = (
        [record.x for record in perform(run_of(name, "different_powers_2d", 2, 4)).records[5:]]
        for name in ("default", "naive-batch:batch=4", "default:batch=4")
    )
    np.testing.assert_allclose(naive[0], alone[0], atol=1e-3)
    assert len({*naive, *batch}) > 6


@pytest.mark.gpflow
@pytest.mark.slow
def test_vanilla_takes_integers_and_steps() -> None:
    """Suggestions are values of the parameters' own grids."""
    question = Problem((Parameter("n", 1, 9, type="int"), Parameter("x", 0.0, 1.0, step=0.25)))
    searcher = contestant("vanilla").begin(Start(question, 0, 2, 5))
    for corner in ((1, 0.0), (9, 1.0)):
        searcher.tell(corner, sum(corner))
    for _ in range(3):
        point = searcher.ask()
        assert isinstance(point[0], int)
        assert point[1] in (0.0, 0.25, 0.5, 0.75, 1.0)
        searcher.tell(point, float(sum(point)))


def test_settings_change_a_preset() -> None:
    """``default:beta=1.5,prior.spread=0.5`` is the preset with two changes, by a name whose order does not matter."""
    one = contestant("default:prior.spread=0.5, beta=1.5")
    assert one.name == "default:beta=1.5,prior.spread=0.5"
    assert one.method == dataclasses.replace(PRESETS["default"], beta=1.5, prior=GapPrior(spread=0.5))
    assert contestant("paper:prior=inherited,drift=1").method.prior == GapPrior(centre="inherited")
    assert contestant("default:prior=none").method.prior is None
    assert contestant("default:corners=false").method.corners is False
    assert contestant("default:prior.centre=0.5").method.prior == GapPrior(centre=0.5)
    assert contestant("paper-thompson").method.acquisition == "thompson"


def test_the_schedule_of_beta_is_a_setting() -> None:
    """``beta=theory`` is the schedule of Lemma 1, ``beta.NAME`` one of its constants, with or without that."""
    scaled = contestant("default:drift=1,beta.scale=0.1,beta=theory,beta.delta=0.05")
    assert scaled.name == "default:beta=theory,beta.delta=0.05,beta.scale=0.1,drift=1"
    assert scaled.method == dataclasses.replace(PRESETS["default"], drift=1, beta=BetaSchedule(delta=0.05, scale=0.1))
    assert contestant(scaled.name) == scaled
    assert contestant("paper:beta=theory").method.beta == BetaSchedule()
    assert contestant("default:beta.c1=3,beta.c2=10").method.beta == BetaSchedule(c1=3, c2=10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default:beta=theory,beta.scale=0", "beta scale is 0"),
        ("default:beta=theory,beta.delta=2", "beta delta is 2"),
        ("default:beta=theory,beta.c1=0.5", "beta c1 is 0.5"),
        ("default:beta.size=1", "no setting 'beta.size'"),
        ("default:beta.scale=small", "beta.scale is 'small'"),
        ("default:beta=theory,kernel=matern12", "matern12"),
        ("nonsense", "no method 'nonsense'"),
        ("random:beta=1", "'random' has no settings"),
        ("default:beta", "'beta' is not a setting"),
        ("default:beta=1,beta=2", "stands twice"),
        ("default:bta=1", "no setting 'bta'"),
        ("default:preset=paper", "no setting 'preset'"),
        ("default:beta=high", "beta is 'high'"),
        ("default:beta=true", "beta is True"),
        ("default:beta=-1", "beta is -1"),
        ("default:iterations=1.5", "iterations is 1.5"),
        ("default:prior.spread=0", "prior spread is 0"),
        ("default:prior=near", "prior.centre is 'near'"),
        ("default:acquisition=__import__('os')", "acquisition is"),
        ("default:initial=3", "initial is the same for all"),
        ("default:batch=0", "batch is 0"),
        ("default:batch=two", "batch is 'two'"),
        ("default:batch=true", "batch is True"),
    ],
)
def test_wrong_methods_are_refused(text: str, message: str) -> None:
    """What cannot be is said before anything runs."""
    with pytest.raises(UsageError, match=message):
        contestant(text)


def test_lists_of_methods() -> None:
    """Commas part methods as well as settings; groups stand for several; each comes once."""
    chosen = [one.name for one in contestants(["default:beta=1,margin=0.1,vanilla", "standard"])]
    rest = ["default", "metric-free", "vanilla-isotropic", "random", "sobol"]
    assert chosen == ["default:beta=1,margin=0.1", "vanilla", *rest]
    assert [one.name for one in contestants(["all", "fronts"])] == list(MAKERS)
    assert [one.name for one in contestants(["peers"])] == list(PEERS)
    assert set(STANDARD) < set(MAKERS)


@pytest.mark.parametrize(("name", "package"), [("nevergrad", "nevergrad"), ("nomad", "PyNomadBBO")])
def test_a_missing_package_is_named_at_once(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install: the package, whatever its module is called."""
    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=rf"{name} needs {package}. .*ordbo\[peers\]"):
        contestant(name).check()
    contestant("default").check()


def test_versions_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are installed have one, under the name that they are imported by; the others none."""
    monkeypatch.setattr(methods, "packages_distributions", lambda: {"optuna": ["Optuna-Dist"]})
    monkeypatch.setattr(methods, "version", lambda name: {"Optuna-Dist": "9.1"}[name])
    assert contestant("optuna-cmaes").versions == {"optuna": "9.1", "cmaes": None}
    assert contestant("default").versions == {}
    assert [contestant(name).is_ours for name in ("default:beta=1", "vanilla", "random")] == [True, False, False]


def test_members_of_a_group_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not one that is named alone too."""
    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    assert [one.name for one in left_out(["standard,random"])] == ["vanilla", "vanilla-isotropic"]
    assert left_out(["standard", "vanilla,vanilla-isotropic"]) == left_out(["nomad"]) == ()
    assert "nomad" in {one.name for one in left_out(["all", "botorch"])} >= set(PEERS) - {"botorch"}


@pytest.mark.parametrize("name", PEERS)
def test_every_rival_says_its_settings(name: str) -> None:
    """Where it begins and what is ours stands below the tables, in one line."""
    assert 20 < len(contestant(name).settings) < 160
    assert "\n" not in contestant(name).settings


def test_a_failure_is_as_bad_as_the_worst_seen() -> None:
    """Methods that need numbers are told the worst success so far, and infinite results are failures too."""
    from ordbo_cli.benchmark.rivals.searchers import History

    history = History(Start(PROBLEMS["step_1d"].problem(PRESETS["default"]), 0, 2, 5))
    history.tell((0.0,), None)
    np.testing.assert_array_equal(history.y, [0.0])
    for x, loss in ((0.25, 3.0), (0.5, None), (0.75, float("inf")), (1.0, -1.0)):
        history.tell((x,), loss)
    np.testing.assert_array_equal(history.y, [3.0, 3.0, 3.0, 3.0, -1.0])
    np.testing.assert_array_equal(history.best, [1.0])
    np.testing.assert_array_equal(history.X[:, 0], [0.0, 0.25, 0.5, 0.75, 1.0])
