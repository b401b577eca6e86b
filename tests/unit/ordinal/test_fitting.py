"""A fit stands only where every setting that shaped it is the same."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.ordinal.fitting import FitContext, fit_model
from ordbo_cli.problem.method import GapPrior, Method
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
