#!/usr/bin/env python3
"""How long a blocked stencil solver takes for one sweep: the simulator of this example, a program of its own.

    solver.py --tile=128 --ranks=16 --buffer=4

prints one number, seconds, on stdout and the reasons for it on stderr. A configuration that needs more memory than the
node has prints no number, and the exit status is 1. It thinks for a second first, or for $SOLVER_SECONDS, as the real
solver would for longer. Nothing but Python's standard library is used; ordbo is not imported.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time

SIDE = 12_000  # cells along each side of the grid
CELL = 3 * 8  # bytes of a cell: three doubles
CACHES = ((32e3, 1.0e-9), (1e6, 1.7e-9), (24e6, 4.0e-9), (math.inf, 11.0e-9))  # bytes up to here, s a cell and sweep
SHARED = 24e6  # bytes of the last cache, which all ranks share
START = 15e-6  # s that a tile takes besides its cells
LATENCY = 60e-6  # s of a message
BANDWIDTH = 2e9  # bytes a second of all ranks together
MEMORY = 6e9  # bytes of the node


class OutOfMemoryError(Exception):
    """The configuration does not fit into the node."""


def sweep_time(tile: int, ranks: int, buffer: float) -> tuple[float, str]:
    """Return the seconds of a sweep, and in words where they come from.

    Args:
        tile: cells along each side of a tile.
        ranks: processes that share the tiles.
        buffer: MiB in which each rank collects what it has to send to each of the others.

    Raises:
        OutOfMemoryError: the buffers and the grid need more than the node has.
    """
    grid = SIDE**2 * CELL * (1 + 4 / tile)
    needed = grid + ranks * (ranks - 1) * buffer * 2**20
    if needed > MEMORY:
        raise OutOfMemoryError(f"{needed / 1e9:.1f} GB are needed, and {MEMORY / 1e9:.0f} GB are there")

    across = math.ceil(SIDE / tile)
    rounds = math.ceil(across**2 / ranks)  # the last round leaves ranks idle
    held = tile**2 * CELL
    cell_time = next(cost for size, cost in CACHES if held <= (SHARED / ranks if size == SHARED else size))
    sent = 4 * tile * 8 * across**2
    messages = max(math.ceil(sent / ranks / (buffer * 2**20)), 1) * (ranks - 1)
    parts = {
        "cells": rounds * tile**2 * cell_time,
        "tiles": rounds * START,
        "messages": messages * LATENCY + sent / BANDWIDTH,
    }
    return sum(parts.values()), ", ".join(f"{name} {seconds:.3g} s" for name, seconds in parts.items())


def main() -> int:
    """Read the configuration from the arguments, print the time of a sweep, return the exit status."""
    parser = argparse.ArgumentParser(description="Seconds that a blocked stencil solver takes for one sweep.")
    parser.add_argument("--tile", type=int, required=True, help="cells along each side of a tile")
    parser.add_argument("--ranks", type=int, required=True, help="number of processes")
    parser.add_argument("--buffer", type=float, required=True, help="MiB of a send buffer")
    arguments = parser.parse_args()
    time.sleep(float(os.environ.get("SOLVER_SECONDS", "1")))
    try:
        seconds, words = sweep_time(**vars(arguments))
    except OutOfMemoryError as error:
        print(f"solver.py: {error}", file=sys.stderr)
        return 1
    print(f"solver.py: {words}", file=sys.stderr)
    print(f"{seconds:.6g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
