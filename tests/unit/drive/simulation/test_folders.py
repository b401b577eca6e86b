"""Run folders: what they say of a run that was killed, and which of them stay."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.simulation.folders import Answer, Keep, RunFolders, begin, read_answer, taken_over, write_answer
from ordbo_cli.errors import FileError


@pytest.fixture
def folders(tmp_path: Path) -> RunFolders:
    return RunFolders(tmp_path / "a" / "runs")


def left(folders: RunFolders, id: int, attempt: int = 1, answer: Answer | None = None) -> Path:
    """Leave the folder of an attempt, as a run does."""
    folder = folders.path(id, attempt)
    begin(folder)
    (folder / "stdout").write_text("x")
    if answer is not None:
        write_answer(folder, answer)
    return folder


def names(folders: RunFolders) -> list[str]:
    return sorted(path.name for path in folders.base.iterdir())


def test_every_attempt_has_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one's name is the id alone; all are absolute."""
    monkeypatch.chdir(tmp_path)
    folders = RunFolders(Path("runs"))
    assert folders.path(17) == tmp_path / "runs" / "17"
    assert folders.path(17, 3) == tmp_path / "runs" / "17-3"


def test_claimed_points_are_known(folders: RunFolders) -> None:
    """From the moment on in which the claim returns; other names are nobody's."""
    assert folders.claimed() == set()
    folders.claim(17)
    folders.claim(17)
    folders.claim(3)
    left(folders, 5, 2)
    for name in ("x", "017", "1.old", "2-1", "2-0", "-4", "8 "):
        (folders.base / name).mkdir()
    (folders.base / "9").touch()
    assert folders.claimed() == {3, 5, 17}
    assert [folders.last(id) for id in (17, 5)] == [(1, None), (2, None)]


def test_a_claim_outlives_a_power_cut(folders: RunFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder that got a new name in it is written through, also when the claim is repeated after a kill."""
    synced: list[Path] = []
    monkeypatch.setattr("ordbo_cli.drive.simulation.folders.sync_folder", synced.append)
    folders.claim(17)
    assert set(synced) == {folders.base, folders.base.parent, folders.base.parent.parent}
    synced.clear()
    folders.claim(17)
    assert synced == [folders.base]


def test_answers_that_nobody_recorded(folders: RunFolders) -> None:
    """The last attempt counts: one that was cut has no answer, whatever those before it said."""
    left(folders, 17)
    assert folders.last(17) == (1, None)
    left(folders, 17, 1, Answer(None, "exit status 3", 0.5))
    left(folders, 17, 2, Answer(None, "exit status 4"))
    left(folders, 17, 10, Answer("0.31", "", 1.5))
    assert folders.last(17) == (10, Answer("0.31", "", 1.5))
    left(folders, 17, 11)
    assert folders.last(17) == (11, None)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"objective": 1}',
        '{"objective": "1", "other": 2}',
        '{"fault": ""}',
        '{"objective": "1", "fault": 3}',
    ],
)
def test_what_is_no_answer_of_ours(folders: RunFolders, content: str) -> None:
    """A cut file, or one that a simulator wrote for itself."""
    (left(folders, 17) / "answer.json").write_text(content)
    assert folders.last(17) == (1, None)


def test_an_answer_is_written_whole_or_not_at_all(folders: RunFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill while it is written leaves none; a full disk is no error, as the driver has the answer."""
    folder = left(folders, 17)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ordbo_cli.drive.simulation.run_folder.os.replace", refuse)
        write_answer(folder, Answer("0.31"))
    assert read_answer(folder) is None
    write_answer(folder, Answer("0.31"))
    assert json.loads((folder / "answer.json").read_text())["objective"] == "0.31"


@pytest.mark.parametrize(
    ("keep", "stay"),
    [("failed", ["1", "1-2", "3"]), ("all", ["1", "1-2", "2", "2-2", "3"]), ("none", ["3"])],
)
def test_which_folders_stay(tmp_path: Path, keep: Keep, stay: list[str]) -> None:
    """Those of failures, all, or none; those that are not done stay anyway."""
    folders = RunFolders(tmp_path / "runs", keep)
    for id, attempt in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1)):
        left(folders, id, attempt, Answer("1"))
    folders.done(1, failed=True)
    folders.done(2, failed=False)
    assert names(folders) == stay


def test_files_of_others_stay(tmp_path: Path) -> None:
    """A folder that has a run's name and was never one is neither claimed nor removed."""
    folders = RunFolders(tmp_path, "none")
    (tmp_path / "17").mkdir()
    (tmp_path / "17" / "thesis.tex").touch()
    with pytest.raises(FileError, match="holds files that are of no run"):
        folders.claim(17)
    folders.done(17, failed=True)
    assert (tmp_path / "17" / "thesis.tex").exists()


def test_a_link_is_not_followed(folders: RunFolders, tmp_path: Path) -> None:
    """What a simulator linked into its folder is not deleted with it."""
    (tmp_path / "mesh").mkdir()
    (tmp_path / "mesh" / "big").touch()
    folder = left(folders, 17)
    (folder / "mesh").symlink_to(tmp_path / "mesh")
    folders.done(17, failed=False)
    assert not folder.exists()
    assert (tmp_path / "mesh" / "big").exists()


def test_a_removal_that_was_cut_short_goes_on(folders: RunFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is still known for a run's."""
    folder = left(folders, 17, 1, Answer("1"))
    (folder / "zz").mkdir()
    unlink = os.unlink

    def cut(path: str, **options: Any) -> None:
        if len(list(folder.iterdir())) == 3:
            raise OSError(5, "cut")
        unlink(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr("ordbo_cli.drive.simulation.run_folder.os.unlink", cut)
        folders.done(17, failed=False)
    assert folder.exists()
    folders.done(17, failed=False)
    assert not folder.exists()


@pytest.mark.parametrize(("keep", "stay"), [("failed", ["17", "17.old", "17.old-2"]), ("none", ["17"])])
def test_a_point_that_is_claimed_again_has_no_answer_yet(tmp_path: Path, keep: Keep, stay: list[str]) -> None:
    """It is to be evaluated again, or another point has its number now: what was answered before counts no more."""
    folders = RunFolders(tmp_path, keep)
    left(folders, 17, 1, Answer("1"))
    left(folders, 17, 2, Answer("2"))
    folders.claim(17)
    assert folders.last(17) == (1, None)
    assert names(folders) == stay


def test_who_began_last_has_the_folder(folders: RunFolders) -> None:
    """The mark of the one before is gone; a deleted mark or folder says nothing."""
    folder = folders.path(17)
    first = begin(folder)
    assert not taken_over(folder, first)
    second = begin(folder)
    assert taken_over(folder, first)
    assert not taken_over(folder, second)
    (folder / ".ordbo").unlink()
    assert not taken_over(folder, first)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_refusal_is_an_error_for_people(folders: RunFolders) -> None:
    """It names the folder."""
    folders.base.mkdir(parents=True)
    folders.base.chmod(0o500)
    with pytest.raises(FileError, match="17: cannot make it"):
        folders.claim(17)


def test_a_file_in_the_place_of_a_folder(folders: RunFolders) -> None:
    """It is an error for people as well."""
    folders.base.mkdir(parents=True)
    folders.path(17).touch()
    with pytest.raises(FileError, match="17: cannot make it"):
        folders.claim(17)
    with pytest.raises(FileError, match="17: cannot use it for a run"):
        begin(folders.path(17))
