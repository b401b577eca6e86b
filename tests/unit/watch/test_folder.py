"""Which files of a folder are studies, and by which names they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette")

from ordbo_cli.watch.folder import Studies

PROBLEM = "version: 1\nobjective: {name: y, goal: minimize}\nparameters:\n  x: {min: 0, max: 1}\n"


def test_problem_files_of_a_folder_and_of_those_in_it(tmp_path: Path) -> None:
    """Other YAML, hidden folders, deeper ones and links to elsewhere are passed over."""
    folder = tmp_path / "studies"
    for name in ("one.yaml", "two.yml", "in/three.yaml", ".git/four.yaml", "in/deep/five.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PROBLEM)
    (folder / "compose.yaml").write_text("services:\n  db: {image: postgres}\n")
    (tmp_path / "away.yaml").write_text(PROBLEM)
    (folder / "link.yaml").symlink_to(tmp_path / "away.yaml")
    (folder / "there").symlink_to(tmp_path)
    assert Studies(folder).found == {
        "one": folder / "one.yaml",
        "three": folder / "in" / "three.yaml",
        "two": folder / "two.yml",
    }


def test_names_are_safe_unlike_and_stay(tmp_path: Path) -> None:
    """Two files of one name get two, and one that comes later takes none of them."""
    for name in ("a", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "<b>&..yaml").write_text(PROBLEM)
    studies = Studies(tmp_path)
    before = dict(studies.found)
    assert set(before) == {"b", "b-2"}
    (tmp_path / "<b>&..yaml").write_text(PROBLEM)
    assert studies.look() == {**before, "b-3": tmp_path / "<b>&..yaml"}
