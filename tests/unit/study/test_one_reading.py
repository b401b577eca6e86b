"""Study and Optimizer read results and points by the same rules: one set of tests for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordbo_cli.errors import OrdboError, UsageError
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.study.optimizer import Optimizer
from ordbo_cli.study.study import Study

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
  mesh: {type: ordinal, values: [coarse, fine]}
"""
GRADED = PROBLEM.replace("goal: minimize", "values: [poor, fair, good], goal: maximize")
LIMITED = PROBLEM + "outcomes: {stress: {max: 250}}\n"
POINT: dict[str, Any] = {"angle": 0.5, "blades": 4, "mesh": "fine"}

Tell = Callable[..., Evaluation]


@pytest.fixture(params=["study", "optimizer"])
def teller(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Tell]:
    """Return a function that takes a problem, and returns one that tells a result and returns what was understood."""

    def of(problem: str) -> Tell:
        path = tmp_path / "drag.yaml"
        path.write_text(problem)
        study = Study.open(path)

        def by_study(point: Mapping[str, Any], objective: Any, **more: Any) -> Evaluation:
            study.tell(objective, parameters=point, **more)
            (found,) = study.read().ledger.evaluations()
            return found

        def by_optimizer(point: Mapping[str, Any], objective: Any, **more: Any) -> Evaluation:
            optimizer = Optimizer(study.problem)
            optimizer.tell(point, objective, **more)
            (found,) = optimizer.evaluations
            return found

        return by_study if request.param == "study" else by_optimizer

    return of


@pytest.mark.parametrize(
    ("given", "value", "side"),
    [
        (2, "2", ""), (2.5, "2.5", ""), ("2.50", "2.5", ""), ("1d3", "1000", ""), ("1e400", "1e400", ""),
        (">5", "5", "above"), ("<0.1", "0.1", "below"), ("0.12345678901234567890", "0.12345678901234567890", ""),
        ("failed", None, ""), ("nan", None, ""), (float("nan"), None, ""),
    ],
)  # fmt: skip
def test_what_is_a_result(teller: Callable[[str], Tell], given: Any, value: str | None, side: str) -> None:
    """Numbers and their texts, Fortran's too, limits and failures."""
    found = teller(PROBLEM)(POINT, given)
    assert found.values == (0.5, 4, 1)
    assert (found.objective, found.censored) == (None if value is None else Decimal(value), side)


@pytest.mark.parametrize("given", [">>5", True, False, "1_000", "", "fast", "-inf", float("-inf"), [1.0], "good"])
def test_what_is_no_result(teller: Callable[[str], Tell], given: Any) -> None:
    """Nothing is guessed."""
    with pytest.raises(OrdboError):
        teller(PROBLEM)(POINT, given)


@pytest.mark.parametrize("given", ["poor", "good", ">fair"])
def test_words_in_order_are_results(teller: Callable[[str], Tell], given: str) -> None:
    """Where the problem has such, and by their order alone."""
    tell = teller(GRADED)
    for wrong in (7, "7", "best"):
        with pytest.raises(OrdboError):
            tell(POINT, wrong)
    places = {"poor": 0, "good": 2, ">fair": 1}
    assert tell(POINT, given).objective == places[given]


def test_outcomes_are_read_alike(teller: Callable[[str], Tell]) -> None:
    """An unknown name and a missing value are refused; one that breaks its limits makes the objective needless."""
    tell = teller(LIMITED)
    for outcomes in ({}, {"strain": 3}, {"stress": "much"}, {"stress": True}):
        with pytest.raises(OrdboError):
            tell(POINT, 1, outcomes=outcomes)
    found = tell(POINT, None, outcomes={"stress": "3e2"})
    assert (found.objective, found.outcomes) == (None, (Decimal(300),))


@pytest.mark.parametrize(
    "point",
    [
        {**POINT, "span": 2}, {"angle": 0.5, "mesh": "fine"}, {**POINT, "mesh": "finest"}, {**POINT, "blades": 4.5},
        {**POINT, "angle": "1_0"}, {**POINT, "angle": True}, {**POINT, "angle": float("nan")},
    ],
)  # fmt: skip
def test_what_is_no_point(teller: Callable[[str], Tell], point: Mapping[str, Any]) -> None:
    """Unknown and missing names, levels and numbers that there are not."""
    with pytest.raises(OrdboError):
        teller(PROBLEM)(point, 1)


def test_numbers_of_numpy_and_points_by_name_are_told() -> None:
    """A simulator's own number types, an array, a mapping: all say the same."""
    problem = Problem((Parameter("a", 0.0, 1.0), Parameter("blades", 3, 9, type="int")))
    optimizer = Optimizer(problem)
    suggestion = optimizer.ask()
    optimizer.tell(suggestion, 3)
    with pytest.raises(UsageError, match="suggestion 1 has its result"):
        optimizer.tell(suggestion, 3)
    for point in (np.array(suggestion.values), suggestion.parameters):
        for objective in (np.float32(3), np.int64(3), np.float64(3), 3, "3"):
            optimizer.tell(point, objective)  # type: ignore[arg-type]  # NumPy's numbers are none to a type checker
    assert len({evaluation.values for evaluation in optimizer.evaluations}) == 1
    assert {evaluation.objective for evaluation in optimizer.evaluations} == {3}


def test_none_is_a_failure(teller: Callable[[str], Tell]) -> None:
    """Of the study as of the optimizer; that nothing was given is an error of the call."""
    assert teller(PROBLEM)(POINT, None).objective is None


def test_a_result_that_nobody_gave_is_no_failure(tmp_path: Path) -> None:
    """A call that forgot its result records nothing."""
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM)
    study = Study.open(path)
    with pytest.raises(UsageError, match="there is no value of drag"):
        study.tell(parameters=POINT)
    assert not study.evaluations_path.exists()
