"""Main effects: what each value or level of each parameter does to the expected rank."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ordbo_cli.insight.main_effects import Effect, main_effects
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.failures import mark, sentence, troubles
from ordbo_cli.pictures.labels import title
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, cut, listed

_ABREAST: Final = 4  # panels in a row at most
_MOST: Final = 16  # panels, where no size is asked for
_PANEL: Final = (2.3, 2.2)  # inches of a panel
_AROUND: Final = 1.1  # inches of height for title and legend
_FEW: Final = 12  # values that are drawn one by one
_ASIDE: Final = 0.5  # of a value, free beside the first and the last of them
_LETTERS: Final = 16  # of all levels together that are written across
_SMALL: Final = 0.02  # of all ranks, below which an effect is not told
_TOLD: Final = 3  # parameters in the words


def draw(scene: Scene, look: Look) -> Picture:
    """Draw a panel for each parameter asked for, else all, that of the largest effect first.

    Solid: the expected rank on average over the space, with the middle half around it. Dashed: with all else as at the
    point that leads. A parameter that does not count everywhere is averaged over where it does.
    """
    rows, columns, size = _layout(len(scene.asked), look)
    chosen = scene.longest(rows * columns)
    effects = sorted(main_effects(scene.view, chosen), key=lambda effect: -effect.size)
    with look.figure(*size) as figure:
        panels = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
        for panel, effect in zip(panels, effects, strict=False):
            _panel(panel, scene, effect, look.theme)
        for panel in panels[len(effects) :]:
            panel.remove()
        panels[0].set_ylim(*_reach(effects))
        for panel in panels[: len(effects) : columns]:
            panel.set_ylabel("rank")
        some = "" if len(effects) == len(scene.asked) else f", {len(effects)} of {len(scene.asked)} parameters"
        title(figure, f"{scene.name}: main effects on the expected rank, 1 the best{some}")
        legend(figure, *panels[: len(effects)])
    return Picture(figure, "Main effects", _words(scene, effects), look)


def _layout(panels: int, look: Look) -> tuple[int, int, tuple[float, float]]:
    """Return rows and columns that hold so many panels, or as many as there is room for, and the figure's size."""
    if look.size is None:
        rows = math.ceil(min(panels, _MOST) / _ABREAST)
        columns = math.ceil(min(panels, _MOST) / rows)
        return rows, columns, (max(6.4, _PANEL[0] * columns), _PANEL[1] * rows + _AROUND)
    width, height = look.size
    columns = max(1, min(panels, int(width / (0.8 * _PANEL[0]))))
    rows = max(1, min(math.ceil(panels / columns), int((height - _AROUND) / (0.7 * _PANEL[1]))))
    return rows, columns, look.size


def _panel(axes: Axes, scene: Scene, effect: Effect, theme: Theme) -> None:
    k, x, parameter = effect.k, effect.values, scene.all.parameters[effect.k]
    scene.all.frame(axes, "x", k)
    few = parameter.is_whole and len(x) <= _FEW
    if few:
        axes.set_xlim(x[0] - _ASIDE, x[-1] + _ASIDE)
        axes.vlines(
            x, effect.low, effect.high, color=theme.latent, alpha=0.4, linewidth=5, label="middle half", gid="quartiles"
        )  # fmt: skip
    else:
        axes.fill_between(
            x, effect.low, effect.high, color=theme.latent, alpha=0.2, linewidth=0, label="middle half", gid="quartiles"
        )  # fmt: skip
    joined = "" if parameter.type == "categorical" else "-"
    axes.plot(
        x, effect.mean, f"o{joined}" if few else "-", color=theme.latent, markersize=4, label="on average", gid="mean"
    )  # fmt: skip
    if np.any(np.isfinite(effect.lead)):
        axes.plot(
            x, effect.lead, f"D{'--' if joined else ''}" if few else "--", color=theme.best, markersize=4,
            markerfacecolor="none", linewidth=1.2, label="around the best", gid="lead",
        )  # fmt: skip
    _marks(axes, scene, k, theme)
    if parameter.levels:
        crowded = sum(len(cut(str(level), 12)) + 2 for level in parameter.levels) > _LETTERS
        axes.tick_params(axis="x", labelrotation=90 if crowded else 0)
    elif axes.get_xscale() == "linear" and parameter.type != "ranked":
        axes.xaxis.get_major_locator().set_params(nbins=4)
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _marks(axes: Axes, scene: Scene, k: int, theme: Theme) -> None:
    """Mark where the point that leads has its value, and along the top those of what has no result."""
    view = scene.view
    if view.leader is not None and view.problem.active(view.leader.values)[k]:
        axes.axvline(
            float(view.leader.values[k]), color=theme.best, linewidth=0.8, linestyle=":", gid="best",
            label=scene.best_word,
        )  # fmt: skip
    for trouble in troubles(view, theme):
        x = view.inputs[trouble.which & view.counts[:, k] & view.inside, k]
        mark(axes, x, 1.0, trouble, size=4.0, clip_on=False)


def _reach(effects: list[Effect]) -> tuple[float, float]:
    """Return the ends of the vertical axes: all that is drawn, and some room."""
    drawn: Any = np.concatenate([np.concatenate([e.mean, e.low, e.high, e.lead]) for e in effects])
    low, high = (float(end) for end in (np.nanmin(drawn, initial=1.0), np.nanmax(drawn, initial=1.0)))
    pad = 0.06 * max(high - low, 1.0)
    return low - pad, high + pad


def _words(scene: Scene, effects: list[Effect]) -> str:
    view = scene.view
    if not view.evaluations:
        return "No evaluation yet: nothing is known of any effect."
    number = len(np.unique(view.ranks))
    words = [
        f"What {counted(len(effects), 'parameter')} {'does' if len(effects) == 1 else 'do'} to the expected rank among"
        f" {number} distinct results, 1 the best, on average over the space."
    ]
    told = [effect for effect in effects[:_TOLD] if effect.size > _SMALL * number]
    words += [_told(scene, effect) for effect in told] or ["No parameter moves it noticeably on average."]
    rest = effects[len(told) :]
    if told and rest:
        names = [scene.all.name(effect.k) for effect in rest[:_TOLD]]
        names += [f"{len(rest) - _TOLD} more"] if len(rest) > _TOLD else []
        words.append(f"Less than that: {listed(names)}.")
    return " ".join(words) + sentence(scene)


def _told(scene: Scene, effect: Effect) -> str:
    """Return from where to where an effect goes, on average and at the best."""
    words = f"{scene.all.name(effect.k)} takes it {_span(scene, effect, effect.mean)}"
    if np.any(np.isfinite(effect.lead)):
        words += f", and with all else as at the best {_span(scene, effect, effect.lead)}"
    return f"{words}."


def _span(scene: Scene, effect: Effect, ranks: Array) -> str:
    ends = (int(np.nanargmin(ranks)), int(np.nanargmax(ranks)))
    low, high = (f"{ranks[k]:.3g} at {scene.all.value(effect.k, float(effect.values[k]))}" for k in ends)
    return f"from {low} to {high}"
