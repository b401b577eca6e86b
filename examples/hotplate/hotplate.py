#!/usr/bin/env python3
"""A hot plate of steel over three heaters: the largest difference of temperature on it, by finite differences.

Usage: hotplate.py PLACE WIDTH POWER LENGTH CELLS. The plate is 30 cm square and 8 mm thick, and loses heat to air on
both faces. Two strips below it, each WIDTH mm wide and LENGTH mm long, lie PLACE mm from its left and right edges; the
outer 30% of each strip has POWER times the power of the rest. A third, round heater of 100 mm sits in the middle. Along
each side the plate has CELLS cells: with few of them heaters begin and end where cells do, so that a coarse plate is a
wrong one.
"""

import sys

import numpy as np
from scipy.sparse import diags, eye, kron
from scipy.sparse.linalg import spsolve

SIDE, THICKNESS = 0.3, 0.008  # m
CONDUCTIVITY, LOSS = 15.0, 25.0  # W/(m K) of stainless steel, W/(m2 K) of both faces together
STRIPS, DISC = 420.0, 60.0  # W


def difference(place: float, width: float, power: float, length: float, cells: int) -> float:
    """Return the difference between the hottest and the coldest place in K, the outermost centimetre left out."""
    middle = (np.arange(cells) + 0.5) * SIDE / cells
    x, y = np.meshgrid(middle, middle, indexing="ij")
    x = np.minimum(x, SIDE - x)  # both strips at once
    along = np.abs(y - SIDE / 2)
    strip = (x > place) & (x < place + width) & (along < length / 2)
    density = np.where(strip, np.where(along > 0.7 * length / 2, power, 1.0), 0.0)
    disc = (np.hypot(SIDE / 2 - x, y - SIDE / 2) < 0.05).astype(float)
    if not density.any() or not disc.any():
        raise SystemExit("a heater is smaller than a cell")
    area = (SIDE / cells) ** 2
    heat = STRIPS * density / density.sum() / area + DISC * disc / disc.sum() / area
    ends = np.full(cells, -2.0)
    ends[[0, -1]] = -1.0  # the edges are insulated
    second = diags([np.ones(cells - 1), ends, np.ones(cells - 1)], [-1, 0, 1]) / (SIDE / cells) ** 2
    one = eye(cells)
    loss = LOSS * eye(cells**2) - CONDUCTIVITY * THICKNESS * (kron(second, one) + kron(one, second))
    above = spsolve(loss.tocsc(), heat.ravel()).reshape(cells, cells)
    inside = above[(x > 0.01) & (along < SIDE / 2 - 0.01)]
    return float(inside.max() - inside.min())


if __name__ == "__main__":
    place, width, power, length = map(float, sys.argv[1:5])
    print(difference(place / 1e3, width / 1e3, power, length / 1e3, int(sys.argv[5])))
