"""Data profiles: the share of targets met after so many evaluations, a line for each method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ordbo_cli.pictures.plots.comparison.method_lines import Cast, label_ends
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.pictures.words import listed


def draw_profile(
    courses: Mapping[str, Sequence[float]], initial: int, budgets: Sequence[int], cast: Cast, look: Look
) -> Picture:
    """Draw the data profiles of methods, from the last initial evaluation on.

    Args:
        courses: of each method the share of targets that are met after 1, 2, ... evaluations.
        initial: number of evaluations that all share.
        budgets: numbers of evaluations that are marked.
        cast: the methods.
        look: how it is to look.
    """
    theme = look.theme
    with look.figure(*cast.size(7.0, 3.8)) as figure:
        axes = figure.subplots()
        for method, course in courses.items():
            evaluations = np.arange(initial, len(course) + 1)
            axes.step(
                evaluations, course[initial - 1 :], where="post", gid="profile", **cast.line(method, theme), zorder=3
            )
        for budget in budgets[:-1]:
            axes.axvline(budget, color=theme.muted, linewidth=0.6, linestyle=":", gid="budget")
        axes.set_xlim(initial, max(map(len, courses.values())))
        axes.set_ylim(0.0, 1.02)  # a line at 1 is seen whole
        axes.set_xlabel("evaluations")
        axes.set_ylabel("share of targets met")
        axes.grid(axis="y", color=theme.grid, linewidth=0.6)
        axes.set_axisbelow(True)
        label_ends(axes, {method: course[-1] for method, course in courses.items()}, cast, theme)
    order = sorted(courses, key=lambda method: -courses[method][-1])
    ends = listed([f"{courses[method][-1]:.3f} ({method})" for method in order])
    return Picture(figure, "Data profile", f"At the end the share of targets met is {ends}.", look)
