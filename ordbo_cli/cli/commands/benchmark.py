"""``ordbo benchmark``: the paper's experiments, with baselines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli.cli import theory_tables as growth
from ordbo_cli.cli.base_command import BaseCommand, verbosity
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import PATH, demand, format_option
from ordbo_cli.cli.output import check_target
from ordbo_cli.cli.standings import as_json, group_table, print_tables, problem_table
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.runs import Run, Subject
    from ordbo_cli.benchmark.scores import Results

_EXAMPLES: Final = """
ordbo benchmark                                # the paper's problems and setting; call it again to go on
ordbo benchmark --problems all --methods standard,peers --figure regret.png
ordbo benchmark --problems bent_cigar_2d --methods default:beta=1.5,prior.spread=0.5,vanilla
ordbo benchmark --problems tune --seeds 100:110 --output tune.jsonl --format markdown
ordbo benchmark --theory --output theory.jsonl --figure growth.png
ordbo benchmark --problem drag.yaml --command './simulate {angle} {blades}' --seeds 0:3
"""


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _seeds(context: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    """Read ``0:10``, ``3`` or ``1,4,9``."""
    try:
        seeds: list[int] = []
        for piece in text.split(","):
            first, colon, end = piece.partition(":")
            seeds.extend(range(int(first), int(end)) if colon else [int(first)])
    except ValueError:
        seeds = []
    if not seeds or min(seeds) < 0:
        raise click.BadParameter(f"{text!r} is not a list of seeds; write 0:10 for 0 to 9, or 1,4,9")
    return tuple(dict.fromkeys(seeds))


@click.command("benchmark", cls=BaseCommand, examples=_EXAMPLES)
@click.option(
    "--problems",
    multiple=True,
    metavar="NAMES",
    help="Names separated by commas, or paper (the default), wide, tune (the half of wide to choose settings by), all;"
    " mixed (parameters of every kind), mixed-tune (the half of it to choose settings by);"
    " outcomes (limits that only an evaluation tells); or latent, draws of the method's own prior.",
)
@click.option(
    "--methods",
    multiple=True,
    metavar="NAMES",
    help="Names separated by commas, or standard (the default: default, metric-free, vanilla, random, sobol),"
    " baselines (the four vanilla ones), peers, all. Settings of a preset stand behind a colon:"
    " default:beta=1.5,prior.spread=0.5.",
)
@click.option(
    "--problem",
    type=PATH,
    help="A problem file of yours, in place of --problems or beside them. Its method is not used: see --methods.",
)
@click.option(
    "--command",
    "simulator",
    metavar="COMMAND",
    help="With --problem: what evaluates a point, called as 'ordbo run' does: {angle} becomes the value of angle, no"
    " shell is involved, and it answers as for 'ordbo run'.",
)
@click.option(
    "--seeds", default="0:10", show_default=True, callback=_seeds, help="The repetitions: 0:10 is 0 to 9; or 1,4,9."
)
@click.option(
    "--initial",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    help="Points that all methods start from, the two extreme corners among them.",
)
@click.option(
    "--iterations", type=click.IntRange(min=1), default=20, show_default=True, help="Suggestions after these."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes at work (default: one for each core).")
@click.option("--scheduler", metavar="ADDRESS", help="Do the runs on a Dask cluster, such as tcp://host:8786.")
@click.option(
    "--output",
    "-o",
    type=PATH,
    default=Path("benchmark.jsonl"),
    show_default=True,
    help="Every evaluation, a JSON line each. Runs that it holds are not done again: an interrupted experiment goes on,"
    " and another method may join. Timings go into a file beside it.",
)
@click.option(
    "--baseline",
    metavar="METHOD",
    default="vanilla",
    show_default=True,
    help="What the ratios are to: one of the methods, as --methods names it; or best, that of the vanilla ones with the"
    " lowest cumulative regret over all problems, by geometric mean.",
)
@click.option(
    "--theory",
    is_flag=True,
    help="How the regret in the latent space grows, and the bound of the paper's Theorem 1 beside it: 20 draws of the"
    " latent prior on a known warp, 100 suggestions, beta: theory scaled by 1, 0.1 and 0.01. --problems (latent ones),"
    " --methods, --seeds and --iterations may be given all the same.",
)
@click.option("--figure", type=PATH, help="Draw the regrets, and the problems in two dimensions, as PNG, SVG or PDF.")
@format_option("table", "json", "markdown", default="table", help="How the tables are printed (default: table).")
@verbosity
@click.pass_obj
def command(
    console: Console,
    problems: tuple[str, ...],
    methods: tuple[str, ...],
    problem: Path | None,
    simulator: str | None,
    seeds: tuple[int, ...],
    initial: int,
    iterations: int,
    jobs: int | None,
    scheduler: str | None,
    output: Path,
    theory: bool,
    figure: Path | None,
    form: str,
    baseline: str,
) -> None:
    """Compare methods on test problems, or on a simulator of yours.

    Regret is counted after the initial design and floored at the problem's precision: cumulative regret as the mean
    over seeds, simple regret as the geometric mean, each also as a ratio to vanilla Bayesian optimisation, or to
    another --baseline, with its 95% bootstrap interval; below 1 is better. Of a simulator of yours the best value that
    any run found counts as optimum.

    A failure is the worst rank to ordinal methods. Those that need a number for it (baselines and peers) are told the
    worst value seen so far.

    Methods: default, metric-free, paper, paper-thompson, random, sobol; with the extra ordbo[gpflow] vanilla
    (results standardised, a lengthscale for each parameter), vanilla-isotropic (one for all), vanilla-raw and
    vanilla-raw-isotropic (results as they are, fitted as gpflow does by default); with ordbo[peers] optuna-tpe,
    optuna-gp, nevergrad, optuna-cmaes, pycma, botorch. default:batch=4 chooses four points at a time, as 'ordbo suggest
    -n 4' does; naive-batch:batch=4 takes the four best cells of one acquisition.

    Levels without an order are categories to Optuna (its CMA-ES draws them at random) and choices to Nevergrad, one-hot
    axes to vanilla and BoTorch, rounded at the end, and equal parts of an axis to random, sobol and pycma;
    naive-batch refuses them. Levels in order and whole numbers are whole numbers to Optuna and equal parts of an axis
    to all of these others. Only Optuna, like the ordinal methods, knows when a parameter does not count.

    With --theory the tables hold the mean cumulative regret in the latent space, the slope of its growth on log-log
    axes over the second half of the run (below 1 it is sublinear), and how far above are the bound of Theorem 1 and
    the trivial one, the range of the function at every evaluation.
    """
    from ordbo_cli.benchmark.scores import results

    if figure is not None:
        _check_figure(figure)
    if theory:
        chosen = growth.settings(click.get_current_context())
        problems, methods, seeds, iterations = (chosen[name] for name in growth.SETTINGS)
    runs = _runs(console, _subjects(problems, problem, simulator), methods, seeds, initial, iterations)
    if theory:
        _tell_growth(console, runs, (output, jobs or _cores(), scheduler), form, figure)
        return
    bases = _baselines(baseline, {run.contestant.name: None for run in runs})
    found = results(*_conducted(console, runs, output, jobs or _cores(), scheduler), bases[0])
    if len(bases) > 1:
        found = found.with_strongest(bases)
        console.say(f"baseline: {found.baseline}, the strongest of {', '.join(bases)}")
    _print(console, found, form)
    if figure is not None:
        _draw(found, figure)
        console.say(f"figure: {figure}")


def _tell_growth(
    console: Console, runs: list[Run], how: tuple[Path, int, str | None], form: str, figure: Path | None
) -> None:
    from ordbo_cli.benchmark.theory_experiment import courses

    growth.check(runs)
    found = courses(_conducted(console, runs, *how)[0])
    growth.print_growth(console, found, form)
    if figure is not None:
        growth.draw(found, figure)
        console.say(f"figure: {figure}")


def _subjects(problems: tuple[str, ...], problem: Path | None, simulator: str | None) -> list[Subject]:
    from ordbo_cli.benchmark.suites import suite
    from ordbo_cli.benchmark.suites.simulator import Simulator

    if (problem is None) != (simulator is None):
        raise UsageError("--problem and --command belong together", "Give both, or neither")
    own = [] if problem is None or simulator is None else [Simulator.load(problem, simulator)]
    named = suite.problems(problems or (() if own else ("paper",)))
    if clash := {one.name for one in own} & {one.name for one in named}:
        raise UsageError(f"the problem file has the name of the test problem {clash.pop()}", "Rename it")
    return [*named, *own]


def _runs(
    console: Console,
    subjects: list[Subject],
    methods: tuple[str, ...],
    seeds: tuple[int, ...],
    initial: int,
    iterations: int,
) -> list[Run]:
    from ordbo_cli.benchmark.rivals.methods import contestants
    from ordbo_cli.benchmark.runs import Run

    chosen = contestants(methods or ("standard",))
    if not (subjects and chosen):
        raise UsageError("there is nothing to do", "Name a problem and a method, or leave the options out")
    for one in chosen if not methods else ():
        if one.missing:
            console.say(f"{one.name} is left out: {one.install} adds it")
    chosen = chosen if methods else tuple(one for one in chosen if not one.missing)
    for one in chosen:
        one.check(*(subject.problem(one.method, 0) for subject in subjects))
    return [Run(subject, one, seed, initial, iterations) for subject in subjects for seed in seeds for one in chosen]


def _baselines(named: str, methods: Mapping[str, None]) -> tuple[str, ...]:
    """Return the methods of which the strongest becomes the baseline: one, but for ``best``.

    Raises:
        UsageError: it does not take part.
    """
    from ordbo_cli.benchmark.rivals.methods import BASELINE, BASELINES, BEST, contestant

    if named.strip() == BEST:
        bases = tuple(name for name in BASELINES if name in methods)
        if not bases:
            raise UsageError(
                "no vanilla method takes part, of which the best is the baseline", "Add baselines to --methods"
            )
        return bases
    base = contestant(named).name
    if base not in methods and base != BASELINE:
        raise UsageError(f"the baseline {base} does not take part", f"Name {BEST}, or one of {', '.join(methods)}")
    return (base,)


def _conducted(console: Console, runs: list[Run], output: Path, jobs: int, scheduler: str | None) -> tuple[Any, Any]:
    """Do the runs; return their records and the timings."""
    from ordbo_cli.benchmark.experiment import conduct
    from ordbo_cli.benchmark.records import RecordFile
    from ordbo_cli.drive.processes.executors import executor

    file = RecordFile(output)
    try:
        with (
            file.locked(),
            console.progress("runs", len(runs)) as progress,
            executor(jobs, scheduler) as (workers, at_once),
        ):
            records = conduct(runs, file, workers, at_once, progress)
    except KeyboardInterrupt:
        console.say(f"the runs that ended are in {output}; the same command goes on")
        raise
    return records, file.timings()


def _print(console: Console, found: Results, form: str) -> None:
    from ordbo_cli.benchmark.scores import group_standings, standings

    rows, groups = standings(found), group_standings(found)
    if form == "json":
        console.data(as_json(rows, groups))
        return
    tables = [problem_table(rows, found.baseline)]
    if groups:
        tables.append(group_table(groups, found.baseline))
    print_tables(console, tables, form)


def _check_figure(figure: Path) -> None:
    """Refuse a figure that could not be drawn or written, before hours of work.

    Raises:
        UsageError: its suffix names no format, it is a folder, or matplotlib is missing.
        MissingFileError: its folder is not there.
    """
    from ordbo_cli.pictures.style import format_of

    format_of(figure)
    demand("--figure", "matplotlib")
    check_target(figure)


def _draw(found: Results, figure: Path) -> None:
    from ordbo_cli.benchmark.suites.suite import PROBLEMS
    from ordbo_cli.pictures.plots.regret import Landscape, Panel, draw_regret
    from ordbo_cli.pictures.style import Look

    panels = [
        Panel(problem, {method: found.regrets[problem, method] for method in found.methods}, found.initial)
        for problem in found.problems
    ]
    known = [PROBLEMS[problem] for problem in found.problems if problem in PROBLEMS]
    landscapes = [
        Landscape(one.name, one, one.bounds, one.scales, one.minimiser) for one in known if one.dimension == 2
    ]
    draw_regret(panels, landscapes, Look()).save(figure)
