"""Where the search goes next, as far as the files know."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import ExhaustedError
from ordbo_cli.study.study import Study

ROWS = "id,angle,blades,drag,status\n" + "".join(f"{k},{k},{2 + k},{k},ok\n" for k in range(1, 6))


def told(study: Study, id: int, **words: Any) -> None:
    """Put words of the search on a suggestion into the state."""
    content = json.loads(study.state_path.read_text())
    next(each for each in content["diagnostics"] if each["id"] == id).update(words)
    study.state_path.write_text(json.dumps(content))


@pytest.fixture
def asked(study: Study, search: Any, csv: Callable[[str], Path]) -> Study:
    """A study with five results and two suggestions out, 6 at 5.5 and 8, 7 at 6.5 and 9; the search told of cells."""
    csv(ROWS)
    study.ask_batch(2)
    told(study, 6, kind="acquire", cell=[[5, 6], [7, 8]])
    told(study, 7, kind="explore", cell=[[1, 12], [3, 9]])
    return study


def test_the_newest_suggestion_that_is_out(asked: Study) -> None:
    """Its cell, and once it has its answer that of the one before."""
    found = asked.status().next
    assert found is not None
    assert (found.id, found.kind, found.error) == (7, "explore", "")
    assert found.text == "the largest cell, above the best of angle (1), any blades"
    assert found.cell == {"angle": (1.0, 12.0), "blades": (3.0, 9.0)}
    asked.tell(3.0, id=7)
    found = asked.status().next
    assert found is not None
    assert (found.id, found.kind) == (6, "acquire")
    assert found.text == "between 5 and 6 of angle, between 7 and 8 of blades"


def test_under_constraints_exploring_covers(problem_path: Path, search: Any, csv: Callable[[str], Path]) -> None:
    """The cell is that of the point in the largest hole, and need not be large."""
    problem_path.write_text(problem_path.read_text() + 'constraints: ["angle + blades <= 100"]\n')
    csv(ROWS)
    study = Study.open(problem_path, lock_timeout=5)
    study.ask()
    told(study, 6, kind="spread", cell=[[5, 6], [7, 8]])
    found = study.status().next
    assert found is not None
    assert found.text == "in the largest hole of the feasible set, between 5 and 6 of angle, between 7 and 8 of blades"


@pytest.mark.parametrize(
    "cell", [[[5, 6]], [[7, 8], [5, 6]], "words", [[5, 5.5, 6], [7, 8]], [["a", "b"], [7, 8]], None]
)
def test_cells_of_another_problem_are_passed_over(asked: Study, cell: Any) -> None:
    """One that does not hold its point, or is none at all: parameters were added, or changed places."""
    asked.tell(3.0, id=7)
    told(asked, 6, cell=cell)
    assert asked.status().next is None


def test_a_point_to_be_evaluated_again_comes_first(asked: Study) -> None:
    """Where nothing is out; while something is, that is told."""
    asked.tell(id=7, retry=True)
    found = asked.status().next
    assert found is not None
    assert found.id == 6
    asked.tell(1.0, id=6)
    found = asked.status().next
    assert found is not None
    assert (found.kind, found.id, found.text) == ("again", 7, "id 7 again, which is to be evaluated once more")
    assert asked.upcoming() == found


def test_the_initial_design_needs_no_search(study: Study, csv: Callable[[str], Path], search: Any) -> None:
    """Which point of it comes follows from the number of rows; where few values are left, nothing is promised."""
    found = study.status().next
    assert found is not None
    assert (found.text, found.kind, found.cell) == ("point 1 of 5 of the initial design", "initial", None)
    csv("angle,blades,drag\n1,3,2\n2,3,4\n")
    found = study.status().next
    assert found is not None
    assert found.text.startswith("point 3 of 5")
    csv("angle,blades,drag,status\n1,3,2,ok\n2,3,,abandoned\n")
    assert study.status().next is None
    csv(ROWS)
    assert study.status().next is None
    assert search.calls == []
    study.problem_path.write_text(
        "objective: {name: drag, goal: minimize}\nparameters: {n: {type: int, min: 1, max: 9}}\n"
    )
    study.evaluations_path.unlink()
    assert Study.open(study.problem_path).status().next is None


def test_an_initial_point_that_is_out(study: Study, search: Any) -> None:
    """It has no cell."""
    study.ask()
    told(study, 1, kind="initial")
    found = study.status().next
    assert found is not None
    assert (found.text, found.id, found.cell) == ("a point of the initial design", 1, None)


def test_it_is_computed_where_somebody_asks(
    study: Study, search: Any, csv: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a dry run does it, without a trace; what stands in the way is said in words."""
    csv(ROWS)
    before = sorted(study.problem_path.parent.iterdir())
    assert study.upcoming().text == "a point whose cell is not known"
    assert len(search.calls) == 1
    assert sorted(study.problem_path.parent.iterdir()) == before

    def exhausted(*_: Any, **__: Any) -> None:
        raise ExhaustedError("every point of the space was tried", "Widen a bound")

    monkeypatch.setattr(sys.modules["ordbo_cli.search.step"], "propose", exhausted)
    found = study.upcoming()
    assert found.text == "nothing: every point of the space was tried"
    assert found.error == "every point of the space was tried"


def test_failures_that_stand_in_the_way(study: Study, search: Any, csv: Callable[[str], Path]) -> None:
    """With failed: error nothing is suggested: no search is made to find that out."""
    csv("angle,blades,drag\n1,3,failed\n")
    study.problem_path.write_text(study.problem_path.read_text() + "failed: error\n")
    strict = Study.open(study.problem_path)
    for found in (strict.status().next, strict.upcoming()):
        assert found is not None
        assert found.text.startswith("nothing: ")
        assert "failed: error is set" in found.error
    assert search.calls == []
