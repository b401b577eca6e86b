"""The studies in examples/taste: tasters who err, by comparisons or by scores alone, are led to a good lemonade."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "taste"
DUELS = 24
ROUNDS = 6


def pleasure(sugar: float, acid: float) -> float:
    """Return how good a lemonade is, as the taster has it."""
    balance = sugar - 6.0 * acid - 4.0
    return -abs(balance) * (1.5 if balance > 0 else 1.0) - 2.0 * abs(acid - 3.2)


def better_share(sugar: float, acid: float) -> float:
    """Return the share of all lemonades that are better than one."""
    all_of_them = [pleasure(0.5 * i, 0.1 * j) for i in range(81) for j in range(61)]
    return sum(each > pleasure(sugar, acid) for each in all_of_them) / len(all_of_them)


def run(script: str, number: int, tmp_path: Path) -> str:
    """Run a script of the example in the folder ``study`` with this checkout's ``ordbo``, and return what it prints."""
    program = tmp_path / "bin" / "ordbo"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{EXAMPLE.parents[1]}' exec '{sys.executable}' -m ordbo_cli \"$@\"\n")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": os.pathsep.join((str(program.parent), os.environ["PATH"]))}
    command = ["sh", str(EXAMPLE / script), str(number), "0", str(tmp_path / "study")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pairs_alone_lead_to_a_good_lemonade(tmp_path: Path) -> None:
    """The example as its README has it: every answer is recorded, no result is, and the best is among the best 5%."""
    printed = run("run.sh", DUELS, tmp_path)
    study = tmp_path / "study"
    with (study / "tastings.csv").open(newline="") as table:
        answers = list(csv.DictReader(table))
    with (study / "taste.csv").open(newline="") as table:
        points = list(csv.DictReader(table))
    assert len(answers) == DUELS
    assert {row["taste"] for row in points} == {""}
    assert {row[side] for row in answers for side in ("better", "worse")} == {row["id"] for row in points}
    best = json.loads(printed.splitlines()[-1])["parameters"]
    assert better_share(best["sugar"], best["acid"]) < 0.05
    assert f"{DUELS} comparisons" in printed


def test_a_panel_leads_to_a_good_lemonade(tmp_path: Path) -> None:
    """Three scales, one of them of somebody who errs in a fifth: all scores are told apart, the best is as good."""
    printed = run("panel.sh", ROUNDS, tmp_path)
    with (tmp_path / "study" / "panel.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [row["judge"] for row in rows] == ["anna", "bert", "cy"] * 4 * ROUNDS
    assert len({row["id"] for row in rows}) == 4 * ROUNDS
    best = json.loads(printed.splitlines()[-1])["parameters"]
    assert better_share(best["sugar"], best["acid"]) < 0.05
    assert f"{4 * ROUNDS} scores), agrees with the model in" in printed
