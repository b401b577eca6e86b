"""Leaving out: the order predicted, how sure the model is, and that nothing of what is left out is seen."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, kendalltau, norm

from ordbo_cli.insight import rank_checks as module
from ordbo_cli.insight.rank_checks import (
    Calibration,
    ChanceInterval,
    Checks,
    LeftOut,
    calibration_of,
    checks,
    held_out_moments,
    order_of,
    predicted,
    two_sided,
)
from ordbo_cli.ordinal.kernels import distances, prior_covariance
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.posterior import posterior
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.calibration import result_sd
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def checked(problem: Problem, results: list[Evaluation], **settings: object) -> Checks:
    """Return the checks of a study without pending points."""
    return checks(StepInput(problem, results), **settings)  # type: ignore[arg-type]  # the caller's keywords


def predictions(mean: Array, rank: IntArray, point: IntArray) -> LeftOut:
    """Return predictions that have an order and nothing else."""
    ones = np.ones(len(mean))
    return LeftOut((), point, rank, mean, ones, ones, 0.0 * ones, ones)


@pytest.mark.parametrize("number", [2, 7, 300])
@pytest.mark.parametrize("levels", [3, 1000])
def test_tau_is_scipys(number: int, levels: int) -> None:
    """Tau-b as SciPy has it, with and without ties in either order, over more results than one block."""
    rng = np.random.default_rng([number, levels])
    mean, rank = rng.integers(levels, size=(2, number), dtype=np.int64)
    rank += mean
    mean[:2], rank[:2] = (0, 1), (1, 0)
    found = order_of(predictions(mean.astype(float), rank, np.arange(number)))
    assert found.tau == pytest.approx(kendalltau(mean, rank).statistic, abs=1e-12)
    pairs = [(i, j) for i in range(number) for j in range(i) if rank[i] != rank[j]]
    right = [0.5 + 0.5 * np.sign((mean[i] - mean[j]) * (rank[i] - rank[j])) for i, j in pairs]
    assert found.pairs == len(pairs)
    assert found.right == pytest.approx(np.mean(right))


def test_an_order_of_nothing() -> None:
    """A model that predicts the same everywhere has no tau and is right by half; replicates are no pair."""
    same = order_of(predictions(np.zeros(4), np.arange(4), np.array([0, 0, 1, 2])))
    assert (same.tau, same.pairs, same.right) == (None, 5, 0.5)
    assert order_of(predictions(np.zeros(2), np.array([0, 1]), np.zeros(2, dtype=int))).right is None


@pytest.mark.parametrize(("count", "number", "chance"), [(0, 5, 0.5), (9, 10, 0.5), (5, 10, 0.9), (3.4, 12, 0.5)])
def test_the_tail_is_the_binomials(count: float, number: int, chance: float) -> None:
    """Twice the smaller tail, a part of a count rounded towards what is expected; never above one."""
    k = int(np.ceil(count)) if count < chance * number else int(np.floor(count))
    tail = min(binom.cdf(k, number, chance), binom.sf(k - 1, number, chance))
    assert two_sided(count, number, chance) == pytest.approx(2.0 * tail, rel=1e-9)
    assert two_sided(5, 10, 0.5) == 1.0


def test_where_a_result_lies_among_the_rest() -> None:
    """Like one of the rest: its bin. Between two: from the middle of the one's bin to that of the other's."""
    edges, kept = np.array([-0.5, 0.4]), np.array([1, 3, 4])
    mean, sd, expected, *_ = predicted(0.1, 0.36, edges, 0.8, 0.3, kept, 0)
    assert (mean, sd, expected) == pytest.approx((0.1, 0.6, 1.0 + norm.cdf(0.6) + norm.cdf(-0.3)))
    below = [0.0, 0.05805826175840777, 0.8130495168499706, 1.0]  # Student's t with 4 degrees at -2 and 1
    middle = [0.5 * (a + b) for a, b in pairwise(below)]
    ends = {0: (0, middle[0]), 1: below[:2], 2: middle[:2], 3: below[1:3], 4: below[2:], 5: (middle[2], 1)}
    for rank, (lower, upper) in ends.items():
        assert predicted(0.1, 0.36, edges, 0.8, 0.3, kept, rank)[3:] == pytest.approx((lower, upper))


@pytest.mark.slow
def test_what_is_left_out_is_not_seen(quick: Method) -> None:
    """A point's prediction is that of a study without it, whatever its results are, and replicates leave with it."""
    X, y = random_study(9, 2, 4)
    X, y = np.vstack([X, X[3]]), [*y, 0.1]
    problem, results = unit_problem(2, quick), evaluations(X, y)
    found = checked(problem, results)
    assert (found.how, found.fits) == ("refitted", 9)
    assert found.left_out is not None
    for k in (0, 3, 9):
        rest = [e for e in results if e.values != results[k].values]
        assert len(rest) == (9 if k == 0 else 8)
        (alone,) = predict(StepInput(problem, rest), [results[k].values])
        assert found.left_out.mean[k] == pytest.approx(alone.mean, abs=1e-12)
        assert found.left_out.sd[k] == pytest.approx(alone.sd, abs=1e-12)
        assert found.left_out.expected[k] == pytest.approx(alone.rank, abs=1e-12)
    worse = checked(problem, evaluations(X, [*y[:5], 1e9, *y[6:]])).left_out
    assert worse is not None
    assert worse.rank[5] == 9
    assert worse.mean[5] == found.left_out.mean[5]
    assert worse.transform[5] > found.left_out.transform[5]


@pytest.mark.slow
def test_a_tenth_at_a_time(quick: Method) -> None:
    """Folds leave out points with all their results, each once, the best and the worst apart, and tell of each fit."""
    X, y = random_study(30, 2, 4)
    problem, told = unit_problem(2, quick), []
    results = evaluations(np.vstack([X, X[:5]]), [*y, *y[:5]])
    found = checked(problem, results, how="folds", progress=lambda done, fits: told.append((done, fits)))
    assert (found.how, found.fits) == ("folds", 10)
    assert told == [(k, 10) for k in range(1, 11)]
    assert found.left_out is not None
    order = np.argsort(y)
    away = {tuple(X[k]) for k in order[::10]}  # the best of each ten
    rest = [e for e in results if e.values not in away]
    for k in order[::10]:
        (alone,) = predict(StepInput(problem, rest), [tuple(X[k])])
        assert found.left_out.mean[k] == pytest.approx(alone.mean, abs=1e-12)


@pytest.mark.parametrize("full", [False, True])
def test_held_moments_by_their_definition(quick: Method, full: bool) -> None:
    """Diagonal: the process given all other points' values. Full: q without the point's pseudo-observation."""
    X, y = random_study(12, 2, 5)
    method = replace(quick, posterior="full" if full else "diagonal", kernel="matern12")
    problem = unit_problem(2, method)
    fit = fit_surrogate(StepInput(problem, evaluations(X, y))).fit
    K = prior_covariance(method.kernel, distances(fit.S, fit.S))
    mean, variance = held_out_moments(K, fit)
    for i in range(12):
        rest = np.arange(12) != i
        if full:
            precision = np.linalg.inv(K) + np.diag(np.where(rest, fit.spread, 0.0))
            natural = np.linalg.solve(K, fit.mean) + fit.spread * fit.mean
            Sigma = np.linalg.inv(precision)
            expected = (Sigma @ np.where(rest, natural, 0.0))[i], Sigma[i, i]
        else:
            other = posterior(fit.S[rest], fit.mean[rest], fit.spread[rest], method.kernel, full=False)
            moments = other.moments(fit.S[[i]])
            expected = float(moments[0][0]), float(moments[1][0])
        assert (mean[i], variance[i]) == pytest.approx(expected, abs=2e-5)


def test_held_edges_are_those_between_the_rest(quick: Method) -> None:
    """The bin of a result that is left out is shared by its neighbours; one that others are alike to stays."""
    X, y = random_study(8, 1, 5)
    order = np.argsort(y)
    y[order[5]] = y[order[4]]
    problem = unit_problem(1, quick)
    given = StepInput(problem, evaluations(X, y))
    fit = fit_surrogate(given).fit
    found = checks(given, fit).left_out, checks(given, fit, how="held").left_out
    assert found[0] is not None
    assert found[1] is not None
    e = fit.edges
    rest = {0: e[1:], 2: np.array([e[0], 0.5 * (e[1] + e[2]), *e[3:]]), 4: e, 5: e, 7: e[:-1]}
    for place, edges in rest.items():
        k = order[place]
        total = np.hypot(found[1].sd[k], fit.sigma)
        expected = 1.0 + float(norm.sf(edges, found[1].mean[k], total).sum())
        assert found[1].expected[k] == pytest.approx(expected, abs=1e-9)
        assert found[0].expected[k] != pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_holding_the_warp_flatters(quick: Method) -> None:
    """No fit is made; the order comes out better than for a model that has not seen the point at all."""
    X, y = random_study(25, 2, 6)
    noisy = [v * (1.0 + 2.0 * u) for v, u in zip(y, np.random.default_rng(1).random(25), strict=True)]
    problem = unit_problem(2, quick)
    held, refitted = (checked(problem, evaluations(X, noisy), how=how) for how in ("held", "refitted"))
    assert (held.how, held.fits) == ("held", 0)
    assert held.order is not None
    assert refitted.order is not None
    assert held.order.tau is not None
    assert refitted.order.tau is not None
    assert held.order.tau > refitted.order.tau > 0.2


@pytest.mark.slow
def test_the_way_follows_from_the_number_of_points(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each point alone, then a tenth at a time, then nothing refitted; replicates do not count."""
    monkeypatch.setattr(module, "MOST_REFITTED", 11)
    monkeypatch.setattr(module, "MOST_FOLDED", 13)
    X, y = random_study(14, 1, 7)
    problem = unit_problem(1, quick)
    for number, how in ((11, "refitted"), (12, "folds"), (13, "folds"), (14, "held")):
        some = evaluations(np.vstack([X[:number], X[:2]]), [*y[:number], 5.0, 6.0])
        assert checked(problem, some).how == how


def drawn(number: int, seed: int) -> list[Evaluation]:
    """Return results that the model itself would draw: a latent process behind a warp."""
    rng = np.random.default_rng([seed, number])
    X = rng.random((number, 1))
    S = 6.0 * X**1.5
    f = np.linalg.cholesky(prior_covariance("matern32", distances(S, S))) @ rng.normal(size=number)
    return evaluations(X, list(f))


def pooled(number: int, draws: int) -> Calibration:
    """Return the calibration over several draws at once."""
    problem = unit_problem(1, replace(Method(), iterations=100))
    found = [checked(problem, drawn(number, seed)).left_out for seed in range(draws)]
    every = [each for each in found if each is not None]
    columns = [np.concatenate([getattr(each, f.name) for each in every]) for f in fields(LeftOut)[2:]]
    return calibration_of(LeftOut((), np.arange(number * draws), *columns))


@pytest.mark.slow
def test_the_model_is_calibrated_on_its_own_draws() -> None:
    """Of results drawn from the model about half lie in the central half, and nine in ten in the central 90 %."""
    found = pooled(14, 6)
    half, most = found.intervals
    assert (half.level, most.level, half.points) == (0.5, 0.9, 84)
    assert half.share == pytest.approx(0.5, abs=0.12)
    assert most.share == pytest.approx(0.9, abs=0.07)
    assert found.mean == pytest.approx(0.5, abs=0.08)


@pytest.mark.slow
def test_a_model_that_is_too_sure_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fifth of the scale its intervals are too narrow, and the verdict says so."""
    monkeypatch.setattr(module, "result_sd", lambda fitted, posterior: 0.2 * result_sd(fitted, posterior))
    found = pooled(14, 6)
    assert found.width == "too narrow"
    assert found.intervals[1].share < 0.75


def test_verdicts() -> None:
    """Too few inside is too narrow, too many too wide; the clearer interval speaks; the mean says of which kind."""
    assert ChanceInterval(0.5, 2.0, 20, 0.001).verdict == "too narrow"
    assert ChanceInterval(0.5, 18.0, 20, 0.001).verdict == "too wide"
    assert ChanceInterval(0.5, 12.0, 20, 0.3).verdict == "as it should be"
    both = (ChanceInterval(0.5, 2.0, 20, 0.001), ChanceInterval(0.9, 20.0, 20, 0.04))
    assert Calibration(both, 0.5, 0.06).width == Calibration(both[::-1], 0.5, 0.06).width == "too narrow"
    biases = [Calibration(both, mean, 0.06).bias for mean in (0.37, 0.39, 0.61, 0.63)]
    assert biases == ["too pessimistic", "as it should be", "as it should be", "too optimistic"]


def test_a_result_far_out_in_a_tail_is_outside() -> None:
    """A transform without width counts wholly: outside where it is 0 or 1, and nothing is divided by zero."""
    ends, ones = np.array([0.0, 1.0, 0.3]), np.ones(3)
    found = calibration_of(LeftOut((), np.arange(3), np.arange(3), ones, ones, ones, ends, ends))
    assert [each.inside for each in found.intervals] == [1.0, 1.0]


def test_replicates_count_as_one_point() -> None:
    """They are predicted alike, so ten of them say no more of the model than one."""
    ones = np.ones(4)
    lower, upper = np.array([0.0, 0.5, 0.5, 0.8]), np.array([0.1, 0.6, 0.6, 1.0])
    found = calibration_of(LeftOut((), np.array([0, 1, 1, 1]), np.arange(4), ones, ones, ones, lower, upper))
    assert found.intervals[0].points == 2
    assert found.intervals[0].inside == pytest.approx(2 / 3)
    assert found.mean == pytest.approx(0.5 * (0.05 + (0.55 + 0.55 + 0.9) / 3))


STUDIES: dict[str, tuple[list[tuple[float, float]], list[object]]] = {
    "no row": ([], []),
    "one row": ([(0.5, 1.0)], [1]),
    "two points": ([(0.5, 1.0), (0.1, 2.0), (0.1, 2.0)], [1, 2, 3]),
    "all tied": ([(0.5, 1.0), (0.1, 2.0), (0.2, 3.0)], [1, 1, 1]),
    "all failed": ([(0.5, 1.0), (0.1, 2.0), (0.2, 3.0)], [None, None, None]),
    "one point": ([(0.5, 1.0)] * 4, [1, 2, 3, 4]),
    "three points": ([(0.5, 1.0), (0.1, 2.0), (0.2, 3.0)], [1, 2, 2]),
    "a success": ([(0.5, 1.0), (0.1, 2.0), (0.2, 3.0), (0.2, 4.0)], [1, None, None, None]),
    "replicates": ([(0.5, 1.0), (0.1, 2.0), (0.2, 3.0)] * 4, [1, 2, 3, 3, 2, 1, 4, 5, 6, 1, 1, None]),
    "outside": ([(5.0, 1.0), (-1e300, 2.0), (0.2, 3.0), (0.3, 99.0)], ["1e300", 2, 3, "-1e400"]),
}


@pytest.mark.parametrize("how", [None, "folds", "held"])
@pytest.mark.parametrize("posterior", ["diagonal", "full"])
@pytest.mark.parametrize("study", STUDIES)
def test_odd_studies(quick: Method, study: str, posterior: object, how: object) -> None:
    """Whatever the rows: numbers that are finite, or words that say why there are none."""
    parameters = (Parameter("a", 0.0, 1.0), Parameter("n", 1, 9, type="int"))
    problem = Problem(parameters, method=replace(quick, posterior=posterior))  # type: ignore[arg-type]  # a literal
    found = checked(problem, evaluations(*STUDIES[study]), how=how)
    if found.left_out is None:
        assert study in list(STUDIES)[:6]
        assert found.why_not
        assert (found.how, found.order, found.calibration) == (None, None, None)
        return
    assert list(STUDIES).index(study) >= 6
    assert found.order is not None
    assert found.calibration is not None
    each = [getattr(found.left_out, f.name) for f in fields(LeftOut)[1:]]
    assert all(np.all(np.isfinite(numbers)) for numbers in each)
    assert np.all(found.left_out.sd > 0.0)
    assert np.all((found.left_out.lower >= 0.0) & (found.left_out.lower <= found.left_out.upper))
    assert np.all(found.left_out.upper <= 1.0)
    assert found.order.right is not None
    assert 0.0 <= found.order.right <= 1.0
    assert found.order.tau is None or -1.0 <= found.order.tau <= 1.0
    assert 0.0 <= found.calibration.mean <= 1.0
    assert all(0.0 < part.p <= 1.0 for part in found.calibration.intervals)


@pytest.mark.slow
def test_only_order_counts(quick: Method) -> None:
    """An increasing transform of the objective, and the order of arrival, change no figure; failures are the worst."""
    X, y = random_study(10, 2, 8)
    failing = [*y[:8], None, None]
    cubed = [None if v is None else v**3 for v in failing]
    problem = unit_problem(2, quick)
    first, second = checked(problem, evaluations(X, failing)), checked(problem, evaluations(X, cubed))
    assert (first.order, first.calibration) == (second.order, second.calibration)
    back = checked(problem, evaluations(X[::-1], failing[::-1]))
    assert back.order == first.order
    assert first.left_out is not None
    assert first.left_out.rank[8:].tolist() == [8, 8]
    ignoring = checked(replace(problem, failed="ignore"), evaluations(X, failing)).left_out
    assert ignoring is not None
    assert len(ignoring.results) == 8


def test_pending_points_and_many_rows(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is out has no say, and of very many rows those count that the model sees."""
    X, y = random_study(40, 1, 9)
    problem = unit_problem(1, quick)
    given = StepInput(problem, evaluations(X, y))
    with_pending = replace(given, pending=[(0.5,)])
    assert checks(with_pending, how="held").order == checks(given, how="held").order
    monkeypatch.setattr("ordbo_cli.search.step_input.MOST_ROWS", 25)
    some = StepInput(problem, evaluations(X, y))
    assert some.rows.left_out == 15
    found = checks(some, how="held").left_out
    assert found is not None
    assert len(found.results) == 25
