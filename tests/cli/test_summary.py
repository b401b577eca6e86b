"""Small pictures made of text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ordbo_cli.cli.summary import sparkline, took
from ordbo_cli.problem.spelling import age


def test_heights_are_ranks() -> None:
    """Six decades and a hair's breadth look alike: no arithmetic is done on objectives."""
    steep = [Decimal("1E+400"), Decimal("1"), Decimal("1E-400")]
    flat = [Decimal("1.02"), Decimal("1.01"), Decimal("1")]
    assert sparkline(steep) == sparkline(flat) == "█▄▁"


def test_edges_of_a_line() -> None:
    """Nothing, one value, equal values, infinity, and failures before the first success."""
    assert sparkline([]) == ""
    assert sparkline([Decimal(3)] * 3) == "▁▁▁"
    assert sparkline([None, Decimal("Infinity"), Decimal(2)]) == "·█▁"


def test_a_long_line_keeps_its_end() -> None:
    """More values than blocks: the last value is always the last block."""
    line = sparkline([Decimal(-k) for k in range(1000)], width=60)
    assert len(line) == 60
    assert line[0] == "█"
    assert line[-1] == "▁"


@pytest.mark.parametrize(
    ("seconds", "text"), [(-5, "0 s"), (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (7300, "2 h"), (200000, "2 d")]
)
def test_ages(seconds: float, text: str) -> None:
    """One unit, rounded down."""
    assert age(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0.0, "0 s"), (0.0412, "0.0412 s"), (9.999, "10 s"), (340.04, "340 s"), (998.9, "999 s")),
        *(
            (1234.0, "20.6 min"),
            (10800.0, "3 h"),
            (86400.0 * 9.126, "9.13 d"),
            (1.7e9, "19676 d"),
            (1e300 * 1e9, "inf d"),
        ),
    ],
)
def test_measured_times(seconds: float, text: str) -> None:
    """Three digits, and no exponent where somebody's column of seconds holds points in time."""
    assert took(seconds) == text
