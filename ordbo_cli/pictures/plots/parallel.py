"""Parallel coordinates by rank: every evaluation a line across the parameters, for many of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.pictures.failures import Trouble, counts_of, troubles
from ordbo_cli.pictures.plots.fronts.front_lines import draw_front_lines, objective_column
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.plots.parallel_axes import (
    BEYOND,
    MOST_KNOTS,
    Column,
    End,
    ahead,
    column,
    frame,
    lines,
    shown_columns,
    size_of,
)
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, cut, listed
from ordbo_cli.problem.spelling import ordinal

_FEW: Final = 5  # best results that stand out
_NARROW: Final = 0.5  # share of an axis's ranks below which the best results are said to gather
_STRIPES: Final = 32  # of the objective's axis, which is the legend of the colours: each is that of some ranks


def draw(scene: Scene, look: Look) -> Picture:
    """Draw every evaluation as a line across the parameters asked for, else all, and its result on the last axis.

    Of objectives by priority each has an axis before the last one, which is that of the ranks by all.
    """
    if scene.view.problem.several:
        return draw_front_lines(scene, look)
    trades = Trades(scene.view.given.problem, scene.view.given.evaluations, scene.name)
    objectives = trades.objectives if trades.problem.by_priority else ()
    width, height = size_of(scene, look, len(objectives) + 1)
    shown = shown_columns(scene, width, len(objectives) + 1)
    columns = [column(scene, j) for j in shown]
    across = [*columns, *(objective_column(trades, k) for k in objectives), objective(scene)]
    drawn = _drawn(scene, MOST_KNOTS // len(across))
    with look.figure(width, height) as figure:
        axes = figure.subplots()
        _results(axes, scene, across, len(columns), drawn, look.theme)
        ahead(axes, scene, columns, shown, look.theme)
        ends = [End(each.word, each.colour, height, len(columns)) for each, height in _slots(scene, look.theme)]
        frame(axes, across, ends, look.theme, plain=len(across) - 1)
        _colours(axes, scene, len(across) - 1, look.theme)
        axes.set_title(_title(scene, len(columns), len(drawn)))
        legend(figure, axes)
    points = _points(scene, drawn) if objectives else {}
    return Picture(figure, "Parallel coordinates", _words(scene, columns, shown, len(drawn)), look, points)


def _points(scene: Scene, drawn: IntArray) -> dict[str, tuple[int, ...]]:
    """Return which evaluations the results' lines are, by number of arrival from 1."""
    best = () if scene.view.best is None else (scene.view.best + 1,)
    return {"results": tuple((1 + drawn[scene.view.succeeded[drawn]]).tolist()), "best": best}


def _drawn(scene: Scene, most: int) -> IntArray:
    """Return the evaluations that are drawn, worst first: all, or some from the worst to the best."""
    order = np.argsort(-scene.view.ranks, kind="stable")
    return np.asarray(order[spread_out(len(order), most)], dtype=np.int64) if len(order) else order


def _title(scene: Scene, columns: int, lines: int) -> str:
    number, asked = len(scene.view.evaluations), len(scene.asked)
    lowest = ", the best results lowest" if scene.view.given.problem.by_priority else ""
    parts = [f"{scene.name}: every value by its rank{lowest}"]
    if columns < asked:
        parts.append(f"{columns} of {asked} parameters")
    if lines < number:
        parts.append(f"{lines:,} of {number:,} {scene.noun}s")
    return ", ".join(parts)


def objective(scene: Scene) -> Column:
    """Return the axis of the objective, its lowest value lowest."""
    results, grades = [e.objective for e in scene.view.evaluations], scene.view.problem.grades
    seen = sorted({y for y in results if y is not None})
    values = [Decimal(k) for k in range(len(grades))] if grades and seen else seen
    top = max(1, len(values) - 1)
    place = {y: k / top if len(values) > 1 else 0.5 for k, y in enumerate(values)}
    places = np.array([math.nan if y is None else place[y] for y in results], dtype=np.float64)
    return Column(scene.objective, values, places, scene.results, partial(cut, scene.objective), bool(grades))


def best_first(scene: Scene, share: float = 1.0, least: int = 1) -> IntArray:
    """Return the successes within the bounds, or a share of them, the best first and the earlier of equals."""
    view = scene.view
    good = np.flatnonzero(view.inside & view.succeeded)
    order = good[np.argsort(view.ranks[good], kind="stable")]
    return np.asarray(order[: max(least, math.ceil(share * len(order)))])


def stripes(scene: Scene) -> IntArray:
    """Return which stripe of the objective's axis has the colour of each evaluation, 0 that of the best [N]."""
    view = scene.view
    last = max(1, int(view.ranks[view.succeeded].max(initial=0)))
    return np.asarray(np.minimum(view.ranks * _STRIPES // last, _STRIPES - 1))


def stripe_colours(theme: Theme) -> Array:
    """Return the colours of the stripes, the best first [_STRIPES, 4]: it stands out most against the paper."""
    return _ramp(theme, (np.arange(_STRIPES) + 0.5) / _STRIPES)


def _ramp(theme: Theme, shares: Array) -> Array:
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    dark = sum(to_rgb(theme.paper)) < 1.5
    return np.asarray(colormaps[theme.values](1.0 - shares if dark else shares))


def _results(
    axes: Axes, scene: Scene, columns: Sequence[Column], parameters: int, drawn: IntArray, theme: Theme
) -> None:
    """Draw the evaluations, those without a result as far as the first axis behind the parameters."""
    view = scene.view
    places = np.stack([each.places for each in columns], axis=1)
    good = drawn[view.succeeded[drawn]]
    faint = min(0.75, max(0.2, 25.0 / max(1, len(good))))
    colours, stripe = stripe_colours(theme), stripes(scene)
    for trouble, height in _slots(scene, theme):
        gone = places[drawn[trouble.which[drawn]], : parameters + 1]
        gone[:, -1] = height
        lines(
            axes, [gone], trouble.word, colors=trouble.colour, alpha=max(0.4, faint), linestyles=trouble.dashes,
            linewidths=1,
        )  # fmt: skip
    groups = [good[stripe[good] == k] for k in np.unique(stripe[good])[::-1]]
    if view.given.problem.by_priority:  # each a line of its own, as a page joins it with marks of other pictures
        groups = [good[k : k + 1] for k in range(len(good))]
    lines(
        axes, [places[group] for group in groups], "results", label="",
        colors=colours[[stripe[group[0]] for group in groups]], alpha=faint, linewidths=1.0,
    )  # fmt: skip
    few = best_first(scene, 0.1)[:_FEW]
    if len(few) > 1:
        last = ordinal(len(few))
        label = "2nd best" if len(few) == 2 else f"2nd {'and' if len(few) == 3 else 'to'} {last} best"
        behind = few[:0:-1]
        lines(
            axes, [places[[k]] for k in behind], "best-few", label=label, colors=colours[stripe[behind]], linewidths=1.8
        )
    if view.best is not None:
        axes.plot(
            places[view.best], "*-", color=theme.best, linewidth=2.2, markersize=8, label=scene.best_word, gid="best",
            clip_on=False, zorder=4,
        )  # fmt: skip
    elif not len(drawn):
        axes.text(
            0.5, 0.5, "no evaluation yet", transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing"
        )


def _slots(scene: Scene, theme: Theme) -> list[tuple[Trouble, float]]:
    """Return why there are evaluations without a result, and how high on the objective's axis they end."""
    found = troubles(scene.view, theme)
    away = BEYOND * np.arange(1, len(found) + 1)
    return list(zip(found, (1.0 + away if scene.view.problem.goal == "minimize" else -away).tolist(), strict=True))


def _colours(axes: Axes, scene: Scene, place: int, theme: Theme) -> None:
    """Draw the colours along the objective's axis."""
    from matplotlib.collections import LineCollection

    edges = np.linspace(0.0, 1.0, _STRIPES + 1)
    parts = [[(place, low), (place, high)] for low, high in pairwise(edges)]
    colours = stripe_colours(theme) if scene.view.problem.goal == "minimize" else stripe_colours(theme)[::-1]
    axes.add_collection(LineCollection(parts, colors=colours, linewidths=5, zorder=1.5, gid="colours"))


def _words(scene: Scene, columns: Sequence[Column], shown: Sequence[int], lines: int) -> str:
    view, number, asked = scene.view, len(scene.view.evaluations), len(scene.asked)
    longest = f", those of most latent length of {asked}" if len(columns) < asked else ""
    where = f"across {counted(len(columns), 'parameter')}{longest}"
    if scene.view.given.problem.by_priority:
        where += f" and {len(scene.view.given.problem.goals)} objectives"
    if not number:
        return f"No evaluation yet, {where}.{_next(scene)}"
    what = f"{scene.counted(number)} {where}"
    if not np.any(view.leading):
        within = "" if not np.any(view.succeeded) else " within the bounds"
        return f"{what}; none of them succeeded{within} yet.{_next(scene)}"
    found = counts_of(view)
    failures = f", of which {listed(found)}" if found else ""
    thinned = f" {lines:,} of them are drawn, from the worst to the best." if lines < number else ""
    return f"{what}{failures}.{thinned}{_by_mean(scene)} {_gathering(scene, columns, shown)}{_next(scene)}"


def _by_mean(scene: Scene) -> str:
    return "" if scene.best_word == "best" else f" {best(scene)}"


def _gathering(scene: Scene, columns: Sequence[Column], shown: Sequence[int]) -> str:
    """Say where the best results lie on the few axes on which they lie closest together."""
    view = scene.view
    some = best_first(scene, 0.1, least=3)
    if len(some) < 3:
        first = some[0] if view.best is None else view.best
        used = [j for j in shown if view.counts[first, j]]
        places = [f"{scene.all.value(j, view.inputs[first, j])} of {scene.all.spoken(j)}" for j in used]
        return f"The best lies at {listed(places[:3])}."
    if not np.any(view.ranks[best_first(scene)]):
        return "All results are alike."
    spans = np.array([_span(scene, each, j, some) for each, j in zip(columns, shown, strict=True)])
    narrow = [int(k) for k in np.argsort(spans, kind="stable")[:3] if spans[k] <= _NARROW]
    if not narrow:
        return f"The best {len(some)} results lie far apart on every axis."
    parts = []
    for k in narrow:
        x, unit = view.inputs[some, shown[k]], scene.all.parameters[shown[k]].unit
        low, high = scene.all.words(shown[k], [float(x.min()), float(x.max())])
        unit = f" {unit}" if unit else ""
        where = f"at {low}{unit}" if low == high else f"between {low} and {high}{unit}"
        parts.append(f"{where} of {scene.all.spoken(shown[k])}")
    return f"The best {len(some)} results lie closest together {listed(parts)}."


def _span(scene: Scene, column: Column, j: int, some: IntArray) -> float:
    """Return over how much of an axis some evaluations spread; all of it where there is no between."""
    places = column.places[some]
    if np.any(places < 0.0):
        return 1.0
    spread = float(np.ptp(places))
    return 1.0 if spread and scene.all.parameters[j].type == "categorical" else spread


def _next(scene: Scene) -> str:
    view, ahead = scene.view, len(scene.view.whole.pending)
    out = f" {counted(ahead, 'point')} {'is' if ahead == 1 else 'are'} out." if ahead else ""
    return f"{out} The next point is drawn dotted." if view.suggestion is not None else out
