"""One parameter's values: the lattice of those that can be suggested, and its own scale, on which they are drawn."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ordbo_cli.problem.parameter import Number, Parameter
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Axis:
    """One free parameter as the search sees it.

    Args:
        parameter: what the user said of it.
        orders: of the settings of ranked parameters.
    """

    def __init__(self, parameter: Parameter, orders: SettingOrders = NO_ORDERS) -> None:
        self.parameter = parameter
        self.labels = tuple(orders.of(parameter.name).labels) if parameter.type == "ranked" else ()
        self.lattice = orders.lattice(parameter) if parameter.type == "ranked" else parameter.lattice
        self.low, self.high = float(parameter.low), float(parameter.high)
        self._log = parameter.scale == "log"
        self._step = float(parameter.step or parameter.is_whole)  # 0 for no steps
        self._equal_parts = parameter.type == "ranked" or (self._step > 0 and not self._log)
        self._floors: dict[float, int] = {}

    def share(self, x: Array) -> Array:
        """Return values as shares of the box on the parameter's own scale, those outside at most a width away.

        A row outside the bounds counts for its order only: it may even be negative where the scale is ``log``.
        """
        import numpy as np

        low, high = self.low, self.high
        if self._log:
            x, low, high = np.log(np.maximum(x, math.ulp(0.0))), math.log(low), math.log(high)
        with np.errstate(over="ignore"):
            return np.clip((x - low) / (high - low), -1.0, 2.0)

    def part(self, first: int, last: int) -> float:
        """Return the part of the box that lies between two values, given by their indices."""
        ends = [float(self.lattice.value(first)), float(self.lattice.value(last)), self.low, self.high]
        low, high, lowest, highest = map(math.log, ends) if self._log else ends
        return (high - low) / (highest - lowest)

    def between(self, low: float, high: float, share: float) -> float:
        """Return the value at a share of the way from low to high, on the parameter's own scale."""
        if share in (0.0, 1.0):  # rounding would miss the ends by a digit
            return high if share else low
        x = low ** (1.0 - share) * high**share if self._log else low + (high - low) * share
        return min(max(x, low), high)

    def drawn(self, first: int, last: int, share: float) -> Number:
        """Return the value at a share, from 0 to 1, of the way from one index to another."""
        if first == last or self._equal_parts:
            return self.lattice.value(min(first + int(share * (last - first + 1)), last))
        return nearest(self.lattice, self.between(self.lattice.value(first), self.lattice.value(last), share))

    def spread(self, first: int, last: int, shares: Array) -> Array:
        """Return what is drawn at many shares [P], but for rounding to the lattice: close to its values."""
        import numpy as np

        low, high = float(self.lattice.value(first)), float(self.lattice.value(last))
        if self.parameter.type == "ranked":
            values = np.array([self.lattice.value(k) for k in range(first, last + 1)])
            return np.asarray(values[np.floor(shares * len(values)).astype(np.int64)])
        if self._equal_parts:
            x = low + self._step * np.floor(shares * (1.0 + last - first))
        elif self._log:
            x = np.exp(math.log(low) + (math.log(high) - math.log(low)) * shares)
            x = low + self._step * np.rint((x - low) / self._step) if self._step else x
        else:
            x = low + (high - low) * shares
        return np.asarray(np.clip(x, low, high))

    def cut(self, first: int, last: int) -> int:
        """Return the index that ends the lower half of a part with two values or more."""
        if self._equal_parts:
            return (first + last) // 2
        middle = self.between(self.lattice.value(first), self.lattice.value(last), 0.5)
        return min(max(floor_index(self.lattice, middle), first), last - 1)

    def gaps(self, low: float, high: float) -> list[float]:
        """Return the labels of new settings that a cell from low to high owns, of a ranked parameter, rising."""
        taken = set(self.labels)
        labels = [float(self.lattice.value(k)) for k in self.indices(low, high)]
        return [x for x in labels if x not in taken]

    def floor(self, x: float) -> int:
        """Return the index of the largest lattice value that is at most x (-1: none)."""
        if x not in self._floors:
            self._floors[x] = floor_index(self.lattice, x)
        return self._floors[x]

    def indices(self, low: float, high: float) -> range:
        """Return the indices of the values that a cell from low to high owns.

        Its lower edge belongs to the cell below, unless it is the parameter's own bound.
        """
        return range(max(0, self.floor(low) + (low > self.low)), self.floor(high) + 1)

    def holds(self, x: float) -> bool:
        """Return whether x is one of the values that can be suggested."""
        index = self.floor(x)
        return index >= 0 and self.lattice.value(index) == x

    def outward(self, allowed: range, target: float) -> Iterator[tuple[float, int]]:
        """Yield indices of a range by growing distance of their values from a target, with that distance."""
        above = min(max(self.floor(target) + 1, allowed.start), allowed.stop)
        below = above - 1
        while below >= allowed.start or above < allowed.stop:
            down = target - self.lattice.value(below) if below >= allowed.start else math.inf
            up = self.lattice.value(above) - target if above < allowed.stop else math.inf
            if down <= up:
                yield down, below
                below -= 1
            else:
                yield up, above
                above += 1


_SMALLEST_EXPONENT = -300  # decimals below this are taken as zero: doubles thin out there
_EXACT = Context(prec=1000)  # sums and multiples of doubles have at most about 650 digits: nothing is ever rounded


class Lattice(Protocol):
    """Ordered values ``value(0) < value(1) < ... < value(count - 1)``."""

    @property
    def count(self) -> int:
        """The number of values; 0 where none lies between the bounds."""

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""


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
