"""``ordbo benchmark``: the paper's experiments, with baselines."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.benchmarks import distortion_tables as distortions
from ordbo_cli.cli.benchmarks import front_tables as trades
from ordbo_cli.cli.benchmarks import score_output as scores
from ordbo_cli.cli.benchmarks import theory_tables as growth
from ordbo_cli.cli.benchmarks.experiment_runs import bases_of, conducted, runs_of, subjects_of
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import PATH, format_option, typed
from ordbo_cli.cli.output import check_target
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.benchmark.records import RecordFile
    from ordbo_cli.benchmark.runs import Run

_EXAMPLES: Final = """
ordbo benchmark                                # the paper's problems and setting; call it again to go on
ordbo benchmark --problems all --methods standard,peers --figure regret.png
ordbo benchmark --problems bent_cigar_2d --methods default:beta=1.5,prior.spread=0.5,vanilla
ordbo benchmark --problems tune --seeds 100:110 --output tune.jsonl --format markdown
ordbo benchmark --methods standard,peers --budgets 25,50,100,200 --html report.html
ordbo benchmark --records their.jsonl.xz --methods default,botorch --baseline botorch --seeds 0:5
ordbo benchmark --problems hartmann_4d --distort log,cube,warp --output distorted.jsonl
ordbo benchmark --problems fronts --output fronts.jsonl
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


def _budgets(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Read ``25,50,100``: whole numbers from 1, which come out in order."""
    try:
        budgets = sorted({int(piece) for piece in text.split(",")}) if text is not None else []
    except ValueError:
        budgets = [0]
    if budgets and budgets[0] < 1:
        raise click.BadParameter(f"{text!r} is not a list of numbers of evaluations; write 25,50,100")
    return tuple(budgets)


class _Benchmark(BaseCommand):
    """The command, which keeps the words that it was called by: its page tells them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words, and read them."""
        ctx.meta["words"] = tuple(args)
        return super().parse_args(ctx, args)


@click.command("benchmark", cls=_Benchmark, examples=_EXAMPLES)
@click.option(
    "--problems",
    multiple=True,
    metavar="NAMES",
    help="Names separated by commas, or paper (the default), challenging (paper without its smooth hartmann_4d), wide,"
    " all (paper and wide); smooth (bowls and the textbook's functions); mixed (parameters of every kind); outcomes"
    " (limits that only an evaluation tells); engineering (simulators, some of which need ordbo[engineering] or a"
    " program); fronts (several objectives, which no call mixes with others); latent (draws of the method's own"
    " prior). Half of wide, smooth, mixed, engineering and fronts is for choosing settings: tune, smooth-tune,"
    " mixed-tune, engineering-tune, fronts-tune; the other half to judge them by: unseen, smooth-unseen, mixed-unseen,"
    " engineering-unseen, fronts-unseen. Distortions may stand behind a name:"
    " hartmann_4d@cube, paper@log@units; see --distort.",
)
@click.option(
    "--methods",
    multiple=True,
    metavar="NAMES",
    help="Names separated by commas, or standard (the default: default, metric-free, vanilla, vanilla-isotropic,"
    " random, sobol), baselines (the four vanilla ones), peers, all, fronts (those of several objectives, the default"
    " there); of a group those take part that are installed."
    " Settings of a preset stand behind a colon:"
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
    "--iterations",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Suggestions after these; with several objectives as many as make 50 evaluations.",
)
@click.option(
    "--budgets",
    metavar="NUMBERS",
    callback=_budgets,
    help="In place of --iterations: numbers of evaluations, the initial ones included, at which all is told:"
    " 25,50,100. There is one run, to the largest, and a method that wants to know how long it is, such as nevergrad,"
    " is told that one. Of the others, unless they choose batches, a run on file that goes further answers too.",
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
    "--records",
    type=PATH,
    multiple=True,
    help="Another file of such records, which is only read, with its timings beside it if they are there; may be"
    " repeated, and packed (.xz, .gz). A method whose runs are all on file need not be installed.",
)
@click.option(
    "--baseline",
    metavar="METHOD",
    default="best",
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
@distortions.option
@click.option("--figure", type=PATH, help="Draw the regrets, and the problems in two dimensions, as PNG, SVG or PDF.")
@click.option(
    "--html",
    "page",
    type=PATH,
    help="Write one page with everything: tables, data profiles, ranks, regrets, times. It needs no other file.",
)
@format_option("table", "json", "markdown", default="table", help="How the tables are printed (default: table).")
def command(
    console: Console,
    problems: tuple[str, ...],
    methods: tuple[str, ...],
    problem: Path | None,
    simulator: str | None,
    seeds: tuple[int, ...],
    initial: int,
    iterations: int,
    budgets: tuple[int, ...],
    jobs: int | None,
    scheduler: str | None,
    output: Path,
    records: tuple[Path, ...],
    theory: bool,
    figure: Path | None,
    page: Path | None,
    form: str,
    baseline: str,
    distort: tuple[str, ...],
) -> None:
    """Compare methods on test problems, or on a simulator of yours.

    Cumulative regret is the sum after the initial design, as the mean over seeds; simple regret is that of the best
    point so far, half-way and at the end, as the geometric mean. Both are floored at the problem's precision: 1e-8,
    half the smallest step of a step function, or what a simulator resolves. Each is also a ratio to the strongest
    vanilla Bayesian optimisation that takes part, or to another --baseline, with its 95% bootstrap interval; below 1
    is better. Of a simulator of yours the best value that any run found counts as optimum. A group of --problems has a
    row of its own where all its problems take part.

    A failure is the worst rank to ordinal methods. Those that need a number for it are told the worst value seen so
    far.

    Methods: default, metric-free, paper, paper-thompson, random, sobol; with the extra ordbo[gpflow] vanilla
    (results standardised, a lengthscale for each parameter), vanilla-isotropic (one for all), vanilla-raw and
    vanilla-raw-isotropic (results as they are, fitted as gpflow does by default); with ordbo[peers] optuna-tpe,
    optuna-gp, optuna-cmaes, pycma, nevergrad, botorch, ax, baybe, smac, egobox, egobox-trego, cobyqa, pybobyqa, pybads,
    nomad; in environments of their own hebo, vizier. Below the tables stand the packages with the versions installed
    here, which those of records from elsewhere need not be, where each method began, and which of its settings are not
    its library's. default:batch=4 chooses four points at a time, as 'ordbo suggest -n 4' does; naive-batch:batch=4
    takes the four best cells of one acquisition.

    Levels without an order are categories to Optuna (its CMA-ES draws them at random), Ax, BayBE, SMAC, egobox, HEBO
    and Vizier, choices to Nevergrad, one-hot axes to vanilla and BoTorch, rounded at the end, whole numbers to NOMAD,
    and equal parts of an axis to random, sobol and pycma, as to COBYQA, Py-BOBYQA and PyBADS; naive-batch refuses them.
    Levels in order and whole numbers are whole numbers to libraries that have them, equal parts of an axis to the
    others. Only Optuna and SMAC, like the ordinal methods, know when a parameter does not count.

    Data profiles count which share of thirty targets is met after so many evaluations, over all problems and seeds:
    63%, 40%, 25%, 16%, 10%, ... down to a millionth of the regret of the best initial point, or the problem's
    precision. "area" is the mean share on the way. Methods are told apart by Wilcoxon's signed-rank test over problems,
    with Holm's correction: no number of seeds makes up for few problems.

    With --distort methods also see each problem otherwise, with the same initial points and its own regret: each
    method's regret by its own on the problem as it is, and how many runs have the very same points.

    With several objectives (--problems fronts) there are two figures, after 25 and 50 evaluations: the hypervolume of
    the results as a share of that of the best trades that are known, and the distance (IGD+) from these to the results
    in units of their ranges; and both in rank coordinates, in which no increasing transform of an objective counts.
    Methods: default, metric-free, paper, random, sobol, optuna-motpe, optuna-nsga2, optuna-gp-ehvi, botorch-nehvi.

    With --theory the tables hold the mean cumulative regret in the latent space, the slope of its growth on log-log
    axes over the second half of the run (below 1 it is sublinear), and how far above are the bound of Theorem 1 and
    the trivial one, the range of the function at every evaluation.
    """
    from ordbo_cli.benchmark.distortions.changes import changes
    from ordbo_cli.benchmark.records import COMPRESSED, RecordFile
    from ordbo_cli.benchmark.rivals.registry import FRONTS
    from ordbo_cli.benchmark.scoring.front_scores import front_scores
    from ordbo_cli.benchmark.scoring.results import results
    from ordbo_cli.benchmark.scoring.score_tables import ScoreTables
    from ordbo_cli.benchmark.suites.suite import left_out

    context = click.get_current_context()
    if output.suffix in COMPRESSED:
        raise UsageError(f"{output}: nothing is appended to a packed file", "Give it as --records, another as --output")
    check_target(output)
    if figure is not None:
        scores.check_figure(figure)
    if page is not None:
        scores.check_page(page, output, *records)
    if theory:
        chosen = growth.settings(context)
        problems, methods, seeds, iterations = (chosen[name] for name in growth.SETTINGS)
    elif budgets:
        iterations = _iterations(context, budgets, initial)
    file, asked = RecordFile(output, records), subjects_of(problems, problem, simulator)
    if fronts := trades.fronts_of(context, asked):
        budgets = trades.budgets_of(context, budgets, initial, iterations)
        runs = runs_of(console, file, fronts, methods or (FRONTS,), seeds, initial, budgets[-1] - initial)
        done = conducted(console, runs, file, jobs or _cores(), scheduler)
        shown = front_scores(fronts, done, file.timings(), budgets)
        trades.print_fronts(console, shown, list(dict.fromkeys(run.contestant.name for run in runs)), form)
        return
    subjects = list({s.name: s for s in (*asked, *distortions.distorted_copies(console, asked, distort))}.values())
    runs = runs_of(console, file, subjects, methods, seeds, initial, iterations, left_out(problems))
    how = (file, jobs or _cores(), scheduler)
    if theory:
        _tell_growth(console, runs, how, form, figure)
        return
    named = {run.contestant.name: run.contestant for run in runs}
    bases = bases_of(baseline, named)
    done = conducted(console, runs, *how)
    everything = results(done, file.timings(), bases[0], budgets)
    changed, found = changes(subjects, everything, done), everything.on([subject.name for subject in asked])
    if len(bases) > 1:
        found = found.with_strongest(bases)
        console.say(f"baseline: {found.baseline}, the strongest of {', '.join(bases)}")
    elif bases[0] not in named and len(named) > 1:
        console.say("no vanilla method takes part: there is no baseline to compare with; --baseline NAME names one")
    tables = ScoreTables.of(found)
    scores.print_scores(console, tables, changed, form)
    if figure is not None:
        scores.draw(tables.found, figure)
        console.say(f"figure: {figure}")
    if page is not None:
        from ordbo_cli.cli.benchmarks.benchmark_page import Origin, write_page

        words = shlex.join(["ordbo", "benchmark", *context.meta["words"]])
        with console.busy("drawing"):
            write_page(page, tables, Origin(words, seeds, (output, *records), tuple(named.values())))
        console.say(f"page: {page}")


def _iterations(context: click.Context, budgets: tuple[int, ...], initial: int) -> int:
    """Return the number of suggestions up to the largest budget.

    Raises:
        UsageError: --iterations says it too, or a budget ends with the initial points.
    """
    if typed(context, "iterations"):
        raise UsageError("--budgets and --iterations both say how long a run is", "Leave one of them out")
    if budgets[0] <= initial:
        raise UsageError(
            f"a budget of {budgets[0]} leaves nothing after the {initial} initial points",
            "Numbers of --budgets count all evaluations, the initial ones included",
        )
    return budgets[-1] - initial


def _tell_growth(
    console: Console, runs: list[Run], how: tuple[RecordFile, int, str | None], form: str, figure: Path | None
) -> None:
    from ordbo_cli.benchmark.theory_experiment import courses

    growth.check(runs)
    found = courses(conducted(console, runs, *how))
    growth.print_growth(console, found, form)
    if figure is not None:
        growth.draw(found, figure)
        console.say(f"figure: {figure}")
