"""The time that is left."""

from __future__ import annotations

import pytest

from ordbo_cli.cli.countdown import Countdown
from ordbo_cli.cli.summary import span


class Clock:
    """Stands still until a test moves it."""

    now = 100.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


def test_it_counts_down_between_two_steps() -> None:
    """Nothing is known before the first one; each sets the time anew, and what goes by is taken off."""
    clock = Clock()
    left = Countdown(clock=clock)
    left.at(0, 4)
    assert str(left) == "-"
    said = []
    for now, step in ((110.0, 1), (113.0, 0), (119.0, 0), (130.0, 2), (149.0, 0), (175.0, 0)):
        clock.now = now
        if step:
            left.at(step, 4 - step)
        said.append(str(left))
    assert said == ["about 30 s", "about 27 s", "about 21 s", "about 30 s", "about 11 s", "any moment"]


def test_steps_of_a_former_call_have_no_pace() -> None:
    """Of 8 steps that were done before and 1 since, the time follows from the 1."""
    clock = Clock()
    left = Countdown(8, clock)
    clock.now += 60.0
    left.at(9, 3)
    assert str(left) == "about 3 min"


def test_a_new_count_has_a_pace_of_its_own() -> None:
    """Where steps of another kind follow, as checks behind fits, the first ones say nothing of them."""
    clock = Clock()
    left = Countdown(clock=clock)
    clock.now += 30.0
    left.at(1, 0)
    clock.now += 2.0
    left.at(1, 5)
    assert str(left) == "about 10 s"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "0 s"), (0.9, "0 s"), (59.9, "59 s"), (60, "1 min"), (200, "3 min 20 s"), (7300, "2 h 1 min"),
     (3605, "1 h"), (86400, "1 d"), (200000, "2 d 7 h")],
)  # fmt: skip
def test_spans(seconds: float, text: str) -> None:
    """Two units, rounded down."""
    assert span(seconds) == text
