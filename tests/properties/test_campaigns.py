"""Results of other sources, whatever they are: only their order counts, among themselves."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.problem import Campaign, Evaluation, Fidelity, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput

QUICK = replace(PRESETS["default"], initial=3, iterations=5)
SIDES = (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0))
POINTS = st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))
RESULTS = st.none() | st.integers(0, 5)
STEPS = st.lists(st.integers(1, 10**6), min_size=6, max_size=6)


MESH = Fidelity("mesh", ("coarse", "medium", "fine"), (1.0, 3.0, 20.0))


@st.composite
def studies(draw: st.DrawFn) -> StepInput:
    """Return results of a study and of one or two campaigns, or lower levels of fidelity.

    Ties, failures and points outside the box are among them.
    """
    fidelity = draw(st.none() | st.just(MESH))
    problem = Problem(SIDES, method=QUICK, fidelity=fidelity)
    results = st.lists(st.tuples(POINTS, RESULTS), min_size=1, max_size=8, unique_by=lambda row: row[0])
    own, *others = (
        tuple(Evaluation(x, None if y is None else Decimal(y)) for x, y in rows)
        for rows in draw(st.lists(results, min_size=2, max_size=3))
    )
    campaigns = [Campaign(f"c{k}", rows, k if fidelity else None) for k, rows in enumerate(others)]
    spent = draw(st.sampled_from([0.0, 0.3, 0.5]))
    return StepInput(problem, own, step=len(own), campaigns=campaigns, tested=draw(st.booleans()), spent=spent)


@settings(max_examples=60)
@given(studies(), st.integers(0, 1), STEPS)
def test_no_increasing_transform_of_a_campaign_changes_a_point(study: StepInput, which: int, steps: list[int]) -> None:
    """Nor what is known of the campaign, to the last bit; the other sources stay as they are."""
    image = {Decimal(k): Decimal(sum(steps[: k + 1])) for k in range(6)}
    campaigns = list(study.campaigns)
    k = which % len(campaigns)
    rows = (e if e.objective is None else replace(e, objective=image[e.objective]) for e in campaigns[k].evaluations)
    campaigns[k] = replace(campaigns[k], evaluations=tuple(rows))
    other = replace(study, campaigns=campaigns)
    assert [(a.tau, a.is_heard) for a in other.agreements] == [(a.tau, a.is_heard) for a in study.agreements]
    plain, transformed = propose(study), propose(other)
    assert (transformed.values, transformed.level) == (plain.values, plain.level)
    assert transformed.fit == plain.fit
