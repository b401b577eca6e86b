"""How pictures look: colours that people tell apart, files that come out whole and the same, labels that fit."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from ordbo_cli.errors import FileError, UsageError
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.pictures.style import DARK, LIGHT, Look, Picture, Theme, format_of, legend

from .conftest import collisions

NASTY = "a & b <c> $x_1$ \"q\" 'r' θ"
BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
# Linear RGB as people without one kind of cone see it (Viénot, Brettel and Mollon 1999).
_LMS = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
_WITHOUT = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "deuteranopia": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}


def linear(colour: str) -> Array:
    """Return the light of a colour."""
    rgb = np.array(mpl.colors.to_rgb(colour))
    return np.asarray(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4))


def luminance(colour: str) -> float:
    """Return its relative luminance (WCAG)."""
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def lab(light: Array) -> Array:
    """Return CIE Lab of linear RGB under D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    t = np.clip(to_xyz @ light / [0.9505, 1.0, 1.089], 0.0, None)
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def picture(label: str = "x", look: Look | None = None, alt: str = "A.") -> Picture:
    """Return a small picture."""
    look = look or Look()
    with look.figure(3, 2) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], label=label, gid="line")
        axes.set_xlabel(label)
        axes.set_title(label)
    return Picture(figure, f"Title {label}", alt, look)


@BOTH
def test_colours_stand_out_from_the_paper(theme: Theme) -> None:
    """Text 4.5:1, marks 3:1 (WCAG 2.2)."""

    def contrast(colour: str) -> float:
        dim, bright = sorted((luminance(colour), luminance(theme.paper)))
        return (bright + 0.05) / (dim + 0.05)

    assert min(contrast(theme.ink), contrast(theme.muted)) >= 4.5
    assert min(contrast(getattr(theme, name)) for name in ("data", "latent", "best", "next", "failed")) >= 3.0


@BOTH
@pytest.mark.parametrize("cones", _WITHOUT)
def test_colours_of_lines_differ_without_a_cone(theme: Theme, cones: str) -> None:
    """Those of data, latent, best and next are apart in CIE Lab for people who lack a kind of cone."""
    seen = {}
    for name in ("data", "latent", "best", "next"):
        light = np.linalg.solve(_LMS, _WITHOUT[cones] @ _LMS @ linear(getattr(theme, name)))
        seen[name] = lab(np.clip(light, 0.0, 1.0))
    apart = {(a, b): float(np.linalg.norm(seen[a] - seen[b])) for a, b in itertools.combinations(seen, 2)}
    assert min(apart.values()) > 12.0, apart


@BOTH
def test_themes_are_what_is_drawn_with(theme: Theme) -> None:
    """Paper and ink of the file are the theme's, in PNG and SVG."""
    drawn = picture(look=Look(theme))
    assert mpl.colors.to_hex(drawn.figure.get_facecolor()) == theme.paper
    text = drawn.encoded("svg").decode()
    assert f"fill: {theme.paper}" in text
    assert f"fill: {theme.ink}" in text


def test_a_users_settings_of_matplotlib_change_nothing() -> None:
    """Neither theirs those of the picture, nor the picture's theirs."""
    plain = picture().encoded("svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "text.usetex": True, "savefig.dpi": 10}):
        assert picture().encoded("svg") == plain
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_picture_gives_the_same_bytes(kind: str) -> None:
    """Drawn anew, and encoded twice."""
    one = picture(NASTY)
    assert one.encoded(kind) == one.encoded(kind) == picture(NASTY).encoded(kind)


def test_title_and_words_are_in_the_file() -> None:
    """SVG and PNG hold them as metadata, whatever is in them."""
    drawn = picture(NASTY, alt=f"It shows {NASTY}.")
    text = drawn.encoded("svg").decode()
    assert "<dc:description>It shows a &amp; b &lt;c&gt; $x_1$" in text
    assert "Title a &amp; b &lt;c&gt;" in text
    assert f"It shows {NASTY}.".encode() in drawn.encoded("png")


def test_names_are_no_formulas() -> None:
    """A dollar sign is a dollar sign; text stays text in an SVG."""
    assert re.search(r">a &amp; b &lt;c&gt; \$x_1\$ ", picture(NASTY).encoded("svg").decode())
    picture("$\\nonsense{").encoded("png")


def test_size_and_dots() -> None:
    """Inches as asked for; dots per inch of a PNG."""
    content = picture(look=Look(size=(5, 4), dpi=50)).encoded("png")
    assert [int.from_bytes(content[at : at + 4], "big") for at in (16, 20)] == [250, 200]


def test_too_many_pixels_are_refused() -> None:
    """Before the memory is asked for; an SVG has no pixels."""
    vast = picture(look=Look(size=(100, 100), dpi=1200))
    with pytest.raises(UsageError, match="120,000 by 120,000 pixels"):
        vast.encoded("png")
    assert vast.encoded("svg")


@pytest.mark.parametrize(("name", "kind"), [("a.png", "png"), ("a.b.SVG", "svg"), ("x/a.Pdf", "pdf")])
def test_formats(name: str, kind: str) -> None:
    """The last suffix says it, in any case."""
    assert format_of(Path(name)) == kind


@pytest.mark.parametrize("name", ["a", "png", ".png", "a.gif", "a.svgz", "a.png/b", "a.", "a.png "])
def test_other_suffixes_are_refused(name: str) -> None:
    """With the path and the formats that there are."""
    with pytest.raises(UsageError, match=r"has to end in \.png, \.svg, \.pdf"):
        format_of(Path(name))


def test_saving_replaces_a_file_or_leaves_it(tmp_path: Path) -> None:
    """A new one has no leftovers; a refusal leaves no draft."""
    path = tmp_path / "a.svg"
    path.write_bytes(b"x" * 10**6)
    picture().save(path)
    assert path.read_bytes() == picture().encoded("svg")
    with pytest.raises(FileError, match="cannot write it"):
        picture().save(tmp_path / "nowhere" / "a.svg")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("label", ["a name of many words that goes on " * 8, "a_name_without_a_space_" * 12, "θ" * 150])
def test_long_labels_are_broken_or_cut(label: str) -> None:
    """They stay within the picture, in at most three lines."""
    drawn = picture(label)
    axes = drawn.figure.axes[0]
    assert axes.get_xlabel().count("\n") <= 2
    assert collisions(drawn) == []


def test_a_legend_has_each_entry_once() -> None:
    """In as many columns as there is room for."""
    with Look().figure(4, 3) as figure:
        panels = figure.subplots(1, 2)
        for panel in panels:
            for name in ("one", "two", "three"):
                panel.plot([0, 1], label=name)
        legend(figure, *panels)
    (made,) = figure.legends
    assert [text.get_text() for text in made.get_texts()] == ["one", "two", "three"]
    with Look().figure(4, 3) as figure:
        legend(figure, figure.subplots())
    assert figure.legends == []
