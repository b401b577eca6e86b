"""Numbers as people and simulators write them: YAML 1.2 scalars, CSV cells, Fortran output, failures.

Nothing here depends on the locale, and only ASCII digits count as digits.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Final

from ordbo_cli.problem import Number
from ordbo_cli.study.text import quoted

LONGEST_NUMBER: Final = 1_000
LARGEST_EXPONENT: Final = 999_999_999

_YAML_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_YAML_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_YAML_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_YAML_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_YAML_SPECIAL = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_PLAIN = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
# Fortran: D or Q for E, and no letter at all where the exponent needs three digits (3.14-114).
_FORTRAN = re.compile(
    r"(?P<mantissa>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))[dDqQ](?P<exponent>[-+]?[0-9]+)"
    r"|(?P<bare>[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+))(?P<signed>[-+][0-9]{3})"
)
_FAILURE = re.compile(r"[-+]?\.?nan(\(.*\))?|[-+]?1\.#(ind|qnan|snan).*|fail|failed|failure|\*+", re.IGNORECASE)
_INFINITY = re.compile(r"(?P<sign>[-+]?)(\.?inf|infinity|1\.#inf0*)", re.IGNORECASE)


def yaml_value(text: str) -> bool | int | float | str | None:
    """Return what a plain YAML scalar means by the rules of YAML 1.2's core schema.

    ``1e-3`` is a number, ``no`` and ``12:30`` are text. A number with a leading zero (``010``), which YAML 1.1 and
    1.2 read differently, is text too. A number beyond the doubles comes back infinite.
    """
    if text in _YAML_WORDS:
        return _YAML_WORDS[text]
    if _YAML_INT.fullmatch(text) and len(text) <= LONGEST_NUMBER:
        return int(text)
    if _YAML_BASE.fullmatch(text) and len(text) <= LONGEST_NUMBER:
        return int(text, 0)
    if _YAML_FLOAT.fullmatch(text):
        return float(text)
    if special := _YAML_SPECIAL.fullmatch(text):
        return math.nan if special[1] is None else math.inf * (-1 if special[1] == "-" else 1)
    return text


def number_hint(text: str) -> str:
    """Return what to write instead of a text that is not a number, or "" where it looks like none."""
    compact = text.strip()
    if not compact.isascii() and any(c.isdigit() for c in compact):
        return "Write it with the digits 0 to 9"
    if not any(c.isdigit() for c in compact):
        return ""
    if re.fullmatch(r"[-+0-9._eE]+", compact) and "_" in compact:
        return f"Write {compact.replace('_', '')}, without underscores"
    if re.fullmatch(r"[-+]?0[0-9]+", compact):
        return f"Leading zeros are ambiguous: write {int(compact)}"
    if re.fullmatch(r"[0-9]+(:[0-9.]+)+", compact):
        return "Write a time as one plain number, such as seconds"
    if re.fullmatch(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", compact):
        return f"Write {compact.replace(',', '')}, without thousands separators"
    if re.fullmatch(r"[-+]?[0-9]+,[0-9]+([eE][-+]?[0-9]+)?", compact):
        return f"Write {compact.replace(',', '.')}, with a decimal point"
    return "Write a plain number such as 1234.5 or 1.2e-3"


def exact_number(text: str) -> Decimal:
    """Return the exact value of a finite number as CSV files and command lines hold it, Fortran's included.

    Raises:
        ValueError: the text is no such number; its message is a hint for people, perhaps empty.
    """
    text = text.strip()
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"Write it with at most {LONGEST_NUMBER} characters")
    if not _PLAIN.fullmatch(text):
        fortran = _FORTRAN.fullmatch(text)
        if fortran is None:
            raise ValueError(number_hint(text))
        mantissa, exponent = fortran["mantissa"] or fortran["bare"], fortran["exponent"] or fortran["signed"]
        text = f"{mantissa}e{exponent}"
    exponent = text.lower().partition("e")[2]
    # Bounded so that no later step can be made to write out a billion digits.
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise ValueError(f"Its exponent is beyond {LARGEST_EXPONENT}: simulators write no such number")
    return Decimal(text)


def objective_value(text: str) -> Decimal | None:
    """Return the exact, possibly infinite, value of an objective's text; None for a failure.

    Raises:
        ValueError: the text is neither; its message is a hint for people, perhaps empty.
    """
    text = text.strip()
    if len(text) <= LONGEST_NUMBER:
        if _FAILURE.fullmatch(text):
            return None
        if infinite := _INFINITY.fullmatch(text):
            return Decimal("-Infinity" if infinite["sign"] == "-" else "Infinity")
    return exact_number(text)


def parameter_value(text: str, *, whole: bool) -> Number:
    """Return a parameter's value: an int where it is to be whole, else a double.

    Raises:
        ValueError: the text is no finite number, or not whole; its message is a hint for people, perhaps empty.
    """
    number = exact_number(text)
    value = float(number)
    if math.isinf(value):
        raise ValueError("It is beyond the largest double, 1.8e308")
    if not whole:
        return value
    if number != number.to_integral_value():
        raise ValueError("It has to be a whole number")
    return int(number)


def checked_parameter(value: Number | str, *, whole: bool) -> Number:
    """Return a parameter's value given as a number or as text.

    Raises:
        ValueError: as :func:`parameter_value`.
    """
    if isinstance(value, bool):
        raise ValueError("It has to be a number, not true or false")
    return parameter_value(value if isinstance(value, str) else printed(value), whole=whole)


def printed(value: Number | str) -> str:
    """Return the shortest text that reads back as the same value."""
    if isinstance(value, str):
        return value
    return str(int(value)) if isinstance(value, int) else repr(float(value))


def printed_objective(given: Number | str, value: Decimal) -> str:
    """Return the text that is stored for an objective: as it was given where every reader understands that."""
    text = printed(given).strip()
    if value.is_infinite():
        return "-inf" if value < 0 else "inf"
    return text if _PLAIN.fullmatch(text) else str(value)


def same(one: Number | str, other: Number | str) -> bool:
    """Return whether two values are equal: numbers by value, however they are spelt, and words by letter."""
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip() or _both_numbers(one, other)
    if isinstance(one, str) or isinstance(other, str):
        return _both_numbers(printed(one), printed(other))
    return one == other


def _both_numbers(one: str, other: str) -> bool:
    try:
        return float(exact_number(one)) == float(exact_number(other))
    except ValueError:
        return False


def not_a_number(text: str) -> str:
    """Return the start of a message about a text that is no number."""
    return "it is empty" if not text.strip() else f"{quoted(text)} is not a number"
