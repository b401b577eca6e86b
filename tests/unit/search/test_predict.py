"""What the model expects at a point, against its definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem.method import Method
from ordbo_cli.search.calibration import chance_of_hope, result_sd
from ordbo_cli.search.latent_axes import FittedWarp, extended
from ordbo_cli.search.prediction import expected_at, predict
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def test_predictions_order_the_data(quick: Method) -> None:
    """At the evaluated points the expected ranks follow the observed ones, and none is likely to beat the best."""
    X, y = random_study(15, 2, 8)
    problem = unit_problem(2, replace(quick, iterations=200))
    found = predict(StepInput(problem, evaluations(X, y)), X.tolist())
    order = np.argsort(y)
    ranks = np.array([p.rank for p in found])
    assert np.corrcoef(np.argsort(np.argsort(ranks)), np.argsort(order))[0, 1] > 0.95
    assert found[order[0]].improvement == 0.0
    assert all(0.0 <= p.improvement < 0.5 and 1.0 <= p.rank <= 15.0 and p.sd > 0.0 for p in found)


def test_prediction_needs_an_evaluation(quick: Method) -> None:
    """Nothing to learn from is an error in words."""
    with pytest.raises(DataError, match="no evaluation"):
        predict(StepInput(unit_problem(1, quick), []), [(0.5,)])


def test_rank_and_chance_by_their_definition(quick: Method) -> None:
    """The mean of the rank over f and its noise; Student's t at the best row's mean, by the scale of new results.

    Of an evaluated point it is the share of joint draws that lie below the best row's.
    """
    X, y = random_study(10, 2, 9)
    problem, rows = unit_problem(2, quick), evaluations(X, y)
    start = Fit.from_dict(propose(StepInput(problem, rows, [], 10)).fit or {}, 2)
    assert start is not None
    start = replace(start, sigma=0.9)  # a noise that shows
    fit = Fit.from_dict(propose(StepInput(problem, rows, [], 10, start.to_dict())).fit or {}, 2)
    assert fit is not None
    latent, best = fit.posterior(quick.kernel), X[np.argmin(y)]
    points = np.vstack([best + 0.02, best - [0.0, 0.05], X[3] + 0.01, X[3], best])
    space = Space(problem, ())
    warp = extended(FittedWarp(fit.knots, fit.coordinates, space.low, space.high), space, points, metric=True)
    s = warp.latent(points)
    draws = np.random.default_rng(0).multivariate_normal(
        latent.moments(s)[0], latent.covariance(s), size=40_000, method="eigh"
    )
    for j, prediction in enumerate(predict(StepInput(problem, rows, fit=start.to_dict()), points[:4].tolist())):
        f = np.linspace(-9.0, 9.0, 4001) * prediction.sd + prediction.mean
        above = norm.cdf((f[:, None] - fit.edges) / fit.sigma).sum(axis=1)
        weights = norm.pdf(f, prediction.mean, prediction.sd) * (f[1] - f[0])
        assert prediction.rank == pytest.approx(1.0 + float(weights @ above), abs=1e-6)
        expected = student.cdf((latent.moments(s[[4]])[0][0] - prediction.mean) / result_sd(fit, latent), 4)
        if j == 3:
            expected = np.mean(draws[:, 3] < draws[:, 4])
        assert prediction.improvement == pytest.approx(float(expected), abs=0.01 if j == 3 else 1e-9)


def test_intervals_of_ranks(quick: Method) -> None:
    """The fewest ranks that hold 90 % of Student's t between the bins' middles; of an evaluated point, its own."""
    X, y = random_study(15, 2, 8)
    problem, rows = unit_problem(2, replace(quick, iterations=200)), evaluations(X, y)
    given = StepInput(problem, rows)
    fit = fit_surrogate(given).fit
    sd = result_sd(fit, fit.posterior(quick.kernel))
    new = random_study(40, 2, 9)[0].tolist()
    found = predict(replace(given, fit=fit.to_dict()), [*new, *X.tolist()])
    for each in found[:40]:
        F = np.array([0.0, *student.cdf((fit.edges - each.mean) / sd, 4), 1.0])
        middles = np.array([0.0, *(0.5 * (F[1:] + F[:-1])), 1.0])
        inside = middles[each.rank_high] - middles[each.rank_low - 1]
        fewer = [middles[k + each.rank_high - each.rank_low] - middles[k] for k in range(each.rank_low)]
        assert inside >= 0.9 > max(fewer)
    for each, v in zip(found[40:], y, strict=True):
        assert each.rank_low <= 1 + sum(w < v for w in y) <= each.rank_high <= each.rank_low + 2


def test_a_long_table_is_predicted_as_its_points_are_one_by_one(quick: Method) -> None:
    """It is computed in blocks; the best evaluation is in one of them, and an empty table has no predictions."""
    X, y = random_study(12, 2, 3)
    problem, rows = unit_problem(2, quick), evaluations(X, y)
    fit = propose(StepInput(problem, rows, [], 12)).fit
    points = [*random_study(150, 2, 4)[0].tolist(), X[np.argmin(y)].tolist()]
    together = predict(StepInput(problem, rows, fit=fit), points)
    assert len(together) == 151
    for found, point in list(zip(together, points, strict=True))[::25]:
        (alone,) = predict(StepInput(problem, rows, fit=fit), [point])
        assert vars(found) == pytest.approx(vars(alone), abs=1e-9)
    assert together[-1].improvement == 0.0
    assert predict(StepInput(problem, rows, fit=fit), []) == []


@pytest.mark.parametrize("pending", [[], [(0.2, 0.9), (0.5, 0.1)]])
def test_what_a_proposals_own_model_expects(quick: Method, pending: list[tuple[float, float]]) -> None:
    """That is what ``predict`` says, but for its chance, in which those before it have a say.

    Results that came since are not fitted, and a fit of none expects nothing.
    """
    X, y = random_study(14, 2, 5)
    problem, rows = unit_problem(2, quick), evaluations(X, y)
    proposal = propose(StepInput(problem, rows[:12], pending, 14))
    assert proposal.fit is not None
    (expected,) = predict(StepInput(problem, rows[:12], fit=proposal.fit), [proposal.values])
    for given in (StepInput(problem, rows[:12], pending, 14), StepInput(problem, rows, step=14)):
        found = expected_at(given, proposal)
        assert found == replace(expected, improvement=chance_of_hope(expected.improvement, given))
        assert found.improvement != expected.improvement
    (newer,) = predict(StepInput(problem, rows, fit=proposal.fit), [proposal.values])
    assert newer.improvement != expected.improvement
    nothing = propose(StepInput(problem, [], [tuple(x) for x in X.tolist()], 14)).fit
    assert nothing is not None
    assert expected_at(StepInput(problem), replace(proposal, fit=nothing)) is None
    assert expected_at(StepInput(problem, rows), replace(proposal, fit={})) is None
