"""Prints where one step computes: the functions that take the most time of their own, as cProfile sees them.

Usage: ``PYTHONPATH=. python tests/bench/hot_spots.py [--rows 25] [--dimension 2] [--cold] [--most 12]``.

The step is that of ``ordbo suggest``, its modules imported before. The profiler makes calls of Python functions look
dearer than they are: the shares tell where to look, ``step.py`` tells the time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.children import python
from tests.bench.figures import rounded, table
from tests.bench.histories import History, make_studies

PROGRAM: Final = """\
import cProfile, json
import ordbo_cli.cli.app, ordbo_cli.cli.commands.suggest, ordbo_cli.search.step, ordbo_cli.study.asking.suggest
profile = cProfile.Profile()
profile.runcall(ordbo_cli.cli.main, ["suggest", "study.yaml"])
found = []
for entry in profile.getstats():
    built_in = isinstance(entry.code, str)
    path, name = ("", entry.code) if built_in else (entry.code.co_filename, entry.code.co_name)
    found.append((path, name, entry.callcount, entry.inlinetime))
print(json.dumps(found))
"""


class Spot(NamedTuple):
    """A function.

    Args:
        path: of its file; empty for one that is built in.
        name: its name.
        calls: their number.
        seconds: that it took itself.
    """

    path: str
    name: str
    calls: int
    seconds: float

    @property
    def place(self) -> str:
        """Where it stands: the file below the folder of its package, or the name of a built-in function."""
        for folder in ("site-packages/", "/ordbo_cli/"):
            if folder in self.path:
                below = self.path.rpartition(folder)[2]
                return f"`{'ordbo_cli/' if folder == '/ordbo_cli/' else ''}{below}`, `{self.name}`"
        return f"`{Path(self.path).name}`, `{self.name}`" if self.path else f"`{self.name}`"


def profile(history: History, *, cold: bool) -> list[Spot]:
    """Return the functions that a step calls, the dearest first."""
    with tempfile.TemporaryDirectory() as name:
        studies = Path(name) / "cold", Path(name) / "warm"
        make_studies(history, *studies)
        printed = python(studies[0 if cold else 1], "-c", PROGRAM).out
    spots = [Spot(*each) for each in json.loads(printed.splitlines()[-1])]
    return sorted(spots, key=lambda spot: spot.seconds, reverse=True)


def main() -> None:
    """Profile and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=25, help="of the study")
    parser.add_argument("--dimension", type=int, default=2, help="of the study")
    parser.add_argument("--cold", action="store_true", help="without the state of the step before")
    parser.add_argument("--most", type=int, default=12, help="functions that are listed")
    options = parser.parse_args()
    spots = profile(History(options.rows, options.dimension), cold=options.cold)
    total = sum(spot.seconds for spot in spots)
    what = f"{'cold' if options.cold else 'warm'} step at {options.rows} rows, {options.dimension} parameters"
    print(f"Own time of functions, {what}, {total:.3f} s under the profiler:\n")
    lines = [
        [spot.place, str(spot.calls), rounded(1e3 * spot.seconds), f"{spot.seconds / total:.0%}"]
        for spot in spots[: options.most]
    ]
    print(table(("function", "calls", "ms", "share"), lines))


if __name__ == "__main__":
    main()
