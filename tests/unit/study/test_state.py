"""The state: derived, replaceable."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ordbo_cli.errors import DataError, FileError
from ordbo_cli.study import ProblemFile, load_problem
from ordbo_cli.study.state import Loaded, Pending, State, load_state, problem_digest, save_state, settings_digest


def sample(file: ProblemFile) -> State:
    return State(
        settings_digest(file.problem),
        0,
        step=3,
        next_id=4,
        pending=(Pending(3, {"angle": 0.1, "blades": 4, "span": 2.0}, "2026-11-27T00:00:00+00:00", 2),),
        fit={"gaps": [0.1, 1e-300], "sigma": 0.1},
        diagnostics=({"step": 0}, {"step": 1}, {"step": 2}),
    )


def test_a_state_reads_back_as_it_was_written(file: ProblemFile) -> None:
    """Every number to the last bit; the file is strict JSON with format, version and digest."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    assert load_state(file) == Loaded(state)
    content = json.loads(file.state.read_text())
    assert content["format"] == 1
    assert content["problem"] == problem_digest(file)
    assert content["ordbo"]


def test_numbers_that_are_not_json_are_refused(file: ProblemFile) -> None:
    """A NaN in the fit is a fault of the program, and leaves the old state."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    before = file.state.read_bytes()
    with pytest.raises(ValueError, match="JSON compliant"):
        save_state(file, Loaded(state), replace(state, fit={"sigma": float("nan")}))
    assert file.state.read_bytes() == before


def test_a_missing_state_begins_anew(file: ProblemFile) -> None:
    """Nothing is said about it."""
    assert load_state(file) == Loaded(State(settings_digest(file.problem), 0))


def test_a_state_cut_anywhere_is_set_aside(file: ProblemFile) -> None:
    """Every cut file is seen to be cut; the rebuilt one takes its place, the old one keeps its bytes."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    whole = file.state.read_bytes()
    for length in range(len(whole) - 2):  # without its line end it is whole
        file.state.write_bytes(whole[:length])
        found = load_state(file)
        assert not found.whole
        assert found.state == State(settings_digest(file.problem), 0)
        assert "is unreadable" in found.warnings[0]
    warnings = save_state(file, found, found.state)
    (aside,) = file.state.parent.glob("*.unreadable-*")
    assert aside.read_bytes() == whole[: len(whole) - 3]
    assert aside.name in warnings[0]
    assert load_state(file).whole


def test_the_backup_stands_in_for_a_cut_state(file: ProblemFile) -> None:
    """Its id and step are passed over: the lost state may have handed out the next ones."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    save_state(file, Loaded(state), replace(state, step=4, next_id=5))
    file.state.write_bytes(b"{")
    found = load_state(file)
    assert found.state == replace(state, step=4, next_id=5)
    assert "the copy before it is used" in found.warnings[0]
    save_state(file, found, found.state)
    assert json.loads(file.state.with_name("drag.state.json.bak").read_bytes())["step"] == 3


@pytest.mark.parametrize(
    "change",
    [
        {"pending": 3},
        {"pending": [{"id": 1}]},
        {"pending": [{"id": 0, "parameters": {}, "time": "", "rows": 0}]},
        {"pending": [{"id": 1, "parameters": {"angle": 1}, "time": "", "rows": 0}]},
        {"step": -1},
        {"step": True},
        {"next_id": 1.5},
        {"fit": []},
        {"diagnostics": [1]},
        {"settings": None},
        {"format": "1"},
        {"format": 0},
    ],
)
def test_a_state_that_holds_something_else_is_unreadable(file: ProblemFile, change: dict[str, object]) -> None:
    """Hand-made states are checked field by field."""
    save_state(file, Loaded(sample(file)), sample(file))
    file.state.write_text(json.dumps(json.loads(file.state.read_text()) | change))
    assert not load_state(file).whole


@pytest.mark.parametrize(
    "content", [b"[]", b"null", b"\xff", b'{"format": NaN}', b"[" * 100_000, b'{"format": 1' + b"0" * 5000]
)
def test_any_bytes_are_at_worst_unreadable(file: ProblemFile, content: bytes) -> None:
    """Deep nesting, huge numbers and other things than JSON included."""
    file.state.write_bytes(content)
    assert not load_state(file).whole


def test_a_newer_format_is_refused(file: ProblemFile) -> None:
    """It is neither read nor set aside."""
    file.state.write_text('{"format": 2}')
    with pytest.raises(DataError, match=r"drag\.state\.json: the state is of a newer ordbo \(format 2"):
        load_state(file)


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ("angle:", "angel:", True),
        ("type: int", "type: float", True),
        ("goal: minimize", "goal: maximize", True),
        ("name: drag", "name: lift", True),
        ("max: 12", "max: 13", False),
        ("version: 1", "version: 1\nmethod: {beta: 3}", False),
        ("version: 1", "version: 1\nseed: 3", False),
        ("{min: 0, max: 12}", "{min: 3, max: 3}", False),
    ],
)
def test_what_makes_another_problem(problem_path: Path, old: str, new: str, refused: bool) -> None:
    """Names, types and objective do; an edited bound or setting drops the fit, with a note, and nothing else."""
    file = load_problem(problem_path)
    state = sample(file)
    save_state(file, Loaded(state), state)
    problem_path.write_text(problem_path.read_text().replace(old, new))
    file = load_problem(problem_path)
    if refused:
        with pytest.raises(DataError, match="belongs to another problem"):
            load_state(file)
    else:
        found = load_state(file)
        assert found.state == replace(state, fit=None, settings=settings_digest(file.problem), seed=file.problem.seed)
        assert "bounds or settings have changed" in found.warnings[0]


def test_comments_and_the_engine_change_nothing(problem_path: Path) -> None:
    """The fit is of the same model."""
    file = load_problem(problem_path)
    save_state(file, Loaded(sample(file)), sample(file))
    problem_path.write_text("# words\n" + problem_path.read_text() + "method: {engine: gpflow}\n")
    assert load_state(load_problem(problem_path)) == Loaded(sample(file))


def test_a_state_that_cannot_be_read_is_told(file: ProblemFile) -> None:
    """A folder in its place is no cut state."""
    file.state.mkdir()
    with pytest.raises(FileError, match="cannot read it"):
        load_state(file)
