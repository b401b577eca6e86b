"""The picture of the course: every result, the best so far, the regret; against sums by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ordbo_cli.pictures.convergence import draw
from ordbo_cli.pictures.scene import Scene, Truth
from ordbo_cli.pictures.style import DARK, Look, Picture

from .conftest import collisions, found, unit, view_of

pytest.importorskip("matplotlib")

Y = (5, 3, None, 4, "inf", 2, 2, 7)


def drawn(
    y: Any = Y, *, x: Any = None, truth: Truth | None = None, look: Look | None = None, **settings: Any
) -> Picture:
    """Return the picture of a study of one parameter."""
    x = [(k / max(1, len(y)),) for k in range(len(y))] if x is None else x
    return draw(Scene(view_of(unit("x"), x, y, **settings), "study", truth), look or Look())


def data(picture: Picture, gid: str) -> list[list[float]]:
    """Return the coordinates of the one artist of an identifier."""
    (line,) = found(picture, gid)
    return [[float(x), float(y)] for x, y in line.get_xydata()]


def test_results_and_best_so_far() -> None:
    """Successes at their numbers, the running minimum over those inside, failures and infinities at the worse end."""
    picture = drawn()
    assert data(picture, "results") == [[1, 5], [2, 3], [4, 4], [6, 2], [7, 2], [8, 7]]
    assert data(picture, "best-so-far") == [[1, 5], [2, 3], [3, 3], [4, 3], [5, 3], [6, 2], [7, 2], [8, 2]]
    assert data(picture, "best") == [[6, 2]]
    assert [x for x, _ in data(picture, "failed")] == [3]
    assert [x for x, _ in data(picture, "infinite")] == [5]
    assert data(picture, "failed")[0][1] > 0.9
    assert picture.alt == (
        "The best objective so far goes from 5 at evaluation 1 to 2 at evaluation 6 of 8, in 2 steps."
        " 1 evaluation failed."
    )


def test_maximise() -> None:
    """The running maximum; failures at the lower end."""
    picture = drawn((1, None, 3, 2), goal="maximize")
    assert [y for _, y in data(picture, "best-so-far")] == [1, 1, 3, 3]
    assert data(picture, "best") == [[3, 3]]
    assert data(picture, "failed")[0][1] < 0.1


def test_rows_outside_do_not_count() -> None:
    """They are shown apart, and the best so far is that of the rows inside."""
    picture = drawn((5, 1, 4), x=[(0.1,), (3.0,), (0.9,)])
    assert data(picture, "outside") == [[2, 1]]
    assert data(picture, "results") == [[1, 5], [3, 4]]
    assert [y for _, y in data(picture, "best-so-far")] == [5, 5, 4]


def test_the_regret_of_a_test_problem() -> None:
    """By the function without noise, floored; the running minimum; no number from an infinite one."""
    truth = Truth(
        lambda x: math.nan if x[0] > 0.7 else x[0] - 1.0, lambda v: math.inf if v != v else max(v + 1.0, 0.01), (0.0,)
    )
    picture = drawn((3, 2, 1, 0), x=[(0.5,), (0.8,), (0.25,), (0.0,)], truth=truth)
    assert data(picture, "regrets") == [[1, 0.5], [3, 0.25], [4, 0.01]]
    assert data(picture, "regret") == [[1, 0.5], [2, 0.5], [3, 0.25], [4, 0.01]]
    assert picture.figure.axes[1].get_yscale() == "log"
    assert picture.alt.endswith("The regret falls from 0.5 to 0.01.")


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ((), "Nothing was evaluated yet."),
        ((None, None), "2 evaluations; none of them succeeded yet."),
        ((4,), "The best objective is 4, at evaluation 1 of 1."),
        ((4, 4, 4), "The best objective is 4, at evaluation 1 of 3. No other is better."),
        (("1e400", "-1e400", "1e-400"), "The best objective so far goes from 1e400 at evaluation 1 to"
         " -1e400 at evaluation 2 of 3, in 1 step."),
    ],
)  # fmt: skip
def test_words(y: tuple[object, ...], words: str) -> None:
    """Of no, one, tied, huge and failed results, with correct singulars."""
    assert drawn(y).alt == words


@pytest.mark.parametrize(
    "y",
    [(), (None,), (None,) * 9, (3,), (2, 2, 2), ("1e400", 1, "1e-400"),
     (1e-300, 1e300, 5), (-1e9, 0, 1e9, 3, 1), tuple(range(1000, 0, -1))],
    ids=["none", "failed", "all failed", "one", "tied", "huge", "far apart", "both signs", "many"],
)  # fmt: skip
@pytest.mark.parametrize("size", [(4, 3), None, (10, 7)], ids=["small", "default", "large"])
def test_any_results_can_be_drawn(y: tuple[object, ...], size: tuple[float, float] | None) -> None:
    """At several sizes without texts that collide."""
    name = "$a_b$ <c> & θ, the name of an objective that is rather long"
    picture = drawn(y, look=Look(DARK, size), objective=name, unit="m/s²")
    assert collisions(picture) == []
    assert len(picture.encoded("svg")) < 150_000
    if y and any(each is not None for each in y):
        assert not found(picture, "nothing")
    else:
        assert found(picture, "nothing")
