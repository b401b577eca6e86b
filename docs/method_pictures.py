"""Draws the pictures of method.md, light and dark: ``make pictures``, or ``python docs/method_pictures.py``.

One study of one parameter runs through them: a drag that falls with the angle until the flow separates at 7.8 degrees,
and no result at all beyond 11.5.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.kinds import draw
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import THEMES, Axes, Figure, Look, Picture, legend
from ordbo_cli.search.step_input import StepInput

FOLDER: Final = Path(__file__).parent / "pictures"
SEPARATION: Final = 7.8  # degrees
ANGLES: Final = np.linspace(0.0, 12.0, 481)
SEEN: Final = 9  # evaluations in all pictures but the last


def drag(angle: float) -> float | None:
    """Return a descent that ends at its optimum with a jump, and nothing where there is no result."""
    if angle > 11.5:
        return None
    return (
        40 - 30 * (angle / SEPARATION) ** 0.8 if angle <= SEPARATION else 26 + 4 * math.sin(2.1 * (angle - SEPARATION))
    )


def course(number: int) -> list[View]:
    """Return what the method sees after 1, 2, ... evaluations of its own choice."""
    optimizer = Optimizer(Problem((Parameter("angle", 0, 12, digits=4, unit="°"),), "drag"))
    views = []
    for _ in range(number):
        point = optimizer.ask()
        optimizer.tell(point, drag(float(point.parameters["angle"])))
        views.append(View.of(StepInput(optimizer.problem, tuple(optimizer.evaluations))))
    return views


def results(view: View) -> Array:
    """Return the drags [N], NaN for a failure."""
    return np.array([np.nan if each.objective is None else float(each.objective) for each in view.evaluations])


def truth(panel: Axes, look: Look) -> None:
    """Draw the function, which no optimiser knows."""
    y = np.array([np.nan if (value := drag(angle)) is None else value for angle in ANGLES])
    y[np.searchsorted(ANGLES, SEPARATION, "right")] = np.nan  # a jump is no line
    panel.plot(ANGLES, y, color=look.theme.muted, linewidth=1.0, linestyle=":", label="the truth, unknown")


def marks(panel: Axes, look: Look, view: View, y: Array, failed: float) -> None:
    """Draw the evaluations at some heights [N], failures at one of their own, the best as a star."""
    x, lost, theme = view.X[:, 0], view.failed, look.theme
    panel.plot(x[~lost], y[~lost], "o", color=theme.data, markersize=5, label="evaluations", zorder=4)
    panel.plot(x[lost], np.full(lost.sum(), failed), "x", color=theme.failed, markersize=7, label="failed", zorder=4)
    panel.plot(x[view.best], y[view.best], "*", color=theme.best, markersize=12, label="best so far", zorder=5)


def draw_ranks(look: Look, views: list[View]) -> Figure:
    """Draw results as the simulator gives them, and all that is kept of them."""
    view = views[SEEN - 1]
    with look.figure(6.8, 3.1) as figure:
        given, kept = figure.subplots(1, 2)
        truth(given, look)
        marks(given, look, view, results(view), failed=46.0)
        given.set(xlabel="angle [°]", ylabel="drag", title="what the simulator says", ylim=(5, 49))
        places = view.ranks + 1.0
        marks(kept, look, view, places, failed=float(places.max()))
        for x, place, lost in zip(view.X[:, 0], places, view.failed, strict=True):
            words = "last" if lost else f"{place:.0f}"
            kept.annotate(words, (x, place), (0, 7), textcoords="offset points", ha="center", fontsize=8)
        kept.set(xlabel="angle [°]", ylabel="rank", title="what ordbo keeps of it", ylim=(0, SEEN + 1.3))
        legend(figure, given, kept)
    return figure


def fitted(x: Array, y: Array, at: Array) -> tuple[Array, Array]:
    """Return mean and standard deviation of a Gaussian process on raw values, of the likeliest length and variance."""

    def kernel(a: Array, b: Array, length: float) -> Array:
        r = np.sqrt(3.0) * np.abs(a[:, None] - b[None, :]) / length
        return np.asarray((1.0 + r) * np.exp(-r))

    def solved(length: float) -> tuple[float, float, Array, tuple[Array, bool]]:
        factor = cho_factor(kernel(x, x, length) + 1e-6 * np.eye(len(x)))
        alpha = cho_solve(factor, y - y.mean())
        variance = float((y - y.mean()) @ alpha) / len(x)
        return len(x) * np.log(variance) + 2.0 * float(np.log(np.diag(factor[0])).sum()), length, alpha, factor

    _, length, alpha, factor = min((solved(length) for length in np.geomspace(0.1, 30.0, 200)), key=lambda fit: fit[0])
    variance = float((y - y.mean()) @ alpha) / len(x)
    cross = kernel(at, x, length)
    left = 1.0 - np.einsum("ij,ji->i", cross, cho_solve(factor, cross.T))
    return y.mean() + cross @ alpha, np.sqrt(variance * np.maximum(left, 0.0))


def draw_models(look: Look, views: list[View]) -> Figure:
    """Draw what a usual model makes of the results, and what the ordinal one does, each on its own scale."""
    view = views[SEEN - 1]
    y = results(view)
    told = np.where(view.failed, np.nanmax(y), y)  # what a usual optimiser is told of a failure
    with look.figure(6.8, 3.1) as figure:
        usual, ordinal = figure.subplots(1, 2)
        truth(usual, look)
        band(usual, look, *fitted(view.X[:, 0], told, ANGLES))
        marks(usual, look, view, told, failed=float(np.nanmax(y)))
        usual.set(xlabel="angle [°]", ylabel="drag", title="a usual model, of the values")
        mean, variance = view.moments(view.latent(ANGLES[:, None]))
        band(ordinal, look, mean, np.sqrt(variance))
        heights = view.moments(view.latent(view.X))[0]
        marks(ordinal, look, view, heights, failed=float(heights[view.failed][0]))
        ordinal.set(xlabel="angle [°]", ylabel="latent value", title="the ordinal model, of their order")
        legend(figure, usual, ordinal)
    return figure


def band(panel: Axes, look: Look, mean: Array, sd: Array, x: Array = ANGLES) -> None:
    """Draw what a model expects, and how sure it is."""
    panel.plot(x, mean, color=look.theme.latent, linewidth=1.6, label="expected")
    panel.fill_between(x, mean - 2 * sd, mean + 2 * sd, color=look.theme.latent, alpha=0.2, lw=0, label="± 2 sd")


def draw_bound(look: Look, views: list[View]) -> Figure:
    """Draw the cells along the latent axis, and how low the model thinks that each may get."""
    view = views[SEEN - 1]
    knots = np.sort(view.latent(view.X)[:, 0])
    s = np.linspace(knots[0], knots[-1], 481)
    mean, variance = view.moments(s[:, None])
    bound = view.acquisition.values(s[:, None])
    with look.figure(6.8, 3.4) as figure:
        panel = figure.subplots()
        band(panel, look, mean, np.sqrt(variance), s)
        panel.plot(s, bound, color=look.theme.ink, linewidth=1.0, label="bound: expected - 2 sd")
        cells = [(s >= low) & (s <= high) for low, high in itertools.pairwise(knots)]
        lowest = [int(np.flatnonzero(cell)[bound[cell].argmin()]) for cell in cells]
        chosen = min(range(len(cells)), key=lambda k: bound[lowest[k]])
        for k, (low, high) in enumerate(itertools.pairwise(knots)):
            colour = look.theme.next if k == chosen else look.theme.grid
            panel.axvspan(low, high, color=colour, alpha=0.3 if k == chosen else 0.35 * (k % 2), lw=0)
        panel.plot(s[lowest], bound[lowest], "v", color=look.theme.muted, label="lowest bound of a cell")
        panel.plot(
            s[lowest[chosen]], bound[lowest[chosen]], "X", color=look.theme.next, markersize=9, label="next point"
        )
        panel.plot(knots, view.moments(knots[:, None])[0], "o", color=look.theme.latent, markersize=5)
        panel.set(
            xlabel="latent angle", ylabel="latent value", title="cells, and how low each may get", xlim=knots[[0, -1]]
        )
        legend(figure, panel)
    return figure


def draw_steps(look: Look, views: list[View]) -> Figure:
    """Draw the search at four moments."""
    with look.figure(6.8, 2.9) as figure:
        panels = figure.subplots(1, 4, sharey=True)
        for panel, number in zip(panels, (5, 8, 12, 20), strict=True):
            view = views[number - 1]
            truth(panel, look)
            marks(panel, look, view, results(view), failed=46.0)
            coming = float(views[number].X[-1, 0])
            panel.axvline(coming, color=look.theme.next, linestyle="--", linewidth=1.2, label="next point")
            panel.set(xlabel="angle [°]", title=f"{number} evaluations", ylim=(5, 49))
        panels[-1].set(xlim=(7.5, 8.1), title="20, magnified")
        panels[0].set_ylabel("drag")
        legend(figure, *panels)
    return figure


DRAWN: Final[dict[str, tuple[Callable[[Look, list[View]], Figure], str]]] = {
    "method-ranks.svg": (
        draw_ranks,
        "Drag over angle with a jump and a failure, and the same evaluations numbered by rank.",
    ),
    "method-models.svg": (
        draw_models,
        "A Gaussian process on raw values beside the jump, and the ordinal model's latent mean.",
    ),
    "method-bound.svg": (
        draw_bound,
        "The latent mean with its band, the lower bound, and the cell where that is lowest.",
    ),
    "method-steps.svg": (draw_steps, "Evaluations after 5, 8, 12 and 20 steps: they close in on the foot of the jump."),
}


def place(name: str, theme: str) -> Path:
    """Return where a theme's variant of a picture is kept."""
    return FOLDER / (name if theme == "light" else name.replace(".svg", f"-{theme}.svg"))


def main() -> None:
    """Draw all of them."""
    views = course(21)
    for theme, colours in THEMES.items():
        look = Look(colours)
        for name, (drawn, alt) in DRAWN.items():
            Picture(drawn(look, views), name.removesuffix(".svg"), alt, look).save(place(name, theme))
        draw("warp", Scene(views[SEEN - 1], "drag"), look).save(place("method-warp.svg", theme))


if __name__ == "__main__":
    main()
