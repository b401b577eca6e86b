"""Functions of the noiseless BBOB test bed of COCO, written from their mathematical definitions.

Sources: N. Hansen, S. Finck, R. Ros and A. Auger, "Real-parameter black-box optimization benchmarking 2009:
noiseless functions definitions", INRIA research report RR-6829 (2009, updated 2010), for the functions and their
transformations; the COCO platform for the numbers that make up an instance. Checked against ``coco-experiment``.

=========  ==============================================  ==========
symbol     meaning                                         shape
=========  ==============================================  ==========
``D``      dimension, at least 2
``x``      search point, inside [-5, 5]^D                  ``[D]``
``x_opt``  minimiser of an instance                        ``[D]``
``f_opt``  minimum of an instance
``R``      orthogonal matrix of an instance                ``[D, D]``
``z``      transformed point, 0 at the minimiser           ``[D]``
=========  ==============================================  ==========
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordbo_cli.ordinal.arrays import Array

_MODULUS = 2**31 - 1
_ROTATION_SEED = 1_000_000  # added to an instance's seed for its matrix R


@dataclass(frozen=True)
class BbobFunction:
    """One instance of a BBOB function, callable.

    Args:
        number: the function's number in the test bed, 1 to 24.
        instance: the instance's number, from 1 on.
        minimiser: x_opt ``[D]``.
        rotation: R ``[D, D]``.
        minimum: f_opt.
        shape: maps ``x - x_opt`` ``[D]`` and R to ``f(x) - f_opt``, which is never negative.
    """

    number: int
    instance: int
    minimiser: Array
    rotation: Array
    minimum: float
    shape: Callable[[Array, Array], float]

    def __call__(self, x: Array) -> float:
        """Return f(x) for one point ``[D]``."""
        return self.shape(x - self.minimiser, self.rotation) + self.minimum


def bent_cigar(dimension: int, instance: int = 1) -> BbobFunction:
    """Return f12, the bent cigar: a narrow ridge, condition 1e6, bent by an asymmetry.

    ``z = R T_asy^0.5(R (x - x_opt))``, ``f(x) = z_1^2 + 1e6 sum_{i>1} z_i^2 + f_opt``.

    Source: Hansen et al. (2009), section 12. COCO draws its x_opt, unlike the others', from the seed of R.
    """
    seed = _seed(12, instance)
    return BbobFunction(
        number=12,
        instance=instance,
        minimiser=_minimiser(seed + _ROTATION_SEED, dimension),
        rotation=_rotation(seed + _ROTATION_SEED, dimension),
        minimum=_minimum(12, instance),
        shape=_bent_cigar,
    )


def different_powers(dimension: int, instance: int = 1) -> BbobFunction:
    """Return f14, the sum of different powers: the nearer to the optimum, the worse conditioned.

    ``z = R (x - x_opt)``, ``f(x) = sqrt(sum_i |z_i|^(2 + 4 (i-1)/(D-1))) + f_opt``.

    Source: Hansen et al. (2009), section 14.
    """
    seed = _seed(14, instance)
    return BbobFunction(
        number=14,
        instance=instance,
        minimiser=_minimiser(seed, dimension),
        rotation=_rotation(seed + _ROTATION_SEED, dimension),
        minimum=_minimum(14, instance),
        shape=_different_powers,
    )


def _bent_cigar(shifted: Array, rotation: Array) -> float:
    z = rotation @ _asymmetry(rotation @ shifted, 0.5)
    return float(z[0] ** 2 + 1e6 * np.sum(z[1:] ** 2))


def _different_powers(shifted: Array, rotation: Array) -> float:
    z = rotation @ shifted
    return math.sqrt(np.sum(np.abs(z) ** (2 + 4 * _ramp(len(z)))))


def _asymmetry(x: Array, strength: float) -> Array:
    """Return T_asy^strength(x) ``[D]``: positive x_i become ``x_i^(1 + strength (i-1)/(D-1) sqrt(x_i))``."""
    positive = np.maximum(x, 0.0)
    exponent = 1 + strength * _ramp(len(x)) * np.sqrt(positive)
    bent: Array = np.where(x > 0, positive**exponent, x)
    return bent


def _ramp(dimension: int) -> Array:
    """Return ``(i - 1) / (D - 1)`` for i = 1..D."""
    return np.linspace(0.0, 1.0, dimension)


def _seed(number: int, instance: int) -> int:
    return number + 10_000 * instance


def _minimiser(seed: int, dimension: int) -> Array:
    """Return an instance's x_opt ``[D]``: uniform on [-4, 4] to four decimals, never exactly 0."""
    x: Array = 8 * np.floor(1e4 * _uniform(dimension, seed)) / 1e4 - 4
    x[x == 0] = -1e-5
    return x


def _minimum(number: int, instance: int) -> float:
    """Return an instance's f_opt: Cauchy distributed, two decimals, within [-1000, 1000]."""
    seed = _seed(number, instance)
    ratio = _normal(1, seed)[0] / _normal(1, seed + 1)[0]
    return float(np.clip(np.floor(100 * 100 * ratio + 0.5) / 100, -1000, 1000))


def _rotation(seed: int, dimension: int) -> Array:
    """Return an orthogonal matrix ``[D, D]``: columns of normal numbers made orthonormal one after the other."""
    if dimension < 2:
        raise ValueError(f"BBOB functions need at least two dimensions, not {dimension}")
    matrix = _normal(dimension * dimension, seed).reshape(dimension, dimension).T
    for i in range(dimension):
        for j in range(i):
            matrix[:, i] -= (matrix[:, i] @ matrix[:, j]) * matrix[:, j]
        matrix[:, i] /= np.linalg.norm(matrix[:, i])
    return matrix


def _normal(count: int, seed: int) -> Array:
    """Return normal numbers ``[count]`` by the Box-Muller transform of COCO's uniform ones."""
    uniform = _uniform(2 * count, seed)
    numbers: Array = np.sqrt(-2 * np.log(uniform[:count])) * np.cos(2 * np.pi * uniform[count:])
    numbers[numbers == 0] = 1e-99
    return numbers


def _uniform(count: int, seed: int) -> Array:
    """Return COCO's uniform numbers ``[count]`` in (0, 1).

    A multiplicative congruential generator (16807 modulo 2^31 - 1), its output shuffled through a table of 32.
    """
    state = max(1, abs(seed))
    drawn = []
    for _ in range(40):
        state = 16807 * state % _MODULUS
        drawn.append(state)
    table = drawn[:-33:-1]
    output = table[0]
    numbers = np.empty(count)
    for i in range(count):
        state = 16807 * state % _MODULUS
        slot = output // 67_108_865  # 1 + (2^31 - 2) / 32, so that the slot is 0 to 31
        output, table[slot] = table[slot], state
        numbers[i] = output / _MODULUS
    return numbers
