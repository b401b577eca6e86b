"""The report's page as text: what stands in it, what is escaped, how pictures become a part of it."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import itertools
import math
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from ordbo_cli.pictures.pages import page as page_module
from ordbo_cli.pictures.pages.inline import inline
from ordbo_cli.pictures.pages.page import Fact, Header, Illustration, Page, PageCell, PageTable, Section, render
from ordbo_cli.pictures.pages.page_colours import DARK, LIGHT

NASTY = "<script>alert(1)</script> & \"x\" 'y'"
TABLE = PageTable("All.", (Header("id", "number"), Header("y", "number")), ((PageCell("1", 1), PageCell("0.5", 0.5)),))


def drawn(label: str = "x") -> str:
    """Return matplotlib's SVG of axes with a curve, a clipped and hatched bar and a picture of pixels."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ordbo"}):
        figure = Figure(figsize=(3, 2))
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color="#1B1B1F", marker="o")
        axes.bar([0.5], [1], hatch="//", color="#0072b2")
        axes.pcolormesh([[1, 2], [3, 4]], rasterized=True)
        axes.set_xlabel(label)
        stream = io.StringIO()
        figure.savefig(stream, format="svg")
    return stream.getvalue()


def markup(svg: str = "", prefix: str = "a-", colours: Mapping[str, str] | None = None) -> str:
    """Return a picture made part of a page."""
    return inline(svg or drawn(), prefix, title="T", alt="A", colours=colours).markup


def small(inside: str, size: str = 'width="72pt" height="36pt"') -> str:
    """Return an SVG file with something in it."""
    name_spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<?xml version="1.0"?><svg {name_spaces} {size}>{inside}</svg>'


def ids(text: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', text)


def references(text: str) -> set[str]:
    return {*re.findall(r"url\(#([^)]*)\)", text), *re.findall(r'href="#([^"]*)"', text)}


def test_two_pictures_share_no_id() -> None:
    """Each id gets the picture's prefix, and so does whatever points at it: clips, hatches and markers still hold."""
    first, second = markup(prefix="a-"), markup(prefix="b-")
    assert len(references(first)) >= 4
    assert references(first) <= set(ids(first))
    assert not set(ids(first)) & set(ids(second))
    assert set(ids(drawn())) <= {name.removeprefix("a-") for name in ids(first)}


def test_what_is_for_files_only_is_left_out() -> None:
    """No declaration, document type, metadata or style sheet that would rule the page; the embedded pixels stay."""
    text = markup()
    for needless in ("<?xml", "<!DOCTYPE", "metadata", "<style", "xmlns", "ns0:", "http"):
        assert needless not in text
    assert re.search(r'<image href="data:image/png;base64,[A-Za-z0-9+/=]+"', text)


def test_the_size_is_a_ratio_and_a_bound() -> None:
    """A view box takes the place of fixed lengths, which are told in CSS pixels."""
    picture = inline(drawn(), "a-", title="T", alt="A")
    start = picture.markup[: picture.markup.index(">")]
    assert picture.width == pytest.approx(288)
    assert 'viewBox="0 0 216 144"' in start
    assert "--natural: 288px" in start
    assert not re.search(r"\b(width|height)=", start)


@pytest.mark.parametrize(
    ("width", "pixels"), [("96", 96), ("96px", 96), ("72pt", 96), ("1in", 96), ("25.4mm", 96), ("2.54 cm", 96)]
)
def test_lengths_of_any_unit(width: str, pixels: float) -> None:
    """CSS has 96 pixels to the inch."""
    picture = inline(small("", f'width="{width}" height="10"'), "", title="T", alt="A")
    assert picture.width == pytest.approx(pixels)


@pytest.mark.parametrize(
    "svg", ["", "no markup", "<svg/>", "<html/>", small("", ""), small("", 'width="100%" height="10"'), small("<g>")]
)
def test_what_is_no_picture_is_refused(svg: str) -> None:
    """The message names the picture."""
    with pytest.raises(ValueError, match="'T'"):
        inline(svg, "a-", title="T", alt="A")


def test_screen_readers_get_title_and_description() -> None:
    """The picture is one image, named by its title and described by its alternative, markup in neither."""
    text = inline(drawn(), "a-", title=NASTY, alt="a < b").markup
    assert text.startswith("<svg ")
    assert 'role="img" aria-labelledby="a-title" aria-describedby="a-desc"' in text
    assert f'<title id="a-title">{html.escape(NASTY, quote=False)}</title><desc id="a-desc">a &lt; b</desc>' in text


def test_labels_stay_text() -> None:
    """Words of the picture can be searched and are escaped."""
    found = re.search(r"<text [^>]*>(&lt;script[^<]*)</text>", markup(drawn(NASTY)))
    assert found
    assert html.unescape(found[1]) == NASTY


def test_the_theme_takes_its_colours() -> None:
    """Colours are swapped wherever they paint, in capitals too; others, longer ones and links stay."""
    swaps = {"#1b1b1f": "var(--ink)", "#0072B2": "var(--series-1)"}
    text = markup(drawn(), colours=swaps)
    assert "stroke: var(--ink)" in text
    assert 'fill="var(--series-1)"' in text
    assert "#1b1b1f" not in text.lower()
    inside = '<path id="1b1b1f" fill="#1B1B1F" stroke="#1b1b1fff"/><use xlink:href="#1b1b1f" style="fill:#abcdef"/>'
    assert (
        '<path id="a-1b1b1f" fill="var(--ink)" stroke="#1b1b1fff" /><use href="#a-1b1b1f" style="fill:#abcdef" />'
        in markup(small(inside), colours=swaps)
    )


@pytest.mark.parametrize(
    "inside",
    [
        "<script>bad()</script>",
        "<g><script>bad()</script></g>",
        "<foreignObject><p>bad()</p></foreignObject>",
        '<path onclick="bad()"/>',
        '<use xlink:href="https://bad/x.svg#y"/>',
        '<use href="javascript:bad()"/>',
        '<image href="https://bad/x.png"/>',
        '<image href="data:text/html,bad"/>',
        "<style>@import 'https://bad'</style>",
    ],
)
def test_nothing_that_acts_or_asks_gets_in(inside: str) -> None:
    """Scripts, handlers, foreign content and links to elsewhere are left out."""
    assert "bad" not in markup(small(inside))


def test_a_prefix_is_taken_literally() -> None:
    """Digits after a prefix that ends like a group's number stay what they are."""
    text = markup(small('<g id="1"/><path clip-path="url(#1)"/>'), prefix="p\\1-")
    assert 'clip-path="url(#p\\1-1)"' in text


def sample(**changes: object) -> Page:
    """Return a small page."""
    values: dict[str, object] = {
        "title": "wing",
        "subtitle": "now",
        "summary": (),
        "sections": (),
        "evaluations": TABLE,
    }
    return Page(**{**values, **changes})  # type: ignore[arg-type]


class Reader(HTMLParser):
    """Notes elements and their attributes, headings' levels and all words outside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        """Note words."""
        if self.elements and self.elements[-1][0] not in ("script", "style"):
            self.words.append(data)


def test_every_text_is_escaped_everywhere() -> None:
    """A name that looks like markup, in every place that a text can have, makes no element and no attribute."""

    def full(name: str) -> Page:
        table = PageTable(
            name, (Header(name, "number", name), Header(name)), ((PageCell(name, 1), PageCell(name, name)),), 1
        )
        picture = Illustration(name, drawn(name), name, name)
        section = Section(name, name, (Fact(name, name, name),), (table,), (picture,), (name,))
        return Page(name, name, (Fact(name, name, name),), (section,), table, (name,))

    plain, nasty = (Reader(render(full(name))) for name in ("n" * len(NASTY), NASTY))
    assert [tag for tag, _ in nasty.elements] == [tag for tag, _ in plain.elements]
    assert [list(attributes) for _, attributes in nasty.elements] == [list(found) for _, found in plain.elements]
    assert "".join(nasty.words).count(NASTY) == "".join(plain.words).count("n" * len(NASTY)) >= 20


def test_the_page_lets_nothing_in() -> None:
    """It names no other file, not even an icon, and its policy allows one script, its own."""
    text = render(sample(sections=(Section("One", illustrations=(Illustration("P", drawn(), "A"),)),)))
    reader = Reader(text)
    (policy,) = (found["content"] for _, found in reader.elements if "http-equiv" in found)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert dict(rule.split(" ", 1) for rule in policy.split("; ")) == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    links = [str(value) for _, found in reader.elements for name, value in found.items() if name in ("href", "src")]
    assert "data:," in links
    assert {link[:1] if link.startswith("#") else link.partition(":")[0] for link in links} == {"#", "data"}
    assert "url(" not in re.sub(r"url\(#", "", text)


def test_keys_are_exact() -> None:
    """Numbers sort by every digit they have, infinity in JavaScript's spelling, what is no number by nothing."""
    values = (0.1 + 0.2, 7, 1e-300, math.inf, -math.inf, math.nan, None, "text")
    table = PageTable("All.", (Header("y", "number"),), tuple((PageCell("?", value),) for value in values))
    keys = re.findall(r'data-key="([^"]*)"', render(sample(evaluations=table)))
    assert keys == ["0.30000000000000004", "7.0", "1e-300", "Infinity", "-Infinity", "", "", ""]


def test_text_sorts_by_itself_or_by_its_key() -> None:
    """A cell of text has a key only if it was given one."""
    table = PageTable("All.", (Header("when"),), ((PageCell("yesterday", "2025-05-02"),), (PageCell("today"),)))
    text = render(sample(evaluations=table))
    assert re.findall(r'data-key="([^"]*)"', text) == ["2025-05-02"]


def test_statuses_are_counted_in_order() -> None:
    """The filter offers what occurs, with how often; one without a name is called none."""
    cells = tuple((PageCell("1", 1), PageCell(status)) for status in ("ok", "failed", "ok", ""))
    table = PageTable("All.", (Header("id", "number"), Header("state")), cells, 1)
    assert table.statuses == {"ok": 2, "failed": 1, "": 1}
    assert TABLE.statuses == {}
    assert re.findall(r"<option[^>]*>([^<]*)<", render(sample(evaluations=table))) == [
        "all (4)",
        "ok (2)",
        "failed (1)",
        "none (1)",
    ]
    assert "<select" not in render(sample())


@pytest.mark.parametrize(
    ("cells", "status"), [((PageCell("1"),), None), ((PageCell("1"), PageCell("2")), 2), ((), None)]
)
def test_a_crooked_table_is_refused(cells: tuple[PageCell, ...], status: int | None) -> None:
    """A row has a cell for each column, and the statuses are a column."""
    with pytest.raises(ValueError, match=r"cells|columns"):
        PageTable("All.", TABLE.headers, (cells,), status)


def test_headings_go_down_one_by_one() -> None:
    """One first heading, and none skips a level; each section can be reached from the navigation."""
    sections = (Section("One", illustrations=(Illustration("P", drawn(), "A"),)), Section("Two"))
    reader = Reader(render(sample(sections=sections, warnings=("careful",), summary=(Fact("best", "1"),))))
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(lower - upper <= 1 for upper, lower in itertools.pairwise(levels))
    targets = {attributes["href"] for tag, attributes in reader.elements if tag == "a"}
    assert targets == {"#main", "#summary", "#section-one", "#section-two", "#evaluations"}
    assert {target.removeprefix("#") for target in targets if target} <= {
        found.get("id") for _, found in reader.elements
    }


def test_a_report_of_something_else() -> None:
    """It says of what, and calls its rows what they are; pictures stand before tables."""
    section = Section("One", tables=(TABLE,), illustrations=(Illustration("P", drawn(), "A"),))
    text = render(sample(kind="Benchmark", noun="result", sections=(section,)))
    for words in ('<p class="kind">Benchmark</p>', ">Results</a>", ">Results</h2>", 'data-noun="result"'):
        assert words in text
    assert "Table of results" in text
    assert "valuation" not in re.sub(r"<script>.*?</script>|evaluations(-title)?\"", "", text, flags=re.DOTALL)
    assert text.index("<figure>") < text.index("<table>")


def test_an_empty_study_has_a_page() -> None:
    """Nothing is needed but a table's head."""
    text = render(sample(evaluations=PageTable("None yet.", TABLE.headers, ())))
    assert "None yet." in text
    assert "Warning" not in text


def test_the_page_is_the_same_each_time() -> None:
    """Equal values give equal bytes."""
    section = Section("One", illustrations=(Illustration("P", small("<g/>"), "A"),))
    assert render(sample(sections=(section,))) == render(sample(sections=(section,)))


def test_only_long_facts_are_set_small() -> None:
    """A number stands out, a sentence is read."""
    assert Fact("best", "0.3127 N").big
    assert not Fact("next", "between 0.31 and 0.44 of angle").big


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_can_be_told_apart(theme: Mapping[str, str]) -> None:
    """Text has 4.5:1 against whatever it stands on, lines and marks 3:1 (WCAG 2.2, AA)."""

    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(theme[one]), luminance(theme[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    texts = [(text, ground) for text in ("--ink", "--soft") for ground in ("--page", "--panel", "--raised", "--tint")]
    texts += [("--accent", ground) for ground in ("--page", "--panel", "--raised", "--tint")]
    texts += [("--warn", "--warn-tint"), ("--ink", "--warn-tint"), ("--good", "--panel"), ("--bad", "--panel")]
    marks = [(name, "--panel") for name in theme if name.startswith("--series")]
    marks += [("--edge", "--page"), ("--edge", "--panel"), ("--edge", "--raised")]
    low = {pair: contrast(*pair) for pair in texts if contrast(*pair) < 4.5}
    low |= {pair: contrast(*pair) for pair in marks if contrast(*pair) < 3}
    assert low == {}


def test_both_themes_have_every_colour_that_is_used() -> None:
    """Light and dark name the same variables, and the style sheet no other."""
    assert LIGHT.keys() == DARK.keys()
    style = Path(page_module.__file__).with_name("page.css").read_text(encoding="utf-8")
    assert set(re.findall(r"var\((--[a-z0-9-]+)\)", style)) - {"--natural", "--column"} <= LIGHT.keys()
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*})", style)


def test_marks_and_lines_get_the_numbers_of_their_evaluations() -> None:
    """By the identifier of their group: marks, each with a circle around it, else lines; where numbers match alone."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ordbo"}):
        figure = Figure(figsize=(3, 2))
        axes = figure.subplots()
        axes.plot([0, 1, 2], [0, 1, 0], "o", gid="front")
        axes.plot([0, 2], [1, 2], "*-", gid="knee")
        axes.plot([0, 1], [2, 2], "o", gid="failed")
        stream = io.StringIO()
        figure.savefig(stream, format="svg")
    points = {"front": (7, 3, 12), "knee": (3,), "failed": (1, 2, 3)}
    made = inline(stream.getvalue(), "a-", title="T", alt="A", points=points).markup
    assert re.findall(r'<use[^>]* data-point="(\d+)"', made) == ["7", "3", "12"]
    assert re.findall(r'<path[^>]* data-point="(\d+)"', made) == ["3"]
    circles = re.findall(r'<circle cx="([^"]*)" cy="([^"]*)"[^>]* data-point="(\d+)"', made)
    marks = re.findall(r'<use[^>]* x="([^"]*)" y="([^"]*)"[^>]* data-point="(\d+)"', made)
    assert circles == marks
    assert 'data-point="1"' not in made


def test_rows_get_the_numbers_of_their_evaluations() -> None:
    """One each, or none."""
    table = PageTable("All.", TABLE.headers, TABLE.rows * 2, points=(4, None))
    assert re.findall(r"<tr[^>]*>(?=<th scope=.row)", render(Page("t", "", (), (), table))) == [
        '<tr data-point="4">',
        "<tr>",
    ]
    with pytest.raises(ValueError, match="1 points are given, not 2"):
        PageTable("All.", TABLE.headers, TABLE.rows * 2, points=(4,))
