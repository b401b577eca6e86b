"""How pictures look: colours that tell apart, long labels that break, files that are the same each time."""

from __future__ import annotations

import zlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.errors import FileError, UsageError
from ordbo_cli.pictures.style import DARK, FORMATS, LIGHT, Look, Picture, Theme, format_of, legend
from tests.unit.pictures.conftest import collisions

pytest.importorskip("matplotlib")

BLIND = {  # Machado, Oliveira and Fernandes (2009), all of the cone missing; linear RGB
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def linear(colour: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return a colour's linear RGB [3]."""
    s = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return CIE L*a*b* of linear RGB [3]."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    t = np.clip(to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089], 1e-9, None)
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours as the WCAG counts it."""
    a, b = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) + 0.05 for each in (first, second))
    return b / a


def simple(look: Look | None = None, title: str = "t", label: str = "y") -> Picture:
    look = look or Look()
    with look.figure(4, 3) as figure:
        axes = figure.subplots()
        axes.plot([1, 2], [3, 4], label="line")
        axes.set_title(title)
        axes.set_ylabel(label)
        legend(figure, axes)
    return Picture(figure, "A title", "What <it> shows & more: Ωμέγα.", look)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_are_legible(theme: Theme) -> None:
    """Text has the contrast that the WCAG asks of text, marks what it asks of graphics."""
    assert contrast(theme.ink, theme.paper) >= 7.0
    for name in ("muted", "data", "latent", "best", "next", "failed"):
        assert contrast(getattr(theme, name), theme.paper) >= (4.5 if name in ("failed", "muted") else 3.0), name


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", BLIND)
def test_colours_are_told_apart_by_the_colour_blind(theme: Theme, kind: str) -> None:
    """Those of marks that stand beside each other differ clearly also without one kind of cones."""
    pairs = combinations(("data", "latent", "best", "next"), 2)
    seen = {name: lab(np.array(BLIND[kind]) @ linear(value)) for name, value in theme.colours().items()}
    assert min(float(np.linalg.norm(seen[a] - seen[b])) for a, b in pairs) > 8.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_picture_gives_the_same_bytes(kind: str) -> None:
    """No date, no random identifier."""
    assert simple().encoded(kind) == simple().encoded(kind)


@pytest.mark.slow
def test_files_hold_the_words() -> None:
    """Title and words are in an SVG as text, and in a PNG's and a PDF's own fields."""
    svg = simple().encoded("svg").decode()
    assert "A title" in svg
    assert "What &lt;it&gt; shows &amp; more: Ωμέγα." in svg
    assert "Ωμέγα".encode() in simple().encoded("png")
    assert b"/Title" in simple().encoded("pdf")


def test_the_users_own_settings_do_not_matter(tmp_path: Path) -> None:
    """Whatever a matplotlibrc says, pictures are the same, and the settings are back afterwards."""
    import matplotlib as mpl

    plain = simple().encoded("png")
    with mpl.rc_context({"text.usetex": True, "savefig.bbox": "tight", "lines.linewidth": 9, "axes.grid": True}):
        assert simple().encoded("png") == plain
        assert mpl.rcParams["lines.linewidth"] == 9
    assert mpl.rcParams["text.parse_math"]


def test_names_are_not_mathematics() -> None:
    """Dollar signs, braces and markup stand as they are."""
    svg = simple(label="$x_1$ {a} <b> & \\alpha").encoded("svg").decode()
    assert ">$x_1$ {a} &lt;b&gt; &amp; \\alpha</text>" in svg  # of mathematics it would be a comment


def test_letters_without_a_font_are_no_warning() -> None:
    """They are drawn as boxes; warnings are errors in these tests."""
    assert simple(label="𓀀𓀁").encoded("png")


@pytest.mark.parametrize("size", [(3.0, 2.0), (4.0, 3.0), (10.0, 7.0)])
def test_long_labels_are_broken(size: tuple[float, float]) -> None:
    """A label or a title that is longer than its panel goes on in the next line, and nothing is cut at the edge."""
    label = "a very long name of an objective that goes on"
    picture = simple(Look(size=size), title=f"study of {label}", label=label)
    assert collisions(picture) == []
    (axes,) = picture.figure.axes
    shown = " ".join(axes.get_ylabel().split("\n"))
    assert label.startswith(shown.removesuffix("…"))
    assert ("\n" in axes.get_ylabel()) == (size[1] < 4)


@pytest.mark.slow
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_size_and_paper(theme: Theme) -> None:
    """A PNG has the inches and dots that were asked for, and the paper's colour."""
    content = simple(Look(theme, (5.0, 2.0), 40.0)).encoded("png")
    assert [int.from_bytes(content[k : k + 4], "big") for k in (16, 20)] == [200, 80]
    assert theme.paper in simple(Look(theme)).encoded("svg").decode()


@pytest.mark.slow
def test_too_many_pixels_are_refused() -> None:
    """Said in words; the same as an SVG is fine."""
    picture = simple(Look(size=(100.0, 100.0), dpi=1200.0))
    with pytest.raises(UsageError, match="120,000 by 120,000 pixels"):
        picture.encoded("png")
    assert picture.encoded("svg")


@pytest.mark.parametrize(("name", "kind"), [("a.svg", "svg"), ("a.b.PNG", "png"), (".x.pdf", "pdf")])
def test_formats(name: str, kind: str) -> None:
    """The suffix says which, in large or small letters."""
    assert format_of(Path(name)) == kind


@pytest.mark.parametrize("name", ["a", "a.gif", "svg", "a.png.bak", ".png"])
def test_other_suffixes_are_refused(name: str) -> None:
    """The path is named, with the suffixes that there are."""
    with pytest.raises(UsageError, match=r"it has to end in \.png, \.svg, \.pdf"):
        format_of(Path(name))


@pytest.mark.slow
def test_saving(tmp_path: Path) -> None:
    """An existing file is replaced; where the system refuses, what was there stays."""
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    simple().save(path)
    assert zlib.crc32(path.read_bytes()) == zlib.crc32(simple().encoded("png"))
    with pytest.raises(FileError, match="cannot write it"):
        simple().save(tmp_path / "a.png" / "b.png")
    assert list(tmp_path.iterdir()) == [path]


def test_a_legend_names_everything_once() -> None:
    """Entries of several panels with one name are one entry, below the panels, in as many columns as fit."""
    with Look().figure(4, 3) as figure:
        panels = figure.subplots(1, 2)
        for panel in panels:
            for k in range(4):
                panel.plot([0, 1], [k, 1], label=f"a label of some length {k}")
        legend(figure, *panels)
    (shown,) = figure.legends
    assert [text.get_text() for text in shown.get_texts()] == [f"a label of some length {k}" for k in range(4)]
    assert collisions(Picture(figure, "", "", Look())) == []
