"""Importance: the lengths and intervals that are drawn, their order, and what is said of them."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import laplace
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.laplace import LatentLengths
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import THEMES, Look, Picture
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.method import GapPrior
from tests.unit.pictures.conftest import QUICK, collisions, found, unit, view_of

pytest.importorskip("matplotlib")
from ordbo_cli.pictures.plots.importance import draw


def wiggly(rows: int, *names: str, **settings: Any) -> View:
    """Return a study of a function that is wiggly in the second parameter, or the only one, and calm in the others."""
    U = np.random.default_rng(3).random((rows, len(names)))
    return view_of(unit(*names), U.tolist(), np.sin(14.0 * U[:, :2][:, -1]).tolist(), **settings)


def with_lengths(view: View, length: list[float], spread: list[float]) -> View:
    """Return a view with other lengths in place of its own."""
    view = replace(view)
    vars(view)["latent_lengths"] = LatentLengths(np.array(length), np.array(spread))
    return view


def picture(view: View, shown: tuple[int, ...] = (), look: Look | None = None) -> Picture:
    """Draw it, and take any warning for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = draw(Scene(view, "study", shown=shown), look or Look())
        drawn.encoded("svg")
    return drawn


def segments(drawn: Picture, gid: str) -> Array:
    """Return the ends of horizontal lines, each with its height [lines, (low, high, height)]."""
    return np.array([(*v[:, 0], v[0, 1]) for each in found(drawn, gid) for v in each.get_segments()])


def names(drawn: Picture) -> list[str]:
    """Return the names along the vertical axis, from the top."""
    (panel,) = drawn.figure.axes
    labels = [(tick.label1.get_window_extent().y0, tick.label1.get_text()) for tick in panel.yaxis.get_major_ticks()]
    return [text for _, text in sorted(labels, reverse=True)]


def texts(drawn: Picture, gid: str) -> list[str]:
    """Return the words of texts."""
    return [text.get_text() for text in found(drawn, gid)]


def test_each_dot_is_the_length_of_its_parameter_the_longest_on_top() -> None:
    """Lengths are what the frame has between the bounds."""
    view = wiggly(24, "a", "b", "c")
    drawn = picture(view)
    warp = view.surrogate.warp
    lengths = {n: float(np.interp(1.0, u, s) - np.interp(0.0, u, s))
               for n, u, s in zip("abc", warp.knots, warp.coordinates, strict=True)}  # fmt: skip
    assert names(drawn) == sorted(lengths, key=lambda n: -lengths[n])
    assert names(drawn)[0] == "b"
    (dots,) = found(drawn, "lengths")
    assert dots.get_xdata() == pytest.approx([lengths[n] for n in names(drawn)])
    assert dots.get_ydata().tolist() == [0, 1, 2]
    total = sum(lengths.values())
    assert texts(drawn, "share") == [f"{100 * lengths[n] / total:.0f} %" for n in names(drawn)]


def test_intervals_are_those_of_the_fit() -> None:
    """A factor of 1.96 standard deviations of the logarithm to either side; the words have the same numbers."""
    view = with_lengths(wiggly(6, "a", "b", "c"), [1.0, 4.0, 2.5], [0.1, 0.2, 0.3])
    drawn = picture(view)
    expected = [[x * np.exp(-1.96 * s), x * np.exp(1.96 * s), k]
                for k, (x, s) in enumerate([(4.0, 0.2), (2.5, 0.3), (1.0, 0.1)])]  # fmt: skip
    np.testing.assert_allclose(segments(drawn, "intervals"), expected)
    assert "The longest is b, 4 (95% interval of the fit 2.7 to 5.92), 53 % of the total" in drawn.alt
    assert "the shortest a, 1 (0.822 to 1.22), 13 %" in drawn.alt
    assert "The interval of c overlaps that of b." in drawn.alt
    assert "credible" not in drawn.alt


def test_intervals_come_from_the_view() -> None:
    """They are not made up by the picture: the view's own, of a fit with data."""
    view = wiggly(24, "a", "b")
    low, high = view.latent_lengths.interval
    order = np.argsort(-view.lengths)
    assert np.all(np.isfinite(low))
    np.testing.assert_allclose(segments(picture(view), "intervals")[:, :2], np.stack([low, high], axis=1)[order])


@pytest.mark.parametrize(
    ("spread", "words"),
    [
        ([0.05, 0.05, 0.05], "No other interval overlaps that of a."),
        ([0.05, 0.7, 0.7], "The intervals of b and c overlap that of a."),
        ([0.05, np.nan, 0.7], "The interval of c overlaps that of a."),
        ([0.05, np.nan, np.nan], "The prior's length"),
    ],
)
def test_the_words_say_which_intervals_overlap(spread: list[float], words: str) -> None:
    """Only intervals that are known are compared."""
    alt = picture(with_lengths(wiggly(6, "a", "b", "c"), [4.0, 2.0, 1.9], spread)).alt
    assert words in alt
    assert ("overlap" in alt) == ("overlap" in words)


def test_an_unknown_interval_is_said_so_beside_its_point() -> None:
    """The point stays, its interval does not, and the words stand in its row."""
    drawn = picture(with_lengths(wiggly(6, "a", "b", "c"), [1.0, 4.0, 2.5], [0.1, np.nan, 0.3]))
    assert segments(drawn, "intervals")[:, 2].tolist() == [1.0, 2.0]
    (words,) = found(drawn, "unknown")
    assert words.get_text() == "interval not known"
    assert words.xy[1] == 0
    (dots,) = found(drawn, "lengths")
    assert dots.get_xdata()[0] == 4.0
    assert "b, 4 (interval not known)" in drawn.alt
    assert not collisions(drawn)


def test_without_a_prior_no_interval_and_no_guide() -> None:
    """Free gaps: points alone, and one remark below the axis."""
    drawn = picture(wiggly(12, "a", "b", method=replace(QUICK, prior=None)))
    assert not found(drawn, "intervals")
    assert not found(drawn, "prior")
    assert len(found(drawn, "lengths")[0].get_xdata()) == 2
    assert drawn.figure.axes[0].get_xlabel() == "latent length, in correlation lengths\ninterval not known"
    assert "prior" not in drawn.alt


@pytest.mark.slow
@pytest.mark.parametrize(("length", "expected"), [(None, 5.0 * np.sqrt(2.0 / 3.0)), (2.0, 2.0)])
def test_the_guide_is_the_prior_s_length(length: float | None, expected: float) -> None:
    """Dashed, with its number in the legend."""
    drawn = picture(wiggly(12, "a", "b", "c", method=replace(QUICK, prior=GapPrior(length=length))))
    (guide,) = found(drawn, "prior")
    assert guide.get_xdata() == pytest.approx([expected, expected])
    assert guide.get_linestyle() == "--"
    labels = [text.get_text() for text in drawn.figure.legends[0].get_texts()]
    assert f"prior's length, {expected:.4g}" in labels
    assert drawn.figure.axes[0].get_xlabel() == "latent length, in correlation lengths"


@pytest.mark.slow
@pytest.mark.parametrize(("spread", "scale"), [(0.3, "linear"), (4.0, "log")])
def test_intervals_of_any_width_are_inside_the_axis(spread: float, scale: str) -> None:
    """Where they are so wide that the lengths could not be seen, the axis is logarithmic."""
    drawn = picture(with_lengths(wiggly(6, "a", "b"), [4.0, 3.0], [spread, spread]))
    (panel,) = drawn.figure.axes
    low, high = panel.get_xlim()
    ends = segments(drawn, "intervals")[:, :2]
    assert panel.get_xscale() == scale
    assert low < ends.min() < ends.max() < high


def test_an_interval_past_all_numbers_is_not_known() -> None:
    """A spread whose upper end overflows says nothing."""
    drawn = picture(with_lengths(wiggly(6, "a", "b"), [4.0, 3.0], [0.2, 1000.0]))
    assert segments(drawn, "intervals")[:, 2].tolist() == [0.0]
    assert len(found(drawn, "unknown")) == 1


def test_before_the_first_evaluation_it_is_the_prior() -> None:
    """Said in the title, the legend and the words; all lengths are alike."""
    drawn = picture(wiggly(0, "a", "b", "c"))
    assert len(found(drawn, "lengths")[0].get_xdata()) == 3
    assert "no evaluation yet" in drawn.figure.axes[0].get_title(loc="left").replace("\n", " ")
    assert "95% interval of the prior" in [text.get_text() for text in drawn.figure.legends[0].get_texts()]
    assert drawn.alt.startswith("No evaluation yet: this is the prior")
    assert "All are alike" in drawn.alt
    assert "longest" not in drawn.alt


def test_one_parameter() -> None:
    """No comparison, and all of the total."""
    drawn = picture(wiggly(10, "speed"))
    assert names(drawn) == ["speed"]
    assert texts(drawn, "share") == ["100 %"]
    assert re.match(r"The latent length of speed is [\d.]+ correlation lengths \(95% interval of the fit ", drawn.alt)


def test_those_asked_for_keep_their_share_of_all() -> None:
    """Others are not drawn, but count in the total."""
    view = with_lengths(wiggly(6, "a", "b", "c"), [1.0, 4.0, 5.0], [0.1, 0.2, 0.3])
    drawn = picture(view, shown=(0, 1))
    assert names(drawn) == ["b", "a"]
    assert texts(drawn, "share") == ["40 %", "10 %"]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "size", "rows"), [(30, None, 30), (45, None, 40), (30, (4.0, 3.0), 16)])
def test_of_many_parameters_the_longest(number: int, size: tuple[float, float] | None, rows: int) -> None:
    """Not more than forty, nor than are legible; it says how many there are, and no two names collide."""
    view = wiggly(8, *(f"x{j}" for j in range(number)))
    rng = np.random.default_rng(0)
    length = rng.permutation(np.arange(1.0, number + 1)).tolist()
    drawn = picture(with_lengths(view, length, [0.2] * number), look=Look(size=size))
    expected = sorted(range(number), key=lambda j: -length[j])[:rows]
    assert names(drawn) == [f"x{j}" for j in expected]
    assert (f"{rows} longest of {number}" in drawn.alt) == (rows < number)
    assert not collisions(drawn)


ODD = [
    Parameter("angle of attack of the upper leading edge flap", 0.0, 1.0, unit="deg"),
    Parameter("angle of attack of the lower leading edge flap", 0.0, 1.0),
    Parameter("$x_1$", 0.0, 1.0, unit="a_b"),
    Parameter("<p> & q", 0.0, 1.0),
    Parameter("翼型の迎角と厚みの比率について調べる変数", 0.0, 1.0),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("size", [(4.0, 3.0), None, (10.0, 7.0)])
def test_odd_names_do_not_collide(size: tuple[float, float] | None) -> None:
    """Long ones lose their middle, and keep both ends and the unit."""
    X = np.random.default_rng(0).random((9, 5))
    view = view_of(ODD, X.tolist(), X[:, 0].tolist())
    drawn = picture(view, look=Look(THEMES["dark"], size))
    assert not collisions(drawn)
    shown = names(drawn)
    assert {"$x_1$ [a_b]", "<p> & q"} <= set(shown)
    assert any(re.match(r"angle.*lap \[deg\]", name) for name in shown)
    (panel,) = drawn.figure.axes
    assert panel.get_window_extent().width > 0.4 * drawn.figure.get_size_inches()[0] * drawn.figure.dpi


@pytest.mark.parametrize("y", [[None] * 6, [1.0] * 6, ["1e400", "1e401", "1e402", "2e400", "3e400", "Infinity"]])
def test_any_results(y: list[object]) -> None:
    """Failures, ties and results past all doubles: only their order was ever used."""
    X = np.random.default_rng(0).random((6, 2))
    drawn = picture(view_of(unit("a", "b"), X.tolist(), y))
    assert np.all(found(drawn, "lengths")[0].get_xdata() > 0.0)


def test_too_much_work_leaves_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many evaluations the intervals are not known, and the lengths are."""
    monkeypatch.setattr(laplace, "_MOST_WORK", 1.0)
    view = wiggly(9, "a", "b")
    drawn = picture(view)
    assert not found(drawn, "intervals")
    assert sorted(found(drawn, "lengths")[0].get_xdata()) == pytest.approx(sorted(view.lengths))
    assert drawn.alt.count("interval not known") == 2
