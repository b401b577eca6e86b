"""Explanations in sentences."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.search.step_record import Aim, Explanation, RunnerUp, StepRecord, Weighing
from ordbo_cli.study.asking.explaining import explained, ranked, with_lines

PROBLEM = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int")), "drag")
ROWS = [Evaluation((float(k), 3 + k), Decimal(k)) for k in range(6)]
SECOND = RunnerUp(((7.25, 12.0), (3.0, 9.0)), value=-1.62)
WEIGHTS = (
    Weighing(1, 12, 1, 0.611, line=2),
    Weighing(4, None, 22, -0.22, line=5, results=3),
    Weighing(5, 9, 31, 0.1, line=6, failed=True),
)
REASONS = Explanation(
    aim="exploit",
    sd_left=0.31,
    weights=WEIGHTS,
    expected_rank=2.34,
    distinct_results=31,
    chance_to_beat_best=0.344,
    acquisition="lcb",
    value=-1.844,
    runner_up=SECOND,
)
RECORD = StepRecord("acquire", ((1.0, 4.0), (5.0, 9.0)), mean=-1.21, sd=0.31, explanation=REASONS)


def lines(**changes: Any) -> list[str]:
    """Return the sentences where some of the reasons are others."""
    return list(explained(PROBLEM, ROWS, 17, replace(RECORD, explanation=replace(REASONS, **changes))))


def test_four_lines() -> None:
    """The cell, the comparison, the weights and what is expected; results without an id are called by their line."""
    assert lines() == [
        "17: exploits the cell between the second best (1) and 4 of angle, above the third best of blades (5)",
        "    lcb -1.84 (mean -1.21, sd 0.31 of the prior's 1), runner-up -1.62: above 7.25 of angle, any blades",
        "    weighs on it: id 12 (best, 0.61), line 5 and 2 more at its point (22nd, -0.22), id 9 (failed, 0.10)",
        "    expected rank 2.3 of 31, chance to beat the best 34%",
    ]


def test_the_chance_to_fail_is_told_where_there_is_one() -> None:
    """After the chance to beat the best."""
    assert lines(chance_to_fail=0.0725)[-1] == "    expected rank 2.3 of 31, chance to beat the best 34%, to fail 7%"


@pytest.mark.parametrize(
    ("aim", "words"),
    [
        ("explore", "17: explores the cell between"),
        ("largest", "17: takes the turn to explore the largest cell: between"),
        ("spread", "17: goes into the largest cell, as a result is awaited in every one: between"),
        ("covering", "17: goes where most of the feasible set is far from every point, into the cell between"),
    ],
)
def test_aims(aim: Aim, words: str) -> None:
    """Each has its own verb."""
    assert lines(aim=aim)[0].startswith(words)


def test_comparisons() -> None:
    """Values that look alike get digits; the last open cell has no runner-up; shares; nothing to compare."""
    near = replace(SECOND, cell=((1.0, 4.0), (3.0, 5.0)))
    assert lines(runner_up=replace(near, value=-1.8438))[1].endswith(
        "runner-up -1.8438: the same but below the third best of blades (5)"
    )
    assert "lcb -1.8440" in lines(runner_up=replace(near, value=-1.8438))[1]
    assert "runner-up as good to four decimals: the same but" in lines(runner_up=replace(near, value=-1.84401))[1]
    assert lines(runner_up=None)[1].endswith("of the prior's 1), no other cell is open")
    ei = lines(acquisition="ei", value=-1.62, runner_up=replace(SECOND, value=-1.844))[1]
    assert ei.startswith("    logarithm of the expected improvement -1.62 (")
    assert "runner-up -1.84: " in ei
    shared = lines(acquisition="thompson", share=0.23, value=None, runner_up=RunnerUp(near.cell, share=0.18))[1]
    assert shared.startswith(
        "    holds the minimum of 23% of samples (mean -1.21, sd 0.31 of the prior's 1), runner-up 18%: "
    )
    assert lines(acquisition="thompson", value=None, share=1.0, runner_up=None)[1].endswith("no other cell is open")
    told = explained(PROBLEM, ROWS, 1, replace(RECORD, explanation=Explanation("exploit")))
    assert told[1:] == ("    mean -1.21, sd 0.31 of the prior's 1",)


def test_no_runner_up_beats_the_choice() -> None:
    """One that does is not named: the reason is said instead. As good to four decimals is no better."""
    missed = "no runner-up: a second search, from other random places, has found a better cell"
    for acquisition, value in (("lcb", -2.1), ("ei", -1.62)):
        line = lines(acquisition=acquisition, runner_up=replace(SECOND, value=value))[1]
        assert line.endswith(f"(mean -1.21, sd 0.31 of the prior's 1), {missed}")
    assert "runner-up as good to four decimals" in lines(runner_up=replace(SECOND, value=-1.844001))[1]
    drawn = lines(acquisition="thompson", share=0.06, value=None, runner_up=RunnerUp(SECOND.cell, share=0.41))[1]
    assert drawn.endswith(
        "of the prior's 1), one of which was drawn at random; no runner-up, as another cell holds 41%"
    )
    alike = lines(acquisition="thompson", share=0.41, value=None, runner_up=RunnerUp(SECOND.cell, share=0.41))[1]
    assert "runner-up 41%: " in alike


def test_points_without_a_model() -> None:
    """The initial design, a point that is handed out again, and one that was chosen before anybody asked."""
    corner = StepRecord("initial", explanation=Explanation("corner", place=2, of=5))
    assert explained(PROBLEM, [], 2, corner) == ("2: is point 2 of 5 of the initial design, a corner of the box",)
    filling = StepRecord("initial", explanation=Explanation("filling", place=3, of=5))
    assert explained(PROBLEM, [], 3, filling)[0].endswith("3 of 5 of the initial design, far from the points before it")
    assert explained(PROBLEM, [], 4, None) == ("4: is handed out again, as it is to be evaluated once more",)
    assert explained(PROBLEM, [], 5, StepRecord("acquire")) == ("5: nothing is known of why it was chosen",)


def test_ranks_as_people_write_them() -> None:
    """With the teens."""
    assert [ranked(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111)] == [
        "best", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "111th",
    ]  # fmt: skip


def test_lines_of_results() -> None:
    """They come to the places; a record without weights stays as it is."""
    bare = replace(REASONS, weights=tuple(replace(each, line=None) for each in WEIGHTS))
    told = with_lines(replace(RECORD, explanation=bare), [2, 3, 4, 6, 9]).explanation
    assert told is not None
    assert [each.line for each in told.weights] == [2, 6, 9]
    for record in (StepRecord("initial"), StepRecord("initial", explanation=Explanation("corner"))):
        assert with_lines(record, []) == record
