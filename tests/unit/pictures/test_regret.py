"""The regret figure: what the curves show, and that files come out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.errors import FileError
from ordbo_cli.pictures.regret import Landscape, Panel, cumulative, draw_regret, shades, simple

pytest.importorskip("matplotlib")

REGRETS = np.array([[9.0, 8.0, 4.0, 5.0], [9.0, 7.0, 8.0, 2.0]])


def hole(x: Sequence[float]) -> float:
    return math.nan if x[0] > 0.5 else x[0] + math.log10(x[1]) ** 2


def draw(path: Path) -> None:
    panels = [Panel(name, {"vanilla": REGRETS, "mine": REGRETS / 4}, 2) for name in ("one", "two")]
    draw_regret(panels, [Landscape("two", hole, ((0, 1), (0.1, 10)), ("linear", "log"), (0.0, 1.0))], path)


def test_curves_by_hand() -> None:
    """Sums start after the initial points; the best so far starts with the last of them."""
    np.testing.assert_array_equal(cumulative(REGRETS, 2), [[4, 9], [8, 10]])
    np.testing.assert_array_equal(simple(REGRETS, 2), [[8, 4, 4], [7, 7, 2]])


def test_shades_follow_ranks() -> None:
    """Equal values look alike, a value of 1e300 is one step above the next, failures have no colour."""
    np.testing.assert_array_equal(shades(np.array([[3.0, 1e300], [math.nan, 3.0]])), np.array([[0, 1], [math.nan, 0]]))
    np.testing.assert_array_equal(shades(np.full((1, 2), math.nan)), np.full((1, 2), math.nan))


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("PNG", b"\x89PNG")])
def test_the_suffix_chooses_the_kind(tmp_path: Path, suffix: str, start: bytes) -> None:
    """SVG and PNG are written, the same bytes each time."""
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for path in paths:
        draw(path)
    assert paths[0].read_bytes().startswith(start)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_figure_names_what_it_shows(tmp_path: Path) -> None:
    """Titles of both problems and of the picture, and the methods, each once in the legend."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none"}):
        draw(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    for title in ("one: cumulative regret", "two: simple regret", "two, by rank; star: optimum"):
        assert f">{title}<" in text
    assert text.count(">vanilla<") == text.count(">mine<") == 1


def test_an_unwritable_file_is_an_error(tmp_path: Path) -> None:
    """A folder that is not there is named."""
    with pytest.raises(FileError, match="cannot write it"):
        draw(tmp_path / "nowhere" / "a.svg")
