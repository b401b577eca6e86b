"""What a simulator prints, kept within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ordbo_cli.drive.processes.kept import PART, Kept
from ordbo_cli.drive.simulation.simulate import simulate
from tests.unit.drive.conftest import MakeJob


def kept(path: Path, content: bytes, piece: int) -> bytes:
    """Return what stays of some bytes that come piece by piece."""
    file = Kept(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL))
    for start in range(0, len(content), piece):
        file.write(content[start : start + piece])
        assert path.stat().st_size <= 3 * PART
    file.close()
    assert file.fault is None
    return path.read_bytes()


@pytest.mark.parametrize("size", [0, 1, PART, 2 * PART])
def test_what_is_within_bounds_stays_as_it_is(tmp_path: Path, size: int) -> None:
    """Byte by byte."""
    content = os.urandom(size)
    assert kept(tmp_path / "out", content, 60_000) == content


@pytest.mark.parametrize("size", [2 * PART + 1, 3 * PART + 5, 9 * PART + 12_345])
@pytest.mark.parametrize("piece", [65_536, 99_991])
def test_the_first_and_the_last_megabyte_stay(tmp_path: Path, size: int, piece: int) -> None:
    """And a line between them says how much is left out."""
    content = os.urandom(size)
    note = b"\n[ordbo: %d bytes are left out here]\n" % (size - 2 * PART)
    assert kept(tmp_path / "out", content, piece) == content[:PART] + note + content[-PART:]


def test_a_refusal_is_kept_for_the_end(tmp_path: Path) -> None:
    """What comes after it is taken all the same: the simulator is not to wait."""
    (tmp_path / "out").touch()
    file = Kept(os.open(tmp_path / "out", os.O_RDONLY))
    file.write(b"x")
    first = file.fault
    file.write(b"y")
    file.close()
    assert first is not None
    assert file.fault is first


@pytest.mark.slow
def test_a_simulator_may_print_without_end(make_job: MakeJob) -> None:
    """Its answer is the last line, the files hold both ends, and what runs at a time-out keeps them as well."""
    job = make_job(
        "sh", "-c", "echo first; yes 0123456789 | head -c 30000000; echo; echo drag = 0.31; yes x >&2", timeout=3
    )
    assert simulate(job).fault == "no answer within 3 s"
    stdout, stderr = (job.folder / "stdout").read_bytes(), (job.folder / "stderr").read_bytes()
    assert stdout.startswith(b"first\n0123456789\n")
    assert stdout.endswith(b"drag = 0.31\n")
    assert stderr.startswith(b"x\nx\n")
    assert len(stdout) < 2 * PART + 100
    assert len(stderr) < 2 * PART + 100
    words = "yes 0123456789 | head -c 30000000; echo; echo drag = 0.31"
    assert simulate(make_job("sh", "-c", words)).objective == "0.31"
