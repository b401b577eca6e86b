"""Under constraints, points spread over the feasible set where nothing ranks, and in batches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.insight.explanation import explained
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.space.covering import covering_point
from ordbo_cli.search.space.feasible_space import ConstrainedSpace, space_of
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.copies import CONSTRAINTS, SITUATIONS, copies, problem_of, suggested
from tests.unit.search.conftest import evaluations, reasons_of
from tests.unit.search.space.test_feasible_space import A, B, constrained

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", CONSTRAINTS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_no_point_is_a_copy_of_another_one(situation: str, name: str, quick: Method) -> None:
    """Thirty points where nothing ranks, sixteen of a batch after six results that do; all satisfy the constraints."""
    problem = problem_of(name, quick)
    points = suggested(problem, situation)
    assert copies(problem, points) == 0
    for point in points:
        assert all(constraint.holds(problem.mapping(point)) for constraint in problem.constraints)


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset != "default"])
def test_whatever_the_preset(preset: str) -> None:
    """A placement in the middle of a cell, too, which may be far from what is feasible."""
    problem = problem_of("annulus", replace(PRESETS[preset], optimizer="lbfgs", iterations=20))
    assert copies(problem, suggested(problem, "failed")) == 0


def test_copies_are_counted() -> None:
    """Within a thousandth of every range, on its own scale; of whole numbers the same."""
    corner, log, whole = (problem_of(name, PRESETS["default"]) for name in ("corner", "log", "whole"))
    assert copies(corner, [(0.1, 0.1), (0.1009, 0.1), (0.1, 0.11)]) == 2
    assert copies(log, [(1e-5, 1.0), (1.01e-5, 1.0), (1e-6, 1.0)]) == 2
    assert copies(whole, [(3, 37, 0.1), (3, 37, 0.1005), (4, 36, 0.1)]) == 2


def test_the_first_point_is_in_the_middle_and_the_next_in_the_largest_hole(quick: Method) -> None:
    """Of a disc; and of two islands the one where no row is."""
    disc = space_of(constrained(quick, (A, B), "(a - 3)**2 + (b - 7)**2 <= 1"), ())
    assert isinstance(disc, ConstrainedSpace)
    assert covering_point(disc, ()) == pytest.approx((3.0, 7.0), abs=0.15)
    islands = space_of(constrained(quick, (A, B), "a + b <= 2 or a + b >= 18"), ())
    assert isinstance(islands, ConstrainedSpace)
    found = covering_point(islands, [(0.5, 0.5), (1.0, 0.2), (0.2, 1.0)])
    assert found is not None
    assert sum(found) >= 18


def test_each_part_of_the_levels_is_covered(quick: Method) -> None:
    """Levels are as far apart as the bounds of a range: each of their eight choices has one of the first points."""
    problem = replace(problem_of("levels", quick), method=replace(quick, corners=False))
    out = suggested(problem, "out")[:12]
    assert {point[:2] for point in out} == {(m, s) for m in range(3) for s in range(3) if (m, s) != (2, 0)}


def test_a_finite_set_is_handed_out_to_its_end(quick: Method) -> None:
    """Each of its points once, nothing of it known; one more than the sample has is still found."""
    whole = (Parameter("n", 0, 30, type="int"), Parameter("m", 0, 30, type="int"))
    problem = constrained(replace(quick, iterations=5), whole, "n + m <= 9")
    out: list[tuple[float, ...]] = []
    for step in range(55):
        out.append(tuple(map(float, propose(StepInput(problem, [], out, step)).values)))
    assert len(set(out)) == 55


def test_a_sliver_beside_a_row_is_no_place_to_look(quick: Method) -> None:
    """The best row all but touches the border: what is left of the cell beyond it tells nothing that it does not."""
    problem = constrained(quick, (A, B), "a + b <= 3")
    rows = [(0.0, 2.9996), (1.0, 1.0), (0.3, 1.9), (1.9, 0.3), (0.5, 0.5), (0.0, 0.0)]
    results = evaluations(rows, [(a - 3.7) ** 2 + 3 * (b - 3.7) ** 2 for a, b in rows])
    for step in range(6, 10):
        found = np.array(propose(StepInput(problem, results, [], step)).values)
        assert np.abs(found - rows[0]).max() > 0.01


def test_the_turn_to_explore_covers_too(quick: Method) -> None:
    """Whoever asks for it under constraints; what is said of it is what it did."""
    problem: Problem = constrained(replace(quick, explore_every=1), (A, B), "a + b <= 3")
    results: list[Evaluation] = []
    for step in range(9):
        proposal = propose(StepInput(problem, results, [], step), explain=explained)
        results += evaluations([proposal.values], [sum(map(float, proposal.values))])
    assert proposal.record.kind == "explore"
    assert reasons_of(proposal).aim == "covering"
    assert copies(problem, [result.values for result in results]) == 0
