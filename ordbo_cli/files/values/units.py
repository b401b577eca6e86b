"""Units as tables give them: in brackets behind a name, or in a row of their own below the header.

Only what can be nothing else counts: powers and products of known symbols. ``x[0]``, ``drag (mean)`` and ``T (in)`` are
names of columns, and no units.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PREFIXED: Final = "m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|S|Wb|T|H|lm|lx|Bq|Gy|Sv|L|l|eV|bar|cal|Wh|rad|ohm|\u03a9|B|t"
_PREFIX: Final = "(?:da|[YZEPTGMkhdcm\u03bcunp])?"
_OTHERS: Final = (
    "%|\u2030|\u00b0|deg|\u00b0C|\u00b0F|degC|degF|sr|h|hr|d|day|days|yr|year|years|ft|yd|mi|lb|lbs|lbf|oz|psi|ksi"
    "|(?:wt|mol|[Vv]ol)\\.?-?%|rpm|U/min|Nm|kNm|bar[ag]|atm|Torr|torr|mmHg|dB|dBm|ppm|ppb|px|mph|kn|hp|Btu|cP|cSt|Da"
    "|[kM]?(?:USD|EUR|CHF|GBP|\u20ac|\\$|\u00a3)"
    "|meters?|metres?|seconds?|minutes?|hours?|degrees?|radians?|percent|[Kk]elvin|[Cc]elsius|[Nn]ewtons?"
    "|[Pp]ascals?|[Ww]atts?|[Jj]oules?|[Vv]olts?|[Aa]mperes?|grams?|kilograms?"
)
_FACTOR: Final = rf"(?:{_OTHERS}|{_PREFIX}(?:{_PREFIXED}))(?:\^?(?:[-+]?[0-9]|\([-+]?[0-9]\)))?"
_PER: Final = r"\s*/\s*(?:min|a|in)(?:\^?[0-9])?"  # a minute, a year, an inch: behind a slash it is no minimum
_SIGN: Final = r"(?:\s*[*/.\u00b7\u22c5]\s*|\s+|(?<=[0-9]))"
_PRODUCT: Final = rf"{_FACTOR}(?:{_SIGN}{_FACTOR}|{_PER})*"
_UNSURE: Final = ("min", "in")  # a minimum, an inlet
_DASHES: Final = ("-", "--", "\u2013", "\u2014")
_LONGEST: Final = 40
_BRACKETS: Final = r"\[([^][]*)\]|\(([^()]*)\)"


def split_unit(text: str) -> tuple[str, str | None]:
    """Return what stands before brackets at the end of a text, and what is in them; None where there are none."""
    match = re.fullmatch(rf"(.*?)\s*(?:{_BRACKETS})", text, re.DOTALL)
    if match is None:
        return text, None
    return match[1], (match[2] if match[2] is not None else match[3]).strip()


def without_brackets(text: str) -> str:
    """Return a cell's text without the brackets around all of it."""
    before, inside = split_unit(text)
    return text if before or inside is None else inside


def is_unit(text: str) -> bool:
    """Return whether a text can be nothing but a unit."""
    unit = rf"(?:1\s*/\s*)?{_PRODUCT}(?:\s*/\s*\({_PRODUCT}\))?|1\s*/\s*\({_PRODUCT}\)|1{_PER}"
    return len(text) <= _LONGEST and bool(re.fullmatch(unit, _spelt(text)))


def may_be_unit(text: str) -> bool:
    """Return whether a text is a unit where other cells beside it are."""
    return is_unit(text) or text in _UNSURE


def is_no_unit(text: str) -> bool:
    """Return whether a cell says that there is no unit: it is empty, or a dash."""
    return not text or text in _DASHES


def same_unit(one: str, other: str) -> bool:
    """Return whether two units are spelt alike but for exponents, signs of products and blanks."""
    return _bare(one) == _bare(other)


def _spelt(text: str) -> str:
    """Return a unit with plain exponents, and one code point for each of micro, ohm and the like."""
    return unicodedata.normalize("NFKC", text.replace("\u00b0", "\0")).replace("\0", "\u00b0").replace("\u2212", "-")


def _bare(text: str) -> str:
    return re.sub(r"[\s^*.\u00b7\u22c5]", "", _spelt(without_brackets(text)))
