"""Ranks and which differences are real: Demšar's example, exact distributions, groups worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f, wilcoxon

from ordbo_cli.benchmark.scoring.rankings import (
    MethodRanking,
    critical_difference,
    friedman,
    holm,
    rankings,
    signed_rank,
)
from ordbo_cli.benchmark.scoring.results import Results
from ordbo_cli.benchmark.scoring.scores import group_standings
from ordbo_cli.ordinal.linalg import Array

# Demšar (2006), Table 6: areas under the curve of C4.5, with m, with cf, with both, on fourteen data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def results_of(table: Array, *, seeds: int = 1) -> Results:
    """Return results in which the methods have these final regrets on these problems, on every seed."""
    regrets = {
        (f"p{i}", f"m{j}"): np.tile([9.0, 9.0, 9.0, value], (seeds, 1))
        for i, row in enumerate(table)
        for j, value in enumerate(row)
    }
    return Results(regrets, 2, {}, dict.fromkeys((f"p{i}" for i in range(len(table))), 1e-8), (4,))


def test_a_mean_rank_is_one_number() -> None:
    """A method's in the order of all methods is that of its row for all problems, to the last digit."""
    rng = np.random.default_rng(0)
    regrets = {(f"p{i}", f"m{j}"): rng.random((10, 4)) for i in range(10) for j in range(16)}
    found = Results(regrets, 2, {}, {}, (4,))
    cumulative, simple = rankings(found)
    for row in group_standings(found):
        assert (row.cumulative_rank, row.simple_rank) == (cumulative.ranks[row.method], simple.ranks[row.method])


def test_the_example_of_demsar() -> None:
    """His mean ranks 3.143, 2.000, 2.893, 1.964; his chi-square 9.28, corrected for ties; his difference 1.25."""
    _, simple = rankings(results_of(1.001 - DEMSAR))
    assert [round(simple.ranks[f"m{j}"], 3) for j in range(4)] == [3.143, 2.000, 2.893, 1.964]
    assert list(simple.ranks) == ["m3", "m1", "m2", "m0"]
    chi2 = 9.28 / (1 - (6 + 6 + 60 + 6) / (14 * 4 * (4**2 - 1)))  # three ties of two, one of four
    assert simple.friedman == pytest.approx(f.sf(13 * chi2 / (14 * 3 - chi2), 3, 3 * 13), rel=2e-3)
    assert simple.critical_difference == pytest.approx(1.25, abs=5e-3)


@pytest.mark.parametrize(("methods", "quantile"), [(3, 2.343), (5, 2.728), (10, 3.164)])
def test_quantiles_of_nemenyi(methods: int, quantile: float) -> None:
    """Those of Demšar's Table 5."""
    scale = np.sqrt(methods * (methods + 1) / 60)
    assert critical_difference(methods, 10) == pytest.approx(quantile * scale, abs=1e-3)


def test_signed_ranks_are_exact() -> None:
    """SciPy's p-value where there are no ties; with ties the share of choices of signs, not the normal one."""
    source = np.random.default_rng(0)
    for size in (3, 8, 20):
        x = source.normal(0.4, 1.0, size)
        assert signed_rank(x) == pytest.approx(wilcoxon(x, method="exact").pvalue)
    assert signed_rank(np.full(5, 0.5)) == 2 / 32
    assert signed_rank(np.array([0.5, 0.5, 0.5, 0.5, -0.5])) == 2 * 6 / 32
    assert signed_rank(np.array([0.5, 0.5, 0.0, -0.1])) == 2 * 2 / 8  # ranks 2.5, 2.5, 1: sums of 5 and 6
    assert signed_rank(np.zeros(4)) == 1.0


def test_holm_by_hand() -> None:
    """The smallest counts for all, the next for one less, none below the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_friedman_needs_something_to_rank() -> None:
    """Two methods have no such test, nor has a tie everywhere; the same order everywhere is certain."""
    assert friedman(np.ones((5, 2))) is None
    assert friedman(np.ones((5, 3))) is None
    assert friedman(np.tile([1.0, 2.0, 3.0], (5, 1))) == 0.0


def test_many_seeds_make_no_problem() -> None:
    """Five problems tell nothing apart, however many seeds; six tell two methods, as the words have it."""
    for problems, alike in ((5, ["m1"]), (6, [])):
        ahead = rankings(results_of(np.tile([1.0, 2.0], (problems, 1)), seeds=50))[1]
        assert ahead.alike["m0"] == alike
        assert ahead.fewest == 6
        assert ahead.critical_difference is None


def test_a_pair_does_not_depend_on_the_others() -> None:
    """Two methods are told apart, or not, as they are alone: by who was ahead and not by mean ranks among all."""
    table = np.array([[1.0, 2.0 + 0.1 * i] for i in range(12)])
    table[:4] = table[:4, ::-1]
    alone = rankings(results_of(table))[1]
    between = np.column_stack([table, np.tile([1.5], (12, 1))])
    assert alone.alike["m0"] == ["m1"]
    assert "m1" in rankings(results_of(between))[1].alike["m0"]


def test_groups_are_the_longest_runs_without_a_difference() -> None:
    """Neighbours of which no two are told apart; a run inside another one is none of its own."""
    ranks = dict.fromkeys("abcd", 1.0)
    alike = {"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c"]}
    assert MethodRanking("simple", 9, 9, ranks, alike, None, None).groups == [("a", "b"), ("b", "c"), ("c", "d")]
    alike = {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"], "d": []}
    assert MethodRanking("simple", 9, 9, ranks, alike, None, None).groups == [("a", "b", "c")]


def test_one_problem_or_method_has_no_ranking() -> None:
    """There is nothing to draw by chance."""
    assert rankings(results_of(np.ones((1, 3)))) == []
    assert rankings(results_of(np.ones((3, 1)))) == []
