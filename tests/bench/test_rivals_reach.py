from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.registry import PEERS
from tests.bench.rivals_reach import CASES, by_itself, first_below, rosenbrock, wrapped


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_wrapped_rival_is_as_strong_as_by_itself(name: str) -> None:
    """It solves a question of its own documentation, in less than twice the evaluations of its own call."""
    if missing := contestant(name).missing:
        pytest.skip(f"needs {', '.join(missing)}")
    case = CASES[name]
    own, ours = by_itself(case, 0), wrapped(name, case, 0)
    assert ours[0] == case.function(np.array(case.start))
    assert first_below(ours, case.target) <= 2 * first_below(own, case.target)
    assert first_below(ours, case.target) <= case.evaluations


def test_the_table_holds_rivals_only() -> None:
    """A name that is no rival's would be found out only where its package is installed."""
    assert set(CASES) <= set(PEERS)


def test_the_first_value_below_a_target() -> None:
    """It is counted from 1, and there may be none."""
    assert first_below([3.0, 1.0, 2.0], 1.0) == 2
    assert first_below([3.0], 1.0) == np.inf


def test_rosenbrock() -> None:
    """0 where all coordinates are 1; 24.2 at its customary start."""
    assert rosenbrock(np.ones(5)) == 0.0
    assert rosenbrock(np.array([-1.2, 1.0])) == pytest.approx(24.2)
