"""The finite, ordered set of values that a parameter can take.

Each parameter has one: whole numbers, multiples of a step, decimals of a given number of digits, or (for a plain
float) the doubles themselves. A value is known by its index, counted from 0 at the lowest, so that questions such as
"is there a value left between these two?" have exact answers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from typing import Protocol

_SMALLEST_EXPONENT = -300  # decimals below this are taken as zero: doubles thin out there
_EXACT = Context(prec=1000)  # sums and multiples of doubles have at most about 650 digits: nothing is ever rounded


class Lattice(Protocol):
    """Ordered values ``value(0) < value(1) < ... < value(count - 1)``."""

    @property
    def count(self) -> int:
        """The number of values; 0 where none lies between the bounds."""
        ...

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""
        ...


def floor_index(lattice: Lattice, x: float) -> int:
    """Return the index of the largest value that is at most x, or -1 where every value is above x."""
    if isinstance(lattice, FloatLattice | DigitsLattice):  # told from the number itself; halving would take 60 looks
        return lattice.floor(x)
    low, high = -1, lattice.count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if lattice.value(middle) <= x:
            low = middle
        else:
            high = middle - 1
    return low


def nearest_index(lattice: Lattice, x: float) -> int:
    """Return the index of the value closest to x; the lower one of two equally close.

    Raises:
        ValueError: the lattice is empty.
    """
    if lattice.count == 0:
        raise ValueError("an empty lattice has no nearest value")
    below = floor_index(lattice, x)
    if below < 0:
        return 0
    if below == lattice.count - 1:
        return below
    return below if x - lattice.value(below) <= lattice.value(below + 1) - x else below + 1


def nearest(lattice: Lattice, x: float) -> float:
    """Return the value closest to x; the lower one of two equally close.

    Raises:
        ValueError: the lattice is empty.
    """
    if isinstance(lattice, FloatLattice) and lattice.low <= x <= lattice.high:
        return float(x) + 0.0  # its own, for thousands of parameters at once; minus nought is nought
    return lattice.value(nearest_index(lattice, x))


@dataclass(frozen=True)
class StepLattice:
    """Multiples of a step counted from the lower bound, in decimal arithmetic: 0.3, never 0.30000000000000004.

    Args:
        low, high: bounds, both included where the step reaches them.
        step: distance between neighbours, positive.
        whole: whether values are returned as int.
    """

    low: float
    high: float
    step: float
    whole: bool = False

    @property
    def count(self) -> int:
        """The number of values; 0 where none lies between the bounds."""
        span = _EXACT.subtract(exact(self.high), exact(self.low))
        return 0 if span < 0 else int(_EXACT.divide_int(span, exact(self.step))) + 1

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""
        number = _EXACT.fma(Decimal(index), exact(self.step), exact(self.low))
        return int(number) if self.whole else float(number)


@dataclass(frozen=True)
class DigitsLattice:
    """Decimals of at most ``digits`` significant digits between two bounds.

    Args:
        low, high: bounds, included where they have no more digits than that.
        digits: significant digits, 1 to 15 (each such decimal is a double of its own).
    """

    low: float
    high: float
    digits: int

    @cached_property
    def count(self) -> int:
        """The number of values; 0 where none lies between the bounds."""
        return max(0, self._key(self.high) - self._first + 1)

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""
        return self._from_key(self._first + index)

    def floor(self, x: float) -> int:
        """Return the index of the largest value that is at most x, or -1 where every value is above x."""
        return self._key(min(x, self.high)) - self._first if x >= self.low else -1

    @cached_property
    def _first(self) -> int:
        return -self._key(-self.low)

    def _key(self, x: float) -> int:
        """Return the place of the largest such decimal that is at most x, 0 being the place of zero."""
        number = exact(x)
        block: int = 9 * 10 ** (self.digits - 1)
        if number == 0:
            return 0
        exponent = number.adjusted()
        if exponent < _SMALLEST_EXPONENT:
            return 0 if number > 0 else -1
        scaled = number.copy_abs().scaleb(self.digits - 1 - exponent)
        mantissa = int(scaled)
        if number > 0:
            return (exponent - _SMALLEST_EXPONENT) * block + mantissa - block // 9 + 1
        mantissa += int(scaled != mantissa)
        return -((exponent - _SMALLEST_EXPONENT) * block + mantissa - block // 9 + 1)

    def _from_key(self, key: int) -> float:
        if key == 0:
            return 0.0
        block: int = 9 * 10 ** (self.digits - 1)
        exponent, rest = divmod(abs(key) - 1, block)
        number = Decimal(rest + block // 9).scaleb(exponent + _SMALLEST_EXPONENT - self.digits + 1)
        return float(number if key > 0 else -number)


@dataclass(frozen=True)
class FloatLattice:
    """All doubles between two bounds, both included."""

    low: float
    high: float

    @property
    def count(self) -> int:
        """The number of values; 0 where none lies between the bounds."""
        return max(0, _double_key(self.high) - _double_key(self.low) + 1)

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""
        key = _double_key(self.low) + index
        (number,) = struct.unpack(">d", struct.pack(">q", abs(key)))
        return float(number if key >= 0 else -number)

    def floor(self, x: float) -> int:
        """Return the index of the largest value that is at most x, or -1 where every value is above x."""
        return max(-1, min(_double_key(x) - _double_key(self.low), self.count - 1))


def _double_key(x: float) -> int:
    """Return a double's place in the order of all doubles; both zeros have place 0."""
    (bits,) = struct.unpack(">q", struct.pack(">d", abs(x)))
    return int(bits) if x >= 0 else -int(bits)


def exact(x: float) -> Decimal:
    """Return the decimal that a number is printed as, so that 0.1 counts as one tenth."""
    return Decimal(x if isinstance(x, int) else repr(float(x)))
