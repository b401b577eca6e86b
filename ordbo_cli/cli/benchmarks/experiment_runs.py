"""What ``ordbo benchmark`` is to do: its problems, its methods, its runs, and which of these are on file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordbo_cli.cli.benchmarks.held_records import held
from ordbo_cli.cli.console import Console
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.records import RecordFile
    from ordbo_cli.benchmark.rivals.methods import Contestant
    from ordbo_cli.benchmark.runs import Run
    from ordbo_cli.benchmark.suites.benchmark_problem import Subject


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
    simulators: Collection[str] = (),
) -> list[Run]:
    """Return the runs of all methods that can take part: whatever is missing here, if it is all on file they do.

    Args:
        console, file, subjects, methods, seeds, initial, iterations: as the command has them.
        simulators: problems that may be left out, distorted or not, where they are not installed.

    Raises:
        UsageError: there is none, or one that was named cannot take part.
        DataError, FileError: the file cannot be used.
    """
    from ordbo_cli.benchmark.distortions.distorted import AT
    from ordbo_cli.benchmark.experiment import on_file
    from ordbo_cli.benchmark.rivals.methods import contestants, left_out
    from ordbo_cli.benchmark.runs import Run

    named = methods or ("standard",)
    chosen = contestants(named)
    runs = [Run(subject, one, seed, initial, iterations) for subject in subjects for seed in seeds for one in chosen]
    refusals = dict(_refusals(chosen, subjects))
    known = file.read() if refusals else {}
    done = on_file(runs, known)
    optional = {*simulators, *(one.name for one in left_out(named))}
    for name, refusal in refusals.items():
        own = [run for run in runs if name in (run.subject.name, run.contestant.name)]
        lacking = sum(run.key not in done for run in own)
        if not lacking:
            continue
        hint = ". ".join(filter(None, (held(own, known, lacking), refusal.hint)))
        if name.partition(AT)[0] not in optional:
            raise UsageError(refusal.message, hint)
        console.say(f"{name} is left out: {refusal.message}. {hint}")
        runs = [run for run in runs if name not in (run.subject.name, run.contestant.name)]
    if not runs:
        raise UsageError("there is nothing to do", "Name a problem and a method, or leave the options out")
    return runs


def _refusals(methods: Sequence[Contestant], subjects: Sequence[Subject]) -> Iterator[tuple[str, UsageError]]:
    """Yield what cannot take part here, and why."""
    from ordbo_cli.benchmark.suites.benchmark_problem import NeedsPrograms

    for one in methods:
        try:
            one.check(*(subject.problem(one.method, 0) for subject in subjects))
        except UsageError as refusal:
            yield one.name, refusal
    for subject in subjects:
        if not isinstance(subject, NeedsPrograms):
            continue
        try:
            subject.check()
        except UsageError as refusal:
            yield subject.name, refusal


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

    Where nothing is to be done nothing is made either, not even the lock.

    Raises:
        DataError, FileError, LockTimeoutError: the file cannot be used.
        OrdboError: a worker died.
    """
    from ordbo_cli.benchmark.experiment import conduct, on_file
    from ordbo_cli.drive.processes.executors import executor

    found = on_file(runs, file.read())
    if all(run.key in found for run in runs):
        return found
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
