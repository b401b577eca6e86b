"""Knots that come after the fit: where the ones that are there already leave them."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.search.latent_axes import FittedWarp, extended
from ordbo_cli.search.space.space import Space


@pytest.mark.parametrize("metric", [True, False])
def test_new_knots_leave_the_others_in_place_and_all_in_order(metric: bool) -> None:
    """Also where the logarithms of neighbours are one double, and beyond the bounds."""
    space = Space(Problem((Parameter("r", 1.0, 1e300, scale="log"),)), [])
    run = [1e200]
    while len(run) < 5:
        run.append(float(np.nextafter(run[-1], np.inf)))
    knots = np.array([-7.0, 1.0, run[0], run[2], run[4], 1e300])
    warp = FittedWarp((knots,), (np.arange(6.0),), space.low, space.high)
    wider = extended(warp, space, np.array([[run[3]], [run[1]], [-9.0], [0.0], [2e300], [1e100]]), metric=metric)
    assert wider.latent(knots[:, None])[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert np.all(np.diff(wider.coordinates[0]) >= 0.0)
    assert 1.0 < wider.latent(np.array([[1e100]]))[0, 0] < 2.0
