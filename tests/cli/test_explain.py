"""``ordbo suggest --explain`` on real studies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
_FIRST = re.compile(r"([0-9]+): (exploits the cell|explores the cell|takes the turn to explore the largest cell:) ")


def explained(text: str) -> list[list[str]]:
    """Return the blocks of what was said, a list of lines for each point."""
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("    "):
            blocks[-1].append(line.strip())
        else:
            blocks.append([line])
    return blocks


def test_why_there(ordbo: Call, results: Path) -> None:
    """Four lines on standard error, and on standard output what comes without them."""
    plain = ordbo("suggest", results, "--dry-run")
    said = ordbo("suggest", results, "--dry-run", "--explain")
    assert (said.status, said.out) == (0, plain.out)
    (block,) = explained(said.err)
    assert _FIRST.match(block[0])
    assert "of wall shear" in block[0] or "any wall shear" in block[0]
    assert re.fullmatch(r"lcb -?[0-9.]+ \(mean -?[0-9.]+, sd [0-9.]+ of the prior's 1\), runner-up .*", block[1])
    assert re.fullmatch(r"weighs on it: (id [1-7] \((best|[0-9]+(nd|rd|th)|failed), -?[0-9.]+\)(, )?){3}", block[2])
    assert re.fullmatch(r"expected rank [0-9.]+ of 6, chance to beat the best [0-9]+%, to fail [0-9]+%", block[3])
    assert not results.with_name("drag.state.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [["--format", "csv"], ["--format", "args"], ["--template", "a.tpl", "-o", "{id}.in"]]
)
def test_every_format_stays_as_it_is(
    ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """Byte for byte, for a batch too; each of its points is explained in its turn."""
    monkeypatch.chdir(results.parent)
    Path("a.tpl").write_text("{angle} {blades} {wall shear}")
    plain = ordbo("suggest", results, "-n", 3, "--dry-run", *options)
    said = ordbo("suggest", results, "-n", 3, "--explain", *options)
    assert (said.status, said.out) == (0, plain.out)
    note, *blocks = explained(said.err)
    assert [block[0].partition(":")[0] for block in blocks] == ["8", "9", "10"]
    assert all(len(block) >= 3 for block in blocks)
    assert "the rows have the ids 1 to 7" in note[0]


def test_quiet_wins(ordbo: Call, results: Path) -> None:
    """Nothing is said, and the state has it all the same."""
    said = ordbo("suggest", results, "--explain", "--quiet")
    assert (said.status, said.err) == (0, "")
    step = json.loads(results.with_name("drag.state.json").read_text())["diagnostics"][-1]
    assert {"aim", "weights", "expected_rank", "chance_to_beat_best", "chance_to_fail", "sd_left"} <= set(
        step["explanation"]
    )
    assert all(2 <= each["line"] <= 8 for each in step["explanation"]["weights"])


def test_the_state_has_no_explanation_that_nobody_asked_for(ordbo: Call, results: Path) -> None:
    """And the same state otherwise."""
    states = []
    for words in ([], ["--explain"]):
        ordbo("suggest", results, *words)
        path = results.with_name("drag.state.json")
        states.append(json.loads(path.read_text()))
        path.unlink()
        results.with_name("drag.suggestions.jsonl").unlink()
    plain, told = states
    assert told["diagnostics"][-1].pop("explanation")
    for state in states:
        state["pending"][0].pop("time")
    assert told == plain


def test_a_batch_says_of_each_what_it_is(ordbo: Call, study: Path) -> None:
    """The initial design, corners first, then the model; what is out again is handed out again."""
    said = ordbo("suggest", study, "-n", 6, "--explain", "--append")
    blocks = explained(said.err)
    assert [block[0] for block in blocks[:3]] == [
        "1: is point 1 of 5 of the initial design, a corner of the box",
        "2: is point 2 of 5 of the initial design, a corner of the box",
        "3: is point 3 of 5 of the initial design, far from the points before it",
    ]
    assert blocks[5][0].startswith("6: goes into the largest cell, as a result is awaited in every one: ")
    assert not any("expected rank" in line for line in blocks[5])
    ordbo("observe", study, "--id", 4, "--retry")
    again = ordbo("suggest", study, "--explain", "-n", 2)
    assert [json.loads(line)["id"] for line in again.out.splitlines()] == [4, 7]
    blocks = explained(again.err)
    assert blocks[0] == ["4: is handed out again, as it is to be evaluated once more"]
    assert blocks[1][0].startswith("7: ")


def test_details_of_a_dry_run(ordbo: Call, results: Path) -> None:
    """--verbose tells the search's words where nothing is recorded, too; with the explanation if it is asked for."""
    said = ordbo("suggest", results, "--dry-run", "--verbose")
    told = json.loads(said.err.partition("chosen: ")[2].splitlines()[0])
    assert (told["id"], told["step"]) == (8, 0)
    assert "explanation" not in told
    both = ordbo("suggest", results, "--dry-run", "--verbose", "--explain")
    told = json.loads(both.err.partition("chosen: ")[2].splitlines()[0])
    assert len(told["explanation"]["weights"]) == 3
    assert _FIRST.search(both.err)


@pytest.mark.parametrize(
    "method", ["{acquisition: thompson}", "{acquisition: ei}", "metric-free", "{explore_every: 1}"]
)
def test_other_methods(ordbo: Call, results: Path, method: str) -> None:
    """Each compares by what it goes by, and a turn to explore by nothing."""
    results.write_text(results.read_text() + f"method: {method}\n")
    plain = ordbo("suggest", results, "--dry-run")
    said = ordbo("suggest", results, "--dry-run", "--explain")
    assert said.out == plain.out
    (block,) = explained(said.err)
    second = {
        "{acquisition: thompson}": "holds the minimum of ",
        "{acquisition: ei}": "logarithm of the expected improvement ",
        "metric-free": "lcb ", "{explore_every: 1}": "mean ",
    }[method]  # fmt: skip
    assert block[1].startswith(second)
    assert ("turn to explore" in block[0]) == ("explore_every" in method)
