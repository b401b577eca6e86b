"""The models behind simulators of our own, against published results and limits worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ordbo_cli.benchmark.suites.engineering import roof_truss
from ordbo_cli.benchmark.suites.engineering.levitation import LEVITATION
from ordbo_cli.benchmark.suites.engineering.pin_jointed import lengths_and_directions, solve


def test_the_ten_bar_truss_of_the_literature() -> None:
    """The best discrete design of S. Rajeev and C. Krishnamoorthy's ten-bar truss (1992) weighs 5490.74 lb.

    It is known to just keep the limit of 2 in at the loaded joints.
    """
    X = np.array([(720, 360), (720, 0), (360, 360), (360, 0), (0, 360), (0, 0)], dtype=float)
    M = np.array([(5, 3), (3, 1), (6, 4), (4, 2), (3, 4), (1, 2), (5, 4), (6, 3), (3, 2), (4, 1)]) - 1
    areas = np.array([33.5, 1.62, 22.9, 14.2, 1.62, 1.62, 7.97, 22.9, 22.0, 1.62])
    P = np.zeros_like(X)
    P[[1, 3], 1] = -1e5
    u, n = solve(X, M, 1e7 * areas, P, [8, 9, 10, 11])
    assert 0.1 * areas @ lengths_and_directions(X, M)[0] == pytest.approx(5490.74, abs=0.01)
    assert np.max(np.abs(u)) == pytest.approx(1.9989, abs=1e-4)
    assert np.max(np.abs(n / areas)) < 25_000


def test_a_mechanism_is_refused() -> None:
    """Two bars in a line bear nothing across it."""
    X = np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])
    with pytest.raises(np.linalg.LinAlgError):
        solve(X, np.array([(0, 1), (1, 2)]), np.ones(2), np.ones((3, 2)), [0, 1, 4, 5])


@pytest.mark.parametrize(("web", "sign"), [("pratt", 1), ("howe", -1)])
def test_diagonals_pull_or_push(web: str, sign: int) -> None:
    """Pratt diagonals are in tension and Howe's in compression; chords have the moment of the span over the depth."""
    truss = roof_truss.layout(web, 8, 2.0)
    _, n = solve(truss.X, truss.M, np.ones(len(truss.M)), truss.P, [0, 1, len(truss.X) - 1])
    assert np.all(sign * n[truss.group == 2] > 0)
    moment = roof_truss.LOAD * roof_truss.SPAN**2 / 8
    assert np.max(np.abs(n)) == pytest.approx(moment / 2.0)


def test_a_slender_tube_buckles_as_the_code_says() -> None:
    """A relative slenderness of 1 leaves 0.67 of the strength on curve a, one of 0.2 and less leaves all."""
    radius, strength = 0.05, 235e3
    length = math.pi * radius * math.sqrt(roof_truss.YOUNG / strength)
    share = roof_truss.buckling_share(np.array([length, 0.2 * length]), np.array([radius, radius]), strength)
    np.testing.assert_allclose(share, [0.6656, 1.0], atol=1e-4)


def test_a_ball_without_a_lead_falls() -> None:
    """No gain holds the ball without a derivative: the plant has a pole in the right half plane and a late input."""
    best = dict(LEVITATION.minimiser)
    assert not math.isnan(LEVITATION.function(best))
    assert math.isnan(LEVITATION.function({**best, "lead": 0.0}))
