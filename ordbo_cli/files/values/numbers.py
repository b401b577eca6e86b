"""Numbers as people and simulators write them: YAML 1.2 scalars, CSV cells, Fortran output, failures.

Nothing here depends on the locale, and only ASCII digits count as digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from typing import Final

from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.spelling import quoted

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

PLAIN = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
# What nearly every cell holds: finite without a doubt, and quickly read.
_SHORT = re.compile(r"[-+]?[0-9]{1,20}(\.[0-9]{0,25})?([eE][-+]?[0-9]{1,2})?")
_SHORT_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")
# Patterns that few files need are left to re, which compiles them when it meets them.
# Fortran: D or Q for E, and no letter at all where the exponent needs three digits (3.14-114).
_FORTRAN: Final = (
    r"(?P<mantissa>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))[dDqQ](?P<exponent>[-+]?[0-9]+)"
    r"|(?P<bare>[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+))(?P<signed>[-+][0-9]{3})"
)
_DATE: Final = (
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ].*)?|[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4}( .*)?"
    r"|[0-9]{1,2}[-. /]+[^\W\d_]{3,}\.?([-. /]+[0-9]{2,4})?|[^\W\d_]{3,}\.?[-. /]+[0-9]{1,4}"
)
# Not a letter alone right behind the digits: 3k and 5M are no units, 1e and 0x10 unfinished or foreign numbers.
_UNIT: Final = (
    r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
    r"( +(?![eEdDqQ][-+]?[0-9])[^\W\d_]\S*|[^\W\d_]{2}[^\d]*|\u00b0.*)"
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
    if len(compact) > LONGEST_NUMBER:
        return f"Write it with at most {LONGEST_NUMBER} characters"
    if compact.lower() in ("true", "false"):
        return "Write 1 or 0"
    if compact.startswith("#"):
        return "A formula of a spreadsheet failed: mend it; a failed evaluation is 'failed'"
    if hint := _separated(compact):
        return hint
    if any(not character.isprintable() for character in compact):
        return "There are characters in it that nobody sees: take them out"
    if any(character.isdigit() and not character.isascii() for character in compact):
        return "Write it with the digits 0 to 9"
    if not any(character.isdigit() for character in compact):
        return ""
    if compact[0] in "\u2010\u2011\u2012\u2013\u2014\u2212":
        return "Write the sign as the plain '-' of the keyboard"
    return _described(compact) or "Write a plain number such as 1234.5 or 1.2e-3"


def _separated(text: str) -> str:
    """Return the hint for digits with signs between them that do not belong there."""
    if re.fullmatch(r"[-+0-9._eE]+", text) and "_" in text:
        return f"Write {text.replace('_', '')}, without underscores"
    if re.fullmatch(r"[-+]?0[0-9]+", text):
        return f"Leading zeros are ambiguous: write {int(text)}"
    if re.fullmatch(r"[0-9]+(:[0-9.]+)+", text):
        return "Write a time as one plain number, such as seconds"
    if re.fullmatch(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}", text):
        return f"Write {text.replace(',', '')} or {text.replace(',', '.')}, whichever is meant"
    if re.fullmatch(r"[-+]?[0-9]{1,3}([,' \u00a0\u2009\u202f][0-9]{3})+(\.[0-9]*)?", text):
        return f"Write {re.sub('[^-+.0-9]', '', text)}, without thousands separators"
    if re.fullmatch(r"[-+]?[0-9]{1,3}([. \u00a0\u2009\u202f][0-9]{3})+(,[0-9]*)?", text):
        return f"Write {re.sub('[^-+,0-9]', '', text).replace(',', '.')}, with a decimal point and nothing else"
    if re.fullmatch(r"[-+]?[0-9]+,[0-9]+([eE][-+]?[0-9]+)?", text):
        return f"Write {text.replace(',', '.')}, with a decimal point"
    return ""


def _described(text: str) -> str:
    """Return the hint for a number with something behind it, or a date."""
    if re.fullmatch(_DATE, text):
        return "It looks like a date, which spreadsheets make of numbers such as 3-9 and 1.5: write the number"
    if text.endswith("%"):
        return "Write it without the sign %, all numbers of the column alike"
    if re.fullmatch(_UNIT, text):
        return "Write the number alone, in one unit for the whole column"
    return ""


def exact_number(text: str) -> Decimal:
    """Return the exact value of a finite number as CSV files and command lines hold it, Fortran's included.

    Raises:
        ValueError: the text is no such number; its message is a hint for people, perhaps empty.
    """
    text = text.strip()
    if len(text) > LONGEST_NUMBER:
        raise ValueError(number_hint(text))
    if not PLAIN.fullmatch(text):
        fortran = re.fullmatch(_FORTRAN, text)
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
    if _SHORT.fullmatch(text):
        return Decimal(text)
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
    if (_SHORT_WHOLE if whole else _SHORT).fullmatch(text):
        return int(text) if whole else float(text)
    number = exact_number(text)
    value = float(number)
    if math.isinf(value):
        raise ValueError("It is beyond the largest double, 1.8e308")
    if not whole:
        return value
    if number != number.to_integral_value():
        raise ValueError("It has to be a whole number")
    return int(number)


def plain_values(texts: Sequence[str]) -> tuple[float, ...] | None:
    """Return doubles that are all spelt in the plainest way, much sooner than one by one; None where one is not."""
    return tuple(map(float, texts)) if all(map(_SHORT.fullmatch, texts)) else None


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
    if isinstance(value, str | bool):
        return str(value).lower() if isinstance(value, bool) else value
    return str(int(value)) if isinstance(value, int) else repr(float(value))


def printed_objective(given: Number | str, value: Decimal) -> str:
    """Return the text that is stored for an objective: as it was given where every reader understands that."""
    text = printed(given).strip()
    if value.is_infinite():
        return "-inf" if value < 0 else "inf"
    return text if PLAIN.fullmatch(text) else str(value)


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


DIGITS: Final = 15
_NEAR: Final = 1.1 * 10.0 ** (1 - DIGITS)  # relative: farther apart, two doubles cannot agree
_CUT, _ROUNDED = (
    Context(prec=DIGITS, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for rounding in (ROUND_DOWN, ROUND_HALF_EVEN)
)

Values = tuple[Number, ...]


def agree(one: float | Decimal, other: float | Decimal) -> bool:
    """Return whether two numbers are the same to 15 digits; a double is what its shortest text says."""
    if one == other:
        return True
    a, b = _exact(one), _exact(other)
    if not (a.is_finite() and b.is_finite()):
        return False
    return any(context.plus(a) == context.plus(b) for context in (_ROUNDED, _CUT))


def _exact(x: float | Decimal) -> Decimal:
    return x if isinstance(x, Decimal) else Decimal(repr(float(x)))


class Known:
    """The values of free parameters that are known; others that agree with one of them to 15 digits become that one.

    Args:
        problem: whose parameters they are. Only floats are snapped: all else survives a spreadsheet, or has its own
            words.
        points: whose values are known first, in the problem's order.
    """

    def __init__(self, problem: Problem, points: Iterable[Sequence[Number]] = ()) -> None:
        self._places = [k for k, parameter in enumerate(problem.free) if parameter.type == "float"]
        self._points = list(points)

    def snapped(self, points: Sequence[Values]) -> list[Values]:
        """Return points in which values that agree are one: a known value, or else the one with the most digits."""
        if not self._places:
            return list(points)
        changes = [self._changes(k, points) for k in self._places]
        if not any(changes):
            return list(points)
        of = dict(zip(self._places, changes, strict=True))
        return [tuple(of[k].get(x, x) if k in of else x for k, x in enumerate(point)) for point in points]

    def _changes(self, k: int, points: Sequence[Values]) -> Mapping[Number, Number]:
        """Return by value of one parameter which other value it becomes, whatever the order of the points."""
        known = {point[k] for point in self._points}
        changes: dict[Number, Number] = {}
        group: list[Number] = []
        for x in [*sorted(known | {point[k] for point in points if point}), math.inf]:
            if group and (x - group[-1] > _NEAR * abs(x) or not agree(group[-1], x)):
                best = min(group, key=lambda x: (x not in known, -len(repr(x)), x)) if len(group) > 1 else group[0]
                changes |= {each: best for each in group if each != best}
                group = []
            group.append(x)
        return changes


def alike(one: Sequence[Number], other: Sequence[Number]) -> bool:
    """Return whether two points agree in every value to 15 digits."""
    return len(one) == len(other) and all(
        a == b or (math.isclose(a, b, rel_tol=_NEAR, abs_tol=0.0) and agree(a, b))
        for a, b in zip(one, other, strict=True)
    )
