"""Problems by name and by group."""

from __future__ import annotations

import pytest

from ordbo_cli.benchmark.suites.suite import GROUPS, problems


@pytest.mark.parametrize(
    ("whole", "tune", "unseen"),
    [
        ("wide", "tune", "unseen"),
        ("mixed", "mixed-tune", "mixed-unseen"),
        ("engineering", "engineering-tune", "engineering-unseen"),
        ("fronts", "fronts-tune", "fronts-unseen"),
    ],
)
def test_two_halves_are_the_whole(whole: str, tune: str, unseen: str) -> None:
    """A problem is either one that settings were chosen by, or one that they are judged by."""
    assert sorted(GROUPS[tune] + GROUPS[unseen]) == sorted(GROUPS[whole])
    assert not set(GROUPS[tune]) & set(GROUPS[unseen])
    assert all(getattr(one, "tune", None) is True for one in problems([tune]))
    assert all(getattr(one, "tune", None) is False for one in problems([unseen]))


def test_challenging_is_a_group_like_others() -> None:
    """It can be asked for: the paper's problems without the smooth one."""
    assert set(GROUPS["paper"]) - {one.name for one in problems(["challenging"])} == {"hartmann_4d"}
