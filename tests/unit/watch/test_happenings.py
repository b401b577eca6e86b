"""The sentences of the log: what is new between two readings of a study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from ordbo_cli.study.study import Study
from ordbo_cli.watch.happenings import happened

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  x: {min: 0, max: 1, digits: 3}
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A new study."""
    (tmp_path / "p.yaml").write_text(PROBLEM)
    return Study.open(tmp_path / "p.yaml")


@pytest.fixture
def said(study: Study) -> Callable[[], list[str]]:
    """Return what happened since it was called last."""
    snapshots = [study.snapshot()]

    def since() -> list[str]:
        snapshots.append(study.snapshot())
        return list(happened(*snapshots[-2:]))

    return since


def test_a_study_tells_what_becomes_of_its_points(study: Study, said: Callable[[], list[str]]) -> None:
    """Handed out, answered, the best, failed, amended, taken back."""
    study.ask_batch(3)
    assert said() == ["id 1 is out", "id 2 is out", "id 3 is out"]
    study.tell(2.0, id=1)
    study.tell(5, id=2)
    assert said() == ["id 1: y 2.0, the best so far", "id 2: y 5"]
    study.tell(None, id=3, note="it broke")
    assert said() == ["id 3 failed: it broke"]
    study.tell(1, id=2, amend=True)
    assert said() == ["id 2: y 1 (was 5), the best so far"]
    study.undo(id=3)
    assert said() == ["id 3 is out"]
    study.expire([3])
    assert said() == ["id 3 has expired"]
    study.prefer(2, 1)
    assert said() == ["1 comparison recorded"]
    assert said() == []


def test_a_whole_table_is_told_in_a_sentence(study: Study, said: Callable[[], list[str]]) -> None:
    """Its newest rows are named."""
    rows = "".join(f"{k / 100},{k}\n" for k in range(40))
    study.evaluations_path.write_text(f"x,y\n{rows}")
    told = said()
    assert len(told) == 26
    assert told[-1] == "and 15 rows before these"
