"""``ordbo clean``: the list of files, what goes, and what a run at work holds still."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.simulation.folders import RunFolders
from tests.cli.bowl import BOWL

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.fixture
def driven(ordbo: Call, bowl: Path) -> Path:
    """A study that was driven for three points, with the folders of all of them."""
    assert ordbo("run", bowl, "--budget", 3, "--keep", "all", "--", "sh", "-c", BOWL).status == 0
    return bowl


def test_the_list(ordbo: Call, driven: Path, digest: Callable[[Path], str]) -> None:
    """A dry run says what each file is, whether it belongs into version control, and what becomes of it."""
    before = digest(driven.parent)
    said = ordbo("clean", driven, "--dry-run")
    assert (said.status, said.err) == (0, "")
    lines = [line.replace(f"{driven.parent}/", "") for line in said.out.splitlines()[1:]]
    assert [tuple(line.split("  ")[0] for line in lines)] == [
        ("bowl.yaml", "bowl.csv", "bowl.suggestions.jsonl", "bowl.notes.jsonl", "bowl.state.json",
         "bowl.state.json.bak", "bowl.state.json.lock", "bowl.runs"),
    ]  # fmt: skip
    assert [" may go" in line.replace(", may go", "") for line in lines] == [False] * 4 + [True] * 3 + [False]
    assert lines[-1].endswith("stays   3 of 3, whose points have their answer, may go with --runs")
    assert digest(driven.parent) == before
    listed = [json.loads(line) for line in ordbo("clean", driven, "--dry-run", "--json").out.splitlines()]
    assert {tuple(each) for each in listed} == {("path", "what", "why", "versioned", "may_go", "deleted")}
    assert [each["versioned"] for each in listed] == [True] * 4 + [False] * 4
    assert not any(each["deleted"] for each in listed)


def test_the_study_goes_on(ordbo: Call, driven: Path) -> None:
    """In the initial design, where no model is asked, the next point is the very same; run folders stay."""
    before = ordbo("suggest", driven, "--dry-run").out
    said = ordbo("clean", driven)
    assert said.status == 0
    assert sum("  deleted" in line for line in said.out.splitlines()) == 3
    assert ordbo("suggest", driven, "--dry-run").out == before
    assert sorted(path.name for path in driven.with_suffix(".runs").iterdir()) == [".lock", "1", "2", "3"]
    ordbo("clean", driven)
    said = ordbo("clean", driven)
    assert (said.status, said.err) == (0, "nothing is there that may go\n")


def test_run_folders(ordbo: Call, driven: Path) -> None:
    """With --runs those go whose points have an answer on record; what is out, and what is of no run, stays."""
    ordbo("undo", driven, "--id", 2)
    folders = RunFolders(driven.with_suffix(".runs"))
    (folders.base / "1.old").mkdir()
    (folders.base / "4").mkdir()
    (folders.base / "3" / ".ordbo").unlink()  # the mark of a run's folder
    (folders.base / "notes.txt").write_text("mine")
    assert ordbo("clean", driven, "--runs").status == 0
    assert sorted(path.name for path in folders.base.iterdir()) == [".lock", "2", "3", "4", "notes.txt"]
    assert (folders.base / "3" / "stdout").exists()


def test_a_parameter_that_went(ordbo: Call, driven: Path) -> None:
    """The state goes, and no run folder with it; when it is gone, those may."""
    text = driven.read_text()
    lines = text.splitlines(keepends=True)
    first = next(k for k, line in enumerate(lines) if line.startswith("parameters:"))
    driven.write_text("".join(lines[: first + 1] + lines[first + 2 :]))
    assert ordbo("status", driven).status == 65
    assert ordbo("clean", driven, "--runs").status == 0
    assert not driven.with_suffix(".state.json").exists()
    assert (driven.with_suffix(".runs") / "3").exists()
    assert ordbo("clean", driven, "--runs").status == 0
    assert not driven.with_suffix(".runs").exists()


def test_the_folder_around_them_goes_with_the_last(ordbo: Call, driven: Path) -> None:
    """Nothing is left but the study."""
    assert ordbo("clean", driven, "--runs").status == 0
    assert sorted(path.name for path in driven.parent.iterdir()) == [
        "bowl.csv", "bowl.notes.jsonl", "bowl.suggestions.jsonl", "bowl.yaml",
    ]  # fmt: skip


def test_a_folder_of_somebody_else(ordbo: Call, driven: Path, tmp_path: Path) -> None:
    """Run folders behind a link stay, and a folder in which no run has been is none of ours."""
    runs = driven.with_suffix(".runs")
    runs.rename(tmp_path / "scratch")
    runs.symlink_to(tmp_path / "scratch")
    assert ordbo("clean", driven, "--runs").status == 0
    assert (tmp_path / "scratch" / "1" / "stdout").exists()
    runs.unlink()
    (runs / "1").mkdir(parents=True)
    assert ordbo("clean", driven, "--runs").status == 0
    assert [path.name for path in runs.iterdir()] == ["1"]


@pytest.mark.parametrize("linked", [False, True])
def test_a_run_at_work(ordbo: Call, driven: Path, digest: Callable[[Path], str], linked: bool) -> None:
    """Nothing goes, and who is at work is named; what there is can be listed all the same."""
    runs = driven.with_suffix(".runs")
    if linked:
        runs.rename(runs.with_name("scratch"))
        runs.symlink_to("scratch")
    with RunFolders(runs).alone():
        before = digest(driven.parent)
        said = ordbo("clean", driven, "--runs")
        assert (said.status, said.out) == (75, "")
        assert said.err.startswith("error: another 'ordbo run' drives this study: ")
        assert digest(driven.parent) == before
        assert ordbo("clean", driven, "--dry-run").status == 0
