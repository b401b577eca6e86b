"""Commands in a folder that was deleted under them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.calls import Call


@pytest.fixture
def nowhere(tmp_path: Path) -> Iterator[None]:
    """Work in a folder that is gone."""
    before, folder = Path.cwd(), tmp_path / "gone"
    folder.mkdir()
    os.chdir(folder)
    folder.rmdir()
    yield
    os.chdir(before)


@pytest.mark.parametrize("command", [("run", "p.yaml", "--", "echo", "1"), ("suggest", "p.yaml"), ("init", "q.yaml")])
def test_a_file_of_a_folder_that_is_gone(ordbo: Call, nowhere: None, command: tuple[str, ...]) -> None:
    """It is said why it is missing."""
    end = ordbo(*command)
    assert end.status in (66, 74)
    assert end.err.endswith("hint: The folder that you are in was deleted: cd to another one\n")
    assert end.err.count("\n") == 2


def test_a_study_elsewhere(ordbo: Call, study: Path, nowhere: None) -> None:
    """What needs no folder of its own works; a simulator needs one."""
    assert ordbo("suggest", study).status == 0
    assert ordbo("status", study, "--no-next").status == 0
    end = ordbo("run", study, "--budget", 1, "--", "echo", "1")
    assert end.status == 74
    assert "The folder that you are in was deleted" in end.err
