"""The study with the real search behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ordbo_cli.errors import ExhaustedError, UsageError
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.optimizer import Optimizer
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

PROBLEM = """\
objective: {name: y, goal: minimize}
parameters:
  a: {min: 0, max: 10, step: 0.1}
  b: {min: 1e-3, max: 1e3, scale: log, digits: 3}
"""


def run(folder: Path, steps: int, *, delete_state: bool = False) -> str:
    folder.mkdir()
    (folder / "p.yaml").write_text(PROBLEM)
    for _ in range(steps):
        study = Study.open(folder / "p.yaml")
        suggestion = study.ask()
        a, b = suggestion.values
        assert 0 <= a <= 10
        assert 1e-3 <= b <= 1e3
        study.tell((a - 3) ** 2 + abs(b - 2), id=suggestion.id)
        if delete_state:
            study.state_path.unlink()
    return (folder / "p.csv").read_text()


def test_a_study_is_repeatable_and_outlives_its_state(tmp_path: Path) -> None:
    """Two runs give the same bytes; a run whose state is always deleted goes on, too."""
    first = run(tmp_path / "one", 8)
    assert first == run(tmp_path / "two", 8)
    lines = run(tmp_path / "three", 8, delete_state=True).splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == [str(k) for k in range(1, 9)]


def test_asking_twice_gives_two_points(tmp_path: Path) -> None:
    """Open suggestions are known to the search, and printed values are stored values."""
    (tmp_path / "p.yaml").write_text(PROBLEM)
    study = Study.open(tmp_path / "p.yaml")
    points = [study.ask(append=True).values for _ in range(8)]
    assert len(set(points)) == 8
    assert {entry.parameters["a"] for entry in study.status().waiting} == {point[0] for point in points}


def test_predictions(tmp_path: Path) -> None:
    """Points are checked as those of tell are."""
    run(tmp_path / "p", 6)
    study = Study.open(tmp_path / "p" / "p.yaml")
    near, far = study.predict([{"a": 3, "b": "2"}, {"a": 9.9, "b": 900}])
    assert near.rank < far.rank
    with pytest.raises(UsageError, match="no value of b"):
        study.predict([{"a": 3}])


def test_what_is_pending_is_not_known(tmp_path: Path) -> None:
    """A point that waits for its result is as uncertain as if nobody had asked for it."""
    run(tmp_path / "p", 8)
    study = Study.open(tmp_path / "p" / "p.yaml")
    suggestion = study.ask(append=True)
    (waiting,) = study.predict([suggestion.parameters])
    study.tell(abandon=True, id=suggestion.id)
    assert (waiting,) == study.predict([suggestion.parameters])
    assert waiting.sd > 0.05


def test_a_finite_space_runs_out(tmp_path: Path) -> None:
    """The error of the search comes through, and nothing is recorded for it."""
    (tmp_path / "p.yaml").write_text(
        "objective: {name: y, goal: minimize}\nparameters: {n: {type: int, min: 1, max: 3}}\n"
    )
    study = Study.open(tmp_path / "p.yaml")
    for _ in range(3):
        study.ask(append=True)
    before = study.state_path.read_bytes()
    with pytest.raises(ExhaustedError):
        study.ask(append=True)
    assert study.state_path.read_bytes() == before


@pytest.mark.parametrize("append", [False, True])
@pytest.mark.parametrize("results", [1, 3, 9])
def test_a_batch_gives_the_points_of_single_calls(tmp_path: Path, results: int, append: bool) -> None:
    """Bit for bit: in the initial design, across its end, and in the model phase."""
    found = []
    for many in (True, False):
        folder = tmp_path / str(many)
        run(folder, results)
        study = Study.open(folder / "p.yaml")
        points = study.ask_batch(4, append=append) if many else [study.ask(append=append) for _ in range(4)]
        found.append((list(points), [said["kind"] for said in study.status().steps]))
    assert found[0] == found[1]
    assert [point.id for point in found[0][0]] == [results + k for k in range(1, 5)]


def test_a_batch_in_memory() -> None:
    """As many calls of ask; fewer where fewer are left, and an error where none is."""
    problem = Problem((Parameter("n", 1, 9, type="int"),))
    one, many = Optimizer(problem), Optimizer(problem)
    for optimizer in (one, many):
        optimizer.tell([2], 1)
    assert many.ask_batch(5) == [one.ask() for _ in range(5)]
    assert len(many.ask_batch(5)) == 3
    assert len(many.pending) == 8
    with pytest.raises(ExhaustedError):
        many.ask_batch(5)
    with pytest.raises(UsageError, match="0 points"):
        many.ask_batch(0)
