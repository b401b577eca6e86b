"""A report with something of everything, for the tests that look at it in a browser."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from ordbo_cli.pictures.pages.page import Fact, Header, Illustration, Page, PageCell, PageTable, Section

NASTY = "<script>alert(1)</script> & \"x\" 'y'"
GREEK, RTL, LONG = "γωνία_θ", "زاوية", "a_very_long_parameter_name_without_a_single_space_" * 3
NAMES = ("angle", NASTY, GREEK, RTL, LONG)
ROWS = 120
COLOURS = {
    "#1a1d23": "var(--ink)",
    "#555c69": "var(--soft)",
    "#0072b2": "var(--series-1)",
    "#c24e00": "var(--series-2)",
}


def drawing(draw: Callable[[Any], object], width: float = 4.2, height: float = 2.8) -> str:
    """Return a picture as the report's pictures are drawn; the same hash salt gives two of them the same ids."""
    ink, soft = "#1a1d23", "#555c69"
    style = {"svg.fonttype": "none", "svg.hashsalt": "ordbo", "font.size": 9, "text.color": ink, "axes.labelcolor": ink}
    style |= {"axes.edgecolor": soft, "xtick.color": soft, "ytick.color": soft, "figure.facecolor": "none"}
    with mpl.rc_context({**style, "axes.facecolor": "none", "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def convergence(axes: Any) -> None:
    """Draw a falling staircase."""
    axes.step(range(1, 21), [9.0 / (1 + k // 3) for k in range(20)], color="#0072b2", where="post", linewidth=1.8)
    axes.plot(range(1, 21), [9.4 / (1 + k // 4) + k % 3 for k in range(20)], "o", color="#c24e00", markersize=3.5)
    axes.set(xlabel="evaluations", ylabel="drag (N)", title=NASTY)


def warp(name: str) -> Callable[[Any], None]:
    """Draw one parameter's warp."""

    def draw(axes: Any) -> None:
        axes.plot([0, 0.3, 0.4, 1], [0, 0.1, 0.8, 1], color="#0072b2", marker="o")
        axes.text(0.6, 0.4, "black", color="black")  # matplotlib leaves black to whatever is around the picture
        axes.set(xlabel=name, ylabel="latent length")

    return draw


def evaluations(rows: int) -> PageTable:
    """Return a table with what studies have: failures, pending points, ties, values far apart, names from anywhere."""
    source = random.Random(3)
    headers = (Header("id", "number"), *(Header(name, "number", "deg") for name in NAMES))
    headers = (*headers, Header("drag", "number", "N"), Header("status"), Header("origin"))

    def row(place: int) -> tuple[PageCell, ...]:
        status = "failed" if place % 9 == 4 else "pending" if place > rows - 4 else "ok"
        values = [source.uniform(-5, 5) * 10.0 ** source.randrange(-4, 6) for _ in NAMES]
        y = math.inf if place == 7 else round(source.expovariate(0.02), 1)  # rounding makes ties
        objective = PageCell(f"{y:g}", y) if status == "ok" else PageCell("" if status == "pending" else "failed")
        origin = ("", "Ångström", "item 10", "item 9", "item 09", NASTY, "zebra")[place % 7]
        inputs = (PageCell(f"{value:.3g}", value) for value in values)
        return (PageCell(str(place), place), *inputs, objective, PageCell(status), PageCell(origin))

    return PageTable("All evaluations, in the order in which they came.", headers, tuple(map(row, range(rows))), 7)


def report(rows: int = ROWS) -> Page:
    """Return a page with something of everything."""
    pictures = tuple(
        Illustration(f"Warp of {name}", drawing(warp(name), 3.4, 2.4), f"{name} is stretched most between 0.3 and 0.4.")
        for name in NAMES
    )
    wide = drawing(convergence, 8.5, 3.2)
    table = evaluations(rows)
    best = PageTable("The five best points.", table.headers[:7], tuple(cells[:7] for cells in table.rows[:5]))
    explanation = "The lowest value fell fast at first, and has not changed since evaluation 18."
    return Page(
        title=f"wing {NASTY}",
        subtitle="Made on 3 May 2025 at 14:02 by ordbo 0.7.0",
        summary=(
            Fact("Best drag", "0.3127 N", "evaluation 96"),
            Fact("Evaluations", str(rows), "8 of them initial"),
            Fact("Failed", "13", "11 %"),
            Fact("Pending", "3", "the oldest for 2 h"),
            Fact("Next cell", f"between 0.31 and 0.44 of angle, above the third best of {GREEK}, anywhere of {LONG}"),
        ),
        sections=(
            Section("Best points", "Lower is better.", tables=(best,), facts=(Fact("angle", "0.37"), Fact(LONG, "3"))),
            Section(
                "Convergence",
                illustrations=(
                    Illustration("Best drag so far", wide, f"{explanation} {NASTY}", "Dots are evaluations."),
                ),
            ),
            Section(
                "Warps", "How each parameter is stretched.", illustrations=pictures, notes=("Steep is important.",)
            ),
            Section("Diagnostics", facts=(Fact("Share on a bound", "12 %"), Fact("Ties", "none"))),
        ),
        evaluations=table,
        warnings=("4 rows are outside the bounds.", f"{NASTY} has hardly any effect."),
        colours=COLOURS,
    )
