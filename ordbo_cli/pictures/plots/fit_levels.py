"""The fit at levels without an order: data above, latent function below, a column for each level.

The columns are the levels of one parameter; across them runs another one, or the levels stand side by side in one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.insight.level_lines import LevelLine, moments_at, start_of
from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.failures import Trouble, mark, sentence, troubles
from ordbo_cli.pictures.labels import title
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best
from ordbo_cli.pictures.style import Axes, Look, Picture, legend, star
from ordbo_cli.pictures.words import cut, listed

_GRID: Final = 200  # points of a curve
_MOST: Final = 6  # levels with a column; of more, those with the best results
_NARROWEST: Final = 1.2  # inches of a column, where a size is asked for
_WIDTH: Final = (2.1, 1.4)  # inches of a column, and beside them
_NAME: Final = 16  # characters of a level above its column
_FEW: Final = 12  # whole values across that are drawn one by one
_ASIDE: Final = 0.4  # of a value, free beside the first and the last of them


@dataclass(frozen=True)
class LevelColumn:
    """One level, or all of them beside each other.

    Args:
        scene: what is drawn.
        k: the parameter that runs across, by place among the free ones.
        parameter: the one whose level it is; None where all levels of ``k`` are in it.
        level: place of the level.
    """

    scene: Scene
    k: int
    parameter: int | None = None
    level: int = 0

    @cached_property
    def line(self) -> LevelLine:
        """The points with the level, all else as at the best."""
        view = self.scene.view
        if self.parameter is None:
            return LevelLine.at(view, self.k, int(start_of(view)[self.k]), self.k)
        return LevelLine.at(view, self.parameter, self.level, self.k)

    @cached_property
    def has(self) -> BoolArray:
        """Which evaluations belong here [N]."""
        view = self.scene.view
        here = view.inside & view.counts[:, self.k]
        if self.parameter is None:
            return np.asarray(here)
        return np.asarray(here & view.counts[:, self.parameter] & (view.inputs[:, self.parameter] == self.level))

    @cached_property
    def on(self) -> BoolArray:
        """Which of them lie on the line [N]."""
        on = np.zeros(len(self.has), dtype=bool)
        on[self.has] = self._holds(self.scene.view.inputs[self.has])
        return on

    @cached_property
    def curve(self) -> tuple[Array, Array, Array]:
        """Values across, and mean and deviation of the latent function there [G]; nothing where it does not count."""
        if not self.line.counts:
            return np.zeros(0), np.zeros(0), np.zeros(0)
        x = self.scene.all.grid(self.k, _GRID)
        if self.few:
            x = np.unique(np.round(x))
        points = [each.points(np.array([v]))[0] for v, each in zip(x, map(self._line_at, x), strict=True)]
        return x, *moments_at(self.scene.view, points)

    @property
    def few(self) -> bool:
        """Whether the values across are so few that each stands for itself."""
        low, high = self.scene.all.limits(self.k)
        return self.scene.all.parameters[self.k].is_whole and high - low < _FEW

    def shows(self, values: Any) -> bool:
        """Return whether a point of all parameters belongs here."""
        active = self.scene.view.problem.active(values)
        here = self.parameter is None or (active[self.parameter] and values[self.parameter] == self.level)
        return bool(active[self.k] and here)

    def _line_at(self, x: float) -> LevelLine:
        """Return the line of a value across, which is one of its own where that is a level."""
        return LevelLine.at(self.scene.view, self.k, int(x), self.k) if self.parameter is None else self.line

    def _holds(self, X: Array) -> BoolArray:
        if self.parameter is not None:
            return self.line.holds(X)
        return np.array([self._line_at(x[self.k]).holds(x[None, :])[0] for x in X], dtype=bool)


def columns_of(scene: Scene, levelled: int, across: int | None, most: int = _MOST) -> list[LevelColumn]:
    """Return the columns: all levels of a parameter, of very many those with the best results.

    Args:
        levelled: a parameter whose levels have no order.
        across: the one that runs across the columns; None for the levels themselves.
        most: columns that have room.
    """
    if across is None:
        return [LevelColumn(scene, levelled)]
    view, number = scene.view, len(scene.all.parameters[levelled].levels)
    tried = view.inputs[:, levelled]
    here = [view.counts[:, levelled] & (tried == level) for level in range(number)]
    ranks = [int(view.ranks[some].min(initial=len(tried) + 1)) for some in here]
    shown = np.sort(np.argsort(ranks, kind="stable")[:most])
    return [LevelColumn(scene, across, levelled, int(level)) for level in shown]


def draw(scene: Scene, look: Look, levelled: int, across: int | None) -> Picture:
    """Draw data and latent function at the levels of a parameter; see :func:`columns_of`."""
    most = _MOST if look.size is None else min(_MOST, max(1, int(look.size[0] / _NARROWEST)))
    columns = columns_of(scene, levelled, across, most)
    width = min(14.0, max(6.4, _WIDTH[0] * len(columns) + _WIDTH[1]))
    with look.figure(*(look.size or (width, 5.4))) as figure:
        panels = figure.subplots(2, len(columns), squeeze=False, sharey="row", sharex=True)
        for column, (data, latent) in zip(columns, panels.T, strict=True):
            _frame(data, latent, column)
            if column.line.counts:
                _data(data, column, look)
                _latent(latent, column, look)
            else:
                name = scene.all.name(column.k)
                latent.text(
                    0.5, 0.5, f"{name}\ndoes not\ncount", ha="center", va="center", transform=latent.transAxes,
                    color=look.theme.muted, gid="unused",
                )  # fmt: skip
        _set_heights(panels, columns)
        what = f"by {scene.all.name(levelled)}" + ("" if across is None else f", along {scene.all.name(across)}")
        title(figure, f"{scene.name}: fit {what}{_rest(scene)}")
        legend(figure, *panels.ravel())
    return Picture(figure, "Fit", _words(scene, columns, levelled), look)


def _rest(scene: Scene) -> str:
    if scene.view.leader is None:
        return ""
    return ", all else as at the best point"


def _frame(data: Axes, latent: Axes, column: LevelColumn) -> None:
    """Give a column its axes, and its level as its title."""
    scene, k = column.scene, column.k
    scene.all.frame(latent, "x", k)
    if column.few:
        low, high = scene.all.limits(k)
        latent.set_xlim(low - _ASIDE, high + _ASIDE)
    if scene.all.parameters[k].levels and column.parameter is not None:
        latent.tick_params(axis="x", labelrotation=90)
    elif column.parameter is not None and latent.get_xscale() == "linear":
        latent.xaxis.get_major_locator().set_params(nbins=3)
    if column.parameter is not None:
        data.set_title(cut(scene.all.words(column.parameter, [column.level])[0], _NAME))


def _data(axes: Axes, column: LevelColumn, look: Look) -> None:
    """Mark the results, and at the worse end what has none."""
    scene, theme, view = column.scene, look.theme, column.scene.view
    x, y = view.inputs[:, column.k], scene.heights.y
    known = column.has & ~np.isnan(y)
    for which, sign, colour, size, name, gid in (
        (known & ~column.on, ".", theme.muted, 5.0, "elsewhere", "off-slice"),
        (known & column.on, "o", theme.data, 5.0, f"{scene.noun}s", "observations"),
    ):
        if np.any(which):
            axes.plot(
                x[which], y[which], sign, color=colour, markersize=size, label=name, gid=gid, clip_on=False
            )  # fmt: skip
    worse = 0.03 if scene.heights.high_is_good else 0.97
    infinite = Trouble(np.isnan(y) & view.succeeded, "infinite", "^", theme.failed, "-")
    for trouble in (*troubles(view, theme), infinite):
        mark(axes, x[trouble.which & column.has], worse, trouble)
    if view.best is not None and column.has[view.best] and known[view.best]:
        star(axes, x[view.best], y[view.best], theme, "best", label=scene.best_word)


def _latent(axes: Axes, column: LevelColumn, look: Look) -> None:
    """Draw the latent function along the line, the means of what was evaluated, and where the next point is."""
    theme, view = look.theme, column.scene.view
    x, mean, sd = column.curve
    beta = view.acquisition.beta
    if column.few:
        axes.errorbar(
            x, mean, beta * sd, fmt="_", color=theme.latent, markersize=12, elinewidth=2.5, alpha=0.6, zorder=1,
            label=f"mean ± {beta:g} sd",
        )[0].set_gid("mean")  # fmt: skip
    else:
        axes.fill_between(
            x, mean - beta * sd, mean + beta * sd, color=theme.latent, alpha=0.2, linewidth=0, gid="band",
            label=f"mean ± {beta:g} sd",
        )  # fmt: skip
        axes.plot(x, mean, "-", color=theme.latent, label="latent mean", gid="mean")
    seen, f = column.has & view.seen, view.fitted_means
    values = view.inputs[:, column.k]
    for which, sign, colour, size, gid in (
        (seen & ~column.on & view.succeeded, ".", theme.muted, 5.0, "off-means"),
        (seen & column.on & view.succeeded, "o", theme.data, 4.0, "means"),
        *((seen & each.which, each.mark, each.colour, 5.0, f"{each.word}-means") for each in troubles(view, theme)),
    ):
        if np.any(which):
            axes.plot(values[which], f[which], sign, color=colour, markersize=size, gid=gid, zorder=4)
    leader = view.leader
    if leader is not None and column.shows(leader.values):
        at = moments_at(view, [leader.values])[0]
        star(axes, float(leader.values[column.k]), at[0], theme, "best-mean", clip_on=True)
    if view.suggestion is not None and column.shows(view.suggestion.values):
        axes.axvline(
            float(view.suggestion.values[column.k]), color=theme.next, linestyle="--", linewidth=1.4, label="next",
            gid="next",
        )  # fmt: skip
    for first, point in enumerate(filter(column.shows, view.whole.pending)):
        axes.axvline(
            float(point[column.k]), color=theme.next, linestyle=":", linewidth=1.4, gid="pending",
            label=None if first else "pending",
        )  # fmt: skip


def _set_heights(panels: Any, columns: list[LevelColumn]) -> None:
    """Give each row its vertical axis: the objective's, with room for what has no result, and the latent one."""
    scene = columns[0].scene
    heights, view = scene.heights, scene.view
    heights.apply(panels[0, 0])
    if np.any(~np.isnan(heights.y)):
        panels[0, 0].margins(y=0.12)
        panels[0, 0].autoscale_view(scalex=False)
    elif not view.evaluations:
        panels[0, 0].text(0.5, 0.5, "no evaluation yet", ha="center", va="center", transform=panels[0, 0].transAxes)
    panels[0, 0].set_ylabel(scene.objective + heights.note)
    panels[1, 0].set_ylabel("latent f")


def _words(scene: Scene, columns: list[LevelColumn], levelled: int) -> str:
    view, number = scene.view, len(scene.view.evaluations)
    name, all_ = scene.all.name(levelled), len(scene.all.parameters[levelled].levels)
    along = "" if columns[0].parameter is None else f" along {scene.all.name(columns[0].k)}"
    some = "" if columns[0].parameter is None or len(columns) == all_ else f", {len(columns)} of {all_} levels"
    words = [f"{scene.counted(number) if number else 'No evaluation yet'} by {name}{along}{some}{_rest(scene)}."]
    lowest = _lowest(columns)
    if number and lowest:
        words.append(f"The latent mean, lowest where results are best, goes down to {listed(lowest)}.")
    words.append(best(scene))
    if number and view.leader is None:
        words.append("None of them succeeded within the bounds.")
    words.append(sentence(scene).strip())
    if view.suggestion is not None:
        point, used = view.suggestion.values, view.problem.active(view.suggestion.values)
        at = [f"{scene.all.name(k)} {scene.all.value(k, float(point[k]))}" for k in (levelled, columns[0].k) if used[k]]
        words += [f"The next point is at {listed(list(dict.fromkeys(at)))}."] if at else []
    return " ".join(filter(None, words))


def _lowest(columns: list[LevelColumn]) -> list[str]:
    """Return how low the latent mean is at each level."""
    scene, first = columns[0].scene, columns[0]
    if first.parameter is None:
        x, mean, _ = first.curve
        return [f"{m:.3g} at {word}" for m, word in zip(mean, scene.all.words(first.k, x.tolist()), strict=True)]
    return [
        f"{column.curve[1].min():.3g} at {scene.all.words(column.parameter or 0, [column.level])[0]}"
        for column in columns
        if column.line.counts
    ]
