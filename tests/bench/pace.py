"""How many evaluations a second `ordbo run` drives as the table grows, in a large design, where no model counts.

Usage: ``python tests/bench/pace.py [EVALUATIONS]``, a thousand at most.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PROBLEM = (
    "version: 1\nobjective: {name: y, goal: minimize}\nparameters: {x: {min: 0, max: 1}}\nmethod: {initial: 1000}\n"
)
SIMULATOR = 'date +%s.%N >> times; echo "0.$RANDOM"'
EVERY = 100


def main(evaluations: int = 1000) -> None:
    """Run a study of short evaluations, and print the pace of each hundred and the memory of all."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "p.yaml").write_text(PROBLEM)
        command = [sys.executable, "-m", "ordbo_cli", "run", "-q", "p.yaml", "--budget", str(evaluations), "--"]
        subprocess.run([*command, "bash", "-c", SIMULATOR], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        times = [float(line) for line in (Path(folder) / "times").read_text().split()]
    for first in range(0, len(times) - EVERY + 1, EVERY):
        print(f"{first + 1:>5}: {(EVERY - 1) / (times[first + EVERY - 1] - times[first]):.1f} a second")
    print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
