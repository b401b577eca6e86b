"""The page of 'ordbo benchmark --html' in a browser: accessible, narrow, no request, readable without scripts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from ordbo_cli.cli import main
from tests.benchmark_records import METHODS, PROBLEMS, write_records
from tests.integration.visit import NARROW, Visit

ROWS = 2 * len(METHODS) * len(PROBLEMS)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of three problems, eight methods and two budgets, written once."""
    folder = tmp_path_factory.mktemp("benchmark")
    records, page = write_records(folder / "theirs.jsonl"), folder / "page.html"
    words = ["--records", records, "--output", folder / "mine.jsonl", "--html", page, "--budgets", "20,40"]
    words += ["--problems", ",".join(PROBLEMS), "--methods", ",".join(METHODS), "--seeds", "0:3", "--quiet"]
    assert main(["benchmark", *map(str, words)]) == 0
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, NARROW])
def test_axe_finds_nothing_in_a_benchmark(visit: Callable[..., Visit], theme: str, width: int) -> None:
    """No rule of axe-core is broken on a desk and on a phone, in either theme."""
    page = visit(color_scheme=theme, viewport={"width": width, "height": 800})
    found = Axe().run(page.tab)
    assert found.violations_count == 0, found.generate_report()


def test_a_phone_scrolls_no_page(visit: Callable[..., Visit]) -> None:
    """At 390 pixels tables and pictures scroll, and the page does not."""
    page = visit(viewport={"width": NARROW, "height": 844})
    assert page.tab.evaluate("document.documentElement.scrollWidth") == NARROW


def test_the_rows_sort_and_are_counted(visit: Callable[..., Visit]) -> None:
    """The last table has every problem, method and budget; a search and a click work as in a study's report."""
    page = visit()
    assert page.said() == f"{ROWS} results"
    page.tab.fill("#search", "step_1d nevergrad")
    assert page.said() == f"2 of {ROWS} results"
    page.tab.fill("#search", "")
    page.tab.locator("#table thead button").nth(4).click()
    simple = [float(text) for text in page.column(4)]
    assert simple == sorted(simple)


def test_screen_readers_hear_what_pictures_show(visit: Callable[..., Visit]) -> None:
    """Profile, ranks and regrets have names, and words that tell the figures."""
    page = visit()
    names = page.tab.get_by_role("img").evaluate_all("all => all.map(each => each.querySelector('title').textContent)")
    ranks = [f"By {figure} regret after {n} evaluations" for n in (20, 40) for figure in ("cumulative", "simple")]
    regrets = [f"{problem}: {figure} regret" for problem in PROBLEMS for figure in ("cumulative", "simple")]
    assert names == ["Data profile", *ranks, *regrets]
    told = page.tab.locator(".picture desc").all_text_contents()
    assert all("default" in each and "botorch" in each for each in told)


def test_it_says_how_it_was_made(visit: Callable[..., Visit]) -> None:
    """The command, the version, seeds and files, and for each method its settings or its packages."""
    page = visit(java_script_enabled=False)
    text = page.tab.locator("main").inner_text()
    for words in ("ordbo benchmark --records", "--budgets 20,40", "0, 1, 2", "theirs.jsonl", "beta 2.0", "nevergrad"):
        assert words in text
    assert page.tab.locator("#table tbody tr").count() == ROWS


def test_the_first_glance_is_not_taken_for_proof(visit: Callable[..., Visit]) -> None:
    """The summary says of how many others the leader is not told apart; a baseline that is not there is not named."""
    text = visit().tab.locator("main").inner_text()
    assert "not told apart from 7 others" in text
    assert "that ratios are to" in text
    assert "Challenging is paper without hartmann_4d" in text


def test_no_baseline_is_named_that_took_no_part(tmp_path: Path) -> None:
    """Without a vanilla method there are no ratios, and the summary promises none."""
    records, page = write_records(tmp_path / "theirs.jsonl"), tmp_path / "page.html"
    words = ["--records", records, "--output", tmp_path / "mine.jsonl", "--html", page, "--budgets", "40"]
    words += ["--problems", ",".join(PROBLEMS), "--methods", "default,random", "--seeds", "0:3", "--quiet"]
    assert main(["benchmark", *map(str, words)]) == 0
    assert "that ratios are to" not in page.read_text()
