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
``R, Q``   orthogonal matrices of an instance              ``[D, D]``
``L^a``    diagonal, ``a^(0.5 (i-1)/(D-1))`` for i = 1..D  ``[D, D]``
``z``      transformed point, 0 at the minimiser           ``[D]``
=========  ==============================================  ==========
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.bbob_instances import draw_minimiser, draw_minimum, draw_rotation, instance_seed
from ordbo_cli.ordinal.linalg import Array

_ROTATION_SEED: Final = 1_000_000  # added to an instance's seed for its matrix R


@dataclass(frozen=True)
class BbobFunction:
    """One instance of a BBOB function, callable.

    Args:
        number: the function's number in the test bed, 1 to 24.
        instance: the instance's number, from 1 on.
        minimiser: x_opt ``[D]``.
        rotation: R ``[D, D]``.
        second: Q ``[D, D]``.
        minimum: f_opt.
    """

    number: int
    instance: int
    minimiser: Array
    rotation: Array
    second: Array
    minimum: float

    def __call__(self, x: Array) -> float:
        """Return f(x) for one point ``[D]``."""
        return _SHAPES[self.number](self, x - self.minimiser) + self.minimum


_Shape = Callable[[BbobFunction, Array], float]
_Maker = Callable[..., BbobFunction]
_SHAPES: Final[dict[int, _Shape]] = {}


def _instances(number: int, drawn_as: int | None = None, minimiser_seed: int = 0) -> Callable[[_Shape], _Maker]:
    """Make of a function's shape what returns its instances, by dimension and number.

    Args:
        number: of the function in the test bed.
        drawn_as: the function whose random numbers it takes, if not its own.
        minimiser_seed: added to the seed of its x_opt.
    """

    def maker_of(shape: _Shape) -> _Maker:
        @functools.wraps(shape)
        def made(dimension: int, instance: int = 1) -> BbobFunction:
            seed = instance_seed(drawn_as or number, instance)
            return BbobFunction(
                number=number,
                instance=instance,
                minimiser=draw_minimiser(seed + minimiser_seed, dimension),
                rotation=draw_rotation(seed + _ROTATION_SEED, dimension),
                second=draw_rotation(seed, dimension),
                minimum=draw_minimum(drawn_as or number, instance),
            )

        _SHAPES[number] = shape
        return made

    return maker_of


@_instances(6)
def attractive_sector(f: BbobFunction, shifted: Array) -> float:
    """Return f6, the attractive sector: one of the 2^D corners around the optimum is 1e4 times as steep as the rest.

    ``z = R L^10 Q (x - x_opt)``, ``f(x) = T_osz(sum_i (s_i z_i)^2)^0.9 + f_opt`` with s_i = 100 where z_i and the i-th
    coordinate of x_opt have the same sign, else 1.

    Source: Hansen et al. (2009), section 6.
    """
    z = f.rotation @ (_stretch(10, len(shifted)) * (f.second @ shifted))
    weighted = np.where(z * f.minimiser > 0, 100.0, 1.0) * z
    return float(_oscillation(np.array([weighted @ weighted]))[0] ** 0.9)


@_instances(7)
def step_ellipsoid(f: BbobFunction, shifted: Array) -> float:
    """Return f7, the step ellipsoid: plateaus of many sizes, condition 100, hardly any slope on them.

    ``y = L^10 Q (x - x_opt)``, each y_i rounded to whole numbers where it is above 0.5, else to tenths; z is R times
    that; ``f(x) = 0.1 max(|y_1| / 1e4, sum_i 100^((i-1)/(D-1)) z_i^2) + f_opt`` with y_1 before rounding. (The penalty
    outside of the box is left out.)

    Source: Hansen et al. (2009), section 7.
    """
    y = _stretch(10, len(shifted)) * (f.second @ shifted)
    z = f.rotation @ np.where(np.abs(y) > 0.5, np.floor(y + 0.5), np.floor(10 * y + 0.5) / 10)
    return 0.1 * max(abs(float(y[0])) / 1e4, float(100 ** _ramp(len(z)) @ z**2))


@_instances(10)
def ellipsoid(f: BbobFunction, shifted: Array) -> float:
    """Return f10, the rotated ellipsoid: smooth but for small ripples, condition 1e6.

    ``z = T_osz(R (x - x_opt))``, ``f(x) = sum_i 1e6^((i-1)/(D-1)) z_i^2 + f_opt``.

    Source: Hansen et al. (2009), section 10.
    """
    z = _oscillation(f.rotation @ shifted)
    return float(1e6 ** _ramp(len(z)) @ z**2)


@_instances(12, minimiser_seed=_ROTATION_SEED)
def bent_cigar(f: BbobFunction, shifted: Array) -> float:
    """Return f12, the bent cigar: a narrow ridge, condition 1e6, bent by an asymmetry.

    ``z = R T_asy^0.5(R (x - x_opt))``, ``f(x) = z_1^2 + 1e6 sum_{i>1} z_i^2 + f_opt``.

    Source: Hansen et al. (2009), section 12. COCO draws its x_opt, unlike the others', from the seed of R.
    """
    z = f.rotation @ _asymmetry(f.rotation @ shifted, 0.5)
    return float(z[0] ** 2 + 1e6 * np.sum(z[1:] ** 2))


@_instances(13)
def sharp_ridge(f: BbobFunction, shifted: Array) -> float:
    """Return f13, the sharp ridge: not smooth along the line that leads to the optimum.

    ``z = R L^10 Q (x - x_opt)``, ``f(x) = z_1^2 + 100 sqrt(sum_{i>1} z_i^2) + f_opt``.

    Source: Hansen et al. (2009), section 13.
    """
    z = f.rotation @ (_stretch(10, len(shifted)) * (f.second @ shifted))
    return float(z[0] ** 2 + 100 * np.sqrt(np.sum(z[1:] ** 2)))


@_instances(14)
def different_powers(f: BbobFunction, shifted: Array) -> float:
    """Return f14, the sum of different powers: the nearer to the optimum, the worse conditioned.

    ``z = R (x - x_opt)``, ``f(x) = sqrt(sum_i |z_i|^(2 + 4 (i-1)/(D-1))) + f_opt``.

    Source: Hansen et al. (2009), section 14.
    """
    z = f.rotation @ shifted
    return math.sqrt(np.sum(np.abs(z) ** (2 + 4 * _ramp(len(z)))))


@_instances(15)
def rastrigin(f: BbobFunction, shifted: Array) -> float:
    """Return f15, Rastrigin's function rotated, rippled and skewed: about 10^D regular local optima.

    ``z = R L^10 Q T_asy^0.2(T_osz(R (x - x_opt)))``, ``f(x) = 10 (D - sum_i cos(2 pi z_i)) + |z|^2 + f_opt``.

    Source: Hansen et al. (2009), section 15.
    """
    bent = _asymmetry(_oscillation(f.rotation @ shifted), 0.2)
    z = f.rotation @ (_stretch(10, len(shifted)) * (f.second @ bent))
    return float(10 * (len(z) - np.sum(np.cos(2 * np.pi * z))) + z @ z)


@_instances(18, drawn_as=17)
def schaffers(f: BbobFunction, shifted: Array) -> float:
    """Return f18, Schaffer's F7 with condition 1000: ripples whose width and height vary by orders of magnitude.

    ``z = L^1000 Q T_asy^0.5(R (x - x_opt))``, ``r_i = sqrt(z_i^2 + z_{i+1}^2)``,
    ``f(x) = (mean_i sqrt(r_i) (1 + sin^2(50 r_i^0.2)))^2 + f_opt``. (The penalty outside of the box is left out.)

    Source: Hansen et al. (2009), section 18. COCO draws its numbers from the seeds of f17.
    """
    z = _stretch(1000, len(shifted)) * (f.second @ _asymmetry(f.rotation @ shifted, 0.5))
    r = np.hypot(z[:-1], z[1:])
    return float(np.mean(np.sqrt(r) * (1 + np.sin(50 * r**0.2) ** 2)) ** 2)


def _asymmetry(x: Array, strength: float) -> Array:
    """Return T_asy^strength(x) ``[D]``: positive x_i become ``x_i^(1 + strength (i-1)/(D-1) sqrt(x_i))``."""
    positive = np.maximum(x, 0.0)
    exponent = 1 + strength * _ramp(len(x)) * np.sqrt(positive)
    bent: Array = np.where(x > 0, positive**exponent, x)
    return bent


def _oscillation(x: Array) -> Array:
    """Return T_osz(x) ``[D]``: ``sign(x) exp(t + 0.049 (sin(c1 t) + sin(c2 t)))`` for t = log|x|, and 0 for 0.

    c1 and c2 are 10 and 7.9 for positive x, 5.5 and 3.1 for negative x.
    """
    t = np.log(np.where(x == 0, 1.0, np.abs(x)))
    ripple = np.where(x > 0, np.sin(10 * t) + np.sin(7.9 * t), np.sin(5.5 * t) + np.sin(3.1 * t))
    bent: Array = np.sign(x) * np.exp(t + 0.049 * ripple)
    return bent


def _stretch(condition: float, dimension: int) -> Array:
    """Return the diagonal of L^condition ``[D]``."""
    return condition ** (0.5 * _ramp(dimension))


def _ramp(dimension: int) -> Array:
    """Return ``(i - 1) / (D - 1)`` for i = 1..D."""
    return np.linspace(0.0, 1.0, dimension)
