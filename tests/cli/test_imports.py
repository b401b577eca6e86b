"""What a command imports, seen from inside a process of its own, and what it shows on a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]

_HEAVY = {"numpy", "scipy", "tensorflow", "gpflow", "rich", "matplotlib"}
_SCRIPT = """
import json, sys
from ordbo_cli.cli import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


@pytest.fixture
def imported(environment: dict[str, str]) -> Callable[..., set[str]]:
    """Run a command and return the names of the heavy packages that it imported."""

    def run(*words: object) -> set[str]:
        command = [sys.executable, "-c", _SCRIPT, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        status, modules = json.loads(done.stderr.splitlines()[-1])
        assert status == 0
        return _HEAVY & set(modules)

    return run


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["suggest", "--help"], ["schema"], ["completion", "zsh"]])
def test_help_is_light(imported: Callable[..., set[str]], words: list[str]) -> None:
    """Neither numerics nor rich."""
    assert imported(*words) == set()


def test_observe_is_light(imported: Callable[..., set[str]], ordbo: Call, results: Path) -> None:
    """A result, a failure and a whole table without NumPy."""
    ordbo("suggest", results)
    assert imported("observe", results, "angle=1", "blades=4", "wall shear=1", "drag=1") == set()
    assert imported("observe", results, "--id", 1, "--failed") == set()
    table = results.with_name("more.csv")
    table.write_text("angle,blades,wall shear,drag\n2,4,1,3\n")
    assert imported("observe", results, "--file", table) == set()


@pytest.mark.parametrize("words", [["status"], ["status", "--json"], ["best"], ["check"]])
def test_reading_is_light(imported: Callable[..., set[str]], results: Path, words: list[str]) -> None:
    """No model is needed to say where a study stands."""
    assert imported(words[0], results, *words[1:]) == set()


@pytest.mark.parametrize("words", [["suggest"], ["predict", "angle=1", "blades=4", "wall shear=1"]])
def test_the_default_engine_needs_no_tensorflow(
    imported: Callable[..., set[str]], results: Path, words: list[str]
) -> None:
    """NumPy and SciPy are enough."""
    assert imported(words[0], results, *words[1:]) <= {"numpy", "scipy"}


def test_one_thread_before_numpy(environment: dict[str, str]) -> None:
    """The settings that BLAS reads once are there when NumPy comes, whatever the user's environment says."""
    script = (
        "import os, sys\nfrom ordbo_cli.cli import main\nassert 'numpy' not in sys.modules\nmain(['--version'])\n"
        "print([os.environ[k] for k in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS')])"
    )
    given = {**environment, "OMP_NUM_THREADS": "8"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=given, timeout=60)
    assert done.stdout.splitlines()[-1] == "['1', '1', '1']"


def _on_a_terminal(environment: dict[str, str], *words: object) -> str:
    """Return what a command writes to a terminal."""
    here, there = pty.openpty()
    command = [sys.executable, "-m", "ordbo_cli", *map(str, words)]
    with subprocess.Popen(command, stdout=there, stderr=there, env=environment) as child:
        os.close(there)
        shown = b""
        while True:
            try:
                piece = os.read(here, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not piece:
                break
            shown += piece
        assert child.wait(60) == 0
    os.close(here)
    return shown.decode()


def test_a_terminal_gets_a_ruled_table(environment: dict[str, str], results: Path) -> None:
    """Rules and colour on a terminal, no escape sequence with NO_COLOR or on a dumb one."""
    settings = {key: value for key, value in environment.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    settings |= {"TERM": "xterm-256color", "COLUMNS": "100"}
    coloured = _on_a_terminal(settings, "status", results)
    assert "──" in coloured
    assert "\x1b[" in coloured
    plain = _on_a_terminal({**settings, "NO_COLOR": "1"}, "status", results)
    assert "──" in plain
    assert "\x1b" not in plain
    dumb = _on_a_terminal({**settings, "TERM": "dumb"}, "status", results)
    assert "──" not in dumb
    assert "\x1b" not in dumb


def test_a_spinner_never_mixes_with_data(environment: dict[str, str], results: Path) -> None:
    """With a terminal for words only, standard output is one line of JSON, whether or not the work was slow."""
    here, there = pty.openpty()
    command = [sys.executable, "-m", "ordbo_cli", "suggest", str(results)]
    settings = {**environment, "TERM": "xterm"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=there, env=settings, timeout=120)
    os.close(there)
    os.close(here)
    assert done.returncode == 0
    assert json.loads(done.stdout)["id"] == 1
