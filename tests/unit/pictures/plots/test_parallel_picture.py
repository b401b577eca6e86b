"""Parallel coordinates: where each line crosses each axis, its colour, and where the best ones are said to lie."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots import parallel
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import THEMES, Look, Picture
from ordbo_cli.problem import Evaluation, Parameter
from tests.unit.pictures.conftest import collisions, found, unit, view_of

pytest.importorskip("matplotlib")
from ordbo_cli.pictures.plots.parallel import draw

MIXED = [
    Parameter("angle", -1.0, 3.0, unit="deg"),
    Parameter("blades", 3, 9, type="int"),
    Parameter("rate", 1e-4, 1e2, scale="log"),
]


def mixed(rows: int, goal: str = "minimize", failing: Sequence[int] = (), seed: int = 0) -> View:
    """Return a study of a float, an integer and a log parameter."""
    rng = np.random.default_rng(seed)
    U = rng.random((rows, 3))
    X = [[-1.0 + 4.0 * a, 3 + int(7 * b), 10.0 ** (-4 + 6 * c)] for a, b, c in U.tolist()]
    y = [None if k in failing else round(float(u[0] - 0.3) ** 2, 2) for k, u in enumerate(U)]
    return view_of(MIXED, X, y, goal=goal, pending=[(0.5, 4, 1.0)], objective="drag", unit="N")


def picture(view: View, shown: tuple[int, ...] = (), look: Look | None = None) -> Picture:
    """Draw it, and take any warning for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = draw(Scene(view, "study", shown=shown), look or Look())
        drawn.encoded("svg")
    return drawn


def lines(drawn: Picture, gid: str) -> Array:
    """Return the heights at which lines cross the axes [lines, axes], sorted."""
    all_ = []
    for each in found(drawn, gid):
        for path in each.get_paths():
            vertices = path.vertices
            parts = np.split(vertices, np.flatnonzero(np.isnan(vertices[:, 0])))
            all_ += [part[~np.isnan(part[:, 0])] for part in parts]
    assert all(part[:, 0].tolist() == list(range(len(part))) for part in all_)
    return np.array(sorted(part[:, 1].tolist() for part in all_))


def height(values: Sequence[float], low: float, high: float, x: float) -> float:
    """Return the rank of a value among distinct ones and the bounds, as a share; of another, between its neighbours."""
    distinct = sorted({low, high, *values})
    if x in distinct:
        return distinct.index(x) / (len(distinct) - 1)
    return (sum(v < x for v in distinct) - 0.5) / (len(distinct) - 1)


def expected(view: View, x: Sequence[float]) -> list[float]:
    """Return the heights of a point on the axes of its parameters."""
    evaluations = [e.values for e in view.evaluations]
    return [height([float(e[j]) for e in evaluations], p.low, p.high, x[j]) for j, p in enumerate(view.problem.free)]


def expected_results(view: View) -> list[list[float]]:
    """Return the heights of all successes, the objective's last."""
    values = sorted({e.objective for e in view.evaluations if e.objective is not None})
    return sorted(
        [*expected(view, [float(x) for x in e.values]), values.index(e.objective) / (len(values) - 1)]
        for e in view.evaluations
        if e.objective is not None
    )


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_lines_cross_the_axes_at_the_ranks_of_their_values(goal: str) -> None:
    """Among the distinct values, of which a parameter's bounds are two; the lowest result is lowest for either goal."""
    view = mixed(15, goal, failing=(4,))
    np.testing.assert_allclose(lines(picture(view), "results"), expected_results(view))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_a_line_has_the_colour_of_the_stripe_where_it_ends(goal: str, theme: str) -> None:
    """The objective's axis is the legend of the colours; the best stands out most against the paper."""
    view = mixed(20, goal)
    drawn = picture(view, look=Look(THEMES[theme]))
    (stripes,) = found(drawn, "colours")
    spans = [
        (s[0, 1], s[1, 1], tuple(c[:3])) for s, c in zip(stripes.get_segments(), stripes.get_colors(), strict=True)
    ]
    (results,) = found(drawn, "results")
    seen = []
    for path, colour in zip(results.get_paths(), results.get_colors(), strict=True):
        ends = path.vertices[path.vertices[:, 0] == 3.0, 1]
        near = [c for low, high, c in spans for end in ends if low - 1e-9 <= end <= high + 1e-9]
        assert tuple(colour[:3]) in near
        seen.append((ends[0], sum(colour[:3])))
    seen.sort(reverse=goal == "maximize")
    brightness = [b for _, b in seen]
    assert (brightness[0] < brightness[-1]) == (theme == "light")
    assert len(set(brightness)) > 10


@pytest.mark.parametrize(("goal", "beyond"), [("minimize", 1.1), ("maximize", -0.1)])
def test_failures_are_dashed_and_end_beyond_the_worst(goal: str, beyond: float) -> None:
    """Apart from all results, with a word for them."""
    view = mixed(12, goal, failing=(2, 7))
    drawn = picture(view)
    heights = sorted([*expected(view, [float(x) for x in view.evaluations[k].values]), beyond] for k in (2, 7))
    np.testing.assert_allclose(lines(drawn, "failed"), heights)
    assert found(drawn, "failed")[0].get_linestyle()[0][1] is not None
    (word,) = [text for text in found(drawn, "value") if text.get_text() == "failed"]
    assert word.xy == (3, pytest.approx(beyond))
    low, high = drawn.figure.axes[0].get_ylim()
    assert low < beyond < high
    assert "12 evaluations across 3 parameters, of which 2 failed." in drawn.alt


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_the_best_and_the_few_behind_it_stand_out(goal: str) -> None:
    """The earliest of equals first; of thirty, three."""
    view = mixed(30, goal)
    sign = 1 if goal == "minimize" else -1
    order = sorted(range(30), key=lambda k: (sign * (view.evaluations[k].objective or 0), k))
    drawn = picture(view)
    (best,) = found(drawn, "best")
    np.testing.assert_allclose(best.get_ydata()[:3], expected(view, view.X[order[0]].tolist()))
    assert best.get_ydata()[3] == (0.0 if goal == "minimize" else 1.0)
    few = sorted(expected(view, view.X[k].tolist()) for k in order[1:3])
    np.testing.assert_allclose(lines(drawn, "best-few")[:, :3], few)
    (behind,), (results,) = found(drawn, "best-few"), found(drawn, "results")
    assert best.get_linewidth() > behind.get_linewidths()[0] > results.get_linewidths()[0]
    assert "2nd and 3rd best" in [text.get_text() for text in drawn.figure.legends[0].get_texts()]


def test_points_without_a_result_are_dotted_and_end_before_the_objective() -> None:
    """The next one is the proposal; a value that no row has lies between its neighbours."""
    view = mixed(12)
    drawn = picture(view)
    (point,) = found(drawn, "next")
    assert view.proposal is not None
    assert list(point.get_xdata()) == [0, 1, 2]
    np.testing.assert_allclose(point.get_ydata(), expected(view, [float(x) for x in view.proposal.values]))
    assert point.get_linestyle() == ":"
    np.testing.assert_allclose(lines(drawn, "pending"), [expected(view, [0.5, 4, 1.0])])
    assert "1 point is out. The next point is drawn dotted." in drawn.alt


def test_values_along_the_axes_stand_at_their_ranks() -> None:
    """From the lower bound to the upper, in the user's units; the objective's from its lowest to its highest."""
    view = mixed(12)
    texts = [(text.xy, text.get_text()) for text in found(picture(view), "value")]
    for j, parameter in enumerate(MIXED):
        column = sorted((xy[1], label) for xy, label in texts if xy[0] == j)
        assert column[0] == (0.0, f"{parameter.low:g}".replace("e-0", "e-"))
        assert column[-1] == (1.0, f"{parameter.high:g}")
        distinct = sorted({parameter.low, parameter.high, *view.X[:, j].tolist()})
        for place, label in column:
            assert float(label) == pytest.approx(distinct[round(place * (len(distinct) - 1))], rel=1e-3)
    results = sorted({float(e.objective or 0) for e in view.evaluations})
    last = sorted((xy[1], float(label)) for xy, label in texts if xy[0] == 3)
    assert (last[0], last[-1]) == ((0.0, results[0]), (1.0, results[-1]))


def test_those_asked_for_in_their_order() -> None:
    """Their names below, the objective's last."""
    drawn = picture(mixed(9), shown=(0, 2))
    panel = drawn.figure.axes[0]
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["angle [deg]", "rate", "drag [N]"]
    assert lines(drawn, "results").shape == (9, 3)


def test_the_words_say_where_the_best_tenth_lies() -> None:
    """On the axis on which it lies close together by rank, here a; not on one over which it is spread."""
    rng = np.random.default_rng(2)
    X = rng.random((40, 2))
    X[:4, 0], X[:4, 1] = [0.61, 0.615, 0.62, 0.625], [0.0, 0.4, 0.7, 1.0]
    y = [0.1, 0.2, 0.3, 0.4, *(1.0 + k for k in range(36))]
    alt = picture(view_of(unit("a", "b"), X.tolist(), y)).alt
    assert "The best 4 results lie closest together between 0.61 and 0.625 of a." in alt


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([], "No evaluation yet, across 2 parameters."),
        ([None], "1 evaluation across 2 parameters; none of them succeeded yet."),
        ([2.0], "1 evaluation across 2 parameters. The best lies at 0.637 of a and 0.2698 of b."),
        ([1.0] * 5, "All results are alike."),
        (["1e400", "2e400", "3e400", "Infinity"], "4 evaluations across 2 parameters."),
    ],
)
def test_any_results(y: list[object], words: str) -> None:
    """Few, none, failures, ties, past all doubles: a picture, and words that fit it."""
    X = np.random.default_rng(0).random((len(y), 2))
    drawn = picture(view_of(unit("a", "b"), X.tolist(), y))
    assert words in drawn.alt
    assert bool(found(drawn, "nothing")) == (not y)
    assert not collisions(drawn)


def test_results_that_doubles_do_not_tell_apart_have_their_ranks() -> None:
    """Exact values are compared, here past the largest double."""
    X = np.random.default_rng(0).random((3, 1))
    drawn = picture(view_of(unit("a"), X.tolist(), ["1e400", "3e400", "2e400"]))
    ends = {round(float(line[0]), 9): float(line[1]) for line in lines(drawn, "results")}
    view = view_of(unit("a"), X.tolist(), ["1e400", "3e400", "2e400"])
    assert ends == {round(expected(view, x.tolist())[0], 9): e for x, e in zip(X, [0.0, 1.0, 0.5], strict=True)}


def many(rows: int, names: int) -> View:
    """Return a study of very many rows; what is known is of a few."""
    rng = np.random.default_rng(1)
    X = rng.random((rows, names))
    view = view_of(unit(*(f"x{j}" for j in range(names))), X[:6].tolist(), X[:6, 0].tolist())
    evaluations = [Evaluation(tuple(x), Decimal(str(sum(x[:2])))) for x in X.tolist()]
    return replace(view, whole=replace(view.whole, evaluations=evaluations))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "names"), [(1000, 6), (1000, 20), (1000, 2), (5000, 6)])
def test_a_picture_of_very_many_rows_is_small(rows: int, names: int) -> None:
    """Lines that are too many are thinned from the worst to the best, and it is said how many there are."""
    view = many(rows, names)
    drawn = picture(view)
    assert len(drawn.encoded("svg")) < 200_000
    number = len(lines(drawn, "results"))
    assert number == min(rows, 5000 // (names + 1))
    assert (f"{number:,} of {rows:,} evaluations" in drawn.figure.axes[0].get_title(loc="left")) == (number < rows)
    assert (f"{number:,} of them are drawn" in drawn.alt) == (number < rows)
    ends = np.sort(lines(drawn, "results")[:, -1])
    assert ends[0] == 0.0
    assert ends[-1] == 1.0
    assert np.max(np.diff(ends)) < 2.0 / number


@pytest.mark.slow
def test_of_too_many_axes_those_of_most_latent_length() -> None:
    """As many as there is room for, in the order of the problem."""
    view = many(8, 30)
    length = np.random.default_rng(0).permutation(np.arange(1.0, 31.0))
    vars(view)["all_lengths"] = length
    drawn = picture(view, look=Look(size=(4.0, 3.0)))
    names = [tick.get_text() for tick in drawn.figure.axes[0].get_xticklabels()][:-1]
    assert names == [f"x{j}" for j in range(30) if length[j] > 30 - len(names)]
    assert 10 < len(names) < 30
    assert f"{len(names)} parameters, those of most latent length of 30" in drawn.alt
    assert not collisions(drawn)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("size", [(4.0, 3.0), None, (10.0, 7.0)])
@pytest.mark.parametrize("extra", [0, 6, 25])
def test_names_never_collide(size: tuple[float, float] | None, extra: int) -> None:
    """Long ones, signs that mean something elsewhere, and other scripts."""
    odd = ["angle of attack of the upper flap", "$x_1$", "<p> & q", "翼型の迎角と厚みの比率について調べる変数", "αβγ"]
    parameters = [Parameter(name, 0.0, 1.0, unit="m/s") for name in odd] + unit(*(f"name {k}" for k in range(extra)))
    X = np.random.default_rng(0).random((7, len(parameters)))
    y = [None, *X[1:, 0].tolist()]
    drawn = picture(
        view_of(parameters, X.tolist(), y, objective="lift over drag at a high speed"), look=Look(size=size)
    )
    assert not collisions(drawn)
    panel = drawn.figure.axes[0].get_window_extent()
    assert panel.height > 0.3 * drawn.figure.get_size_inches()[1] * drawn.figure.dpi


def test_thinning_keeps_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few lines there may be."""
    monkeypatch.setattr(parallel, "MOST_KNOTS", 20)
    view = mixed(15)
    drawn = picture(view)
    assert len(lines(drawn, "results")) == 5
    assert lines(drawn, "results")[:, -1].min() == 0.0
    assert len(found(drawn, "best")) == 1
