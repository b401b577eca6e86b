"""The growth figure: what its lines show, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots.growth import GrowthPanel, draw_growth
from ordbo_cli.pictures.style import DARK, LIGHT, Look, Picture, Theme
from tests.unit.pictures.conftest import collisions, found

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

N = np.arange(1.0, 41.0)
REGRETS = {"one": np.array([2.0 * N, 4.0 * N]), "two": np.array([N**0.5, 3.0 * N**0.5])}


def panel(title: str, regrets: Mapping[str, Array] | None = None, bounds: int = 1) -> GrowthPanel:
    named = {f"Theorem 1, C = {k}": (50.0 + 20 * k) * np.sqrt(N) for k in range(bounds)}
    return GrowthPanel(title, regrets or REGRETS, named, 10.0 * N)


def drawn(*panels: GrowthPanel, theme: Theme = LIGHT) -> Picture:
    return draw_growth(panels or (panel("first"), panel("second")), Look(theme=theme))


def test_curves_are_means_and_bands_quartiles() -> None:
    """Over draws; both axes are logarithmic."""
    picture = drawn()
    curves, bands = found(picture, "regret"), found(picture, "regret-band")
    assert [curve.get_label() for curve in curves] == ["one", "two"] * 2
    np.testing.assert_allclose(curves[0].get_xydata(), np.column_stack([N, 3.0 * N]))
    np.testing.assert_allclose(curves[1].get_ydata(), 2.0 * N**0.5)
    corners = bands[0].get_paths()[0].vertices
    edges = [float(y) for x, y in corners if x == 10]
    assert (min(edges), max(edges)) == pytest.approx((25.0, 35.0))
    assert {(axes.get_xscale(), axes.get_yscale()) for axes in picture.figure.axes} == {("log", "log")}


def test_bounds_are_there() -> None:
    """That of the theorem dashed, the trivial one dotted, each with its name."""
    picture = drawn()
    bound, trivial = found(picture, "bound")[0], found(picture, "trivial")[0]
    np.testing.assert_allclose(bound.get_ydata(), 50.0 * np.sqrt(N))
    np.testing.assert_allclose(trivial.get_ydata(), 10.0 * N)
    assert (bound.get_label(), trivial.get_label()) == ("Theorem 1, C = 0", "trivial bound")
    assert bound.is_dashed()
    assert trivial.get_linestyle() == ":"


def test_two_bounds_differ_in_their_dashes() -> None:
    """Methods of two drifts have two bounds; one name has the same dashes in every panel."""
    picture = drawn(panel("first", bounds=2), GrowthPanel("second", REGRETS, {"Theorem 1, C = 1": 9 * N}, 10 * N))
    first, second, alone = (line._dash_pattern for line in found(picture, "bound"))
    assert first != second
    assert alone == second


def test_lines_for_the_eye_have_their_slopes() -> None:
    """1 and 1/2, from the mean of the methods' first regrets, named where they end."""
    picture = drawn()
    for name, slope in (("slope 1", 1.0), ("slope 1/2", 0.5)):
        (x0, x1), (y0, y1) = found(picture, name)[0].get_data()
        assert (x0, x1, y0) == (1.0, 40.0, 2.5)
        assert np.log(y1 / y0) / np.log(x1 / x0) == pytest.approx(slope)
    assert [text.get_text() for text in picture.figure.axes[0].texts] == ["slope 1", "slope 1/2"]


def test_no_bound_no_line() -> None:
    """Methods that the theorem is not about are drawn all the same."""
    picture = drawn(panel("first", bounds=0))
    assert found(picture, "bound") == []
    assert len(found(picture, "regret")) == 2
    assert "Theorem" not in picture.alt


def test_words_tell_the_ends() -> None:
    """Best and worst mean at the end of each problem, and the bounds there."""
    alt = drawn().alt
    assert alt.startswith("The cumulative latent regret of 2 methods (one and two) on 2 problems, over 2 draws")
    assert (
        "second: after 40 evaluations the mean is at least 12.65 (two), at most 120 (one);"
        " Theorem 1, C = 0 is 316.2 and the trivial bound is 400." in alt
    )
    assert "the mean is 120 (one);" in drawn(panel("first", {"one": REGRETS["one"]})).alt


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_texts_do_not_collide(number: int, theme: Theme) -> None:
    """With names as long as they get, one to five panels, and panels to spare left empty."""
    methods = {f"default:beta=theory,beta.scale={10.0**-k:g},drift=1": REGRETS["two"] / (k + 1) for k in range(5)}
    picture = drawn(*(panel(f"latent_{k}d", methods, 2) for k in range(number)), theme=theme)
    assert collisions(picture) == []
    assert len(picture.figure.axes) == number


def test_the_same_growth_gives_the_same_bytes() -> None:
    """No date, no random names; titles and methods are in the file, each method once."""
    text = drawn().encoded("svg")
    assert text == drawn().encoded("svg")
    for word in ("first", "second", "cumulative latent regret", "trivial bound", "one", "two"):
        assert f">{word}<" in text.decode()
    assert text.decode().count(">two<") == 1
