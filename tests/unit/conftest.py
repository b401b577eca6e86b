"""A small study on disk, and a search that only counts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.study import Study
from tests.stand_in import Proposed, step_module

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
  span: {value: 2.0}
"""


@dataclass
class Search:
    """Stands in for the search: proposes angle = step + 0.5, and keeps what it was asked."""

    calls: list[StepInput] = field(default_factory=list)

    def propose(self, given: StepInput, *, threads: int = 1, explain: Any = None) -> Proposed:
        assert not given.comparisons
        self.calls.append(given)
        return Proposed((given.step + 0.5, 3 + given.step % 7), {"steps": given.step})


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    found = Search()
    monkeypatch.setitem(sys.modules, "ordbo_cli.search.step", step_module(found.propose))
    return found


@pytest.fixture
def problem_path(tmp_path: Path) -> Path:
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def file(problem_path: Path) -> ProblemFile:
    return load_problem(problem_path)


@pytest.fixture
def study(problem_path: Path) -> Study:
    return Study.open(problem_path, lock_timeout=5)


@pytest.fixture
def csv(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Return a function that writes the evaluations."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "drag.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[[str], ProblemFile]:
    """Return a function that reads a problem file's text."""

    def load(text: str) -> ProblemFile:
        path = tmp_path / "p.yaml"
        path.write_bytes(text.encode())
        return load_problem(path)

    return load
