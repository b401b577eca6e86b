"""The report's page in a browser: no request, sorting, filtering, themes, narrow screens, accessibility."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from ordbo_cli.pictures.pages.page import Page, PageCell, render
from tests.integration.visit import NARROW, Visit
from tests.report_page import NAMES, NASTY, ROWS, evaluations, report


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, written once."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(report()), encoding="utf-8")
    return path


def order(column: int, descending: bool) -> list[str]:
    """Return the ids in the order of a column, as Python sorts it: ties as in the file, what has no value last."""
    ranks = {
        NASTY: 0,
        "Ångström": 1,
        "item 9": 2,
        "item 09": 2,
        "item 10": 3,
        "zebra": 4,
        "failed": 0,
        "ok": 1,
        "pending": 2,
    }

    def key(cells: tuple[PageCell, ...]) -> float | None:
        cell = cells[column]
        value = ranks.get(cell.text) if column >= 7 else cell.key
        assert not isinstance(value, str)
        return value

    rows = evaluations(ROWS).rows
    valued = sorted((cells for cells in rows if key(cells) is not None), key=key, reverse=descending)  # type: ignore[arg-type]
    return [cells[0].text for cells in (*valued, *(cells for cells in rows if key(cells) is None))]


def test_a_click_sorts_and_another_turns_round(visit: Callable[..., Visit]) -> None:
    """Each column sorts both ways: numbers by their exact value, ties as in the file, failures and empty cells last."""
    report = visit()
    for column in range(9):
        header = report.tab.locator("#table thead th").nth(column)
        for descending, name in ((False, "ascending"), (True, "descending"), (False, "ascending")):
            header.locator("button").click()
            assert report.column(0) == order(column, descending)
            assert header.get_attribute("aria-sort") == name
            assert report.said().endswith(name)
        assert report.tab.locator("[aria-sort]").count() == 1


def test_only_the_last_column_counts_as_sorted(visit: Callable[..., Visit]) -> None:
    """Another column starts upwards whatever the first one did, and takes the mark from it."""
    report = visit()
    for column in (1, 1, 6):
        report.tab.locator("#table thead button").nth(column).click()
    assert report.column(0) == order(6, descending=False)
    assert report.tab.locator("[aria-sort]").get_attribute("aria-sort") == "ascending"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_alone_sorts_and_filters(visit: Callable[..., Visit], key: str) -> None:
    """Tab reaches the search, the statuses and each column's head; Enter and Space sort."""
    report = visit()
    keys = report.tab.keyboard
    keys.press("Tab")
    assert report.tab.evaluate("document.activeElement.textContent") == "Skip to the content"
    keys.press("Enter")
    for _ in range(20):
        keys.press("Tab")
        if report.tab.evaluate("document.activeElement.id") == "search":
            break
    keys.type("ok")
    keys.press("Tab")
    assert report.tab.evaluate("document.activeElement.id") == "status"
    keys.press("Tab")  # the table's region
    assert report.tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Table of evaluations"
    keys.press("Tab")
    keys.press("Tab")
    assert report.tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    keys.press(key)
    shown = set(report.column(0))
    assert report.column(0) == [place for place in order(1, descending=False) if place in shown]
    assert set(report.column(7)) == {"ok"}


def test_filters_by_text_and_by_status(visit: Callable[..., Visit]) -> None:
    """Every word has to be in some column, case aside; the status too; the live region says how many rows are left."""
    report = visit()
    assert report.said() == "120 evaluations"
    report.tab.fill("#search", "ÅNGSTRÖM")
    assert set(report.column(8)) == {"Ångström"}
    assert report.said() == "17 of 120 evaluations"
    report.tab.fill("#search", "ångström failed")
    assert {*report.column(7), *report.column(8)} == {"failed", "Ångström"}
    report.tab.fill("#search", "Ångström")
    report.tab.select_option("#status", label="failed (13)")
    expected = [row[0].text for row in evaluations(ROWS).rows if row[7].text == "failed" and row[8].text == "Ångström"]
    assert expected
    assert report.column(0) == expected
    report.tab.fill("#search", "")
    assert report.said() == "13 of 120 evaluations"
    report.tab.fill("#search", "no such thing")
    assert report.said() == "0 of 120 evaluations"
    report.tab.fill("#search", NASTY)
    report.tab.select_option("#status", label="all (120)")
    assert set(report.column(8)) == {NASTY}


def test_a_large_study_shows_its_first_rows_and_all_when_asked(browser: Browser, tmp_path: Path) -> None:
    """2500 rows are cut to 1000, which are those that come first in the order asked for; a button shows them all."""
    path = tmp_path / "large.html"
    table = evaluations(2500)
    path.write_text(render(Page("large", "", (), (), table)), encoding="utf-8")
    large = Visit(browser, path)
    assert large.said() == "2500 evaluations, the first 1000 shown"
    for _ in range(2):
        large.tab.locator("#table thead button").first.click()
    assert large.column(0) == [str(place) for place in range(2499, 1499, -1)]
    large.tab.click("#more")
    assert large.said() == "2500 evaluations, sorted by id, descending"
    assert len(large.column(0)) == 2500
    assert large.tab.evaluate("document.activeElement.ariaLabel") == "Table of evaluations"
    assert not large.tab.locator("#more").is_visible()
    assert large.faults == []


def test_dark_as_the_system_says_and_as_the_button_says(visit: Callable[..., Visit]) -> None:
    """The system's theme is the first; the button turns it round, lasts over a reload, and colours pictures too."""
    backgrounds, inks = {}, {}
    for theme, other in (("light", "dark"), ("dark", "light")):
        report = visit(color_scheme=theme)
        button = report.tab.locator("#theme")
        stroke = "getComputedStyle(document.querySelector('.picture svg text')).fill"
        assert button.get_attribute("aria-pressed") == str(theme == "dark").lower()
        backgrounds[theme], inks[theme] = report.background(), report.tab.evaluate(stroke)
        button.click()
        assert button.get_attribute("aria-pressed") == str(other == "dark").lower()
        turned = report.background()
        assert report.tab.evaluate(stroke) != inks[theme]
        report.tab.reload()
        assert report.background() == turned != backgrounds[theme]
    assert turned == backgrounds["light"] != backgrounds["dark"]


def test_words_in_pictures_look_like_the_pages(visit: Callable[..., Visit]) -> None:
    """They are set in its type, and what was drawn in plain black is light in the dark theme."""
    report = visit(color_scheme="dark")
    word = report.tab.locator(".picture text", has_text="black").first
    look = "each => { const found = getComputedStyle(each); return [found.fontFamily, found.fill, found.color] }"
    font, fill, ink = word.evaluate(look)
    assert font == report.tab.evaluate("getComputedStyle(document.body).fontFamily")
    assert fill == ink


def test_a_browser_that_refuses_storage_has_themes_too(visit: Callable[..., Visit]) -> None:
    """Some browsers keep nothing for a file; the button works all the same, and nothing is said."""
    refusal = (
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError') } })"
    )
    report = visit(before=refusal)
    light = report.background()
    report.tab.click("#theme")
    assert report.background() != light


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, NARROW])
def test_axe_finds_nothing(visit: Callable[..., Visit], theme: str, width: int) -> None:
    """No rule of axe-core is broken, contrast included, on a desk and on a phone, in either theme."""
    report = visit(color_scheme=theme, viewport={"width": width, "height": 800})
    found = Axe().run(report.tab)
    assert found.violations_count == 0, found.generate_report()


def test_a_phone_scrolls_tables_and_pictures_and_not_the_page(visit: Callable[..., Visit]) -> None:
    """At 390 pixels nothing is wider than the page but inside regions that the Tab key reaches and a name announces."""
    report = visit(viewport={"width": NARROW, "height": 844})
    assert report.tab.evaluate("document.documentElement.scrollWidth") == NARROW
    wide = "all.filter(each => each.scrollWidth > each.clientWidth + 1)"
    stops = f"all => {wide}.map(each => [each.tabIndex, each.ariaLabel])"
    regions = report.tab.eval_on_selector_all(".scroll", stops)
    assert [0, "Table of evaluations"] in regions
    assert [0, "Picture: Best drag so far"] in regions
    assert all(stop == 0 for stop, _ in regions)
    small = report.tab.locator(".scroll[aria-label='Picture: Warp of angle']")
    assert small.get_attribute("tabindex") is None


def test_pictures_are_no_wider_than_drawn(visit: Callable[..., Visit]) -> None:
    """A wide screen does not blow them up."""
    report = visit(viewport={"width": 2000, "height": 800})
    widths = report.tab.eval_on_selector_all(
        ".picture svg", "all => all.map(each => each.getBoundingClientRect().width)"
    )
    assert widths[0] == pytest.approx(8.5 * 96, abs=1)
    assert widths[1:] == [pytest.approx(3.4 * 96, abs=1)] * len(NAMES)


def test_names_of_any_kind_are_text(visit: Callable[..., Visit]) -> None:
    """A name that looks like markup stands there as it is, in headings, tables, alternatives and pictures."""
    report = visit()
    assert report.tab.locator("h1").inner_text() == f"wing {NASTY}"
    heads = report.tab.locator("#table thead th span").all_inner_texts()
    assert heads[1:6] == [f"{name} (deg)" for name in NAMES]
    assert report.tab.title() == f"wing {NASTY}"
    descriptions = report.tab.locator(".picture desc").all_text_contents()
    assert descriptions[0].endswith(NASTY)
    assert NASTY in report.tab.locator(".picture text").all_text_contents()
    assert report.tab.locator("script").count() == 1


def test_each_picture_has_a_name_and_a_description(visit: Callable[..., Visit]) -> None:
    """Screen readers get the title and what the picture shows, though two pictures came with the same ids."""
    report = visit()
    angle = report.tab.get_by_role("img", name="Warp of angle", exact=True)
    described = angle.evaluate("svg => document.getElementById(svg.getAttribute('aria-describedby')).textContent")
    assert described == "angle is stretched most between 0.3 and 0.4."
    ids = report.tab.eval_on_selector_all("[id]", "all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))


def test_without_scripts_it_is_a_plain_page(visit: Callable[..., Visit]) -> None:
    """All rows are there, and no button that does nothing."""
    report = visit(java_script_enabled=False)
    assert report.tab.locator("#table tbody tr").count() == ROWS
    assert report.tab.locator("button:visible, input:visible, select:visible").count() == 0


def test_paper_is_light_and_shows_all(visit: Callable[..., Visit]) -> None:
    """In print the dark theme is left out, and so are buttons and scrolling."""
    report = visit(color_scheme="dark")
    report.tab.emulate_media(media="print")
    assert report.tab.evaluate("getComputedStyle(document.body).color") == "rgb(26, 29, 35)"
    assert report.tab.locator("nav:visible, main :not(th) > button:visible, input:visible").count() == 0
    assert report.tab.evaluate("getComputedStyle(document.querySelector('.grid')).overflow") == "visible"
