"""Fitting: the warm start, what is kept of a fit, hard cases, symmetries, and the bound on movement."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.ordinal.data import Comparisons, OrdinalData, ordinal_data
from ordbo_cli.ordinal.engine import NumpyEngine
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import START_SIGMA, FitContext, build_model, fit_model, warm_gaps, warm_start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import LARGEST_OUTPUT_GAP
from ordbo_cli.ordinal.prior import input_centre
from ordbo_cli.ordinal.warp import FreeGaps, coordinates, smallest_gap
from ordbo_cli.problem.method import Centre, GapPrior, Kernel, Method, Posterior
from tests.unit.ordinal.cases import make_data


def reduce(X: Array, rank: list[int]) -> OrdinalData:
    return ordinal_data(X, rank, [0.0] * X.shape[1], [1.0] * X.shape[1])


def fit(X: Array, rank: list[int], method: Method, previous: Fit | None = None, initial: int = 3) -> Fit:
    """Return the model fitted to rows in the unit box."""
    data = reduce(X, rank)
    context = FitContext(data.knots, X, initial, max(1, len(X)))
    return fit_model(data, method, context, previous)


def some_rows(N: int = 8, D: int = 2, seed: int = 0) -> tuple[Array, list[int]]:
    """Return points and the ranks of a function that jumps, failures included."""
    X = np.random.default_rng([seed, N]).uniform(size=(N, D))
    y = np.sin(7.0 * X[:, 0]) + 20.0 * (X.sum(axis=1) > 1.2)
    return X, np.unique(np.where(X[:, 0] > 0.9, 99.0, y), return_inverse=True)[1].tolist()


def test_warm_start_keeps_what_is_known() -> None:
    """Known knots keep their coordinates, known points their mean and variance; new knots lie in between."""
    X, rank = some_rows(9)
    method = Method()
    previous = fit(X[:8], rank[:8], method)
    data = reduce(X, rank)
    centre = input_centre(data, GapPrior(), data.knots, X, 3)
    gaps = warm_gaps(data, centre, previous)
    assert np.all(gaps > 0.0)
    for knots, s, old_knots, old in zip(
        data.knots, coordinates(data, gaps), previous.knots, previous.coordinates, strict=True
    ):
        np.testing.assert_allclose(s[np.isin(knots, old_knots)], old, rtol=1e-12, atol=1e-12)

    start = warm_start(build_model(data, method, FreeGaps(tuple(data.gap_counts.tolist())), centre), gaps, previous)
    known = [i for i, x in enumerate(data.inputs.tolist()) if x != X[8].tolist()]
    assert start.mean[known].tolist() == previous.mean.tolist()
    assert start.spread[known].tolist() == previous.spread.tolist()
    assert start.sigma == previous.sigma


@pytest.mark.parametrize(("sigma", "start"), [(0.02, 0.02), (0.8, 0.8), (0.95, START_SIGMA), (1.0, START_SIGMA)])
def test_a_warm_start_does_not_stay_at_the_largest_sigma(sigma: float, start: float) -> None:
    """There the slope is gone, and no later result would get it away; anywhere else sigma is kept."""
    X, rank = some_rows(8)
    previous = replace(fit(X, rank, Method()), sigma=sigma)
    data = reduce(X, rank)
    centre = input_centre(data, GapPrior(), data.knots, X, 3)
    model = build_model(data, Method(), FreeGaps(tuple(data.gap_counts.tolist())), centre)
    assert warm_start(model, warm_gaps(data, centre, previous), previous).sigma == start


def test_results_bring_sigma_down_after_many_failures() -> None:
    """Four failures and a success look like noise; with more successes in order they do not, by warm fits too."""
    failures = np.array([[0.0, 0.0], [1.0, 0.4], [0.4, 0.0], [0.1, 0.9]])
    X = np.vstack([failures, [[1.0 - 0.03 * k, 1.0] for k in range(8)]])
    found: Fit | None = None
    sigmas = []
    for rows in range(5, len(X) + 1):
        found = fit(X[:rows], [rows - 4] * 4 + list(range(rows - 4))[::-1], Method(), found, initial=5)
        sigmas.append(found.sigma)
    assert sigmas[0] > 0.9
    assert sigmas[-1] < 0.3


def test_warm_edges_stay_above_what_they_lay_above() -> None:
    """An old edge is the upper edge of the evaluation that it bounded, where a new one comes in above it."""
    X = np.array([[0.1], [0.5], [0.9]])
    previous = fit(X, [0, 1, 2], Method())
    grown, rank = np.append(X, [[0.7]], axis=0), [0, 1, 3, 2]
    data = reduce(grown, rank)
    model = build_model(data, Method(), FreeGaps((5,)), np.ones(5))
    edges = warm_start(model, np.ones(5), previous).edges(4)
    np.testing.assert_allclose(edges[:2], previous.edges, rtol=1e-12)
    assert edges[2] > edges[1]


@pytest.mark.slow
@given(st.integers(0, 500))
def test_warm_edges_rise(seed: int) -> None:
    """However the ranks of old and new rows interlock, edges start in order, with ties and replicates too."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (9, 1)) / 4.0
    first, second = rng.integers(0, 5, 6).tolist(), rng.integers(0, 5, 9).tolist()
    previous = fit(X[:6], first, Method(iterations=2))
    data = reduce(X, second)
    centre = np.ones(int(data.gap_counts.sum()))
    model = build_model(data, Method(), FreeGaps(tuple(data.gap_counts.tolist())), centre)
    start = warm_start(model, centre, previous)
    assert np.all(start.output_gaps >= 0.0)
    gaps = model.parameters(model.theta(start)).output_gaps
    assert np.all((gaps > smallest_gap(data.bins)) & (gaps < LARGEST_OUTPUT_GAP))


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_a_fit_survives_json_bit_for_bit(posterior: Posterior) -> None:
    """What is read back from the state equals what was written, and starts the next fit the same."""
    X, rank = some_rows(8)
    method = Method(posterior=posterior)
    before = fit(X, rank, method)
    text = json.dumps(before.to_dict(), allow_nan=False)
    after = Fit.from_dict(json.loads(text), 2)
    assert after is not None
    assert json.dumps(after.to_dict(), allow_nan=False) == text
    assert fit(X, rank, method, after).to_dict() == fit(X, rank, method, before).to_dict()


def fit_of_more(posterior: Posterior = "diagonal", previous: Fit | None = None, seed: int = 0) -> Fit:
    """Return a fit to censored results and comparisons."""
    data = make_data(9, 2, seed, plain=False)
    context = FitContext(data.knots, np.vstack([[0.0, 0.0], [1.0, 1.0], data.inputs]), 5, len(data.inputs))
    return fit_model(data, Method(posterior=posterior), context, previous)


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_censored_results_and_comparisons_survive_json(posterior: Posterior) -> None:
    """They are part of a fit, which stands as it is where they are the same and only there."""
    before = fit_of_more(posterior)
    assert np.any(before.worst > before.rank)
    assert len(before.comparisons) == 5
    after = Fit.from_dict(json.loads(json.dumps(before.to_dict(), allow_nan=False)), 2)
    assert after is not None
    assert after.to_dict() == before.to_dict()
    assert fit_of_more(posterior, after) is after
    fewer = replace(after, comparisons=Comparisons.none())
    known = replace(after, worst=after.rank)
    for other in (fewer, known):
        again = fit_of_more(posterior, other)
        assert again is not other
        assert again.value == pytest.approx(before.value, abs=0.5)


GOOD = fit(*some_rows(5), Method()).to_dict()
MORE = fit_of_more().to_dict()
BROKEN: list[tuple[str, Any]] = [
    ("index", [[0, 0]] * 5 + [[0, 9]]),
    ("index", [[-1, 0]] * 5),
    ("index", [[9, 0]] * 5),
    ("point", [-1, 0, 1, 2, 3]),
    ("point", [5, 0, 1, 2, 3]),
    ("point", [[0, 1, 2, 3, 4]]),
    ("rank", [-1, 0, 1, 2, 3]),
    ("rank", [99, 0, 1, 2, 3]),
    ("rank", [10**30, 0, 1, 2, 3]),
    ("mean", [float("nan")] * 5),
    ("mean", [0.0] * 4),
    ("mean", 0.0),
    ("mean", [None] * 5),
    ("spread", [-1.0] * 5),
    ("spread", [float("inf")] * 5),
    ("edges", [3.0, 2.0, 1.0, 0.0]),
    ("edges", [[1.0]]),
    ("knots", [[0.0, 1.0], [0.0, 1.0]]),
    ("knots", [[], []]),
    ("coordinates", [[0.0, float("inf")], [0.0, 1.0]]),
    ("coordinates", "none"),
    ("sigma", -0.1),
    ("sigma", 10**400),
    ("full", "yes"),
    ("value", float("nan")),
]


@pytest.mark.parametrize(("name", "value"), BROKEN)
def test_a_broken_fit_is_none(name: str, value: Any) -> None:
    """A part that is missing or does not belong to the rest makes a fit unusable, without an exception."""
    assert Fit.from_dict(GOOD, 2) is not None
    assert Fit.from_dict({**GOOD, name: value}, 2) is None
    assert Fit.from_dict({key: part for key, part in GOOD.items() if key != name}, 2) is None


def test_a_fit_of_another_problem_is_none() -> None:
    """A fit of two parameters does not fit a problem of one or three."""
    assert [Fit.from_dict(GOOD, D) for D in (1, 3)] == [None, None]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=8,
)


def mangle(value: Any, draw: Callable[..., Any]) -> Any:
    """Return a JSON value with one place of it replaced by junk."""
    if isinstance(value, list) and value and draw(st.integers(0, 4)):
        i = draw(st.integers(0, len(value) - 1))
        return [*value[:i], mangle(value[i], draw), *value[i + 1 :]]
    return draw(JUNK)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("worst", [0] * 9),
        ("worst", [99] * 9),
        ("worst", MORE["rank"][:-1]),
        ("comparisons", []),
        ("comparisons", {**MORE["comparisons"], "better": [99, 0, 0, 0, 0]}),
        ("comparisons", {**MORE["comparisons"], "worse": [-1, 0, 0, 0, 0]}),
        ("comparisons", {**MORE["comparisons"], "weight": [1.0]}),
        ("comparisons", {**MORE["comparisons"], "weight": [1.0, 1.0, 1.0, 1.0, -1.0]}),
        ("comparisons", {**MORE["comparisons"], "weight": [float("nan")] * 5}),
    ],
)
def test_broken_limits_and_comparisons_make_a_fit_none(name: str, value: Any) -> None:
    """Unions and pairs that do not belong to the rest make a fit unusable, without an exception."""
    assert Fit.from_dict(MORE, 2) is not None
    assert Fit.from_dict({**MORE, name: value}, 2) is None


@given(st.data())
def test_a_mangled_fit_is_none_or_usable(data: st.DataObject) -> None:
    """Whatever stands in the state, reading it never raises, and what is accepted can start a fit and predict."""
    good = data.draw(st.sampled_from([GOOD, MORE]))
    name = data.draw(st.sampled_from(sorted(good)))
    read = Fit.from_dict({**good, name: mangle(good[name], data.draw)}, 2)
    if read is None:
        return
    mean, variance = read.posterior("matern32").moments(np.full((1, 2), 0.5))
    assert np.all(np.isfinite([*mean, *variance]))
    again = fit(*some_rows(6), Method(iterations=3), read)
    assert Fit.from_dict(again.to_dict(), 2) is not None


CLOSE = np.array([[0.3, 0.4], [0.3 + 1e-15, 0.4], [0.9, np.nextafter(0.4, 0.0)], [np.nextafter(0.9, 1.0), 0.5]])
HARD = {
    "no row": (np.zeros((0, 2)), []),
    "one row": (np.array([[0.3, 0.4]]), [0]),
    "one row on a bound": (np.array([[0.0, 1.0]]), [0]),
    "one rank": (np.array([[0.3, 0.4], [0.5, 0.6]]), [0, 0]),
    "one point": (np.full((5, 2), 0.5), [0, 1, 2, 2, 3]),
    "one point and one rank": (np.full((5, 2), 0.5), [0] * 5),
    "points 1e-15 apart": (CLOSE, [0, 3, 2, 1]),
    "a line": (np.stack([np.linspace(0.0, 1.0, 40), np.full(40, 0.5)], axis=1), [(17 * i) % 40 for i in range(40)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["matern32", "rbf"])
@pytest.mark.parametrize("posterior", get_args(Posterior))
@pytest.mark.parametrize("case", HARD)
def test_hard_cases_stay_finite(case: str, posterior: Posterior, kernel: Kernel) -> None:
    """Cold, warm, and with two more rows that nearly coincide, movement bounded or not: all numbers stay finite."""
    X, rank = HARD[case]
    for prior in (None, GapPrior(), GapPrior(centre="inherited")):
        for drift in (None, 0.5, 1e-17):
            method = Method(kernel=kernel, posterior=posterior, prior=prior, drift=drift, iterations=15)
            first = fit(X, rank, method)
            second = fit(X, rank, method, first)
            more = [[0.31, 0.72], [np.nextafter(0.31, 0.0), 0.72]]
            third = fit(np.append(X, more, axis=0), [*rank, 1, 2], method, second)
            for done in (first, second, third):
                assert Fit.from_dict(done.to_dict(), 2) is not None
                mean, variance = done.posterior(kernel).moments(np.random.default_rng(0).uniform(size=(9, 2)))
                assert np.all(np.isfinite([mean, variance]))
                assert np.all(variance > 0.0)


@pytest.mark.parametrize("centre", get_args(Centre))
def test_order_of_rows_changes_nothing(centre: Centre) -> None:
    """Rows of the initial design in any order give the same fit bit for bit."""
    X, rank = some_rows(7)
    X[3], rank[5] = X[2], rank[4]
    method = Method(prior=GapPrior(centre=centre))
    expected = fit(X, rank, method, initial=7).to_dict()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(7)
        assert fit(X[order], [rank[i] for i in order], method, initial=7).to_dict() == expected


def test_only_the_order_of_the_objective_counts() -> None:
    """Ranks with gaps between them are the same ranks."""
    X, rank = some_rows(6)
    assert fit(X, [7 * k - 3 for k in rank], Method()).to_dict() == fit(X, rank, Method()).to_dict()


def test_the_metric_free_fit_sees_only_the_order_of_the_inputs() -> None:
    """With an inherited or equal centre or free gaps, a transform of the inputs leaves the latent fit bit for bit."""
    X, rank = some_rows(8)
    for prior in (GapPrior(centre="inherited"), GapPrior(centre="equal"), None):
        method = Method(prior=prior)
        before, after = fit(X, rank, method), fit(X**3, rank, method)
        assert [s.tolist() for s in after.coordinates] == [s.tolist() for s in before.coordinates]
        assert (after.mean.tolist(), after.value) == (before.mean.tolist(), before.value)


@pytest.mark.slow
@pytest.mark.parametrize("drift", [0.02, 0.5])
@pytest.mark.parametrize("prior", [None, GapPrior()])
def test_no_latent_point_moves_farther_than_the_bound(prior: GapPrior | None, drift: float) -> None:
    """Over growing fits every known point moves at most ``C D / n``, with S scaled to the unit box."""
    X, rank = some_rows(24)
    method = Method(prior=prior, drift=drift, iterations=60)
    previous: Fit | None = None
    moved = []
    for n in (4, 5, 6, 7, 8, 12, 13, 20, 24):
        now = fit(X[:n], rank[:n], method, previous)
        if previous is not None:
            old, new = scaled(previous), scaled(now)
            distance = max(float(np.linalg.norm(new[x] - old[x])) for x in old)
            assert distance <= drift * 2 / n + 1e-12
            moved.append(distance * n / (2 * drift))
        previous = now
    assert max(moved) > 0.1  # it does move


def scaled(fitted: Fit) -> dict[tuple[float, ...], Array]:
    """Return latent points by their inputs, each axis scaled to 1."""
    S = fitted.S / [s[-1] for s in fitted.coordinates]
    inputs = np.stack([u[fitted.index[:, j]] for j, u in enumerate(fitted.knots)], axis=1)
    return {tuple(x): s for x, s in zip(inputs.tolist(), S, strict=True)}


def test_failures_are_a_shared_last_rank() -> None:
    """Failed rows have one bin, the last, and its points the highest posterior means."""
    X = np.linspace(0.05, 0.95, 10)[:, None]
    rank = [0, 1, 2, 3, 4, 5, 6, 6, 6, 6]
    done = fit(X, rank, Method())
    assert len(done.edges) == 6
    assert done.mean[6:].min() > done.mean[:6].max()


def test_a_fit_that_is_not_warm_forgets_the_one_before() -> None:
    """With ``warm: false`` the fit is that of the rows alone; otherwise it goes on from the previous one."""
    X, rank = some_rows(12)
    for method, alike in ((Method(warm=False), True), (Method(), False)):
        previous = fit(X[:-1], rank[:-1], method)
        assert (fit(X, rank, method, previous).to_dict() == fit(X, rank, method).to_dict()) is alike


def test_a_warm_fit_takes_fewer_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row more takes at most two thirds of the evaluations that the same rows take from nothing."""
    calls = 0
    objective = NumpyEngine.objective

    def counted(engine: NumpyEngine, theta: Array) -> tuple[float, Array]:
        nonlocal calls
        calls += 1
        return objective(engine, theta)

    X, rank = some_rows(60)
    previous = fit(X[:-1], rank[:-1], Method())
    monkeypatch.setattr(NumpyEngine, "objective", counted)
    fit(X, rank, Method(), previous)
    warm, calls = calls, 0
    fit(X, rank, Method())
    assert 0 < warm < 2 / 3 * calls


def waves(N: int, D: int, seed: int) -> tuple[Array, list[int]]:
    """Return random points and the ranks of a function with waves along its first parameter."""
    X = np.random.default_rng(seed).uniform(size=(N, D))
    y = np.sin(12.0 * X[:, 0]) + 2.0 * (X[:, 1] - 0.4) ** 2 + 0.7 * X[:, -1]
    return X, np.argsort(np.argsort(y)).tolist()


@pytest.mark.parametrize("seed", [0, 5])
def test_many_rows_at_once_leave_no_axis_with_all_gaps_at_their_largest(seed: int) -> None:
    """A hundred rows from nothing end at the maximum that a start from shorter axes finds, not on the flat beyond."""
    X, rank = waves(100, 6, seed)
    done = fit(X, rank, Method(), initial=12)
    assert max(float(s[-1]) for s in done.coordinates) < 20.0
