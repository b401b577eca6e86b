"""The numbers that make up an instance of a BBOB function: its minimiser, its minimum and its rotations.

Source: the COCO platform (bbob 2009 instances), whose random numbers these are. Checked against ``coco-experiment``.
"""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.linalg import Array

_MODULUS = 2**31 - 1


def instance_seed(number: int, instance: int) -> int:
    """Return the seed of an instance of a function."""
    return number + 10_000 * instance


def draw_minimiser(seed: int, dimension: int) -> Array:
    """Return an instance's x_opt ``[D]``: uniform on [-4, 4] to four decimals, never exactly 0."""
    x: Array = 8 * np.floor(1e4 * _uniform(dimension, seed)) / 1e4 - 4
    x[x == 0] = -1e-5
    return x


def draw_minimum(number: int, instance: int) -> float:
    """Return an instance's f_opt: Cauchy distributed, two decimals, within [-1000, 1000]."""
    seed = instance_seed(number, instance)
    ratio = _normal(1, seed)[0] / _normal(1, seed + 1)[0]
    return float(np.clip(np.floor(100 * 100 * ratio + 0.5) / 100, -1000, 1000))


def draw_rotation(seed: int, dimension: int) -> Array:
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
