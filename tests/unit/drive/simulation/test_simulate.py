"""One simulation: every way to hand over a point, and every way to answer."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import shlex
import signal
import sys
import threading
from pathlib import Path

import pytest

from ordbo_cli.cli.output import ShownPoint, render
from ordbo_cli.drive.processes.children import CHILDREN
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.folders import read_answer
from ordbo_cli.drive.simulation.simulate import Answer, Job, simulate
from ordbo_cli.errors import FileError, MissingFileError, OrdboError, UsageError
from tests.unit.drive.conftest import PARAMETERS, PROBLEM, MakeJob, pid_in, runs

LINE = render("json", ShownPoint(17, PARAMETERS))


def answered(job: Job) -> str:
    """Return the objective that a job answers, which must be one."""
    answer = simulate(job)
    assert answer.fault == ""
    assert answer.objective is not None
    return answer.objective


def fault(job: Job) -> str:
    """Return the fault that a job answers, which must be one."""
    answer = simulate(job)
    assert answer.objective is None
    assert not answer.stopped
    return answer.fault


def test_a_point_as_arguments(make_job: MakeJob) -> None:
    """With id and folder."""
    job = make_job("sh", "-c", 'echo "$# $*" >&2; echo {n}', "x", "{wall shear}", "{mesh}", "{folder}")
    assert answered(job) == "4"
    assert (job.folder / "stderr").read_text() == f"3 1e-05 a b {job.folder}\n"


def test_a_point_as_environment(make_job: MakeJob) -> None:
    """All of it."""
    job = make_job("sh", "-c", 'echo "$ORDBO_ID $ORDBO_FOLDER $ORDBO_MESH $ORDBO_N"; echo $ORDBO_WALL_SHEAR')
    assert answered(job) == "1e-05"
    assert (job.folder / "stdout").read_text() == f"17 {job.folder} a b 4\n1e-05\n"


def test_a_point_on_standard_input(make_job: MakeJob) -> None:
    """The very line that 'ordbo suggest' prints."""
    assert answered(make_job("sh", "-c", "cat >&2; echo 1", stdin=True)) == "1"
    job = make_job("sh", "-c", "cat >&2; echo 1", stdin=True)
    simulate(job)
    assert (job.folder / "stderr").read_text() == LINE


def test_standard_input_is_empty_otherwise(make_job: MakeJob) -> None:
    """A simulator that reads it does not wait for somebody to type."""
    assert answered(make_job("sh", "-c", "wc -c")) == "0"


def test_a_point_in_a_template(make_job: MakeJob, tmp_path: Path) -> None:
    """Written into the run folder with the template's permissions, folders made; bytes that are no UTF-8 stay."""
    template = tmp_path / "case.tpl"
    template.write_bytes(b"#!/bin/sh\n# M\xfcller {mesh}\necho {n}\n")
    template.chmod(0o755)
    job = make_job("{folder}/a/case.sh", template=template, input="a/case.sh")
    assert answered(job) == "4"
    assert (job.folder / "a" / "case.sh").read_bytes() == b"#!/bin/sh\n# M\xfcller a b\necho 4\n"


def test_inside_and_outside_the_run_folder(make_job: MakeJob, tmp_path: Path) -> None:
    """Called where the command was typed, or in the run folder."""
    script = tmp_path / "sim"
    script.write_text("#!/bin/sh\npwd -P >&2\necho 1\n")
    script.chmod(0o755)
    for in_folder in (False, True):
        job = make_job("./sim", in_folder=in_folder)
        assert answered(job) == "1"
        where = job.folder if in_folder else tmp_path
        assert (job.folder / "stderr").read_text().strip() == os.path.realpath(where)


def test_what_is_left_for_people(make_job: MakeJob) -> None:
    """The point, the command line as a shell takes it, and the answer."""
    job = make_job("sh", "-c", "sleep 0.05; echo 0.10", "{mesh}")
    answer = simulate(job)
    assert (job.folder / "point.json").read_text() == LINE
    assert shlex.split((job.folder / "command").read_text()) == ["sh", "-c", "sleep 0.05; echo 0.10", "a b"]
    assert json.loads((job.folder / "answer.json").read_text())["objective"] == "0.10"
    assert read_answer(job.folder) == answer
    assert answer.seconds >= 0.05


@pytest.mark.parametrize(
    ("content", "objective"), [("0.31\n", "0.31"), ("7 lift\n0.31 drag\n", "0.31"), ('{"drag": null}', "failed")]
)
def test_a_result_file_holds_the_answer(make_job: MakeJob, content: str, objective: str) -> None:
    """A number, Dakota's lines or JSON; standard output means nothing then."""
    script = f"echo 7; printf %s {shlex.quote(content)} > case/r.out"
    job = make_job("sh", "-c", f"mkdir case; {script}", result="case/r.out", in_folder=True)
    assert answered(job) == objective


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 7", "r.out: there is no such file"),
        (": > r.out", "r.out: it is empty"),
        ("mkdir r.out", "r.out: this is no regular file"),
        ("mkfifo r.out", "r.out: this is no regular file"),
        ("echo 3mm > r.out", "r.out:1:1: '3mm' is not a number"),
        ("printf '\\377' > r.out", "r.out: the file is not UTF-8 text"),
        ("echo 1 > r.out; truncate -s 20M r.out || dd if=/dev/zero of=r.out bs=1048576 count=20", "longer than 16 MiB"),
        ("echo -inf > r.out", "r.out: drag: -inf would be the best value of all"),
    ],
)
def test_a_result_file_that_is_none(make_job: MakeJob, script: str, words: str) -> None:
    """Each with its reason."""
    assert words in fault(make_job("sh", "-c", script, result="r.out", in_folder=True))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 7; exit 3", "exit status 3"),
        ("echo 7; kill -SEGV $$", "ended by signal 11 (SIGSEGV)"),
        ("echo 7; kill -KILL $$", "ended by signal 9 (SIGKILL)"),
        ("exit 127", "exit status 127 (a program was not found)"),
        ("echo oh dear >&2; exit 126", "exit status 126 (a program cannot be executed): oh dear"),
        ("echo a >&2; echo 'b ' >&2; exit 3", "exit status 3: b"),
        ("echo done", "no number on standard output: the last line is 'done'"),
        ("echo -inf", "standard output: drag: -inf would be the best value of all"),
    ],
)
def test_failures_have_reasons(make_job: MakeJob, script: str, words: str) -> None:
    """Whatever was printed before."""
    job = make_job("sh", "-c", script)
    assert fault(job) == words
    assert read_answer(job.folder) is not None


def test_words_for_a_failure_are_answers(make_job: MakeJob) -> None:
    """The simulator itself says that it failed."""
    assert answered(make_job("echo", "nan")) == "nan"
    assert answered(make_job("echo", "failed")) == "failed"


def refusal(job: Job) -> OrdboError:
    """Return the error of a job that cannot start; no answer is left for a later run."""
    with pytest.raises((MissingFileError, UsageError)) as caught:
        simulate(job)
    assert read_answer(job.folder) is None
    error: OrdboError = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # as from a cluster's worker
    assert (type(error), str(error)) == (type(caught.value), str(caught.value))
    return error


def test_a_program_that_cannot_start(make_job: MakeJob, tmp_path: Path) -> None:
    """It was there when the command was checked: that is no property of the point."""
    script = tmp_path / "sim"
    script.write_text("#!/bin/sh\necho 1\n")
    script.chmod(0o755)
    job = make_job("./sim")
    script.chmod(0o644)
    if os.access(script, os.X_OK):
        assert answered(job) == "1"
    else:
        assert "is not executable. Make it so: chmod +x" in str(refusal(job))
    script.unlink()
    assert str(refusal(job)) == f"{tmp_path}/sim: there is no such program. Is the path right?"
    script.mkdir()
    assert "is a folder, no program" in str(refusal(job))
    (tmp_path / "gone").mkdir()
    job = Job(1, 1, PARAMETERS, tmp_path / "runs" / "1", Command(("true",), tmp_path / "gone"), PROBLEM)
    (tmp_path / "gone").rmdir()
    assert f"cannot start true in {tmp_path / 'gone'}: No such file or directory" in str(refusal(job))


@pytest.mark.parametrize(
    ("words", "message", "status"),
    [
        (["{mesh}/sim"], "there is no such program", 66),
        (["sh", "-c", "no-such-program; exit"], "exit status 127 (a program was not found): ", 66),
        (["sh", "-c", "exec /dev/null"], "exit status 126 (a program cannot be executed): ", 2),
        (["env", "no-such-program"], "exit status 127 (a program was not found): env: ", 66),
        (["./broken"], "exit status 127 (a program was not found)", 66),
    ],
)
def test_what_a_shell_cannot_start(
    make_job: MakeJob, tmp_path: Path, words: list[str], message: str, status: int
) -> None:
    """It says so on standard error, and by its exit status; the hint says that nothing is lost."""
    job = make_job("sh", "-c", "true")
    (tmp_path / "broken").write_text("#!/bin/sh\n")
    (tmp_path / "broken").chmod(0o755)
    job = dataclasses.replace(job, command=Command.prepare(PROBLEM, words, cwd=tmp_path))
    (tmp_path / "broken").write_text("#!/usr/bin/env no-such-interpreter\n")
    error = refusal(job)
    assert message in error.message
    assert error.exit_status == status
    assert error.hint


def test_a_script_without_an_interpreter_line_is_for_sh(make_job: MakeJob, tmp_path: Path) -> None:
    """As in a shell."""
    script = tmp_path / "sim"
    script.write_text('echo "$1"\n')
    script.chmod(0o755)
    assert answered(make_job("./sim", "{n}")) == "4"


def test_no_room_for_a_process_is_no_failure(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """The point had nothing to do with it: the driver gets an error."""

    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(CHILDREN, "run", refuse)
    job = make_job("true")
    with pytest.raises(FileError, match="cannot start it: Resource temporarily unavailable"):
        simulate(job)
    assert read_answer(job.folder) is None


def test_a_huge_output_is_read_from_its_end(make_job: MakeJob) -> None:
    """Only whole lines of the last megabyte; where there is no line end, only whole words."""
    job = make_job("sh", "-c", "yes 'drag = 1' | head -c 3000000; echo; echo drag = 0.31")
    assert answered(job) == "0.31"
    words = f"import sys; sys.stdout.write('12345' + ' y' * {(1 << 19) - 1})"
    assert fault(make_job(sys.executable, "-c", words)).startswith("no number on standard output: the last line is")


def test_a_script_may_open_its_streams_anew(make_job: MakeJob) -> None:
    """What it writes after that leaves no hole of NUL characters."""
    job = make_job("sh", "-c", "echo a long line first; echo b > /dev/stdout; echo 0.31")
    assert answered(job) == "0.31"
    assert b"\0" not in (job.folder / "stdout").read_bytes()


def test_a_timeout_ends_all_that_was_started(make_job: MakeJob) -> None:
    """Grandchildren, too."""
    job = make_job("sh", "-c", "sleep 100 & echo $! > pid; echo 7; sleep 100", in_folder=True, timeout=0.5)
    assert fault(job) == "no answer within 0.5 s"
    assert not runs(pid_in(job.folder / "pid"))


@pytest.mark.slow
def test_a_timeout_ends_who_does_not_listen(make_job: MakeJob) -> None:
    """SIGKILL follows SIGTERM."""
    script = "trap '' TERM; sleep 100 & echo $! > pid; sleep 100; sleep 100"
    job = make_job("sh", "-c", script, in_folder=True, timeout=0.5)
    assert fault(job) == "no answer within 0.5 s"
    assert not runs(pid_in(job.folder / "pid"))


@pytest.mark.slow
def test_a_process_left_behind_holds_nothing_up(make_job: MakeJob) -> None:
    """It holds standard output open; it gets a second to end by itself and is ended then."""
    job = make_job("sh", "-c", "sleep 100 & echo $! > pid; echo 0.31", in_folder=True, timeout=60)
    assert answered(job) == "0.31"
    assert not runs(pid_in(job.folder / "pid"))


def test_a_process_left_behind_may_end_its_work(make_job: MakeJob) -> None:
    """As a tee that writes the last lines after the script ended."""
    assert answered(make_job("sh", "-c", "(sleep 0.2; echo 0.31) & echo 7")) == "0.31"


def test_an_attempt_begins_in_an_empty_folder(make_job: MakeJob) -> None:
    """What a killed run left there, even read-only, is gone: no old result is taken for a new one."""
    script = "ls; echo 0.31 > r.out; mkdir -p a/b; touch a/b/c; chmod -R a-w a"
    job = make_job("sh", "-c", script, result="r.out", in_folder=True)
    assert answered(job) == "0.31"
    again = make_job("ls", result="r.out", in_folder=True)
    assert fault(again) == "r.out: there is no such file"
    assert sorted((job.folder / "stdout").read_text().split()) == ["command", "point.json", "stderr", "stdout"]


def test_files_of_others_are_not_deleted(make_job: MakeJob) -> None:
    """A folder that happens to have a run's name."""
    job = make_job("true")
    job.folder.mkdir(parents=True)
    (job.folder / "thesis.tex").write_text("all of it")
    with pytest.raises(FileError, match="holds files that are of no run"):
        simulate(job)
    assert (job.folder / "thesis.tex").read_text() == "all of it"


@pytest.mark.slow
def test_a_simulator_may_delete_its_folder(make_job: MakeJob) -> None:
    """Its answer was printed all the same."""
    assert answered(make_job("sh", "-c", 'echo 0.31; rm -r "$ORDBO_FOLDER"')) == "0.31"
    assert answered(make_job("sh", "-c", "rm *; sleep 1.5; echo 0.31", in_folder=True)) == "0.31"


def test_a_job_that_somebody_else_took_over_is_ended(make_job: MakeJob) -> None:
    """A cluster gave it to another worker, or the driver was started anew: one of the two goes on."""
    job = make_job("sh", "-c", "[ -e ../second ] && echo 2 && exit; echo $$ > ../first; sleep 100", in_folder=True)
    found: list[Answer] = []
    first = threading.Thread(target=lambda: found.append(simulate(job)))
    first.start()
    pid = pid_in(job.folder.parent / "first")
    (job.folder.parent / "second").touch()
    assert answered(job) == "2"
    first.join(30)
    assert found[0].stopped
    assert not runs(pid)
    answer = read_answer(job.folder)
    assert answer is not None
    assert answer.objective == "2"


def test_a_stopped_driver_gets_no_answers(make_job: MakeJob) -> None:
    """Neither from a job that runs, nor from one that has not begun; after a reset all is as before."""
    job, later = make_job("sh", "-c", "echo $$ > pid; sleep 100", in_folder=True), make_job("echo", "1", id=18)
    found: list[Answer] = []
    thread = threading.Thread(target=lambda: found.append(simulate(job)))
    thread.start()
    pid = pid_in(job.folder / "pid")
    CHILDREN.end(grace=5)
    assert not runs(pid)
    thread.join(30)
    assert found[0].stopped
    assert read_answer(job.folder) is None
    assert simulate(later).stopped
    assert not later.folder.exists()
    CHILDREN.reset()
    assert answered(later) == "1"


@pytest.mark.slow
def test_stopping_gives_a_grace(make_job: MakeJob) -> None:
    """A simulator may save its work; one that does not listen is killed after it."""
    kind = "trap 'sleep 0.3; echo saved > saved; exit' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    deaf = "trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done"
    jobs = [make_job("sh", "-c", kind, in_folder=True), make_job("sh", "-c", deaf, id=18, in_folder=True)]
    threads = [threading.Thread(target=simulate, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    pids = [pid_in(job.folder / "pid") for job in jobs]
    CHILDREN.end(grace=1.5)
    assert (jobs[0].folder / "saved").exists()
    assert not any(map(runs, pids))
    for thread in threads:
        thread.join(30)


def test_an_interrupt_at_the_keyboard_does_not_reach_the_simulator(make_job: MakeJob) -> None:
    """It is the driver's business: the simulator has a session of its own."""
    job = make_job(sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid()); print(1)")
    assert answered(job) == "1"
    assert (job.folder / "stdout").read_text() == "True\n1\n"


def test_jobs_can_be_pickled(make_job: MakeJob) -> None:
    """They go to the workers of a cluster."""
    job = make_job("echo", "1")
    assert answered(pickle.loads(pickle.dumps(job))) == "1"  # noqa: S301  # our own bytes


def test_many_at_once(make_job: MakeJob, tmp_path: Path) -> None:
    """Forty simulations from eight threads, scripts just written among them: every one gets its own answer."""
    template = tmp_path / "case.tpl"
    template.write_text("#!/bin/sh\necho {id}\n")
    template.chmod(0o755)
    found: dict[int, str | None] = {}

    def work(first: int) -> None:
        for id in range(first, 41, 8):
            job = make_job("{folder}/run", id=id, template=template, input="run")
            answer = simulate(job)
            found[id] = answer.objective or answer.fault

    threads = [threading.Thread(target=work, args=(first,)) for first in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert found == {id: str(id) for id in range(1, 41)}


def test_sigterm_of_the_group_is_a_failure(make_job: MakeJob) -> None:
    """A simulator that somebody else ended has no answer, and is not taken for one that the driver stopped."""
    job = make_job("sh", "-c", "echo $$ > pid; echo 7; sleep 100", in_folder=True)
    found: list[Answer] = []
    thread = threading.Thread(target=lambda: found.append(simulate(job)))
    thread.start()
    os.killpg(pid_in(job.folder / "pid"), signal.SIGTERM)
    thread.join(30)
    assert found == [Answer(None, "ended by signal 15 (SIGTERM)", found[0].seconds)]
