"""Problem files that real people write: what ``check`` says about each, all mistakes of a file at once."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.calls import caller

ROOT = Path(__file__).parents[2]
CASES = sorted((Path(__file__).parent / "problems").glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_check_says_what_it_said(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """As in the text beside the file; nothing else appears in the folder, and suggest refuses what check refuses."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(case, tmp_path)
    call = caller(monkeypatch)
    result = call("check", case.name)
    said = "".join(f"| {line}\n" for line in result.out.splitlines())
    said += "".join(f"! {line}\n" for line in result.err.splitlines()) + f"exit {result.status}\n"
    assert result.status in (0, 78)
    assert said.replace("\n", "").isprintable()
    assert call("suggest", case.name, "--dry-run").status == result.status
    assert [path.name for path in tmp_path.iterdir()] == [case.name]
    expected = case.with_suffix(".txt")
    if request.config.getoption("--rewrite-golden"):
        expected.write_bytes(said.encode())
    assert said == expected.read_bytes().decode()


def test_there_are_problem_files() -> None:
    """The cases are found, and each has its expectation."""
    assert len(CASES) > 40
    assert [case.name for case in CASES if not case.with_suffix(".txt").exists()] == []


def test_two_hundred_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read, and a mistake in the last one is told at its line."""
    path = tmp_path / "wide.yaml"
    head = "version: 1\nobjective: {name: y, goal: minimize}\nparameters:\n"
    path.write_text(head + "".join(f"  x{k}: {{min: 0, max: {k + 1}}}\n" for k in range(200)))
    call = caller(monkeypatch)
    assert call("check", path).out.startswith(f"{path}: 200 free and 0 fixed parameters\n")
    path.write_text(path.read_text().replace("max: 200}", "max: 20O}"))
    assert call("check", path).err.startswith(f"{path}:203:23: '20O' stands where a number is expected")


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize("content", ["x", "a: [", "- a\n", "? ", "&a "])
def test_a_file_of_50_megabytes_is_refused_in_little_memory(tmp_path: Path, content: str) -> None:
    """Whatever it holds, hardly any of it is read."""
    path = tmp_path / "big.yaml"
    path.write_text(content * (50_000_000 // len(content)))
    done = subprocess.run(
        [sys.executable, "-m", "ordbo_cli", "check", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (40_000_000, 40_000_000)),
    )
    assert (done.returncode, done.stderr) == (
        78,
        f"{path}:1:1: the file is larger than 256 KiB. Is it a problem file?\n",
    )
