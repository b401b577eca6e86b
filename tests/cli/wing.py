"""A wing: two objectives, and eight results of them."""

from __future__ import annotations

from pathlib import Path

PROBLEM = """\
objectives: {drag: {goal: minimize}, lift: {goal: maximize}}
parameters:
  angle: {min: 0, max: 12}
  camber: {min: 0, max: 1}
method: {initial: 3, iterations: 20}
"""
TABLE = """\
angle,camber,drag,lift
1,0.1,1.0,3
2,0.2,2.0,5
3,0.3,4.0,9
4,0.4,2.5,4
5,0.5,nan,7
6,0.6,0.5,nan
7,0.7,3.0,9
8,0.8,failed,
"""
SIMULATOR = """\
import sys
a, c = map(float, sys.argv[1:])
print("lift =", a * (1 + c) - 0.08 * a * a)
print("drag =", a * a / 20 + c * c + 0.1)
"""


def written(folder: Path) -> Path:
    """Return a problem with eight results: three are the front, two are dominated, and three failed."""
    path = folder / "wing.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(TABLE)
    return path
