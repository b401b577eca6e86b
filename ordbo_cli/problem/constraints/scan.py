"""From the text of an expression to tokens: names, numbers and words taken out, so that only operators are left.

Each name (bare or in backquotes), number and word in quotation marks becomes a placeholder before Python's own parser
sees the text: no spelling of the user's, whatever characters it has, can mean anything to Python.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from ordbo_cli.problem.constraints.complaints import Mistake
from ordbo_cli.problem.spelling import quoted, shown

LONGEST: Final = 2000
DEEPEST_BRACKETS: Final = 50

Atom = tuple[Literal["name", "number", "word"], str]

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
      | `(?P<backquoted>(?:[^`]|``)*)`
      | "(?P<double>(?:[^"]|"")*)" | '(?P<single>(?:[^']|'')*)'
      | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[^\W\d]\w*)
      | (?P<operator>\*\*|//|<=|>=|==|!=|[-+*/%<>()\[\],])""",
    re.VERBOSE,
)
_OPERATORS: Final = frozenset({"and", "or", "not", "in"})
_INFIX: Final = frozenset({"*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "and", "or", "in", ","})
_CLOSING: Final = {"(": ")", "[": "]"}
# What other languages, or a keyboard, would have for ours; longest first.
_MEANT: Final = {
    "&&": "and", "||": "or", "<>": "!=", "=<": "<=", "=>": ">=", "=": "==", "^": "**", "!": "not", "&": "and",
    "|": "or", "~": "not", "≤": "<=", "≥": ">=", "≠": "!=", "\u00d7": "*", "·": "*", "÷": "/",
    "\u2212": "-", "\u2013": "-", "“": '"', "”": '"', "\u2018": "'", "\u2019": "'", "{": "[", "}": "]",
    "²": "**2", "³": "**3",
}  # fmt: skip


@dataclass(frozen=True)
class Scanned:
    """An expression for Python's parser.

    Args:
        text: placeholders and operators, a blank between any two, in ASCII.
        atoms: what each placeholder stands for.
        places: where each token begins: in this text, and in the user's.
    """

    text: str
    atoms: dict[str, Atom]
    places: tuple[tuple[int, int], ...]

    def origin(self, offset: int) -> int:
        """Return the place in the user's text of one in this text."""
        return max((place for place in self.places if place[0] <= offset), default=(0, 0))[1]


def scan(text: str, names: Collection[str]) -> Scanned:
    """Return the tokens of an expression.

    Args:
        text: the user's.
        names: of the parameters, for hints.

    Raises:
        Mistake: a character or a word has no meaning here, or brackets do not match.
    """
    if len(text) > LONGEST:
        raise Mistake(LONGEST, f"the expression has {len(text)} characters", f"At most {LONGEST} are read")
    atoms: dict[str, Atom] = {}
    tokens: list[str] = []
    places: list[tuple[int, int]] = []
    brackets: list[tuple[str, int]] = []
    at = length = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unknown(text, at)
        if found.lastgroup != "blank":
            token = _token(found, text, atoms, names)
            _balance(brackets, token, at)
            places.append((length, at))
            tokens.append(token)
            length += len(token) + 1
        at = found.end()
    if brackets:
        sign, at = brackets[-1]
        raise Mistake(at, f"{sign} is not closed", f"Add {_CLOSING[sign]}")
    if not tokens:
        raise Mistake(0, "the expression is empty", "Write a comparison such as x + 2*y <= 25")
    _alternate(tokens, [at for _, at in places])
    return Scanned(" ".join(tokens), atoms, tuple(places))


def _token(found: re.Match[str], text: str, atoms: dict[str, Atom], names: Collection[str]) -> str:
    """Return an operator, or the placeholder of what was found."""
    group, inner, at = str(found.lastgroup), found[str(found.lastgroup)], found.start()
    if group == "operator" or (group == "name" and inner in _OPERATORS):
        return inner
    if group == "name":
        _refuse_keyword(inner, at, names)
        return _placeholder(("name", inner), atoms)
    if group == "backquoted":
        if not inner:
            raise Mistake(at, "there is no name between the backquotes")
        return _placeholder(("name", inner.replace("``", "`")), atoms)
    if group == "number":
        return _placeholder(("number", _number(found, text)), atoms)
    sign = '"' if group == "double" else "'"
    return _placeholder(("word", inner.replace(sign * 2, sign)), atoms)


def _placeholder(atom: Atom, atoms: dict[str, Atom]) -> str:
    token = f"_{len(atoms)}"
    atoms[token] = atom
    return token


def _number(found: re.Match[str], text: str) -> str:
    """Return a number's text, checked for what comes after it."""
    after = re.compile(r"\w+").match(text, found.end())
    if after and re.fullmatch(r"(_[0-9]+)+", after[0]):
        raise Mistake(found.start(), "a number holds _", f"Write {shown((found[0] + after[0]).replace('_', ''))}")
    if after:
        raise Mistake(found.end(), f"{quoted(after[0])} follows a number", f"Write {found[0][:30]}*{after[0][:30]}")
    if not math.isfinite(float(found[0])):
        raise Mistake(found.start(), "this number is larger than a double can hold")
    return found[0]


def _refuse_keyword(word: str, at: int, names: Collection[str]) -> None:
    """Refuse Python's other keywords, which mean nothing here, and the spellings AND, OR and NOT."""
    if word in names and not keyword.iskeyword(word):
        return
    if word.lower() in _OPERATORS:
        raise Mistake(at, f"{quoted(word)} is unknown", f"Write {word.lower()}")
    if not keyword.iskeyword(word):
        return
    hint = "An expression holds numbers, parameters, words, operators and a few functions"
    if word in names:
        hint = f"Put the parameter's name in backquotes: `{word}`"
    elif word in ("if", "else"):
        hint = "For 'if A then B' write: (not A) or B"
    elif word in ("is", "True", "False", "None"):
        hint = "Compare with == or !="
    raise Mistake(at, f"{quoted(word)} has no meaning here", hint)


def _balance(brackets: list[tuple[str, int]], token: str, at: int) -> None:
    if token in _CLOSING:
        brackets.append((token, at))
        if len(brackets) > DEEPEST_BRACKETS:
            raise Mistake(at, "the expression is nested too deeply", f"At most {DEEPEST_BRACKETS} levels are read")
    elif token in _CLOSING.values() and (not brackets or _CLOSING[brackets.pop()[0]] != token):
        raise Mistake(at, f"{token} closes nothing", "Check the brackets before it")


def _alternate(tokens: list[str], places: list[int]) -> None:
    """Refuse tokens that Python's grammar would refuse, whose own words differ from version to version."""
    operand = False  # whether one stands before
    for k, token in enumerate(tokens):
        before = tokens[k - 1] if k else ""
        closes = token in _CLOSING.values()
        begins = token.startswith("_") or token == "[" or (token == "not" and tokens[k + 1 : k + 2] != ["in"])
        if operand and begins:
            hint = "Write * to multiply, and to join comparisons"
            raise Mistake(places[k], "an operator is missing before this", hint)
        if token == "not" and not operand and before not in ("", "and", "or", "not", "(", "[", ","):
            raise Mistake(places[k], f"not cannot follow {before}", "Put it in brackets with what it negates")
        # No operand is missing in f(), [], [a,] and "a not in".
        fine = (closes and (before in _CLOSING or before == ",")) or (token == "in" and before == "not" and k > 1)
        if not operand and not fine and (closes or token in _INFIX):
            raise Mistake(places[k], f"a name or number is missing before {token}")
        operand = token.startswith("_") or closes
    if not operand and tokens[-1] != ",":
        raise Mistake(places[-1], f"a name or number is missing after {tokens[-1]}")


def _unknown(text: str, at: int) -> Mistake:
    """Return the mistake of a character that begins no token."""
    sign = text[at]
    if sign in "`\"'":
        what = "a backquote" if sign == "`" else "a quotation mark"
        return Mistake(at, f"{what} is not closed", f"Add {sign} after the {'name' if sign == '`' else 'word'}")
    for spelling, ours in _MEANT.items():
        if text.startswith(spelling, at):
            return Mistake(at, f"{spelling} has no meaning here", f"Write {ours}")
    hint = "Names with blanks or such signs go in backquotes, as in `wall shear` <= 3"
    return Mistake(at, f"{shown(sign)} has no meaning here", hint)
