"""The documentation site: it builds without a warning, and every link of it leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

import ordbo_cli
from ordbo_cli.cli.app import COMMANDS
from ordbo_cli.files.problem_file.schema import METHOD, OBJECTIVE, OUTCOME, PARAMETER, PRIOR, PROBLEM, SCHEDULE

ROOT = Path(__file__).parents[2]
RECORDS = {
    "problem": PROBLEM,
    "objective": OBJECTIVE,
    "parameters": PARAMETER,
    "outcomes": OUTCOME,
    "method": METHOD,
    "prior": PRIOR,
    "beta": SCHEDULE,
}
ELSEWHERE = re.compile(r"(https://[\w-]+(\.[\w-]+)+(/[^\s<>\"]*)?|mailto:\S+@\S+)")


class Page(HTMLParser):
    """What a page refers to, and what in it can be referred to.

    Args:
        text: its HTML.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.pictures: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag refers to."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.links += [given[name] for name in ("href", "src") if name in given]
        self.links += [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]
        if tag == "img":
            self.pictures.append(given)
        if given.get("http-equiv") == "refresh":
            self.links.append(given["content"].partition("url=")[2])


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``make docs`` builds it, every warning an error."""
    target = tmp_path_factory.mktemp("site")
    made = subprocess.run(
        ["make", "docs", "INSTALLED=", f"BIN={Path(sys.executable).parent}", f"SITE={target}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return target


def dead(site: Path) -> Iterator[str]:
    """Name the links that lead nowhere; those to other sites are looked at only in form."""
    for path in sorted(site.rglob("*.html")):
        for link in page(path).links:
            parts = urlsplit(link)
            if parts.scheme:
                if not ELSEWHERE.fullmatch(link) and parts.scheme != "data":
                    yield f"{path.relative_to(site)}: {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = target.is_file() and target.is_relative_to(site)
            anchor = unquote(parts.fragment)
            if not found or (anchor and target.suffix == ".html" and anchor not in page(target).anchors):
                yield f"{path.relative_to(site)}: {link}"


def test_every_link_leads_somewhere(site: Path) -> None:
    """Pages, anchors, files and pictures are there."""
    assert sum(len(page(path).links) for path in site.rglob("*.html")) > 1000
    assert list(dead(site)) == []


def test_a_dead_link_is_found(site: Path, tmp_path: Path) -> None:
    """A page, an anchor, a picture and an address that are not there are each named, and nothing else is."""
    (tmp_path / "there.html").write_text('<p id="here">', encoding="utf-8")
    (tmp_path / "x.html").write_text(
        '<a href="there.html#here">1</a><a href="there.html#gone">2</a><a href="gone.html">3</a><a href="#top">4</a>'
        '<img src="gone.svg"><a href="https://nowhere">6</a><a href="https://example.org/a">7</a>',
        encoding="utf-8",
    )
    gone = ("there.html#gone", "gone.html", "#top", "gone.svg", "https://nowhere")
    assert list(dead(tmp_path)) == [f"x.html: {link}" for link in gone]


def test_every_picture_says_what_it_shows(site: Path) -> None:
    """Whoever cannot see a picture is told; one with a dark variant gives way to it on a dark page."""
    pictures = page(site / "docs" / "method.html").pictures
    assert [picture for path in site.rglob("*.html") for picture in page(path).pictures if not picture.get("alt")] == []
    light = [Path(each["src"]).stem for each in pictures if "only-light" in each["class"]]
    dark = [Path(each["src"]).stem for each in pictures if "only-dark" in each["class"]]
    assert 5 <= len(light) <= 8
    assert dark == [f"{name}-dark" for name in light]


def test_every_page_fits_on_a_phone(site: Path, browser: Browser) -> None:
    """At 390 px nothing has to be pushed sideways but what scrolls in a frame of its own; no script fails."""
    faults: list[str] = []
    wide = []
    tab = browser.new_page(viewport={"width": 390, "height": 800})
    tab.on("pageerror", lambda error: faults.append(str(error)))
    for path in sorted({*site.rglob("*.html")} - {site / "index.html"}):
        tab.goto(path.as_uri())
        if tab.evaluate("document.querySelector('.content').scrollWidth") > 390:  # the frame of all that Furo shows
            wide.append(path.name)
    tab.close()
    assert wide == []
    assert faults == []


def test_every_key_command_and_public_name_has_its_place(site: Path) -> None:
    """The reference is made from the program, so it misses nothing of it."""
    reference = site / "docs" / "reference"
    keys = {f"{name}-{key}".replace("_", "-") for name, record in RECORDS.items() for key in record.keys}
    assert keys - page(reference / "problem-file.html").anchors == set()
    overview = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`ordbo {name}" not in overview] == []
    assert {f"ordbo-{name}" for name in COMMANDS} - page(reference / "commands.html").anchors == set()
    assert r"\{name} is a literal {name}" in (reference / "commands.html").read_text(encoding="utf-8")
    public = {f"ordbo_cli.{name}" for name in ordbo_cli.__all__ if not name.endswith("Error")}
    assert public - page(reference / "python.html").anchors == set()


def test_pages_read_well_in_the_repository() -> None:
    """What only the site understands stands in comments: no directive, role or target is shown as text."""
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall(r"^(?:```|:::)\{.*|^\(\S+\)=$|(?<!`)\{[a-z]+\}`", text, re.MULTILINE) == [], path.name
