"""The course of a study: every result and the best so far, and the regret where the optimum is known."""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.pictures.scales import set_scale
from ordbo_cli.pictures.scene import Scene, Truth, named
from ordbo_cli.pictures.style import Axes, Look, Picture, legend
from ordbo_cli.pictures.words import counted, figure_of


def draw(scene: Scene, look: Look) -> Picture:
    """Draw results over evaluations with the best so far; below it the regret of a test problem.

    Only results inside the bounds count for the best so far, as everywhere.
    """
    panels = 1 if scene.truth is None else 2
    with look.figure(6.4, 2.6 * panels + 0.4) as figure:
        rows = figure.subplots(panels, 1, squeeze=False, sharex=True)[:, 0]
        _results(rows[0], scene, look)
        if scene.truth is not None:
            _regret(rows[1], scene, scene.truth, look)
        rows[-1].set_xlabel("evaluations")
        rows[-1].xaxis.get_major_locator().set_params(integer=True)
        rows[0].set_title(f"{scene.name}: best so far")
        legend(figure, rows[0])
    return Picture(figure, "Best so far", _words(scene), look)


def best_so_far(scene: Scene) -> Array:
    """Return the height of the best success so far after each evaluation [N], NaN before the first."""
    view, y = scene.view, scene.heights.y
    counts = np.where(view.inside & ~np.isnan(y), y, np.nan)
    better = np.fmax if scene.heights.high_is_good else np.fmin
    return np.asarray(better.accumulate(counts)) if len(counts) else counts


def _results(axes: Axes, scene: Scene, look: Look) -> None:
    theme, view, y = look.theme, scene.view, scene.heights.y
    number = np.arange(1, len(y) + 1)
    initial = min(view.problem.method.initial_rows(scene.dimension), len(y))
    axes.axvspan(0.5, initial + 0.5, color=theme.grid, alpha=0.35, linewidth=0, label="initial design")
    axes.plot(number, y, "o", color=theme.muted, markersize=3.5, label="results", gid="results")
    axes.plot(number, best_so_far(scene), "-", color=theme.data, drawstyle="steps-post", label="best so far")
    if view.best is not None:
        axes.plot(number[view.best], y[view.best], "*", color=theme.best, markersize=11, label="best")
    if np.any(gone := np.isnan(y)):
        places = np.full(int(gone.sum()), 0.03 if scene.heights.high_is_good else 0.97)  # worse than any result
        axes.plot(
            number[gone], places, "x", color=theme.failed, markersize=5, transform=axes.get_xaxis_transform(),
            label="failed",
        )  # fmt: skip
    scene.heights.apply(axes)
    axes.set_xlim(0.5, max(len(y), 1) + 0.5)
    axes.set_ylabel(scene.objective + scene.heights.note)
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)


def _regret(axes: Axes, scene: Scene, truth: Truth, look: Look) -> None:
    regrets = np.array([truth.regret(truth.function(x)) for x in scene.view.X])
    number = np.arange(1, len(regrets) + 1)
    axes.plot(number, regrets, "o", color=look.theme.muted, markersize=3.5)
    axes.plot(number, np.minimum.accumulate(regrets), "-", color=look.theme.data, drawstyle="steps-post")
    set_scale(axes, "y", "log")
    axes.set_ylabel("regret")
    axes.grid(axis="y", color=look.theme.grid, linewidth=0.6)


def _words(scene: Scene) -> str:
    view = scene.view
    number = len(view.evaluations)
    if view.best is None:
        return f"{counted(number, 'evaluation')}; none of them succeeded yet."
    y = [e.objective for e in view.evaluations]
    first = next(k for k in range(number) if view.inside[k] and not view.failed[k])
    name = named(view.problem.objective, "")
    unit = view.problem.unit
    words = (
        f"The best {name} so far goes from {figure_of(y[first], unit)} at evaluation {first + 1} to"
        f" {figure_of(y[view.best], unit)} at evaluation {view.best + 1} of {number}."
    )
    failed = int(view.failed.sum())
    return f"{words} {counted(failed, 'evaluation')} failed." if failed else words
