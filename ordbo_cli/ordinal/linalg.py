"""Symmetric positive matrices by their Cholesky factors, without a copy that LAPACK's order in memory would ask for.

======  =======================================  ======
symbol  meaning                                  shape
======  =======================================  ======
A       a symmetric positive matrix              [M, M]
L       its lower Cholesky factor, ``A = L L'``  [M, M]
======  =======================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.linalg.lapack import dpotrf, dpotri


def cholesky(A: Array) -> Array:
    """Return the lower Cholesky factor of a symmetric positive matrix, zero above the diagonal [M, M].

    Only what is on and above the diagonal of A is read. Where rounding leaves A indefinite, as much is added to its
    diagonal as it takes.

    Raises:
        FloatingPointError: A holds NaN or infinities.
    """
    factor, failed = dpotrf(A.T, lower=True, clean=True)  # the transpose has LAPACK's order
    extra = 1e-8
    while failed:
        if not np.isfinite(A).all():
            raise FloatingPointError("a covariance is not finite")
        factor, failed = dpotrf(A.T + extra * np.eye(len(A)), lower=True, clean=True)
        extra *= 10.0
    return np.asarray(factor)


def inverse(factor: Array, *, overwrite: bool = False) -> Array:
    """Return the inverse of a matrix from its lower Cholesky factor, zero above the diagonal [M, M].

    Args:
        factor: the factor.
        overwrite: whether its memory may be used; it is lost then.
    """
    if not len(factor):
        return factor
    lower, _ = dpotri(factor, lower=True, overwrite_c=overwrite)
    whole = lower + lower.T  # what is above the diagonal of the factor stays zero
    whole.flat[:: len(whole) + 1] *= 0.5
    return np.asarray(whole)


def log_determinant(factor: Array) -> float:
    """Return the log determinant of a matrix from its Cholesky factor."""
    return 2.0 * float(np.sum(np.log(factor.diagonal())))


def rounded(x: npt.ArrayLike, bits: int, *, together: bool = False) -> Array:
    """Return numbers to the nearest ``2**-bits``, relative to themselves where they exceed 1.

    An optimiser that sees no more takes the same path wherever the last bits of the arithmetic differ, as they do
    between versions of NumPy: nothing is there that would grow from one step to the next.

    Args:
        x: the numbers.
        bits: that are left of each.
        together: whether the largest says what 1 is: so it is with slopes, whose errors are alike in all of them.
    """
    bits_left = bits - np.maximum(0, np.frexp(np.max(np.abs(x)) if together else x)[1])
    return np.asarray(np.ldexp(np.rint(np.ldexp(x, bits_left)), -bits_left))


Array: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def side_by_side(columns: Sequence[npt.NDArray[Any]], rows: int) -> npt.NDArray[Any]:
    """Return columns as a matrix [rows, columns], also where there are none."""
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0))
