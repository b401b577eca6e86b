"""An expression that was read: terms, which are numbers, and formulas, which are true or false.

There is no "not": reading moves it inwards, so that it ends in the comparisons. A comparison of an undefined number
(0/0, log(-1)) is then simply not satisfied, however many a "not" stood around it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from ordbo_cli.problem.parameter import Level

T = TypeVar("T")

OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Constant:
    """A number."""

    value: float


@dataclass(frozen=True)
class Variable:
    """A parameter whose values are numbers.

    Args:
        name: the parameter's.
        levels: the numbers at its places, where it has levels.
    """

    name: str
    levels: tuple[float, ...] = ()


@dataclass(frozen=True)
class Operation:
    """An operator (``+ - * / // % **``, ``neg``) or a function, and what it is applied to."""

    operator: str
    arguments: tuple[Term, ...]


Term = Constant | Variable | Operation


@dataclass(frozen=True)
class Relation:
    """A comparison of two numbers.

    Args:
        operator: one of ``< <= > >= == !=``.
        left, right: what is compared.
    """

    operator: str
    left: Term
    right: Term

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters that it speaks of."""
        return tuple(dict.fromkeys((*variables(self.left), *variables(self.right))))

    def opposite(self) -> Relation:
        """Return the comparison that holds where this one does not."""
        return Relation(OPPOSITE[self.operator], self.left, self.right)


@dataclass(frozen=True)
class Among:
    """One parameter whose level is among some, or two whose levels are among some pairs.

    Args:
        names: the parameters'.
        levels: of each.
        allowed: places, one for each parameter.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    allowed: frozenset[tuple[int, ...]]

    def opposite(self) -> Among:
        """Return the statement that holds where this one does not."""
        every = itertools.product(*(range(len(levels)) for levels in self.levels))
        return Among(self.names, self.levels, frozenset(every) - self.allowed)


Atom = Relation | Among


@dataclass(frozen=True)
class Every:
    """True where all its parts are; with no part: true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Some:
    """True where one of its parts is; with no part: false."""

    parts: tuple[Formula, ...]


Formula = Relation | Among | Every | Some


def variables(term: Term) -> Iterator[str]:
    """Yield the names of the parameters in a term."""
    if isinstance(term, Variable):
        yield term.name
    elif isinstance(term, Operation):
        for argument in term.arguments:
            yield from variables(argument)


def atoms(formula: Formula) -> Iterator[Atom]:
    """Yield the comparisons that a formula is made of."""
    if isinstance(formula, Relation | Among):
        yield formula
    else:
        for part in formula.parts:
            yield from atoms(part)


def value(
    term: Term,
    constant: Callable[[float], T],
    variable: Callable[[Variable], T],
    apply: Callable[[str, Sequence[T]], T],
) -> T:
    """Return the value of a term in some arithmetic: doubles, columns of them or intervals."""
    if isinstance(term, Constant):
        return constant(term.value)
    if isinstance(term, Variable):
        return variable(term)
    return apply(term.operator, [value(argument, constant, variable, apply) for argument in term.arguments])


def judge(
    formula: Formula, atom: Callable[[Atom], T], every: Callable[[list[T]], T], some: Callable[[list[T]], T]
) -> T:
    """Return the worth of a formula in some logic, given that of its comparisons."""
    if isinstance(formula, Relation | Among):
        return atom(formula)
    parts = [judge(part, atom, every, some) for part in formula.parts]
    return every(parts) if isinstance(formula, Every) else some(parts)
