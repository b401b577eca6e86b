"""Problems and data that several tests of the search share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.step import Proposal
from ordbo_cli.search.step_record import Edges, Explanation


@pytest.fixture
def quick() -> Method:
    """The default preset with few optimiser steps, whose points the acquisition alone chooses: quick to fit often."""
    return replace(PRESETS["default"], iterations=30, refine=False)


def evaluations(X: Iterable[Sequence[Number]] | Array, y: Sequence[object]) -> list[Evaluation]:
    """Return results in order; None is a failure."""
    return [
        Evaluation(tuple(float(v) for v in x), None if value is None else Decimal(str(value)))
        for x, value in zip(X, y, strict=True)
    ]


def unit_problem(dimension: int, method: Method, **settings: object) -> Problem:
    """Return a problem on the unit box."""
    parameters = tuple(Parameter(f"x{j}", 0.0, 1.0) for j in range(dimension))
    return Problem(parameters, method=method, **settings)  # type: ignore[arg-type]  # the caller's keywords


def random_study(rows: int, dimension: int, seed: int) -> tuple[Array, list[float]]:
    """Return inputs in the unit box and values of an ill-conditioned valley there."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, dimension))
    weights = 10.0 ** np.arange(dimension)
    return X, [float(weights @ (x - 0.4) ** 2) for x in X]


def cell_of(proposal: Proposal) -> Edges:
    """Return the cell of a point that the model has chosen."""
    assert proposal.record.cell is not None
    return proposal.record.cell


def moments_of(proposal: Proposal) -> tuple[float, float]:
    """Return mean and standard deviation at the winning point of its cell."""
    assert proposal.record.mean is not None
    assert proposal.record.sd is not None
    return proposal.record.mean, proposal.record.sd


def bound_of(proposal: Proposal, beta: object) -> float:
    """Return the lower confidence bound there, with a beta that is a number."""
    assert isinstance(beta, float)
    mean, sd = moments_of(proposal)
    return mean - beta * sd


def reasons_of(proposal: Proposal) -> Explanation:
    """Return why a point was chosen, where somebody asked."""
    assert proposal.record.explanation is not None
    return proposal.record.explanation
