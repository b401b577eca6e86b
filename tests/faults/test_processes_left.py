"""What is left of simulations after every way in which they, the driver and its helpers can end: nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Tally
from tests.faults.families import KINDS

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere only the group can be ended")

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = "version: 1\nobjective: {name: y, goal: minimize}\nparameters: {a: {type: float, min: 0, max: 1}}\n"
PATIENCE = 15.0  # seconds until what was told to end has to be gone


@dataclass
class Scene:
    """A run of one simulation of each kind, all at the same time.

    Args:
        folder: its own, which all of its processes name.
        driver: the process of ``ordbo run``.
    """

    folder: Path
    driver: subprocess.Popen[bytes]

    def left(self) -> dict[int, str]:
        """Return the processes of simulations by number, each with its command line."""
        return {pid: words for pid, words in processes() if f"families.py {self.folder} " in words} | {
            pid: words for pid, words in processes() if f"{self.folder}/tee" in words
        }

    def hops(self) -> bool:
        """Return whether the process that is another one all the time goes on: no look would be sure to find it."""
        path = self.folder / "hopped"
        before = path.stat().st_mtime_ns
        time.sleep(0.5)
        return path.stat().st_mtime_ns != before

    def helpers(self, *names: str) -> list[int]:
        """Return the processes that watch over simulations, by what they are called."""
        return [pid for pid in self._all_helpers if name_of(pid) in names]

    def note_helpers(self) -> None:
        """Look who they are, while the driver lives."""
        self._all_helpers = [pid for pid in descendants(self.driver.pid) if name_of(pid).startswith("ordbo-")]

    def send(self, number: int, *names: str) -> None:
        """Signal helpers."""
        for pid in self.helpers(*names):
            os.kill(pid, number)


Way = Callable[[Scene], None]
GUARD, KEEPER = "ordbo-guard", "ordbo-keeper"


def by(*steps: int | tuple[int, str] | float) -> Way:
    """Return a way to die: signals to the driver, signals to helpers by name, and seconds between."""

    def go(scene: Scene) -> None:
        for step in steps:
            if isinstance(step, float):
                time.sleep(step)
            elif isinstance(step, tuple):
                scene.send(*step)
            else:
                scene.driver.send_signal(step)

    return go


KILL, STOP = signal.SIGKILL, signal.SIGSTOP
WAYS: dict[str, Way] = {
    "SIGINT": by(signal.SIGINT),
    "SIGTERM": by(signal.SIGTERM),
    "SIGHUP": by(signal.SIGHUP),
    "SIGKILL": by(KILL),
    "crash": by(signal.SIGSEGV),
    "helper killed, then SIGTERM": by((KILL, GUARD), 0.3, signal.SIGTERM),
    "helper killed, then SIGKILL": by((KILL, GUARD), 0.3, KILL),
    "helper stopped, then SIGTERM": by((STOP, GUARD), 0.3, signal.SIGTERM),
    "helper stopped, then SIGKILL": by((STOP, GUARD), 0.3, KILL),
    "helper and driver killed": by((KILL, GUARD), KILL),
    "driver and helper killed": by(KILL, (KILL, GUARD)),
    "keepers stopped, then SIGTERM": by((STOP, KEEPER), 0.3, signal.SIGTERM),
    "keepers stopped, then SIGKILL": by((STOP, KEEPER), 0.3, KILL),
    "all helpers stopped, then SIGTERM": by((STOP, GUARD), (STOP, KEEPER), signal.SIGTERM),
    "all helpers stopped, then SIGKILL": by((STOP, GUARD), (STOP, KEEPER), KILL),
    "all stopped, then SIGKILL": by((STOP, GUARD), (STOP, KEEPER), STOP, KILL),
    "keepers killed": by((KILL, KEEPER)),
    "keepers killed, then SIGKILL": by((KILL, KEEPER), KILL),
    "driver killed, then keepers": by(KILL, (KILL, KEEPER)),
}
# The driver itself ends what it adopts then, known by its session or by ORDBO_FOLDER.
NO_HELPERS = by((KILL, GUARD), 0.3, (KILL, KEEPER))
TIMEOUTS: dict[str, Way] = {
    "time-out": by(),
    "helper killed, then a time-out": by((KILL, GUARD)),
    "helper stopped, then a time-out": by((STOP, GUARD)),
    "keepers stopped, then a time-out": by((STOP, KEEPER)),
}
SHORT = ("SIGTERM", "SIGKILL", "helper and driver killed", "all helpers stopped, then SIGKILL")


def cases(ways: dict[str, Way], short: Collection[str]) -> list[Any]:
    """Return the ways as parameters of a test; those that are not short take a minute together."""
    long = pytest.mark.faults_long
    return [pytest.param(way, id=name, marks=() if name in short else long) for name, way in ways.items()]


@contextlib.contextmanager
def running(folder: Path, *options: str, stays: bool = True) -> Iterator[Scene]:
    """Start a run, and wait until all processes of all its simulations are there."""
    (folder / "study.yaml").write_text(PROBLEM + f"method: {{initial: {len(KINDS)}}}\n")
    command = [sys.executable, "-m", "ordbo_cli", "run", "study.yaml", "--budget", str(len(KINDS)), *options]
    command += ["--workers", str(len(KINDS)), "--keep-going"]
    script = [sys.executable, str(ROOT / "tests" / "faults" / "families.py"), str(folder), "{id}", str(int(stays))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "errors").open("wb") as errors:
        driver = subprocess.Popen(
            [*command, "--", *script],
            cwd=folder,
            env=environment,
            stdout=errors,
            stderr=errors,
            start_new_session=True,
        )
    scene = Scene(folder, driver)
    try:
        assert within(60.0, lambda: len(list(folder.glob("began-*"))) == len(KINDS)), (folder / "errors").read_text()
        scene.note_helpers()
        yield scene
    finally:
        scene.driver.kill()
        scene.driver.wait()
        (folder / "stop").touch()
        for pid in scene.left():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def checked(scene: Scene, tally: Tally, way: str) -> None:
    """Wait until nothing is left of a scene, and count."""
    within(PATIENCE, lambda: not scene.left() and not scene.hops())
    hops = scene.hops()
    left = scene.left()
    tally("families of processes after a way to die", len(KINDS))
    tally("processes left after a way to die", len(left) + hops)
    assert left == {}, way
    assert not hops, way
    assert within(PATIENCE, lambda: not any(map(name_of, scene.helpers(GUARD, KEEPER)))), "a helper is left"


@pytest.mark.parametrize("way", cases(WAYS, SHORT))
def test_nothing_is_left_of_any_kind(tmp_path: Path, tally: Tally, way: Way, request: pytest.FixtureRequest) -> None:
    """However the driver and its helpers die, and in whatever sessions and groups simulations live."""
    with running(tmp_path) as scene:
        assert len(scene.left()) > len(KINDS)
        assert len(scene.helpers(GUARD)) == 1
        assert len(scene.helpers(KEEPER)) == len(KINDS)
        way(scene)
        checked(scene, tally, request.node.name)


def test_nothing_is_left_where_all_helpers_are_killed(tmp_path: Path, tally: Tally) -> None:
    """But what has a session of its own and threw its environment away, as the documentation says."""
    with running(tmp_path) as scene:
        NO_HELPERS(scene)
        assert scene.driver.wait(30) == 74, (tmp_path / "errors").read_text()
        left = [pid for pid, words in scene.left().items() if "sleeper" in words and not environment_of(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert len(left) <= 1
        checked(scene, tally, "all helpers killed")


@pytest.mark.parametrize("way", cases(TIMEOUTS, ["time-out"]))
def test_nothing_is_left_after_a_time_out(
    tmp_path: Path, tally: Tally, way: Way, request: pytest.FixtureRequest
) -> None:
    """Whatever becomes of the helpers before."""
    with running(tmp_path, "--timeout", "4s") as scene:
        way(scene)
        assert scene.driver.wait(60) == 2, (tmp_path / "errors").read_text()
        checked(scene, tally, request.node.name)
    assert (tmp_path / "study.csv").read_text().count("failed") == len(KINDS)


def test_nothing_is_left_of_simulations_that_have_ended(tmp_path: Path, tally: Tally) -> None:
    """What they left behind is ended before the next one begins in their place."""
    with running(tmp_path, stays=False) as scene:
        assert scene.driver.wait(60) == 0, (tmp_path / "errors").read_text()
        assert scene.left() == {}
        checked(scene, tally, "simulation ends")
    assert (tmp_path / "study.csv").read_text().count(",ok") == len(KINDS)


def within(seconds: float, holds: Callable[[], object]) -> bool:
    """Return whether something comes to hold within a time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def processes() -> Iterator[tuple[int, str]]:
    """Yield every process but this one that is no zombie, with its command line."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            words = Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if words and int(name) != os.getpid():
                yield int(name), words


def name_of(pid: int) -> str:
    """Return what a process is called, "" where it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return "" if stat.rpartition(")")[2].split()[0] in "ZX" else stat[stat.index("(") + 1 : stat.rindex(")")]


def environment_of(pid: int) -> bytes:
    """Return the environment of a process."""
    return Path(f"/proc/{pid}/environ").read_bytes()


def descendants(pid: int) -> list[int]:
    """Return the processes below one."""
    found = [pid]
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            parents[int(name)] = int(Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[1])
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]
