"""How pictures look and how they are written: themes of colours that colour-blind people tell apart, sizes, files.

The colours are those of Okabe and Ito (2008) and, for values, matplotlib's cividis, each in a shade that is legible on
the theme's paper.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.study.atomic import replace_file

Axes = Any  # matplotlib is an extra, and its types with it
Figure = Any

FORMATS: Final = ("png", "svg", "pdf")


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
    values: str = "cividis"

    def colours(self) -> dict[str, str]:
        """Return the colours by name, the colour map left out."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "values"}


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
        import matplotlib as mpl
        from matplotlib.figure import Figure as MplFigure

        with mpl.rc_context(_settings(self.theme)):
            yield MplFigure(figsize=self.size or (width, height), layout="constrained")


def legend(figure: Figure, *panels: Axes, size: float = 8.0) -> None:
    """Put a legend of panels below a figure, each entry once, in as many columns as there is room for.

    Args:
        size: of its print, in points.
    """
    entries: dict[str, Any] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if entries:
        widest = max(1.25, 0.55 + 0.062 * max(map(len, entries))) * size / 8.0  # inches of an entry
        columns = max(1, min(len(entries), int(figure.get_size_inches()[0] / widest)))
        figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns, fontsize=size)


@dataclass(frozen=True)
class Picture:
    """A picture, and what it shows in words.

    Args:
        figure: matplotlib's.
        title: what it is.
        alt: what it shows, for who cannot see it: a few sentences with the numbers that matter.
        look: how it was drawn.
    """

    figure: Figure
    title: str
    alt: str
    look: Look

    def encoded(self, kind: str) -> bytes:
        """Return it as PNG, SVG or PDF; the same picture gives the same bytes."""
        import matplotlib as mpl

        content = BytesIO()
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        with mpl.rc_context(_settings(self.look.theme)):
            self.figure.savefig(content, format=kind, dpi=self.look.dpi, metadata=undated)
        return content.getvalue()

    def save(self, path: Path) -> None:
        """Write it to a file; the suffix says in which format.

        Raises:
            UsageError: the suffix is none of :data:`FORMATS`.
            FileError: the system refused to write it; a file that was there is untouched.
        """
        replace_file(path, self.encoded(format_of(path)))


def format_of(path: Path) -> str:
    """Return the format that a path's suffix names.

    Raises:
        UsageError: it is none of :data:`FORMATS`.
    """
    kind = path.suffix[1:].lower()
    if kind not in FORMATS:
        raise UsageError(f"{path}: it has to end in {', '.join(f'.{each}' for each in FORMATS)}")
    return kind


def _settings(theme: Theme) -> dict[str, Any]:
    return {
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
