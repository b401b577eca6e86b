"""What the acquisition's panels show of a slice: minima of samples, and the bound of each cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import reach
from ordbo_cli.pictures.words import figure_of


@dataclass(frozen=True)
class Survey:
    """The acquisition over a slice.

    Args:
        shares: of the samples whose minimum each cell holds [C].
        minima: latent points [samples, D].
        bounds: the lowest lower confidence bound of each cell [C].
    """

    shares: Array
    minima: Array
    bounds: Array

    @classmethod
    def of(cls, scene: Scene) -> Survey:
        """Draw the samples and bound the cells of a scene's slice."""
        holders, minima = scene.slice.thompson(scene.samples)
        counts = np.bincount(holders, minlength=len(scene.slice.cells))
        return cls(counts / scene.samples, minima, scene.slice.bounds)

    def words(self, scene: Scene) -> str:
        """Return which cell holds most minima, and which has the lowest bound."""
        likely, lowest = int(np.argmax(self.shares)), int(np.argmin(self.bounds))
        where = " on the slice" if scene.elsewhere else ""
        parts = [
            f"Of {scene.samples} samples of the model's function,"
            f" {round(100 * float(self.shares[likely]))} % have their minimum{where} in one cell,"
            f" {reach(scene, likely)}.",
            f"The lowest lower confidence bound{where}, {figure_of(float(self.bounds[lowest]))}, is that of"
            + (" the same cell." if likely == lowest else f" the cell {reach(scene, lowest)}."),
        ]
        if scene.slice.next_cell is not None and scene.slice.next_cell not in (likely, lowest):
            parts.append(f"The next point's cell has {figure_of(float(self.bounds[scene.slice.next_cell]))}.")
        if not scene.slice.open[lowest]:
            parts.append("That cell is closed: nothing is left to try there, or a result is out.")
        return " ".join(parts)
