"""A problem file says what it was asked to say, and a state is read back as it was written."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.cli import main
from ordbo_cli.files.handed import Pending
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.state import State, load_state, save_state, settings_digest
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.problem import Parameter, Problem
from tests.properties.test_round_trips import FLOATS, NAMES

pytestmark = pytest.mark.slow

PROBLEM = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int")), "drag")
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), FLOATS, st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One folder for all examples: each writes its own files anew."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def bounds() -> st.SearchStrategy[tuple[float, float]]:
    """Return two finite numbers in order whose distance is finite, too."""
    sizes = st.floats(-1e307, 1e307)
    return st.tuples(sizes, sizes).map(lambda pair: (min(pair), max(pair))).filter(lambda pair: pair[0] < pair[1])


@settings(max_examples=60)
@given(NAMES, st.lists(st.tuples(NAMES, bounds()), min_size=1, max_size=4), st.sampled_from(["minimize", "maximize"]))
def test_init_writes_what_it_was_given(
    folder: Path, objective: str, parameters: list[tuple[str, tuple[float, float]]], goal: str
) -> None:
    """Whatever the names look like: the file loads as that problem, or nothing is written."""
    path = folder / "p.yaml"
    path.unlink(missing_ok=True)
    words = [word for name, (low, high) in parameters for word in (f"--param={name}:{low!r}:{high!r}",)]
    status = main(["init", str(path), *words, f"--objective={objective}", f"--goal={goal}", "--quiet"])
    variables = {re.sub(r"[^A-Z0-9]", "_", name.upper()) for name in (objective, *(name for name, _ in parameters))}
    if len(variables) <= len(parameters):  # two names would be one in the environment
        assert (status, path.exists()) == (2, False)
        return
    assert status == 0
    problem = load_problem(path).problem
    assert (problem.objective, problem.goal) == (objective, goal)
    assert [(p.name, (p.min, p.max)) for p in problem.free] == parameters


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.lists(st.tuples(FLOATS, st.integers(-(2**70), 2**70), st.text()), max_size=4),
    st.one_of(st.none(), st.dictionaries(st.text(), JSON, max_size=3)),
    st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=3),
)
def test_a_state_reads_back_as_it_was_written(
    folder: Path,
    step: int,
    points: list[tuple[float, int, str]],
    fit: dict[str, Any] | None,
    diagnostics: list[dict[str, Any]],
) -> None:
    """Doubles to the last bit, and any text."""
    paths = (folder / "s.csv", folder / "s.state.json", folder / "c.csv", folder / "s.suggestions.jsonl")
    file = ProblemFile(folder / "s.yaml", PROBLEM, *paths, (), Evaluations(paths[0], PROBLEM))
    pending = [Pending(k, {"angle": x, "blades": n}, time, k) for k, (x, n, time) in enumerate(points, 1)]
    state = State(settings_digest(PROBLEM), 0, step, step + 9, tuple(pending), fit, tuple(diagnostics))
    save_state(file, load_state(file), state)
    found = load_state(file)
    assert (found.state, found.whole, found.warnings) == (state, True, ())
    save_state(file, found, replace(state, step=step + 1))
    assert load_state(file).state.step == step + 1
