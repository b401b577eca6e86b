"""Strictly increasing maps: of results, in decimals of as many digits as it takes, and of one parameter's values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import numpy as np

from ordbo_cli.errors import ProblemError
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Parameter
from ordbo_cli.problem.axis import FloatLattice, exact, floor_index

TURNING: Final = "decreasing affine"
OBJECTIVE_TRANSFORMS: Final = ("log", "exp", "cube", "rank", "affine", TURNING)
INPUT_TRANSFORMS: Final = ("log", "exp", "cube", "rank", "affine")
MOST_DIGITS: Final = 2048  # a logarithm of so many takes a tenth of a second
_DIGITS: Final = (64, 256, 1024, MOST_DIGITS)
_EXACT: Final = Context(prec=1000)  # nothing that a double is printed as needs so many
_ROOM: Final = 1e300  # below it there is room for a factor of a hundred
_BEND: Final = 7.0  # exp and log stretch one end of an input's range by about e^7 against the other

Refusal: TypeAlias = Literal["merged", "off the grid"]
"""Why there is no such map: it cannot tell the values apart, or they would lie on no grid that a parameter can have."""


@dataclass(frozen=True)
class Mapped:
    """A parameter after a transform.

    Args:
        parameter: with the bounds, and the grid if it has one, after it.
        images: every known value after it, by the value as a double.
    """

    parameter: Parameter
    images: Mapping[float, Number]


def objective_images(results: Iterable[Decimal], how: str) -> dict[Decimal, Decimal] | None:
    """Return what a transform makes of results; None where it takes too many digits to tell them apart.

    Infinities are the limits. The order is checked here, by nothing but comparison of decimals.

    Args:
        results: exact, infinite ones among them.
        how: one of ``OBJECTIVE_TRANSFORMS``; ``decreasing affine`` turns their order round, the others keep it.
    """
    values = sorted(set(results))
    if how == "rank":
        return {y: Decimal(place) for place, y in enumerate(values, 1)}
    largest = max((y.copy_abs() for y in values if y.is_finite()), default=Decimal(0)) or Decimal(1)
    for digits in _DIGITS:
        images = [objective_image(y, how, largest, digits) for y in values]
        rising = images[::-1] if how == TURNING else images
        if all(a < b for a, b in pairwise(rising)):
            return dict(zip(values, images, strict=True))
    return None


def objective_image(y: Decimal, how: str, largest: Decimal = Decimal(1), digits: int = _DIGITS[0]) -> Decimal:
    """Return what a transform makes of one result, to some digits.

    Args:
        y: exact.
        how: one of ``OBJECTIVE_TRANSFORMS`` but ``rank``, which is no function of one result.
        largest: size of the largest result; only ``exp`` goes by it.
        digits: of the image.
    """
    return _OBJECTIVE[how](Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[]), y, largest)


_OBJECTIVE: Final[dict[str, Callable[[Context, Decimal, Decimal], Decimal]]] = {
    "log": lambda context, y, _: context.ln(context.add(1, y.copy_abs())).copy_sign(y),
    "exp": lambda context, y, largest: context.exp(context.divide(y, largest)),
    "cube": lambda context, y, _: context.multiply(context.multiply(y, y), y),
    "affine": lambda context, y, _: context.fma(y, 3, 5),
    TURNING: lambda context, y, _: context.fma(y, -3, 5),
}


def mapped_parameter(parameter: Parameter, known: Collection[Number], how: str, tried: int) -> Mapped | Refusal:
    """Return a parameter after a transform, or why it cannot be had.

    A float without a grid takes any of the transforms. A grid stays one under affine maps alone: steps under all of
    them, decimals of some digits under powers of ten.

    Args:
        known: every value that is looked at beside the bounds: of rows, of points that are out, of knots of a fit.
        how: one of ``INPUT_TRANSFORMS``.
        tried: how many points were tried: where fewer doubles than that lie between two values, a cell may be full.
    """
    on_grid = parameter.type == "int" or parameter.step is not None or parameter.digits is not None
    if on_grid and how != "affine":
        return "off the grid"
    ends = (parameter.min, parameter.max, parameter.low, parameter.high)
    values = sorted({float(x): x for x in (*known, *ends)}.items())
    try:
        return _on_grid(parameter, values, tried) if on_grid else _free(parameter, [x for x, _ in values], how, tried)
    except (ProblemError, OverflowError):  # bounds that no parameter can have
        return "merged"


def _free(parameter: Parameter, values: Sequence[float], how: str, tried: int) -> Mapped | Refusal:
    """Return a float without a grid after a transform of its values, sorted and distinct."""
    images = _increasing(np.array(values), how, log=parameter.scale == "log").tolist()
    room, other = ([FloatLattice(a, b).count - 1 for a, b in pairwise(line)] for line in (values, images))
    if not _same_room(room, other, tried):
        return "merged"
    image = dict(zip(values, images, strict=True))
    low, high = image[float(parameter.min)], image[float(parameter.max)]
    return Mapped(replace(parameter, min=low, max=high, scale="linear"), image)


def _increasing(x: Array, how: str, *, log: bool) -> Array:
    """Return a transform of sorted values [n], made so that the doubles stay ordinary ones.

    All but the affine one act on the parameter's own scale. Zero, or where all are on one side of it the lowest value,
    becomes zero, where doubles lie closest.
    """
    if how == "rank":
        return np.arange(len(x), dtype=np.float64)
    own = np.log(x) if log and how != "affine" and x[0] > 0 else x
    away = own if own[0] <= 0 <= own[-1] else own - own[0]
    if how == "affine":
        return away / 3.0
    share = away / np.abs(away).max()
    if how == "log":
        return np.sign(share) * np.log1p(np.expm1(_BEND) * np.abs(share))
    return share**3 if how == "cube" else np.expm1(_BEND * share)


def _on_grid(parameter: Parameter, values: Sequence[tuple[float, Number]], tried: int) -> Mapped | Refusal:
    """Return a parameter with a grid after an affine transform of its values, sorted and distinct."""
    whole = parameter.type == "int"
    step = exact(parameter.step or 1)
    slope, shift = Decimal(2), 3 * step
    if parameter.digits is not None:  # of the affine maps, powers of ten alone keep the digits
        slope, shift = Decimal(100 if max(map(abs, dict(values))) < _ROOM else "0.01"), Decimal(0)

    def number(y: Decimal) -> Number:
        return int(y) if whole and y == y.to_integral_value() else float(y)

    def image(x: Number) -> Number:
        return number(_EXACT.fma(exact(x), slope, shift))

    images = {x: image(plain) for x, plain in values}
    if not all(float(images[a]) < float(images[b]) for (a, _), (b, _) in pairwise(values)):
        return "merged"
    low, high = image(parameter.min), image(parameter.max)
    wider = None if parameter.digits is not None else number(_EXACT.multiply(step, slope))
    mapped = replace(parameter, min=low, max=high, scale="linear", step=wider)
    return Mapped(mapped, images) if _same_grid(parameter, mapped, images, tried) else "off the grid"


def _same_grid(parameter: Parameter, mapped: Parameter, images: Mapping[float, Number], tried: int) -> bool:
    """Return whether the known values on a grid are on the other, and as many others lie between two of them."""
    if (mapped.low, mapped.high) != (images[float(parameter.low)], images[float(parameter.high)]):
        return False
    rooms = []
    for grid, line in ((parameter.lattice, [*images]), (mapped.lattice, [*images.values()])):
        places = [floor_index(grid, x) for x in line]
        on = [k >= 0 and grid.value(k) == x for k, x in zip(places, line, strict=True)]
        rooms.append((on, [k - j for j, k in pairwise(places)]))
    (before, room), (after, other) = rooms
    return before == after and _same_room(room, other, tried)


def _same_room(before: Sequence[int], after: Sequence[int], tried: int) -> bool:
    """Return whether as many values lie between neighbours as before, or more than were tried: no cell is full then."""
    return all(a == b or min(a, b) > tried for a, b in zip(before, after, strict=True))
