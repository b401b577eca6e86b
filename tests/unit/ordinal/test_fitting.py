"""A fit stands only where every setting that shaped it is the same."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import FitContext, fit_model
from ordbo_cli.ordinal.prior import input_centre
from ordbo_cli.problem.method import Centre, GapPrior, Method, Start
from tests.unit.ordinal.test_fit import fit, reduce, some_rows

METHODS: list[Method] = [
    Method(),
    Method(kernel="rbf"),
    Method(posterior="full"),
    Method(prior=None),
    Method(prior=GapPrior(centre="inherited")),
    Method(prior=GapPrior(spread=2.0)),
    Method(drift=1.0),
    Method(optimizer="adam", iterations=30),
    Method(iterations=30),
    Method(rate=0.01),
    Method(start="flat"),
    Method(warm=False),
    Method(engine="gpflow"),
]


@pytest.mark.parametrize(
    "method",
    [*METHODS[:-1], pytest.param(METHODS[-1], marks=[pytest.mark.slow, pytest.mark.gpflow])],
    ids=lambda method: str(method).replace("Method", ""),
)
def test_a_fit_stands_only_where_every_setting_that_shaped_it_is_the_same(method: Method) -> None:
    """The same data are fitted anew under another kernel, prior, bound on movement, posterior, optimiser or engine."""
    X, rank = some_rows(6)
    before = fit(X, rank, METHODS[0])
    after = fit(X, rank, method, before)
    assert (after is before) == (method == METHODS[0])
    assert fit(X, rank, method, after) is after


def test_settings_of_the_search_alone_leave_a_fit_as_it_is() -> None:
    """What a cell is chosen by has no say in the model."""
    X, rank = some_rows(6)
    before = fit(X, rank, Method())
    assert (
        fit(X, rank, Method(beta=1.0, acquisition="ei", partition="exhaustive", placement="midpoint"), before) is before
    )


def test_a_fit_on_another_scale_of_an_input_is_another_one() -> None:
    """Where distances count, so does the scale that they are measured on; where they do not, it does not."""
    X, rank = some_rows(6)
    data = reduce(X, rank)
    stretched = FitContext([np.sqrt(u) for u in data.knots], X, 3, len(X))
    before = fit(X, rank, Method())
    assert fit_model(data, Method(), stretched, before) is not before
    method = Method(prior=GapPrior(centre="equal"))
    before = fit(X, rank, method)
    assert fit_model(data, method, stretched, before) is before


def _started(start: Start, prior: GapPrior | None = None) -> Fit:
    """Return a fit that is still where it starts, as Adam has hardly moved it."""
    X, rank = some_rows(6)
    return fit(X, rank, Method(prior=prior, start=start, optimizer="adam", iterations=1, rate=1e-9))


def test_where_free_gaps_start() -> None:
    """All gaps of an axis alike, as far apart as the values, or all 1: the rank transform of the paper."""
    X, rank = some_rows(6)
    data = reduce(X, rank)
    cases: tuple[tuple[Start, Centre], ...] = (("scores", "equal"), ("flat", "equal"), ("distances", "distances"))
    for start, centre in cases:
        expected = input_centre(data, GapPrior(centre=centre), data.knots, data.inputs, len(data.inputs))
        np.testing.assert_allclose(_started(start).parameters.gaps, np.maximum(expected, 0.0101), rtol=1e-5)
    ranks = _started("ranks").parameters
    np.testing.assert_allclose([*ranks.gaps, *ranks.output_gaps], 1.0, rtol=1e-6)
    assert ranks.first_edge == pytest.approx(-0.5 * len(ranks.output_gaps))


def test_where_the_posterior_starts() -> None:
    """At the normal scores of the ranks, or flat at the prior; input gaps that have a prior start at its centre."""
    X, rank = some_rows(6)
    data = reduce(X, rank)
    np.testing.assert_allclose(_started("scores").mean, data.point_scores, atol=1e-6)
    flat = _started("flat")
    np.testing.assert_allclose(flat.mean, 0.0, atol=1e-6)
    np.testing.assert_allclose(flat.spread, 1.0, rtol=1e-6)
    with_prior = [_started(start, GapPrior()).parameters.gaps for start in get_args(Start)]
    np.testing.assert_allclose(with_prior, [with_prior[0]] * len(with_prior), rtol=1e-5)


def test_free_gaps_that_start_at_the_distances_are_not_metric_free() -> None:
    """A fit that begins at the distances has to be made anew where their scale changes."""
    assert Method(prior=None).is_metric_free
    assert not Method(prior=None, start="distances").is_metric_free
    assert Method(prior=GapPrior(centre="equal"), start="distances").is_metric_free
