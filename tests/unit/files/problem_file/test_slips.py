"""Slips in a problem file that are not misspelt, but belong elsewhere."""

from __future__ import annotations

import pytest

from ordbo_cli import Parameter, ProblemErrors


def test_a_scale_is_no_type() -> None:
    """Who writes ``type: log`` is told which key it belongs to."""
    with pytest.raises(ProblemErrors, match="Write scale: log beside min and max"):
        Parameter("re", 1e5, 1e7, type="log")  # type: ignore[arg-type]


def test_levels_are_values() -> None:
    """One of the other spellings that are taken, as YAML and in Python."""
    alloy = Parameter("alloy", type="categorical", levels=["steel", "brass"])
    assert alloy.settings["levels"] == ["steel", "brass"]
