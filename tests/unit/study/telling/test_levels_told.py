"""Levels, conditions and words of results in what is asked, told, written and shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, ManyErrors, UsageError
from ordbo_cli.problem import Number
from ordbo_cli.study.study import Study
from tests.stand_in import Proposed, step_module

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  solver: {type: categorical, values: [gmres, cg, "a, b"]}
  span: {value: 2.0}
  mesh: {type: ordinal, values: [coarse, medium, very fine]}
  cores: {type: ordinal, values: [1, 2, 4]}
  restart: {type: int, min: 10, max: 50, when: {solver: gmres}}
  limiter: {type: bool, when: {solver: [gmres, cg]}}
"""
GRADES = """\
version: 1
objective: {name: grade, goal: maximize, values: [poor, fair, good]}
parameters:
  x: {min: 0, max: 1}
"""
HEADER = "id,solver,span,mesh,cores,restart,limiter,drag,status\n"
POINTS: list[tuple[Number, ...]] = [(0, 2, 1, 30, 1), (1, 0, 0, 10, 0), (2, 1, 2, 10, 0), (2, 1, 1, 44, 1)]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study whose search proposes the points above one after the other."""
    points: Iterator[tuple[Number, ...]] = iter(POINTS)

    def propose(*_: Any, **__: Any) -> Proposed:
        return Proposed(next(points), {})

    monkeypatch.setitem(sys.modules, "ordbo_cli.search.step", step_module(propose))
    return written(tmp_path, PROBLEM)


def written(folder: Path, problem: str) -> Study:
    (folder / "p.yaml").write_text(problem)
    return Study.open(folder / "p.yaml", lock_timeout=5)


def lines(study: Study) -> list[str]:
    return study.evaluations_path.read_text().splitlines()


def test_suggestions_hold_levels_and_what_counts(study: Study) -> None:
    """Rows have empty cells for the rest; a row by hand closes a point, whatever stands in what does not count."""
    asked = study.ask_batch(4, append=True)
    fixed = {"span": 2.0}
    assert [point.parameters for point in asked] == [
        {"solver": "gmres", **fixed, "mesh": "very fine", "cores": 2, "restart": 30, "limiter": True},
        {"solver": "cg", **fixed, "mesh": "coarse", "cores": 1, "limiter": False},
        {"solver": "a, b", **fixed, "mesh": "medium", "cores": 4},
        {"solver": "a, b", **fixed, "mesh": "medium", "cores": 2},
    ]
    assert [point.values for point in asked][-1] == (2, 1, 1, 10, 0)  # what does not count is as low as can be
    assert lines(study)[1:] == [
        "1,gmres,2.0,very fine,2,30,true,,pending",
        "2,cg,2.0,coarse,1,,false,,pending",
        '3,"a, b",2.0,medium,4,,,,pending',
        '4,"a, b",2.0,medium,2,,,,pending',
    ]
    study.evaluations_path.write_text("\n".join(lines(study)) + '\n,"a, b",2,medium,4.0,77,what,0.5,\n')
    status = study.status()
    assert (status.ok, status.pending, status.warnings) == (1, 3, ())
    assert status.best is not None
    assert status.best.id == 3


def test_a_state_keeps_levels(study: Study) -> None:
    """Without rows in the evaluations, too; one for which the problem has no place is named."""
    study.ask_batch(2)
    content = json.loads(study.state_path.read_text())
    assert [each["parameters"]["solver"] for each in content["pending"]] == ["gmres", "cg"]
    assert "restart" not in content["pending"][1]["parameters"]
    assert [point.parameters["mesh"] for point in study.status().waiting] == ["very fine", "coarse"]
    study.tell(0.5, id=1)
    assert lines(study)[1] == "1,gmres,2.0,very fine,2,30,true,0.5,ok"
    for name, value in (("mesh", "fine"), ("mesh", 1), ("limiter", None)):
        parameters = {**content["pending"][1]["parameters"], name: value}
        if value is None:
            del parameters[name]
        broken = {**content, "pending": [{**content["pending"][1], "parameters": parameters}]}
        study.state_path.write_text(json.dumps(broken))
        assert any("no place for the point" in warning for warning in study.status().warnings), (name, value)


def test_points_are_told_by_levels(study: Study) -> None:
    """Words by letter, numbers by value, bools as bools; what does not count may be anything that can be."""
    told = study.tell(
        0.25, parameters={"solver": " gmres", "mesh": "coarse", "cores": "4.0", "restart": 20, "limiter": True}
    )
    assert told.parameters["limiter"] is True
    study.tell(0.5, parameters={"solver": "a, b", "mesh": "medium", "cores": 1, "restart": 40, "span": 2})
    assert lines(study)[1:] == [",gmres,2.0,coarse,4,20,true,0.25,ok", ',"a, b",2.0,medium,1,,,0.5,ok']


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"solver": "GMRES"}, "solver: 'GMRES' is none of its values. Did you mean gmres?"),
        ({"cores": 3}, "cores: '3' is none of its values. Known are 1, 2, 4"),
        ({}, "no value of solver and mesh and cores. Give every parameter that counts, or the suggestion's id"),
        (
            {"solver": "gmres", "mesh": "coarse"},
            "no value of cores and restart and limiter. Give every parameter that counts, or the suggestion's id",
        ),
        (
            {"solver": "cg", "mesh": "coarse", "cores": 1},
            "no value of limiter. Give every parameter that counts, or the suggestion's id",
        ),
    ],
)
def test_points_that_are_none(study: Study, given: dict[str, Any], message: str) -> None:
    """What lacks is what counts, as far as that is known."""
    with pytest.raises(UsageError) as caught:
        study.tell(1, parameters=given or {"span": 2})
    assert str(caught.value) == message


def test_the_parameters_beside_an_id(study: Study) -> None:
    """They have to be those of the suggestion where they count."""
    study.ask_batch(2, append=True)
    study.tell(0.5, id=2, parameters={"solver": "cg", "restart": 44})
    with pytest.raises(UsageError, match="suggestion 1 has mesh = very fine, not coarse"):
        study.tell(0.5, id=1, parameters={"mesh": "coarse"})


def test_a_table_of_results(study: Study) -> None:
    """By id or by point; wrong levels are told at their places, all at once."""
    study.ask_batch(3, append=True)
    rows = 'id,solver,mesh,cores,restart,limiter,drag\n1,,,,,,0.5\n,"a, b",medium,4,,,0.25\n,cg,coarse,2,,True,0.75\n'
    told = study.tell_rows(rows, source="r.csv")
    assert [(each.id, each.parameters["mesh"]) for each in told] == [(1, "very fine"), (3, "medium"), (None, "coarse")]
    with pytest.raises(ManyErrors) as caught:
        study.tell_rows("solver,mesh,cores,restart,limiter,drag\ncg,fin,1,,,0.5\n", source="r.csv")
    assert [str(error).partition(".csv")[2] for error in caught.value.errors] == [
        ":2:4: column 'mesh': 'fin' is none of its values. Known are coarse, medium, very fine",
        ":2:11: column 'limiter': it is empty. Known are false, true",
    ]


def test_a_changed_list_of_levels(study: Study, tmp_path: Path) -> None:
    """What is out and what was found stay what they were, whatever place their levels have now."""
    points = study.ask_batch(2)
    study.tell(0.5, id=1)
    (tmp_path / "p.yaml").write_text(PROBLEM.replace("[coarse,", "[coarsest, coarse,"))
    changed = Study.open(tmp_path / "p.yaml")
    status = changed.status()
    assert [point.parameters for point in status.waiting] == [points[1].parameters]
    assert "bounds or settings have changed" in status.warnings[0]
    changed.tell(0.25, id=2)
    assert [best.parameters for best in changed.status().ranking] == [points[1].parameters, points[0].parameters]
    assert changed.ask().id == 3


@pytest.mark.parametrize("say", [lambda s: s.tell("good", id=1), lambda s: s.tell_all({1: "good"})])
def test_results_are_words(tmp_path: Path, study: Study, say: Callable[[Study], Any]) -> None:
    """They are stored as words, and ranked by their places; saying one again adds nothing."""
    study = written(tmp_path, GRADES)
    study.evaluations_path.write_text("id,x,grade,status\n1,0.5,,pending\n2,0.25,fair,\n3,0.75,****,\n")
    say(study)
    assert lines(study)[-1] == "1,0.5,good,ok"
    assert [told.new for told in study.tell_all({1: " good", 2: "fair"})] == [False, False]
    status = study.status()
    assert (status.ok, status.failed) == (2, 1)
    assert status.best is not None
    assert status.best.objective == Decimal(2)
    with pytest.raises(DataError, match="it is ok with good"):
        study.tell("poor", id=1)
    study.tell("poor", id=1, amend=True)
    assert [best.id for best in study.status().ranking] == [2, 1]


@pytest.mark.parametrize("result", ["Good", "2", 2, "", True, 0.5, "inf"])
def test_other_results_are_errors(tmp_path: Path, study: Study, result: str | float) -> None:
    """Numbers are no words, and letters count."""
    study = written(tmp_path, GRADES)
    with pytest.raises(UsageError):
        study.tell(result, parameters={"x": 0.5})
    assert not study.evaluations_path.exists()


def test_failed_stays_failed(tmp_path: Path, study: Study) -> None:
    """In all its spellings."""
    study = written(tmp_path, GRADES)
    told: Sequence[str] = [study.tell(word, parameters={"x": k / 4}).status for k, word in enumerate(["failed", "nan"])]
    assert told == ["failed", "failed"]


def test_words_among_decimal_commas(tmp_path: Path, study: Study) -> None:
    """A point in a word is none of a number; levels that are numbers are written as the others are."""
    text = GRADES.replace("poor, fair, good", "v1.0, v2.0").replace("x: {min", "n: {values: [1, 2.5]}\n  x: {min")
    study = written(tmp_path, text)
    study.evaluations_path.write_text("n;x;grade\n1;0,5;v1.0\n")
    study.tell("v2.0", parameters={"x": 0.75, "n": 2.5})
    assert lines(study)[-1] == "2,5;0,75;v2.0"
    assert [best.parameters for best in study.status().ranking] == [{"n": 2.5, "x": 0.75}, {"n": 1, "x": 0.5}]
