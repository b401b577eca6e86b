"""What ``ordbo report`` writes of studies of two and of three objectives, opened in Chromium."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from ordbo_cli.cli import main
from ordbo_cli.study.study import Study

ROWS = 30
AIMS = {"weight": "goal: minimize, unit: kg", "stiffness": "goal: maximize", "cost": "goal: minimize, unit: €"}


def study(folder: Path, objectives: int) -> Path:
    """Write a study of seeded rows, every tenth a failure, the fifth of each ten beyond a limit; return its path."""
    path = folder / "beam.yaml"
    names = list(AIMS)[:objectives]
    aims = ", ".join(f"{name}: {{{AIMS[name]}}}" for name in names)
    path.write_text(
        f"objectives: {{{aims}}}\nparameters: {{width: {{min: 1, max: 5, unit: mm}}, height: {{min: 1, max: 9}},"
        " alloy: {type: categorical, values: [steel, brass]}}\noutcomes: {stress: {max: 100}}\n"
        "method: {iterations: 40}\n",
        encoding="utf-8",
    )
    lines = [",".join(["width,height,alloy", *names, "stress"])]
    for k, (u, v, w) in enumerate(np.random.default_rng(5).random((ROWS, 3)).tolist()):
        width, height, brass = 1 + 4 * u, 1 + 8 * v, w > 0.5
        weight = width * height * (8.4 if brass else 7.8)
        values = [weight, width * height**3 * (1 if brass else 2), weight * (6 if brass else 1) + 40 * w]
        results = [f"{y:.5g}" for y in values[:objectives]]
        cells = ["failed", *[""] * (objectives - 1), ""] if k % 10 == 9 else [*results, "200" if k % 10 == 4 else "50"]
        lines.append(",".join([f"{width:.4g}", f"{height:.4g}", "brass" if brass else "steel", *cells]))
    path.with_suffix(".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=[2, 3])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, int]:
    """A study, its report, and its number of objectives."""
    path = study(tmp_path_factory.mktemp("beam"), request.param)
    page = path.with_name("report.html")
    assert main(["report", str(path), "-o", str(page)]) == 0
    return path, page, request.param


def lit(tab: Tab) -> set[str]:
    """Return the numbers of what stands out in pictures, and in tables."""
    return set(tab.eval_on_selector_all(".lit", "all => all.map(each => each.dataset.point)"))


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_it_is_whole_accessible_and_fits(
    report: tuple[Path, Path, int], browser: Browser, scheme: str, width: int
) -> None:
    """No fault, no request; all pictures and tables; the front is that of 'ordbo best', the knee marked."""
    path, page, objectives = report
    faults: list[str] = []
    asked: list[str] = []
    tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.as_uri())
    assert tab.locator("figure svg[role=img]").count() == 3 + 2 * objectives
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    rows = tab.locator("table", has_text="that no other one dominates").locator("tbody tr").all()
    front = Study.open(path).front()
    assert [row.locator("td").nth(1).inner_text() for row in rows] == [str(each.line) for each in front]
    knee = [row.locator("td").nth(1).inner_text() for row in rows if "knee" in row.inner_text()]
    assert knee == [str(Study.open(path).best().line)]
    assert tab.locator("#table tbody tr").count() == ROWS
    for picked in (False, True):
        if picked:
            tab.locator(".pick").first.click()
        found = Axe().run(tab)
        assert found.violations_count == 0, found.generate_report()
    tab.close()
    assert faults == []
    assert set(asked) == {page.as_uri()}


def test_a_result_stands_out_in_all_pictures_and_tables(report: tuple[Path, Path, int], browser: Browser) -> None:
    """While the mouse is on it in one of them; a click keeps it, and another, or Escape, lets it go."""
    _, page, objectives = report
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(page.as_uri())
    mark = tab.locator("figure").first.locator("circle.around").last
    number = mark.get_attribute("data-point") or ""
    panels = objectives * (objectives - 1) // 2
    mark.hover()
    assert lit(tab) == {number}
    assert tab.locator("figure").nth(0).locator("use.lit").count() >= panels
    for place, tag in ((1, "use"), (2, "path")):
        assert tab.locator("figure").nth(place).locator(f"{tag}.lit").count() >= 1
    assert tab.locator(f"#table tr[data-point='{number}']").get_attribute("class") == "lit"
    said = tab.locator("#picked").inner_text()
    assert said.startswith(f"order {number} · ")
    assert "weight (kg) " in said
    tab.locator("h1").hover()
    assert (lit(tab), tab.locator("#picked").inner_text()) == (set(), "")
    mark.click()
    tab.locator("h1").hover()
    assert lit(tab) == {number}
    tab.keyboard.press("Escape")
    assert lit(tab) == set()
    tab.close()


def test_the_keyboard_and_a_finger_choose_results(report: tuple[Path, Path, int], browser: Browser) -> None:
    """By the number in front of each row, a button that says whether it is chosen; filters leave it in place."""
    _, page, _ = report
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    tab = context.new_page()
    tab.goto(page.as_uri())
    button = tab.locator(".pick").nth(1)
    number = button.inner_text()
    button.focus()
    tab.keyboard.press("Enter")
    assert lit(tab) == {number}
    pressed = tab.locator(".pick[aria-pressed=true]")
    assert set(pressed.all_inner_texts()) == {number}
    tab.fill("#search", "failed")
    tab.locator(".pick").nth(0).tap()
    other = tab.locator(".pick").nth(0).inner_text()
    assert lit(tab) == {other} != {number}
    assert tab.locator("#picked").inner_text().startswith(f"order {other} · ")
    tab.locator(".pick").nth(0).tap()
    assert lit(tab) == set()
    context.close()


def test_a_page_of_one_objective_has_nothing_to_choose(browser: Browser, tmp_path: Path) -> None:
    """Its pictures say of no mark what it is."""
    path = study(tmp_path, 2)
    page = tmp_path / "one.html"
    assert main(["report", str(path), "--objective", "stiffness", "-o", str(page)]) == 0
    tab = browser.new_page()
    tab.goto(page.as_uri())
    assert tab.locator(".pick, [data-point]").count() == 0
    tab.close()
