"""Spans of time as people type them."""

from __future__ import annotations

import click
import pytest

from ordbo_cli.cli.options import Duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("15m", 900), ("12h", 43200), ("2d", 172800), ("1h30m", 5400), ("1d2h3m4s", 93784), ("0s", 0),
        (" 5m ", 300), ("1.5h", 5400), ("1h30s", 3630),
    ],
)  # fmt: skip
def test_spans(text: str, seconds: float) -> None:
    """Days, hours, minutes and seconds, in this order, each at most once."""
    assert Duration().convert(text, None, None) == seconds


@pytest.mark.parametrize("text", ["12", "0", "1.5", "-3", "+3"])
def test_a_number_alone_is_refused(text: str) -> None:
    """Nobody can know its unit, so all four are shown."""
    with pytest.raises(click.BadParameter, match=r"of what\? Write .*s, .*m, .*h or .*d"):
        Duration().convert(text, None, None)


@pytest.mark.parametrize(
    "text", ["", "h", "12x", "30m1h", "1h1h", "1 h", "-1h", "1e3s", "١h", "nan", "inf", "1h30", "1,5h"]
)
def test_what_is_no_span(text: str) -> None:
    """Other units, another order, a part without a unit, signs, foreign digits."""
    with pytest.raises(click.BadParameter, match="is no span of time"):
        Duration().convert(text, None, None)
