"""The state: derived, replaceable."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ordbo_cli.errors import DataError, FileError
from ordbo_cli.files.handed import Pending, note_handed_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.seen import Mark
from ordbo_cli.files.state import Loaded, State, load_state, save_state, settings_digest
from ordbo_cli.study.study import Study


def sample(file: ProblemFile) -> State:
    return State(
        settings_digest(file.problem),
        0,
        step=3,
        next_id=4,
        pending=(Pending(3, {"angle": 0.1, "blades": 4, "span": 2.0}, "2026-11-27T00:00:00+00:00", 2),),
        fit={"gaps": [0.1, 1e-300], "sigma": 0.1},
        diagnostics=({"step": 0}, {"step": 1}, {"step": 2}),
        seen=(Mark("0123456789", "o", 1), Mark("abcdef0123", "p", 2)),
        gone=(2,),
    )


def handed(file: ProblemFile, *ids: int) -> tuple[Pending, ...]:
    """Hand points out, and return them."""
    points = tuple(Pending(id, {"angle": id / 8, "blades": 4, "span": 2.0}, "2026-11-27", 0) for id in ids)
    note_handed_out(file.handed, points)
    return points


def test_a_state_reads_back_as_it_was_written(file: ProblemFile) -> None:
    """Every number to the last bit; the file is strict JSON with format, version and what it belongs to."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    assert load_state(file) == Loaded(state)
    content = json.loads(file.state.read_text())
    assert content["format"] == 2
    assert content["problem"] == {"objective": "drag", "free": ["angle", "blades"], "fixed": ["span"]}
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
    assert load_state(file) == Loaded(State(settings_digest(file.problem), 0), rebuilt=True)


@pytest.mark.slow
def test_a_state_cut_anywhere_is_set_aside(file: ProblemFile) -> None:
    """Every cut file is seen to be cut; the rebuilt one takes its place, the old one keeps its bytes.

    What was handed out is known from a file of its own.
    """
    points = handed(file, 1, 2, 7)
    save_state(file, Loaded(sample(file)), sample(file))
    whole = file.state.read_bytes()
    for length in range(len(whole) - 2):  # without its line end it is whole
        file.state.write_bytes(whole[:length])
        found = load_state(file)
        assert not found.whole
        assert found.state == State(settings_digest(file.problem), 0, step=3, next_id=8, pending=points)
        assert "is unreadable" in found.warnings[0]
    warnings = save_state(file, found, found.state)
    (aside,) = file.state.parent.glob("*.unreadable-*")
    assert aside.read_bytes() == whole[: len(whole) - 3]
    assert aside.name in warnings[0]
    assert load_state(file).whole


def test_the_backup_stands_in_for_a_cut_state(file: ProblemFile) -> None:
    """What was handed out since is known from its own file."""
    state = sample(file)
    save_state(file, Loaded(state), state)
    points = handed(file, 4, 5)
    save_state(file, Loaded(state), replace(state, step=5, next_id=6))
    file.state.write_bytes(b"{")
    found = load_state(file)
    assert found.state == replace(state, next_id=6, pending=(*state.pending, *points))
    assert "the copy before it is used" in found.warnings[0]
    save_state(file, found, found.state)
    assert json.loads(file.state.with_name("drag.state.json.bak").read_bytes())["step"] == 3


def test_no_state_is_older_than_what_was_handed_out(file: ProblemFile) -> None:
    """One that somebody has put back from a copy gives no id twice; a line that was cut counts for nothing."""
    save_state(file, Loaded(sample(file)), sample(file))
    handed(file, 8, 9)
    file.handed.write_bytes(file.handed.read_bytes() + b'{"id": 12, "par')
    assert load_state(file).state.next_id == 10
    handed(file, 10)
    assert load_state(file).state.next_id == 11


def test_rows_without_an_id_keep_the_numbers_that_they_were_shown_with(
    file: ProblemFile, study: Study, csv: Callable[[str], Path]
) -> None:
    """A call that dies behind the list and before the state takes a number, and none of theirs."""
    csv("angle,blades,span,drag\n3.5,4,2,1\n4.5,5,2,2\n")
    first = study.ask(dry_run=True).id
    shown = [row.id for row in study.status().ranking]
    handed(file, first + 3)
    assert [row.id for row in study.status().ranking] == shown
    assert study.ask(dry_run=True).id == first + 4


@pytest.mark.parametrize(
    "change",
    [
        {"pending": 3},
        {"pending": [{"id": 1}]},
        {"pending": [{"id": 0, "parameters": {}, "time": "", "rows": 0}]},
        {"pending": [{"id": 1, "parameters": {"angle": True}, "time": "", "rows": 0}]},
        {"seen": "0123456789x1"},
        {"seen": "0123456789o"},
        {"gone": [0]},
        {"problem": {"objective": "drag"}},
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
    file.state.write_text('{"format": 3}')
    with pytest.raises(DataError, match=r"drag\.state\.json: the state is of a newer ordbo \(format 3"):
        load_state(file)


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ("angle:", "angel:", True),
        ("angle: {", "angel: {was: angle, ", False),
        ("parameters:", "parameters:\n  mesh: {min: 1, max: 3}", True),
        ("parameters:", "parameters:\n  mesh: {min: 1, max: 3, past: 2}", False),
        ("span: {value: 2.0}", "span: {min: 1, max: 3}", False),
        ("type: int", "type: float", False),
        ("goal: minimize", "goal: maximize", False),
        ("name: drag", "name: lift", True),
        ("max: 12", "max: 13", False),
        ("version: 1", "version: 1\nmethod: {beta: 3}", False),
        ("version: 1", "version: 1\nseed: 3", False),
        ("{min: 0, max: 12}", "{min: 3, max: 3}", False),
    ],
)
def test_what_makes_another_problem(problem_path: Path, old: str, new: str, refused: bool) -> None:
    """Names that nobody explains, and the objective's; any other change drops the fit, with a note, and no more."""
    file = load_problem(problem_path)
    state = sample(file)
    save_state(file, Loaded(state), state)
    assert old in problem_path.read_text()
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


def test_the_list_of_suggestions_is_no_link(file: ProblemFile, tmp_path: Path) -> None:
    """What somebody has put in its place is not written through."""
    canary = tmp_path / "canary"
    canary.write_text("alive")
    file.handed.symlink_to(canary)
    with pytest.raises(FileError, match="this is a link"):
        handed(file, 1)
    assert canary.read_text() == "alive"
