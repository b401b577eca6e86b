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
    """Every cut file is seen to be cut; the rebuilt one takes its place, the old one keeps its bytes.

    Its counts go on wherever they can still be read, and are never read by halves.
    """
    state = replace(sample(file), step=1234, next_id=5678)
    fresh = State(settings_digest(file.problem), 0)
    counts = set()
    save_state(file, Loaded(state), state)
    whole = file.state.read_bytes()
    for length in range(len(whole) - 2):  # without its line end it is whole
        file.state.write_bytes(whole[:length])
        found = load_state(file)
        assert not found.whole
        assert found.state == replace(fresh, step=found.state.step, next_id=found.state.next_id, lost=found.state.step)
        counts.add((found.state.step, found.state.next_id))
        assert "is unreadable" in found.warnings[0]
    assert counts == {(0, 1), (1234, 1235), (1234, 5678)}
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
    assert found.state == replace(state, step=4, next_id=5, lost=1)
    assert "the copy before it is used" in found.warnings[0]
    save_state(file, found, found.state)
    assert json.loads(file.state.with_name("drag.state.json.bak").read_bytes())["step"] == 3


@pytest.mark.parametrize(
    ("step", "number", "expected"),
    [(9, 12, (9, 12)), (3, 4, (4, 5)), (10**15 - 1, 10**15 - 1, (10**15 - 1, 10**15 - 1))],
)
def test_a_batch_that_a_cut_state_has_handed_out_is_passed_over(
    file: ProblemFile, step: int, number: int, expected: tuple[int, int]
) -> None:
    """The counts at its head say more than the copy before it; where they do not, one suggestion is passed over."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    save_state(file, Loaded(state), replace(state, step=step, next_id=number))
    file.state.write_bytes(file.state.read_bytes()[:-20])
    found = load_state(file).state
    assert (found.step, found.next_id) == expected
    assert found.lost == expected[0] - state.step
    assert found.pending == state.pending


def test_counts_of_another_problem_are_no_counts_of_this_one(file: ProblemFile) -> None:
    """Nor are numbers that stand elsewhere in a file that is none of ours."""
    state = sample(file)
    save_state(file, Loaded(state), replace(state, step=9, next_id=10))
    whole = file.state.read_text()
    for other in (whole.replace('"problem": "', '"problem": "x'), ' "step": 9,\n "next_id": 10,\n'):
        file.state.write_text(other[:-20] if len(other) > 100 else other)
        assert load_state(file).state == State(settings_digest(file.problem), 0)


def test_a_state_without_the_count_of_lost_suggestions(file: ProblemFile) -> None:
    """Older ones have none; it is checked where it is there."""
    save_state(file, Loaded(sample(file)), sample(file))
    content = json.loads(file.state.read_text())
    del content["lost"]
    file.state.write_text(json.dumps(content))
    assert load_state(file) == Loaded(sample(file))
    file.state.write_text(json.dumps({**content, "lost": -1}))
    assert not load_state(file).whole


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
