"""The shell that talks to ``ordbo serve`` through named pipes, in examples/serve."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "serve"
BUDGET = 12

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Call run.sh with this checkout's ``ordbo``, and pipes that it makes in a folder of its own."""
    folder, temporary = tmp_path / "bin", tmp_path / "pipes"
    folder.mkdir()
    temporary.mkdir()
    program = folder / "ordbo"
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{EXAMPLE.parents[1]}' exec '{sys.executable}' -m ordbo_cli \"$@\"\n")
    program.chmod(0o755)
    path = os.pathsep.join((str(folder), os.environ["PATH"]))

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(EXAMPLE / "run.sh"), *map(str, arguments)]
        settings = {**os.environ, "PATH": path, "TMPDIR": str(temporary)}
        done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=120)
        assert list(temporary.iterdir()) == []
        return done

    return call


def simulated(row: dict[str, str]) -> str:
    """Return what the simulator says of a row's point, or "" if the arm breaks."""
    values = [row[name] for name in ("angle", "speed", "diameter")]
    done = subprocess.run(["awk", "-f", str(EXAMPLE / "catapult.awk"), *values], capture_output=True, text=True)
    assert done.returncode == (0 if done.stdout else 1)
    return done.stdout.strip()


def test_a_study_from_a_shell(run: Run, tmp_path: Path) -> None:
    """Every throw is in the CSV with its own result, and what is printed is the best; called again it goes on."""
    study = tmp_path / "study"
    done = run(BUDGET, 5, study)
    assert done.returncode == 0, done.stderr
    again = run(2, 9, study)
    assert again.returncode == 0, again.stderr
    with (study / "catapult.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [row["id"] for row in rows] == [str(number) for number in range(1, BUDGET + 3)]
    assert [row["miss"] for row in rows] == [simulated(row) for row in rows]
    assert {row["status"] for row in rows} == {"ok", "failed"}
    best = min((row for row in rows if row["miss"]), key=lambda row: float(row["miss"]))
    assert json.loads(again.stdout)["best"]["objective"] == {"miss": float(best["miss"])}
    assert "seed: 5\n" in (study / "catapult.yaml").read_text()


def test_a_server_that_does_not_start(run: Run, tmp_path: Path) -> None:
    """Its words are seen, and the script ends in place of waiting for ever."""
    study = tmp_path / "study"
    study.mkdir()
    (study / "catapult.yaml").write_text("version: 1\n")
    done = run(3, 0, study)
    assert done.returncode != 0
    assert "catapult.yaml" in done.stderr


def test_an_error_ends_the_script(run: Run, tmp_path: Path) -> None:
    """The answer is shown as it came."""
    study = tmp_path / "study"
    assert run(1, 0, study).returncode == 0
    (study / "catapult.csv").write_text("angle,speed\n1,2\n")
    done = run(1, 0, study)
    assert done.returncode == 1
    assert '"status": 65' in done.stderr


def test_the_wall_and_the_arm() -> None:
    """Throws that meet the wall drop 35 m short, all alike; one over it flies on; a heavy stone breaks the arm."""
    stone = {"speed": "40", "diameter": "0.2"}
    assert [simulated({"angle": angle, **stone}) for angle in ("15", "25")] == ["35.0000", "35.0000"]
    assert float(simulated({"angle": "30", **stone})) > 35
    assert simulated({"angle": "45", "speed": "60", "diameter": "0.5"}) == ""


def test_a_budget_that_is_no_number_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    """run.sh says how it is called, before it makes a folder."""
    done = run("many", 1, tmp_path / "new")
    assert (done.returncode, (tmp_path / "new").exists()) == (2, False)
    assert "usage" in done.stderr
