"""How sure predictions are: by residuals, and by what became of suggestions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.ordinal.kernels import distances, prior_covariance
from ordbo_cli.problem.method import Method, Posterior
from ordbo_cli.search.calibration import between, chance_of_hope, misses, narrowest, result_sd, with_ends
from ordbo_cli.search.prediction import as_suggested, predict
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.unit.search.conftest import evaluations, random_study, unit_problem


@pytest.mark.parametrize("posterior", ["diagonal", "full"])
def test_the_scale_by_its_definition(quick: Method, posterior: Posterior) -> None:
    """Each latent value against what the others let expect of it, 1.4 times, and four results of the prior's 0.3."""
    X, y = random_study(9, 2, 5)
    method = replace(quick, posterior=posterior)
    surrogate = fit_surrogate(StepInput(unit_problem(2, method), evaluations(np.vstack([X, X[2]]), [*y, y[2]])))
    fit = surrogate.fit
    K, m = prior_covariance(method.kernel, distances(fit.S, fit.S)), fit.mean
    rest = [np.arange(9) != k for k in range(9)]
    e = [m[k] - K[k, others] @ np.linalg.solve(K[np.ix_(others, others)], m[others]) for k, others in enumerate(rest)]
    expected = np.sqrt((1.4**2 * np.sum(np.square(e)) + 4 * 0.3**2) / 13.0)
    assert result_sd(fit, fit.posterior(method.kernel)) == pytest.approx(expected, rel=1e-4)


def test_an_increasing_transform_changes_no_prediction(quick: Method) -> None:
    """The scale, the chances and the intervals follow from order alone."""
    X, y = random_study(14, 2, 5)
    problem, points = unit_problem(2, quick), random_study(20, 2, 6)[0].tolist()
    plain, seen = (
        [as_suggested(each, given, "acquire") for each in predict(given, points)]
        for given in (StepInput(problem, evaluations(X, v), step=14) for v in (y, np.exp(5.0 * np.array(y))))
    )
    assert plain == seen


def test_the_fewest_ranks_that_hold_a_share() -> None:
    """Of equally many the likeliest; all of them where no fewer hold it; ends that are reached exactly count."""
    assert narrowest(np.array([0.0, 0.05, 0.5, 0.95, 1.0]), 0.9) == (1, 2)
    assert narrowest(np.array([0.0, 0.6, 0.92, 0.97, 1.0]), 0.9) == (0, 1)
    assert narrowest(np.array([0.0, 0.3, 0.5, 0.7, 1.0]), 0.9) == (0, 3)
    assert narrowest(np.array([0.0, 0.95, 1.0]), 0.9) == (0, 0)
    assert narrowest(np.array([0.0, 1.0]), 0.9) == (0, 0)
    assert between(with_ends(np.array([0.2, 0.6]))).tolist() == pytest.approx([0.0, 0.1, 0.4, 0.8, 1.0])


def test_misses_are_suggestions_since_the_best(quick: Method) -> None:
    """Neither the initial design nor rows that nobody asked for; a result like the best is no new best."""
    problem = unit_problem(1, quick)
    initial = problem.method.initial_rows(1)

    def missed(y: list[float], step: int) -> int:
        return misses(StepInput(problem, evaluations(random_study(len(y), 1, 3)[0], y), step=step))

    early = [1.0, *[5.0] * (initial - 1)]
    assert missed(early, initial) == 0
    assert missed([*early, 4.0, 3.0], initial + 2) == 2
    assert missed([*early, 0.5, 3.0, 0.5], initial + 3) == 2
    assert missed([*early, 3.0, 0.5], initial + 2) == 0
    assert missed([*early, *[2.0] * 30], 4) == 4
    assert missed([], 0) == 0


def test_hope_fades_with_misses(quick: Method) -> None:
    """The longer nothing was better, the smaller the chance; of more parameters it fades later."""
    X = random_study(60, 3, 3)[0]

    def chances(D: int) -> list[float]:
        rows = evaluations(X[:, :D], [0.0, *[1.0] * 59])
        return [chance_of_hope(0.3, StepInput(unit_problem(D, quick), rows[:n], step=n)) for n in range(1, 61)]

    one, three = chances(1), chances(3)
    for found in (one, three):
        assert found == sorted(found, reverse=True)
        assert found[0] == pytest.approx(0.45, abs=0.01)
        assert found[-1] > 1e-4
    assert one[-1] < 0.01 < three[30]
    rows = evaluations(X[:, :1], [0.0, *[1.0] * 59])
    given = StepInput(unit_problem(1, quick), rows, step=60)
    (expected,) = predict(given, [(X[5, :1] + 0.001).tolist()])
    assert as_suggested(expected, given, "acquire").improvement < 0.01
    assert as_suggested(expected, given, "explore") == expected
    assert as_suggested(replace(expected, improvement=0.0), given, "acquire").improvement == 0.0
