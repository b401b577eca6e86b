"""The report's page in a browser: nothing from the network, sorting, filtering, themes, narrow screens, accessibility."""

from __future__ import annotations

import io
import math
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from axe_playwright_python.sync_playwright import Axe
from matplotlib.figure import Figure
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Page as Tab

from ordbo_cli.pictures.page import Cell, Fact, Header, Illustration, Page, Section, Table, render

NASTY = "<script>alert(1)</script> & \"x\" 'y'"
GREEK, RTL, LONG = "γωνία_θ", "زاوية", "a_very_long_parameter_name_without_a_single_space_" * 3
NAMES = ("angle", NASTY, GREEK, RTL, LONG)
ROWS = 120
NARROW = 390
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
        axes.set(xlabel=name, ylabel="latent length")

    return draw


def evaluations(rows: int) -> Table:
    """Return a table with what studies have: failures, pending points, ties, values far apart and names from anywhere."""
    source = random.Random(3)
    headers = (Header("id", "number"), *(Header(name, "number", "deg") for name in NAMES))
    headers = (*headers, Header("drag", "number", "N"), Header("status"), Header("origin"))

    def row(place: int) -> tuple[Cell, ...]:
        status = "failed" if place % 9 == 4 else "pending" if place > rows - 4 else "ok"
        values = [source.uniform(-5, 5) * 10.0 ** source.randrange(-4, 6) for _ in NAMES]
        y = math.inf if place == 7 else round(source.expovariate(0.02), 1)  # rounding makes ties
        objective = Cell(f"{y:g}", y) if status == "ok" else Cell("" if status == "pending" else "failed")
        origin = ("", "Ångström", "item 10", "item 9", NASTY, "zebra")[place % 6]
        inputs = (Cell(f"{value:.3g}", value) for value in values)
        return (Cell(str(place), place), *inputs, objective, Cell(status), Cell(origin))

    return Table("All evaluations, in the order in which they came.", headers, tuple(map(row, range(rows))), 7)


def report(rows: int = ROWS) -> Page:
    """Return a page with something of everything."""
    pictures = tuple(
        Illustration(f"Warp of {name}", drawing(warp(name), 3.4, 2.4), f"{name} is stretched most between 0.3 and 0.4.")
        for name in NAMES
    )
    wide = drawing(convergence, 8.5, 3.2)
    table = evaluations(rows)
    best = Table("The five best points.", table.headers[:7], tuple(cells[:7] for cells in table.rows[:5]))
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


class Visit:
    """An open report, and what went on in it."""

    def __init__(self, browser: Browser, path: Path, **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.tab: Tab = self.context.new_page()
        self.asked: list[str] = []
        self.faults: list[str] = []
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.faults.append(message.text))
        self.tab.on("pageerror", lambda error: self.faults.append(str(error)))
        self.tab.on("dialog", lambda dialog: (self.faults.append(dialog.message), dialog.dismiss()))
        self.tab.goto(path.as_uri())

    def column(self, index: int) -> list[str]:
        """Return the texts of a column, as far as its rows are shown."""
        texts: list[str] = self.tab.eval_on_selector_all(
            "#table tbody tr:not([hidden])", f"rows => rows.map(row => row.cells[{index}].textContent)"
        )
        return texts

    def said(self) -> str:
        """Return what the live region says."""
        return self.tab.locator("#shown").inner_text()

    def background(self) -> str:
        """Return the colour behind everything."""
        return str(self.tab.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, once for all tests; skip where there is none, but fail in CI, which installs it."""
    program = shutil.which("chromium")
    if program is None:
        assert os.environ.get("CI") != "true", "chromium is missing, though .ci/run installs it"
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        # its sandbox needs a user who is not root, and CI may have none
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, written once."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(report()), encoding="utf-8")
    return path


@pytest.fixture
def visit(browser: Browser, file: Path) -> Iterator[Callable[..., Visit]]:
    """Open the report with a browser's settings; no visit may leave an error or have asked for a second file."""
    visits: list[Visit] = []

    def open_it(**context: Any) -> Visit:
        visits.append(Visit(browser, file, **context))
        return visits[-1]

    yield open_it
    for each in visits:
        each.context.close()
        assert each.faults == []
        assert each.asked == [file.as_uri()]
