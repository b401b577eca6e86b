from __future__ import annotations

from dataclasses import replace as replace_fields
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import check_grad

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.problem.method import PRESETS, GapPrior
from tests.bench.attribution import FACTORS, effect, effects, log_costs, names
from tests.bench.campaigns import points_at
from tests.bench.fidelities import figures as figures_of_levels
from tests.bench.figures import exponent, rounded, table
from tests.bench.histories import NEXT_TO, History, make_studies
from tests.bench.noisy_fronts import noise_of, searched, shares
from tests.bench.step import GROWING, HEADER, Measured, Step, growth, lines, rows_of, take_step
from tests.bench.timed_step import Clock, replace
from tests.bench.whitening import factor, whitened
from tests.bench.whitening import posterior as whitened_posterior
from tests.unit.ordinal.cases import make_data, make_model, random_theta


def test_a_timed_step_goes_through_every_part(tmp_path: Path) -> None:
    """The names at the boundaries still exist, are called, and their times are parts of the whole."""
    history = History(10, 2)
    make_studies(history, tmp_path / "cold", tmp_path / "warm")
    step = take_step(tmp_path / "warm", tmp_path, history)
    parts = dict(step.seconds)
    whole, _ = parts.pop("whole"), parts.pop("cpu")
    assert all(seconds > 0 for seconds in parts.values())
    assert sum(parts.values()) == pytest.approx(whole)
    assert step.evaluations > 1
    assert 10e6 < step.memory < 1e9
    (line,) = [line for line in lines({(history, "cold"): step, (history, "warm"): step}, [history]) if "warm" in line]
    assert len(line) == len(HEADER)


def test_a_boundary_that_is_gone_is_an_error() -> None:
    """A renamed function is not left out in silence."""
    with pytest.raises(AttributeError):
        replace("ordbo_cli.search.step:proposed_by_nobody", partial(Clock().timed, "acquire"))


def test_a_step_that_passes_a_part_by_is_an_error(tmp_path: Path) -> None:
    """A step that fits nothing although there are rows enough is refused: the boundary has moved."""
    History(3, 2).write(tmp_path / "study", 3)  # still in the initial design
    with pytest.raises(SystemExit, match="did not go through fit"):
        take_step(tmp_path / "study", tmp_path, History(10, 2))


def test_a_clock_gives_each_part_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a part takes inside another one is not counted twice."""
    now = iter([0.0, 1.0, 3.0, 10.0])
    monkeypatch.setattr("tests.bench.timed_step.time.perf_counter", lambda: next(now))
    clock = Clock()
    fit = clock.timed("fit", lambda: None)
    clock.timed("acquire", fit)()
    assert (clock.seconds["acquire"], clock.seconds["fit"]) == (8.0, 2.0)
    assert (clock.calls["acquire"], clock.calls["fit"]) == (1, 1)


def test_an_exponent_is_that_of_the_power_law() -> None:
    """Seconds that grow as N^2.5 have the exponent 2.5; one size has none."""
    assert exponent([200, 500, 1000], [3 * N**2.5 for N in (200, 500, 1000)]) == pytest.approx(2.5)
    assert exponent([200], [1.0]) is None


def test_growth_takes_the_sizes_between_two_bounds() -> None:
    """Sizes outside do not bend the exponent."""
    histories = [History(N, 2) for N in (10, 200, 500, 1000, 2000)]
    steps: Measured = {}
    for history in histories:
        seconds = float(history.rows) ** 2 if 200 <= history.rows <= 1000 else 1.0
        step = Step(dict.fromkeys(GROWING, seconds), 0, 0)
        steps |= {(history, "cold"): step, (history, "warm"): step}
    assert growth(steps, histories, rows_of, 200, 1000) == ["200, 500, 1000"] + ["2.00"] * 2 * len(GROWING)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.000"), (0.01234, "0.012"), (1.234, "1.23"), (12.34, "12.3"), (1234.5, "1234")]
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    """Seconds and ratios are as long as a reader needs."""
    assert rounded(value) == text


def test_a_table_is_markdown() -> None:
    """A line below the header, all columns even."""
    assert table(("a", "b"), [("1", "22")]) == "| a | b  |\n|---|----|\n| 1 | 22 |"


def test_bunched_points_are_near_duplicates() -> None:
    """They lie beside few points, and no two are equal."""
    points = History(40, 3, bunches=4).points()
    assert len({tuple(point) for point in points.tolist()}) == 40
    assert len({tuple(point) for point in points.round(6).tolist()}) == 4
    assert abs(points[0] - points[4]).max() < 10 * NEXT_TO


def test_effects_of_a_factorial_are_those_that_made_it() -> None:
    """Where a change multiplies the cost by a constant, that is its effect, whatever is held, on any seeds."""
    factors = {"placement": ("placement=random", "placement=interpolate"), "beta": ("beta=3", "beta=2")}
    noise = np.exp(np.random.default_rng(0).normal(size=6))
    share = np.array([1.0, 0.5, 0.25, 0.125])[:, None]  # a half for the beta, a quarter for the place
    logs = log_costs({"bowl": share * noise, "cliff": 7.0 * share * noise[::-1]}, [2, 2], geometric=False)
    assert effect(logs, 0, 1) == effect(logs, 0, 1, (1, 1)) == "0.25 [0.25, 0.25]"
    assert effect(logs, 1, 1, (0, 0)) == "0.5 [0.5, 0.5]"
    assert "| beta=2 for beta=3" in effects({"bowl": share * noise}, factors)
    assert names(factors)[0] == "default:avoid_failures=false,beta=3,placement=random,refine=false"


def test_the_factorial_has_every_setting_once() -> None:
    """Twenty-four methods, the paper's preset and the default among them, this one without what came later."""
    methods = [contestant(name).method for name in names(FACTORS)]
    assert len(set(methods)) == 24
    presets = (PRESETS[name] for name in ("default", "paper"))
    plain = {replace_fields(preset, preset="default", refine=False, avoid_failures=False) for preset in presets}
    assert plain <= set(methods)


def test_whitened_gradients_are_those_of_the_values() -> None:
    """The trial's objective agrees with finite differences, and theta with the parameters that it stands for."""
    model = make_model(make_data(7, 2), prior=GapPrior())
    at = 0.5 * random_theta(model)
    with whitened():
        np.testing.assert_allclose(model.theta(model.parameters(at)), at, atol=1e-9)
        assert check_grad(lambda x: objective(model, x)[0], lambda x: objective(model, x)[1], at) < 1e-3


def test_a_whitened_posterior_has_the_moments_of_its_parts() -> None:
    """At the points themselves the mean is m, and the variance that of L diag(v) L'."""
    S = np.array([[0.0], [0.5], [2.0]])
    mean, v = np.array([1.0, -1.0, 0.3]), np.array([0.5, 0.2, 0.9])
    found = whitened_posterior(S, mean, v, "matern32", full=False)
    L = factor("matern32", S)
    means, variances = found.moments(S)
    np.testing.assert_allclose(means, mean, atol=1e-5)
    np.testing.assert_allclose(variances, (L * L) @ v, atol=1e-4)


@pytest.mark.parametrize("steps", [0, 4])
def test_fronts_under_noise_are_judged_by_true_values(steps: int) -> None:
    """Of all points that were tried more is dominated than of those that either front has."""
    problem = FRONTS["zdt1_4d"]
    sd = noise_of(problem, 0.05)
    assert sd.shape == (2,)
    given = searched(problem, 100, sd, 9, noise=True, steps=steps)
    assert given.problem.noise
    by_mean, single, tried = shares(problem, given)
    assert 0.0 <= max(by_mean, single) <= tried <= 1.0
    exact = searched(problem, 100, 0.0 * sd, 9, noise=False, steps=steps)
    _, single, tried = shares(problem, exact)
    assert single == pytest.approx(tried)


def test_costs_of_levels_are_means_by_method_and_kind() -> None:
    """Geometric over seeds, then over problems; a search that could have stopped at its best mean has a row of that."""
    cut = {"method": "botorch", "kind": "related", "cost": 25.5, "reached": False}
    runs = [
        {**cut, "problem": "bowl", "alone": 16, "cost": 2.0, "reached": True, "stopped": 1.6},
        {**cut, "problem": "bowl", "alone": 16, "cost": 8.0, "reached": True, "stopped": 1.6},
        {**cut, "problem": "cliff", "alone": 17, "stopped": 4.25},
        {**cut, "problem": "cliff", "alone": 17, "method": "ordbo"},
    ]
    assert figures_of_levels(runs) == [
        ["botorch", "related", "3", "2", "0.61", "1 of 2", "bowl 0.25, cliff 1.50"],
        ["botorch, best mean", "related", "3", "3", "0.16", "2 of 2", "bowl 0.10, cliff 0.25"],
        ["ordbo", "related", "1", "0", "1.50", "0 of 1", "cliff 1.50"],
    ]


def test_points_of_a_source_are_on_grids_and_levels() -> None:
    """A problem whose parameters are words, whole numbers and steps can be asked for the result of each."""
    (subject,) = suite.problems(["laser_filter_2c2i5f"])
    problem = subject.problem(PRESETS["default"], 0)
    points = points_at(problem, np.random.default_rng(0).random((20, len(problem.free))))
    assert points == [problem.canonical(point) for point in points]
    assert all(subject.observe(point, 0, 1) for point in points)
