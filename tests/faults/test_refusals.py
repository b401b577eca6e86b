"""Files that the system does not let us read or write, and things in their place that are no files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.calls import Call
from tests.conftest import Tally
from tests.faults.forked import forked
from tests.faults.harness import PROBLEM

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="gives up root's powers as Linux has them")

OBSERVE = ("angle=4", "blades=4", "drag=0.25")


def commands(path: Path) -> list[tuple[object, ...]]:
    """Return every command that changes files, and those that only read."""
    return [
        ("suggest", path),
        ("suggest", path, "--append"),
        ("observe", path, *OBSERVE),
        ("init", path.with_name("new.yaml")),
        ("status", path, "--json"),
        ("best", path),
        ("check", path),
        ("suggest", path, "--dry-run"),
    ]


def test_a_read_only_folder(shared: Path, digest: Callable[[Path], str], tally: Tally) -> None:
    """What writes is refused in words, what reads works, and nothing has changed."""
    shared.parent.chmod(0o555)
    before = digest(shared.parent)
    ends = forked("powerless", *commands(shared))
    assert [status for status, _, _ in ends] == [74, 74, 74, 74, 0, 0, 0, 0]
    for _, _, err in ends[:4]:
        assert "Permission denied" in err
        assert err.count("\n") <= 2
    assert digest(shared.parent) == before
    tally("refused files", len(ends))


def test_a_read_only_csv(shared: Path, digest: Callable[[Path], str], tally: Tally) -> None:
    """A suggestion that is not appended needs only the state."""
    shared.parent.chmod(0o777)
    csv = shared.with_suffix(".csv")
    csv.chmod(0o444)
    before = csv.read_bytes()
    ends = forked("powerless", *commands(shared))
    assert [status for status, _, _ in ends] == [0, 74, 74, 0, 0, 0, 0, 0]
    assert "drag.csv: cannot append to it: Permission denied" in ends[1][2]
    assert csv.read_bytes() == before
    assert [row["id"] for row in json.loads(ends[4][1])["pending"]] == [2]
    assert not list(shared.parent.glob("*.journal"))
    tally("refused files", len(ends))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_another_users_study(shared: Path, tally: Tally) -> None:
    """Others may go on with a study whose lock and state somebody else has made, where folder and CSV let them."""
    ((status, _, err),) = forked("no-flock", ("suggest", shared, "--append"))
    assert (status, err) == (0, "")
    for path in shared.parent.iterdir():
        os.chown(path, 12345, 12345)
    shared.parent.chmod(0o777)
    shared.with_suffix(".csv").chmod(0o666)
    ends = forked("powerless", ("suggest", shared, "--append"), ("observe", shared, "--id", 2, "drag=1"))
    assert [(status, err.partition(":")[0]) for status, _, err in ends] == [(0, ""), (0, "recorded 2")]
    tally("refused files", len(ends))


def test_a_file_that_nobody_may_read(shared: Path, tally: Tally) -> None:
    """Problem, evaluations, state: each is named."""
    forked("no-flock", ("suggest", shared))
    shared.parent.chmod(0o777)
    for path in (shared, shared.with_suffix(".csv"), shared.with_name("drag.state.json")):
        mode = path.stat().st_mode
        path.chmod(0)
        for status, _, err in forked("powerless", ("suggest", shared), ("status", shared), ("check", shared)):
            assert (status, f"{path}: cannot read it: Permission denied" in err) == (74, True)
            tally("refused files", 1)
        path.chmod(mode)


def folder(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere") / "file")


def loop(path: Path) -> None:
    path.symlink_to(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


ODD_PLACES = (".csv", ".state.json", ".state.json.lock", ".state.json.locked", ".csv.journal")


@pytest.mark.parametrize("make", [folder, fifo, dangling, loop, device])
@pytest.mark.parametrize("suffix", ODD_PLACES)
def test_something_else_in_a_files_place(
    tmp_path: Path, suffix: str, make: Callable[[Path], None], tally: Tally
) -> None:
    """Refused in one or two lines, or harmless; never waited for, never replaced."""
    commands: list[tuple[object, ...]] = []
    places: list[Path] = []
    for k, words in enumerate((("suggest",), ("observe", *OBSERVE), ("suggest", "--append"))):
        study = tmp_path / str(k) / "drag.yaml"
        study.parent.mkdir()
        study.write_text(PROBLEM)
        places.append(study.with_name("drag" + suffix))
        make(places[-1])
        commands.append((words[0], study, *words[1:], *(["--lock-timeout", 0.05] if suffix.endswith("locked") else [])))
    kind = os.lstat(places[0]).st_mode
    ends = forked("no-flock" if suffix.endswith("locked") else "plain", *commands)
    for path, (status, out, err) in zip(places, ends, strict=True):
        assert status in (0, 65, 66, 74, 75)
        assert err.count("\n") <= 2
        assert "Traceback" not in err
        if status:
            assert "drag" + suffix in err or "nowhere" in err
            assert out == ""
        ours = suffix in (".csv.journal", ".state.json.locked")  # what is neither note nor lock may be cleared away
        if not ours and not (make is dangling and status == 0):
            assert os.lstat(path).st_mode == kind
        tally("refused files", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_output_that_is_full(ordbo: Call, results: Path) -> None:
    """The suggestion stands; nobody is told a point that was not printed."""
    template = results.with_name("t")
    template.write_text("{angle} {blades} {wall shear}")
    end = ordbo("suggest", results, "--template", template, "-o", "/dev/full")
    assert end.status == 74
    assert "No space left on device" in end.err
    assert "suggestion 8 stands as pending" in end.err
