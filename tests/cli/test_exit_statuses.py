"""Every exit status, from real processes, and what a failing call leaves behind: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.durable.lock import locked

Call = Callable[..., Any]


def _refused(result: Any, status: int) -> str:
    """Check what every expected error has in common, and return its message."""
    assert (result.status, result.out) == (status, "")
    assert "Traceback" not in result.err
    assert 1 <= result.err.count("\n") <= 2
    return str(result.err)


@pytest.mark.slow
def test_0_done(process: Call, results: Path) -> None:
    """A suggestion, an answer and the best, each in a process of its own."""
    number = json.loads(process("suggest", results).out)["id"]
    assert process("observe", results, "--id", number, "drag=0.1").status == 0
    assert json.loads(process("best", results).out)["objective"] == {"drag": 0.1}


def _patched(patch: str, arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run ordbo in a process where Study.open does something else."""
    script = (
        "import signal, sys\nfrom ordbo_cli.cli import main\nfrom ordbo_cli.study.study import Study\n"
        f"def stop(*_, **__):\n    {patch}\nStudy.open = stop\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)


@pytest.mark.slow
def test_1_internal_error(environment: dict[str, str]) -> None:
    """A short message and a hint; --verbose shows the traceback, control characters escaped."""
    done = _patched(r"raise RuntimeError('odd\x1b[0m')", ["status", "p.yaml"], environment)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "RuntimeError: odd\\x1b[0m" in done.stderr
    assert "--verbose" in done.stderr
    done = _patched(r"raise RuntimeError('odd\x1b[0m')", ["status", "p.yaml", "--verbose"], environment)
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("words", [["sugest"], ["--odd"], ["suggest"], ["suggest", "p.yaml", "--odd"], []])
def test_2_usage(process: Call, words: list[str]) -> None:
    """Unknown commands and options, missing arguments; no command at all prints the help."""
    done = process(*words)
    if words:
        assert "--help" in _refused(done, 2)
    else:
        assert (done.status, done.out) == (2, "")
        assert "Commands:" in done.err


@pytest.mark.slow
def test_3_exhausted(process: Call, tmp_path: Path) -> None:
    """A finite space without a value left says so."""
    path = tmp_path / "p.yaml"
    path.write_text("version: 1\nobjective: {name: y, goal: maximize}\nparameters: {n: {type: int, min: 1, max: 2}}\n")
    path.with_suffix(".csv").write_text("n,y\n1,5\n2,6\n")
    assert "exhausted" in _refused(process("suggest", path), 3)


@pytest.mark.slow
def test_65_bad_csv(process: Call, results: Path) -> None:
    """File, line and column of the wrong cell."""
    with results.with_suffix(".csv").open("a") as table:
        table.write("1,4,1,2,low\n")
    assert f"{results.with_suffix('.csv')}:9:" in _refused(process("suggest", results), 65)


@pytest.mark.slow
def test_65_newer_state(process: Call, results: Path) -> None:
    """A state of a later format is refused, not overwritten."""
    process("suggest", results)
    state = results.with_name("drag.state.json")
    content = json.loads(state.read_text())
    state.write_text(json.dumps({**content, "format": 99}))
    assert "drag.state.json" in _refused(process("suggest", results), 65)
    assert json.loads(state.read_text())["format"] == 99


def test_66_missing_file(process: Call, tmp_path: Path) -> None:
    """No problem file."""
    assert "drag.yaml" in _refused(process("suggest", tmp_path / "drag.yaml"), 66)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["schema"], ["--help"], ["--version"]])
def test_74_full_disk(environment: dict[str, str], words: list[str]) -> None:
    """Output that cannot be written is an error, not a success."""
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "ordbo_cli", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, timeout=60)
    assert done.returncode == 74
    assert b"No space left" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_74_closed_output(environment: dict[str, str]) -> None:
    """Standard output that was never open is an error too."""
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m ordbo_cli schema >&-"], capture_output=True, env=environment, timeout=60
    )
    assert done.returncode == 74
    assert b"Traceback" not in done.stderr


def test_74_existing_file(process: Call, study: Path) -> None:
    """Init does not overwrite."""
    assert "already" in _refused(process("init", study), 74)


@pytest.mark.slow
def test_75_lock_timeout(process: Call, results: Path) -> None:
    """The message names the holder."""
    with locked(results.with_name("drag.state.json.lock"), 1.0):
        refused = _refused(process("suggest", results, "--lock-timeout", "0.1"), 75)
        assert str(os.getpid()) in refused
        assert _refused(process("observe", results, "angle=1", "blades=4", "wall shear=1", "drag=1",
                                "--lock-timeout", "0"), 75)  # fmt: skip
    assert process("suggest", results, "--lock-timeout", "0").status == 0


def test_78_bad_problem(process: Call, study: Path) -> None:
    """File, line and column of the wrong setting."""
    study.write_text(study.read_text().replace("min: 0, max: 12", "min: 12, max: 0"))
    assert f"{study}:4:" in _refused(process("suggest", study), 78)


def test_130_interrupt(environment: dict[str, str]) -> None:
    """A real SIGINT while a command works: no traceback."""
    done = _patched("signal.raise_signal(signal.SIGINT)", ["suggest", "p.yaml"], environment)
    assert done.returncode == 130
    assert done.stderr == "interrupted\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("words", [["schema"], ["--help"], ["suggest", "--help"]])
def test_a_closed_pipe_is_silent(environment: dict[str, str], words: list[str]) -> None:
    """The reader has gone: no message, no traceback, not at the interpreter's end either."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "ordbo_cli", *words]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment, timeout=60)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


COMMANDS = [
    ["suggest"],
    ["suggest", "--append"],
    ["observe", "angle=1", "blades=4", "wall shear=1", "drag=1"],
    ["observe", "--id", "1", "drag=1"],
    ["status"],
    ["best"],
    ["predict", "angle=1", "blades=4", "wall shear=1"],
    ["check"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("suffix", "content", "status"),
    [
        (".yaml", "version: 1\nobjective: {name: drag}\n", 78),
        (".yaml", "a: [", 78),
        (".csv", "angle,blades\n1,2\n", 65),
        (".csv", "angle,blades,wall shear,drag\n1,2,3,low\n", 65),
        (".state.json", '{"format": 99}', 65),
    ],
)
def test_a_wrong_file_changes_nothing(
    ordbo: Call, results: Path, digest: Call, words: list[str], suffix: str, content: str, status: int
) -> None:
    """Every command refuses every wrong file with its exit status and leaves every byte of the folder alone."""
    results.with_suffix(suffix).write_text(content)
    before = digest(results.parent)
    refused = ordbo(words[0], results, *words[1:])
    assert (refused.status, refused.out) == (status, "")
    assert str(results.with_suffix(suffix)) in refused.err
    assert digest(results.parent) == before
