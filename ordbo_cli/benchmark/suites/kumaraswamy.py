"""A strictly increasing map of the unit interval onto itself, in closed form both ways.

Source: P. Kumaraswamy, "A generalized probability density function for double-bounded random processes", Journal of
Hydrology 46 (1980), whose distribution function it is.
"""

from __future__ import annotations

from ordbo_cli.ordinal.linalg import Array


def kumaraswamy(x: Array, a: Array | float, b: Array | float) -> Array:
    """Return ``1 - (1 - x^a)^b`` of shares x [..., D], for positive a and b [D] or one number each."""
    s: Array = 1.0 - (1.0 - x**a) ** b
    return s


def kumaraswamy_inverse(s: Array, a: Array | float, b: Array | float) -> Array:
    """Return the shares x [..., D] that :func:`kumaraswamy` maps to s."""
    x: Array = (1.0 - (1.0 - s) ** (1.0 / b)) ** (1.0 / a)
    return x
