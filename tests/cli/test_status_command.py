"""``ordbo status``: where the search goes next, points on a bound, and what failed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
_CROWD = "angle,blades,wall shear,drag\n0,4,1,9\n12,4,1,3\n12,5,2,2\n12,6,20,1\n11,7,3,2.5\n5,9,0.001,5\n"


def line(text: str, title: str) -> str:
    """Return the line that begins with a title, "" where there is none."""
    return next((each for each in text.splitlines() if each.startswith(f"{title}: ")), "")


@pytest.mark.slow
def test_the_next_cell_is_computed(ordbo: Call, results: Path, digest: Call) -> None:
    """In words, without a trace on disk; it is the cell that the next suggestion lies in."""
    before = digest(results.parent)
    shown = ordbo("status", results)
    entries = json.loads(ordbo("status", results, "--json").out)["next"]
    assert digest(results.parent) == before
    assert line(shown.out, "next") == f"next: {entries['words']}"
    assert (entries["kind"], entries["id"], entries["error"]) == ("acquire", None, None)
    point = json.loads(ordbo("suggest", results).out)["parameters"]
    assert all(low <= point[name] <= high for name, (low, high) in entries["cell"].items())
    assert list(entries["cell"]) == ["angle", "blades", "wall shear"]
    out = ordbo("status", results)
    assert line(out.out, "next") == f"next: {entries['words']} (id 8 is out there)"
    assert json.loads(ordbo("status", results, "--json").out)["next"] == {**entries, "id": 8}


def test_nothing_is_computed_unasked(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with --no-next, and beyond a number of results only with --next."""
    from ordbo_cli.study.reporting import views

    assert line(ordbo("status", results, "--no-next").out, "next") == ""
    assert json.loads(ordbo("status", results, "--no-next", "--json").out)["next"] is None
    monkeypatch.setattr(views, "_QUICK", 6)
    assert line(ordbo("status", results).out, "next") == "next: not computed; --next does, and may take a while"
    assert json.loads(ordbo("status", results, "--json").out)["next"] is None
    assert "of angle" in line(ordbo("status", results, "--next").out, "next")
    monkeypatch.setattr(views, "_QUICK", 200)
    results.write_text(results.read_text() + "method: {engine: gpflow}\n")  # which takes 7 s to be imported
    assert "not computed" in line(ordbo("status", results).out, "next")


def test_what_cannot_come_is_said(ordbo: Call, study: Path, results: Path) -> None:
    """An exhausted space and forbidden failures are words on a line, and no error."""
    study.write_text(study.read_text() + "failed: error\n")
    shown = ordbo("status", study)
    assert shown.status == 0
    assert line(shown.out, "next").startswith("next: nothing: ")
    assert "failed: error is set" in line(shown.out, "next")
    study.write_text("objective: {name: drag, goal: minimize}\nparameters: {n: {type: int, min: 1, max: 2}}\n")
    study.with_suffix(".csv").write_text("n,drag\n1,1\n2,2\n")
    shown = ordbo("status", study)
    assert shown.status == 0
    assert line(shown.out, "next") == "next: nothing: every point of the space was tried"
    assert json.loads(ordbo("status", study, "--json").out)["next"]["error"] == "every point of the space was tried"


def test_points_on_a_bound_and_a_hint(ordbo: Call, study: Path) -> None:
    """The share, the bounds, and a question where the best crowd; JSON has the same numbers."""
    study.with_suffix(".csv").write_text(_CROWD)
    shown = ordbo("status", study, "--no-next").out
    assert line(shown, "on a bound") == (
        "on a bound: 5 of 6 points (83%): angle 1 lower, 3 upper; blades 1 upper; wall shear 1 lower"
    )
    assert "\n3 of the 5 best are on the upper bound of angle: widen it?\n" in shown
    assert shown.count("widen") == 1
    found = json.loads(ordbo("status", study, "--json", "--no-next").out)["on_bound"]
    assert (found["points"], found["evaluated"], found["best_results"]) == (5, 6, 5)
    assert found["parameters"]["angle"] == {"lower": 1, "upper": 3, "best_lower": 0, "best_upper": 3}
    study.with_suffix(".csv").write_text("angle,blades,wall shear,drag\n5,4,1,9\n")
    assert line(ordbo("status", study).out, "on a bound") == ""


@pytest.mark.parametrize("terminal", [False, True])
def test_what_failed(ordbo: Call, results: Path, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest first, with their ids and lines; ruled on a terminal."""
    monkeypatch.setenv("TERM", "xterm")
    shown = ordbo("status", results, "--no-next", terminal=terminal).out
    failed = shown.partition("\nfailed\n")[2]
    assert "run folder" not in failed
    assert [words.split()[:4] for words in failed.splitlines() if "0.2" in words or "30" in words] == [
        ["6", "7", "1.2", "8"],
        ["5", "6", "7.5", "6"],
    ]
    assert ("──" in failed) == terminal
    table = results.with_suffix(".csv")
    table.write_text(table.read_text() + "5,5,1,2,failed\n" * 4)
    assert "\nfailed, the newest 5 of 6\n" in ordbo("status", results, "--no-next").out
    assert len(json.loads(ordbo("status", results, "--no-next", "--json").out)["failures"]) == 5


@pytest.mark.slow
def test_the_run_folder_of_a_failure(ordbo: Call, study: Path) -> None:
    """Where ordbo run keeps what the simulator left."""
    script = 'if [ "$1" = 2 ]; then exit 3; else echo "$1"; fi'
    assert ordbo("run", study, "--budget", 3, "--", "sh", "-c", script, "sh", "{id}").status == 0
    shown = ordbo("status", study, "--no-next").out
    folder = study.with_suffix(".runs") / "2"
    assert folder.is_dir()
    assert shown.partition("\nfailed\n")[2].splitlines()[1].endswith(f"  {folder}")
    assert json.loads(ordbo("status", study, "--no-next", "--json").out)["failures"][0]["folder"] == str(folder)
