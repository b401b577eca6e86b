"""``ordbo run``: drive an external simulator to the end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli.cli.base_command import BaseCommand, did_you_mean, options_of
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.hook_options import hook_options, hooks_of
from ordbo_cli.cli.leader import front_words, leader_point, leader_words
from ordbo_cli.cli.live import Live
from ordbo_cli.cli.options import (
    DURATION,
    PATH,
    delimiters_option,
    lock_option,
    problem_argument,
    stop_option,
    threads_option,
)
from ordbo_cli.cli.output import json_line, render
from ordbo_cli.errors import ExhaustedError, UsageError
from ordbo_cli.files.values.numbers import parameter_value
from ordbo_cli.problem.spelling import quoted

if TYPE_CHECKING:
    from ordbo_cli.drive.driver import Driver, RunSettings
    from ordbo_cli.drive.events import Event
    from ordbo_cli.drive.hooks import Hook
    from ordbo_cli.drive.processes.slurm import SlurmOptions
    from ordbo_cli.drive.rules import Ending
    from ordbo_cli.drive.simulation.folders import RunFolders
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo run drag.yaml --budget 80 --workers 8 -- ./simulate --angle {angle} --blades {blades}
ordbo run drag.yaml --target 0.3 --timeout 2h --retries 1 -- sh -c './mesh "$ORDBO_ANGLE" && ./solve'
ordbo run drag.yaml --budget 80 --template case.tpl --input case.in --in-folder --result drag.out -- solver case.in
ordbo run drag.yaml --stop-when 'improvement-probability < 0.01' --workers 4 -- ./simulate --angle {angle}
ordbo run wing.yaml --target drag=250 --target lift=12 -- ./simulate {angle} {blades}  # of several objectives
ordbo run drag.yaml --on-result 'cp drag.csv /backup' --on-best ./tell.sh -- ./simulate --angle {angle}
ordbo run drag.yaml --patience 30 --stdin --scheduler tcp://host:8786 -- /shared/simulate
ordbo run drag.yaml --budget 80 --workers 20 --slurm '--partition=short --time=2:00:00' -- /shared/simulate {angle}
"""
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_COUNT: Final = click.IntRange(min=1)


class _Budget(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click alone
    """A number of evaluations, or a cost, which need be no whole number."""

    name = "budget"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return an int where it is one."""
        try:
            return int(_COUNT.convert(value, param, ctx))
        except click.BadParameter:
            with contextlib.suppress(ValueError):
                if (cost := float(parameter_value(str(value), whole=False))) > 0.0:
                    return cost
        raise click.BadParameter(f"{quoted(str(value))} is no number above 0", ctx, param)


class _Run(BaseCommand):
    """The command, which knows why an option may be unknown to it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments apart.

        Raises:
            UsageError: an option is unknown, and nothing says where the simulator's own begin.
        """
        marked = "--" in args
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if marked:
                raise
            hint = "If it is the simulator's, put -- before its command: ordbo run PROBLEM ... -- CMD"
            guess = did_you_mean(error.option_name, options_of(ctx))
            raise UsageError(f"no such option {error.option_name}", f"{guess}{hint}") from None


@click.command("run", cls=_Run, examples=_EXAMPLES)
@problem_argument
@click.argument("arguments", metavar="-- CMD [ARG]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-j", "--workers", type=_COUNT, help="Evaluations at one time (default: 1; all threads of a cluster).")
@click.option(
    "--budget",
    type=_Budget(),
    metavar="N",
    help="End at N evaluations of the study in all: rows that were there before and failures count. With 50 rows,"
    " --budget 60 evaluates 10 points. With fidelity: N is what all of them may cost, and is not exceeded.",
)
@click.option(
    "--target",
    "targets",
    metavar="[NAME=]VALUE",
    multiple=True,
    help="End when the objective has come to VALUE. Of several objectives name each that has to come to a value; one"
    " result has to reach all of them.",
)
@click.option(
    "--patience",
    type=_COUNT,
    metavar="N",
    help="End when the last N evaluations, earlier ones included, brought nothing better.",
)
@stop_option
@click.option("--timeout", type=DURATION, help="What takes longer has failed: 90 or 90s, 15min, 2h, 1h30min.")
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How often an evaluation without an answer is tried again before it counts as failed.",
)
@click.option("--template", type=PATH, help="Fill in this file for every point: every {name}, {id} and {folder}.")
@click.option("--input", metavar="NAME", help="What the filled-in template is called in the run folder.")
@delimiters_option
@click.option("--stdin", is_flag=True, help="Write the point to the command's standard input, as a line of JSON.")
@click.option("--result", metavar="NAME", help="Take the answer from this file of the run folder.")
@click.option("--in-folder", is_flag=True, help="Call the command in its run folder, not in this one.")
@click.option("--folder", type=PATH, help="Where the run folders go (default: <problem>.runs beside the problem file).")
@click.option(
    "--keep",
    type=click.Choice(["failed", "all", "none"]),
    default="failed",
    show_default=True,
    help="Which run folders stay.",
)
@click.option(
    "--max-failures",
    type=_COUNT,
    metavar="N",
    help="End at N failures in a row that look alike, and have their points evaluated again (default: where there are"
    " more of them than come by chance at the usual rate, and at least 5).",
)
@click.option("--keep-going", is_flag=True, help="Take failures for what they are, however many there are in a row.")
@hook_options
@click.option("--scheduler", metavar="ADDRESS", help="Evaluate on a Dask cluster, such as tcp://host:8786.")
@click.option(
    "--slurm",
    metavar="OPTIONS",
    help="Evaluate in jobs of Slurm, with these options of sbatch: '--partition=short --time=2:00:00 --mem=4G'; those"
    " of one moment are one array.",
)
@threads_option
@lock_option
def command(
    console: Console, /, problem: Path, arguments: Sequence[str], threads: int, lock_timeout: float, **options: Any
) -> None:
    r"""Drive an external simulator to the end.

    CMD is called for every point, without a shell. It gets the point as {name} in its arguments, as environment
    variables (ORDBO_ID, ORDBO_ANGLE, ...), as JSON on standard input (--stdin), or as a file that is filled in
    (--template, --input). Each point has a run folder of its own: {folder}, ORDBO_FOLDER. Arguments that name some
    parameters and not others are warned of, and so are first results that are all the same.

    It answers on standard output, with a JSON object on the last line, a line 'drag = 0.31', or a last line that is the
    number and nothing else; or in a file of its run folder (--result) that holds a number, lines of 'VALUE NAME', or a
    JSON object. An exit status other than 0, a time-out and no answer are failed evaluations; their run folders keep
    what they wrote. A command that cannot start is none: it ends the run, and so does a simulator that looks dead.

    An interrupt ends the running evaluations and leaves their points pending. The same command goes on from there; with
    one worker it comes to the same points as if nothing had happened. Without a rule it goes on until the space is
    exhausted.

    Hooks (--on-result, --on-best) may be given several times, and are called one after the other. What they do never
    hurts the run: one that fails, takes too long or prints is warned of once.

    Where --stop-when holds, what runs comes to its end, and each result is a reason to ask again.

    Prints the best point at the end, as 'ordbo best' does. The exit status is 0 where the budget or the target ended
    it, 3 where patience, --stop-when or the space did, 130 after an interrupt; 2 where the command looks wrong: the
    budget is spent and not one evaluation of the study has given an answer, or too many failed in a row.
    """
    from ordbo_cli.drive.simulation.folders import RunFolders
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout, threads=threads)
    tell_notes(console, study, ())
    settings = _settings(study, arguments, options)
    hooks = hooks_of(console, study, options)
    if words := settings.rules.on_budget(study.status(), study.problem):
        console.say(words)
    if unused := settings.command.passed_over(study.problem):
        console.warn(f"the command does not use {', '.join(unused)} ({_in_environment(unused)})")
    base = options["folder"] or study.file.runs
    folders = RunFolders(_made(base), options["keep"])
    with folders.alone():
        ending = _drive(console, study, settings, folders, hooks, options)
    _tell_end(console, study, ending, base)


def _settings(study: Study, arguments: Sequence[str], options: Mapping[str, Any]) -> RunSettings:
    """Return what the options ask for, checked before any point is asked for."""
    from ordbo_cli.drive.driver import RunSettings
    from ordbo_cli.drive.rules import Rules
    from ordbo_cli.drive.simulation.command import Command as Called

    names = ("in_folder", "stdin", "template", "input", "delimiters", "result", "timeout")
    called = Called.prepare(study.problem, arguments, cwd=Path.cwd(), **{name: options[name] for name in names})
    rules = Rules(
        options["budget"], _targets(study.problem, options["targets"]), options["patience"], options["stop_when"]
    )
    if isinstance(rules.budget, float) and study.problem.fidelity is None:
        raise UsageError(f"--budget is {rules.budget:g}", "It is a number of evaluations")
    if options["keep_going"] and options["max_failures"]:
        raise UsageError("--keep-going beside --max-failures", "Give one of the two")
    return RunSettings(called, rules, options["retries"], options["keep_going"], options["max_failures"])


def _in_environment(names: Sequence[str]) -> str:
    """Return where a command finds parameters that its arguments do not name."""
    from ordbo_cli.problem.spelling import environment_name

    return f"{'it is' if len(names) == 1 else 'they are'} in {', '.join(map(environment_name, names))}"


def _targets(problem: Problem, texts: Sequence[str]) -> dict[int, Decimal]:
    """Return the targets as exact decimals, by the places of their objectives."""
    targets: dict[int, Decimal] = {}
    for text in texts:
        objective, value = _target(problem, text)
        if objective in targets:
            raise UsageError(f"--target gives {problem.goals[objective][0]} twice", "Give one value")
        targets[objective] = value
    return targets


def _target(problem: Problem, text: str) -> tuple[int, Decimal]:
    """Return the objective that a target is of, and its value."""
    from ordbo_cli.files.values.levels import result_value
    from ordbo_cli.problem.several import alone
    from ordbo_cli.problem.spelling import meant

    names = [name for name, _ in problem.goals]
    name, equals, said = text.rpartition("=")
    name, said = name.strip(), said.strip()
    if name not in names and not problem.several:  # a word may hold the mark
        equals, said = "", text
    if not equals and problem.several:
        each = " ".join(f"--target {name}=VALUE" for name in names)
        raise UsageError(f"--target is {text!r}, of which objective is not said", f"Name those that count: {each}")
    if equals and name not in names:
        raise UsageError(f"--target is {text!r}, and no objective is called {name!r}", meant(name, names))
    one = alone(problem, names.index(name) if equals else 0)
    try:
        value = result_value(one, said)
    except ValueError as error:
        raise UsageError(f"--target is {text!r}, no value of {one.objective}", str(error)) from None
    if value is None:
        raise UsageError(f"--target is {text!r}, a failure", "Give a value that is good enough")
    return names.index(one.objective), value


def _made(base: Path) -> Path:
    """Make the folder of the run folders."""
    from ordbo_cli.files.durable.paths import refused

    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused("make it", base, error) from None
    return base


def _drive(
    console: Console,
    study: Study,
    settings: RunSettings,
    folders: RunFolders,
    hooks: Sequence[Hook],
    options: Mapping[str, Any],
) -> Ending:
    from ordbo_cli.drive.driver import Driver
    from ordbo_cli.drive.hooks import Hooks
    from ordbo_cli.drive.processes.executors import workers

    live = Live(console, study, settings)
    slurm = _slurm(study, settings, folders, options["slurm"])
    if slurm is not None and options["scheduler"] is not None:
        raise UsageError("--slurm beside --scheduler", "Give one of the two")
    called = Hooks(study, hooks, json_line, console.warn, options["hook_timeout"])

    def watch(event: Event) -> None:
        live.watch(event)
        called.watch(event)

    with workers(options["workers"], options["scheduler"], slurm) as pool, console.live(live.rows):
        driver = Driver(study, settings, folders, pool, watch)
        with _stopped_by_signals(driver), called:
            return driver.drive()


def _slurm(study: Study, settings: RunSettings, folders: RunFolders, text: str | None) -> SlurmOptions | None:
    """Return what jobs of Slurm ask for, None where there are none."""
    if text is None:
        return None
    from ordbo_cli.drive.processes.slurm import SlurmOptions

    folder = Path(os.path.abspath(folders.base))
    return SlurmOptions.parse(text, f"ordbo-{study.problem_path.stem}", folder, settings.command.timeout)


@contextlib.contextmanager
def _stopped_by_signals(driver: Driver) -> Iterator[None]:
    """Let signals stop a driver in order; a second interrupt ends it at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        driver.stop()

    handled = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in handled}
    for number in handled:
        if before[number] is not signal.SIG_IGN:  # nohup
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])


def _tell_end(console: Console, study: Study, ending: Ending, base: Path) -> None:
    """Print the best point, of several objectives the front, and turn the ending into an exit status.

    Raises:
        UsageError: there is none, as no evaluation has ever succeeded.
    """
    from ordbo_cli.drive.simulation.folders import RunFolders

    status = study.status()
    if status.best is not None:
        found = study.front() if study.problem.has_front else [study.best()]
        console.data("".join(render("json", leader_point(each, study.problem)) for each in found))
        if found[0].by == "mean":
            by_mean = f"best by mean: {leader_words(found[0], study.problem)}"
            console.say(front_words(found) if study.problem.has_front else by_mean)
    if ending.kind == "stopped":
        claimed = RunFolders(base).claimed()
        left = sum(point.id in claimed for point in status.waiting)
        are = "point is" if left == 1 else "points are"
        console.say(f"{left} {are} pending: the same command goes on from there")
        raise KeyboardInterrupt
    console.say(ending.words)
    error = _without_answer(study, status.failed) if status.failed and not status.ok else None
    if ending.kind != "done":
        if error is not None:
            console.warn(str(error))
        raise click.exceptions.Exit(ExhaustedError.exit_status)
    if error is not None:
        raise error


def _without_answer(study: Study, failed: int) -> UsageError:
    """Return the error of a study of failures alone: as for more of them, the command is held to be wrong."""
    from ordbo_cli.problem.spelling import shown_path

    again = f"'ordbo pending retry {shown_path(study.problem_path)} --failed' has the points evaluated again"
    if not study.can_take_back():
        again = f"take their rows out of {shown_path(study.evaluations_path)}"
    what = "the only evaluation" if failed == 1 else f"not one of {failed} evaluations"
    gave = "gave no answer" if failed == 1 else "gave an answer"
    return UsageError(f"{what} {gave}", f"If it was the command's fault, mend it; {again}")
