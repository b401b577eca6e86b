"""The examples of results that are no plain number run to their end, and find what they are about."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ordbo_cli.study.study import Study

EXAMPLES = Path(__file__).parents[2] / "examples"


def ran(folder: Path, example: str, problem: str, budget: int, *arguments: str) -> tuple[Study, list[dict[str, str]]]:
    """Run an example's simulator to its budget; return the study and the rows of its table that are answers."""
    shutil.copy(EXAMPLES / example / f"{problem}.yaml", folder)
    script = EXAMPLES / example / f"{problem}.py"
    path = folder / f"{problem}.yaml"
    simulator = ("--", sys.executable, str(script), *arguments)
    command = [sys.executable, "-m", "ordbo_cli", "run", str(path), "--quiet", "--budget", str(budget), *simulator]
    subprocess.run(command, check=True, capture_output=True)
    with path.with_suffix(".csv").open(encoding="utf-8") as stream:
        return Study.open(path), [row for row in csv.DictReader(stream) if row["status"] != "pending"]


def test_a_spring_is_found_from_an_infeasible_start(tmp_path: Path) -> None:
    """No first point keeps the limits, the best one does, and is lighter than the first that did."""
    study, rows = ran(tmp_path, "spring", "spring", 40, "{length}", "{width}", "{thickness}")
    kept = [
        bool(row["deflection"]) and 8 <= float(row["deflection"]) <= 12 and float(row["stress"]) <= 600 for row in rows
    ]
    assert len(rows) == 40
    assert not any(kept[:4])
    assert any(not row["mass"] and row["status"] == "ok" for row in rows)  # broken ones have their stress alone
    masses = [float(row["mass"]) for row, good in zip(rows, kept, strict=True) if good]
    best = study.best()
    assert best.objective is not None
    assert float(best.objective) == min(masses) < masses[0]
    assert min(masses) < 0.45  # 0.36 is the optimum
    assert study.status().infeasible == kept.count(False)


def test_runs_that_are_stopped_early_lead_to_the_best(tmp_path: Path) -> None:
    """Most runs are stopped after 60 sweeps; the search finds factors that need fewer."""
    study, rows = ran(tmp_path, "stopped", "relaxation", 30, "{odd}", "{even}")
    assert sum(row["sweeps"] == ">60" for row in rows) > 5
    assert float(study.best().objective or "inf") < 50
    assert study.status().ok == 30


def test_an_older_campaign_leads_to_good_heat_sinks(tmp_path: Path) -> None:
    """It is heard, in its own units, and a dozen simulations come within 4% of the optimum."""
    shutil.copy(EXAMPLES / "fins" / "strong-fan.csv", tmp_path)
    study, rows = ran(tmp_path, "fins", "fins", 12, "{number}", "{length}", "{taper}", "{surface}")
    (campaign,) = study.campaigns()
    assert len(rows) == 12
    assert (campaign.name, campaign.results, campaign.is_heard) == ("strong-fan", 30, True)
    assert study.read().campaigns[0].evaluations[0].values[1] > 10  # mm
    assert float(study.best().objective or 0) > 1300  # 1351 is the optimum


def test_a_coarse_grid_leads_to_an_even_plate(tmp_path: Path) -> None:
    """Most plates are coarse ones; the best is a fine one, and better than most that ten fine ones find."""
    study, _ = ran(tmp_path, "hotplate", "hotplate", 100, "{place}", "{width}", "{power}", "{length}", "{cells}")
    status = study.status()
    assert sum(each.spent for each in status.levels) <= 100
    assert status.levels[0].ok > 10
    assert 2 <= status.levels[-1].ok <= 6
    assert study.best().parameters["cells"] == 400
    assert float(study.best().objective or "inf") < 85


@pytest.mark.parametrize("problem", ["spring/spring", "stopped/relaxation", "fins/fins", "hotplate/hotplate"])
def test_their_problems_are_sound(problem: str) -> None:
    """The problem files are read without a note."""
    assert Study.open(EXAMPLES / f"{problem}.yaml").notes == ()
