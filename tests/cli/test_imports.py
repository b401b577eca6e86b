"""What a command imports, seen from inside a process of its own, and what it shows on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.cli.app import COMMANDS, module_of

Call = Callable[..., Any]

_HEAVY = {"numpy", "scipy", "tensorflow", "gpflow", "rich", "matplotlib"}
_SCRIPT = """
import json, sys
before = set(sys.modules)
from ordbo_cli.cli import main
status = main(sys.argv[1:])
modules = {name: getattr(sys.modules[name], "__file__", None) or "" for name in {*sys.modules} - before}
print(json.dumps([status, modules]), file=sys.stderr)
"""


@dataclass(frozen=True)
class Imported:
    """What a command imported.

    Args:
        modules: full names.
        installed: what was installed beside Python, as it stands in site-packages.
    """

    modules: frozenset[str]
    installed: frozenset[str]

    @property
    def packages(self) -> set[str]:
        """Names without what stands behind the first dot."""
        return {name.partition(".")[0] for name in self.modules}

    @property
    def commands(self) -> set[str]:
        """The commands whose modules are among them."""
        return {name for name in COMMANDS if module_of(name) in self.modules}


@pytest.fixture
def imported(environment: dict[str, str]) -> Callable[..., Imported]:
    """Run a command in a process of its own and return what it imported."""

    def run(*words: object) -> Imported:
        command = [sys.executable, "-c", _SCRIPT, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        status, files = json.loads(done.stderr.splitlines()[-1])
        assert status == 0
        behind = (file.partition("/site-packages/")[2] for file in files.values())
        return Imported(frozenset(files), frozenset(re.split("[/.]", path)[0] for path in behind if path))

    return run


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["schema"], ["completion", "zsh"]], ids=" ".join)
def test_what_needs_no_study_is_light(imported: Callable[..., Imported], words: list[str]) -> None:
    """Neither numerics nor rich, and not even YAML where there is no file to read."""
    assert imported(*words).packages & {*_HEAVY, "yaml"} == set()


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_the_list_of_commands_is_made_without_them(imported: Callable[..., Imported], word: str) -> None:
    """No command is imported to say in one line what it does, and nothing that only commands need."""
    found = imported(word)
    assert found.commands == set()
    assert not {"ordbo_cli.cli.options", "ordbo_cli.problem.method", "ordbo_cli.problem", "pathlib"} & found.modules


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_one_command_imports_that_one(imported: Callable[..., Imported], name: str) -> None:
    """The others cost nothing, and help never needs numerics."""
    found = imported(name, "--help")
    assert found.commands == {name}
    assert found.packages & _HEAVY == set()


@pytest.mark.slow
def test_observe_is_light(imported: Callable[..., Imported], ordbo: Call, results: Path) -> None:
    """A result, a failure and a whole table without NumPy, and a result without what only the other calls need."""
    ordbo("suggest", results)
    found = imported("observe", results, "angle=1", "blades=4", "wall shear=1", "drag=1")
    assert found.packages & _HEAVY == set()
    unused = {"difflib", "traceback", "ordbo_cli.study.asking.suggest", "ordbo_cli.study.reporting.views"}
    assert not unused & found.modules
    assert imported("observe", results, "--id", 8, "--failed").packages & _HEAVY == set()
    table = results.with_name("more.csv")
    table.write_text("angle,blades,wall shear,drag\n2,4,1,3\n")
    assert imported("observe", results, "--file", table).packages & _HEAVY == set()
    table.write_text('%eval_id interface angle blades "wall shear" drag\n1 NO_ID 2 4 1 3\n')
    assert imported("import", results, table).packages & _HEAVY == set()
    assert imported("export", results, "--ranks-only", "-o", results.with_name("copy.yaml")).packages & _HEAVY == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["status", "--no-next"], ["status", "--json", "--no-next"], ["best"], ["check"], ["export"], ["pending", "list"]],
    ids=" ".join,
)
def test_reading_is_light(imported: Callable[..., Imported], results: Path, words: list[str]) -> None:
    """No model is needed to say where a study stands, nor what records a result or asks for a point."""
    found = imported(*words, results)
    assert found.packages & _HEAVY == set()
    unused = {"difflib", "traceback", "ordbo_cli.study.asking.suggest", "ordbo_cli.study.telling.recording"}
    assert not unused & found.modules


@pytest.mark.slow
def test_where_the_search_goes_next_is_light_once_it_is_known(
    imported: Callable[..., Imported], ordbo: Call, study: Path, results: Path
) -> None:
    """While a suggestion is out, and in the initial design, nothing has to be computed for it."""
    ordbo("suggest", results)
    assert imported("status", results).packages & _HEAVY == set()
    study.with_suffix(".csv").unlink()
    study.with_name("drag.state.json").unlink()
    assert imported("status", study).packages & _HEAVY == set()
    study.with_suffix(".csv").write_text("angle,blades,wall shear,drag\n" + "1,4,1,1\n" * 5)
    assert {"numpy", "scipy"} <= imported("status", study).packages


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["suggest"], ["predict", "angle=1", "blades=4", "wall shear=1"]], ids=lambda words: str(words[0])
)
def test_a_step_imports_numpy_and_scipy_alone(
    imported: Callable[..., Imported], results: Path, words: list[str]
) -> None:
    """Beside click and YAML nothing else that is installed, and nothing large of SciPy that the step does not use."""
    found = imported(words[0], results, *words[1:])
    assert found.installed <= {"click", "numpy", "scipy", "threadpoolctl", "yaml", "_yaml"}
    assert not {"scipy.stats", "scipy.interpolate", "scipy.signal", "scipy.integrate"} & found.modules


def test_one_thread_before_numpy(environment: dict[str, str]) -> None:
    """The settings that BLAS reads once are there when NumPy comes, whatever the user's environment says."""
    script = (
        "import os, sys\nfrom ordbo_cli.cli import main\nassert 'numpy' not in sys.modules\nmain(['--version'])\n"
        "print([os.environ[k] for k in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS')])"
    )
    given = {**environment, "OMP_NUM_THREADS": "8"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=given, timeout=60)
    assert done.stdout.splitlines()[-1] == "['1', '1', '1']"


def test_a_short_process_searches_for_no_garbage(environment: dict[str, str]) -> None:
    """Neither while it imports nor at its end: with NumPy a quarter of the time went there."""
    script = (
        "import atexit, gc\nfrom ordbo_cli.cli import main\n"
        "searches = lambda: sum(each['collections'] for each in gc.get_stats())\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0))\n"
        "before = searches()\nmain(['--version'])\nprint(searches() - before, gc.get_freeze_count())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout.splitlines()[1:] == ["0 0", "True"]


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_spinner_never_mixes_with_data(environment: dict[str, str], results: Path) -> None:
    """With a terminal for words only, standard output is one line of JSON, whether or not the work was slow."""
    here, there = pty.openpty()
    command = [sys.executable, "-m", "ordbo_cli", "suggest", str(results)]
    settings = {**environment, "TERM": "xterm"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=there, env=settings, timeout=120)
    os.close(there)
    os.close(here)
    assert done.returncode == 0
    assert json.loads(done.stdout)["id"] == 8
