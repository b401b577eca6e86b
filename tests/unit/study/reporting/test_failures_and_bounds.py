"""Points on a bound, and what failed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ordbo_cli.study.reporting.entries import status_entries
from ordbo_cli.study.reporting.views import Side
from ordbo_cli.study.study import Study

HEAD = "id,angle,blades,span,drag,status\n"


def test_points_on_a_bound(study: Study, csv: Callable[[str], Path]) -> None:
    """A corner counts once; failures count, what lies outside, is set aside, or is out does not."""
    csv(
        f"{HEAD}1,0,3,2,9,ok\n2,12,9,2,8,ok\n3,5,9,2,1,ok\n4,6,9,2,2,ok\n5,6,5,2,,failed\n6,0,4,2,,failed\n"
        "7,13,9,2,0,ok\n8,0,3,1,0,ok\n9,12,4,2,,pending\n10,12,4,2,,abandoned\n11,7,6,2,7,ok\n"
    )
    found = study.status().on_bound
    assert (found.points, found.evaluated, found.best) == (5, 7, 5)
    assert found.sides == (Side("angle", 2, 1, 1, 1), Side("blades", 1, 3, 1, 3))
    assert found.crowded == (("blades", "upper", 3),)


def test_few_results_give_no_hint(study: Study, csv: Callable[[str], Path]) -> None:
    """Two results on a bound are no crowd, and before any there is nothing to count."""
    assert study.status().on_bound.points == 0
    csv(f"{HEAD}1,0,3,2,9,ok\n2,0,9,2,8,ok\n")
    found = study.status().on_bound
    assert (found.points, found.best, found.crowded) == (2, 0, ())


def test_the_bounds_are_the_values_that_can_be_suggested(study: Study, csv: Callable[[str], Path]) -> None:
    """With a step that does not reach the maximum, the last value counts; of two values neither does."""
    study.problem_path.write_text(
        "objective: {name: drag, goal: minimize}\n"
        "parameters: {angle: {min: 0, max: 1, step: 0.3}, blades: {type: int, min: 0, max: 1}}\n"
    )
    csv("angle,blades,drag\n0.9,1,1\n0.3,0,2\n0.6,1,3\n")
    found = Study.open(study.problem_path).status().on_bound
    assert found.sides == (Side("angle", 0, 1, 0, 1),)
    assert (found.points, found.evaluated) == (1, 3)


def test_the_newest_failures(study: Study, csv: Callable[[str], Path]) -> None:
    """Five at most, the newest first, with the folder of the last attempt where ordbo run kept one."""
    csv(HEAD + "".join(f"{k},{k},4,{2 if k < 7 else 3},,failed\n" for k in range(1, 8)) + "8,1,3,2,5,ok\n,2,3,2,nan,\n")
    runs = study.problem_path.with_suffix(".runs")
    for name in ("6", "6-2", "6-4", "5.old", "4"):
        (runs / name).mkdir(parents=True)
    status = study.status()
    assert status.failed == 8
    assert [each.id for each in status.failures] == [9, 7, 6, 5, 4]
    assert [each.line for each in status.failures] == [10, 8, 7, 6, 5]
    assert [each.folder for each in status.failures] == [None, None, str(runs / "6-2"), None, str(runs / "4")]
    assert status.failures[1].parameters == {"angle": 7.0, "blades": 4, "span": 3.0}


def test_they_are_entries_too(study: Study, csv: Callable[[str], Path]) -> None:
    """What programs read holds the same facts."""
    csv(f"{HEAD}1,0,3,2,9,ok\n2,6,9,2,,failed\n")
    entries = status_entries(study, study.status())
    assert entries["on_bound"] == {
        "points": 2,
        "evaluated": 2,
        "best_results": 0,
        "parameters": {
            "angle": {"lower": 1, "upper": 0, "best_lower": 0, "best_upper": 0},
            "blades": {"lower": 1, "upper": 1, "best_lower": 0, "best_upper": 0},
        },
    }
    assert entries["failures"] == [
        {"id": 2, "parameters": {"angle": 6.0, "blades": 9, "span": 2.0}, "line": 3, "folder": None}
    ]
    assert entries["next"] == {
        "words": "point 3 of 5 of the initial design", "kind": "initial", "id": None, "cell": None, "error": None,
    }  # fmt: skip
