"""What ``ordbo benchmark`` is to do: its problems, its methods, its runs, and which of these are on file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordbo_cli.cli.console import Console
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.records import RecordFile
    from ordbo_cli.benchmark.rivals.methods import Contestant
    from ordbo_cli.benchmark.runs import Run, Subject


def subjects_of(problems: Sequence[str], problem: Path | None, simulator: str | None) -> list[Subject]:
    """Return what is minimised: test problems, and a simulator of the user's.

    Raises:
        UsageError: there is no such problem, half of a simulator, or two problems of one name.
    """
    from ordbo_cli.benchmark.suites import suite
    from ordbo_cli.benchmark.suites.simulator import Simulator

    if (problem is None) != (simulator is None):
        raise UsageError("--problem and --command belong together", "Give both, or neither")
    own = [] if problem is None or simulator is None else [Simulator.load(problem, simulator)]
    named = suite.problems(problems or (() if own else ("paper",)))
    if clash := {one.name for one in own} & {one.name for one in named}:
        raise UsageError(f"the problem file has the name of the test problem {clash.pop()}", "Rename it")
    return [*named, *own]


def runs_of(
    console: Console,
    file: RecordFile,
    subjects: Sequence[Subject],
    methods: Sequence[str],
    seeds: Sequence[int],
    initial: int,
    iterations: int,
) -> list[Run]:
    """Return the runs of all methods that can take part: whatever is missing here, if it is all on file they do.

    Raises:
        UsageError: there is none, or one that was named cannot take part.
        DataError, FileError: the file cannot be used.
    """
    from ordbo_cli.benchmark.experiment import on_file
    from ordbo_cli.benchmark.rivals.methods import contestants, left_out
    from ordbo_cli.benchmark.runs import Run

    named = methods or ("standard",)
    chosen, absent = contestants(named), left_out(named)
    if not (subjects and chosen):
        raise UsageError("there is nothing to do", "Name a problem and a method, or leave the options out")
    refusals = {one.name: refusal for one in chosen if (refusal := _refusal(one, subjects))}
    runs = [Run(subject, one, seed, initial, iterations) for subject in subjects for seed in seeds for one in chosen]
    if not refusals:
        return runs
    done = on_file(runs, file.read())
    for one in chosen:
        own = [run for run in runs if run.contestant is one]
        lacking = sum(run.key not in done for run in own)
        if not lacking or not (refusal := refusals.get(one.name)):
            continue
        if one not in absent:
            some = f"{lacking} of its {len(own)} runs are not on file. " if lacking < len(own) else ""
            raise UsageError(refusal.message, some + refusal.hint)
        console.say(f"{one.name} is left out, as it needs {' and '.join(one.missing)}: {one.install}")
        runs = [run for run in runs if run.contestant is not one]
    return runs


def _refusal(one: Contestant, subjects: Sequence[Subject]) -> UsageError | None:
    """Return why a method cannot do its runs here, if so."""
    try:
        one.check(*(subject.problem(one.method, 0) for subject in subjects))
    except UsageError as refusal:
        return refusal
    return None


def bases_of(named: str, methods: Collection[str]) -> tuple[str, ...]:
    """Return the methods of which the strongest becomes the baseline: one, but for ``best``.

    Where no vanilla method takes part ``best`` is one that does not either, and there are no ratios.

    Raises:
        UsageError: the one that was named does not take part.
    """
    from ordbo_cli.benchmark.rivals.methods import contestant
    from ordbo_cli.benchmark.rivals.registry import BASELINE, BASELINES, BEST

    if named.strip() == BEST:
        return tuple(name for name in BASELINES if name in methods) or (BASELINE,)
    base = contestant(named).name
    if base not in methods:
        raise UsageError(f"the baseline {base} does not take part", f"Name {BEST}, or one of {', '.join(methods)}")
    return (base,)


def conducted(console: Console, runs: Sequence[Run], file: RecordFile, jobs: int, scheduler: str | None) -> Any:
    """Do the runs that are not on file; return the records of all.

    Raises:
        DataError, FileError, LockTimeoutError: the file cannot be used.
        OrdboError: a worker died.
    """
    from ordbo_cli.benchmark.experiment import conduct
    from ordbo_cli.drive.processes.executors import executor

    try:
        with (
            file.locked(),
            console.progress("runs", len(runs)) as progress,
            executor(jobs, scheduler) as (workers, at_once),
        ):
            return conduct(runs, file, workers, at_once, progress)
    except KeyboardInterrupt:
        console.say(f"the runs that ended are in {file.path}; the same command goes on")
        raise
