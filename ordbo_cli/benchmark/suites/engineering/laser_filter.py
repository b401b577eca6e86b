"""A stack of thin films that keeps two laser lines out of an eye: materials, pairs of layers, their thicknesses.

========  ================================================================  ==========
symbol    meaning                                                           shape
========  ================================================================  ==========
waves     wavelengths in vacuum, um                                         ``[W]``
d         thicknesses of the layers from the air to the glass, um           ``[L]``
n         refractive index of a film                                        ``[W]``
========  ================================================================  ==========
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter

_INFRARED: Final = 1.064 + np.linspace(-0.003, 0.003, 7)
_GREEN: Final = 0.532 + np.linspace(-0.002, 0.002, 7)
_VISIBLE: Final = np.concatenate((np.arange(0.42, 0.52, 0.005), np.arange(0.55, 0.68, 0.005)))
_LINES: Final = np.concatenate((_INFRARED, _GREEN, _VISIBLE))
_ANGLES: Final = (0.0, 20.0)  # degrees
_GLASS: Final = 1.52
_SCATTER: Final = 2.0  # ppm of the light that each layer scatters into the eye
_LAYERS_HOLD: Final = (-900.0, 300.0)  # N/m: more pressure buckles them, more tension cracks them


@dataclass(frozen=True)
class Film:
    """An evaporated film: the index is ``constant + slope / wave^2`` by um, its stress in MPa, tension positive."""

    constant: float
    slope: float
    stress: float

    def index(self, waves: Array | float) -> Array:
        """Return the refractive indices ``[W]`` at wavelengths in um."""
        return np.asarray(self.constant + self.slope / np.square(waves))


FILMS: Final = {
    "hafnia": Film(1.875, 0.0165, 200.0),
    "tantala": Film(2.062, 0.0206, -120.0),
    "titania": Film(2.210, 0.0454, 140.0),
    "zinc_sulphide": Film(2.257, 0.0371, -170.0),
    "silica": Film(1.446, 0.0043, -250.0),
    "magnesium_fluoride": Film(1.372, 0.0021, 350.0),
}
HIGH, LOW = tuple(FILMS)[:4], tuple(FILMS)[4:]


def laser_filter_2c2i5f(p: Point) -> float:
    """Return what a filter lets through of two lasers over what it lets through of daylight, in ppm; NaN if it peels.

    The transmission of 1064 +- 3 and 532 +- 2 nm, the larger of both, and 2 ppm that each layer scatters, over the
    transmission of the visible rest, each the mean of 0 and 20 degrees and both polarisations, by transfer matrices
    without absorption. Two mirrors of alternating high and low layers lie on glass, with a layer between them. A pair
    more takes away a factor of two, until what is scattered outweighs it, or the stresses of all the layers add up to
    more than they bear: a failure.

    Parameters: materials of high and low index; pairs of layers, centre in nm and share of the high layer in the
    optical thickness, of the outer mirror and of the inner one; nm of low index between them.

    Source: H. Macleod, "Thin-Film Optical Filters", for the matrices; indices and stresses are this project's, of the
    size and sign that evaporated films have.
    """
    high, low = FILMS[p["high"]], FILMS[p["low"]]
    outer, inner = (
        _pair(high, low, p[f"centre_{side}"] / 1000, p[f"share_{side}"]) * p[f"pairs_{side}"]
        for side in ("outer", "inner")
    )
    films, d = zip(*outer, (low, p["spacer"] / 1000), *inner, strict=True)
    force = sum(film.stress * thickness for film, thickness in zip(films, d, strict=True))
    if not _LAYERS_HOLD[0] < force < _LAYERS_HOLD[1]:
        return math.nan
    light = _mean(films, d)
    infrared, green, visible = (float(part.mean()) for part in np.split(light, [len(_INFRARED), -len(_VISIBLE)]))
    return (1e6 * max(infrared, green) + _SCATTER * len(films)) / visible


def _pair(high: Film, low: Film, centre: float, share: float) -> list[tuple[Film, float]]:
    """Return two layers and their um, half a wave of the centre together, by the high one's share of that."""
    return [(film, centre / 2 * part / float(film.index(centre))) for film, part in ((high, share), (low, 1 - share))]


def _mean(films: Sequence[Film], d: Sequence[float]) -> Array:
    """Return the transmission ``[W]`` of all lines, the mean over angles and both polarisations."""
    parts = [transmission(films, d, _LINES, angle, s) for angle in _ANGLES for s in (True, False)]
    return np.mean(parts, axis=0)


def transmission(films: Sequence[Film], d: Sequence[float], waves: Array, degrees: float, s: bool) -> Array:
    """Return the share of the light ``[W]`` that reaches the glass.

    Args:
        films: from the air to the glass.
        d: their thicknesses in um.
        waves: wavelengths ``[W]`` in um.
        degrees: the angle of incidence.
        s: whether the light is polarised along the layers.
    """
    sine, power = math.sin(math.radians(degrees)), 1 if s else -1
    air, glass = (index * math.sqrt(1 - (sine / index) ** 2) ** power for index in (1.0, _GLASS))
    electric: NDArray[np.complex128] = np.ones(len(waves), complex)
    magnetic, known = glass * electric, dict[tuple[Film, float], tuple[Array, Array, Array]]()
    for film, thickness in zip(films[::-1], d[::-1], strict=True):
        if (film, thickness) not in known:
            n = film.index(waves)
            cosine = np.sqrt(1 - (sine / n) ** 2)
            phase = 2 * np.pi * n * cosine * thickness / waves
            known[film, thickness] = n * cosine**power, np.cos(phase), np.sin(phase)
        admittance, cos, sin = known[film, thickness]
        electric, magnetic = (
            cos * electric + 1j * sin / admittance * magnetic,
            1j * admittance * sin * electric + cos * magnetic,
        )
    return 4 * air * glass / np.abs(air * electric + magnetic) ** 2


LASER_FILTER: Final = EngineeringProblem(
    name="laser_filter_2c2i5f",
    function=laser_filter_2c2i5f,
    summary="a stack of thin films that keeps two laser lines out of an eye",
    unit="ppm",
    parameters=(
        Parameter.of_levels("high", HIGH, "categorical"),
        Parameter.of_levels("low", LOW, "categorical"),
        Parameter("pairs_outer", 1, 14, "int"),
        Parameter("pairs_inner", 1, 14, "int"),
        Parameter("centre_outer", 450.0, 1250.0, unit="nm"),
        Parameter("centre_inner", 450.0, 1250.0, unit="nm"),
        Parameter("share_outer", 0.2, 0.8, unit="nm/nm"),
        Parameter("share_inner", 0.2, 0.8, unit="nm/nm"),
        Parameter("spacer", 0.0, 400.0, unit="nm"),
    ),
    optimum=101.4256,
    minimiser={
        "high": "zinc_sulphide",
        "low": "magnesium_fluoride",
        "pairs_outer": 13,
        "pairs_inner": 1,
        "centre_outer": 1047.225238,
        "centre_inner": 925.4389245,
        "share_outer": 0.6444008788,
        "share_inner": 0.7270144767,
        "spacer": 4.512864156,
    },
    best_known_by="CMA-ES for 80 choices of materials and pairs: 100,000 evaluations.",
    precision=0.1,
    worst=1e8,  # about the highest value
)
