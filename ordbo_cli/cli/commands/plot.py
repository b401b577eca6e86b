"""``ordbo plot``: pictures of what the method sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import names_in
from ordbo_cli.cli.options import PATH, demand, objective_option
from ordbo_cli.cli.output import check_target, overwrite
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant

if TYPE_CHECKING:
    from ordbo_cli.insight.inspection import View
    from ordbo_cli.pictures.scene import Scene, Truth
    from ordbo_cli.pictures.style import Look, Picture
    from ordbo_cli.problem.method import PartitionKind

_EXAMPLES: Final = """
ordbo plot drag.yaml convergence               # drag-convergence.png
ordbo plot drag.yaml acquisition -o next.svg --parameters angle,blades
ordbo plot drag.yaml warp --step 12 --theme dark -o warp.pdf
ordbo plot --benchmark many_steps_2d --step 8 fit
"""
KINDS: Final = {  # in the order in which people want them
    "convergence": "every result and the best so far, the regret if the optimum is known; how a front grew",
    "front": "of several objectives the results that no other one dominates, by pairs of objectives",
    "fit": "1D: data, latent posterior with its band, distances; 2D and more: evaluations over time",
    "warp": "original and latent axes joined, of every parameter and of the objective",
    "cells": "the partition into cells, in the parameters' own units and in the latent space",
    "acquisition": "ranks; lower confidence bound; chance to hold the minimum, and bound, by cell; the next point",
    "parallel": "parallel coordinates by rank, for many parameters or several objectives",
    "importance": "the latent length that each parameter gets, with its interval",
    "effects": "main effects: what each value or level of a parameter does to the expected rank",
}
_KINDS: Final = "\b\n" + "\n".join(f"{kind:<13}{shows}" for kind, shows in KINDS.items())


def _size(context: click.Context, option: click.Parameter, text: str | None) -> tuple[float, float] | None:
    """Read ``8x5``."""
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = 0.0, 0.0
    if not all(1.0 <= side <= 100.0 for side in size):
        raise click.BadParameter(f"{text!r} is not a size from 1x1 to 100x100 inches; write 8x5")
    return size


@click.command("plot", cls=BaseCommand, examples=_EXAMPLES, epilog=f"Kinds:\n\n{_KINDS}")
@click.argument("what", metavar="[PROBLEM] KIND", nargs=-1, required=True)
@objective_option
@click.option("-o", "--output", type=PATH, help="The picture, .png, .svg or .pdf (default: PROBLEM-KIND.png).")
@click.option(
    "--parameters",
    metavar="NAMES",
    help="The two parameters (or the one) that cells, acquisition and fit show; by default those of most latent"
    " length. The others stay where the best point has them. Of warp, parallel, importance and effects: all that are"
    " drawn.",
)
@click.option(
    "--step", type=click.IntRange(min=0), help="As it was after so many evaluations (default: now; of a benchmark 25)."
)
@click.option("--partition", type=click.Choice(("tree", "exhaustive")), help="Which cells (default: the method's).")
@click.option("--samples", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Of Thompson sampling.")
@click.option("--ranks", is_flag=True, help="Axes of a front by rank, whatever the values are.")
@click.option("--benchmark", metavar="NAME", help="A test problem in place of PROBLEM; 'ordbo benchmark' lists them.")
@click.option("--method", metavar="NAME", help="With --benchmark: the method (default: default).")
@click.option("--seed", type=click.IntRange(min=0), help="With --benchmark: the run (default: 0).")
@click.option("--theme", type=click.Choice(("light", "dark")), default="light", show_default=True, help="Of colours.")
@click.option(
    "--size",
    metavar="WxH",
    callback=_size,
    help="Width and height in inches, such as 8x5 (default: what suits the picture).",
)
@click.option("--dpi", type=click.FloatRange(20, 1200), default=150.0, show_default=True, help="Of a PNG.")
def command(
    console: Console,
    what: tuple[str, ...],
    objective: str | None,
    output: Path | None,
    parameters: str | None,
    step: int | None,
    partition: PartitionKind | None,
    samples: int,
    ranks: bool,
    benchmark: str | None,
    method: str | None,
    seed: int | None,
    theme: str,
    size: tuple[float, float] | None,
    dpi: float,
) -> None:
    """Draw what the method sees.

    Nothing is recorded. The numbers are those that the next 'ordbo suggest' chooses by; with --step, those of a fit
    that starts anew. --verbose says in words what is in the picture.
    """
    path, kind = _what(what, benchmark)
    if benchmark is not None and objective is not None:
        raise UsageError("--objective belongs to a study", "The test problems have one objective each")
    if benchmark is None and (method, seed) != (None, None):
        raise UsageError("--method and --seed belong to --benchmark", "A study has its own, in the problem file")
    demand("'ordbo plot'", "matplotlib")
    from ordbo_cli.pictures.kinds import check_kind, draw
    from ordbo_cli.pictures.style import THEMES, Look, format_of

    look = Look(THEMES[theme], size, dpi)
    if output is not None:
        format_of(output)  # refused before the work
        check_target(output)
    wanted = _Wanted(parameters, partition, samples, ranks)
    with console.busy("drawing"):
        if path is None:
            last = 25 if step is None else step
            check_kind(kind, None, ranks=ranks)
            scene = _benchmark_scene(benchmark or "", method or "default", seed or 0, last, wanted)
            name, picture = scene.name, draw(kind, scene, look)
        else:
            name, picture = _of_study(console, path, objective, kind, step, wanted, look)
        target = output or Path(f"{name.replace(', ', '-')}-{kind}.png")
        overwrite(target, picture.encoded(format_of(target)))
    console.say(f"picture: {target}")
    console.detail(picture.alt)


class _Wanted(NamedTuple):
    """What the options say of the scene."""

    parameters: str | None
    partition: PartitionKind | None
    samples: int
    ranks: bool

    def scene(self, view: View, name: str, truth: Truth | None = None) -> Scene:
        """Return the scene of a view."""
        from ordbo_cli.pictures.parameter_axes import places
        from ordbo_cli.pictures.scene import Scene

        names = [] if self.parameters is None else names_in(self.parameters, view.problem)
        return Scene(view, name, truth, places(view.problem.free, names), self.partition, self.samples)


def _what(words: tuple[str, ...], benchmark: str | None) -> tuple[Path | None, str]:
    """Return the problem file, unless a test problem stands in its place, and the kind of picture."""
    kinds = f"KIND is one of {', '.join(KINDS)}"
    if benchmark is None and len(words) == 1:
        if words[0] in KINDS:
            raise UsageError(f"no PROBLEM stands in front of {words[0]}", f"Write: ordbo plot PROBLEM {words[0]}")
        raise UsageError(f"no KIND of picture stands behind {words[0]}", f"{kinds}: ordbo plot {words[0]} convergence")
    if len(words) != (2 if benchmark is None else 1):
        wanted = "PROBLEM and one KIND are" if benchmark is None else "with --benchmark, one KIND alone is"
        raise UsageError(f"{wanted} expected, not {' '.join(words)}", kinds)
    if words[-1] not in KINDS:
        turned = benchmark is None and words[0] in KINDS
        hint = f"Write: ordbo plot {words[1]} {words[0]}" if turned else meant(words[-1], KINDS)
        raise UsageError(f"there is no picture {words[-1]!r}", hint)
    return (Path(words[0]) if benchmark is None else None), words[-1]


def _of_study(
    console: Console, path: Path, objective: str | None, kind: str, step: int | None, wanted: _Wanted, look: Look
) -> tuple[str, Picture]:
    """Return a study's name, and a picture of it."""
    from ordbo_cli.insight.inspection import View
    from ordbo_cli.pictures.kinds import check_kind, draw, draw_trades, needs_no_model
    from ordbo_cli.pictures.plots.fronts.trades import Trades
    from ordbo_cli.study.study import Study

    study = Study.open(path, objective=objective)
    check_kind(kind, study.problem, ranks=wanted.ranks)
    snapshot = study.snapshot(step)
    tell_notes(console, study, snapshot.status.warnings)
    name = path.stem if objective is None else f"{path.stem}, {objective}"
    if needs_no_model(kind, study.problem):
        return name, draw_trades(kind, Trades.of(snapshot, name), look, ranks=wanted.ranks)
    return name, draw(kind, wanted.scene(View.of(snapshot.given), name), look)


def _benchmark_scene(name: str, method: str, seed: int, step: int, wanted: _Wanted) -> Scene:
    from ordbo_cli.benchmark.rivals.methods import ordinal_method
    from ordbo_cli.benchmark.runs import input_after
    from ordbo_cli.benchmark.suites.suite import problem
    from ordbo_cli.insight.inspection import View
    from ordbo_cli.pictures.scene import Truth

    subject = problem(name)
    view = View.of(input_after(subject, ordinal_method(method), seed, step))
    return wanted.scene(view, subject.name, Truth(subject, subject.regret, subject.minimiser))
