"""The examples of kinds of parameters, of known constraints, and of noisy words run to their end."""

from __future__ import annotations

import csv
import itertools
import json
import runpy
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from ordbo_cli.problem import Parameter
from ordbo_cli.study.study import Study

EXAMPLES = Path(__file__).parents[2] / "examples"
BUDGET = 40


def ran(folder: Path, name: str, *command: str, flags: tuple[str, ...] = ()) -> tuple[Study, list[dict[str, str]]]:
    """Run an example to its budget; return the study and its answers."""
    path = folder / f"{name}.yaml"
    shutil.copy(EXAMPLES / name / path.name, path)
    call = [sys.executable, "-m", "ordbo_cli", "run", str(path), "--quiet", "--budget", str(BUDGET), *flags, "--"]
    subprocess.run([*call, sys.executable, str(EXAMPLES / name / f"{name}.py"), *command], check=True)
    with path.with_suffix(".csv").open(encoding="utf-8", newline="") as table:
        return Study.open(path), [row for row in csv.DictReader(table) if row["status"] != "pending"]


def test_a_solver_with_parameters_of_every_kind(tmp_path: Path) -> None:
    """What does not count is empty, no constraint is violated, and the best is among the fastest hundredth of all."""
    study, rows = ran(tmp_path, "solver", flags=("--stdin",))
    assert len(rows) == BUDGET
    free = [p for p in study.problem.free if isinstance(p, Parameter)]
    for row in rows:
        given = {name: text for name, text in row.items() if name in study.problem.names and text}
        values = study.problem.values({p.name: _read(p, given[p.name]) for p in free if p.name in given})
        assert set(study.problem.mapping(values)) == set(given)
        assert all(each.holds(study.problem.mapping(values)) for each in study.problem.constraints)
    assert len({row["solver"] for row in rows}) == 3
    seconds = runpy.run_path(str(EXAMPLES / "solver" / "solver.py"))["seconds"]
    best = study.best()
    assert best.objective is not None
    better = sum(seconds(settings) < float(best.objective) for settings in all_settings())
    assert better < 0.01 * len(all_settings())


def _read(parameter: Parameter, text: str) -> int | float | str:
    return text if parameter.levels else int(text) if parameter.type == "int" else float(text)


def all_settings() -> list[dict[str, object]]:
    """Return a grid of all settings that the constraints allow and that do not break down."""
    found: list[dict[str, object]] = []
    for mesh, threads in itertools.product(("coarse", "medium", "fine"), range(1, 9)):
        base: dict[str, object] = {"mesh": mesh, "threads": threads, "cells": 40000}
        found += [{**base, "solver": "direct"}] if mesh != "fine" else []
        for tolerance, preconditioner in itertools.product(range(-10, -1), ("none", "jacobi", "ilu")):
            more = {**base, "tolerance": 10.0**tolerance, "preconditioner": preconditioner}
            found += [{**more, "solver": "cg"}] if preconditioner != "none" else []
            restarts = [restart for restart in range(5, 61, 5) if threads * restart <= 200]
            found += [{**more, "solver": "gmres", "restart": restart} for restart in restarts]
    return found


def test_words_with_noise(tmp_path: Path) -> None:
    """Every result is a word of the list; the best by mean is among the glossiest twentieth of all recipes."""
    study, rows = ran(tmp_path, "varnish", "{thinner}", "{coats}", "{drying}", "{id}")
    assert len(rows) == BUDGET
    assert {row["look"] for row in rows} <= {"runs", "dull", "fair", "glossy", "mirror"}
    gloss = runpy.run_path(str(EXAMPLES / "varnish" / "varnish.py"))["gloss"]
    recipes = itertools.product(range(61), range(1, 9), ("air", "lamp", "oven"))
    all_of_them = sorted(gloss(*recipe) for recipe in recipes)
    best = study.best()
    assert best.by == "mean"
    found = gloss(*(best.parameters[name] for name in ("thinner", "coats", "drying")))
    assert found >= statistics.quantiles(all_of_them, n=20)[-1]
    assert json.loads(json.dumps(study.problem.shown(best.objective))) in ("glossy", "mirror")
