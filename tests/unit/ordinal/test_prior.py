"""The prior of the gaps: its density against SciPy's, its centres by their definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.ordinal.data import ordinal_data
from ordbo_cli.ordinal.fitting import output_prior
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.prior import LogGapPrior, inherited_shares, input_centre, input_prior, log_centre
from ordbo_cli.ordinal.warp import LARGEST_GAP
from ordbo_cli.problem.method import Centre, GapPrior
from tests.unit.ordinal.cases import make_data


@pytest.mark.parametrize("shift", [0.0, 0.7])
@pytest.mark.parametrize("starts", [[0], [0, 3], [0, 1, 6]])
def test_density_is_multivariate_normal(starts: list[int], shift: float) -> None:
    """Each group's log gaps have covariance ``tau^2 I + h^2 1 1'``, and the gradient is that by the gaps."""
    rng = np.random.default_rng(0)
    gaps, centre, tau = rng.uniform(0.1, 2.0, 7), rng.normal(size=7), 0.6
    prior = LogGapPrior(centre, np.array(starts), tau, shift)
    bounds = [*starts, 7]
    expected = 0.0
    for low, high in pairwise(bounds):
        covariance = tau**2 * np.eye(high - low) + shift**2
        expected += scipy.stats.multivariate_normal(centre[low:high], covariance).logpdf(np.log(gaps[low:high]))
    value, gradient = prior.log_density(gaps)
    assert value == pytest.approx(expected, rel=1e-12)
    steps = 1e-6 * np.eye(7)
    slopes = [(prior.log_density(gaps + d)[0] - prior.log_density(gaps - d)[0]) / 2e-6 for d in steps]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-7, atol=1e-7)


def test_density_of_no_gaps() -> None:
    """Without gaps, as for two ranks, the prior is silent."""
    value, gradient = output_prior(make_data(2, 1)).log_density(np.zeros(0))
    assert value == 0.0
    assert gradient.shape == (0,)


def centre(X: Array, kind: Centre | float, low: float, high: float, *, log: bool = False, initial: int = 3) -> Array:
    """Return the centre of one axis's gaps."""
    data = ordinal_data(X[:, None], list(range(len(X))), [low], [high])
    scale = np.log if log else np.positive
    ends = scale(np.array([low, high]))
    share = (scale(data.knots[0]) - ends[0]) / (ends[1] - ends[0])
    return input_centre(data, GapPrior(centre=kind, length=2.0), [share], X[:, None], initial)


def test_centres_by_their_definition() -> None:
    """Shares are proportional to distances on the parameter's own scale, or equal, or a mixture of both."""
    X = np.array([10.0, 1.0, 2.0])
    distances = np.array([0.0, 1.0, 8.0, 90.0])[1:] / 99.0
    np.testing.assert_allclose(centre(X, "distances", 1.0, 100.0), 2.0 * distances)
    np.testing.assert_allclose(centre(X, "equal", 1.0, 100.0), 2.0 / 3.0)
    np.testing.assert_allclose(centre(X, 0.25, 1.0, 100.0), 0.5 * distances + 1.5 / 3.0)
    logs = np.diff(np.log10([1.0, 2.0, 10.0, 100.0])) / 2.0
    np.testing.assert_allclose(centre(X, "distances", 1.0, 100.0, log=True), 2.0 * logs)


def test_length_shrinks_with_the_dimension() -> None:
    """Without a length T is ``5 sqrt(2 / D)``, and every axis's fractions sum to it."""
    for D in (1, 2, 6):
        data = make_data(9, D)
        gaps = input_centre(data, GapPrior(), data.knots, data.inputs, 5)
        sums = np.add.reduceat(gaps, data.starts)
        np.testing.assert_allclose(sums, 5.0 * np.sqrt(2.0 / D))


def test_rows_outside_the_box_shrink_nothing_inside() -> None:
    """T is the latent length of the box: a row far outside leaves the gaps inside as they are."""
    inside = centre(np.array([0.2, 0.7]), "distances", 0.0, 1.0)
    assert centre(np.array([0.2, 0.7, 50.0]), "distances", 0.0, 1.0)[:3].tolist() == inside.tolist()


def test_inherited_shares() -> None:
    """The initial rows are equally spaced; a later value halves the gap it falls in; a known value changes nothing."""
    knots = np.array([0.0, 1.0, 2.0, 50.0, 99.0, 100.0])
    shares = inherited_shares(knots, np.array([50.0, 99.0, 2.0, 2.0, 1.0]), 2)
    np.testing.assert_allclose(shares, np.array([1.0, 1.0, 2.0, 4.0, 4.0]) / 12.0)
    assert inherited_shares(knots[[0, 5]], np.zeros(0), 5).tolist() == [1.0]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.integers(1, 6))
def test_metric_free_centres_see_only_order_and_arrival(values: list[int], initial: int) -> None:
    """A monotone transform of an input leaves the equal and the inherited centre as they were, bit for bit."""
    X = np.array(values, dtype=np.float64)
    for kind in ("equal", "inherited"):
        before = centre(X, kind, -1.0, 21.0, initial=initial)
        after = centre(np.exp(X), kind, np.exp(-1.0), np.exp(21.0), initial=initial)
        assert before.tolist() == after.tolist()


@given(st.permutations([0.1, 0.3, 0.35, 0.8]))
def test_order_of_the_initial_rows_changes_nothing(rows: list[float]) -> None:
    """The inherited centre takes the initial rows as a set."""
    later = [0.2, 0.9]
    shuffled = centre(np.array(rows + later), "inherited", 0.0, 1.0, initial=4)
    assert (
        shuffled.tolist() == centre(np.array([0.1, 0.3, 0.35, 0.8, *later]), "inherited", 0.0, 1.0, initial=4).tolist()
    )


def test_centres_stay_inside_the_bounds() -> None:
    """Centres of tiny and of huge gaps are clipped to where the transform has a slope."""
    logs = log_centre(np.array([1e-15, 1.0, 99.0]), 0.01, LARGEST_GAP)
    assert np.log(0.01) < logs[0] < logs[1] == 0.0 < logs[2] < np.log(LARGEST_GAP)
    data = make_data(5, 2)
    prior = input_prior(data, GapPrior(), np.full(int(data.gap_counts.sum()), 1e-15))
    assert prior.log_density(np.full(len(prior.centre), 0.011))[1] == pytest.approx(0.0, abs=1e-9)
