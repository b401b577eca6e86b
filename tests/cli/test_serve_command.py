"""``ordbo serve`` in processes of its own: pipes, signals, and others who work on the study meanwhile."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


class Server:
    """A serving process, and a client's end of its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, request: object) -> dict[str, Any]:
        """Send an object, or bytes as they stand, and wait for the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def end(self) -> tuple[int, str]:
        """Close the input, and return the exit status and what people were told."""
        _, words = self.process.communicate(timeout=60)
        return self.process.returncode, words.decode()


Serve = Callable[..., Server]


@pytest.fixture
def serve(environment: dict[str, str]) -> Iterator[Serve]:
    """Start a server: ``serve(problem, "--append")``."""
    with contextlib.ExitStack() as stack:

        def start(problem: Path, *options: str) -> Server:
            command = [sys.executable, "-m", "ordbo_cli", "serve", str(problem), "--stdio", *options]
            pipe = subprocess.PIPE
            process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)
            stack.enter_context(process)
            stack.callback(process.kill)
            return Server(process)

        yield start


@pytest.mark.slow
def test_a_study_from_the_first_point_to_the_best(serve: Serve, results: Path, process: Call) -> None:
    """Each answer is there before the next request is sent; the points are those of the commands, bit for bit."""
    expected = json.loads(process("suggest", results, "--dry-run").out)
    server = serve(results)
    first = server.send({"ask": 1, "tag": "first"})
    (note,) = first.pop("warnings")
    assert "the rows have the ids 1 to 7" in note
    assert first == {"tag": "first", "points": [expected]}
    assert server.send({"tell": {"id": 8, "objective": 0.125}})["told"]["new"] is True
    following = json.loads(process("suggest", results, "--dry-run").out)
    assert server.send({"ask": 1})["points"] == [following]
    assert server.send({"best": True}) == {"best": json.loads(process("best", results).out)}
    told = server.send({"status": True})["status"]
    shown = json.loads(process("status", results, "--json").out)
    assert [point.pop("age_seconds") for each in (told, shown) for point in each["pending"]]
    assert told == shown
    assert server.end() == (0, f"warning: {note}\n")


@pytest.mark.slow
def test_append(serve: Serve, study: Path) -> None:
    """Pending rows only where they are asked for."""
    server = serve(study)
    server.send({"ask": 1})
    assert not study.with_suffix(".csv").exists()
    server = serve(study, "--append")
    server.send({"ask": 1})
    assert study.with_suffix(".csv").read_text().splitlines()[1].startswith("2,")


@pytest.mark.slow
def test_garbage_ends_nothing(serve: Serve, study: Path) -> None:
    """An answer for every line that is not empty, all of them errors; standard error stays silent."""
    server = serve(study)
    for line in (b"\x00\xff\xfe", b"hello", b"\n \n{}", b'{"ask": "x', b"x" * 3_000_000, b"[" * 50_000, b"\x1b[2J"):
        assert server.send(line)["error"]["status"] == 2
    assert server.send({"ask": 1})["points"][0]["id"] == 1
    assert server.end() == (0, "")


def test_a_last_line_without_an_end(ordbo: Call, results: Path) -> None:
    """It counts; no request at all is no error."""
    said = ordbo("serve", results, "--stdio", stdin=b'{"best": true}')
    assert (said.status, json.loads(said.out)["best"]["objective"]) == (0, {"drag": 0.31})
    assert ordbo("serve", results, "--stdio") == type(said)(0, "", "")


@pytest.mark.slow
def test_others_work_on_the_study_meanwhile(serve: Serve, results: Path, process: Call) -> None:
    """A result that another process records counts at once, and so do new bounds; a spoilt file is an error."""
    server = serve(results)
    (point,) = server.send({"ask": 1})["points"]
    assert process("observe", results, "--id", point["id"], "drag=0.01").status == 0
    assert server.send({"best": True})["best"]["id"] == point["id"]
    table = results.with_suffix(".csv")
    good = table.read_bytes()
    table.write_bytes(good + b"1,2\n")
    error = server.send({"ask": 1})["error"]
    assert (error["status"], str(table) in error["message"]) == (65, True)
    table.write_bytes(good)
    results.write_text(results.read_text().replace("min: 0, max: 12", "min: 20, max: 32"))
    assert server.send({"ask": 1})["points"][0]["parameters"]["angle"] >= 20


@pytest.mark.slow
def test_two_servers_on_one_study(serve: Serve, study: Path) -> None:
    """At the same time they hand out different points under different ids, and no result is lost."""
    servers = [serve(study, "--append") for _ in range(2)]

    def work(server: Server) -> list[dict[str, Any]]:
        points = []
        for _ in range(3):
            points += server.send({"ask": 2})["points"]
            for point in points[-2:]:
                server.send({"tell": {"id": point["id"], "objective": 1 + point["id"] / 100}})
        return points

    with ThreadPoolExecutor(2) as pool:
        points = [point for found in pool.map(work, servers) for point in found]
    assert sorted(point["id"] for point in points) == list(range(1, 13))
    assert len({json.dumps(point["parameters"]) for point in points}) == 12
    counts = servers[0].send({"status": True})["status"]["counts"]
    assert (counts["ok"], counts["pending"]) == (12, 0)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(serve: Serve, results: Path, number: signal.Signals) -> None:
    """Status 130 and one word, whether or not its client has closed the pipes."""
    server = serve(results)
    server.send({"best": True})
    server.process.send_signal(number)
    assert server.process.wait(60) == 130
    assert server.end() == (130, "interrupted\n")


@pytest.mark.slow
def test_a_signal_in_the_middle_of_a_request(environment: dict[str, str], results: Path) -> None:
    """The answer is not made up: no line comes, no traceback either."""
    script = (
        "import os, signal, sys\nfrom ordbo_cli.cli import main\nfrom ordbo_cli.study.study import Study\n"
        "Study.best = lambda _: os.kill(os.getpid(), signal.SIGTERM)\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "serve", str(results), "--stdio"]
    done = subprocess.run(command, input=b'{"best": true}\n' * 2, capture_output=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


@pytest.mark.slow
def test_a_client_that_has_gone(environment: dict[str, str], results: Path) -> None:
    """Nobody reads the answers: the end is silent, at the interpreter's end too."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "ordbo_cli", "serve", str(results), "--stdio"]
        request = b'{"best": true}\n' * 3
        done = subprocess.run(
            command, input=request, stdout=writing, stderr=subprocess.PIPE, env=environment, timeout=60
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_closed_input(environment: dict[str, str], results: Path) -> None:
    """Standard input that was never open is an error in words."""
    script = f"'{sys.executable}' -m ordbo_cli serve '{results}' --stdio <&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (74, b"error: standard input is closed\n")


def test_warnings_and_notes(ordbo: Call, study: Path) -> None:
    """On standard error too, notes once and warnings with each answer, unless quiet."""
    study.write_text(study.read_text().replace("min: 3, max: 9", "min: 3, max: 3"))
    request = b'{"tell": {"parameters": {"angle": 50, "wall shear": 1}, "objective": 1}}\n{"best": true}\n'
    said = ordbo("serve", study, "--stdio", stdin=request)
    assert "outside the bounds" in json.loads(said.out.splitlines()[0])["warnings"][0]
    assert [line.split(":")[0] for line in said.err.splitlines()] == ["note", "warning"]
    assert ordbo("serve", study, "--stdio", "-q", stdin=request).err == ""


def test_an_internal_error(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client gets words; the traceback goes to standard error with --verbose, and the next line is read."""
    from ordbo_cli.study.study import Study

    monkeypatch.setattr(Study, "best", lambda _: 1 / 0)
    request = b'{"best": true}\n{"status": true}\n'
    said = ordbo("serve", results, "--stdio", stdin=request)
    first, second = map(json.loads, said.out.splitlines())
    assert (said.status, said.err, first["error"]["status"]) == (0, "", 1)
    assert "status" in second
    assert ordbo("serve", results, "--stdio", "-v", stdin=request).err.startswith("Traceback")


@pytest.mark.parametrize(
    ("words", "status"), [([], 2), (["--stdio", "--engine", "abacus"], 2), (["--stdio", "--lock-timeout", "-1"], 2)]
)
def test_a_wrong_call(ordbo: Call, results: Path, words: list[str], status: int) -> None:
    """It is refused before a line is read."""
    said = ordbo("serve", results, *words, stdin=b'{"ask": 1}\n')
    assert (said.status, said.out) == (status, "")


def test_a_wrong_problem(ordbo: Call, study: Path) -> None:
    """At the start it is refused as by every other command."""
    assert ordbo("serve", study.with_name("none.yaml"), "--stdio").status == 66
    study.write_text("version: 1\n")
    assert ordbo("serve", study, "--stdio", stdin=b'{"ask": 1}\n').status == 78
