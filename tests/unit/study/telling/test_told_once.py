"""Points that are told without an id, by somebody who may say the same twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.study.study import Study

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {min: 0, max: 1}
  b: {min: 1, max: 9, type: int}
"""
POINT = {"a": 0.3, "b": 2}


def study(tmp_path: Path, more: str = "") -> Study:
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM + more)
    return Study.open(path)


def test_the_same_result_is_recorded_once(tmp_path: Path) -> None:
    """Equal values count, however they are spelt; without ``once`` it is another result."""
    found = study(tmp_path)
    assert found.tell(3, parameters=POINT, once=True).new
    for again in ("3.0", 3):
        told = found.tell(again, parameters={"a": 0.30000000000000004, "b": 2}, once=True)
        assert (told.new, told.id) == (False, 1)
    assert found.status().ok == 1
    assert found.tell(3, parameters=POINT).new
    assert found.status().ok == 2


def test_another_result_is_refused(tmp_path: Path) -> None:
    """It is said which one stands; a failure is one, and a point that was given up has none."""
    found = study(tmp_path)
    found.tell(parameters=POINT, failed=True, once=True)
    with pytest.raises(DataError, match="the point has its answer already, as 1: it is failed"):
        found.tell(3, parameters=POINT, once=True)
    assert found.tell(3, parameters={"a": 0.2, "b": 2}, once=True).new
    assert found.tell(abandon=True, parameters={"a": 0.4, "b": 2}, once=True).new
    assert found.tell(4, parameters={"a": 0.4, "b": 2}, once=True).new


def test_a_point_that_is_out_is_answered(tmp_path: Path) -> None:
    """Its values name it, as ever."""
    found = study(tmp_path)
    asked = found.ask()
    told = found.tell(3, parameters=asked.parameters, once=True)
    assert (told.id, told.new) == (asked.id, True)
    assert not found.tell(3, parameters=asked.parameters, once=True).new


def test_levels_of_fidelity_are_points_apart(tmp_path: Path) -> None:
    """A coarse result of a point is no fine one."""
    found = study(tmp_path, "fidelity: {name: mesh, levels: [coarse, fine], cost: [1, 9]}\n")
    for mesh in ("coarse", "fine"):
        assert found.tell(3, parameters={**POINT, "mesh": mesh}, once=True).new
        again = found.tell(3, parameters={**POINT, "mesh": mesh}, once=True)
        assert (again.new, again.parameters["mesh"]) == (False, mesh)
    assert len(found.points()) == 2
