"""The course of a study: every result and the best so far, and the regret where the optimum is known."""

from __future__ import annotations

from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.failures import Trouble, mark, sentence, troubles
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.plots.fronts.front_growth import draw_front_growth
from ordbo_cli.pictures.plots.fronts.priority_course import draw_priority_course
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scales import Heights, seen_from_the_best, set_scale
from ordbo_cli.pictures.scene import Scene, Truth
from ordbo_cli.pictures.sentences import best
from ordbo_cli.pictures.style import Axes, Look, Picture, legend, star
from ordbo_cli.pictures.words import counted, figure_of

_CROWD: Final = 150  # results, from which on their marks are small and faint


def draw(scene: Scene, look: Look) -> Picture:
    """Draw results over evaluations with the best so far; below it the regret of a test problem.

    Of several objectives it is the growth of the front, or by priority the values of each.

    Only results inside the bounds count for the best so far, as everywhere.
    """
    from matplotlib.ticker import MaxNLocator

    if scene.view.given.problem.by_priority:
        return draw_priority_course(Trades.given(scene.view.given, scene.name), look)
    if scene.view.problem.several:
        return draw_front_growth(Trades.seen(scene), look)
    panels = 1 if scene.truth is None else 2
    regrets = None if scene.truth is None else _regrets(scene, scene.truth)
    with look.figure(6.4, 2.6 * panels + 0.4) as figure:
        rows = figure.subplots(panels, 1, squeeze=False, sharex=True)[:, 0]
        _results(rows[0], scene, look)
        if regrets is not None:
            _regret(rows[1], regrets, look)
        number = len(scene.view.evaluations)
        rows[-1].set_xlabel(f"{scene.noun}s")
        rows[-1].set_xlim(0.5, max(number, 1) + 0.5)
        rows[-1].xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
        if not number:
            rows[-1].set_xticks([])
        rows[0].set_title(f"{scene.name}: best so far")
        legend(figure, rows[0])
    return Picture(figure, "Best so far", _words(scene, regrets), look)


def best_so_far(scene: Scene, shown: Heights) -> Array:
    """Return the height of the best success so far after each evaluation [N], NaN before the first."""
    counts = np.where(scene.view.leading & ~np.isnan(shown.y), shown.y, np.nan)
    better = np.fmax if shown.high_is_good else np.fmin
    return np.asarray(better.accumulate(counts)) if len(counts) else counts


def _results(axes: Axes, scene: Scene, look: Look) -> None:
    theme, view, shown = look.theme, scene.view, seen_from_the_best(scene.heights)
    y = shown.y
    number = np.arange(1.0, len(y) + 1)
    if view.initial:
        axes.axvspan(0.5, view.initial + 0.5, color=theme.grid, alpha=0.35, linewidth=0, label="initial design")
    _points(axes, number[view.inside], y[view.inside], look, "results")
    if np.any(outside := ~view.inside & np.isfinite(y)):
        axes.plot(
            number[outside], y[outside], "o", color=theme.muted, markersize=4, markerfacecolor="none",
            label="outside the bounds", gid="outside",
        )  # fmt: skip
    if shown.exact:
        label = "best so far" if scene.best_word == "best" or view.compared else "best value so far"
        axes.plot(
            number, best_so_far(scene, shown), "-", color=theme.data, drawstyle="steps-post", label=label,
            marker="_" if len(y) == 1 else "", gid="best-so-far",
        )  # fmt: skip
        if view.best is not None and np.isfinite(y[view.best]):
            star(axes, number[view.best], y[view.best], theme, "best", label=scene.best_word, zorder=4)
    else:
        nothing = "no evaluation succeeded yet" if view.evaluations else "no evaluation yet"
        axes.text(0.5, 0.5, nothing, transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing")
    infinite = Trouble(np.isnan(y) & view.succeeded, "infinite", "^", theme.muted, "-")
    for trouble in (infinite, *troubles(view, theme)):
        if np.any(trouble.which):  # at the end of the axis that is worse than any result
            mark(axes, number[trouble.which], 0.02 if shown.high_is_good else 0.98, trouble, clip_on=False)
            axes.margins(y=0.12)  # so that no result lies where they are
    shown.apply(axes)
    axes.set_ylabel(scene.objective + shown.note)
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _points(axes: Axes, number: Array, y: Array, look: Look, name: str) -> None:
    crowd, known = len(y) > _CROWD, np.isfinite(y)
    if np.any(known):
        axes.plot(
            number[known], y[known], "o", color=look.theme.muted, label=name, gid=name,
            markersize=2.5 if crowd else 3.5, alpha=0.6 if crowd else 1.0, markeredgewidth=0, rasterized=crowd,
        )  # fmt: skip


def _regrets(scene: Scene, truth: Truth) -> Array:
    """Return the regret of each evaluation [N]; a failure's may be infinite."""
    return np.array([truth.regret(truth.function(x)) for x in scene.view.X], dtype=np.float64)


def _regret(axes: Axes, regrets: Array, look: Look) -> None:
    number = np.arange(1.0, len(regrets) + 1)
    finite = np.where(np.isfinite(regrets), regrets, np.nan)
    _points(axes, number, finite, look, "regrets")
    if np.any(np.isfinite(regrets)):
        best = np.fmin.accumulate(finite)
        axes.plot(number, best, "-", color=look.theme.data, drawstyle="steps-post", gid="regret")
        set_scale(axes, "y", "log")
    else:
        axes.set_yticks([])
    axes.set_ylabel("regret")
    axes.grid(axis="y", color=look.theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _words(scene: Scene, regrets: Array | None) -> str:
    view, number = scene.view, len(scene.view.evaluations)
    if not number:
        return "Nothing was evaluated yet."
    if not np.any(view.leading):
        within = "" if not np.any(view.succeeded) else " within the bounds"
        why = sentence(scene) if np.any(view.infeasible) else ""
        return f"{scene.counted(number)}; none of them succeeded{within} yet.{why}"
    parts = [_course(scene), best(scene) if scene.best_word != "best" else "", sentence(scene), _scale(scene)]
    return " ".join(filter(None, map(str.strip, [*parts, _fall(regrets)])))


def _course(scene: Scene) -> str:
    """Return from where to where the best so far goes, and how often it moves."""
    view, number = scene.view, len(scene.view.evaluations)
    values, good = [e.objective for e in view.evaluations], np.flatnonzero(view.leading)
    first, last = int(good[0]), int(good[np.argmin(view.ranks[good])])
    name = f"{named(view.problem.objective, '')}{' value' if scene.best_word != 'best' and not view.compared else ''}"
    if first == last:
        stays = "" if number == 1 else " No other is better."
        return f"The best {name} is {scene.result(values[last])}, at {scene.noun} {last + 1} of {number}.{stays}"
    ranks = np.minimum.accumulate(np.where(view.leading, view.ranks, np.iinfo(np.int64).max))
    gains = int(np.sum(np.diff(ranks[first:]) < 0))
    return (
        f"The best {name} so far goes from {scene.result(values[first])} at {scene.noun} {first + 1} to"
        f" {scene.result(values[last])} at {scene.noun} {last + 1} of {number}, in {counted(gains, 'step')}."
    )


def _scale(scene: Scene) -> str:
    """Return how to read an axis that is not linear."""
    shown = seen_from_the_best(scene.heights)
    if shown.gaps:
        return "The axis has distances to the best, on a logarithmic scale that is linear near 0."
    kinds = {"log": "logarithmic", "symlog": "logarithmic on both sides of 0 and linear near it", "rank": "by rank"}
    return f"The axis is {kinds[shown.kind]}." if shown.kind in kinds else ""


def _fall(regrets: Array | None) -> str:
    if regrets is None or not np.any(known := np.isfinite(regrets)):
        return ""
    return f" The regret falls from {figure_of(regrets[known][0])} to {figure_of(np.min(regrets[known]))}."
