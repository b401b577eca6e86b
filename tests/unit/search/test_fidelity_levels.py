"""Levels of fidelity: where a point is evaluated, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Campaign, Evaluation, Fidelity, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.search.fidelity_levels import first_level, gains_at, level_of
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate

MESH = Fidelity("mesh", ("coarse", "fine"), (1.0, 20.0))
PLANE = Problem(
    (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)), method=replace(PRESETS["default"], initial=5), fidelity=MESH
)


def bowl(x: Sequence[Number]) -> float:
    """A bowl whose lowest point is (0.7, 0.2)."""
    return (float(x[0]) - 0.7) ** 2 + (float(x[1]) - 0.2) ** 2


def at(points: Sequence[Sequence[Number]], sign: float = 1.0) -> tuple[Evaluation, ...]:
    """Return the bowl's results at points, or their opposites."""
    return tuple(Evaluation(tuple(x), Decimal(repr(sign * bowl(x)))) for x in points)


def some(number: int, seed: int) -> list[list[float]]:
    """Return random points."""
    return [[float(v) for v in x] for x in np.random.default_rng(seed).random((number, 2))]


def study(own: int = 4, coarse: int = 12, sign: float = 1.0, **more: float) -> StepInput:
    """Return results at the highest level, and such of the lower one."""
    below = Campaign("coarse", at(some(coarse, 1), sign), level=0)
    return StepInput(PLANE, at(some(own, 2)), step=own + coarse, campaigns=[below], **more)  # type: ignore[arg-type]


def level_at(given: StepInput, point: tuple[Number, ...]) -> int | None:
    """Return the level at which a point is evaluated."""
    given = given.with_campaigns_tested()
    tried = {each.level for each in given.campaigns}
    return level_of(gains_at(given, fit_surrogate(given), point, tried))


@pytest.mark.parametrize(
    ("levels", "costs", "said"),
    [
        (("fine",), (1.0,), "has the levels fine"),
        (("fine", "fine"), (1.0, 2.0), "has the levels fine, fine"),
        (("coarse", "fine"), (1.0,), "2 levels, 1 costs"),
        (("coarse", "fine"), (0.0, 2.0), "costs that are not above 0"),
        (("coarse", "fine"), (1.0, float("inf")), "costs that are not above 0"),
        (("coarse", "medium", "fine"), (1.0, 5.0, 5.0), "costs as much as the highest"),
    ],
)
def test_levels_that_cannot_be(levels: tuple[str, ...], costs: tuple[float, ...], said: str) -> None:
    """They are refused in words."""
    with pytest.raises(ProblemError, match=said):
        Fidelity("mesh", levels, costs)


def test_the_initial_design_is_evaluated_at_the_lowest_level() -> None:
    """All of it; then the search comes, and the highest level before the lower ones have cost as much as one there."""
    given, levels, kinds = StepInput(PLANE), list[int | None](), list[str]()
    for step in range(30):
        found = propose(replace(given, step=step))
        levels.append(found.level)
        kinds.append(found.record.kind)
        if found.level is None:
            break
        given = with_result(given, found)
    assert kinds[:6] == ["initial"] * 5 + ["acquire"]
    assert levels[:5] == [0] * 5
    assert levels[-1] is None
    assert len(levels) <= 21


def with_result(given: StepInput, found: Proposal) -> StepInput:
    """Return what is known once a point has its result at a lower level."""
    (below,) = given.campaigns or [Campaign("coarse", (), level=0)]
    below = replace(below, evaluations=(*below.evaluations, *at([found.values])))
    return replace(given, campaigns=[below], spent=given.spent + MESH.share(0))


def test_no_design_below_where_that_is_dear_or_needless() -> None:
    """A study with results at the highest level is under way; a level of half the cost is no place for five points."""
    empty = StepInput(PLANE)
    assert first_level(empty, 5) == 0
    assert first_level(replace(empty, pending=some(5, 3)), 5) is None
    assert first_level(replace(empty, evaluations=at(some(1, 2))), 5) is None
    dear = replace(PLANE, fidelity=Fidelity("mesh", ("coarse", "fine"), (1.0, 2.0)))
    assert first_level(replace(empty, problem=dear), 5) is None
    assert first_level(replace(empty, problem=replace(PLANE, fidelity=None)), 5) is None


def test_a_place_is_looked_at_below_first_and_not_twice() -> None:
    """Where the lower level was, the highest tells more a unit of cost; elsewhere the lower one does."""
    given = study()
    assert level_at(given, (0.93, 0.55)) == 0
    seen = replace(given.campaigns[0], evaluations=(*given.campaigns[0].evaluations, *at([(0.93, 0.55)])))
    assert level_at(replace(given, campaigns=[seen]), (0.93, 0.55)) is None


def test_lower_levels_cost_no_more_than_they_may() -> None:
    """Half an evaluation at the highest level since the last one there, or one before the first."""
    for own, most in ((4, 0.5), (0, 1.0)):
        assert level_at(study(own, spent=most - MESH.share(0)), (0.93, 0.55)) == 0
        assert level_at(study(own, spent=most - 0.5 * MESH.share(0)), (0.93, 0.55)) is None


def test_a_level_that_contradicts_is_dropped() -> None:
    """It is heard before anything was evaluated at the highest level, and no longer once that says the opposite."""
    assert study(own=2, sign=-1.0).agreements[0].is_heard
    given = study(own=6, sign=-1.0)
    assert not given.agreements[0].is_heard
    assert propose(given).level is None
    assert propose(given).values == propose(replace(given, campaigns=())).values


def test_of_several_levels_the_one_that_tells_most_a_unit_of_cost() -> None:
    """A medium mesh that costs as much as a coarse one, and departs less, takes its place."""
    points = some(14, 1)
    bad = tuple(
        replace(e, objective=Decimal(repr(bowl([x[1], x[0]])))) for e, x in zip(at(points), points, strict=True)
    )
    levels = [Campaign("coarse", tuple(bad), level=0), Campaign("medium", at(points), level=1)]
    mesh = Fidelity("mesh", ("coarse", "medium", "fine"), (1.0, 1.1, 20.0))
    given = StepInput(replace(PLANE, fidelity=mesh), at(some(8, 2)), step=9, campaigns=levels, tested=True)
    assert level_at(given, (0.93, 0.55)) == 1
    assert level_at(replace(given, problem=replace(PLANE, fidelity=None)), (0.93, 0.55)) is None


def test_the_values_of_a_level_mean_nothing_but_their_order() -> None:
    """Neither the point nor its level changes under an increasing transform."""
    given = study()
    raised = tuple(
        replace(e, objective=Decimal(repr(float(np.exp(9.0 * float(e.objective or 0))))))
        for e in given.campaigns[0].evaluations
    )
    plain, transformed = (
        propose(replace(given, campaigns=[replace(given.campaigns[0], evaluations=rows)]))
        for rows in (given.campaigns[0].evaluations, raised)
    )
    assert transformed.values == plain.values
    assert transformed.level == plain.level
    assert transformed.fit == plain.fit
