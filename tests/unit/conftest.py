"""A small study on disk, and a search that only counts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.study import ProblemFile, Study, load_problem

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
  span: {value: 2.0}
"""


@dataclass(frozen=True)
class Proposed:
    values: tuple[Number, ...]
    fit: dict[str, Any] | None
    diagnostics: dict[str, Any]

    def is_taken_by(self, point: Sequence[Number]) -> bool:
        """Return whether a point is this one: it has no cell."""
        return tuple(point) == self.values


@dataclass
class Search:
    """Stands in for the search: proposes angle = step + 0.5, and keeps what it was asked."""

    calls: list[tuple[Problem, list[Evaluation], list[tuple[Number, ...]], int, Any]] = field(default_factory=list)
    avoided: list[tuple[Number, ...]] = field(default_factory=list)

    def propose(
        self,
        problem: Problem,
        evaluations: Sequence[Evaluation],
        pending: Sequence[tuple[Number, ...]],
        step: int,
        fit: Any,
        *,
        avoid: Sequence[tuple[Number, ...]],
        comparisons: Sequence[Comparison],
        threads: int,
        tell: Any,
    ) -> Proposed:
        self.avoided = list(avoid)
        assert not comparisons
        self.calls.append((problem, list(evaluations), list(pending), step, fit))
        return Proposed((step + 0.5, 3 + step % 7), {"steps": step}, {"kind": "counted"})


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    found = Search()
    module = ModuleType("ordbo_cli.search")
    module.propose = found.propose  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ordbo_cli.search", module)
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
