"""``ordbo benchmark --distort``: copies of problems, the table of changes, and what it says in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.benchmark.distortions.distorted import DISTORTIONS

Call = Callable[..., Any]

_FEW = ("--methods", "default,random", "--seeds", "0:2", "--iterations", 2, "--jobs", 1)


@pytest.mark.slow
def test_a_table_of_changes(ordbo: Call, tmp_path: Path) -> None:
    """Below the tables of the problems as they are; in words who did not change; the same in JSON and Markdown."""
    own = ("--baseline", "random", "-o", tmp_path / "runs.jsonl")
    words = ("benchmark", "--problems", "step_1d", *_FEW, "--distort", "cube,warp", *own)
    done = ordbo(*words)
    first, *_, second = (table for table in done.out.split("\n\n") if table.startswith(("problem ", "distortion ")))
    assert [line.split()[0] for line in first.splitlines()[1:]] == ["step_1d"] * 2
    assert " ".join(second.splitlines()[0].split()) == (
        "distortion method cumulative/undistorted simple/undistorted same runs but for rounding"
    )
    assert [line.split()[0] for line in second.splitlines()[1:]] == ["cube"] * 2 + ["warp"] * 2
    assert second.splitlines()[1].split()[-2:] == ["2/2", "2/2"]
    assert done.err.splitlines() == [
        "default: unchanged by cube: every point is the same",
        "random: unchanged by cube: every point is the same",
    ]
    found = json.loads(ordbo(*words, "--format", "json").out)
    assert [row["subject"] for row in found["problems"]] == ["step_1d"] * 2
    unchanged = {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found["distortions"][0]["cumulative"] == found["distortions"][0]["simple"] == unchanged
    assert [(row["same"], row["rounded"], row["runs"]) for row in found["distortions"][:2]] == [(2, 0, 2)] * 2
    assert "| cube | default | 1 [1, 1] | 1 [1, 1] | 2/2 | 2/2 |" in ordbo(*words, "--format", "markdown").out


def test_names_with_distortions(ordbo: Call, tmp_path: Path) -> None:
    """A problem with an @ has rows like any other, and a row of changes if it is there as it is, too."""
    few = ("--methods", "random", "--seeds", 0, "--iterations", 1, "--jobs", 1, "-o", tmp_path / "runs.jsonl")
    done = ordbo("benchmark", "--problems", "step_1d,step_1d@cube@units", *few)
    starts = [table.splitlines()[1].split()[:2] for table in done.out.split("\n\n")]
    assert starts[:2] == [["step_1d", "random"], ["all", "random"]]
    assert starts[-1] == ["cube@units", "random"]
    alone = ordbo("benchmark", "--problems", "step_1d@cube", *few)
    assert alone.out.splitlines()[1].split()[0] == "step_1d@cube"
    assert "distortion" not in alone.out


def test_what_is_left_out_is_said(ordbo: Call, tmp_path: Path) -> None:
    """A group may hold problems that a distortion makes no sense of."""
    few = ("--methods", "random", "--seeds", 0, "--iterations", 1, "--jobs", 1, "-o", tmp_path / "runs.jsonl")
    done = ordbo("benchmark", "--problems", "step_1d,disk_failure_2d", "--distort", "failing", *few)
    assert done.status == 0
    assert done.err.splitlines() == [
        "left out: disk_failure_2d cannot be seen through failing: it has failures of its own",
        "random: unchanged by failing: every point is the same",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--problems", "step_1d@cub"], "there is no distortion 'cub'"),
        (["--distort", "alll"], "there is no distortion 'alll'"),
        (["--distort", ","], "there is nothing to distort by"),
        (["--problems", "latent", "--distort", "log"], "nobody knows its optimum"),
        (["--theory", "--distort", "log"], "nobody knows its optimum"),
    ],
)
def test_wrong_distortions(ordbo: Call, tmp_path: Path, words: list[str], message: str) -> None:
    """Status 2, what is wrong in one line, and no file."""
    refused = ordbo("benchmark", *words, "--output", tmp_path / "runs.jsonl")
    assert refused.status == 2
    assert message in refused.err.splitlines()[0]
    assert list(tmp_path.iterdir()) == []


def test_a_simulator_is_not_distorted(ordbo: Call, study: Path, tmp_path: Path) -> None:
    """Its regret is counted from what it answers, so that what methods are told has to be that."""
    own = ("--problem", study, "--command", "true {angle} {blades}", "--distort", "cube")
    refused = ordbo("benchmark", *own, "--output", tmp_path / "runs.jsonl")
    assert refused.status == 2
    assert refused.err.splitlines()[0] == "error: drag cannot be seen through cube: nobody knows its optimum"


def test_help_names_every_distortion(ordbo: Call) -> None:
    """What can be typed after --distort stands in the help, and so does the @."""
    text = ordbo("benchmark", "--help").out
    assert {*DISTORTIONS, "all"} <= set(re.findall(r"[\w-]+", text.split("--distort NAMES")[1].split("--figure")[0]))
    assert "hartmann_4d@cube" in text
