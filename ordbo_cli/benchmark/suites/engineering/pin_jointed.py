"""Plane trusses with pinned joints, by the direct stiffness method.

======  ==============================================  ==========
symbol  meaning                                         shape
======  ==============================================  ==========
``X``   places of the joints                            ``[J, 2]``
``M``   first and last joint of each member             ``[M, 2]``
``EA``  axial stiffness of each member                  ``[M]``
``P``   loads at the joints                             ``[J, 2]``
``u``   displacements of the joints                     ``[J, 2]``
``n``   forces in the members, tension positive         ``[M]``
======  ==============================================  ==========

Units are the caller's, as long as they fit together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ordbo_cli.ordinal.linalg import Array

Joints = NDArray[np.int64]


def lengths_and_directions(X: Array, M: Joints) -> tuple[Array, Array]:
    """Return the lengths of the members [M], and their directions as unit vectors [M, 2]."""
    across = X[M[:, 1]] - X[M[:, 0]]
    lengths = np.hypot(*across.T)
    return lengths, across / lengths[:, None]


def solve(X: Array, M: Joints, EA: Array, P: Array, held: Sequence[int]) -> tuple[Array, Array]:
    """Return displacements u [J, 2] and forces n [M].

    Args:
        held: degrees of freedom that do not move: 2 j is x and 2 j + 1 is y of joint j.

    Raises:
        numpy.linalg.LinAlgError: it is a mechanism.
    """
    lengths, directions = lengths_and_directions(X, M)
    B = np.zeros((len(M), X.size))  # elongation of each member by each displacement
    rows = np.arange(len(M))
    for end, sign in ((0, -1.0), (1, 1.0)):
        for axis in (0, 1):
            B[rows, 2 * M[:, end] + axis] = sign * directions[:, axis]
    free = np.setdiff1d(np.arange(X.size), held)
    stiffness = EA / lengths
    K = B[:, free].T @ (stiffness[:, None] * B[:, free])
    u = np.zeros(X.size)
    u[free] = np.linalg.solve(K, P.ravel()[free])
    return u.reshape(X.shape), stiffness * (B @ u)
