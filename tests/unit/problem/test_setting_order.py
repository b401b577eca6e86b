"""Settings known by their order alone: words, labels, and what is said where words leave a place open."""

from __future__ import annotations

import copy

import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Condition, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.setting_order import (
    NO_ORDERS,
    NoPlace,
    Placed,
    RankedLattice,
    SettingOrder,
    gap_label,
    same_words,
)


def order(*words: str) -> SettingOrder:
    """Return the order that evaluations 1, 2, ... make by their words."""
    found = SettingOrder()
    for id, said in enumerate(words, 1):
        found.add(id, found.label(said))
    return found


def ids(found: SettingOrder) -> list[int]:
    """Return who placed the settings, from the lowest to the highest."""
    return [setting.id for setting in found.settings]


def test_words_place_settings() -> None:
    """Each kind of words puts its setting where it says."""
    assert ids(order("any", "above 1", "below 1", "between 1 and 2", "between 2 and 4", "as 5")) == [3, 1, 4, 5, 2]


def test_spelling_is_free() -> None:
    """Capitals, blanks and the order of two neighbours do not matter."""
    assert order(" ANY ", "Above  1", "between 2 and 1") == order("any", "above 1", "between 1 and 2")
    assert same_words("between 2 AND 1", "Between 1 and  2")
    assert not same_words("above 1", "below 1")
    assert not same_words("above one", "above one")


def test_the_same_setting_goes_by_the_first_id() -> None:
    """Who has an earlier setting may be named, and is called by the one that placed it."""
    found = order("any", "above 1", "as 2")
    assert found.label("as 3") == found.label("as 2")
    assert found.words(found.label("above 3")) == "above 2"
    assert found.words(found.label("as 3")) == "as 2"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("between 1 and 2", "4 lies between 1 and 2: write 'between 1 and 4', 'as 4' or 'between 4 and 2'"),
        ("between 3 and 2", "Between 3 and 2 lie 1, 4, in this order: name two that are neighbours"),
        ("below 1", "1 is not the lowest: write 'between 3 and 1' or 'below 3'"),
        ("above 1", "1 is not the highest: write 'between 1 and 4' or 'above 2'"),
        ("as 9", "No evaluation before it has the id 9; there are 1, 2, 3, 4"),
        ("between 1 and 1", "It is one setting: write 'as 1' for the same again"),
        ("any", "Others have their places already. Write 'between 3 and 1', 'below 3', 'above 2' or the like"),
        ("3", "Write 'between 3 and 1', 'below 3', 'above 2' or the like"),
        ("", "Write 'between 3 and 1', 'below 3', 'above 2' or the like"),
    ],
)
def test_words_that_leave_the_place_open(words: str, hint: str) -> None:
    """They are refused with the words that would do."""
    found = order("any", "above 1", "below 1", "between 1 and 2")
    with pytest.raises(NoPlace) as caught:
        found.label(words)
    assert str(caught.value) == hint


def test_the_first_words() -> None:
    """Before any setting has its place, there is one thing to say."""
    for words in ("above 1", "12.5"):
        with pytest.raises(NoPlace, match="'any'"):
            SettingOrder().label(words)


def test_a_rising_series_does_not_run_out() -> None:
    """A thousand settings, each above or below all before it, find their places."""
    found = order("any", *(f"above {k}" for k in range(1, 1000)))
    assert ids(found) == list(range(1, 1001))
    found = order("any", *(f"below {k}" for k in range(1, 1000)))
    assert ids(found) == list(range(1000, 0, -1))


def test_a_gap_without_doubles_is_closed() -> None:
    """Where no label is left between two settings, that is said, and the lattice has none there."""
    found = order("any", "above 1")
    id = 3
    while gap_label(found.labels, 1) is not None:
        found.add(id, found.label(f"between 1 and {id - 1}"))
        id += 1
    with pytest.raises(NoPlace, match="too many to tell one more: write 'as 1'"):
        found.label(f"between 1 and {id - 1}")
    lattice = RankedLattice(tuple(found.labels))
    assert 30 < len(found.labels) < 60
    assert len(found.labels) < lattice.count < 2 * len(found.labels) + 1
    assert list(lattice.values) == sorted(set(lattice.values))


def test_labels_stay() -> None:
    """A setting keeps its label whatever comes later, and words that placed it are found again."""
    before = order("any", "above 1", "between 1 and 2")
    label = before.labels[1]
    after = before.with_(4, before.label("between 1 and 3"))
    assert after.labels[2] == label == after.known("between 1 and 2")
    assert before.known("between 1 and 3") is None
    assert len(before.labels) == 3


def test_words_stay_with_a_label() -> None:
    """A label with words is a number like others, and keeps its words where it is copied."""
    placed = Placed(0.25, "below 1")
    assert placed == 0.25
    assert hash(placed) == hash(0.25)
    assert copy.deepcopy(placed).words == copy.copy(placed).words == "below 1"
    assert order("any").words(placed) == "below 1"


def test_orders_grow_beside_the_problem() -> None:
    """Settings get their places by name, in a new value; the problem, and who has the orders of before, see nothing."""
    problem = Problem((Parameter("speed", 0, 10), Parameter.of_rank("stir"), Parameter.of_rank("grind")))
    first = NO_ORDERS.placed(problem, 1, (3, 0.5, 0.5))
    then = first.placed(problem, 2, problem.values({"speed": 4, "stir": "above 1", "grind": "as 1"}, first))
    assert ids(then.of("stir")) == [1, 2]
    assert ids(then.of("grind")) == ids(first.of("stir")) == [1]
    assert not NO_ORDERS.of("stir").settings
    assert then == first.placed(problem, 2, (4, then.of("stir").labels[1], 0.5))
    assert hash(then) != hash(first)
    assert then.lattice(problem.free[1]).count == 5
    assert then.lattice(problem.free[0]) == problem.free[0].lattice


def test_without_ranked_parameters_there_are_no_orders() -> None:
    """They cost nothing, and leave values alone."""
    problem = Problem((Parameter("speed", 0, 10),))
    assert NO_ORDERS.placed(problem, 1, (3,)) == NO_ORDERS
    assert NO_ORDERS.in_words(problem, (3,)) == (3,)
    assert NO_ORDERS.shown(problem.free[0], 3) == 3


def test_a_bare_label_is_not_shown() -> None:
    """What words it has is known to the rows: they give it them, once and for good."""
    problem = Problem((Parameter.of_rank("stir"),))
    orders = NO_ORDERS.placed(problem, 1, (0.5,))
    with pytest.raises(TypeError, match="stir: a label without its words"):
        problem.mapping((0.25,))
    values = orders.in_words(problem, (0.25,))
    assert problem.mapping(values) == {"stir": "below 1"}
    assert orders.placed(problem, 2, values).in_words(problem, values) == values
    assert problem.mapping(orders.placed(problem, 2, values).in_words(problem, values)) == {"stir": "below 1"}
    assert orders.placed(problem, 2, values).shown(problem.free[0], 0.25) == "as 2"


def test_parameters_have_nothing_but_an_order() -> None:
    """Bounds, conditions and constraints are refused."""
    with pytest.raises(ProblemError, match="bounds or a grid"):
        Parameter("stir", 0, 2, "ranked")
    with pytest.raises(ProblemError, match="when on type ranked"):
        Parameter("stir", 0.0, 1.0, "ranked", when=(Condition("lid", (0,)),))
    stir = Parameter.of_rank("stir")
    with pytest.raises(ProblemError, match="speaks of a parameter of type ranked"):
        Problem((stir,), constraints=(Constraint.parse("stir < 1", [stir]),))
