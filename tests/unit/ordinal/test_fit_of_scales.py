"""Fits to results on several scales: what is kept of them, and where the next one starts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.ordinal.data import OrdinalData, RankedRows, ordinal_data
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import FitContext, build_model, fit_model, warm_gaps, warm_start
from ordbo_cli.ordinal.prior import input_centre
from ordbo_cli.ordinal.warp import FreeGaps
from ordbo_cli.problem.method import GapPrior, Method
from tests.unit.ordinal.cases import with_other_scales
from tests.unit.ordinal.test_fit import reduce, some_rows


def with_scales(N: int = 8) -> tuple[OrdinalData, FitContext]:
    """Return rows to which results on two other scales come, and what a fit to them needs."""
    X, rank = some_rows(N)
    data = with_other_scales(reduce(X, rank), rows=(6, 3))
    return data, FitContext(data.knots, data.inputs, 3, data.points)


def test_a_fit_on_several_scales_survives_json() -> None:
    """What a state holds is read again to the bit, and is known as the fit to the same data alone."""
    data, context = with_scales()
    found = fit_model(data, Method(), context, None)
    again = Fit.from_dict(json.loads(json.dumps(found.to_dict())), data.dimension)
    assert again is not None
    assert again.to_dict() == found.to_dict()
    assert fit_model(data, Method(), context, again) is again
    assert not again.is_of(replace(data, others=data.others[:1]), found.shaped_by)
    assert not again.is_of(replace(data, others=data.others[::-1]), found.shaped_by)


@pytest.mark.parametrize("key", ["point", "rank", "worst", "edges", "sigma"])
@pytest.mark.parametrize("value", [None, [], [-1], [99] * 6, "x", float("nan"), {}])
def test_a_fit_whose_other_scale_is_broken_is_no_fit(key: str, value: object) -> None:
    """The next step then starts cold."""
    data, context = with_scales()
    plain = fit_model(data, Method(iterations=1), context, None).to_dict()
    plain["others"][0][key] = value
    assert Fit.from_dict(plain, data.dimension) is None


def test_warm_start_keeps_what_other_scales_know() -> None:
    """Where a row comes, edges and noise of a scale that did not grow are where the fit before left them."""
    X, rank = some_rows(9)
    elsewhere = RankedRows(X[:6], [2 * k for k in rank[:6]], [2 * k for k in rank[:6]])
    before, data = (ordinal_data(X[:n], rank[:n], [0.0] * 2, [1.0] * 2, others=[elsewhere]) for n in (8, 9))
    previous = fit_model(before, Method(), FitContext(before.knots, before.inputs, 3, 8), None)
    centre = input_centre(data, GapPrior(), data.knots, data.inputs, 3)
    model = build_model(data, Method(), FreeGaps(tuple(data.gap_counts.tolist())), centre)
    (start,) = warm_start(model, warm_gaps(data, centre, previous), previous).others
    assert start.sigma == previous.others[0].sigma
    np.testing.assert_allclose(start.edges(before.others[0].bins), previous.others[0].edges)
