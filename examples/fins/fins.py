"""A heat sink: fins of one block of steel on a base of 100 mm, cooled by a fan (one-dimensional conduction).

usage: fins.py NUMBER LENGTH TAPER SURFACE, the length in mm, the taper as thickness of the tip over that of the root

All fins together have 1000 mm2 of cross-section. It prints the heat that they carry off, in W for a base of
1 m at 40 K. Fins that touch are no heat sink.
"""

import sys

CONDUCTIVITY = 50.0  # W/m/K
AREA = 1_000.0  # mm2
BASE = 100.0  # mm
DIFFERENCE = 40.0  # K
FAN = 60.0  # W/m2/K between fins far apart
NARROW = 4.0  # mm, where layers of warm air meet
RADIATION = {"bare": 0.5, "painted": 4.0}  # W/m2/K, from gaps as wide as fins are long


def heat(number: int, length: float, taper: float, surface: str, fan: float = FAN, cells: int = 200) -> float:
    """Return the heat flow in W, nan where fins touch: finite volumes from the tip to the root."""
    root = 2.0 * AREA / (number * length * (1.0 + taper))
    gap = BASE / number - root
    if gap < 1.0:
        return float("nan")
    film = fan / (1.0 + (NARROW / gap) ** 2) + RADIATION[surface] * gap / (gap + length)
    step = length / cells / 1000.0
    thickness = [root * (1.0 - (1.0 - taper) * (k + 0.5) / cells) / 1000.0 for k in range(cells)]
    conductance = film * thickness[-1]  # of all that lies beyond, from the tip inwards
    for each in reversed(thickness):
        side, along = 2.0 * film * step, CONDUCTIVITY * each / step
        conductance = side + 1.0 / (1.0 / conductance + 1.0 / along)
    return number * conductance * DIFFERENCE


def main() -> None:
    """Read a heat sink, print what it is like."""
    number, length, taper, surface = sys.argv[1:]
    found = heat(int(number), float(length), float(taper), surface)
    print(f"heat = {found:.6g}")


if __name__ == "__main__":
    main()
