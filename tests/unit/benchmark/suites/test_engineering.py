"""Simulators as test problems: what they need, their best values, their failures, and published results."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.suite import ENGINEERING, GROUPS, PROBLEMS, left_out, problems
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import Method

EACH = pytest.mark.parametrize("problem", ENGINEERING.values(), ids=lambda problem: problem.name)
ANY = ENGINEERING["levitation_1o4f"]  # needs nothing


def needed(problem: EngineeringProblem) -> EngineeringProblem:
    """Skip where what a problem needs is not installed."""
    if problem.missing:
        assert problem.program not in problem.missing or os.environ.get("CI") != "true", ".ci/run installs it"
        pytest.skip(f"{' and '.join(problem.missing)} is not installed: {problem.install}")
    return problem


def some_points(problem: EngineeringProblem, count: int) -> list[tuple[Number, ...]]:
    """Points all over the space."""
    box, rng = Box(problem.problem(Method())), np.random.default_rng(3)
    return [box.values(x) for x in rng.random((count, box.dimension))]


def best_of(problem: EngineeringProblem) -> tuple[Number, ...]:
    """The best known point."""
    return problem.problem(Method()).values(problem.minimiser)


def test_engineering_problems_are_a_group_of_their_own() -> None:
    """They are no part of all; about half of them are there to choose settings by."""
    assert GROUPS["engineering"] == tuple(ENGINEERING)
    assert not set(ENGINEERING) & {*PROBLEMS, *GROUPS["all"], *GROUPS["mixed"]}
    assert abs(2 * len(GROUPS["engineering-tune"]) - len(ENGINEERING)) <= 1
    assert problems([ANY.name]) == (ANY,)


@EACH
def test_it_says_what_it_is(problem: EngineeringProblem) -> None:
    """Kinds stand in the name, the source in the function's docstring; how its best value was found is a sentence."""
    counts = Counter(parameter.type[0] for parameter in problem.parameters)
    told = {kind: int(number) for number, kind in re.findall(r"(\d+)([coif])", problem.name.rpartition("_")[2])}
    assert told == dict(counts)
    assert getattr(problem.function, "__name__", "") == problem.name
    assert "Source:" in (problem.function.__doc__ or "")
    assert problem.summary
    assert problem.best_known_by.endswith(".")
    assert all(parameter.unit or parameter.levels for parameter in problem.parameters if parameter.type == "float")


@EACH
def test_the_best_point_has_the_best_value(problem: EngineeringProblem) -> None:
    """To what the simulator resolves; and twice the same, to the last bit."""
    best = best_of(needed(problem))
    assert problem(best) == pytest.approx(problem.optimum, abs=problem.precision)
    assert problem(best) == problem(best)


@EACH
def test_nothing_else_is_better_or_worse_than_a_failure(problem: EngineeringProblem) -> None:
    """Random points fail or lie between the best value and what a failure counts as; some do either."""
    values = np.array([needed(problem)(point) for point in some_points(problem, 120)])
    there = values[~np.isnan(values)]
    assert 0 < len(there) < len(values)
    assert problem.optimum - problem.precision < np.min(there)
    assert np.max(there) <= problem.worst < math.inf


@EACH
def test_it_leaves_nothing_behind(
    problem: EngineeringProblem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither files, here and among temporary ones, nor a word on the terminal."""
    needed(problem)
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    for folder in (here, temporary):
        folder.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for point in (best_of(problem), *some_points(problem, 3)):
        problem(point)
    assert [*here.iterdir(), *temporary.iterdir()] == []
    assert capfd.readouterr() == ("", "")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem that came by its group alone may be left out; whoever asks it hears what to install."""
    lacking = replace(ANY, name="lacking_1o4f", needs=("no_such_module",), program="no-such-program")
    monkeypatch.setitem(suite.ENGINEERING, lacking.name, lacking)
    monkeypatch.setitem(suite.GROUPS, "engineering", (ANY.name, lacking.name))
    assert problems(["engineering"]) == (ANY, lacking)
    assert left_out(["engineering, step_1d"]) == (lacking.name,)
    assert left_out(["engineering", lacking.name]) == ()
    with pytest.raises(UsageError, match=r"lacking_1o4f needs no_such_module and no-such-program.*ordbo\[engineering"):
        lacking.check()
    assert replace(ANY, program="no-such-program").install == "no-such-program of your system"
