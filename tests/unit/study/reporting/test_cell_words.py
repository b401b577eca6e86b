"""Cells in words."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.problem import Evaluation, Fixed, Number, Parameter, Problem
from ordbo_cli.search.step_record import Edges, StepRecord
from ordbo_cli.study.reporting.cell_words import cell_in_words, cell_of, edge_texts, name_in_words

ANGLE, BLADES = Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int")
PROBLEM = Problem((ANGLE, Fixed("span", 2.0), BLADES), "drag")


def results(*rows: tuple[Sequence[Number], object]) -> list[Evaluation]:
    """Return evaluations; None is a failure."""
    return [Evaluation(tuple(x), None if y is None else Decimal(str(y))) for x, y in rows]


ROWS = results(((0, 3), 9), ((12, 9), 8), ((3.1, 4), 0.5), ((6, 5), 0.31), ((9.9, 7), None), ((7.5, 8), 4), ((1, 6), 5))


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ([[1.0, 9.9], [3.0, 9.0]], "between 1 and 9.9 of angle, any blades"),
        ([[0.0, 9.9], [7.0, 9.0]], "below 9.9 of angle, above 7 of blades"),
        ([[3.1, 6.0], [4.0, 5.0]], "between the second best (3.1) and the best (6) of angle, "
                                   "between the second best (4) and the best (5) of blades"),
        ([[7.5, 12.0], [3.0, 5.0]], "above the third best of angle (7.5), below the best of blades (5)"),
        ([[6.0, 9.9], [6.0, 9.0]], "between the best (6) and 9.9 of angle, above 6 of blades"),
        ([[0.0, 12.0], [3.0, 9.0]], "anywhere"),
    ],
)  # fmt: skip
def test_edges_are_called_by_rank_or_by_number(cell: list[list[float]], words: str) -> None:
    """A rank up to half of them, a number beyond; the ends of the range are no edges. Failures have no rank."""
    assert cell_in_words(PROBLEM, ROWS, cell) == words


def test_the_best_result_names_a_coordinate_that_several_have() -> None:
    """Also of equal results, and where the goal is to maximise; an infinite result is none of the best."""
    cell = [[6.0, 12.0], [5.0, 9.0]]
    rows = results(((6, 3), 1), ((6, 5), 2), ((8, 5), 3), ((9, 4), 3), ((2, 7), 4), ((1, 8), "inf"))
    assert cell_in_words(PROBLEM, rows, cell) == "above the best of angle (6), above the second best of blades (5)"
    turned = Problem(PROBLEM.parameters, "drag", "maximize")
    rows = [*rows, *results(((3, 6), "-inf"))]
    assert cell_in_words(turned, rows[:5], cell) == "above 6 of angle, above the second best of blades (5)"


def test_no_more_than_five_ranks_have_names() -> None:
    """The sixth best of twenty is a number."""
    rows = results(*(((k / 2, 4), k) for k in range(1, 21)))
    words = [cell_in_words(PROBLEM, rows, [[k / 2, 12.0], [3.0, 9.0]]) for k in (5, 6)]
    assert words == ["above the fifth best of angle (2.5), any blades", "above 3 of angle, any blades"]


def test_beside_another_cell_only_the_difference_is_named() -> None:
    """A side that is the whole range is named, too; a cell that differs everywhere is named in full."""
    one = [[1.0, 9.9], [7.0, 9.0]]
    assert cell_in_words(PROBLEM, [], [[1.0, 9.9], [3.0, 7.0]], one) == "the same but below 7 of blades"
    assert cell_in_words(PROBLEM, [], [[1.0, 9.9], [3.0, 9.0]], one) == "the same but any blades"
    assert cell_in_words(PROBLEM, [], [[0.0, 1.0], [3.0, 7.0]], one) == "below 1 of angle, below 7 of blades"


def test_of_many_parameters_the_narrowest_are_named() -> None:
    """By their share of the range on its own scale; the others are counted."""
    parameters = [Parameter(f"x{k}", 0, 1) for k in range(7)]
    problem = Problem((*parameters, Parameter("c", 1e-3, 1e3, scale="log")))
    cell = [[0.0, 0.5], [0.2, 0.3], [0.0, 1.0], [0.0, 0.1], [0.0, 0.6], [0.0, 0.9], [0.0, 1.0], [1.0, 10.0]]
    words = cell_in_words(problem, [], cell)
    assert words == (
        "below 0.5 of x0, between 0.2 and 0.3 of x1, below 0.1 of x3, between 1 and 10 of c; "
        "of the other parameters 2 are narrowed less and 2 are left free"
    )
    cell[0] = cell[4] = cell[5] = [0.0, 1.0]
    assert cell_in_words(problem, [], cell) == (
        "between 0.2 and 0.3 of x1, below 0.1 of x3, between 1 and 10 of c; of the other parameters 5 are left free"
    )
    six = Problem(problem.parameters[:6])
    assert cell_in_words(six, [], cell[:6]).startswith("any x0, between")


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.1 + 0.2, 1.0, ("0.3", "1")),
        (0.30000000000000004, 0.30000000000000016, ("0.30000000000000004", "0.30000000000000016")),
        (3.14159, 3.1416, ("3.14159", "3.1416")),
        (3.14159, 3.5, ("3.14", "3.5")),
        (0.0012345678, 9.0, ("0.00123", "9")),
        (11.9999, 12.0, ("11.9999", "12")),
        (0.0, 5e-324, ("0", "5e-324")),
    ],
)
def test_no_more_digits_than_needed(low: float, high: float, texts: tuple[str, str]) -> None:
    """Three, or as many as it takes to tell the edges from each other and from the ends of the range."""
    assert edge_texts(ANGLE, low, high) == texts


@given(st.lists(st.floats(0, 12), min_size=2, max_size=2, unique=True).map(sorted))
def test_different_edges_never_look_alike(edges: list[float]) -> None:
    """Their texts differ, stay in order, and lie within a hundredth of the width of what they stand for."""
    low, high = edges
    texts = [float(text) for text in edge_texts(ANGLE, low, high)]
    assert texts[0] < texts[1]
    assert all(abs(text - x) <= 0.01 * (high - low) for text, x in zip(texts, edges, strict=True))


def test_large_numbers_stay_whole() -> None:
    """An int is written out; a float has no '.0'."""
    assert edge_texts(Parameter("n", 0, 10**9, type="int"), 123456789.0, 123456790.0) == ("123456789", "123456790")
    assert edge_texts(Parameter("x", 0, 1e7), 1e5, 813712.05) == ("100000", "814000")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wall shear", "wall shear"), ("x_1.a-b", "x_1.a-b"), ("τ", "τ"), ("a, b", "'a, b'"),
        ("rate of flow", "'rate of flow'"),
        ("a; b", "'a; b'"), ("salt and pepper", "'salt and pepper'"), (" x", "' x'"), ("k(1)", "'k(1)'"),
    ],
)  # fmt: skip
def test_names_that_run_into_the_sentence_are_quoted(name: str, words: str) -> None:
    """Punctuation and the sentence's own words stand in quotation marks."""
    assert name_in_words(name) == words
    assert cell_in_words(Problem((Parameter(name, 0, 1),)), [], [[0.0, 0.5]]) == f"below 0.5 of {words}"


TWO = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int")), "drag")


@pytest.mark.parametrize(
    "cell",
    [((0.0, 1.0),), ((0.0, 1.0), (3.0, 4.0), (0.0, 1.0)), ((0.0, 1.0), (4.0, 4.0)), ((1.0, 0.0), (3.0, 4.0))],
)
def test_cells_of_other_parameters(cell: Edges) -> None:
    """A cell of others than those of now, or of what are no edges, is none."""
    assert cell_of(TWO, StepRecord("acquire", cell)) is None


def test_the_cell_of_a_record() -> None:
    """Edges in pairs for each free parameter; a step of the initial design has none."""
    cell = ((0.0, 1.5), (3.0, 4.0))
    assert cell_of(TWO, StepRecord("acquire", cell)) == cell
    assert cell_of(TWO, StepRecord("initial")) is None
