"""The example with a knob without a scale runs to its end: every place that it is told is one between neighbours."""

from __future__ import annotations

import csv
import json
import os
import random
import runpy
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from ordbo_cli import Optimizer, Study
from ordbo_cli.files.problem_file.problem_file import load_problem

FOLDER = Path(__file__).parents[2] / "examples" / "stirring"
BUDGET = 25


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study after run.sh with the budget and the seed of its README."""
    folder = tmp_path_factory.mktemp("stirring")
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    command = ("sh", str(FOLDER / "run.sh"), "25", "1", str(folder))
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stderr
    return folder


def rows(folder: Path) -> list[dict[str, str]]:
    """Return the rows of the evaluations."""
    with (folder / "stirring.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_every_place_is_between_neighbours(folder: Path) -> None:
    """No suggestion names two settings with another one between them, by what the bench has noted of its knob."""
    knob = {int(id): x for id, x in json.loads((folder / "notebook.json").read_text(encoding="utf-8")).items()}
    tried: list[int] = []
    for row in (each for each in rows(folder) if each["status"] == "pending"):
        words, id = row["stir"].split(), int(row["id"])
        named = [int(word) for word in words if word.isdigit()]
        order = sorted(tried, key=knob.__getitem__)
        if words[0] == "between":
            assert order.index(named[1]) == order.index(named[0]) + 1
        elif words[0] in ("below", "above"):
            assert named == [order[0] if words[0] == "below" else order[-1]]
        tried += [id] if words[0] != "as" else []
    assert len(tried) > 20


def test_the_report_names_settings(folder: Path) -> None:
    """The page has the next point and its cell in the words of 'ordbo suggest', by the ids that the rows give."""

    def ordbo(*args: str) -> str:
        command = (sys.executable, "-m", "ordbo_cli", *args)
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout

    ordbo("report", "stirring.yaml", "-o", "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    point = json.loads(ordbo("suggest", "stirring.yaml", "--dry-run"))["parameters"]
    assert f"stir {point['stir']}: " in page
    assert "(the end)" not in page


def test_the_first_pair_to_compare_has_two_places(tmp_path: Path) -> None:
    """Where both points are new, the words of the second go by the setting of the first."""
    path = tmp_path / "stirring.yaml"
    path.write_bytes((FOLDER / "stirring.yaml").read_bytes())
    first, second = Study.open(path).ask_duel()
    assert (first.parameters["stir"], second.parameters["stir"]) == ("any", "as 1")
    optimizer = Optimizer(load_problem(path).problem)
    assert [each.parameters for each in optimizer.ask_duel()] == [first.parameters, second.parameters]
    assert optimizer.orders.of("stir").by_id.keys() == {1, 2}


def test_it_comes_near_to_the_optimum(folder: Path) -> None:
    """The droplets are five times as near to the finest as by random search, and the README has the figures."""
    found = [float(row["droplets"]) for row in rows(folder) if row["status"] == "ok"]
    assert len(found) == BUDGET
    droplets = runpy.run_path(str(FOLDER / "bench.py"))["droplets"]
    optimum = min(droplets(17.3, k / 10_000) for k in range(10_001))
    parameter = load_problem(FOLDER / "stirring.yaml").problem.free[0]
    rng = random.Random(0)
    searches = [
        min(droplets(rng.uniform(parameter.min, parameter.max), rng.random()) for _ in range(BUDGET))
        for _ in range(200)
    ]
    median = statistics.median(searches)
    assert min(found) - optimum < 0.2 * (median - optimum)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{optimum:.1f} µm" in readme
    assert f"the median is {median:.1f}" in readme
