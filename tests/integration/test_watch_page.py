"""The page of ``ordbo watch`` in a browser: it follows the files, leaves the reader alone, and says what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Request, expect
from playwright.sync_api import Page as Tab

from ordbo_cli.study.study import Study
from tests.report_page import NASTY
from tests.watched import Server, resident

PATIENCE = 60_000  # ms: how long a loaded machine may take, not how long it takes
PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  angle: {min: 0, max: 12, digits: 4}
  blades: {type: int, min: 3, max: 9}
method: {iterations: 20}
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study of three results, with one point that is out."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM, encoding="utf-8")
    study = Study.open(path)
    for point, drag in zip(study.ask_batch(4), ("3", "2.5", None), strict=False):
        study.tell(drag, id=point.id, note="" if drag else "the mesh broke")
    return study


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Open an address; no page may leave a message in the console, but the browser's own of a refusal."""
    expected = ("ERR_CONNECTION_REFUSED", "status of 401")
    faults: list[str] = []
    contexts = []

    def opened(address: str, **settings: Any) -> Tab:
        def noted(message: ConsoleMessage) -> None:
            if not any(each in message.text for each in expected):
                faults.append(message.text)

        def asked(request: Request) -> None:
            if not request.url.startswith(("http://127.0.0.1:", "data:,")):
                faults.append(request.url)

        contexts.append(browser.new_context(**settings))
        tab = contexts[-1].new_page()
        tab.on("console", noted)
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("dialog", lambda dialog: faults.append(dialog.message))
        tab.on("request", asked)
        tab.set_default_timeout(PATIENCE)
        tab.goto(address)
        return tab

    yield opened
    for each in contexts:
        each.close()
    assert faults == []


def counted(tab: Tab, label: str, number: int) -> None:
    """Wait until the summary says a number."""
    card = tab.locator("#summary .facts > div", has=tab.get_by_text(label, exact=True))
    expect(card.locator("dd span")).to_have_text(str(number), timeout=PATIENCE)


def drawn(tab: Tab) -> None:
    """Wait until all that is drawn of a study of one objective is there."""
    expect(tab.locator("figure svg[role=img]")).to_have_count(7, timeout=PATIENCE)
    expect(tab.locator("#section-diagnostics dl")).to_be_visible(timeout=PATIENCE)


def test_results_of_several_writers_come_by_themselves(study: Study, visit: Callable[..., Tab]) -> None:
    """Two pages show every result of four writers, what failed and why, and what happened; nothing is loaded again."""

    def work(which: int) -> None:
        for k in range(5):
            point = study.ask()
            study.tell(None if k == 2 else point.parameters["angle"], id=point.id, note=f"of {which}" if k == 2 else "")

    with Server(study.problem_path) as server:
        tabs = [visit(server.link), visit(server.link, viewport={"width": 390, "height": 844})]
        for tab in tabs:
            counted(tab, "Evaluations", 3)
            expect(tab.locator("#section-out tbody tr")).to_have_count(1)
            tab.evaluate("window.same = true")
        writers = [threading.Thread(target=work, args=(which,)) for which in range(4)]
        for each in writers:
            each.start()
        for each in writers:
            each.join()
        for tab in tabs:
            counted(tab, "Evaluations", 23)
            expect(tab.locator("#table tbody tr")).to_have_count(24)
            expect(tab.locator("#section-failures tbody tr")).to_have_count(5)
            expect(tab.locator("#section-log tbody tr").first).to_be_visible()
            expect(tab.locator("#section-log")).to_contain_text("failed: of 3")
            assert tab.evaluate("window.same") is True
        drawn(tabs[0])
        expect(tabs[0].locator("#section-convergence .note")).to_have_text("As of 23 evaluations.", timeout=PATIENCE)


def test_what_the_reader_does_outlives_a_result(study: Study, visit: Callable[..., Tab]) -> None:
    """Words being typed, the cursor, a sorted column, a chosen status and a scrolled table stay."""
    study.tell_rows("angle,blades,drag\n" + "".join(f"{k / 10},4,{k + 5}\n" for k in range(60)), source="test")
    with Server(study.problem_path) as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 63)
        tab.locator("#table thead button", has_text="drag").click()
        tab.locator("#table thead button", has_text="drag").click()
        tab.locator("#status").select_option(label="ok (62)")
        tab.locator("#search").fill("4 ")
        tab.locator("#search").press("ArrowLeft")
        study.tell(400, parameters={"angle": 7, "blades": 4})
        counted(tab, "Evaluations", 64)
        tab.keyboard.type("00")
        assert tab.locator("#search").input_value() == "400 "
        assert tab.locator("#status").input_value() == "=ok"
        expect(tab.locator("#shown")).to_contain_text("sorted by drag (N), descending")
        assert tab.locator("#table tbody tr").first.inner_text().split()[0] == "64"
        tab.locator("#search").fill("")
        grid = tab.get_by_role("region", name="Table of evaluations")
        grid.evaluate("each => { each.scrollTop = 300 }")
        tab.locator("#table thead button").nth(1).focus()
        study.tell(401, parameters={"angle": 8, "blades": 4})
        counted(tab, "Evaluations", 65)
        assert tab.evaluate("document.activeElement.closest('th').cellIndex") == 1
        assert grid.evaluate("each => each.scrollTop") == 300


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_a_page_that_is_alive(
    study: Study, visit: Callable[..., Tab], theme: str, width: int
) -> None:
    """With all that is drawn, and on a phone nothing wider than the page."""
    with Server(study.problem_path) as server:
        tab = visit(server.link, color_scheme=theme, viewport={"width": width, "height": 800})
        study.tell(1, parameters={"angle": 5, "blades": 5})
        counted(tab, "Evaluations", 4)
        drawn(tab)
        found = Axe().run(tab)
        assert found.violations_count == 0, found.generate_report()
        assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_who_listens_is_told(study: Study, visit: Callable[..., Tab]) -> None:
    """The newest result stands in a live region; times of what is out go on."""
    with Server(study.problem_path) as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 3)
        before = tab.locator("#section-out time").inner_text()
        study.tell(0.5, parameters={"angle": 5, "blades": 5})
        expect(tab.get_by_role("status").filter(has_text="drag 0.5, the best so far").first).to_be_attached(
            timeout=PATIENCE
        )
        expect(tab.locator("#section-out time")).not_to_have_text(before, timeout=PATIENCE)


def test_names_of_any_kind_are_text_on_a_page_that_is_alive(tmp_path: Path, visit: Callable[..., Tab]) -> None:
    """Markup in the names of the file, parameters, objective, units, levels, notes and outputs stays what it is."""
    path = tmp_path / "<img src=x onerror=alert(2)>.yaml"
    quoted = NASTY.replace("'", "''")
    path.write_text(
        f"version: 1\nobjective: {{name: '{quoted}', goal: minimize, unit: '<b>N</b>'}}\nparameters:\n"
        f"  '{quoted} x': {{min: 0, max: 1, unit: '<i>m</i>'}}\n"
        "  level: {type: categorical, values: ['<script>alert(3)</script>', '\"><svg onload=alert(4)>']}\n"
        "method: {iterations: 20}\n",
        encoding="utf-8",
    )
    study = Study.open(path)
    for point in study.ask_batch(3):
        study.tell(None if point.id == 1 else point.id, id=point.id, note=f"note {NASTY}")
    run = path.with_suffix(".runs") / "1"
    run.mkdir(parents=True)
    (run / "stderr").write_text(f"</span><script>alert(5)</script>\n{NASTY}\n", encoding="utf-8")
    with Server(path) as server:
        tab = visit(server.link)
        expect(tab.locator("h1")).to_have_text(path.stem)
        study.tell(7, parameters={f"{NASTY} x": 0.4, "level": "<script>alert(3)</script>"}, note="<b>later</b>")
        counted(tab, "Evaluations", 4)
        expect(tab.locator("#section-log")).to_contain_text(f"{NASTY} 7")
        expect(tab.locator("#section-failures")).to_contain_text("</span><script>alert(5)</script>")
        expect(tab.locator("#table")).to_contain_text("<b>later</b>")
        expect(tab.locator("#section-diagnostics dl")).to_be_visible(timeout=PATIENCE)
        assert tab.locator("script").count() == 2
        assert tab.locator("main b, main i, main img, main script").count() == 0


def test_a_server_that_demands_a_token(study: Study, visit: Callable[..., Tab]) -> None:
    """The link has it, and it leaves the address line; without it a page shows nothing until somebody types it."""
    with Server(study.problem_path, "--token") as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 3)
        assert server.token
        assert server.token not in tab.url
        stranger = visit(server.address)
        expect(stranger.locator("#refusal")).to_have_text("The server demands a token.")
        assert "wing" not in stranger.content()
        stranger.locator("#token").fill("wrong")
        stranger.get_by_role("button", name="Open").click()
        expect(stranger.locator("#refusal")).to_have_text("The server refuses this token.")
        stranger.locator("#token").fill(server.token)
        stranger.keyboard.press("Enter")
        counted(stranger, "Evaluations", 3)


def test_a_server_that_goes_and_comes_back(study: Study, visit: Callable[..., Tab]) -> None:
    """The page says that nobody answers, and goes on by itself."""
    with Server(study.problem_path) as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 3)
        server.end()
        expect(tab.locator("#link")).to_contain_text("does not answer", timeout=PATIENCE)
        study.tell(1, parameters={"angle": 5, "blades": 5})
        server.start()
        counted(tab, "Evaluations", 4)
        expect(tab.locator("#link")).to_have_text("")


def test_files_that_cannot_be_read_are_said_and_mended(study: Study, visit: Callable[..., Tab]) -> None:
    """What was known stays, with a warning; when the file is whole again the warning goes."""
    with Server(study.problem_path) as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 3)
        study.problem_path.write_text("version: 1\nobjective: {name: drag}\n", encoding="utf-8")
        expect(tab.locator(".warnings")).to_contain_text("wing.yaml:2", timeout=PATIENCE)
        counted(tab, "Evaluations", 3)
        study.problem_path.write_text(PROBLEM, encoding="utf-8")
        expect(tab.locator(".warnings")).to_have_count(0, timeout=PATIENCE)


def test_a_folder_has_a_page_of_its_studies(study: Study, visit: Callable[..., Tab], tmp_path: Path) -> None:
    """Each with how far it is, as it goes on, also one that is begun meanwhile; links lead to their pages."""
    with Server(tmp_path) as server:
        tab = visit(server.link)
        row = tab.locator("#section-studies tbody tr", has=tab.get_by_role("link", name="wing"))
        expect(row).to_contain_text("2.5")
        study.tell(0.25, parameters={"angle": 5, "blades": 5})
        expect(row).to_contain_text("0.25", timeout=PATIENCE)
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "broken.yaml").write_text("objective: {}\nparameters: {}\n", encoding="utf-8")
        expect(tab.locator("#section-studies tbody tr")).to_have_count(2, timeout=PATIENCE)
        found = Axe().run(tab)
        assert found.violations_count == 0, found.generate_report()
        tab.get_by_role("link", name="wing").click()
        counted(tab, "Evaluations", 4)


def test_memory_does_not_grow(study: Study, visit: Callable[..., Tab]) -> None:
    """After a hundred results the page has as many listeners as after twenty, the server its size."""
    with Server(study.problem_path) as server:
        tab = visit(server.link)
        counted(tab, "Evaluations", 3)
        session = tab.context.new_cdp_session(tab)
        sizes = []
        for number in range(1, 101):
            study.tell(number % 7, id=4, amend=number > 1)
            expect(tab.locator("#section-log tbody tr")).to_have_count(min(number, 200), timeout=PATIENCE)
            if number % 20 == 0:
                session.send("HeapProfiler.collectGarbage")
                sizes.append((session.send("Memory.getDOMCounters")["jsEventListeners"], resident(server.process.pid)))
        assert sizes[-1][0] <= sizes[0][0] + 5
        assert sizes[-1][1] < 1.3 * sizes[0][1]
