"""``ordbo benchmark`` with several objectives from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "fronts.jsonl"


def test_a_small_experiment_of_several_objectives(ordbo: Call, output: Path) -> None:
    """Tables of problems and classes at both budgets, of copies, and in words what copies did not change."""
    words = ("--problems", "zdt1_4d,zdt1_4d@exp,cliff_3d", "--methods", "random,sobol", "--seeds", "0:2", "--jobs", 1)
    done = ordbo("benchmark", *words, "--budgets", "6,9", "-o", output)
    assert done.status == 0
    tables = [table.splitlines() for table in done.out.split("\n\n")]
    assert [table[0].split()[:3] for table in tables] == [
        ["problem", "method", "hypervolume@6"],
        ["problem", "method", "hypervolume@9"],
        ["problems", "method", "hypervolume@6"],
        ["problems", "method", "hypervolume@9"],
        ["copy", "method", "same"],
    ]
    assert [line.split("  ")[0] for line in tables[2][1::2]] == ["smooth", "jumps, fails or distorted", "all"]
    assert tables[4][1].split() == ["zdt1_4d@exp", "random", "2/2"]
    assert "random: every point on zdt1_4d@exp is that on the problem as it is, to the digit" in done.err
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(records) == 3 * 2 * 2 * 9
    assert all(("others" in record) == (record["y"] is not None) for record in records)
    content = output.read_bytes()
    found = json.loads(ordbo("benchmark", *words, "--budgets", "6,9", "-o", output, "--json").out)
    assert output.read_bytes() == content
    assert len(found["problems"]) == 2 * 3 * 2
    assert f"{found['problems'][0]['hypervolume']['value']:.3f}" in tables[0][1]


def test_fifty_evaluations_are_the_default(ordbo: Call, output: Path) -> None:
    """Told at 25 and at 50; --iterations says another number."""
    words = ("--problems", "cliff_3d", "--methods", "random", "--seeds", 0, "--jobs", 1, "-o", output)
    done = ordbo("benchmark", *words)
    assert [table.split()[2] for table in done.out.split("\n\n")] == ["hypervolume@25", "hypervolume@50"]
    assert len(output.read_text().splitlines()) == 50
    assert ordbo("benchmark", *words, "--iterations", 3).out.split()[2] == "hypervolume@8"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--problems", "zdt1_4d,step_1d"), "zdt1_4d has several objectives, step_1d has one"),
        (("--problems", "zdt1_4d", "--distort", "log"), "copies of several objectives are named"),
        (("--problems", "zdt1_4d", "--theory"), "--theory is about one objective"),
        (("--problems", "zdt1_4d", "--html", "x.html"), "--html shows regrets"),
        (("--problems", "zdt1_4d", "--figure", "x.png"), "--figure draws regrets"),
        (("--problems", "zdt1_4d", "--baseline", "random"), "need no --baseline"),
        (("--problems", "zdt1_4d@noise"), "zdt1_4d cannot be seen through noise"),
        (("--problems", "zdt1_4d@exp@cube"), "zdt1_4d cannot be seen through exp@cube"),
        (("--problems", "fronts@exp"), "zdt1_4d@exp cannot be seen through exp"),
        (("--problems", "zdt1_4d", "--methods", "naive-batch"), "naive-batch takes one objective only"),
    ],
)
def test_what_makes_no_sense_with_several_objectives_is_refused(
    ordbo: Call, output: Path, words: tuple[str, ...], message: str
) -> None:
    """In words, before anything is run."""
    done = ordbo("benchmark", *words, "-o", output)
    assert done.status == 2
    assert message in done.err
    assert not output.exists()


def test_any_front_can_be_seen_through_a_transform(ordbo: Call, output: Path) -> None:
    """A copy that no group has runs like the others."""
    words = ("--problems", "stairs_3d@cube,stairs_3d", "--methods", "random", "--seeds", 0, "--budgets", 6)
    done = ordbo("benchmark", *words, "--jobs", 1, "-o", output)
    assert done.status == 0
    assert "stairs_3d@cube  random  1/1" in done.out
