"""Numbers as people and simulators write them."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.files.values.numbers import (
    exact_number,
    number_hint,
    objective_value,
    parameter_value,
    plain_values,
    printed,
    printed_objective,
    same,
    yaml_value,
)

_PLAIN = "Write a plain number such as 1234.5 or 1.2e-3"
_DATE = "It looks like a date, which spreadsheets make of numbers such as 3-9 and 1.5: write the number"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("-.5E+2", -50.0),
        ("0", 0),
        ("-12", -12),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("1e400", math.inf),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
    ],
)
def test_yaml_scalars_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    """Numbers, truth values and nothing are recognised, and are of the right type."""
    assert yaml_value(text) == value
    assert type(yaml_value(text)) is type(value)


@pytest.mark.parametrize("text", ["no", "on", "y", "off", "010", "12:30", "2026-11-27", "1_000", "0b1", "٣", "1e", "+"])
def test_yaml_1_1_inventions_are_text(text: str) -> None:
    """Nothing that only YAML 1.1 takes for a number or a truth value is one."""
    assert yaml_value(text) == text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1_000", "Write 1000, without underscores"),
        ("010", "Leading zeros are ambiguous: write 10"),
        ("1,234.5", "Write 1234.5, without thousands separators"),
        ("3,5", "Write 3.5, with a decimal point"),
        ("12:30:45", "Write a time as one plain number, such as seconds"),
        ("٣", "Write it with the digits 0 to 9"),
        ("fast", ""),
        ("1,234", "Write 1234 or 1.234, whichever is meant"),
        ("12,345,678", "Write 12345678, without thousands separators"),
        ("1'234.5", "Write 1234.5, without thousands separators"),
        ("1\u202f234.5", "Write 1234.5, without thousands separators"),
        ("1.234.567,8", "Write 1234567.8, with a decimal point and nothing else"),
        ("\u22120.5", "Write the sign as the plain '-' of the keyboard"),
        ("0.5\u200b", "There are characters in it that nobody sees: take them out"),
        ("True", "Write 1 or 0"),
        ("#DIV/0!", "A formula of a spreadsheet failed: mend it; a failed evaluation is 'failed'"),
        ("5 %", "Write it without the sign %, all numbers of the column alike"),
        ("3.1 mm", "Write the number alone, in one unit for the whole column"),
        ("3.1°C", "Write the number alone, in one unit for the whole column"),
        *((text, _PLAIN) for text in ("0x10", "1e", "3k", "1 e5", "1/3", "1.5.2", "$3")),
        *((text, _DATE) for text in ("2024-01-05", "2024-01-05 12:00", "03. Sep", "3-Sep", "Sep 24", "3/9/2024")),
    ],
)
def test_hints_name_the_right_spelling(text: str, hint: str) -> None:
    """What looks like a number gets a hint that says how to write it."""
    assert number_hint(text) == hint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0D+05", "1e5"),
        ("1.5d-3", "0.0015"),
        ("3.14-114", "3.14e-114"),
        ("-.5+300", "-0.5e300"),
        ("1Q2", "100"),
        (" 7. ", "7"),
        ("1e400", "1e400"),
        ("0.12345678901234567890", "0.12345678901234567890"),
    ],
)
def test_fortran_numbers_are_read_exactly(text: str, value: str) -> None:
    """The value is the exact decimal, beyond what a double can hold."""
    assert exact_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text", ["1_000", "1,5", "2024-114", "1e", "", "--1", "1 2", "0x10", "٣", "1e9999999999", "9" * 1001]
)
def test_other_texts_are_no_numbers(text: str) -> None:
    """Python's own spellings, dates, and numbers made to exhaust memory are refused."""
    with pytest.raises(ValueError):
        exact_number(text)


@pytest.mark.parametrize(
    "text", ["nan", "NaN", "-nan", "nan(0x8)", ".nan", "failed", "FAIL", "****", "*", "1.#QNAN", "-1.#IND"]
)
def test_failures_are_recognised(text: str) -> None:
    """Every spelling of a failure gives None."""
    assert objective_value(text) is None


@pytest.mark.parametrize(("text", "value"), [("inf", "Infinity"), ("-Infinity", "-Infinity"), ("1.#INF", "Infinity")])
def test_infinities_are_recognised(text: str, value: str) -> None:
    """Infinities of both signs are values, not failures."""
    assert objective_value(text) == Decimal(value)


def test_close_and_huge_objectives_keep_their_order() -> None:
    """Values that share a double are told apart."""
    texts = ["1e400", "1e500", "0.12345678901234567890", "0.12345678901234567891", "1e-400", "2e-400"]
    values = [exact_number(text) for text in texts]
    assert values[0] < values[1]
    assert values[2] < values[3]
    assert 0 < values[4] < values[5]
    assert float(texts[2]) == float(texts[3])


def test_the_largest_exponents_are_compared_and_hashed() -> None:
    """No digit of a number with a huge exponent is ever written out."""
    huge, larger = exact_number("1e999999998"), exact_number("1e999999999")
    assert len({huge, larger}) == 2
    assert sorted([larger, huge]) == [huge, larger]


@given(
    st.from_regex(r"[-+]?[0-9]{0,25}\.?[0-9]{0,30}([eE][-+]?[0-9]{1,4})?", fullmatch=True)
    | st.floats().map(repr)
    | st.sampled_from([" 1", "1 ", "1_0", "\u0661", "1.0D+05", "3.14-114", "-0", "007", "inf", "9" * 20, "1e-99", ""])
)
def test_the_quick_way_to_read_a_number_gives_what_the_exact_one_gives(text: str) -> None:
    """Texts of the plain spelling become the double, the whole number and the decimal that the slow way makes."""
    try:
        exact = exact_number(text)
    except ValueError:
        assert plain_values([text]) is None
        return
    quick = plain_values(["0.5", text])
    assert quick is None or (math.isfinite(quick[1]) and [repr(x) for x in quick] == ["0.5", repr(float(exact))])
    assert objective_value(text) == exact
    if math.isfinite(float(exact)):
        assert repr(parameter_value(text, whole=False)) == repr(float(exact))
        if exact == exact.to_integral_value():
            assert parameter_value(text, whole=True) == int(exact)


def test_plain_numbers_are_read_the_quick_way() -> None:
    """As simulators and spreadsheets write nearly all; one other among them is left to the slow way."""
    assert plain_values(["1", "-2.5", "+3.", "6.02e23", "1E-9"]) == (1.0, -2.5, 3.0, 6.02e23, 1e-9)
    assert plain_values([]) == ()
    assert plain_values(["1", "1.0D+05"]) is None


def test_negative_zero_is_zero() -> None:
    """The two zeros share a rank."""
    assert exact_number("-0.0") == exact_number("0")


def test_parameters_are_finite_and_whole_where_they_have_to_be() -> None:
    """An int parameter takes 3.0, not 3.5, and keeps every digit; no parameter takes 1e400."""
    assert parameter_value("3.0", whole=True) == 3
    assert parameter_value("9007199254740993", whole=True) == 9007199254740993
    assert isinstance(parameter_value("3", whole=False), float)
    with pytest.raises(ValueError, match="whole number"):
        parameter_value("3.5", whole=True)
    with pytest.raises(ValueError, match="largest double"):
        parameter_value("1e400", whole=False)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_printed_doubles_read_back(value: float) -> None:
    """What is printed is what is stored, bit for bit."""
    back = parameter_value(printed(value), whole=False)
    assert isinstance(back, float)
    assert back.hex() == value.hex() or value == back == 0


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [("0.310", "0.310"), ("1.0D+05", "1.0E+5"), (0.1, "0.1"), (3, "3"), ("inf", "inf"), ("-Infinity", "-inf")],
)
def test_stored_objectives_are_what_any_csv_reader_understands(given_text: str | float, stored: str) -> None:
    """Plain text is kept as it was given; Fortran's is spelt out."""
    value = objective_value(printed(given_text))
    assert value is not None
    assert printed_objective(given_text, value) == stored


def test_equal_values_are_recognised_in_any_spelling() -> None:
    """Numbers are equal by value, words by letter."""
    assert same("2", 2.0)
    assert same("2.00", "2")
    assert same("sa", "sa ")
    assert not same("sa", 2.0)
    assert not same(2.0, 3)
