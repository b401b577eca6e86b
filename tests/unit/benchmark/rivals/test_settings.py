"""Settings behind the name of a method: those of the schedule of beta."""

from __future__ import annotations

import pytest

from ordbo_cli.benchmark.rivals.settings import parse_settings, with_settings
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.method import BetaSchedule, Method


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("beta=theory", BetaSchedule()),
        ("beta=theory,beta.scale=0.1", BetaSchedule(scale=0.1)),
        ("beta.delta=0.5,beta.c1=2,beta.c2=3", BetaSchedule(0.5, 2.0, 3.0)),
    ],
)
def test_the_schedule_of_beta(text: str, schedule: BetaSchedule) -> None:
    """By its word, and setting by setting."""
    assert with_settings(Method(), parse_settings(text)).beta == schedule


def test_settings_of_a_schedule_go_into_that_of_the_method() -> None:
    """Those that are not named stay."""
    method = Method(beta=BetaSchedule(delta=0.3))
    assert with_settings(method, parse_settings("beta.scale=0.1")).beta == BetaSchedule(delta=0.3, scale=0.1)
    assert with_settings(method, parse_settings("beta=3")).beta == 3.0


@pytest.mark.parametrize("text", ["beta=2,beta.scale=0.1", "beta.foo=1", "beta.scale=much", "beta=often"])
def test_what_no_schedule_takes(text: str) -> None:
    """A number beside settings of a schedule, which would be dropped without a word, among them."""
    with pytest.raises(UsageError):
        with_settings(Method(), parse_settings(text))
