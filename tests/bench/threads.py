"""Prints whether a suggestion is the same at any number of threads.

Usage: ``PYTHONPATH=. python tests/bench/threads.py [--rows 100] [--dimension 10]``.

The numbers that BLAS reads from the environment are set for the command and for a Python program of one's own, which
has loaded NumPy before ordbo; ``--threads`` is set where the command has it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench.children import ONE_THREAD, ordbo, python
from tests.bench.figures import table
from tests.bench.histories import History

COUNTS: Final = ("1", "2", "4")
PROGRAM: Final = """\
import numpy
numpy.linalg.cholesky(numpy.eye(500))  # its threads have started
from ordbo_cli import Study
from ordbo_cli.cli.output import json_line
suggestion = Study.open("study.yaml").ask(dry_run=True)
print(json_line({"id": suggestion.id, "parameters": suggestion.parameters}), end="")
"""


def suggestions(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the ways to ask, and what each answers."""
    for count in COUNTS:
        variables = dict.fromkeys(ONE_THREAD, count)
        step = ordbo(folder, "suggest", "study.yaml", "--dry-run", variables=variables)
        yield f"ordbo suggest, {count} threads in the environment", step.out
        yield f"Study.ask, {count} threads in the environment", python(folder, "-c", PROGRAM, variables=variables).out
    if "--threads" in ordbo(folder, "suggest", "--help").out:
        for count in COUNTS:
            step = ordbo(folder, "suggest", "study.yaml", "--dry-run", "--threads", count)
            yield f"ordbo suggest --threads {count}", step.out


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100, help="of the study")
    parser.add_argument("--dimension", type=int, default=10, help="of the study")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "study"
        History(options.rows, options.dimension).write(folder, options.rows)
        found = dict(suggestions(folder))
    first = next(iter(found.values()))
    print(f"Suggestions at {options.rows} rows, {options.dimension} parameters, digit by digit:\n")
    print(table(("asked by", "suggestion"), [(way, "same" if text == first else text) for way, text in found.items()]))
    print(
        f"\n{'All are the same' if len(set(found.values())) == 1 else 'NOT ALL ARE THE SAME'}: {first.strip()[:70]}..."
    )


if __name__ == "__main__":
    main()
