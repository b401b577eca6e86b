"""How pictures look and how they are written: themes of colours that colour-blind people tell apart, sizes, files.

The colours are those of Okabe and Ito (2008) and, for values, matplotlib's cividis, each in a shade that is legible on
the theme's paper.
"""

from __future__ import annotations

import contextlib
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.files.durable.atomic import replace_file

Axes = Any  # matplotlib is an extra, and its types with it
Figure = Any

FORMATS: Final = ("png", "svg", "pdf")
_MOST_PIXELS: Final = 10**8
_MOST_LINES: Final = 3  # of an axis's label or a panel's title
_FALLBACKS: Final = (  # fonts of scripts that matplotlib's own font lacks
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans", "WenQuanYi Zen Hei",
    "Droid Sans Fallback", "Noto Sans", "Arial Unicode MS",
)  # fmt: skip


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for.

    Args:
        paper: the background.
        ink: text and axes.
        muted: what stands back: guides, other points.
        grid: lines between cells and behind curves.
        data: evaluations, in the user's units.
        latent: whatever lives in the latent space.
        best: the best evaluation.
        next: the point that comes next, and what is out.
        failed: failures.
        infeasible: what broke a limit.
        values: colour map of values, the lowest first.
    """

    paper: str
    ink: str
    muted: str
    grid: str
    data: str
    latent: str
    best: str
    next: str
    failed: str
    infeasible: str
    values: str = "cividis"

    def colours(self) -> dict[str, str]:
        """Return the colours by name, the colour map left out."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "values"}


LIGHT: Final = Theme(
    paper="#fefefe",
    ink="#1b1c20",
    muted="#6b6f78",
    grid="#d5d8de",
    data="#0072b2",
    latent="#c55a00",
    best="#00805d",
    next="#a8478a",
    failed="#b3261e",
    infeasible="#7d5200",
)
DARK: Final = Theme(
    paper="#16181d",
    ink="#e8eaee",
    muted="#9aa0aa",
    grid="#3a3f48",
    data="#56b4e9",
    latent="#f0a030",
    best="#3fcf9f",
    next="#e08fc4",
    failed="#ff7a6b",
    infeasible="#e6d36a",
)
THEMES: Final = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class Look:
    """How a picture is to look.

    Args:
        theme: its colours.
        size: width and height in inches; None for what suits it.
        dpi: dots per inch of a PNG.
    """

    theme: Theme = LIGHT
    size: tuple[float, float] | None = None
    dpi: float = 150.0

    @contextlib.contextmanager
    def figure(self, width: float, height: float) -> Iterator[Figure]:
        """Give a figure of this look, of some inches where no size is asked for; draw on it inside the context."""
        from matplotlib.figure import Figure as MplFigure

        with drawing(self.theme):
            figure = MplFigure(figsize=self.size or (width, height), layout="constrained")
            yield figure
            break_long_labels(figure)
            settle(figure)


def break_long_labels(figure: Figure) -> None:
    """Break labels of axes and titles of panels into lines where they are longer than the panel that they belong to."""
    if not any(_may_be_long(text, room) for text, _, room in _labels(figure)):
        return
    for _ in range(2):  # a label of more lines leaves the panels less room
        _lay_out(figure)
        broken = False
        for text, along, _ in list(_labels(figure)):
            panel, extent = text.axes.get_window_extent(), text.get_window_extent()
            room, length = (panel.width, extent.width) if along == "x" else (panel.height, extent.height)
            if length > room > 0.0:
                plain = " ".join(text.get_text().split())
                longest = max(map(len, text.get_text().split("\n")))
                width = max(6, int(longest * room / length))
                text.set_text("\n".join(textwrap.wrap(plain, width, max_lines=_MOST_LINES, placeholder="…")))
                broken = True
        if not broken:
            return


def settle(figure: Figure) -> None:
    """Lay a figure out for good: what needs the places of panels may follow, and writing it takes half the time."""
    for _ in range(2):  # ticks change with the room that they have
        _lay_out(figure)
    figure.set_layout_engine("none")


def _lay_out(figure: Figure) -> None:
    """Give panels their places, unless that was settled."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def _labels(figure: Figure) -> Iterator[tuple[Any, str, float]]:
    """Give each label and title, the way that it runs, and about how many inches there are for it."""
    width, height = figure.get_size_inches()
    for axes in figure.axes:
        spec = axes.get_subplotspec()
        rows, columns = spec.get_gridspec().get_geometry() if spec is not None else (1, 1)
        for text, along, inches in (
            (axes.xaxis.label, "x", width / columns),
            (axes.yaxis.label, "y", height / rows),
            (axes._left_title, "x", width / columns),
        ):
            if text.get_text() and axes.axison:
                text.axes = axes
                yield text, along, inches


def _may_be_long(text: Any, inches: float) -> bool:
    return bool(len(text.get_text()) * text.get_fontsize() / 72.0 > 0.8 * inches)


def legend(figure: Figure, *panels: Axes, size: float = 8.0, place: str = "outside lower center") -> None:
    """Put a legend of panels below a figure, each entry once, in as many columns as there is room for.

    Args:
        size: of its print, in points.
        place: where else, in matplotlib's words.
    """
    entries: dict[str, Any] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if entries:
        widest = max(1.25, 0.55 + 0.062 * max(map(len, entries))) * size / 8.0  # inches of an entry
        columns = max(1, min(len(entries), int(figure.get_size_inches()[0] / widest)))
        figure.legend(entries.values(), entries.keys(), loc=place, ncols=columns, fontsize=size)


def star(axes: Axes, x: float, y: float, theme: Theme, gid: str, **settings: Any) -> None:
    """Mark the best by a star, in front of other marks, and whole at the edge of a panel, unless settings differ."""
    settings = {"clip_on": False, "zorder": 5, **settings}
    axes.plot(x, y, "*", color=theme.best, markersize=11, gid=gid, **settings)


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture, and what it shows in words.

    Args:
        figure: matplotlib's.
        title: what it is.
        alt: what it shows, for who cannot see it: a few sentences with the numbers that matter.
        look: how it was drawn.
        points: for identifiers of marks and lines in it, of which evaluations each is one, by number of arrival from 1:
            a page joins them with those of other pictures.
    """

    figure: Figure
    title: str
    alt: str
    look: Look
    points: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def encoded(self, kind: str) -> bytes:
        """Return it as PNG, SVG or PDF, title and words inside; the same picture gives the same bytes.

        Raises:
            UsageError: it would have too many pixels.
        """
        pixels = self.figure.get_size_inches() * self.look.dpi
        if kind == "png" and pixels.prod() > _MOST_PIXELS:
            shown = " by ".join(f"{side:,.0f}" for side in pixels)
            raise UsageError(f"the picture would have {shown} pixels", "Ask for fewer dots per inch, or for an SVG")
        words = {"Title": self.title, "Subject" if kind == "pdf" else "Description": self.alt}
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        content = BytesIO()
        with drawing(self.look.theme):
            self.figure.savefig(content, format=kind, dpi=self.look.dpi, metadata={**words, **undated})
        return content.getvalue()

    def __repr__(self) -> str:
        return f"Picture({self.title!r})"

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return self.encoded("svg").decode()

    def save(self, path: str | Path) -> None:
        """Write it to a file; the suffix says in which format.

        Raises:
            UsageError: the suffix is none of :data:`FORMATS`.
            FileError: the system refused to write it; a file that was there is untouched.
        """
        replace_file(Path(path), self.encoded(format_of(Path(path))))


def format_of(path: Path) -> str:
    """Return the format that a path's suffix names.

    Raises:
        UsageError: it is none of :data:`FORMATS`.
    """
    kind = path.suffix[1:].lower()
    if kind not in FORMATS:
        raise UsageError(f"{path}: it has to end in {', '.join(f'.{each}' for each in FORMATS)}")
    return kind


@contextlib.contextmanager
def drawing(theme: Theme) -> Iterator[None]:
    """Let matplotlib draw as a theme has it, whatever the user's own settings of matplotlib are."""
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # of a script that no font here has: it is drawn as boxes
        warnings.filterwarnings("ignore", "constrained_layout not applied")  # before long labels are broken
        mpl.rcdefaults()
        mpl.rcParams.update(_settings(theme))
        yield


@cache
def _families() -> list[str]:
    """Return matplotlib's own font and those that stand in for it where it lacks a character."""
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    return ["DejaVu Sans", *(name for name in _FALLBACKS if name in installed)]


def _settings(theme: Theme) -> dict[str, Any]:
    return {
        "font.family": _families(),
        "font.size": 9.0,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.edgecolor": theme.muted,
        "axes.facecolor": "none",
        "axes.labelcolor": theme.ink,
        "axes.titlecolor": theme.ink,
        "axes.formatter.useoffset": False,
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "text.color": theme.ink,
        "text.parse_math": False,  # names are the user's: a dollar sign in one is a dollar sign
        "xtick.color": theme.muted,
        "ytick.color": theme.muted,
        "xtick.labelcolor": theme.ink,
        "ytick.labelcolor": theme.ink,
        "legend.frameon": False,
        "lines.linewidth": 1.4,
        "svg.hashsalt": "ordbo",
        "svg.fonttype": "none",
        "image.cmap": theme.values,
    }
