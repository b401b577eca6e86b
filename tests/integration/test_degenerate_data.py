"""Data from which little can be learnt: a new point inside the bounds, never a traceback or a failed factorisation."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.calls import Call, Result

PROBLEM = """\
version: 1
objective: {{name: y, goal: {goal}}}
parameters:
  a: {{min: 0, max: 1}}
  b: {{min: 0, max: 1}}
failed: {failed}
method: {method}
"""
# Few steps of the optimiser: what is tested is that there is an end, not that it is a good one.
METHODS = {
    "default": "{iterations: 20}",
    "metric-free": "{preset: metric-free, iterations: 20}",
    "paper": "{preset: paper, iterations: 20}",
    "ei": "{acquisition: ei, iterations: 20}",
    "thompson": "{acquisition: thompson, samples: 20, iterations: 20}",
    "exhaustive": "{partition: exhaustive, posterior: full, iterations: 10}",
    "heedless": "{avoid_failures: false, iterations: 20}",
}
Rows = Sequence[tuple[float, float, object]]

SPREAD = [((0.37 * k) % 1, (0.61 * k) % 1) for k in range(1, 13)]
VALLEY = [(a, b, (a - 0.3) ** 2 + 10 * (b - 0.6) ** 2) for a, b in SPREAD]
A, B, _ = VALLEY[0]
ULP = math.ulp(0.5)

CASES: dict[str, Rows] = {
    "one row": VALLEY[:1],
    "two rows": VALLEY[:2],
    "constant objective": [(a, b, 1) for a, b in SPREAD],
    "constant column": [(a, 0.5, y) for a, _, y in VALLEY],
    "identical rows": [(0.5, 0.25, 1)] * 12,
    "one point with different results": [(0.5, 0.25, k) for k in range(12)],
    "two points 1e-15 apart": [*VALLEY, (A + 1e-15, B, -1)],
    "two points one double apart": [*VALLEY, (math.nextafter(A, 1), B, -1)],
    "twenty neighbouring doubles": [(0.5 + k * ULP, 0.5, k) for k in range(20)],
    "all failed": [(a, b, "failed") for a, b in SPREAD],
    "first failed": [(*SPREAD[0], "nan"), *VALLEY[1:]],
    "one failed between": [*VALLEY[:5], (*SPREAD[5], "****"), *VALLEY[6:]],
    "all but one failed": [*((a, b, "failed") for a, b in SPREAD[1:]), VALLEY[0]],
    "all outside the bounds": [(a + 3, b - 4, y) for a, b, y in VALLEY],
    "corners only": [(k % 2, k // 2 % 2, k) for k in range(12)],
    "a line along an axis": [(k / 60, 0.5, abs(k - 20)) for k in range(61)],
    "a diagonal line": [(k / 60, k / 60, abs(k - 20)) for k in range(61)],
    "values of every size": [(a, b, f"1e{40 * k - 300}") for k, (a, b) in enumerate(SPREAD)],
    "infinities": [*((a, b, "inf") for a, b in SPREAD[:4]), *VALLEY[4:]],
}


def write(folder: Path, rows: Rows, method: str = "default", failed: str = "worst", goal: str = "minimize") -> Path:
    """Write a study with some rows and return its problem file."""
    path = folder / "p.yaml"
    path.write_text(PROBLEM.format(goal=goal, failed=failed, method=METHODS[method]))
    lines = [f"{a!r},{b!r},{y}\n" for a, b, y in rows]
    path.with_suffix(".csv").write_text("a,b,y\n" + "".join(lines))
    return path


def a_new_point(end: Result, rows: Rows) -> tuple[float, float]:
    """Return the point that was suggested; it is inside the bounds, and was not tried."""
    assert end.status == 0, end.err
    assert "Traceback" not in end.err
    values = json.loads(end.out)["parameters"]
    point = (values["a"], values["b"])
    assert all(0 <= value <= 1 for value in point)
    assert point not in {(a, b) for a, b, _ in rows}
    return point


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_there_is_a_next_point(ordbo: Call, tmp_path: Path, case: str, method: str) -> None:
    """And one after it, from the warm start and with the first one pending."""
    path = write(tmp_path, CASES[case], method)
    first, second = (a_new_point(ordbo("suggest", path), CASES[case]) for _ in range(2))
    assert first != second


@pytest.mark.gpflow
def test_the_gpflow_engine_on_the_same_data(ordbo: Call, tmp_path: Path) -> None:
    """The second engine, without a factorisation that fails (in one test: its import takes seconds)."""
    for case, rows in CASES.items():
        folder = tmp_path / case
        folder.mkdir()
        a_new_point(ordbo("suggest", write(folder, rows), "--engine", "gpflow"), rows)


def test_five_hundred_rows_on_one_line(ordbo: Call, tmp_path: Path) -> None:
    """A kernel matrix of far less than full rank."""
    rows = [(k / 499, k / 499, abs(k - 150)) for k in range(500)]
    a_new_point(ordbo("suggest", write(tmp_path, rows)), rows)


@pytest.mark.parametrize("engine", ["numpy", "gpflow"])
def test_the_number_beside_a_failure_means_nothing(ordbo: Call, tmp_path: Path, engine: str) -> None:
    """A penalty of 1e3 or 1e300, or none, in a failed row: the same suggestion, digit by digit."""
    points = set()
    for penalty in ("1e3", "1e300", "", "-1e300", "nan", "inf"):
        path = write(tmp_path, VALLEY)
        lines = path.with_suffix(".csv").read_text().splitlines()
        rows = [f"{line},ok" for line in lines[1:]]
        rows[3] = f"{SPREAD[3][0]!r},{SPREAD[3][1]!r},{penalty},failed"
        path.with_suffix(".csv").write_text("\n".join(["a,b,y,status", *rows, ""]))
        points.add(ordbo("suggest", path, "--dry-run", "--engine", engine).out)
    assert len(points) == 1


def test_what_a_failure_means_is_a_choice(ordbo: Call, tmp_path: Path) -> None:
    """The worst rank, in silence; nothing, with a warning; an error that names the row."""
    rows = [*VALLEY[:5], (*SPREAD[5], "failed"), *VALLEY[6:]]
    worst = ordbo("suggest", write(tmp_path, rows), "--dry-run")
    assert (worst.status, worst.err) == (0, "")
    ignored = ordbo("suggest", write(tmp_path, rows, failed="ignore"), "--dry-run")
    assert (ignored.status, ignored.err) == (0, "warning: 1 failed evaluation is ignored (failed: ignore)\n")
    assert ignored.out != worst.out
    a_new_point(ignored, rows)
    refused = ordbo("suggest", write(tmp_path, rows, failed="error"), "--dry-run")
    assert (refused.status, refused.out) == (65, "")
    assert "p.csv:7:1: this evaluation failed, and failed: error is set" in refused.err


@pytest.mark.parametrize(("goal", "bad"), [("minimize", "inf"), ("maximize", "-inf")])
def test_infinities_of_both_signs(ordbo: Call, tmp_path: Path, goal: str, bad: str) -> None:
    """In the bad direction one ranks after every number and before a failure; in the good one it is an error."""
    sign = 1 if goal == "minimize" else -1
    rows = [(a, b, sign * y) for a, b, y in VALLEY]
    huge = f"{'' if sign > 0 else '-'}1e308"
    texts = {"infinite": bad, "huge": huge, "failed": "failed"}
    # With avoid_failures a failure is more than the worst result.
    point = {
        name: ordbo(
            "suggest", write(tmp_path, [*rows[:-1], (*SPREAD[-1], text)], "heedless", goal=goal), "--dry-run"
        ).out
        for name, text in texts.items()
    }
    assert len(set(point.values())) == 1  # alone, each of them is simply the last
    both = [*rows[:-2], (*SPREAD[-2], bad), (*SPREAD[-1], huge)]
    after = [*rows[:-2], (*SPREAD[-2], "failed"), (*SPREAD[-1], bad)]
    ranked = [*rows[:-2], (*SPREAD[-2], sign * 1e300), (*SPREAD[-1], sign * 1e299)]
    outs = [
        ordbo("suggest", write(tmp_path, each, "heedless", goal=goal), "--dry-run").out
        for each in (both, after, ranked)
    ]
    assert len(set(outs)) == 1
    good = "-inf" if goal == "minimize" else "inf"
    refused = ordbo("suggest", write(tmp_path, [*rows, (0.5, 0.5, good)], "heedless", goal=goal))
    assert refused.status == 65
    assert f"'{good}' would be the best value of all. To {goal}, a bad result is {bad}" in refused.err


@pytest.mark.parametrize("method", ["default", "metric-free", "thompson"])
def test_ranges_of_every_size(ordbo: Call, tmp_path: Path, method: str) -> None:
    """From 1e-300 to 1e300, around 1e15 with a width of 1, and below 1e-300."""
    path = tmp_path / "p.yaml"
    path.write_text(
        "version: 1\nobjective: {name: y, goal: minimize}\nparameters:\n"
        "  a: {min: 1e-300, max: 1e300, scale: log}\n  b: {min: -8e307, max: 8e307}\n"
        "  c: {min: 1e15, max: 1.000000000000001e15}\n  d: {min: 1e-308, max: 2e-308}\n"
        f"method: {METHODS[method]}\n"
    )
    for _ in range(12):
        end = ordbo("suggest", path, "--append")
        assert end.status == 0, end.err
        point = json.loads(end.out)
        values = point["parameters"]
        assert 1e-300 <= values["a"] <= 1e300
        assert -8e307 <= values["b"] <= 8e307
        assert 1e15 <= values["c"] <= 1.000000000000001e15
        assert 1e-308 <= values["d"] <= 2e-308
        result = math.log(values["a"]) * (values["b"] > 0)
        assert ordbo("observe", path, "--id", point["id"], f"y={result}").status == 0
    assert ordbo("check", path).status == 0


def test_two_hundred_parameters(ordbo: Call, tmp_path: Path) -> None:
    """The initial design, and a step of the model after it."""
    path = tmp_path / "p.yaml"
    names = [f"x{k}" for k in range(200)]
    lines = [f"  {name}: {{min: 0, max: 1}}\n" for name in names]
    path.write_text(
        "version: 1\nobjective: {name: y, goal: minimize}\nparameters:\n" + "".join(lines)
        + "method: {initial: 3, iterations: 5}\n"
    )  # fmt: skip
    rows = [",".join(str((k * 7919 * j % 100) / 100) for k in range(1, 202)) for j in range(1, 5)]
    path.with_suffix(".csv").write_text(",".join([*names, "y"]) + "\n" + "\n".join(rows) + "\n")
    end = ordbo("suggest", path)
    assert end.status == 0, end.err
    assert all(0 <= value <= 1 for value in json.loads(end.out)["parameters"].values())
