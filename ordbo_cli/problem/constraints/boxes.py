"""One parameter's values as a box has them: drawn, measured and divided on the parameter's own scale."""

from __future__ import annotations

import math

from ordbo_cli.problem.lattice import DigitsLattice, FloatLattice, StepLattice, floor_index
from ordbo_cli.problem.parameter import Number, Parameter
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders

Box = tuple[tuple[int, int], ...]
"""First and last index of the lattice of each parameter, both included."""


class BoxAxis:
    """A parameter's values between two bounds.

    Args:
        parameter: whose values they are.
        low, high: the bounds, both included.
        orders: of the settings of ranked parameters.
    """

    def __init__(self, parameter: Parameter, low: Number, high: Number, orders: SettingOrders = NO_ORDERS) -> None:
        self.parameter = parameter
        self.lattice = orders.lattice(parameter)
        below = floor_index(self.lattice, low)
        exact = below >= 0 and self.lattice.value(below) == low
        self.first = below if exact else below + 1
        self.last = floor_index(self.lattice, high)
        self._log = parameter.scale == "log"
        self._width = self._way(float(parameter.low), float(parameter.high))

    def value(self, index: int) -> Number:
        """Return the value at an index of the lattice."""
        return self.lattice.value(index)

    def share(self, first: int, last: int) -> float:
        """Return the part of the parameter's range that lies between two indices."""
        return self._way(float(self.value(first)), float(self.value(last))) / self._width

    def draw(self, first: int, last: int, share: float) -> Number:
        """Return the value at a share, from 0 up to 1, of the way from one index to another."""
        if first == last:
            return self.value(first)
        lattice = self.lattice
        if isinstance(lattice, StepLattice) and not self._log:
            return lattice.value(first + int(share * (last - first + 1)))
        low, high = float(self.value(first)), float(self.value(last))
        x = min(max(self._between(low, high, share), low), high)
        if isinstance(lattice, FloatLattice):
            return x
        if isinstance(lattice, DigitsLattice):
            # Decimals of so many digits are the lattice's values, but for those next to zero.
            x = float(f"{x:.{lattice.digits - 1}e}") if abs(x) > 1e-290 else x
            if abs(x) > 1e-290:
                return min(max(x, low), high)
        below = self._floor(first, last - 1, x)
        pair = (lattice.value(below), lattice.value(below + 1))
        return pair[x - pair[0] > pair[1] - x]

    def cut(self, first: int, last: int) -> int:
        """Return the index that ends the lower half of a part with two values or more."""
        if isinstance(self.lattice, StepLattice) and not self._log:
            return (first + last) // 2
        middle = self._between(float(self.value(first)), float(self.value(last)), 0.5)
        return self._floor(first, last - 1, middle)

    def _floor(self, first: int, last: int, x: float) -> int:
        """Return the index of the largest value that is at most x, within a part."""
        while first < last:
            middle = (first + last + 1) // 2
            if self.value(middle) <= x:
                first = middle
            else:
                last = middle - 1
        return first

    def _way(self, low: float, high: float) -> float:
        return math.log(high) - math.log(low) if self._log else high - low

    def _between(self, low: float, high: float, share: float) -> float:
        if self._log:
            return math.pow(low, 1.0 - share) * math.pow(high, share)
        return low * (1.0 - share) + high * share
