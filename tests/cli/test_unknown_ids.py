"""An id that nobody has is named as such, with those that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calls import Call


@pytest.mark.parametrize(
    "words",
    [
        ["observe", "FILE", "--id", "99", "drag=1"],
        ["predict", "FILE", "--id", "99"],
        ["prefer", "FILE", "99", "over", "1"],
        ["tie", "FILE", "1", "99"],
        ["pending", "expire", "FILE", "--id", "99"],
        ["pending", "retry", "FILE", "--id", "99"],
    ],
)
def test_an_unknown_id(ordbo: Call, results: Path, words: list[str]) -> None:
    """Every command that takes one says so alike, with status 65."""
    assert ordbo("suggest", results, "-n", "2").status == 0
    said = ordbo(*(str(results) if word == "FILE" else word for word in words))
    assert said.status == 65
    message, hint = said.err.splitlines()[-2:]
    assert message.startswith("error: no suggestion ")
    assert message.endswith(" has the id 99")
    assert hint.startswith("hint: Open are 8, 9; closed are 1 to 7")


def test_a_study_without_ids(ordbo: Call, study: Path) -> None:
    """None is open."""
    assert ordbo("predict", study, "--id", "1").err.splitlines()[-1] == "hint: None is open"
