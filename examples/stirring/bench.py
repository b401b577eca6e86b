"""A test bench whose knob has no scale: whoever stands there turns it to between two earlier settings.

The bench is told a place in words, ``between 3 and 7``, and keeps in a notebook where the knob stood for each id. What
the knob does is known to the bench alone.

    python3 bench.py NOTEBOOK ID TEMPERATURE PLACE

prints the droplets' diameter in micrometres.
"""

import json
import math
import sys
from pathlib import Path


def turned(place: str, knob: dict[str, float]) -> float:
    """Return where the knob is turned to, from 0 to 1: about half-way between the settings that are named."""
    words = place.split()
    if words == ["any"]:
        return 0.55
    if words[0] == "as":
        return knob[words[1]]
    low = knob[words[1]] if words[0] in ("above", "between") else 0.0
    high = knob[words[-1]] if words[0] in ("below", "between") else 1.0
    return low + 0.45 * (high - low)


def droplets(temperature: float, knob: float) -> float:
    """Return the diameter: too little stirring leaves it coarse, too much breaks the emulsion."""
    speed = 100.0 * math.exp(4.0 * knob)  # turns a minute, which nobody sees
    coarse = 40.0 * (700.0 / speed) ** 1.5
    broken = 120.0 if speed > 1100.0 else 0.0
    return 4.0 + coarse + broken + 0.02 * (temperature - 17.3) ** 2


def main() -> None:
    """Turn the knob, and measure."""
    notebook, id, temperature, place = sys.argv[1:]
    page = Path(notebook)
    knob = json.loads(page.read_text(encoding="utf-8")) if page.exists() else {}
    knob.setdefault(id, turned(place, knob))
    page.write_text(json.dumps(knob), encoding="utf-8")
    print(f"{droplets(float(temperature), knob[id]):.4g}")


if __name__ == "__main__":
    main()
