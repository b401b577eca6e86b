"""Numbers in words: four digits, whatever the size, told apart where they are near."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.pictures.words import counted, figure_of, listed, told_apart

finite = st.floats(-1.797e308, 1.797e308)  # four digits of a larger one are no double


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.31, "0.31"),
        (1200, "1200"),
        (123456.0, "123500"),
        (999999.6, "1e6"),
        (0.0001234567, "0.0001235"),
        (1.5e-7, "1.5e-7"),
        (-1e8, "-1e8"),
        (Decimal("-1.0E+268"), "-1e268"),
        (Decimal("1e400"), "1e400"),
        (Decimal("1e-9999999"), "1e-9999999"),
        (Decimal("123456789012345678901234567890"), "1.235e29"),
        (-0.0, "0"),
        (Decimal("Infinity"), "infinity"),
        (float("-inf"), "-infinity"),
        (float("nan"), "a failure"),
        (None, "a failure"),
    ],
)
def test_figures(value: Decimal | float | None, text: str) -> None:
    """Plain where they are short, powers of ten where they are not."""
    assert figure_of(value) == text


def test_units() -> None:
    """They stand behind the number, not behind a failure."""
    assert figure_of(0.5, "kg·m²") == "0.5 kg·m²"
    assert figure_of(None, "kg") == "a failure"


@given(finite)
def test_four_digits_are_enough(value: float) -> None:
    """What is written is the number to four digits."""
    assert float(figure_of(value)) == pytest.approx(value, rel=5.01e-4, abs=5e-324)


@given(st.lists(finite, min_size=1, max_size=6, unique=True))
def test_near_numbers_are_told_apart(values: list[float]) -> None:
    """Doubles that differ are written differently, and each to within the digits that it has."""
    texts = told_apart(values)
    assert len(set(texts)) == len(values)
    assert [float(text) for text in texts] == pytest.approx(values, rel=5.01e-4, abs=5e-324)


def test_as_few_digits_as_tell_them_apart() -> None:
    """Four where they do, more for all where they do not; equal numbers stay equal."""
    assert told_apart([0.5, 1, 1.5]) == ["0.5", "1", "1.5"]
    assert told_apart([1.00001, 1.00002, 2.123456789]) == ["1.00001", "1.00002", "2.12346"]
    assert told_apart([2, 2, 3]) == ["2", "2", "3"]


def test_singulars_and_lists() -> None:
    """One evaluation, two evaluations; a, b and c."""
    assert [counted(k, "point") for k in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
