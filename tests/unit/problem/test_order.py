"""The order of results, censored ones among them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.problem import Censored, Evaluation, Parameter, Problem
from ordbo_cli.problem.order import order, ranks

Goal = Literal["minimize", "maximize"]
Said = tuple[Decimal | None, Censored]

ANGLE = Parameter("angle", 0.0, 12.0)
goals = st.sampled_from(["minimize", "maximize"])
small = st.integers(0, 6).map(Decimal)
known = st.lists(st.one_of(st.none(), st.decimals(allow_nan=False)), max_size=12)
said = st.tuples(small, st.sampled_from(["", "", "above", "below"]))
some_censored = st.lists(st.one_of(said, said, st.just((None, ""))), max_size=9)


def evaluations(results: Sequence[Said]) -> list[Evaluation]:
    """Return evaluations with these results and sides."""
    return [Evaluation((0.0,), value, None, side) for value, side in results]


def ranks_of(objectives: Sequence[Decimal | None], goal: Goal = "minimize") -> list[int]:
    """Return the ranks of results that are known."""
    return ranks(Problem((ANGLE,), goal=goal), [Evaluation((0.0,), value) for value in objectives])


@pytest.mark.slow
@given(known)
def test_ranks_agree_with_comparison(objectives: list[Decimal | None]) -> None:
    """Smaller values have smaller ranks, equal ones equal ranks, failures the last; ranks have no holes."""
    found = ranks_of(objectives)
    assert sorted(set(found)) == list(range(len(set(found))))
    for a, rank_a in zip(objectives, found, strict=True):
        for b, rank_b in zip(objectives, found, strict=True):
            if a is None or b is None:
                assert (rank_a == rank_b) == (a is None and b is None)
                assert rank_a >= rank_b or b is None
            else:
                assert (rank_a < rank_b, rank_a == rank_b) == (a < b, a == b)


@pytest.mark.slow
@given(known)
def test_maximising_is_minimising_the_negative(objectives: list[Decimal | None]) -> None:
    """Ranks for maximise of y are those for minimise of -y; failures stay last."""
    negated = [None if y is None else y.copy_negate() for y in objectives]
    assert ranks_of(objectives, "maximize") == ranks_of(negated)


def test_ranks_tell_decimals_apart_that_doubles_cannot() -> None:
    """20-digit values, 1e400 and an infinity keep their order, though as doubles they are equal."""
    texts = ["0.10000000000000000001", "0.1", "1e400", "inf", "1e401", "-1e400"]
    assert ranks_of([Decimal(text) for text in texts]) == [2, 1, 3, 5, 4, 0]


@given(some_censored, goals)
def test_a_censored_result_has_the_ranks_beyond_its_limit(results: list[Said], goal: Goal) -> None:
    """It may have the rank of every known result there and of none on the other side; failures come after it."""
    found = order(Problem((ANGLE,), goal=goal), evaluations(results))
    spans = list(zip(found.low, found.high, strict=True))
    for (value, side), (low, high) in zip(results, spans, strict=True):
        assert low == high or side
        for (other, its_side), (at, _) in zip(results, spans, strict=True):
            if value is None or not side or its_side:
                continue
            if other is None:
                assert high < at
            else:
                beyond = other > value if side == "above" else other < value
                assert (low <= at <= high) == beyond


@given(some_censored, goals)
def test_two_censored_results_share_a_rank_where_they_may_be_equal(results: list[Said], goal: Goal) -> None:
    """Above 10 and below 20 may be equal, above 20 and below 10 may not, whether a value lies between or not."""
    found = order(Problem((ANGLE,), goal=goal), evaluations(results))
    spans = list(zip(found.low, found.high, strict=True))
    for (value, side), (low, high) in zip(results, spans, strict=True):
        for (other, its_side), (at, to) in zip(results, spans, strict=True):
            if side == "above" and its_side == "below":
                assert value is not None
                assert other is not None
                assert (max(low, at) <= min(high, to)) == (value < other)
            elif side and side == its_side:
                assert max(low, at) <= min(high, to)


@pytest.mark.slow
@given(some_censored)
def test_no_rank_is_without_a_result(results: list[Said]) -> None:
    """Each rank is some result's only one, or several censored ones may have it; they begin at 0."""
    found = order(Problem((ANGLE,)), evaluations(results))
    covered = {k for low, high in zip(found.low, found.high, strict=True) for k in range(low, high + 1)}
    assert covered == set(range(len(covered)))


@pytest.mark.parametrize(
    ("goal", "texts", "expected"),
    [
        ("minimize", ["3", ">5", "7", None], [0, 1, 1, 2]),
        ("minimize", ["3", "<5", "7"], [0, 0, 1]),
        ("maximize", ["3", ">5", "7"], [1, 0, 0]),
        ("minimize", ["3", ">9", "7"], [0, 2, 1]),
        ("minimize", ["3", "<1"], [1, 0]),
    ],
)
def test_one_rank_is_the_one_at_the_limit(goal: Goal, texts: list[str | None], expected: list[int]) -> None:
    """A result that has to be called by one rank has that of the first known result beyond its limit."""
    sides: dict[str, Censored] = {">": "above", "<": "below"}
    results: list[Said] = [
        (None if text is None else Decimal(text.lstrip("<>")), sides.get((text or " ")[0], "")) for text in texts
    ]
    assert ranks(Problem((ANGLE,), goal=goal), evaluations(results)) == expected
