"""Large studies: what is said of rows that the model does not see, and threads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordbo_cli.search import step, step_input

pytestmark = pytest.mark.slow

Call = Callable[..., Any]

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: 0, max: 1}
  b: {type: float, min: 0, max: 1}
  c: {type: float, min: 0, max: 1}
method: {iterations: 5}
"""
RULE = "the first, the best, the newest and some of every rank"


def study_of(rows: int, folder: Path) -> Path:
    """Write a problem file and as many results; return its path."""
    path = folder / "wide.yaml"
    path.write_text(PROBLEM)
    X = np.random.default_rng(0).random((rows, 3)).tolist()
    lines = [",".join(map(repr, [*x, sum((v - 0.3) ** 2 for v in x)])) for x in X]
    path.with_suffix(".csv").write_text("\n".join(["a,b,c,y", *lines, ""]))
    return path


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the model see 12 results at most."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 12)


@pytest.mark.usefixtures("few")
def test_suggest_and_predict_say_how_many_results_the_model_sees(ordbo: Call, tmp_path: Path) -> None:
    """One line on standard error, with the rule; none where all are seen, and the answer stays as it is."""
    study = study_of(40, tmp_path)
    first = ordbo("suggest", study).err.splitlines()
    assert (first[0], len(first)) == (f"warning: the model sees 12 of 40 results: {RULE}", 2)
    assert "the rows have the ids 1 to 40" in first[1]
    for arguments in (("suggest", study), ("suggest", study, "-n", 3), ("predict", study, "a=0.3", "b=0.3", "c=0.2")):
        said = ordbo(*arguments)
        assert (said.status, said.err) == (0, f"warning: the model sees 12 of 40 results: {RULE}\n")
        assert said.out.startswith("{")
    study = study_of(12, tmp_path)
    study.with_name("wide.state.json").unlink()
    ordbo("suggest", study)
    assert [ordbo("suggest", study).err, ordbo("predict", study, "a=0.3", "b=0.3", "c=0.2").err] == ["", ""]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_says_it_once(ordbo: Call, tmp_path: Path, workers: int) -> None:
    """Although the numbers change with every result."""
    study = study_of(12, tmp_path)
    said = ordbo("run", study, "--budget", 18, "--workers", workers, "--", "sh", "-c", "echo {a}")
    assert said.status == 0
    assert said.err.count("the model sees") == 1
    assert RULE in said.err


def suggested(study: Path, environment: Mapping[str, str], *options: str) -> bytes:
    """Return what a process of its own suggests."""
    command = [sys.executable, "-m", "ordbo_cli", "suggest", str(study), "--dry-run", *options]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=300)
    assert done.stderr == b""
    return done.stdout


def test_the_same_suggestion_at_any_number_of_threads(environment: Mapping[str, str], tmp_path: Path) -> None:
    """Of ordbo's own, and of what the environment allows the linear algebra; rows enough that it would use them."""
    study = study_of(300, tmp_path)
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    bare = {name: value for name, value in os.environ.items() if name not in names} | {
        "PYTHONPATH": environment["PYTHONPATH"]
    }
    expected = suggested(study, bare)
    for threads in ("1", "2", "5"):
        assert suggested(study, bare, "--threads", threads) == expected
    for number in ("1", "4"):
        assert suggested(study, {**bare, "OMP_NUM_THREADS": number}, "--threads", "2") == expected


@pytest.mark.parametrize("command", ["suggest", "run", "serve"])
def test_threads_that_cannot_be_are_refused(ordbo: Call, tmp_path: Path, command: str) -> None:
    """None, or more than a machine has."""
    study = study_of(3, tmp_path)
    for number in (0, 100000, "many"):
        said = ordbo(command, study, "--threads", number)
        assert said.status == 2
        assert "threads" in said.err


def test_all_commands_that_choose_points_pass_threads_on(
    ordbo: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the search, whichever way the points are asked for."""
    propose, seen = step.propose, []

    def noted(given: Any, *, threads: int) -> Any:
        seen.append(threads)
        return propose(given, threads=threads)

    monkeypatch.setattr(step, "propose", noted)
    study = study_of(8, tmp_path)
    ordbo("suggest", study, "--threads", 2)
    ordbo("suggest", study, "-n", 2, "--threads", 3)
    ordbo("serve", study, "--stdio", "--threads", 4, stdin=b'{"ask": 1}\n')
    ordbo("run", study, "--budget", 9, "--threads", 5, "--", "sh", "-c", "echo {a}")
    ordbo("run", study, "--budget", 12, "--workers", 2, "--threads", 6, "--", "sh", "-c", "echo {a}")
    assert set(seen) == {2, 3, 4, 5, 6}
