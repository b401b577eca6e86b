"""Links in run folders: nothing of ours is written, or deleted, where they lead."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ordbo_cli.drive.simulation.folders import (
    OUR_FILES,
    Answer,
    RunFolders,
    begin,
    read_answer,
    taken_over,
    write_answer,
)
from ordbo_cli.drive.simulation.run_folder import RunFolder
from ordbo_cli.drive.simulation.simulate import simulate
from ordbo_cli.errors import FileError, LockTimeoutError
from ordbo_cli.files.durable.lock import locked
from tests.unit.drive.conftest import MakeJob

Link = Callable[[Path, Path], None]
LINKS: list[Link] = [os.symlink, os.link]


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """A file in a folder of its own, of which nothing may change."""
    folder = tmp_path / "cage"
    folder.mkdir()
    path = folder / "canary"
    path.write_text("alive\n")
    path.chmod(0o640)
    yield path
    assert path.read_text() == "alive\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in folder.iterdir()] == ["canary"]


@pytest.mark.slow
@pytest.mark.parametrize("link", LINKS, ids=["symbolic", "hard"])
def test_what_a_simulator_links_is_not_written_through(make_job: MakeJob, canary: Path, link: Link) -> None:
    """All files of ours, while it runs and before the next attempt in the same folder."""
    command = "ln -s" if link is os.symlink else "ln"
    script = "; ".join(f'rm -f "{name}"; {command} {canary} "{name}"' for name in OUR_FILES)
    job = make_job("sh", "-c", f"{script}; echo 0.31", in_folder=True)
    assert simulate(job).objective == "0.31"
    assert not (job.folder / "answer.json").is_symlink()
    assert read_answer(job.folder) is not None
    assert simulate(job).objective == "0.31"


@pytest.mark.parametrize("link", LINKS, ids=["symbolic", "hard"])
@pytest.mark.parametrize("name", OUR_FILES)
def test_what_was_linked_before_is_not_written_through(
    make_job: MakeJob, tmp_path: Path, canary: Path, name: str, link: Link
) -> None:
    """In the folder of an attempt that a killed driver left."""
    template = tmp_path / "case.tpl"
    template.write_text("{n}")
    template.chmod(0o755)
    job = make_job("cat", "{folder}/a/case.in", template=template, input="a/case.in")
    begin(job.folder)
    (job.folder / name).unlink(missing_ok=True)
    link(canary, job.folder / name)
    (job.folder / ".ordbo").touch() if name != ".ordbo" else None
    (job.folder / "a").symlink_to(canary.parent)
    assert simulate(job).objective == "4"


def test_links_that_appear_in_the_last_moment(tmp_path: Path, canary: Path) -> None:
    """Between the emptying of a folder and the writing in it: a file takes the link's place, a folder is refused."""
    folder = tmp_path / "17"
    begin(folder)
    for name in OUR_FILES:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(canary)
    (folder / "a").symlink_to(canary.parent)
    with RunFolder.at(folder) as opened:
        for name in OUR_FILES:
            opened.write(name, b"x", 0o777)
            os.close(opened.create(name))
            opened.replace(name, b"y")
        with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
            opened.write("a/canary", b"x")


@pytest.mark.parametrize("name", ["17", "17-2"])
def test_a_link_in_the_place_of_a_folder_is_refused(tmp_path: Path, canary: Path, name: str) -> None:
    """It is neither claimed nor begun nor cleared nor read; not even where an empty folder is behind it."""
    folders = RunFolders(tmp_path / "runs", "none")
    attempt = 2 if name == "17-2" else 1
    folders.base.mkdir()
    for target in (canary.parent, tmp_path / "empty"):
        target.mkdir(exist_ok=True)
        (folders.base / name).symlink_to(target)
        with pytest.raises(FileError, match=r"Not a directory|symbolic links"):
            begin(folders.path(17, attempt))
        if attempt == 1:
            with pytest.raises(FileError, match=r"Not a directory|symbolic links"):
                folders.claim(17)
        write_answer(folders.path(17, attempt), Answer("1"))
        assert read_answer(folders.path(17, attempt)) is None
        assert not taken_over(folders.path(17, attempt), b"x")
        folders.done(17, failed=False)
        assert (folders.base / name).is_symlink()
        (folders.base / name).unlink()
    assert list((tmp_path / "empty").iterdir()) == []


def test_an_answer_behind_a_link_is_none(tmp_path: Path, canary: Path) -> None:
    """Nor is one in a pipe, which is not waited for."""
    folder = tmp_path / "17"
    begin(folder)
    (tmp_path / "answer").write_text('{"objective": "1"}')
    (folder / "answer.json").symlink_to(tmp_path / "answer")
    assert read_answer(folder) is None
    (folder / "answer.json").unlink()
    os.mkfifo(folder / "answer.json")
    assert read_answer(folder) is None


def test_permissions_behind_a_link_stay(tmp_path: Path, canary: Path) -> None:
    """Where read-only folders are deleted."""
    folder = tmp_path / "17"
    begin(folder)
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").symlink_to(canary)
    (folder / "a" / "d").symlink_to(canary.parent)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0o500)
    begin(folder)
    assert sorted(each.name for each in folder.iterdir()) == [".ordbo"]


def test_a_lock_signs_nothing_that_has_another_name(tmp_path: Path, canary: Path) -> None:
    """It is held all the same."""
    os.link(canary, tmp_path / ".lock")
    with locked(tmp_path / ".lock", 0.0), pytest.raises(LockTimeoutError), locked(tmp_path / ".lock", 0.0):
        pass
    assert canary.read_text() == "alive\n"
