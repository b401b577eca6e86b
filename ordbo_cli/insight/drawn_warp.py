"""One parameter's fitted warp, drawn straight between its knots on the parameter's own scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.axis import Axis


@dataclass(frozen=True)
class DrawnWarp:
    """A warp.

    Args:
        axis: of the parameter.
        knots: in the user's units, sorted [n].
        s: their latent coordinates [n].
    """

    axis: Axis
    knots: Array
    s: Array

    def latent(self, x: Array) -> Array:
        """Return the latent coordinates of values [P]."""
        return np.interp(self._scaled(x), self._scaled(self.knots), self.s)

    def original(self, s: Array) -> Array:
        """Return the values at latent coordinates [P]."""
        x = np.interp(s, self.s, self._scaled(self.knots))
        return np.exp(x) if self._is_log else np.ldexp(x, self._exponent)

    @property
    def _is_log(self) -> bool:
        return self.axis.parameter.scale == "log"

    def _scaled(self, x: Array) -> Array:
        """Return values on the parameter's own scale, in a unit of about its range: differences stay ordinary."""
        if self._is_log:
            return np.log(np.maximum(x, math.ulp(0.0)))
        with np.errstate(over="ignore"):
            return np.ldexp(x, -self._exponent)

    @property
    def _exponent(self) -> int:
        return int(np.frexp(self.axis.high - self.axis.low)[1])
