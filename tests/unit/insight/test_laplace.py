"""The spread of the latent lengths: against the prior, the Hessian by differences of values, and the profile."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.insight import laplace
from ordbo_cli.insight.laplace import LatentLengths, latent_lengths
from ordbo_cli.ordinal.data import OrdinalData, ordinal_data
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import FitContext, build_model, fit_model, gap_centre
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.optimise import lbfgs
from ordbo_cli.ordinal.warp import INSIDE, FreeGaps
from ordbo_cli.problem.method import EngineKind, GapPrior, Method, Posterior

HALF = 0.5 * laplace.NORMAL_95**2  # nats that the profile of a normal falls to either end of its 95 % interval


def some_rows(N: int, D: int) -> tuple[Array, list[int]]:
    """Return points and the ranks of a function that is wiggly in the first parameter and calm in the others."""
    X = np.random.default_rng([0, N, D]).uniform(size=(N, D))
    y = 1.5 * np.sin(12.0 * X[:, 0]) + ((X[:, 1] - 0.4) ** 2 if D > 1 else 0.0)
    return X, np.argsort(np.argsort(y)).tolist()


def reduce(X: Array, rank: list[int]) -> tuple[OrdinalData, FitContext]:
    """Return rows in the unit box, some perhaps outside, as a fit takes them."""
    D = X.shape[1]
    data = ordinal_data(X, rank, [0.0] * D, [1.0] * D)
    return data, FitContext(data.knots, np.vstack([np.zeros(D), np.ones(D), X]), 2 + 5, max(1, len(X)))


def fitted(X: Array, rank: list[int], method: Method, previous: Fit | None = None) -> Fit:
    """Return the fit to rows."""
    data, context = reduce(X, rank)
    return fit_model(data, method, context, previous)


def lengths(fit: Fit, X: Array, rank: list[int], method: Method) -> LatentLengths:
    """Return what is known of the lengths of the unit box."""
    D = X.shape[1]
    return latent_lengths(fit, method, reduce(X, rank)[1], np.zeros(D), np.ones(D))


def both(X: Array, rank: list[int], method: Method) -> LatentLengths:
    """Return the same after a cold fit."""
    return lengths(fitted(X, rank, method), X, rank, method)


def free_model(fit: Fit, X: Array, rank: list[int], method: Method) -> tuple[Model, Array]:
    """Return the model that was fitted, and theta at its maximum to many digits."""
    data, context = reduce(X, rank)
    model = build_model(data, method, FreeGaps(tuple(data.gap_counts.tolist())), gap_centre(data, method, context))
    return model, lbfgs(lambda x: objective(model, x), model, model.theta(fit.parameters), 2000, 1e-12)


def prior_spread(share: Array, prior: GapPrior) -> float:
    """Return the prior's standard deviation of a log length whose gaps have given shares of it."""
    return float(np.hypot(prior.spread * np.linalg.norm(share), prior.shift))


@pytest.mark.parametrize("rows", [0, 1])
def test_without_data_the_spread_is_that_of_the_prior(rows: int) -> None:
    """Before the first evaluation, and after one, which says nothing of distances, the prior alone speaks."""
    prior = GapPrior(spread=0.6, shift=0.9)
    X, rank = np.array([[0.3, 0.9]])[:rows], [0][:rows]
    fit = fitted(X, rank, Method(prior=prior))
    expected = [prior_spread(np.diff(s) / s[-1], prior) for s in fit.coordinates]
    found = lengths(fit, X, rank, Method(prior=prior))
    np.testing.assert_allclose(found.log_sd, expected, rtol=1e-3)
    assert found.length.tolist() == [s[-1] for s in fit.coordinates]


def curvature_by_values(model: Model, theta: Array, step: float = 2e-3) -> Array:
    """Return minus the second derivatives of the objective by differences of its values alone."""
    steps = step * np.eye(len(theta))

    def value(x: Array) -> float:
        return objective(model, x)[0]

    H = np.zeros((len(theta),) * 2)
    for i, a in enumerate(steps):
        for k, b in enumerate(steps[: i + 1]):
            corners = value(theta + a + b) - value(theta + a - b) - value(theta - a + b) + value(theta - a - b)
            H[i, k] = H[k, i] = -corners / (4.0 * step * step)
    return H


@pytest.mark.slow
@pytest.mark.parametrize(("N", "D"), [(8, 1), (6, 2)])
@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_spreads_are_those_of_the_whole_hessian(posterior: Posterior, N: int, D: int) -> None:
    """At the maximum, the inverse of the Hessian by the theta of bounded gaps has the same variances."""
    X, rank = some_rows(N, D)
    method = Method(posterior=posterior)
    fit = fitted(X, rank, method)
    model, theta = free_model(fit, X, rank, method)
    gaps = model.parameters(theta).gaps
    inverse = np.linalg.inv(curvature_by_values(model, theta))
    assert isinstance(model.warp, FreeGaps)
    by_theta = model.warp.transform.slope(gaps)
    assert np.all(gaps > model.warp.transform.low * (1.0 + INSIDE))
    variance = []
    for start, count in zip(model.data.starts, model.data.gap_counts, strict=True):
        slope = np.zeros(len(theta))
        part = slice(start, start + count)
        slope[part] = by_theta[part] / gaps[part].sum()
        variance.append(slope @ inverse @ slope)
    np.testing.assert_allclose(lengths(fit, X, rank, method).log_sd, np.sqrt(variance), rtol=0.02)


def profile_drop(model: Model, theta: Array, axis: int, log_length: float) -> float:
    """Return how far the objective falls from a maximum where one log length is held elsewhere, all else free."""
    start = int(model.data.starts[axis])
    gaps, part = model.parts[0], slice(start, start + int(model.data.gap_counts[axis]))
    stiffness = 1e3

    def pinned(x: Array) -> tuple[float, Array]:
        value, gradient = objective(model, x)
        delta = model.warp.gaps(x[gaps])
        length = delta[part].sum()
        off = np.log(length) - log_length
        by_gaps = np.zeros(len(delta))
        by_gaps[part] = -stiffness * off / length
        gradient[gaps] += model.warp.pull_back(x[gaps], by_gaps)
        return value - 0.5 * stiffness * off * off, gradient

    best = lbfgs(pinned, model, theta, 3000, 1e-11)
    reached = np.log(model.warp.gaps(best[gaps])[part].sum())
    assert abs(reached - log_length) < 0.02
    return objective(model, theta)[0] - objective(model, best)[0]


@pytest.mark.slow
@pytest.mark.parametrize("posterior", get_args(Posterior))
@pytest.mark.parametrize(("N", "axis"), [(10, 0), (20, 0), (20, 1)])
def test_the_profile_falls_as_the_spread_says(N: int, axis: int, posterior: Posterior) -> None:
    """Where the interval ends, the best that is left lies about 1.92 nats lower, gaps at bounds or not.

    The profile is steeper below and flatter above, so its mean of both ends is the closer one.
    """
    X, rank = some_rows(N, 1 if axis == 0 and N < 20 else 2)
    method = Method(posterior=posterior)
    fit = fitted(X, rank, method)
    spread = lengths(fit, X, rank, method).log_sd[axis]
    model, theta = free_model(fit, X, rank, method)
    part = np.split(model.parameters(theta).gaps, model.data.starts[1:])[axis]
    away = laplace.NORMAL_95 * spread
    drops = [profile_drop(model, theta, axis, np.log(part.sum()) + sign * away) for sign in (-1.0, 1.0)]
    assert 0.6 * HALF < drops[1] < drops[0] < 1.9 * HALF
    assert np.mean(np.sqrt(drops)) == pytest.approx(np.sqrt(HALF), rel=0.12)


def test_gaps_at_a_bound_do_not_widen_the_interval_beyond_the_prior() -> None:
    """An irrelevant parameter's gaps crowd at their lower bound; its length is not less sure than by the prior."""
    X, rank = some_rows(60, 2)
    method = Method()
    fit = fitted(X, rank, method)
    prior = [prior_spread(np.diff(s) / s[-1], GapPrior()) for s in fit.coordinates]
    assert min(np.diff(fit.coordinates[1])) < 1.01 * 0.3 / 61  # some stand there
    assert np.all(lengths(fit, X, rank, method).log_sd < np.array(prior))


def test_a_wiggly_parameter_is_surely_longer_than_an_irrelevant_one() -> None:
    """Their intervals have nothing in common, and each holds its length."""
    X, rank = some_rows(40, 2)
    found = both(X, rank, Method())
    below, above = found.interval
    assert np.all((below < found.length) & (found.length < above))
    assert below[0] > above[1]


@pytest.mark.slow
def test_more_rows_make_it_surer() -> None:
    """The spread falls with the number of evaluations."""
    few, many = (both(*some_rows(N, 2), Method()).log_sd for N in (10, 80))
    assert np.all(many < 0.7 * few)


def test_rows_outside_the_box_do_not_count() -> None:
    """The length ends where the box does, and so do the gaps whose spread it has: here one, which no data are about."""
    X = np.array([[2.0]])
    fit = fitted(X, [0], Method())
    found = lengths(fit, X, [0], Method())
    assert found.length.tolist() == [fit.coordinates[0][1]]
    assert found.log_sd[0] == pytest.approx(prior_spread(np.ones(1), GapPrior()), rel=1e-3)


def test_a_fit_that_ended_early_has_the_spreads_of_the_maximum() -> None:
    """Three steps do not end at a maximum: the lengths are those of the fit, the spreads those of the finished one."""
    X, rank = some_rows(30, 2)
    early = fitted(X, rank, Method(iterations=3))
    found, finished = lengths(early, X, rank, Method()), both(X, rank, Method())
    assert found.length.tolist() == [s[-1] for s in early.coordinates]
    assert not np.allclose(found.length, finished.length, rtol=0.02)
    np.testing.assert_allclose(found.log_sd, finished.log_sd, rtol=0.02)


def test_a_fit_of_bounded_movement_has_spreads() -> None:
    """The windows are forgotten, and a fit that they stopped short has numbers still."""
    X, rank = some_rows(20, 2)
    method = Method(drift=0.3)
    first = fitted(X[:-1], np.argsort(np.argsort(rank[:-1])).tolist(), method)
    spread = lengths(fitted(X, rank, method, first), X, rank, method).log_sd
    np.testing.assert_allclose(spread, both(X, rank, Method()).log_sd, rtol=0.4)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["numpy", pytest.param("gpflow", marks=pytest.mark.gpflow)])
def test_either_engine_s_fit_will_do(engine: EngineKind) -> None:
    """The same spreads, however the fit was computed."""
    X, rank = some_rows(12, 2)
    found = both(X, rank, Method(engine=engine))
    np.testing.assert_allclose(found.log_sd, both(X, rank, Method()).log_sd, rtol=0.02)


@pytest.mark.parametrize("rows", [0, 1, 12, 40])
def test_free_gaps_leave_the_lengths_unknown(rows: int) -> None:
    """Without a prior nothing holds the gaps, and the spread is NaN instead of a number; the length is still there."""
    X, rank = some_rows(rows, 2)
    found = both(X, rank, Method(prior=None))
    assert np.all(np.isnan(found.log_sd))
    assert np.all(np.isnan(found.interval))
    assert np.all(found.length > 0.0)


def test_a_length_that_the_bounds_hold_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bounds have more of a length than is allowed, it has no spread; the other parameter keeps its own."""
    X, rank = some_rows(8, 2)
    method = Method(prior=GapPrior(length=10.0))  # the fit has 38 % of the first axis in gaps that stand at a bound
    before = both(X, rank, method)
    monkeypatch.setattr(laplace, "_MOST_HELD", 0.3)
    after = both(X, rank, method)
    assert np.isfinite(before.log_sd[0])
    assert np.isnan(after.log_sd[0])
    assert np.isfinite(after.log_sd[1])
    assert after.log_sd[1] == before.log_sd[1]
    assert after.length.tolist() == before.length.tolist()


def test_too_much_work_is_left_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the points are too many for the work that is allowed, the spread is not known."""
    X, rank = some_rows(10, 2)
    monkeypatch.setattr(laplace, "_MOST_WORK", 2.0 * 10**3)
    assert np.all(np.isnan(both(X, rank, Method()).log_sd))
    monkeypatch.setattr(laplace, "_MOST_WORK", 80.0 * 10**3)
    assert np.all(np.isfinite(both(X, rank, Method()).log_sd))


def test_work_that_would_end_too_early_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is work for less than five steps for each parameter, the objective is not computed once."""
    X, rank = some_rows(10, 2)
    fit = fitted(X, rank, Method())
    calls = []

    def counted(model: Model, theta: Array) -> tuple[float, Array]:
        calls.append(theta)
        return objective(model, theta)

    monkeypatch.setattr(laplace, "objective", counted)
    monkeypatch.setattr(laplace, "_MOST_WORK", 9.0 * 10**3)
    assert np.all(np.isnan(lengths(fit, X, rank, Method()).log_sd))
    assert not calls
    monkeypatch.setattr(laplace, "_MOST_WORK", 10.0 * 10**3)
    lengths(fit, X, rank, Method())
    assert calls


def test_of_very_many_parameters_the_longest_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as where all are; of the others nothing."""
    X, rank = some_rows(10, 4)
    fit = fitted(X, rank, Method())
    every = lengths(fit, X, rank, Method())
    monkeypatch.setattr(laplace, "_SPREADS", 2)
    some = lengths(fit, X, rank, Method())
    longest = np.argsort(-every.length, kind="stable")[:2]
    np.testing.assert_array_equal(some.log_sd[longest], every.log_sd[longest])
    assert np.isnan(some.log_sd).sum() == 2
