"""Prints how long ``ordbo report`` and each picture take in a fresh process, and how large their files are.

Usage: ``PYTHONPATH=. python tests/bench/report.py [--rounds 3] [--rows 100] [--dimension 6]``.

The study's rows are uniform points, the last one a suggestion, with the state of that step. It needs the extra
``ordbo[plots]``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from ordbo_cli.cli.commands.plot import KINDS
from tests.bench.children import ordbo
from tests.bench.figures import rounded, table
from tests.bench.histories import History, make_studies


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--dimension", type=int, default=6)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        study = Path(name) / "warm"
        make_studies(History(given.rows, given.dimension), Path(name) / "cold", study)
        commands: dict[str, tuple[str, ...]] = {"report": ("report", "study.yaml", "-o", "out.html")}
        commands |= {f"plot {kind}": ("plot", "study.yaml", kind, "-o", f"{kind}.svg") for kind in KINDS}
        rows = []
        for title, command in commands.items():
            seconds = median(ordbo(study, *command).seconds for _ in range(given.rounds))
            rows.append((title, rounded(seconds), f"{(study / command[-1]).stat().st_size / 1e3:.0f}"))
    print(f"{given.rows} rows, {given.dimension} parameters; medians of {given.rounds}")
    print(table(("command", "seconds", "kB"), rows))


if __name__ == "__main__":
    main()
