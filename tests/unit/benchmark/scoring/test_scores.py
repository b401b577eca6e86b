"""Figures of merit on records made by hand, whose figures are worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.scoring.results import Results, results
from ordbo_cli.benchmark.scoring.scores import MethodStanding, group_standings, ratio, standings
from ordbo_cli.benchmark.suites.suite import GROUPS

# Two initial evaluations and two more, by seed; the initial ones are common to all methods.
BOWL = {
    "vanilla": [[9.0, 8.0, 4.0, 2.0], [9.0, 7.0, 6.0, 8.0]],  # cumulative 6, 14; simple 2, 6
    "mine": [[9.0, 8.0, 1.0, 1.0], [9.0, 7.0, 1.0, 7.0]],  # cumulative 2, 8; simple 1, 1
    "lazy": [[9.0, 8.0, 9.0, 9.0], [9.0, 7.0, 9.0, 9.0]],  # cumulative 18, 18; simple 8, 7
}
CLIFF = {
    "vanilla": [[5.0, 5.0, 1.0, 1.0], [5.0, 5.0, 1.0, 1.0]],  # cumulative 2, 2; simple 1, 1
    "mine": [[5.0, 5.0, 4.0, 4.0], [5.0, 5.0, 4.0, 4.0]],  # cumulative 8, 8; simple 4, 4
    "lazy": [[5.0, 5.0, 1.0, 1.0], [5.0, 5.0, 1.0, 1.0]],  # as vanilla
}


def runs_of(tables: Mapping[str, Mapping[str, Sequence[Sequence[float]]]]) -> dict[RunKey, tuple[RunRecord, ...]]:
    runs = {}
    for problem, table in tables.items():
        for method, rows in table.items():
            for seed, row in enumerate(rows):
                key = RunKey(problem, method, seed, 2, 4)
                runs[key] = tuple(RunRecord(key, n, (0.0,), None, regret) for n, regret in enumerate(row, 1))
    return runs


@pytest.fixture
def found() -> Results:
    timings = {RunKey("bowl", "mine", seed, 2, 4): (1.0 + seed, 6.0) for seed in (0, 1)}
    return results(runs_of({"bowl": BOWL, "cliff": CLIFF}), timings)


def row(rows: Sequence[MethodStanding], subject: str, method: str) -> MethodStanding:
    (one,) = (each for each in rows if (each.subject, each.method) == (subject, method))
    return one


def test_figures_of_one_problem(found: Results) -> None:
    """Cumulative: the mean of 2 and 8 by that of 6 and 14. Simple: initial points count, means are geometric."""
    mine = row(standings(found), "bowl", "mine")
    assert mine.cumulative == 5.0
    assert mine.simple == {3: 1.0, 4: 1.0}
    assert mine.cumulative_ratio is not None
    assert mine.cumulative_ratio.value == pytest.approx(0.5)
    assert mine.simple_ratio is not None
    assert mine.simple_ratio.value == pytest.approx(1 / math.sqrt(12))
    assert mine.seconds == 4.0  # the median of 1, 6, 2, 6
    lazy = row(standings(found), "bowl", "lazy")
    assert lazy.simple is not None
    assert dict(lazy.simple) == pytest.approx({3: math.sqrt(56), 4: math.sqrt(56)})
    assert lazy.seconds is None


def test_figures_of_all_problems(found: Results) -> None:
    """The geometric mean over problems of 1/2 and 4; there is no absolute figure of several problems."""
    mine = row(group_standings(found), "all", "mine")
    assert mine.cumulative is None
    assert mine.simple is None
    assert mine.cumulative_ratio is not None
    assert mine.cumulative_ratio.value == pytest.approx(math.sqrt(0.5 * 4))
    assert mine.simple_ratio is not None
    assert mine.simple_ratio.value == pytest.approx(math.sqrt(4 / math.sqrt(12)))


def test_ranks(found: Results) -> None:
    """Ranks of each problem and seed, equals sharing one, averaged over seeds and problems."""
    assert [row(standings(found), "bowl", m).cumulative_rank for m in found.methods] == [2.0, 1.0, 3.0]
    assert [row(standings(found), "cliff", m).simple_rank for m in found.methods] == [1.5, 3.0, 1.5]
    assert [row(group_standings(found), "all", m).simple_rank for m in found.methods] == [1.75, 2.0, 2.25]


def test_budgets_are_experiments_of_their_own() -> None:
    """At each budget the figures are those of runs that ended there, ratios, ranks and times included."""
    timings = {RunKey("bowl", "mine", seed, 2, 4): (1.0 + seed, 6.0) for seed in (0, 1)}
    both = results(runs_of({"bowl": BOWL}), timings, budgets=(3, 4))
    early, late = (row([one for one in standings(both) if one.budget == n], "bowl", "mine") for n in (3, 4))
    assert (early.cumulative, early.simple, early.seconds) == (1.0, {3: 1.0}, 1.5)
    assert early.cumulative_ratio is not None
    assert early.cumulative_ratio.value == pytest.approx(1 / 5)
    assert [each.cumulative_rank for each in standings(both)[:3]] == [2.0, 1.0, 3.0]
    assert (late.cumulative, late.simple, late.seconds) == (5.0, {4: 1.0}, 4.0)
    assert [one.budget for one in group_standings(results(runs_of({"a": BOWL, "b": BOWL}), {}, budgets=(3, 4)))] == [
        *[3] * 3,
        *[4] * 3,
    ]


def test_slow_steps_show() -> None:
    """Beside the median stands the upper decile."""
    timings = {RunKey("bowl", "mine", seed, 2, 4): (1.0, 2.0 + 9.0 * seed) for seed in (0, 1)}
    mine = row(standings(results(runs_of({"bowl": BOWL}), timings)), "bowl", "mine")
    assert (mine.seconds, mine.seconds_90) == pytest.approx((1.5, 2.0 + 9.0 * 0.7))


def test_a_problem_of_the_suite_has_its_precision() -> None:
    """It is what no regret is below; that of a simulator whose optimum nobody knows is a share of the best gain."""
    named = results(runs_of({"many_steps_2d": BOWL, "bowl": BOWL}), {})
    assert named.precision == {"many_steps_2d": 0.25, "bowl": 1e-8}


def test_a_distorted_problem_has_the_precision_of_the_problem_as_it_is() -> None:
    """Its regret is that of the problem as it is, not of what the method is told."""
    named = results(runs_of({"many_steps_2d@log": BOWL, "hartmann_4d@log@units": BOWL}), {})
    assert named.precision == {"many_steps_2d@log": 0.25, "hartmann_4d@log@units": 1e-8}


def test_intervals_are_paired() -> None:
    """Where the method's figure is a constant share of vanilla's on every seed, so is it in every sample."""
    theirs = np.array([1.0, 10.0, 1000.0])
    for geometric in (False, True):
        same = ratio([(theirs / 4, theirs)], geometric=geometric)
        assert (same.value, same.low, same.high) == pytest.approx((0.25, 0.25, 0.25))
    loose = ratio([(np.array([1.0, 4.0]), np.array([1.0, 1.0]))], geometric=True)
    assert (loose.value, loose.low, loose.high) == pytest.approx((2.0, 1.0, 4.0))


def test_the_strongest_baseline(found: Results) -> None:
    """It has the lowest geometric mean over the problems of the mean cumulative regret; the first of equals."""
    totals = {m: math.prod(found.cumulative(p, m).mean() for p in found.problems) for m in found.methods}
    assert found.with_strongest(found.methods).baseline == min(totals, key=totals.__getitem__)
    assert found.with_strongest(["lazy", "vanilla"]).baseline == "vanilla"
    assert found.with_strongest(["lazy"]).baseline == "lazy"
    assert found.baseline == "vanilla"


def test_without_vanilla_there_are_no_ratios() -> None:
    """The absolute figures and the ranks stand alone."""
    alone = results(runs_of({"bowl": {"mine": BOWL["mine"]}}), {})
    (mine,) = standings(alone)
    assert (mine.cumulative, mine.cumulative_ratio, mine.simple_ratio, mine.simple_rank) == (5.0, None, None, 1.0)
    assert group_standings(alone) == []


def test_groups_that_are_complete_are_shown() -> None:
    """The paper's five give two lines a method: all five once and not twice, and the challenging four."""
    paper = ["step_1d", "many_steps_2d", "bent_cigar_2d", "different_powers_2d", "hartmann_4d"]
    shown = group_standings(results(runs_of(dict.fromkeys(paper, BOWL)), {}))
    assert list(dict.fromkeys(one.subject for one in shown)) == ["paper", "challenging"]
    shown = group_standings(results(runs_of(dict.fromkeys(paper[:4], BOWL)), {}))
    assert {one.subject for one in shown} == {"challenging"}


def test_whatever_group_is_named_has_a_row_of_its_name() -> None:
    """Named alone, none is taken for "all"; the group that two halves make up has both of them beside it."""
    for group, names in GROUPS.items():
        if group.startswith("fronts"):  # which have figures of their own
            continue
        shown = {row.subject for row in group_standings(results(runs_of(dict.fromkeys(names, BOWL)), {}))}
        halves = {half for half in GROUPS if half in (f"{group}-tune", f"{group}-unseen")}
        assert {group, *halves} <= shown, group
    wide = group_standings(results(runs_of(dict.fromkeys(GROUPS["wide"], BOWL)), {}))
    assert list(dict.fromkeys(row.subject for row in wide)) == ["wide", "tune", "unseen"]


def test_regret_of_a_simulator_counts_from_the_best_seen() -> None:
    """The best of all runs is the optimum, a failure the worst seen, the floor a thousandth of the best gain."""
    runs = {}
    for method, row_ in (("vanilla", (8.0, None, 4.0, 9.0)), ("mine", (8.0, None, 3.0, -2.0))):
        key = RunKey("sim", method, 0, 2, 4)
        runs[key] = tuple(RunRecord(key, n, (0.0,), y, None) for n, y in enumerate(row_, 1))
    found = results(runs, {})
    np.testing.assert_allclose(found.regrets["sim", "vanilla"], [[10.0, 11.0, 6.0, 11.0]])
    np.testing.assert_allclose(found.regrets["sim", "mine"], [[10.0, 11.0, 5.0, 0.01]])


@pytest.mark.filterwarnings("error")
def test_the_largest_doubles_have_figures() -> None:
    """Where differences and sums of a simulator's results overflow, ranks and ratios are numbers all the same."""
    runs = {}
    for method, row_ in (
        ("vanilla", (1.7e308, 1.7e308, 1.0, 1.7e308)),
        ("mine", (1.7e308, 1.7e308, 1.6e308, -1.7e308)),
    ):
        key = RunKey("sim", method, 0, 2, 4)
        runs[key] = tuple(RunRecord(key, n, (0.0,), y, None) for n, y in enumerate(row_, 1))
    mine = row(standings(results(runs, {})), "sim", "mine")
    assert mine.cumulative_ratio is not None
    assert np.isfinite(mine.cumulative_ratio.value)
    assert mine.simple_ratio is not None
    assert mine.simple_ratio.value < 0.01
