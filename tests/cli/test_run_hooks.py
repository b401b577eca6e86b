"""Hooks of ``ordbo run``: what they are given, and that nothing they do hurts the run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bowl import BOWL, standing

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
TELL = """\
#!/bin/sh
cd "${0%/*}"
{ env | grep ^ORDBO_ | sort; grep "^$ORDBO_ID,.*,$ORDBO_STATUS" bowl.csv; cat; } >"told-$ORDBO_EVENT-$ORDBO_ID"
"""
FAILS_AT_2 = '[ "$ORDBO_ID" = 2 ] && exit 3; ' + BOWL


@pytest.fixture
def tell(bowl: Path) -> Path:
    """A hook that writes down what it is given, and the row that it finds."""
    path = bowl.with_name("tell.sh")
    path.write_text(TELL)
    path.chmod(0o755)
    return path


def told(bowl: Path, event: str) -> dict[int, list[str]]:
    """Return what a hook has written, by id."""
    found = (path for path in bowl.parent.glob(f"told-{event}-*"))
    return {int(path.name.rpartition("-")[2]): path.read_text().splitlines() for path in found}


def test_a_hook_knows_what_happened(ordbo: Call, bowl: Path, tell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In variables and as JSON, when the row is on disk; a failure has no result, whatever the shell had before."""
    monkeypatch.setenv("ORDBO_Y", "an old one")
    said = ordbo("run", bowl, "--budget", 3, "--on-result", tell, "--", "sh", "-c", FAILS_AT_2)
    assert said.status == 0
    rows = {int(row["id"]): row for row in standing(bowl)}
    found = told(bowl, "result")
    assert found.keys() == rows.keys() == {1, 2, 3}
    for id, (*lines, row, line) in found.items():
        variables = dict(each.split("=", 1) for each in lines)
        assert variables == {
            "ORDBO_A": rows[id]["a"],
            "ORDBO_B": rows[id]["b"],
            "ORDBO_EVENT": "result",
            "ORDBO_ID": str(id),
            "ORDBO_PROBLEM": str(bowl),
            "ORDBO_STATUS": rows[id]["status"],
            **({"ORDBO_Y": rows[id]["y"]} if rows[id]["y"] else {}),
        }
        assert row == ",".join(rows[id].values())
        content = json.loads(line)
        assert content["told"]["objective"] == (float(rows[id]["y"]) if rows[id]["y"] else None)
        assert content["told"]["seconds"] > 0
        assert content["counts"]["ok"] == sum(rows[k]["status"] == "ok" for k in range(1, id + 1))
        assert content["best"]["objective"]["y"] == min(float(rows[k]["y"]) for k in range(1, id + 1) if rows[k]["y"])
    assert json.loads(found[2][-1])["told"]["note"] == "exit status 3"


def test_a_hook_of_the_best_is_called_for_better_ones(ordbo: Call, bowl: Path, tell: Path) -> None:
    """For each result that none before it reaches, and for no other one."""
    assert ordbo("run", bowl, "--budget", 8, "--on-best", tell, "--", "sh", "-c", BOWL).status == 0
    values = {int(row["id"]): float(row["y"]) for row in standing(bowl)}
    better = {id for id in values if all(values[id] < values[k] for k in range(1, id))}
    assert told(bowl, "best").keys() == better
    assert 1 < len(better) < 8


def test_a_hook_of_the_best_is_called_for_the_front(ordbo: Call, bowl: Path, tell: Path) -> None:
    """Of several objectives it is what comes onto the front."""
    bowl.write_text(
        bowl.read_text().replace("objective: {name: y, goal: minimize}", "objectives: {y: minimize, z: maximize}")
    )
    simulate = 'echo "{\\"y\\": $ORDBO_ID, \\"z\\": $((ORDBO_ID == 3 ? 0 : ORDBO_ID))}"'
    assert ordbo("run", bowl, "--budget", 4, "--on-best", tell, "--", "sh", "-c", simulate).status == 0
    assert told(bowl, "best").keys() == {1, 2, 4}
    assert "ORDBO_Z=4" in told(bowl, "best")[4]


def test_a_hook_that_fails_hurts_nothing(ordbo: Call, bowl: Path) -> None:
    """The run ends as without it; one warning tells why, and one at the end how often."""
    hook = "sh -c 'echo cannot send >&2; exit 4'"
    said = ordbo("run", bowl, "--budget", 4, "--on-result", hook, "--", "sh", "-c", BOWL)
    assert (said.status, len(standing(bowl))) == (0, 4)
    lines = [line for line in said.err.splitlines() if "--on-result" in line]
    name = "warning: --on-result sh -c 'echo cannot send >&2; exit 4'"
    assert lines == [
        f"{name} ended with exit status 4: cannot send; the run goes on",
        f"{name} failed 4 times of 4",
    ]


def test_a_hook_that_vanishes_hurts_nothing(ordbo: Call, bowl: Path, tell: Path) -> None:
    """Somebody deletes its program while the run goes on."""
    tell.write_text('#!/bin/sh\nrm "$0"\n')
    said = ordbo("run", bowl, "--budget", 3, "--on-result", tell, "--", "sh", "-c", BOWL)
    assert (said.status, len(standing(bowl))) == (0, 3)
    assert f"warning: --on-result {tell} cannot be called: No such file or directory; the run goes on" in said.err
    assert said.err.count("the run goes on") == 1


def test_what_a_hook_prints_is_none_of_the_output(ordbo: Call, bowl: Path) -> None:
    """One note says that it is not shown, its control characters harmless."""
    said = ordbo("run", bowl, "--budget", 3, "--on-result", "printf 'a\\033[2Jb'", "--", "sh", "-c", BOWL)
    assert json.loads(said.out)["id"] in (1, 2, 3)
    notes = [line for line in said.err.splitlines() if line.startswith("note: what")]
    assert len(notes) == 1
    assert "a\\x1b[2Jb" in notes[0]


def test_no_point_waits_for_a_hook(ordbo: Call, bowl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call ends when the third evaluation has begun: had the run waited for it, it had been cut short."""
    hook = "sh -c 'while [ ! -e begun-3 ]; do sleep 0.05; done'"
    simulate = f'cd "{bowl.parent}" && touch "begun-$ORDBO_ID" && {BOWL}'
    monkeypatch.chdir(bowl.parent)
    said = ordbo("run", bowl, "--budget", 3, "--on-result", hook, "--hook-timeout", 20, "--", "sh", "-c", simulate)
    assert said.status == 0
    assert "--on-result" not in said.err


def test_a_hook_that_hangs_is_ended_with_what_it_started(
    ordbo: Call, bowl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a hook beside it is called all the same; calls that were not made are counted."""
    monkeypatch.chdir(bowl.parent)
    hangs = "sh -c 'sleep 1000 & echo $! >child; wait'"
    options = ("--on-result", hangs, "--on-result", "touch beside", "--hook-timeout", 1)
    said = ordbo("run", bowl, "--budget", 3, *options, "--", "sh", "-c", BOWL)
    assert (said.status, len(standing(bowl))) == (0, 3)
    assert said.err.count("took longer than 1 s, and was ended") <= 1
    assert "not made or cut short, as the run was at its end" in said.err
    assert (bowl.parent / "beside").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int((bowl.parent / "child").read_text()), 0)


def test_a_call_that_takes_too_long_is_ended_while_the_run_goes_on(
    ordbo: Call, bowl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call after it is made: the third evaluation waits for that one, and fails where it never comes."""
    monkeypatch.chdir(bowl.parent)
    hook = """sh -c '[ "$ORDBO_ID" = 1 ] && exec sleep 1000; touch "called-$ORDBO_ID"'"""
    waits = "for turn in $(seq 200); do [ -e called-2 ] && break; sleep 0.1; done; [ -e called-2 ] || exit 9; "
    simulate = f'[ "$ORDBO_ID" = 3 ] && {{ {waits} }}; {BOWL}'
    said = ordbo("run", bowl, "--budget", 3, "--on-result", hook, "--hook-timeout", 1, "--", "sh", "-c", simulate)
    assert [row["status"] for row in standing(bowl)] == ["ok"] * 3
    assert "took longer than 1 s, and was ended; the run goes on" in said.err


@pytest.mark.parametrize(
    ("hook", "status", "words"),
    [
        ("no-such-program", 66, "--on-best: there is no program 'no-such-program' on the PATH"),
        ("./bowl.yaml", 2, "is not executable"),
        ("sh 'a", 2, "--on-best is sh 'a: no closing quotation"),
        ("  ", 2, "--on-best is empty"),
    ],
)
def test_a_hook_that_cannot_be_is_refused(
    ordbo: Call, bowl: Path, monkeypatch: pytest.MonkeyPatch, hook: str, status: int, words: str
) -> None:
    """Before any point is asked for."""
    monkeypatch.chdir(bowl.parent)
    said = ordbo("run", bowl, "--budget", 3, "--on-best", hook, "--", "sh", "-c", BOWL)
    assert said.status == status
    assert words in said.err
    assert not bowl.with_suffix(".csv").exists()


def test_names_that_a_hook_could_not_tell_apart(ordbo: Call, bowl: Path) -> None:
    """They are refused where there is a hook, and there alone."""
    bowl.write_text(bowl.read_text().replace("  a:", "  event:"))
    said = ordbo("run", bowl, "--budget", 1, "--on-best", "true", "--", "echo", "1")
    assert said.status == 78
    assert "'event' would be the variable ORDBO_EVENT of a hook, which says something else" in said.err
    assert ordbo("run", bowl, "--budget", 1, "--", "echo", "1").status == 0


@pytest.mark.parametrize("hook", ["echo $ORDBO_ID", "echo a | cat", "echo a > b"])
def test_a_hook_that_wants_a_shell_is_warned_of(ordbo: Call, bowl: Path, hook: str) -> None:
    """It is called without one, as it stands."""
    said = ordbo("run", bowl, "--budget", 1, "--on-result", hook, "--", "echo", "1")
    assert "is called without a shell, which" in said.err
    said = ordbo("run", bowl, "--budget", 2, "--on-result", f"sh -c {hook!r}", "--", "echo", "1")
    assert "without a shell" not in said.err
