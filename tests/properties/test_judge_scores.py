"""Scores of judges, whatever they are: only the order of each one's own counts."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import MOST_COMPARISONS, PRESETS
from ordbo_cli.problem.sample_ranking import ranking_pairs, score_groups, score_pairs, thinned_ranking
from ordbo_cli.search.step import propose
from ordbo_cli.study.optimizer import Optimizer

QUICK = replace(PRESETS["default"], initial=2, iterations=5)
PROBLEM = Problem((Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)), method=QUICK)
POINTS = tuple((k / 7, (3 * k % 8) / 7) for k in range(8))
SCORES = st.dictionaries(st.sampled_from(POINTS), st.integers(0, 5), min_size=1)
STEPS = st.lists(st.integers(1, 10**6), min_size=6, max_size=6)


@settings(max_examples=40)
@given(st.lists(SCORES, min_size=1, max_size=3), st.integers(0, 2), STEPS)
def test_no_increasing_transform_of_a_judge_changes_a_point(
    panel: list[dict[tuple[float, float], int]], which: int, steps: list[int]
) -> None:
    """Nor anything that the model learns, to the last bit; the other judges' scores stay as they are."""

    def told(image: list[int]) -> Optimizer:
        optimizer = Optimizer(PROBLEM)
        for k, scores in enumerate(panel):
            for point, score in scores.items():
                optimizer.tell(point, image[score] if k == which % len(panel) else score, judge=f"judge {k}")
        return optimizer

    plain, other = told([0, 1, 2, 3, 4, 5]), told([sum(steps[: k + 1]) for k in range(6)])
    assert other.comparisons == plain.comparisons
    first, second = propose(plain.step_input()), propose(other.step_input())
    assert (second.values, second.fit) == (first.values, first.fit)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=80), st.integers(1, 400))
def test_a_long_ranking_is_thinned_by_places_alone(scores: list[int], most: int) -> None:
    """To so many pairs at most, of which all others of these samples follow; with the bits of their order."""
    groups = score_groups({k: Decimal(score) for k, score in enumerate(scores)}, largest_first=True)
    pairs, weight = thinned_ranking(groups, most)
    assert 1 <= len(pairs) <= most
    assert set(pairs) <= set(ranking_pairs(groups))
    place = {sample: k for k, group in enumerate(groups) for sample in group}
    flat = [sample for group in groups for sample in group]
    kept = sorted({sample for pair in pairs for sample in pair[:2]}, key=flat.index)
    assert all((one, other, place[one] == place[other]) in pairs for one, other in pairwise(kept))
    assert len(kept) == min(len(flat), most + 1)
    assert weight * len(pairs) * math.log(2) == pytest.approx(math.lgamma(len(kept) + 1))
    if len(flat) * (len(flat) - 1) // 2 <= most:
        assert pairs == ranking_pairs(groups)


@given(st.lists(st.integers(1, 200), min_size=1, max_size=6), st.integers(0, 2000))
def test_all_judges_are_heard(sizes: list[int], others: int) -> None:
    """However many scores there are; together they say no more than the model sees, and equal ones equally much."""
    rankings = {f"judge {k}": [[sample] for sample in range(size)] for k, size in enumerate(sizes)}
    found = score_pairs(rankings, others)
    assert len(found) <= max(MOST_COMPARISONS // 2, MOST_COMPARISONS - others)
    counts = {judge: sum(each[0] == judge for each in found) for judge in rankings}
    assert all(counts[f"judge {k}"] > 0 for k, size in enumerate(sizes) if size > 1)
    short = [counts[f"judge {k}"] for k, size in enumerate(sizes) if math.comb(size, 2) <= 250 // len(sizes)]
    assert short == [math.comb(size, 2) for size in sizes if math.comb(size, 2) <= 250 // len(sizes)]
