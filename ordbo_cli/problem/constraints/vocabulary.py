"""Comparisons of levels: with a word, with a number that is a level, or with another parameter's levels."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Protocol

from ordbo_cli.problem.constraints import doubles
from ordbo_cli.problem.constraints.complaints import Mistake
from ordbo_cli.problem.constraints.scan import Scanned
from ordbo_cli.problem.constraints.tree import Among, Constant, Every, Formula, Some, Term
from ordbo_cli.problem.parameter import Fixed, Level, Parameter
from ordbo_cli.problem.spelling import meant, quoted, shown


class Reader(Protocol):
    """What is known of the expression that is being read."""

    scanned: Scanned
    parameters: dict[str, Parameter | Fixed]

    def at(self, node: ast.AST) -> int:
        """Return the place in the user's text at which a node begins."""

    def parameter(self, node: ast.expr, name: str) -> Parameter | Fixed:
        """Return the parameter of a name."""

    def number(self, node: ast.expr) -> Term:
        """Return what stands where a number is expected."""


def are_numbers(parameter: Parameter) -> bool:
    """Return whether a parameter's levels take part in arithmetic: all are numbers and have an order."""
    return parameter.type == "ordinal" and not any(isinstance(level, str) for level in parameter.levels)


def is_word(reader: Reader, node: ast.expr) -> bool:
    """Return whether a node is a word in quotation marks, or a parameter that takes part in no arithmetic."""
    if not isinstance(node, ast.Name):
        return False
    kind, text = reader.scanned.atoms[node.id]
    if kind != "name":
        return kind == "word"
    parameter = reader.parameters.get(text)
    if isinstance(parameter, Fixed):
        return isinstance(parameter.value, str)
    return parameter is not None and bool(parameter.levels) and not are_numbers(parameter)


def spelt(level: Level) -> str:
    """Return a level as it stands in an expression."""
    if not isinstance(level, str):
        return str(level)
    return f"'{level}'" if "'" not in level else '"' + level.replace('"', '""') + '"'


def example(parameter: Parameter) -> str:
    """Return a comparison that the levels of a parameter allow."""
    return f"== {shown(spelt(parameter.levels[0]))}"


def all_levels(parameters: Iterable[Parameter | Fixed]) -> set[str]:
    """Return the words that are levels of some parameter, or a fixed value."""
    found: set[str] = set()
    for parameter in parameters:
        levels: Sequence[Level] = parameter.levels if isinstance(parameter, Parameter) else (parameter.value,)
        found |= {level for level in levels if isinstance(level, str)}
    return found


def compared(reader: Reader, left: ast.expr, sign: str, right: ast.expr, negated: bool) -> Formula:
    """Return a comparison of which one side at least is a word or level.

    Raises:
        Mistake: the two do not go together.
    """
    first, second = _side(reader, left), _side(reader, right)
    for node, side in ((left, first), (right, second)):
        if sign not in ("==", "!=") and isinstance(side, Parameter) and side.type == "categorical":
            hint = "Compare with ==, != or in"
            raise Mistake(reader.at(node), f"the values of {quoted(side.name)} have no order", hint)
    if isinstance(first, Parameter):
        if isinstance(second, Parameter):
            return _pair(reader, left, first, sign, second, negated)
        place = _place(reader, right, first, second)
        return _one(first, [doubles.compare(sign, k, place) for k in range(len(first.levels))], negated)
    if isinstance(second, Parameter):
        place = _place(reader, left, second, first)
        return _one(second, [doubles.compare(sign, place, k) for k in range(len(second.levels))], negated)
    if sign not in ("==", "!="):
        raise Mistake(reader.at(left), "these words have no order", "Compare with ==, != or in")
    if isinstance(first, str) != isinstance(second, str):
        raise Mistake(reader.at(left), "a number and a word are compared", "They are never equal")
    return Every(()) if ((first == second) == (sign == "==")) != negated else Some(())


def _side(reader: Reader, node: ast.expr) -> Parameter | Level:
    """Return one side of a comparison: a parameter with levels, or a word or number."""
    if is_word(reader, node):
        assert isinstance(node, ast.Name)
        kind, text = reader.scanned.atoms[node.id]
        if kind == "word":
            return text
        parameter = reader.parameter(node, text)
        return parameter.value if isinstance(parameter, Fixed) else parameter
    if isinstance(node, ast.Name) and reader.scanned.atoms[node.id][0] == "name":
        parameter = reader.parameter(node, reader.scanned.atoms[node.id][1])
        if isinstance(parameter, Parameter):
            if parameter.levels:
                return parameter
            raise Mistake(reader.at(node), f"the values of {quoted(parameter.name)} are numbers, not words")
    term = reader.number(node)
    if not isinstance(term, Constant):
        raise Mistake(reader.at(node), "a number and a word are compared", "Compare a level with a level")
    return term.value


def _place(reader: Reader, node: ast.expr, parameter: Parameter, level: Level) -> int:
    """Return the place of a level."""
    for place, each in enumerate(parameter.levels):
        if isinstance(each, str) == isinstance(level, str) and each == level:
            return place
    number = not isinstance(level, str)
    written = f"{level:g}" if isinstance(level, int | float) else level
    spelling = {str(each): spelt(each) for each in parameter.levels}
    hint = meant(written, spelling, spelling.__getitem__)
    what = written if number else quoted(written)
    raise Mistake(reader.at(node), f"{quoted(parameter.name)} has no value {what}", hint)


def _one(parameter: Parameter, holds: Sequence[bool], negated: bool) -> Among:
    allowed = frozenset((k,) for k, each in enumerate(holds) if each)
    made = Among((parameter.name,), (parameter.levels,), allowed)
    return made.opposite() if negated else made


def _pair(reader: Reader, node: ast.expr, first: Parameter, sign: str, second: Parameter, negated: bool) -> Formula:
    """Return a comparison of two parameters: equal levels are equal, and in order only where both have the same."""
    if sign not in ("==", "!=") and first.levels != second.levels:
        hint = "Parameters with the same values in the same order can be"
        raise Mistake(reader.at(node), f"{quoted(first.name)} and {quoted(second.name)} have no common order", hint)
    if not set(first.levels) & set(second.levels):
        raise Mistake(reader.at(node), f"{quoted(first.name)} and {quoted(second.name)} have no value in common")
    if first.name == second.name:
        same = range(len(first.levels))
        return _one(first, [doubles.compare(sign, k, k) for k in same], negated)
    place = {level: k for k, level in enumerate(second.levels)}
    allowed = frozenset(
        (j, k)
        for j, level in enumerate(first.levels)
        for k in range(len(second.levels))
        if doubles.compare(sign, j if sign not in ("==", "!=") else place.get(level, -1), k)
    )
    made = Among((first.name, second.name), (first.levels, second.levels), allowed)
    return made.opposite() if negated else made


def merged(parts: Sequence[Formula], negated: bool) -> Formula:
    """Return whether something is one of several, or none of them, as one statement where it speaks of levels."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if isinstance(first, Among) and all(isinstance(part, Among) and part.names == first.names for part in parts):
        sets = [part.allowed for part in parts if isinstance(part, Among)]
        allowed = frozenset.intersection(*sets) if negated else frozenset.union(*sets)
        return Among(first.names, first.levels, allowed)
    return Every(tuple(parts)) if negated else Some(tuple(parts))
