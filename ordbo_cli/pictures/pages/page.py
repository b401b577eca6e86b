"""The HTML page of a report: the values that it shows, and their place in one file that needs no other."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from ordbo_cli.pictures.pages.inline import inline
from ordbo_cli.pictures.pages.page_colours import DARK, LIGHT, declarations

_NO_LETTERS: Final = re.compile(r"[^a-z0-9]+")
_BIG: Final = 18  # characters that a fact may have to be set in large type


@dataclass(frozen=True)
class Fact:
    """A label and what it stands for.

    Args:
        label: a word or two.
        text: a number in large type, or a sentence in the type of text.
        detail: what is to be added, in small type.
    """

    label: str
    text: str
    detail: str = ""

    @property
    def big(self) -> bool:
        """Whether it is short enough for large type."""
        return len(self.text) <= _BIG


@dataclass(frozen=True)
class Illustration:
    """A picture.

    Args:
        title: its name, which stands above it; the picture need not repeat it.
        svg: matplotlib's SVG file as text, with ``svg.fonttype: none``.
        alt: what it shows, numbers included, for those who do not see it.
        caption: stands below it.
        points: for identifiers of groups in it, of which evaluations their marks and lines are, by number: who points
            at one sees it in all pictures and tables.
    """

    title: str
    svg: str
    alt: str
    caption: str = ""
    points: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Header:
    """The head of a column.

    Args:
        text: the column's name.
        kind: numbers stand to the right, and sort as numbers.
        unit: of its numbers, "" for none.
    """

    text: str
    kind: Literal["number", "text"] = "text"
    unit: str = ""


@dataclass(frozen=True)
class PageCell:
    """An entry of a table.

    Args:
        text: as it is shown.
        key: what it is sorted by. Without one a text is sorted by itself; a number without one, such as a failure's,
            comes last whichever way the column is sorted, and so do NaN and empty texts.
        since: the moment from which the text counts a time that goes on, in seconds since 1970; a page that is alive
            lets it go on. None for a text that stays.
        link: where it leads, on the same server; "" for nowhere.
    """

    text: str
    key: float | str | None = None
    since: float | None = None
    link: str = ""


@dataclass(frozen=True)
class PageTable:
    """A table; the first cell of a row names the row.

    Args:
        caption: what it holds, in a sentence.
        headers: of its columns, at least one.
        rows: a cell for each column.
        status: index of the column whose texts the rows can be filtered by, None for none.
        points: of which evaluation each row is, by number, None for none; empty where the pictures have none to match.
    """

    caption: str
    headers: tuple[Header, ...]
    rows: tuple[tuple[PageCell, ...], ...]
    status: int | None = None
    points: tuple[int | None, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows of other lengths and a status column that is none.

        Raises:
            ValueError: there are such rows, or such a column, or another number of points than of rows.
        """
        if self.points and len(self.points) != len(self.rows):
            raise ValueError(f"{len(self.points)} points are given, not {len(self.rows)}")
        for place, row in enumerate(self.rows):
            if len(row) != len(self.headers):
                raise ValueError(f"row {place} has {len(row)} cells, not {len(self.headers)}")
        if self.status is not None and not 0 <= self.status < len(self.headers):
            raise ValueError(f"column {self.status} is none of the {len(self.headers)} columns")

    @property
    def statuses(self) -> dict[str, int]:
        """How many rows have each status, in the order in which they first occur."""
        counts: dict[str, int] = {}
        if self.status is not None:
            for row in self.rows:
                text = row[self.status].text
                counts[text] = counts.get(text, 0) + 1
        return counts


@dataclass(frozen=True)
class Section:
    """A part of the page under its own heading; everything but the title may be missing.

    Args:
        title: its heading, and its entry in the page's navigation.
        intro: a paragraph under it.
        facts: labels and texts, in a list.
        illustrations: its pictures.
        tables: below these, shown as they are, without sorting.
        notes: paragraphs at its end.
        awaited: whether what it needs takes longer than the rest of the page, and is being worked out.
    """

    title: str
    intro: str = ""
    facts: tuple[Fact, ...] = ()
    tables: tuple[PageTable, ...] = ()
    illustrations: tuple[Illustration, ...] = ()
    notes: tuple[str, ...] = ()
    awaited: bool = False

    @property
    def anchor(self) -> str:
        """Its place in links, the same whatever stands before it."""
        return f"section-{_NO_LETTERS.sub('-', self.title.lower()).strip('-')}"


@dataclass(frozen=True)
class Page:
    """A report.

    Args:
        title: what it is about, such as the study's name.
        subtitle: when it was made, and by which version.
        summary: the numbers that a reader looks for first: best value, evaluations, failures, pending, the next cell.
        sections: the parts between the summary and the evaluations.
        evaluations: all of them; readers sort and filter this table. None for a page without them.
        warnings: a sentence each.
        kind: what it is a report of.
        noun: what a row of the last table is, where it is no evaluation.
        links: texts and addresses of other pages, which stand beside its parts.
        colours: for each colour of the pictures that has to follow the page's theme, its place among the page's
            variables (:mod:`ordbo_cli.pictures.pages.page_colours`): ``{"#1b1b1f": "var(--ink)"}``.
    """

    title: str
    subtitle: str
    summary: tuple[Fact, ...]
    sections: tuple[Section, ...]
    evaluations: PageTable | None
    warnings: tuple[str, ...] = ()
    kind: str = "Study report"
    noun: str = "evaluation"
    links: tuple[tuple[str, str], ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Drawn:
    """An illustration with its markup."""

    title: str
    markup: object
    caption: str
    width: float


def render(page: Page) -> str:
    """Return the whole page as HTML: one file that asks for no other. Texts are shown as they are, never as markup.

    Raises:
        ImportError: jinja2 (of the extra ``ordbo[plots]``) is not installed.
        ValueError: a picture is no SVG, or one without a size.
    """
    from markupsafe import Markup

    script = asset("page.js")
    # the hash lets this script run and no other
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    text: str = (
        _templates()
        .get_template("page.html")
        .render(
            page=page,
            pictures=[_pictures(section, page.colours) for section in page.sections],
            style=Markup(style_sheet()),
            script=Markup(script),
            digest=digest,
        )
    )
    return text


def render_parts(page: Page) -> dict[str, str]:
    """Return what changes of a page that is alive, as HTML by its id: ``head``, ``summary``, each section and so on.

    Raises:
        ImportError: jinja2 is not installed.
        ValueError: a picture is no SVG, or one without a size.
    """
    made = {"head": _part("head", page), "contents": render_contents(page)}
    made["summary"] = render_summary(page)
    made |= {each.anchor: render_section(each, page.colours) for each in page.sections}
    return made if page.evaluations is None else made | {"evaluations": _part("evaluations", page)}


def render_contents(page: Page) -> str:
    """Return the links to a page's parts as HTML."""
    return _part("contents", page)


def render_summary(page: Page) -> str:
    """Return a page's summary as HTML."""
    return _part("summary", page)


def render_section(section: Section, colours: Mapping[str, str]) -> str:
    """Return one section as HTML; the arguments are those of :class:`Page`."""
    return _part("part", section, _pictures(section, colours))


def render_shell(*, writes: bool = False) -> str:
    """Return the page that is alive before it knows anything: its script fetches the parts.

    Args:
        writes: whether results are entered on it.
    """
    text: str = _templates().get_template("live.html").render(writes=writes)
    return text


def style_sheet() -> str:
    """Return how pages look."""
    light, dark = declarations(LIGHT), declarations(DARK)
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f'@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme="light"])'
        f" {{ color-scheme: dark; {dark} }} }}\n"
        f'@media screen {{ :root[data-theme="dark"] {{ color-scheme: dark; {dark} }} }}\n' + asset("page.css")
    )


def asset(name: str) -> str:
    """Return a file that pages are made of."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _templates() -> Any:
    """Return what fills in the templates; jinja2 is an extra, and its types with it."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(asset), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["key"] = _key
    return environment


def fill(template: str, macro: str, *values: object) -> str:
    """Return what a macro of a template makes of values."""
    return str(getattr(_templates().get_template(template).module, macro)(*values))


def _part(name: str, *values: object) -> str:
    return fill("parts.html", name, *values)


def _pictures(section: Section, colours: Mapping[str, str]) -> list[_Drawn]:
    from markupsafe import Markup

    drawn = []
    for place, each in enumerate(section.illustrations):
        prefix = f"{section.anchor}-{place}-"
        picture = inline(each.svg, prefix, title=each.title, alt=each.alt, colours=colours, points=each.points)
        drawn.append(_Drawn(each.title, Markup(picture.markup), each.caption, picture.width))
    return drawn


def _key(cell: PageCell, header: Header) -> str | None:
    """Return what the script sorts a cell by, exactly; None for the cell's own text."""
    if header.kind == "text":
        return None if cell.key is None else str(cell.key)
    if cell.key is None or isinstance(cell.key, str) or math.isnan(cell.key):
        return ""
    return repr(float(cell.key)).replace("inf", "Infinity")
