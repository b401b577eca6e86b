"""Prints what a step costs as a whole process: time by part, peak memory, and how they grow with rows and parameters.

Usage: ``PYTHONPATH=. python tests/bench/step.py [--rounds 3] [--rows 10,25,...] [--dimensions 1,2,...] [--quick]``.

Every step is a process of its own, on a copy of its study. The last row is the result of a suggestion: a warm step
finds the state of that suggestion, a cold one finds none. ``cpu`` is the processor time of the whole process, ``other``
what is in no part: the interpreter's start and end, the lock, the printing. Figures are medians over the rounds; from
500 rows on there is one round.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from ordbo_cli.problem.method import PRESETS
from tests.bench.children import python
from tests.bench.figures import NOTHING, exponent, rounded, table
from tests.bench.histories import History, make_studies

ROWS: Final = (10, 25, 100, 200, 500, 1000, 2000)
DIMENSIONS: Final = (1, 2, 5, 10, 20, 50)
QUICK_ROWS: Final = (10, 25)
QUICK_DIMENSIONS: Final = (2, 5)
BUNCHES: Final = 8
CLOSE: Final = 200  # most rows of near-duplicates
MANY: Final = 500  # rows from which on one round has to do
STARTS: Final = ("cold", "warm")
GROWING: Final = ("fit", "acquire", "whole", "cpu")
SPLIT: Final = ("import", "read", "fit", "acquire", "write")
HEADER: Final = ("N", "D", "start", "whole", "cpu", *SPLIT, "other", "evaluations", "MB")


@dataclass(frozen=True)
class Step:
    """What one step cost.

    Args:
        seconds: of the whole process, its processor time, of each part, and of what is in none.
        evaluations: of the fit's objective.
        memory: peak, in bytes.
    """

    seconds: dict[str, float]
    evaluations: int
    memory: int


Measured = dict[tuple[History, str], Step]


def take_step(study: Path, work: Path, history: History) -> Step:
    """Take one step on a copy of a study.

    Raises:
        SystemExit: it failed, or did not go through all parts.
    """
    folder, figures = work / "run", work / "figures.json"
    shutil.copytree(study, folder)
    child = python(folder, "-m", "tests.bench.timed_step", str(figures), "study.yaml")
    found = json.loads(figures.read_text(encoding="utf-8"))
    shutil.rmtree(folder)
    fitted = history.rows >= PRESETS["default"].initial_rows(history.dimension)
    expected = {"read", "acquire", "write"} | ({"fit"} if fitted else set())
    if missing := [part for part in sorted(expected) if not found["calls"][part]]:
        raise SystemExit(f"timed_step.py: the step did not go through {', '.join(missing)}: see its PARTS")
    if fitted and not found["evaluations"]:
        raise SystemExit("timed_step.py: no evaluation of the objective was counted: see its COUNTED")
    parts = found["seconds"]
    other = child.seconds - sum(parts.values())
    seconds = {"whole": child.seconds, "cpu": found["cpu"], **parts, "other": other}
    return Step(seconds, found["evaluations"], found["memory"])


def measure(history: History, rounds: int, work: Path) -> dict[str, Step]:
    """Return the medians of cold and warm steps, taken in turn."""
    studies = {start: work / f"{start}-{history.rows}-{history.dimension}-{history.bunches}" for start in STARTS}
    make_studies(history, studies["cold"], studies["warm"])
    steps: dict[str, list[Step]] = {start: [] for start in STARTS}
    for _ in range(1 if history.rows >= MANY else rounds):
        for start, study in studies.items():
            steps[start].append(take_step(study, work, history))
    return {start: middle(some) for start, some in steps.items()}


def middle(steps: Sequence[Step]) -> Step:
    """Return the medians of several measurements of one step."""
    seconds = {part: median(step.seconds[part] for step in steps) for part in steps[0].seconds}
    return Step(seconds, steps[0].evaluations, int(median(step.memory for step in steps)))


def lines(measured: Measured, histories: Iterable[History]) -> list[list[str]]:
    """Return the table's lines of some histories."""
    found = []
    for history in histories:
        for start in STARTS:
            step = measured[history, start]
            seconds = [rounded(step.seconds[part]) for part in HEADER[3:-2]]
            ends = [str(step.evaluations), f"{step.memory / 1e6:.0f}"]
            found.append([str(history.rows), str(history.dimension), start, *seconds, *ends])
    return found


def growth(
    measured: Measured, histories: Sequence[History], size: Callable[[History], int], low: int, high: int
) -> list[str]:
    """Return the sizes between two bounds, and the exponents of GROWING over them, cold and warm."""
    some = [history for history in histories if low <= size(history) <= high]
    sizes = [size(history) for history in some]
    found = [", ".join(map(str, sizes)) or NOTHING]
    for start in STARTS:
        for part in GROWING:
            power = exponent(sizes, [measured[history, start].seconds[part] for history in some])
            found.append(NOTHING if power is None else f"{power:.2f}")
    return found


def numbers(text: str) -> tuple[int, ...]:
    """Return a list such as 10,25."""
    return tuple(int(word) for word in text.split(","))


def report(measured: Measured, tall: Mapping[int, Sequence[History]], wide: Sequence[History], near: History) -> None:
    """Print all tables.

    Args:
        tall: histories of more and more rows, by the number of parameters.
        wide: histories of more and more parameters.
        near: a history of near-duplicates.
    """
    for D, some in tall.items():
        print(f"Seconds of a step by the number of rows, {D} parameters:\n\n{table(HEADER, lines(measured, some))}\n")
    print(f"Seconds of a step by the number of parameters:\n\n{table(HEADER, lines(measured, wide))}\n")
    print(f"The same where all rows lie next to one of {BUNCHES} points:\n")
    print(f"{table(HEADER, lines(measured, [near]))}\n")
    print("Growth exponents, by least squares of the logarithms:\n")
    powers = [[f"N, at D = {D}", *growth(measured, some, rows_of, 200, 1000)] for D, some in tall.items()]
    for low in (10, 2):
        powers += [[f"D, at N = {wide[0].rows}", *growth(measured, wide, dimension_of, low, 50)]]
    print(table(("in", "sizes", *(f"{start} {part}" for start in STARTS for part in GROWING)), powers))


def rows_of(history: History) -> int:
    """Return N."""
    return history.rows


def dimension_of(history: History) -> int:
    """Return D."""
    return history.dimension


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="times that each step is taken (3)")
    parser.add_argument("--rows", type=numbers, help="numbers of rows, at 10 and 2 parameters")
    parser.add_argument("--dimensions", type=numbers, help="numbers of parameters, at 100 rows")
    parser.add_argument("--quick", action="store_true", help="one round of small steps: 2 parameters, and 10 rows")
    options = parser.parse_args()
    rounds = options.rounds or (1 if options.quick else 3)
    rows = options.rows or (QUICK_ROWS if options.quick else ROWS)
    dimensions = options.dimensions or (QUICK_DIMENSIONS if options.quick else DIMENSIONS)
    tall = {D: [History(N, D) for N in rows] for D in ((2,) if options.quick else (10, 2))}
    wide = [History(10 if options.quick else 100, D) for D in dimensions]
    near = History(max([N for N in rows if N <= CLOSE] or rows), 2, BUNCHES)
    measured: Measured = {}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        measure(History(10, 2), 1, work / "uncounted")  # compiles what is imported
        for history in dict.fromkeys([*(each for some in tall.values() for each in some), *wide, near]):
            print(f"N = {history.rows}, D = {history.dimension}", file=sys.stderr)
            measured |= {(history, start): step for start, step in measure(history, rounds, work).items()}
    report(measured, tall, wide, near)


if __name__ == "__main__":
    main()
