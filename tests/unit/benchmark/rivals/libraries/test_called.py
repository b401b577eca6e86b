"""Minimisers that call the function, asked and told: with toys that need no package."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.libraries.called import Called
from ordbo_cli.benchmark.rivals.libraries.called_process import Function, Minimiser, Task
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.errors import OrdboError
from ordbo_cli.problem import Number, Parameter, Problem

pytestmark = pytest.mark.slow  # each begins a process

BOX = Problem((Parameter("x", 0.0, 10.0), Parameter("y", 1.0, 100.0, scale="log")))
LEVELS = Problem((Parameter("n", 0, 3, "int"),))


def walk(function: Function, task: Task) -> None:
    """Ask for the start, then for points at random, and be noisy."""
    rng = np.random.default_rng(task.seed)
    function(task.points[0])
    for _ in range(50):
        os.write(1, b"noise on standard output\n")
        os.write(2, b"and on the other\n")
        Path("trace.txt").write_text("a file", encoding="utf-8")
        function(rng.random(len(task.parts)))


def descend(function: Function, task: Task) -> None:
    """Halve the distance to the lower corner as long as that is better, three times at most; ask each twice."""
    x = task.points[0]
    for _ in range(3):
        if function(x / 2) != function(x / 2):
            raise AssertionError("one point, two values")
        if not function(x / 2) < function(x):
            return
        x = x / 2


def stay(function: Function, task: Task) -> None:
    """Ask for the start for ever."""
    while True:
        function(task.points[0])


def end(function: Function, task: Task) -> None:
    """Ask for nothing."""


def echo(function: Function, task: Task) -> None:
    """Move by the value of the worst point that is known: nowhere where that is a failure."""
    value = function(task.points[-1])
    function(np.full(len(task.parts), 0.125 if np.isnan(value) else value / 100))


class TwoPartsError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def fail(function: Function, task: Task) -> None:
    """Raise after a point."""
    function(np.full(2, 0.25))
    raise ZeroDivisionError("no slope")


def fail_oddly(function: Function, task: Task) -> None:
    """Raise what cannot be made from its message."""
    raise TwoPartsError("one", "two")


def die(function: Function, task: Task) -> None:
    """End the process, as a fault in a library in C++ does."""
    os.write(2, b"first\nterminate called\n")
    os._exit(3)


def think(function: Function, task: Task) -> None:
    """Ask for a point and go on for a minute without another."""
    function(np.full(2, 0.25))
    time.sleep(60)


def swallow(function: Function, task: Task) -> None:
    """Go on whatever the function raises."""
    while True:
        try:
            function(np.random.default_rng().random(2))
        except BaseException:
            time.sleep(0.001)


def searcher(run: Callable[[Function, Task], object], problem: Problem = BOX, seed: int = 1, **changes: Any) -> Called:
    toy = type("Toy", (Called,), {"minimiser": Minimiser("json", run), **changes})
    made: Called = toy(Start(problem, seed, 2, 20))
    for corner in ([p.low for p in problem.free], [p.high for p in problem.free]):
        made.tell(tuple(corner), float(sum(corner)) + 1)
    return made


def points(one: Called, count: int) -> list[tuple[Number, ...]]:
    found = []
    for _ in range(count):
        found.append(one.ask())
        one.tell(found[-1], float(sum(found[-1])))
    return found


def test_the_same_seed_gives_the_same_points() -> None:
    """In another process too, as each run has one; the start is known and is not evaluated again."""
    first = points(searcher(walk), 5)
    assert points(searcher(walk), 5) == first
    assert points(searcher(walk, seed=2), 5) != first
    assert len(set(first)) == 5
    assert (0.0, 1.0) not in first


def test_it_is_silent_and_leaves_no_file(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a library prints or writes into its folder reaches nobody, and the folder goes with the searcher."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    one = searcher(walk)
    points(one, 3)
    assert [path.name for path in tmp_path.glob("*/*/*")] == ["trace.txt"]
    del one
    assert list(tmp_path.glob("*/*")) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]
    assert capfd.readouterr() == ("", "")


def test_known_points_are_answered_from_memory() -> None:
    """Each point is evaluated once, however often it is asked."""
    one = searcher(descend)
    one.tell((5.0, 10.0), -5.0)
    found = points(one, 2)
    assert len(set(found)) == 2
    np.testing.assert_allclose(one.X[3], one.X[2] / 2)
    np.testing.assert_allclose(one.box.shares(found[0]), one.X[3])


def test_rounding_makes_no_other_point() -> None:
    """Shares of a value that come back with another last digit are those of the same point."""
    one = searcher(stay, Problem((Parameter("x", 0.3, 7.1, scale="log"), Parameter("y", 0.1, 0.7))))
    rng = np.random.default_rng(0)
    for share in rng.random((30, 2)):
        one.tell(one.box.values(share), 2.0)
    back = [one.box.values(x) for x in one.X]
    assert back != one.points
    assert [one._place(point) for point in back] == list(range(len(one.points)))


def test_it_begins_again_at_a_random_point() -> None:
    """A minimiser that ends before the run does goes on elsewhere."""
    found = points(searcher(descend), 18)
    assert len(set(found)) == 18
    assert any(0.0 < x < 10.0 for x, _ in found)


@pytest.mark.parametrize("run", [stay, end])
def test_an_endless_loop_of_known_points_ends(run: Callable[[Function, Task], object]) -> None:
    """It is begun elsewhere, and where every point is known one at random is asked all the same."""
    *new, again = points(searcher(run, LEVELS), 3)
    assert set(new) == {(1,), (2,)}
    assert again in {(0,), (1,), (2,), (3,)}


@pytest.mark.parametrize(("knows", "expected"), [(True, 0.125), (False, 0.12)])
def test_a_failure_is_the_worst_value_or_nan(knows: bool, expected: float) -> None:
    """NaN for those that know what it is, else the worst value seen."""
    problem = Problem((Parameter("x", 0.0, 1.0),))
    one = searcher(echo, problem, knows_failures=knows)
    one.tell((0.5,), 12.0)
    one.tell((0.75,), None)
    assert one.ask() == (expected,)


def test_what_it_raises_comes_out() -> None:
    """With its type, or with its name where the type cannot be made from its message."""
    one = searcher(fail)
    points(one, 1)
    with pytest.raises(ZeroDivisionError, match="no slope"):
        one.ask()
    with pytest.raises(RuntimeError, match="TwoPartsError: one and two"):
        searcher(fail_oddly).ask()


def test_a_dead_process_is_an_error() -> None:
    """It is said, with the status and its last words, and nobody waits for it."""
    with pytest.raises(OrdboError, match=r"died with status 3\. terminate called"):
        searcher(die).ask()


@pytest.mark.parametrize("run", [walk, swallow])
def test_nothing_is_left_of_a_run_that_stops_early(run: Callable[[Function, Task], object]) -> None:
    """The process ends with the searcher, even if its library catches everything."""
    one = searcher(run)
    points(one, 2)
    child = one._process._child
    assert child.poll() is None
    del one
    assert child.poll() is not None


def test_the_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    """However that one ends, and in the middle of the work; its folder goes too."""
    code = (
        f"import os\nfrom {__name__} import *\n"
        "one = searcher(think)\none.ask()\nprint(one._process._child.pid, flush=True)\n"
        "one.tell(one.ask(), 1.0)\none._process.answer(1.0)\nos.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    for _ in range(1000):
        if not list(tmp_path.iterdir()) and not Path(f"/proc/{done.stdout.strip()}").exists():
            return
        time.sleep(0.01)
    pytest.fail("the process goes on")
