"""What ``ordbo report`` writes of a study of a hundred points and six parameters, opened in Chromium."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from ordbo_cli.cli import main

ROWS = 100
PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  angle: {min: 0, max: 12, unit: °}
  reynolds: {min: 1e5, max: 1e7, scale: log}
  blades: {type: int, min: 3, max: 9}
  chord: {min: 0.1, max: 0.5, unit: m}
  camber: {min: 0, max: 0.1}
  twist: {min: -5, max: 25, unit: °}
method: {iterations: 40}
"""


def study(folder: Path) -> Path:
    """Write a study of seeded rows, every tenth a failure; return the problem file."""
    path = folder / "wing.yaml"
    path.write_text(PROBLEM, encoding="utf-8")
    U = np.random.default_rng(7).random((ROWS, 6))
    lines = ["angle,reynolds,blades,chord,camber,twist,drag"]
    for k, u in enumerate(U):
        x = [12 * u[0], 1e5 * 100 ** u[1], 3 + int(7 * u[2]), 0.1 + 0.4 * u[3], 0.1 * u[4], 30 * u[5] - 5]
        y = "failed" if k % 10 == 9 else f"{np.exp((x[0] - 4) ** 2 / 9 + (x[1] > 5e5) + abs(x[5] - 8) / 5):.6g}"
        lines.append(",".join([*(f"{value:.6g}" for value in x), y]))
    path.with_suffix(".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_report_of_a_hundred_points_and_six_parameters(tmp_path: Path, browser: Browser) -> None:
    """Below 2 MB; no fault, no request, accessible; all pictures drawn; the evaluations sort and filter."""
    page = tmp_path / "report.html"
    assert main(["report", str(study(tmp_path)), "-o", str(page)]) == 0
    assert page.stat().st_size < 2e6
    faults: list[str] = []
    asked: list[str] = []
    for scheme, width in (("light", 1280), ("dark", 390)):
        tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        tab.on("console", lambda message: faults.append(message.text))
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(page.as_uri())
        assert tab.locator("figure svg[role=img]").count() == 9  # best so far, 3 pairs, fit, four of parameters
        for picture in tab.locator("figure svg").all():
            box = picture.bounding_box()
            assert box is not None
            assert box["width"] > 100
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(tab)
        assert found.violations_count == 0, found.generate_report()
        rows = tab.locator("#table tbody tr:not([hidden])")
        assert rows.count() == ROWS
        tab.locator("#table thead button", has_text="rank").click()
        ranks = [int(text) for text in tab.locator("#table tbody tr td:nth-child(5)").all_inner_texts()[:90]]
        assert ranks == list(range(1, 91))
        tab.locator("#status").select_option(label=f"failed ({ROWS // 10})")
        assert rows.count() == ROWS // 10
        tab.close()
    assert faults == []
    assert set(asked) == {page.as_uri()}
