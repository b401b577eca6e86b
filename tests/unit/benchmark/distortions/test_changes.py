"""How much methods change, by hand on records that are made up."""

from __future__ import annotations

import pytest

from ordbo_cli.benchmark.distortions.changes import changes
from ordbo_cli.benchmark.distortions.distorted import Distorted
from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.scoring.results import results
from ordbo_cli.benchmark.suites.suite import problems

Records = dict[RunKey, tuple[RunRecord, ...]]


def run(problem: str, method: str, seed: int, xs: list[float], regrets: list[float]) -> Records:
    """Return one run of two initial points."""
    key = RunKey(problem, method, seed, 2, len(xs))
    line = enumerate(zip(xs, regrets, strict=True), 1)
    return {key: tuple(RunRecord(key, number, (x,), regret, regret) for number, (x, regret) in line)}


def test_ratios_and_same_points_by_hand() -> None:
    """Means over seeds, then ratios to the runs without the distortion; points where the problem is as it is."""
    subjects = problems(["step_1d,step_1d@cube,step_1d@units"])
    start = [0.0, 1.0]
    runs: Records = {}
    for seed in (0, 1):
        runs |= run("step_1d", "a", seed, [*start, 0.5, 0.25], [9.0, 8.0, 2.0, 1.0])
        runs |= run("step_1d", "b", seed, [*start, 0.5, 0.25], [9.0, 8.0, 2.0, 1.0])
        runs |= run("step_1d@cube", "a", seed, [*start, 0.5, 0.75], [9.0, 8.0, 2.0, 10.0])
        runs |= run("step_1d@cube", "b", seed, [*start, 0.5, 0.25], [9.0, 8.0, 2.0, 1.0])
        runs |= run("step_1d@units", "a", seed, [0.0, 1024.0, 512.0, 256.0], [9.0, 8.0, 2.0, 1.0])
        runs |= run("step_1d@units", "b", seed, [0.0, 1024.0, 512.0, 256.0 + seed * 1e-5], [9.0, 8.0, 2.0, 1.0])
    found = changes(subjects, results(runs, {}, "a"), runs)
    assert [(c.distortion, c.method, c.runs, c.same, c.rounded) for c in found] == [
        ("cube", "b", 2, 2, 0),
        ("cube", "a", 2, 0, 0),
        ("units", "a", 2, 2, 0),
        ("units", "b", 2, 1, 1),
    ]
    assert [c.cumulative.value for c in found] == pytest.approx([1.0, 4.0, 1.0, 1.0])
    assert [c.simple.value for c in found] == pytest.approx([1.0, 2.0, 1.0, 1.0])


def test_problems_are_averaged_geometrically() -> None:
    """A factor of 4 on one problem and of 1 on another make 2."""
    subjects = problems(["step_1d,noisy_stairs_1d,step_1d@log,noisy_stairs_1d@log"])
    runs: Records = {}
    for subject in subjects:
        last = 4.0 if subject.name == "step_1d@log" else 1.0
        runs |= run(subject.name, "a", 0, [0.0, 1.0, last / 8], [9.0, 8.0, last])
    (change,) = changes(subjects, results(runs, {}, "a"), runs)
    assert change.cumulative.value == pytest.approx(2.0)
    assert (change.runs, change.same) == (2, 1)


def test_a_penalty_is_compared_with_failures() -> None:
    """Where there are none of those among the runs, there is nothing to compare with."""
    (penalty,) = subjects = problems(["step_1d@penalty"])
    assert isinstance(penalty, Distorted)
    names = ["step_1d", "step_1d@failing", "step_1d@penalty"]
    runs: Records = {}
    for regret, name in enumerate(names, 1):
        runs |= run(name, "a", 0, [0.0, 1.0, 0.5], [9.0, 8.0, float(regret)])
    (change,) = changes(subjects, results(runs, {}, "a"), runs)
    assert change.cumulative.value == pytest.approx(3 / 2)
    del runs[RunKey("step_1d@failing", "a", 0, 2, 3)]
    assert changes(subjects, results(runs, {}, "a"), runs) == []
