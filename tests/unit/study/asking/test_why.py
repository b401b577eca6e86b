"""Why points were chosen, asked for afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {min: -5, max: 5}
  b: {min: -5, max: 5}
method: {preset: default, iterations: 20}
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study with eight results."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    found = Study.open(path)
    for _ in range(8):
        asked = found.ask()
        a, b = (float(asked.parameters[name]) for name in "ab")
        found.tell((a - 1) ** 2 + (b + 2) ** 2, id=asked.id)
    return found


def test_it_is_what_was_said_when_the_point_was_chosen(study: Study) -> None:
    """The state keeps it, also when further points are out."""
    (asked,) = study.ask_batch(1, explain=True).chosen
    study.ask_batch(1, explain=True)
    assert len(asked.lines) > 2
    assert study.explain(asked.id)[0].lines == asked.lines
    assert [each.id for each in study.explain()] == [9, 10]


def test_where_nothing_is_out_the_next_point_is_explained(study: Study) -> None:
    """As by a dry run: it is the point that comes then."""
    before = sorted((path.name, path.read_bytes()) for path in study.problem_path.parent.iterdir())
    (chosen,) = study.explain()
    assert sorted((path.name, path.read_bytes()) for path in study.problem_path.parent.iterdir()) == before
    assert len(chosen.lines) > 2
    assert study.ask_batch(1, explain=True).chosen[0].lines == chosen.lines


def test_what_nobody_knows_is_said(study: Study) -> None:
    """Nobody asked why when the point was chosen; it was chosen by a person; the problem is another one; no such id."""
    assert study.explain(8)[0].lines == ("8: nothing is known of why it was chosen",)
    study.tell(3, parameters={"a": 0.5, "b": 0.5})
    assert study.explain(9)[0].lines == ("9: nothing is known of why it was chosen",)
    with pytest.raises(DataError, match="no suggestion and no row has the id 99"):
        study.explain(99)
    study.ask_batch(1, explain=True)
    path = study.problem_path
    path.write_text(PROBLEM.replace("  b:", "  c: {min: 0, max: 1, past: 0.5}\n  b:"))
    assert Study.open(path).explain(10)[0].lines == ("10: nothing is known of why it was chosen",)
