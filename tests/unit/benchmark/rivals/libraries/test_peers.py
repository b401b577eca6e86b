"""Every rival of another library: what it answers, and that it leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest

from ordbo_cli.benchmark.rivals.libraries.native import Choices, NativeSpace, Share, Whole
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.registry import MAKERS, PEERS
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.runs import initial_points
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.parameter import Condition

QUESTION = Problem((Parameter("n", 1, 9, "int"), Parameter("rate", 1e-4, 1.0, scale="log")))
_WITHOUT_CHANCE = ("cobyqa", "nevergrad", "nomad", "pybobyqa")  # from the same points on, in few evaluations


def loss(point: tuple[Number, ...]) -> float | None:
    """Fail in a corner with the lowest values beside it."""
    n, rate = point
    return None if rate < 1e-3 or n > 7 else float(n * rate)


def skip_without_packages(name: str) -> None:
    needed = MAKERS[name].needs
    if any(find_spec(package) is None for package in needed):
        pytest.skip(f"needs {', '.join(needed)}")


def points_of(name: str, seed: int) -> list[tuple[Number, ...]]:
    """Return five initial points and four that a rival chooses."""
    searcher = contestant(name).begin(Start(QUESTION, seed, 5, 9))
    points = initial_points(QUESTION, 5)
    for point in points:
        searcher.tell(point, loss(point))
    for _ in range(4):
        points.append(searcher.ask())
        searcher.tell(points[-1], loss(points[-1]))
    return points


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_rival_answers_by_its_seed_and_leaves_nothing_behind(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Points of the box, the same for the same seed and others for another; no word, no file, no thread."""
    skip_without_packages(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    threads = threading.active_count()
    points = points_of(name, 1)
    assert all(QUESTION.is_inside(point) and isinstance(point[0], int) for point in points)
    assert points_of(name, 1) == points
    assert name in _WITHOUT_CHANCE or points_of(name, 2) != points
    assert capfd.readouterr() == ("", "")
    assert [file for file in os.listdir(tmp_path) if not file.startswith("torchinductor")] == []  # PyTorch's own cache
    assert threading.active_count() == threads


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_rival_answers_the_same_in_every_process(name: str) -> None:
    """Whatever hashes of words Python draws there: libraries may go through sets."""
    skip_without_packages(name)
    asked = f"from {__name__} import points_of; print(points_of({name!r}, 1))"
    said = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", asked],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    ]
    assert said[0] == said[1]


def test_what_libraries_know_of_parameters() -> None:
    """Floats are shares; whole numbers with a step are counted, on a logarithmic scale only where the library can."""
    question = Problem(
        (
            Parameter("x", 1.0, 100.0, scale="log"),
            Parameter("n", 3, 11, "int", step=4),
            Parameter("m", 1, 100, "int", scale="log"),
            Parameter.of_levels("o", "abc"),
            Parameter.of_levels("c", "abc", "categorical"),
        )
    )
    point = (10.0, 7, 10, 1, 2)
    space = NativeSpace(question, log=True)
    assert list(space.kinds.values()) == [
        Share(),
        Whole(0, 2, False, 3, 4),
        Whole(1, 100, True),
        Whole(0, 2),
        Choices(3),
    ]
    assert space.inside(point) == pytest.approx({"x0": 0.5, "x1": 1, "x2": 10, "x3": 1, "x4": 2})
    assert space.point(space.inside(point)) == pytest.approx(point)
    for other in (NativeSpace(question), NativeSpace(question, wholes=False)):
        assert isinstance(other.kinds["x2"], Share)
        assert other.point(other.inside(point)) == pytest.approx(point)
    assert set(NativeSpace(question, wholes=False).kinds.values()) == {Share(), Choices(3)}


def test_smac_knows_whose_condition_it_is() -> None:
    """Of many parameters too, whose names SMAC sorts as words: x10 before x2."""
    smac = pytest.importorskip("ordbo_cli.benchmark.rivals.libraries.smac", reason="needs smac", exc_type=ImportError)
    floats = (Parameter(f"f{k}", 0.0, 1.0, when=(Condition("c", (1,)),) * (k == 10)) for k in range(1, 11))
    question = Problem((Parameter.of_levels("c", "ab", "categorical"), *floats))
    names = smac._configuration_space(question, NativeSpace(question, log=True))
    assert [condition.child.name for condition in names.conditions] == ["x10"]
