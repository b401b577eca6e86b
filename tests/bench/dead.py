"""How often ``ordbo run`` takes a failing simulator for a dead one, and what it records of dead ones.

Run it from the repository: ``python -m tests.bench.dead`` (``--runs 100``, ``--budget 50``). The driver, the files and
the processes are real; the search is a stand-in that only counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.faults.harness import PROBLEM, light_search

RATES: Final = (10, 30, 60, 80)
_MEMORY: Final = "/dev/shm"  # where a sync costs nothing
_GOOD: Final = "echo $ORDBO_ANGLE"


class Death(NamedTuple):
    """A simulator that dies.

    Args:
        name: of the scenario.
        alive: what a shell runs at first.
        dead: and from some moment on.
        more: options of ``ordbo run``.
        after: evaluations that it lives for.
        table: the evaluations at the start.
    """

    name: str
    alive: str
    dead: str
    more: tuple[str, ...] = ()
    after: int = 31
    table: str = ""


_TABLE: Final = "angle,blades,drag\n" + "".join(f"{11 + k / 100},4,{k}\n" for k in range(31))
_FAILS: Final = "[ $((ORDBO_ID * 7919 % 10)) -ge {share} ] && echo $ORDBO_ANGLE"
DEATHS: Final = (
    Death("exit status 1 at once", _GOOD, "exit 1"),
    Death("another exit status", _GOOD, "exit 77"),
    Death("the licence is gone", _GOOD, "echo licence server down since $(date +%N) >&2; exit 1"),
    Death("a signal", _GOOD, "kill -SEGV $$"),
    Death("killed", _GOOD, "kill -KILL $$"),
    Death("nothing is printed", _GOOD, "true"),
    Death("prose with numbers", _GOOD, "echo ERROR: disk full after 500 blocks"),
    Death("another name", _GOOD, "echo z = 0.31"),
    Death("nan", _GOOD, "echo nan"),
    Death("a time-out", _GOOD, "sleep 60", ("--timeout", "1s")),
    Death("it sleeps before it fails", _GOOD, "sleep 0.2; exit 1"),
    Death("it was slow and is quick", f"sleep 0.05; {_GOOD}", "exit 1"),
    Death("four at a time", _GOOD, "exit 1", ("--workers", "4")),
    Death("retries", _GOOD, "exit 1", ("--retries", "2")),
    Death("statuses of all kinds", _GOOD, "exit $((ORDBO_ID % 5 + 1))"),
    Death("a program that is gone", _GOOD, "no-such-program"),
    Death("a script that is gone", _GOOD, "python3 no-such-script.py"),
    Death("no result file", "echo 1 > r", "true", ("--result", "r", "--in-folder")),
    Death("one in ten failed before", _FAILS.format(share=1), "exit 2"),
    Death("one in three failed before", _FAILS.format(share=3), "exit 2"),
    Death("one in three failed before, alike", _FAILS.format(share=3), "false"),
    Death("six of ten failed before", _FAILS.format(share=6), "echo lost >&2; false"),
    Death("a plain table of past results", _GOOD, "exit 1", after=0, table=_TABLE),
    Death("a plain table, four at a time", _GOOD, "exit 1", ("--workers", "4"), after=0, table=_TABLE),
    Death("after ten results", _GOOD, "exit 1", after=10),
    Death("after five results", _GOOD, "exit 1", after=5),
    Death("never alive", _GOOD, "exit 1", after=0),
    Death("never alive: a module is missing", _GOOD, "python3 -c 'import no_such_module'", after=0),
)


def ordbo(*arguments: object) -> tuple[int, str]:
    """Call the command in this process; return its exit status and what it said."""
    from ordbo_cli.cli import main

    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        status = main([str(argument) for argument in arguments])
    return status, said.getvalue()


def counts(problem: Path) -> tuple[int, int]:
    """Return how many evaluations are recorded as ok and as failed."""
    from ordbo_cli.study.study import Study

    status = Study.open(problem).status()
    return status.ok, status.failed


@contextlib.contextmanager
def study(table: str = "") -> Iterator[Path]:
    """Make a study in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="ordbo-dead-", dir=_MEMORY if os.path.isdir(_MEMORY) else None) as folder:
        path = Path(folder) / "p.yaml"
        path.write_text(PROBLEM)
        if table:
            path.with_suffix(".csv").write_text(table)
        yield path


def false_alarms(rate: int, runs: int, budget: int, *, workers: int) -> tuple[int, int]:
    """Return in how many runs a simulator was taken for dead, and how many evaluations failed."""
    alarms = failures = 0
    for seed in range(runs):
        # a hash of the point, the same for each run of a seed
        fails = f"$(printf '%s' {seed}/$ORDBO_ANGLE | cksum | cut -d' ' -f1)"
        with study() as path:
            script = f"[ $(({fails} % 100)) -ge {rate} ] && echo $ORDBO_ANGLE"
            status, _ = ordbo("run", path, "--budget", budget, "--workers", workers, "--", "sh", "-c", script)
            ok, failed = counts(path)
            alarms += status != 0 or ok + failed != budget
            failures += failed
    return alarms, failures


def recorded_wrongly(death: Death, budget: int) -> tuple[int, int, int]:
    """Return how many failures of a dead simulator are recorded, its evaluations, and the run's exit status."""
    with study(death.table) as path:
        count = path.with_name("count")
        script = (
            f"echo $ORDBO_ID >> {count}; [ $(grep -c . {count}) -le {death.after} ] && {{ {death.alive}; exit; }};"
            f" {death.dead}"
        )
        if death.after:
            ordbo("run", path, "--budget", death.after, *death.more, "--", "sh", "-c", script)
        before = counts(path)[1]
        status, _ = ordbo("run", path, "--budget", budget, *death.more, "--", "sh", "-c", script)
        evaluations = len(count.read_text().split()) - death.after
        return counts(path)[1] - before, evaluations, status


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--budget", type=int, default=50)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="of the ways to die, those whose name holds this")
    options = parser.parse_args()
    light_search()
    wrong = 0
    for death in DEATHS:
        if options.only and options.only not in death.name:
            continue
        failed, evaluations, status = recorded_wrongly(death, options.budget)
        wrong += failed
        print(f"{death.name:40} {failed} recorded wrongly of {evaluations} when dead, exit status {status}", flush=True)
    print(f"{len(DEATHS)} ways to die: {wrong} failures recorded wrongly", flush=True)
    for rate in RATES:
        began = time.monotonic()
        alarms, failures = false_alarms(rate, options.runs, options.budget, workers=options.workers)
        took = time.monotonic() - began
        print(
            f"{rate} % fail: {alarms} false alarms in {options.runs} runs, {failures} failures, {took:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
