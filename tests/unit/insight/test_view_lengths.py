"""The latent lengths that a view gives: those of its fit, however the rows stand."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.laplace import latent_lengths
from ordbo_cli.ordinal.fitting import FitContext
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.search.step_input import StepInput

LOG = Parameter("rate", 1e-4, 1e2, scale="log")


def some_view(rows: int) -> View:
    """Return a study of a linear and a log parameter with a point that is out, and a row outside the bounds."""
    U = np.random.default_rng(1).random((rows, 2))
    X = np.column_stack([2.0 + 3.0 * U[:, 0], 10.0 ** (-4 + 6 * U[:, 1])])
    X[-1:, 0] = 7.0
    y = np.sin(9.0 * U[:, 0]) + U[:, 1]
    evaluations = tuple(Evaluation(tuple(x), Decimal(str(v))) for x, v in zip(X.tolist(), y.tolist(), strict=True))
    problem = Problem((Parameter("a", 2.0, 5.0), LOG))
    return View.of(StepInput(problem, evaluations, [(2.5, 1.0)], step=rows + 1))


@pytest.mark.parametrize("rows", [0, 1, 14])
def test_lengths_are_those_of_the_frame(rows: int) -> None:
    """The frame holds the knots of what is pending too, and its box is as long."""
    view = some_view(rows)
    np.testing.assert_allclose(view.latent_lengths.length, view.lengths, rtol=1e-9)


def test_spreads_have_the_context_of_the_fit() -> None:
    """Places are shares of the box on each parameter's own scale: they are the prior's centre, and move the spread."""
    view = some_view(14)
    fit, low, high = view.surrogate.fit, np.array([2.0, 1e-4]), np.array([5.0, 1e2])
    places = [(fit.data.knots[0] - 2.0) / 3.0, (np.log10(fit.data.knots[1]) + 4.0) / 6.0]
    context = FitContext(places, np.vstack([low, high, view.X]), 2 + 5, 14)
    expected = latent_lengths(fit, view.problem.method, context, low, high)
    np.testing.assert_allclose(view.latent_lengths.log_sd, expected.log_sd, rtol=1e-6)
    equal = [np.linspace(0.0, 1.0, len(u)) for u in fit.data.knots]
    other = latent_lengths(fit, view.problem.method, FitContext(equal, context.arrivals, 7, 14), low, high)
    assert not np.allclose(other.log_sd, expected.log_sd, rtol=1e-3)
