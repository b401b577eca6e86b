"""What ``check --invariance`` makes of several objectives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight import invariance
from ordbo_cli.insight.invariance import invariance_of
from ordbo_cli.insight.transforms import OBJECTIVE_TRANSFORMS
from ordbo_cli.problem import Aim, Evaluation, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput


def study(method: Method, rows: int = 8) -> StepInput:
    """Return a study of three objectives."""
    asked = Problem(
        (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)),
        "drag",
        method=method,
        outcomes=(Aim("lift", goal="maximize"), Aim("mass")),
    )
    found = []
    for k, (x, y) in enumerate(np.random.default_rng(4).random((rows, 2)).tolist()):
        values = [Decimal(f"{value:.4f}") for value in ((x - 0.3) ** 2, x + y, (y - 0.6) ** 2)]
        found.append(Evaluation((x, y), values[0], k + 1, "", tuple(values[1:])))
    return StepInput(asked, tuple(found), step=rows)


def test_all_objectives_go_through_every_transform_in_as_many_steps_as_one(
    quick: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each through another one at a time; the trials are told objective by objective."""
    given = study(quick)
    seen: list[StepInput] = []

    def counted(each: StepInput, *, threads: int) -> Proposal:
        seen.append(each)
        return propose(each, threads=threads)

    monkeypatch.setattr(invariance, "propose", counted)
    found = invariance_of(given)
    assert found.holds
    assert [(trial.objective, trial.how) for trial in found.trials] == [
        (name, how) for name, _ in given.problem.goals for how in OBJECTIVE_TRANSFORMS
    ]
    assert {trial.outcome for trial in found.trials} == {"same"}
    assert len(seen) == 1 + len(OBJECTIVE_TRANSFORMS)
    results = [[(e.objective, *e.outcomes) for e in each.evaluations] for each in seen]
    for k in range(3):  # no two steps had the same results by any objective
        assert len({tuple(row[k] for row in each) for each in results}) == len(seen)


def test_an_objective_whose_values_count_is_named(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all together make a difference, each is tried alone, and the others are found to be what they are."""
    given = study(quick)
    before = [each.outcomes[0] for each in given.evaluations]

    def wrong(each: StepInput, *, threads: int) -> Proposal:
        found = propose(each, threads=threads)
        same = [e.outcomes[0] for e in each.evaluations] == before
        return found if same else replace(found, values=(0.0, 0.0))

    monkeypatch.setattr(invariance, "propose", wrong)
    found = invariance_of(given)
    assert Counter((trial.objective, trial.outcome) for trial in found.trials) == {
        ("drag", "same"): 6,
        ("lift", "different"): 6,
        ("mass", "same"): 6,
    }
    assert not found.holds
