"""What a study says of itself."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, ManyErrors
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"


def test_status(study: Study, search: Any, csv: Writer) -> None:
    """Counts, ranking, history and what waits; outside and set-aside rows are in neither."""
    csv(
        HEAD
        + ",1,3,2,5,\n,2,3,2,,failed\n,3,3,2,3,\n,4,3,2,inf,\n,5,3,2,3.0,\n,-1,3,2,1,\n,6,3,9,1,\n,7,3,2,,abandoned\n"
    )
    study.ask()
    found = study.status()
    assert (found.ok, found.failed, found.abandoned, found.expired, found.pending) == (6, 1, 1, 0, 1)
    assert (found.outside, found.aside, found.step) == (1, 1, 1)
    assert [(best.objective, best.line) for best in found.ranking] == [
        (Decimal(3), 4),
        (Decimal(3), 6),
        (Decimal(5), 2),
    ]
    assert found.best == found.ranking[0] == study.best()
    assert [str(value) for value in found.history] == ["5", "5", "3", "3", "3"]
    (waiting,) = found.waiting
    assert waiting.id == 9
    assert waiting.age is not None
    assert waiting.age < 3600
    assert found.steps == ({"step": 0, "id": 9, "kind": "acquire"},)
    assert len(found.warnings) == 2
    assert len(search.calls[0].evaluations) == 6


def test_the_best_of_a_study_that_maximises(problem_path: Path, csv: Writer) -> None:
    """The largest value is the best, of equal ones the first."""
    problem_path.write_text(problem_path.read_text().replace("minimize", "maximize"))
    csv(HEAD + ",1,3,2,5,\n,2,3,2,7,\n,3,3,2,7,\n")
    study = Study.open(problem_path)
    assert (study.best().line, study.status().history) == (3, (Decimal(5), Decimal(7), Decimal(7)))


def test_there_is_no_best_before_a_success(study: Study, csv: Writer) -> None:
    """An empty study, and one in which everything failed."""
    with pytest.raises(DataError, match="no evaluation inside the bounds has succeeded yet"):
        study.best()
    csv(HEAD + ",1,3,2,,failed\n,1,3,2,inf,\n")
    with pytest.raises(DataError, match="no evaluation inside the bounds has succeeded yet"):
        study.best()
    assert study.status().best is None


def test_check_says_what_the_files_hold(study: Study, search: Any, csv: Writer) -> None:
    """In words, one line for each file; nothing is written."""
    assert [line.rpartition("/")[2] for line in study.check()] == [
        "drag.yaml: 2 free and 1 fixed parameters",
        "drag.csv: no evaluations (no file yet)",
        "drag.state.json: none yet",
    ]
    csv(HEAD + ",1,3,2,5,\n")
    study.ask()
    before = sorted(study.problem_path.parent.iterdir())
    assert [line.rpartition("/")[2] for line in study.check()][1:] == [
        "drag.csv: 1 ok, 1 pending",
        "drag.state.json: step 1",
    ]
    assert sorted(study.problem_path.parent.iterdir()) == before
    assert len(search.calls) == 1


def test_check_tells_the_errors_of_all_files(study: Study, csv: Writer) -> None:
    """Evaluations and state at once."""
    csv(HEAD + ",x,3,2,5,\n")
    study.state_path.write_text('{"format": 9}')
    with pytest.raises(ManyErrors) as caught:
        study.check()
    assert [type(error) for error in caught.value.errors] == [DataError, DataError]


def test_warnings_are_those_of_the_last_call(study: Study, csv: Writer) -> None:
    """They do not pile up."""
    csv(HEAD + ",-1,3,2,5,\n")
    study.status()
    assert len(study.status().warnings) == 1
