"""NAME=VALUE arguments."""

from __future__ import annotations

import pytest

from ordbo_cli.cli.assignments import parse
from ordbo_cli.errors import UsageError

NAMES = ("angle", "wall shear", "a", "a=b", "drag")


def test_values_stay_as_typed() -> None:
    """Numbers are not parsed here, so that no digit is lost."""
    given = parse(["angle=3.10", "wall shear = 1e5", "drag=0.12345678901234567890"], NAMES)
    assert given == {"angle": "3.10", "wall shear": "1e5", "drag": "0.12345678901234567890"}


def test_the_longest_known_name_wins() -> None:
    """A name may hold an equals sign."""
    assert parse(["a=b=3", "a=4"], NAMES) == {"a=b": "3", "a": "4"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["angle"], "'angle' is not NAME=VALUE"),
        (["angle="], "'angle' has no value"),
        (["angle=1", "angle=2"], "'angle' is given twice"),
        (["weight=1"], "unknown name 'weight'"),
    ],
)
def test_what_cannot_be_read_is_a_usage_error(arguments: list[str], message: str) -> None:
    """The message names the argument."""
    with pytest.raises(UsageError) as caught:
        parse(arguments, NAMES)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("arguments", "example"),
    [
        (["350"], "'Yearly cost=350'"),
        (["-3.5"], "'Yearly cost=-3.5'"),
        ([">1e6"], "'Yearly cost=>1e6'"),
        (["350", "angle=3"], "'Yearly cost=350'"),
        (["Yearly cost=350", "angle=3", "5"], "wall=5"),
        (["Yearly", "cost=350"], "'Yearly cost=350'"),
        (["angle=3", "Yearly cost", "350"], "'Yearly cost=350'"),
        (["wall", "=", "3"], "wall=3"),
        (["wall:", "3"], "wall=3"),
        (["3", "350"], "'Yearly cost=0.31'"),
        (["what"], "'Yearly cost=0.31'"),
    ],
)
def test_a_bare_value_is_met_with_what_to_type(arguments: list[str], example: str) -> None:
    """Quoted for a shell where it needs that."""
    with pytest.raises(UsageError) as caught:
        parse(arguments, ("angle", "wall", "Yearly cost"))
    assert caught.value.hint == f"For instance {example}"


def test_a_near_miss_gets_a_suggestion() -> None:
    """A typing error is met with the name that was meant."""
    with pytest.raises(UsageError) as caught:
        parse(["angel=3"], NAMES)
    assert caught.value.hint == "Did you mean angle?"
