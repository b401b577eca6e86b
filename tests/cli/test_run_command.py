"""``ordbo run``: a study driven from its first point to its last."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.rules import Rules
from ordbo_cli.study.study import Study
from tests.cli.bowl import BOWL, PROBLEM, rows, standing

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to hold")


def test_to_the_budget(ordbo: Call, bowl: Path) -> None:
    """As many rows as the budget says, the best point on standard output, a line for each on standard error."""
    said = ordbo("run", bowl, "--budget", 7, "--", "sh", "-c", BOWL)
    assert said.status == 0
    assert [row["status"] for row in standing(bowl)] == ["ok"] * 7
    best = json.loads(said.out)
    assert best["objective"]["y"] == min(float(row["y"]) for row in standing(bowl))
    assert said.err.splitlines()[-1] == "all 7 evaluations are done"
    assert said.err.count("of 7 done") == 7
    assert [path.name for path in bowl.with_suffix(".runs").iterdir()] == [".lock"]


def test_points_of_others_are_named(ordbo: Call, bowl: Path) -> None:
    """Said once at the start, with the command that has a run evaluate them after all."""
    assert ordbo("suggest", bowl, "-n", 2).status == 0
    said = ordbo("run", bowl, "--budget", 2, "--", "sh", "-c", BOWL)
    again = f"ordbo pending retry {bowl} --id 1 --id 2"
    words = f"note: 1, 2 are out already, and in no run's hands: left alone; '{again}' has a run evaluate them"
    assert [line for line in said.err.splitlines() if "out already" in line] == [words]
    assert [row["id"] for row in rows(bowl) if row["status"] == "ok"] == ["3", "4"]
    assert ordbo(*again.split()[1:]).status == 0
    assert "out already" not in ordbo("run", bowl, "--budget", 4, "--", "sh", "-c", BOWL).err
    assert [row["id"] for row in rows(bowl) if row["status"] == "ok"] == ["3", "4", "1", "2"]


def test_a_failure_that_was_handed_out_again(ordbo: Call, bowl: Path) -> None:
    """Its old answer is none of the point that somebody evaluates now."""
    assert ordbo("run", bowl, "--budget", 2, "--", "sh", "-c", "[ $ORDBO_ID = 1 ] && echo 1").status == 0
    assert ordbo("pending", "retry", bowl, "--failed").status == 0
    assert json.loads(ordbo("suggest", bowl).out)["id"] == 2
    said = ordbo("run", bowl, "--budget", 2, "--", "echo", "3")
    assert "note: 2 is out already, and in no run's hands: left alone; " in said.err
    assert [(row["id"], row["status"]) for row in rows(bowl)][-1] == ("3", "ok")
    assert ordbo("observe", bowl, "--id", 2, "y=5").status == 0


def test_points_of_others_that_no_row_takes_back(ordbo: Call, bowl: Path) -> None:
    """They are counted: no command has a run evaluate them."""
    bowl.with_suffix(".csv").write_text("a,b,y\n1,2,\n")
    said = ordbo("run", bowl, "--budget", 1, "--", "echo", "{a}{b}")
    assert said.err.splitlines()[0] == "note: 1 point is out already, and in no run's hands: left alone"


def test_a_command_that_passes_over_values(ordbo: Call, bowl: Path) -> None:
    """One warning at the start names what is not handed over, and where it is."""
    said = ordbo("run", bowl, "--budget", 1, "--", "sh", "-c", "echo {a}")
    assert said.err.splitlines()[0] == "warning: the command does not use b (it is in ORDBO_B)"
    assert "warning" not in ordbo("run", bowl, "--budget", 2, "--", "sh", "-c", 'echo "$ORDBO_A"').err


@pytest.mark.parametrize(
    ("command", "number"), [("echo 7", 1), ("[ $ORDBO_ID = 3 ] && echo 8 || echo 7", 0), ("echo '>7'", 0)]
)
def test_first_results_that_are_all_the_same(ordbo: Call, bowl: Path, command: str, number: int) -> None:
    """One warning at the fifth: the values are perhaps not used; limits and five of many results are no sign of it."""
    said = ordbo("run", bowl, "--budget", 7, "--", "sh", "-c", command)
    assert said.status == 0
    assert said.err.count("warning: the first 5 results, at different points, are all the same") == number
    assert ("write {a} into its arguments, or have it read ORDBO_A" in said.err) == bool(number)
    assert "warning" not in ordbo("run", bowl, "--budget", 8, "--", "sh", "-c", command).err


def test_one_worker_is_the_shell_loop(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """The same points as suggest --append and observe give one after the other, bit for bit."""
    ordbo("run", bowl, "--budget", 9, "--", "sh", "-c", BOWL)
    other = tmp_path / "other.yaml"
    other.write_text(PROBLEM)
    for _ in range(9):
        point = json.loads(ordbo("suggest", other, "--append").out)
        a, b = point["parameters"].values()
        value = subprocess.run(
            ["sh", "-c", BOWL.replace("{a}", str(a)).replace("{b}", str(b))], capture_output=True, text=True, check=True
        ).stdout.strip()
        ordbo("observe", other, "--id", point["id"], f"y={value}")
    assert rows(bowl) == rows(other)


def test_a_second_run_goes_on(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """A budget counts what is there, and two runs come to the points of one."""
    for budget in (4, 9):
        assert ordbo("run", bowl, "--budget", budget, "--", "sh", "-c", BOWL).status == 0
    again = ordbo("run", bowl, "--budget", 9, "--", "sh", "-c", BOWL)
    assert (again.status, again.err.splitlines()[-1]) == (0, "all 9 evaluations are done")
    other = tmp_path / "other.yaml"
    other.write_text(PROBLEM)
    ordbo("run", other, "--budget", 9, "--", "sh", "-c", BOWL)
    assert rows(bowl) == rows(other)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_the_rest_pending(
    number: int, workers: int, bowl: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Children end, what finished stands; the same command goes on, with one worker to the undisturbed points."""
    log = tmp_path / "begun"
    slow = f'echo "$ORDBO_ID $$" >> {log}; [ $ORDBO_ID -ge 7 ] && [ ! -e {tmp_path}/go ] && sleep 60; {BOWL}'
    command = [sys.executable, "-m", "ordbo_cli", "run", str(bowl), "--budget", "10", "--workers", str(workers)]
    command += ["--", "sh", "-c", slow]
    run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: log.exists() and len(log.read_text().splitlines()) == 6 + workers)
    run.send_signal(number)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert f"{workers} point" in err
    assert "Traceback" not in err
    began = dict(map(str.split, log.read_text().splitlines()))
    for id in range(7, 7 + workers):
        with pytest.raises(ProcessLookupError):
            os.kill(int(began[str(id)]), 0)
    assert sorted(int(row["id"]) for row in standing(bowl)) == [1, 2, 3, 4, 5, 6]
    (tmp_path / "go").touch()
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    times = [line.split()[0] for line in log.read_text().splitlines()]
    assert {id: times.count(id) for id in times} == {
        **{str(id): 1 for id in range(1, 11)},
        **{str(id): 2 for id in range(7, 7 + workers)},
    }
    if workers == 1:
        other = tmp_path / "other.yaml"
        other.write_text(PROBLEM)
        calm = [*command[:3], "run", str(other), "--budget", "10", "--", "sh", "-c", BOWL]
        assert subprocess.run(calm, env=environment, capture_output=True, check=False).returncode == 0
        assert rows(bowl) == rows(other)


def test_workers_work_at_the_same_time(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """Four at once and never more, each point once, each id in one row of each kind."""
    log = tmp_path / "log"
    watched = f"echo + >> {log}; sleep 0.1; echo - >> {log}; {BOWL}"
    assert ordbo("run", bowl, "--budget", 20, "--workers", 4, "--", "sh", "-c", watched).status == 0
    running, most = 0, 0
    for mark in log.read_text().split():
        running += 1 if mark == "+" else -1
        most = max(most, running)
    assert (most, running) == (4, 0)
    assert [int(row["id"]) for row in standing(bowl)] == list(range(1, 21))
    assert len({(row["a"], row["b"]) for row in standing(bowl)}) == 20


def test_failures_are_recorded_and_keep_their_folders(ordbo: Call, bowl: Path) -> None:
    """An exit status, no number and a time-out: failed rows, a folder each, and the reason in words."""
    script = (
        "case $ORDBO_ID in 2) echo oh dear >&2; exit 3;; 3) echo nothing;; 4) sleep 60;; 5) echo nan;;"
        f" *) {BOWL};; esac"
    )
    said = ordbo("run", bowl, "--budget", 6, "--timeout", "1s", "--", "sh", "-c", script)
    assert said.status == 0
    assert [row["status"] for row in standing(bowl)] == ["ok", "failed", "failed", "failed", "failed", "ok"]
    for reason in (
        "2: failed: exit status 3",
        "3: failed: no number on standard output",
        "4: failed: no answer within",
    ):
        assert reason in said.err
    folders = bowl.with_suffix(".runs")
    assert sorted(path.name for path in folders.iterdir()) == [".lock", "2", "3", "4", "5"]
    assert (folders / "2" / "stderr").read_text() == "oh dear\n"


@pytest.mark.parametrize(("keep", "left"), [("all", ["1", "2"]), ("none", []), ("failed", ["2"])])
def test_which_folders_stay(keep: str, left: list[str], ordbo: Call, bowl: Path) -> None:
    """As --keep says."""
    script = "test $ORDBO_ID = 1 && echo 1"
    ordbo("run", bowl, "--budget", 2, "--keep", keep, "--", "sh", "-c", script)
    assert sorted(path.name for path in bowl.with_suffix(".runs").iterdir()) == [".lock", *left]


def test_retries(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """An evaluation without an answer is tried again, each time in a folder of its own, and then it counts."""
    log = tmp_path / "log"
    script = f"echo $ORDBO_ID >> {log}; [ $ORDBO_ID != 2 ] || [ $(grep -c 2 {log}) = 3 ] || exit 1; echo 1"
    said = ordbo("run", bowl, "--budget", 2, "--retries", 2, "--keep", "all", "--", "sh", "-c", script)
    assert [row["status"] for row in standing(bowl)] == ["ok", "ok"]
    assert log.read_text().split() == ["1", "2", "2", "2"]
    assert "2: exit status 1, tried again (2 of 2)" in said.err
    assert {path.name for path in bowl.with_suffix(".runs").iterdir()} == {".lock", "1", "2", "2-2", "2-3"}
    said = ordbo("run", bowl, "--budget", 3, "--retries", 1, "--", "false")
    assert [row["status"] for row in standing(bowl)] == ["ok", "ok", "failed"]


def test_what_the_budget_counts_is_said(ordbo: Call, bowl: Path) -> None:
    """Rows that were there count: how many are to go, and what has more evaluated; nothing is said of a new study."""
    bowl.with_suffix(".csv").write_text("a,b,y\n1,1,90\n2,2,nan\n3,3,5\n")
    less = ordbo("run", bowl, "--budget", 2, "--", "sh", "-c", BOWL)
    words = "--budget 2 counts all evaluations of the study: 3 are done, none to go; --budget 5 does 2 more"
    assert (less.status, less.err.splitlines()[0], less.err.splitlines()[-1]) == (0, words, "3 evaluations are done")
    more = ordbo("run", bowl, "--budget", 5, "--", "sh", "-c", BOWL)
    assert more.err.splitlines()[0] == "--budget 5 counts all evaluations of the study: 3 are done, 2 to go"
    assert len(rows(bowl)) == 5
    study = Study.open(bowl)
    assert Rules(5).on_budget(replace(study.status(), ok=0, failed=0), study.problem) == ""
    assert Rules(patience=3).on_budget(study.status(), study.problem) == ""
    assert "until it is interrupted" in Rules().on_budget(study.status(), study.problem)


def test_a_target_and_patience(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """The first value that is good enough ends a run with 0; nothing better for a while ends it with 3."""
    said = ordbo("run", bowl, "--target", "3", "--", "sh", "-c", "echo $((6 - ORDBO_ID))")
    assert (said.status, len(standing(bowl))) == (0, 3)
    assert said.err.splitlines()[-1] == "y has come to 3, the target is 3"
    other = tmp_path / "other.yaml"
    other.write_text(PROBLEM)
    said = ordbo("run", other, "--patience", 3, "--budget", 50, "--", "sh", "-c", "echo $ORDBO_ID")
    assert (said.status, len(standing(other))) == (3, 4)
    assert said.err.splitlines()[-1] == "3 evaluations have brought nothing better"


def test_patience_ends_where_everything_fails(ordbo: Call, bowl: Path) -> None:
    """Failures have brought nothing better, either: without this a run in the wrong place has no end."""
    said = ordbo("run", bowl, "--patience", 6, "--budget", 9, "--keep-going", "--", "false")
    assert (said.status, len(standing(bowl))) == (3, 6)


def test_a_maximum_has_its_target_above(ordbo: Call, bowl: Path) -> None:
    """With goal: maximize the target is reached from below."""
    bowl.write_text(PROBLEM.replace("minimize", "maximize"))
    assert ordbo("run", bowl, "--target", "3", "--budget", "9", "--", "sh", "-c", "echo $ORDBO_ID").status == 0
    assert len(standing(bowl)) == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_a_finite_space_comes_to_its_end(workers: int, ordbo: Call, tmp_path: Path) -> None:
    """Every point once, and exit status 3."""
    path = tmp_path / "small.yaml"
    path.write_text("version: 1\nobjective: {name: y, goal: minimize}\nparameters:\n  n: {type: int, min: 1, max: 7}\n")
    said = ordbo("run", path, "--workers", workers, "--", "echo", "{n}")
    assert said.status == 3
    assert sorted(row["n"] for row in standing(path)) == list("1234567")
    assert "exhausted" in said.err or "every point of the space was tried" in said.err


def test_what_is_wrong_from_the_start_costs_no_point(ordbo: Call, bowl: Path, digest: Callable[[Path], str]) -> None:
    """No command, no such program, an unknown name, a target that is no number: nothing is written."""
    before = digest(bowl.parent)
    for status, arguments in (
        (2, []),
        (66, ["--", "./no-such-program"]),
        (2, ["--", "echo", "{c}"]),
        (2, ["--target", "low", "--", "echo", "{a}"]),
        (2, ["--timeout", "10x", "--", "echo", "{a}"]),
        (2, ["--result", "../y", "--", "echo", "{a}"]),
        (2, ["--workers", "0", "--", "echo", "{a}"]),
    ):
        said = ordbo("run", bowl, *arguments)
        assert said.status == status, (arguments, said.err)
        assert "Traceback" not in said.err
    assert digest(bowl.parent) == before


def test_an_option_before_the_mark(ordbo: Call, bowl: Path) -> None:
    """A simulator's own option that stands before -- is explained; one behind it is the simulator's."""
    for own in (["--angle", "{a}"], ["--angle={a}"]):
        said = ordbo("run", bowl, "--budget", "7", "./simulate", *own)
        assert said.status == 2
        assert "put -- before its command: ordbo run PROBLEM" in said.err
    said = ordbo("run", bowl, "--bugdet", "7", "--", "sh", "-c", BOWL)
    assert (said.status, "put -- before" in said.err) == (2, False)


def test_failed_error_ends_the_run(ordbo: Call, bowl: Path) -> None:
    """Where a failure is an error, it is recorded, and nothing more is suggested."""
    bowl.write_text(PROBLEM + "failed: error\n")
    said = ordbo("run", bowl, "--", "sh", "-c", "[ $ORDBO_ID -lt 3 ] && echo 1")
    assert said.status == 65
    assert [row["status"] for row in standing(bowl)] == ["ok", "ok", "failed"]


def test_one_run_at_a_time(ordbo: Call, bowl: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """A second one on the same study is refused, and told who drives it."""
    command = [sys.executable, "-m", "ordbo_cli", "run", str(bowl), "--", "sh", "-c", f"touch {tmp_path}/on; sleep 60"]
    first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for((tmp_path / "on").exists)
        said = ordbo("run", bowl, "--", "echo", "1")
        assert said.status == 75
        assert "another 'ordbo run' drives this study" in said.err
        assert (str(first.pid) in said.err, "--lock-timeout" in said.err) == (True, False)
    finally:
        first.send_signal(signal.SIGTERM)
        first.wait(timeout=60)


def test_an_interrupt_counts_the_points_of_the_run(
    ordbo: Call, bowl: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """What somebody else asked for is pending as well, and no concern of the same command."""
    ordbo("suggest", bowl, "-n", "2", "--append")
    command = [sys.executable, "-m", "ordbo_cli", "run", str(bowl), "--", "sh", "-c", f"touch {tmp_path}/on; sleep 60"]
    run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for((tmp_path / "on").exists)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "1 point is pending: the same command goes on from there" in err.splitlines()


def test_points_of_others_are_left_alone(ordbo: Call, bowl: Path) -> None:
    """What somebody else asked for stays theirs; a result that somebody recorded first stands."""
    theirs = json.loads(ordbo("suggest", bowl, "--append").out)["id"]
    observe = f"{sys.executable} -m ordbo_cli observe {bowl} --id 3 y=5 --quiet"
    script = f"[ $ORDBO_ID = 3 ] && PYTHONPATH={Path(__file__).resolve().parents[2]} {observe}; echo $ORDBO_ID"
    said = ordbo("run", bowl, "--budget", 4, "--", "sh", "-c", script)
    assert said.status == 0
    assert {row["id"]: row["y"] for row in standing(bowl)} == {"2": "2", "3": "5", "4": "4", "5": "5"}
    assert "suggestion 3 has its answer already" in said.err
    assert [each["id"] for each in json.loads(ordbo("status", bowl, "--json").out)["pending"]] == [theirs]


def test_a_terminal_shows_a_table(ordbo: Call, bowl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the table stands in for the lines of successes; failures are said all the same."""
    monkeypatch.setenv("TERM", "xterm")
    script = "[ $ORDBO_ID != 2 ] && sleep 0.3 && echo $ORDBO_ID"
    said = ordbo("run", bowl, "--budget", 3, "--", "sh", "-c", script, terminal=True)
    assert said.status == 0
    assert "2: failed: exit status 1" in said.err
    assert "3: y=3" not in said.err
    for word in ("running", "done", "best", "time left", "of 3 (1 failed)"):
        assert word in said.err


def test_past_results_in_a_file_that_can_say_no_status(ordbo: Call, bowl: Path) -> None:
    """They count, and the file gets results alone: what is out stands in the state."""
    bowl.with_suffix(".csv").write_text("a,b,y\n1,1,90\n2,2,nan\n")
    said = ordbo("run", bowl, "--budget", 6, "--workers", 2, "--", "sh", "-c", f"[ $ORDBO_ID != 4 ] && {BOWL}")
    assert said.status == 0
    results = [row["y"] for row in rows(bowl)]
    assert len(results) == 6
    assert sorted(results[2:]).count("failed") == 1
    assert json.loads(ordbo("status", bowl, "--json").out)["pending"] == []
