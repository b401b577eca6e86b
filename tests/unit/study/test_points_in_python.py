"""What a program is given: points in Python's words, and values that show themselves in a line."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ordbo_cli
import ordbo_cli.errors as errors_module
from ordbo_cli import Evaluation, Optimizer, Parameter, Prediction, Problem, Study, Suggestion
from ordbo_cli.problem import Level
from ordbo_cli.study.reporting.views import Best, Status

KINDS = [
    Parameter("alloy", type="categorical", values=["steel", "brass"]),
    Parameter("coated", type="bool"),
    Parameter("passes", 1, 6, type="int", when={"coated": True}),
    Parameter("stir", type="ranked"),
    Parameter("dry", value=True),
]
FILE = """\
objective: {name: drag, goal: minimize}
parameters:
  alloy: {type: categorical, values: [steel, brass]}
  coated: {type: bool}
  passes: {type: int, min: 1, max: 6, when: {coated: true}}
  dry: {value: true}
"""
ROWS = """\
id,alloy,coated,passes,dry,drag,status
1,steel,false,,true,3,ok
2,brass,true,6,true,2,ok
3,brass,true,4,true,,failed
4,steel,false,,true,,pending
"""
POINTS: list[dict[str, Level]] = [
    {"alloy": "steel", "coated": False, "dry": True},
    {"alloy": "brass", "coated": True, "passes": 6, "dry": True},
    {"alloy": "brass", "coated": True, "passes": 4, "dry": True},
    {"alloy": "steel", "coated": False, "dry": True},
]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    (tmp_path / "p.yaml").write_text(FILE)
    (tmp_path / "p.csv").write_text(ROWS)
    return Study.open(tmp_path / "p.yaml")


def test_results_of_an_optimizer_are_by_name() -> None:
    """What comes back is what was asked for: words, True and False, nothing of what does not count."""
    optimizer = Optimizer(Problem(KINDS))
    asked = [optimizer.ask() for _ in range(4)]
    assert {type(point.parameters["coated"]) for point in asked} == {bool}
    assert all(("passes" in point.parameters) == point.parameters["coated"] for point in asked)
    assert all(point.parameters["dry"] is True and point.parameters["alloy"] in ("steel", "brass") for point in asked)
    assert [each.parameters for each in optimizer.pending] == [point.parameters for point in asked]
    jobs = {point: point.id for point in asked}  # suggestions are keys of what runs
    assert [jobs[point] for point in asked] == [1, 2, 3, 4]
    optimizer.tell(asked[0], 3)
    optimizer.tell({**asked[1].parameters, "stir": asked[1].parameters["stir"]}, 2)
    told = optimizer.evaluations
    assert told[0].parameters == {**asked[0].parameters, "stir": told[0].parameters["stir"]}
    assert optimizer.best().parameters["alloy"] == told[1].parameters["alloy"]
    assert Optimizer(Problem(KINDS), told).evaluations[0].objective == 3


def test_everything_of_a_study_is_in_pythons_words(study: Study) -> None:
    """Points, the best, failures, what is out, predictions; what is told by True is written as the word."""
    assert [each.parameters for each in study.points()] == POINTS
    assert study.best().parameters == POINTS[1]
    assert study.status().failures[0].parameters == POINTS[2]
    assert study.pending()[0].parameters == POINTS[3]
    assert study.predict([POINTS[2]])[0].parameters == POINTS[2]
    row: Any = {"alloy": "brass", "coated": np.bool_(True), "passes": np.int64(2), "dry": True}
    told = study.tell(1, parameters=row)
    assert told.parameters["coated"] is True
    assert study.evaluations_path.read_text().endswith("\n,brass,true,2,true,1,ok\n")
    asked = study.ask()
    assert isinstance(asked.parameters["coated"], bool)
    handed = study.problem_path.with_name("p.suggestions.jsonl").read_text()
    assert json.loads(handed.splitlines()[-1])["parameters"]["dry"] == "true"


def test_values_show_themselves_in_a_line(study: Study) -> None:
    """With what they hold, and nothing that is as always."""
    point = {"coated": True, "x": 0.1234567}
    assert repr(study) == f"Study({str(study.problem_path)!r}: minimize drag over alloy, coated, passes)"
    assert repr(Suggestion(3, (1, 0.1), point)) == "Suggestion(id=3, parameters={'coated': True, 'x': 0.1234567})"
    assert repr(Evaluation((1.5,), Decimal("0.10"))) == "Evaluation(values=(1.5,), objective=0.10)"
    assert repr(Best(3, point, Decimal(2), 7)) == f"Best(id=3, parameters={point!r}, objective=2, line=7)"
    shown = "Prediction(rank=1.23457, improvement=0.5, mean=0, sd=1, rank_low=1, rank_high=4)"
    assert repr(Prediction(1.23456789, 0.5, 0.0, 1.0, 1, 4)) == shown
    assert repr(study.status()) == (
        f"Status(ok=2, failed=1, pending=1, best=Best(id=2, parameters={POINTS[1]!r}, objective=2, line=3))"
    )
    assert "values=" not in repr(Optimizer(Problem(KINDS)).ask())
    optimizer = Optimizer(Problem([Parameter(f"x{k}", 0, 1) for k in range(9)], "y"))
    optimizer.ask()
    assert repr(optimizer) == "Optimizer(minimize y over x0, x1, x2, x3, x4, x5 and 3 more; 0 results, 1 pending)"


def test_a_study_without_results_shows_that(tmp_path: Path) -> None:
    """Not twenty zeros."""
    (tmp_path / "p.yaml").write_text(FILE)
    shown: Status = Study.open(tmp_path / "p.yaml").status()
    assert repr(shown) == "Status(no evaluations, best=None)"


def test_public_names_are_there_with_docstrings() -> None:
    """Each is found, says what it is, and so do its public methods; what methods return is public, too."""
    for name in ordbo_cli.__all__:
        found: Any = getattr(ordbo_cli, name)
        assert found.__doc__, name
        assert [key for key, each in vars(found).items() if key[0] != "_" and callable(each) and not each.__doc__] == []
    assert ordbo_cli.__all__ == sorted(ordbo_cli.__all__)
    errors = {name for name in vars(errors_module) if name.endswith(("Error", "Errors"))}
    assert errors - {"OvertakenError"} <= set(ordbo_cli.__all__)
