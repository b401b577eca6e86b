"""``--stop-when`` of suggest and run, on real studies."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: float, min: -5, max: 5}
method: {preset: default, iterations: 20}
"""
SIMULATOR = ("sh", "-c", "awk -v a=$ORDBO_A -v b=$ORDBO_B 'BEGIN {print (a - 1) ^ 2 + 10 * (b + 2) ^ 2}'")
ALWAYS = "expected-rank >= 1"
NEVER = "improvement-probability < 0"


@pytest.fixture
def bowl(tmp_path: Path) -> Path:
    """A problem of two parameters."""
    path = tmp_path / "bowl.yaml"
    path.write_text(PROBLEM)
    return path


@pytest.mark.parametrize(
    "options", [(), ("--dry-run",), ("--append",), ("--explain",), ("-n", "3"), ("--format", "csv", "-n", 2)]
)
def test_a_rule_that_holds(ordbo: Call, results: Path, options: tuple[object, ...]) -> None:
    """One line on standard error, nothing on standard output, exit status 3, and nothing is recorded."""
    table = results.with_suffix(".csv")
    head, *rows = table.read_text().splitlines()
    table.write_text("\n".join([f"{head},id,status", *(f"{row},," for row in rows), ""]))
    csv_before = results.with_suffix(".csv").read_bytes()
    said = ordbo("suggest", results, "--stop-when", ALWAYS, *options)
    assert (said.status, said.out) == (3, "")
    (line,) = said.err.splitlines()
    assert line.startswith("the next point's expected rank is ")
    assert line.endswith('the rule "expected-rank >= 1.0" stops here')
    assert results.with_suffix(".csv").read_bytes() == csv_before
    assert not results.with_name("drag.state.json").exists()


def test_a_rule_that_does_not_hold(ordbo: Call, results: Path) -> None:
    """The point is that of a call without it; of several rules any stops."""
    plain = ordbo("suggest", results, "--dry-run")
    assert ordbo("suggest", results, "--dry-run", "--stop-when", NEVER) == plain
    assert ordbo("suggest", results, "--dry-run", "--stop-when", NEVER, "--stop-when", ALWAYS).status == 3


@pytest.mark.slow
@pytest.mark.parametrize("pending", [0, 2])
def test_the_figure_is_that_of_the_next_point(ordbo: Call, results: Path, pending: int) -> None:
    """The rule stops on one side of what ``ordbo diagnose`` says of the very point, and not on the other.

    The rank is that of ``ordbo predict``, too, which does not know whether a point was suggested.
    """
    for _ in range(pending):
        ordbo("suggest", results)
    point = json.loads(ordbo("suggest", results, "--dry-run").out)["parameters"]
    values = [f"{name}={value}" for name, value in point.items()]
    (expected,) = map(json.loads, ordbo("predict", results, *values).out.splitlines())
    diagnosed = json.loads(ordbo("diagnose", results, "--json").out)["next"]
    assert diagnosed["expected_rank"] == pytest.approx(expected["expected_rank"], rel=1e-6)
    for name, figure in (
        ("improvement-probability", diagnosed["improvement_probability"]),
        ("expected-rank", expected["expected_rank"]),
    ):
        for by, status in ((1.001, 3), (0.999, 0)):
            said = ordbo("suggest", results, "--dry-run", "--stop-when", f"{name} < {figure * by}")
            assert said.status == status, (name, figure, by)


def test_the_initial_design_goes_out(ordbo: Call, study: Path) -> None:
    """No rule holds of its points: nothing is predicted there."""
    assert ordbo("suggest", study, "-n", 3, "--stop-when", ALWAYS).status == 0


@pytest.mark.parametrize("command", ["suggest", "run"])
@pytest.mark.parametrize("rule", ["", "improvement < 0.1", "improvement-probability = 1", "expected-rank < 0.1"])
def test_what_is_no_rule(ordbo: Call, study: Path, command: str, rule: str) -> None:
    """A usage error, with what is possible."""
    said = ordbo(command, study, "--stop-when", rule, *(["--", "true"] if command == "run" else []))
    assert (said.status, said.out) == (2, "")
    assert "hint: " in said.err
    assert not study.with_suffix(".runs").exists()


def test_help_says_what_it_is_worth(ordbo: Call) -> None:
    """Whose figure it is, where that is checked, and which points never stop."""
    for command in ("suggest", "run"):
        said = " ".join(ordbo(command, "--help").out.split())
        assert "the model's own" in said
        assert "'ordbo diagnose'" in said
        assert "initial design" in said


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_ends(ordbo: Call, bowl: Path, workers: int) -> None:
    """After the initial design the rule holds: what runs is waited for, the best is printed, the exit status is 3."""
    said = ordbo("run", bowl, "--workers", workers, "--stop-when", ALWAYS, "--budget", 30, "--", *SIMULATOR)
    assert said.status == 3
    last = list(csv.DictReader(bowl.with_suffix(".csv").read_text().splitlines()))
    done = {row["id"]: row for row in last if row["status"] == "ok"}
    assert len(done) == 5 if workers == 1 else len(done) in (5, 6, 7)  # ahead of all results nothing is predicted
    assert {row["id"] for row in last} == done.keys()
    assert json.loads(said.out)["objective"]["y"] == min(float(row["y"]) for row in done.values())
    assert said.err.splitlines()[-1].endswith('the rule "expected-rank >= 1.0" stops here')
    again = ordbo("run", bowl, "--workers", workers, "--stop-when", ALWAYS, "--", *SIMULATOR)
    assert (again.status, again.out) == (3, said.out)
    further = ordbo("run", bowl, "--workers", workers, "--stop-when", NEVER, "--budget", 7, "--", *SIMULATOR)
    assert (further.status, further.err.splitlines()[-1]) == (0, "all 7 evaluations are done")
