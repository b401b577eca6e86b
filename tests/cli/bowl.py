"""A problem of two parameters for ``ordbo run``, and a look at its evaluations."""

from __future__ import annotations

import csv
from pathlib import Path

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: float, min: -5, max: 5}
method: {preset: default, iterations: 20}
"""
BOWL = "awk -v a={a} -v b={b} 'BEGIN {{print (a - 1) ^ 2 + 10 * (b + 2) ^ 2}}'".replace("{{", "{").replace("}}", "}")


def rows(problem: Path) -> list[dict[str, str]]:
    """Return the rows of the evaluations."""
    return list(csv.DictReader(problem.with_suffix(".csv").read_text().splitlines()))


def standing(problem: Path) -> list[dict[str, str]]:
    """Return the rows that are no suggestions, in the order of their ids."""
    return sorted((row for row in rows(problem) if row["status"] != "pending"), key=lambda row: int(row["id"]))
