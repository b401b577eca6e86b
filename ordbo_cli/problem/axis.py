"""One parameter's values on its own scale: measured, drawn and counted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ordbo_cli.problem.lattice import floor_index, nearest
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
