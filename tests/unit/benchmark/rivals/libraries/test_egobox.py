"""egobox: that its trust region is really used."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter, Problem

egobox = pytest.importorskip("egobox", reason="needs egobox")
QUESTION = Problem((Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 1.0)))


def bowl(X: Array) -> Array:
    return np.asarray(np.sum((X - 0.3) ** 2 + 0.1 * np.sin(9 * X), axis=1, keepdims=True))


@pytest.mark.slow
def test_trego_step_by_step_is_egobox_own_loop() -> None:
    """Asked and told, it evaluates where one call of ``minimize`` does, digit for digit."""
    X = np.random.default_rng(0).random((5, 2))
    own = egobox.Egor([[0.0, 1.0]] * 2, x_doe=X, y_doe=bowl(X), trego=True, seed=3).minimize(bowl, max_iters=12)
    searcher = contestant("egobox-trego").begin(Start(QUESTION, 3, 5, 17))
    points = [tuple(x) for x in X.tolist()]
    for point in points:
        searcher.tell(point, bowl(np.array([point])).item())
    for _ in range(12):
        points.append(searcher.ask())
        searcher.tell(points[-1], bowl(np.array([points[-1]])).item())
    np.testing.assert_array_equal(points, own.x_doe)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["egobox", "egobox-trego"])
def test_where_egobox_panics_there_is_a_point_at_random(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Of one result, and of one that overflows, it makes nothing; the next point it chooses again."""
    searcher = contestant(name).begin(Start(QUESTION, 3, 1, 4))
    searcher.tell((0.5, 0.5), 1.0)
    for loss in (2.0, 3.0, 1e300):
        point = searcher.ask()
        assert all(0 <= x <= 1 for x in point)
        searcher.tell(point, loss)
    assert capfd.readouterr() == ("", "")
