"""Levels, conditions and words of results come back as they were: through problem file, table and state."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.state import State, load_state, save_state, settings_digest
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import append_rows, cells_of, columns_of
from ordbo_cli.files.values.levels import result_value
from ordbo_cli.files.values.numbers import same
from ordbo_cli.problem import Condition, Fixed, Level, Number, Parameter, Problem
from ordbo_cli.problem.spelling import environment_name
from tests.properties.test_round_trips import FLOATS, NAMES, SETTINGS, Spelling, spellings

pytestmark = pytest.mark.slow

WORDS = st.one_of(NAMES, st.sampled_from(["1", "1.0", "true", "no", "failed", "nan", "-", "a, b", "c;d", "#1", "Ä"]))


def _is_word(text: str) -> bool:
    """Return whether no reader of results takes a text for something else."""
    try:
        result_value(Problem((Parameter("x", 0, 1),)), text)
    except ValueError:
        return True
    return False


def level_lists() -> st.SearchStrategy[list[Level]]:
    """Return lists of words, or of numbers."""
    numbers = st.one_of(FLOATS, st.integers(-(10**9), 10**9))
    return st.one_of(
        st.lists(WORDS, min_size=2, max_size=5, unique=True),
        st.lists(numbers, min_size=2, max_size=5, unique_by=float),
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Return a problem with parameters of every type, a tree of conditions among them."""
    names = draw(st.lists(NAMES, min_size=5, max_size=7, unique_by=environment_name))
    parameters: list[Parameter | Fixed] = [Parameter(names[1], -1.0, 1.0)]
    parents: list[Parameter] = []
    for name in names[2:]:
        chosen = draw(st.lists(st.sampled_from(parents), max_size=2, unique=True)) if parents else []
        places = [draw(st.sets(st.integers(0, len(parent.levels) - 1), min_size=1)) for parent in chosen]
        when = tuple(Condition(p.name, tuple(sorted(ks))) for p, ks in zip(chosen, places, strict=True))
        kind = draw(st.sampled_from(["categorical", "categorical", "ordinal", "int", "float"]))
        if kind in ("int", "float"):
            parameters.append(Parameter(name, 1, 9, type=kind, when=when))  # type: ignore[arg-type]
            continue
        parameters.append(Parameter.of_levels(name, draw(level_lists()), kind, when=when))  # type: ignore[arg-type]
        parents += [parameters[-1]] if kind == "categorical" else []  # type: ignore[list-item]
    grades = draw(st.one_of(st.just([]), st.lists(NAMES.filter(_is_word), min_size=2, max_size=4, unique=True)))
    return Problem(tuple(parameters), names[0], "maximize", grades=tuple(grades))


def points(problem: Problem) -> st.SearchStrategy[tuple[Number, ...]]:
    """Return values inside of all free parameters, also of those that do not count."""
    each = [
        st.floats(p.min, p.max, allow_subnormal=False) if p.type == "float" else st.integers(int(p.min), int(p.max))
        for p in problem.free
    ]
    return st.tuples(*each)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One folder for all examples: each writes its own files anew."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@SETTINGS
@given(data=st.data(), problem=problems())
def test_points_come_back_from_what_the_user_sees(data: st.DataObject, problem: Problem) -> None:
    """What does not count is not seen and has no say; seen twice, a point is the same."""
    values = data.draw(points(problem))
    shown = problem.mapping(values)
    assert problem.values(shown) == problem.canonical(values)
    assert problem.mapping(problem.canonical(values)) == shown
    assert set(shown) == {p.name for p, counts in zip(problem.free, problem.active(values), strict=True) if counts}


@SETTINGS
@given(data=st.data(), problem=problems(), spelling=spellings())
def test_rows_come_back(tmp_path: Path, data: st.DataObject, problem: Problem, spelling: Spelling) -> None:
    """In somebody's file of any spelling: canonical values, and words of results."""
    path = tmp_path / "e.csv"
    header = spelling.line(data.draw(st.permutations(columns_of(problem))))
    path.write_bytes((spelling.mark + header).encode())
    written = data.draw(st.lists(points(problem), min_size=1, max_size=4))
    results = st.sampled_from(problem.grades) if problem.grades else st.sampled_from(["1.5", "-3"])
    texts = [data.draw(results) for _ in written]
    for values, text in zip(written, texts, strict=True):
        table = Evaluations(path, problem).table()
        append_rows(table, problem, [cells_of(table, problem, None, problem.mapping(values), text, "ok")])
    rows = Evaluations(path, problem).table().rows
    assert [row.values for row in rows] == [problem.canonical(values) for values in written]
    assert [row.text for row in rows] == texts
    places = [Decimal(problem.grades.index(text)) if problem.grades else Decimal(text) for text in texts]
    assert [row.objective for row in rows] == places


@SETTINGS
@given(problem=problems())
def test_problem_files_come_back(folder: Path, problem: Problem) -> None:
    """JSON is YAML: the file that says a problem loads as that problem."""
    assert _file(folder, problem).problem.parameters == problem.parameters


@SETTINGS
@given(data=st.data(), problem=problems())
def test_pending_points_come_back(folder: Path, data: st.DataObject, problem: Problem) -> None:
    """The state holds levels as the user has them, and takes its own."""
    file = _file(folder, problem)
    file.state.unlink(missing_ok=True)
    out = [problem.mapping(values) for values in data.draw(st.lists(points(problem), max_size=3))]
    pending = tuple(Pending(k, shown, "2026-01-01T00:00:00+00:00", 0) for k, shown in enumerate(out, 1))
    state = State(settings_digest(file.problem), 0, len(out), len(out) + 1, pending)
    save_state(file, load_state(file), state)
    found = load_state(file)
    assert (found.state, found.whole) == (state, True)
    for each in found.state.pending:
        shown = problem.mapping(problem.values(each.parameters))
        assert all(same(value, shown[name]) for name, value in each.parameters.items())


def _file(folder: Path, problem: Problem) -> ProblemFile:
    """Write a problem file, and load it."""
    parents = {each.name: each for each in problem.free}
    entries = {}
    for each in problem.free:
        entry: dict[str, object] = {"type": each.type}
        entry |= {"values": list(each.levels)} if each.levels else {"min": each.min, "max": each.max}
        if each.when:
            entry["when"] = {w.parent: [parents[w.parent].levels[k] for k in w.levels] for w in each.when}
        entries[each.name] = entry
    objective: dict[str, object] = {"name": problem.objective, "goal": problem.goal}
    objective |= {"values": list(problem.grades)} if problem.grades else {}
    path = folder / "p.yaml"
    path.write_text(json.dumps({"objective": objective, "parameters": entries}, ensure_ascii=False), "utf-8")
    return load_problem(path)
