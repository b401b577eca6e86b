"""Studies to measure steps on: seeded points, and the values of an ill-conditioned function."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.bbob import different_powers
from ordbo_cli.ordinal.linalg import Array
from tests.bench.children import ordbo

NEXT_TO: Final = 1e-9  # how far near-duplicates lie apart, in a box of width 10


@dataclass(frozen=True)
class History:
    """Results on [-5, 5]^D.

    Args:
        rows: their number, N.
        dimension: the number of parameters, D.
        bunches: 0 for uniform points; else all points lie next to one of so many.
    """

    rows: int
    dimension: int
    bunches: int = 0

    @property
    def names(self) -> list[str]:
        """The parameters."""
        return [f"x{j}" for j in range(1, self.dimension + 1)]

    def points(self) -> Array:
        """Return the inputs [N, D]."""
        rng = np.random.default_rng([self.rows, self.dimension, self.bunches])
        if not self.bunches:
            return rng.uniform(-5, 5, (self.rows, self.dimension))
        centres = rng.uniform(-4, 4, (self.bunches, self.dimension))
        near = rng.normal(0.0, NEXT_TO, (self.rows, self.dimension))
        points: Array = centres[np.arange(self.rows) % self.bunches] + near
        return points

    def values(self, points: Array) -> list[float]:
        """Return the results [P] at points [P, D]; a single parameter is the first of two, the other one at 0."""
        padded = np.pad(points, ((0, 0), (0, max(0, 2 - self.dimension))))
        function = different_powers(padded.shape[1])
        return [function(point) for point in padded]

    def write(self, folder: Path, rows: int) -> None:
        """Write ``study.yaml`` and ``study.csv``, which holds the first rows."""
        parameters = "".join(f"  {name}: {{type: float, min: -5, max: 5}}\n" for name in self.names)
        problem = f"version: 1\nobjective: {{name: y, goal: minimize}}\nparameters:\n{parameters}"
        lines = [",".join([*self.names, "y"])]
        points = self.points()[:rows]
        for point, y in zip(points.tolist(), self.values(points), strict=True):
            lines.append(",".join(map(repr, [*point, y])))
        folder.mkdir(parents=True)
        (folder / "study.yaml").write_text(problem, encoding="utf-8")
        (folder / "study.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_studies(history: History, cold: Path, warm: Path) -> None:
    """Write a study of N rows, the last one the result of a suggestion, without and with the state of that step."""
    history.write(warm, history.rows - 1)
    suggestion = json.loads(ordbo(warm, "suggest", "study.yaml").out)
    (y,) = history.values(np.array([list(suggestion["parameters"].values())]))
    ordbo(warm, "observe", "study.yaml", "--id", str(suggestion["id"]), f"y={y!r}")
    cold.mkdir(parents=True)
    for name in ("study.yaml", "study.csv"):
        shutil.copy(warm / name, cold / name)
