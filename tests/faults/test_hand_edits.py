"""Files that people and scripts change between calls, and while a call runs."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.calls import Call, Result
from tests.conftest import Tally
from tests.stand_in import Proposed, StepInput, search_modules

HEAD = "id,angle,blades,span,drag,status\n"
ROWS = ("1,3.0,4,2.0,0.5,ok\n", "2,4.0,4,2.0,0.25,ok\n", "3,5.0,4,2.0,,pending\n", "4,6.0,4,2.0,,failed\n")


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Put a search in place that counts, and does something else meanwhile."""
    meanwhile: list[Callable[[], None]] = []

    def propose(given: StepInput, **_: Any) -> Proposed:
        for action in meanwhile:
            action()
        return Proposed((round(0.01 * (given.step + 1), 2), 4), {})

    for name, module in search_modules(propose).items():
        monkeypatch.setitem(sys.modules, name, module)
    return meanwhile.append


@pytest.fixture
def drag(shared: Path, light: object) -> Path:
    """A study with four rows, of which the third waits."""
    shared.with_suffix(".csv").write_text(HEAD + "".join(ROWS))
    return shared


def files(path: Path) -> dict[str, bytes]:
    """Return every file of the study but the lock, which names who held it last."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}


def taken(end: Result) -> set[int]:
    """Return the ids that ``status --json`` shows."""
    assert end.status == 0, end.err
    found = json.loads(end.out)
    return {row["id"] for key in ("ranking", "pending", "retry") for row in found[key]}


EDITS: dict[str, Callable[[str], str]] = {
    "a result deleted": lambda text: text.replace(ROWS[0], ""),
    "the pending row deleted": lambda text: text.replace(ROWS[2], ""),
    "rows in another order": lambda text: HEAD + "".join(reversed(ROWS)),
    "an objective changed": lambda text: text.replace(",0.5,ok", ",0.125,ok"),
    "a parameter changed": lambda text: text.replace("1,3.0", "1,3.5"),
    "an id removed": lambda text: text.replace("2,4.0", ",4.0"),
    "an id doubled": lambda text: text.replace("2,4.0", "1,4.0"),
    "columns in another order": lambda text: "".join(
        ",".join(reversed(line.split(","))) + "\n" for line in text.splitlines()
    ),
    "a column added": lambda text: "".join(f"{line},note\n" for line in text.splitlines()),
    "a huge id": lambda text: text.replace("1,3.0", f"{10**12},3.0"),
    "all rows deleted": lambda text: HEAD,
    "the file emptied": lambda text: "",
    "a comment added": lambda text: "# mended by hand\n" + text,
    "saved with CRLF": lambda text: text.replace("\n", "\r\n"),
    "saved with semicolons": lambda text: text.replace(",", ";"),
    "saved with a byte-order mark": lambda text: "\ufeff" + text,
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_csv_edited_by_hand(ordbo: Call, drag: Path, edit: str, tally: Tally) -> None:
    """The next calls go on from what stands there: no id comes twice, no byte is changed."""
    csv = drag.with_suffix(".csv")
    first = json.loads(ordbo("suggest", drag, "--append").out)["id"]
    csv.write_bytes(EDITS[edit](csv.read_text()).encode())
    edited = csv.read_bytes()
    known = taken(ordbo("status", drag, "--json", "--rows", 100)) | {first}
    fresh = ordbo("suggest", drag, "--append")
    assert fresh.status == 0, fresh.err
    assert json.loads(fresh.out)["id"] > max(known - {None} | {0})
    told = ordbo("observe", drag, "--id", json.loads(fresh.out)["id"], "drag=0.03125")
    assert told.status == 0, told.err
    assert csv.read_bytes().startswith(edited)
    assert json.loads(ordbo("best", drag).out)["id"] == json.loads(fresh.out)["id"]
    tally("edits by hand", 1)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda text: text.replace("drag,status", "lift,status"), "there is no column 'drag'"),
        (lambda text: text[:-9], "cells stand below 6 columns. Is it cut?"),
        (lambda text: text.replace("0.25", "0,25"), "Numbers with commas need quotation marks"),
        (lambda text: text.replace("0.25", "0.2.5"), "column 'drag': '0.2.5' is not a number"),
        (lambda text: text.replace("pending", "running"), "'running' is no status"),
        (lambda text: text.replace("1,3.0", "1.5,3.0"), "'1.5' is no id"),
        (lambda text: text.replace("3.0", ""), "column 'angle': it is empty"),
        (lambda text: text.replace("0.25", '"0.25'), "quotation mark"),
    ],
)
def test_an_edit_that_cannot_be_read(
    ordbo: Call, drag: Path, edit: Callable[[str], str], words: str, tally: Tally
) -> None:
    """Every command says where, and changes nothing until it is mended."""
    ordbo("suggest", drag)
    csv = drag.with_suffix(".csv")
    sound = csv.read_text()
    csv.write_text(edit(sound))
    before = files(drag)
    for command in (("suggest",), ("observe", "--id", 3, "drag=1"), ("status",), ("best",), ("check",)):
        end = ordbo(command[0], drag, *command[1:])
        assert (end.status, end.out) == (65, "")
        assert f"{csv}:" in end.err
        assert words in end.err
    assert files(drag) == before
    csv.write_text(sound)
    assert ordbo("observe", drag, "--id", 3, "drag=1").status == 0
    tally("edits by hand", 1)


@pytest.mark.parametrize(
    "pieces",
    [
        (",7.0,4,2.0,0.75,ok\n",),
        (",7.0,4,2.0,0.75,ok\n,8.0,4,2.0,0.875,ok\n",),
        ("", ",7.0,4,2.0,0.75,ok\n"),
    ],
)
@pytest.mark.parametrize("append", [(), ("--append",)])
def test_a_script_appends_while_a_call_runs(
    ordbo: Call, drag: Path, light: Callable[[Callable[[], None]], None], pieces: tuple[str, ...], append: Any
) -> None:
    """Its rows stand whole beside ours."""
    csv = drag.with_suffix(".csv")
    left = list(pieces)

    def script() -> None:
        with csv.open("a") as file:
            file.write(left.pop(0) if left else "")

    light(script)
    for _ in pieces:
        assert ordbo("suggest", drag, *append).status == 0
    lines = csv.read_text().splitlines(keepends=True)
    for row in "".join(pieces).splitlines(keepends=True):
        assert row in lines
    assert ordbo("check", drag).status == 0


@pytest.mark.parametrize("cut", range(1, 19))
def test_a_script_that_stops_in_the_middle_of_a_row(
    ordbo: Call, drag: Path, light: Callable[[Callable[[], None]], None], cut: int, tally: Tally
) -> None:
    """Ours begins a line of its own; the half row is told, or it is one that reads as a whole row and stands."""
    csv, row = drag.with_suffix(".csv"), ",7.0,4,2.0,0.75,ok\n"

    def script() -> None:
        with csv.open("a") as file:
            file.write(row[:cut])

    light(script)
    before = csv.read_bytes()
    point = ordbo("suggest", drag, "--append")
    assert point.status == 0
    id = json.loads(point.out)["id"]
    lines = csv.read_bytes()[len(before) :].decode().split("\n")
    assert lines[0] == row[:cut].rstrip("\n")
    assert lines[1].startswith(f"{id},")
    check = ordbo("check", drag)
    assert check.status == (0 if cut == 1 or row[cut:] in ("ok\n", "\n") else 65)  # a comma alone is a blank row
    if check.status:
        assert f"{csv}:6:" in check.err
    tally("half rows", 1)


def test_a_script_in_the_middle_of_a_row_is_waited_for(
    ordbo: Call, drag: Path, light: Callable[[Callable[[], None]], None]
) -> None:
    """0.7 of a 0.75 that is being written would read as a result."""
    csv = drag.with_suffix(".csv")
    before = csv.read_text()

    def script() -> None:
        with csv.open("a") as file:
            file.write(",7.0,4,2.0,0.7")
        threading.Timer(0.02, finish).start()

    def finish() -> None:
        with csv.open("a") as file:
            file.write("5,ok\n")

    light(script)
    assert ordbo("suggest", drag, "--append").status == 0
    assert csv.read_text().startswith(before + ",7.0,4,2.0,0.75,ok\n5,")


@pytest.mark.parametrize(
    ("backup", "every"),
    [
        ("whole", 7),
        ("cut", 29),
        ("none", 29),
        *(pytest.param(backup, 1, marks=pytest.mark.faults_long) for backup in ("whole", "cut", "none")),
    ],
)
def test_a_state_cut_anywhere(ordbo: Call, drag: Path, backup: str, every: int, tally: Tally) -> None:
    """It is set aside and told, nothing in the CSV is lost, and no id comes twice."""
    for _ in range(2):
        ordbo("suggest", drag, "--append")
    state, csv = drag.with_name("drag.state.json"), drag.with_suffix(".csv")
    handed = drag.with_name("drag.suggestions.jsonl")
    content, rows, points = state.read_bytes(), csv.read_bytes(), handed.read_bytes()
    spare = {"whole": state.with_name("drag.state.json.bak").read_bytes(), "cut": b"{", "none": None}[backup]
    cuts = range(0, len(content) - 1, every)  # without its last line end it is whole
    for cut in cuts:
        for old in drag.parent.glob("drag.state*"):
            old.unlink()
        csv.write_bytes(rows)
        handed.write_bytes(points)
        state.write_bytes(content[:cut])
        if spare is not None:
            state.with_name("drag.state.json.bak").write_bytes(spare)
        end = ordbo("suggest", drag)
        assert (end.status, json.loads(end.out)["id"]) == (0, 7), cut
        assert "the state is unreadable" in end.err
        assert [path.read_bytes() for path in drag.parent.glob("*.unreadable-*")] == [content[:cut]]
        assert csv.read_bytes() == rows
        again = ordbo("suggest", drag)
        assert (again.err, json.loads(again.out)["id"]) == ("", 8)
    tally("cut states", len(cuts))


def test_states_that_belong_elsewhere(ordbo: Call, drag: Path) -> None:
    """One of a newer format, and one of another problem, are refused and stay."""
    ordbo("suggest", drag)
    state = drag.with_name("drag.state.json")
    found = json.loads(state.read_text())
    other = found["problem"] | {"objective": "lift"}
    for change, words in (({"format": 99}, "newer ordbo"), ({"problem": other}, "belongs to another problem")):
        state.write_text(json.dumps(found | change))
        before = files(drag)
        for command in (("suggest",), ("observe", "--id", 3, "drag=1"), ("status",), ("check",)):
            end = ordbo(command[0], drag, *command[1:])
            assert (end.status, words in end.err) == (65, True)
        assert files(drag) == before
