"""Rankings of samples: their pairs, what each counts, and what is none."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, product

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.sample_ranking import groups_of, judge_name, ranking_pairs, ranking_weight, ranking_words


def rankings(number: int) -> list[list[list[int]]]:
    """Return the ranking of samples in their order with ties at every choice of places."""
    found = []
    for tied in product((False, True), repeat=number - 1):
        groups = [[1]]
        for sample, with_last in enumerate(tied, 2):
            groups = [*groups[:-1], [*groups[-1], sample]] if with_last else [*groups, [sample]]
        found.append(groups)
    return found


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_every_pair_is_said_once(number: int) -> None:
    """By brute force, wherever ties are: the one in the earlier group is better, and those of one group are tied."""
    assert len(rankings(number)) == 2 ** (number - 1)
    for groups in rankings(number):
        place = {sample: k for k, group in enumerate(groups) for sample in group}
        pairs = ranking_pairs(groups)
        assert sorted(tuple(sorted(pair[:2])) for pair in pairs) == list(combinations(range(1, number + 1), 2))
        for better, worse, tie in pairs:
            assert tie == (place[better] == place[worse])
            assert place[better] <= place[worse]


def test_neighbours_come_last() -> None:
    """Where only the newest pairs are kept, the others follow from these."""
    flat = [4, 7, 2, 9]
    assert [pair[:2] for pair in ranking_pairs([[4], [7, 2], [9]])][-3:] == list(pairwise(flat))
    assert ranking_pairs([[4], [7, 2], [9]])[0] == (4, 9, False)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 40, 500])
def test_a_ranking_weighs_as_many_bits_as_its_order_has(number: int) -> None:
    """All pairs together count log2 of the number of orders."""
    bits = sum(math.log2(k) for k in range(2, number + 1))
    assert ranking_weight(number) * number * (number - 1) / 2 == pytest.approx(bits)


def test_two_samples_are_one_answer() -> None:
    """To the last digit, so that a ranking of two is a comparison."""
    assert ranking_weight(2) == 1.0


def test_groups_may_be_ids_alone() -> None:
    """As Python writes a ranking most shortly."""
    assert groups_of([4, [7, 2], 9]) == groups_of([[4], (7, 2), [9]]) == ((4,), (7, 2), (9,))
    assert ranking_words(groups_of([4, [7, 2], 9])) == "4 over 7=2 over 9"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "a ranking of fewer than two points"),
        ([4], "a ranking of fewer than two points"),
        ([4, 4], "4 stands in the ranking twice"),
        ([4, [7, 4]], "4 stands in the ranking twice"),
        ([4, [], 7], "a group of the ranking is empty"),
    ],
)
def test_what_is_no_ranking(given: list[int | list[int]], message: str) -> None:
    """It is refused in words."""
    with pytest.raises(UsageError, match=message):
        groups_of(given)


def test_names_of_judges() -> None:
    """Blanks around one are none of it; what a table could not show is no name."""
    assert (judge_name(None), judge_name(" Anna B. ")) == ("", "Anna B.")
    for wrong in ("", "  ", "a\nb", "a\x07", "x" * 101):
        with pytest.raises(UsageError, match="is no name of a judge"):
            judge_name(wrong)
