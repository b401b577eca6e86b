"""The baseline: its acquisition against arbitrary precision, and that it finds what a Gaussian process should find."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.optimize import check_grad

from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import Method

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("u", [-1e5, -1e3, -999.0, -30.0, -1.0, -1e-9, 0.0, 0.5, 8.0, 50.0])
def test_log_improvement_against_mpmath(u: float) -> None:
    """The logarithm of phi(u) + u Phi(u) keeps its digits far into the tail."""
    from ordbo_cli.benchmark.rivals.vanilla import _log_h

    with mpmath.workdps(60):
        x = mpmath.mpf(u)
        tail = mpmath.erfc(-x / mpmath.sqrt(2)) / 2
        exact = mpmath.log(mpmath.npdf(x) + x * tail) if u > -1e4 else -(x**2) / 2 - mpmath.log(2 * mpmath.pi) / 2
        exact -= 0 if u > -1e4 else 2 * mpmath.log(-x)
    assert float(_log_h(np.float64(u))) == pytest.approx(float(exact), rel=1e-10)


def test_gradients_are_those_of_the_values() -> None:
    """Likelihood and acquisition agree with finite differences."""
    from ordbo_cli.benchmark.rivals.vanilla import _model

    rng = np.random.default_rng(0)
    model = _model(2)
    model.set_data(rng.random((7, 2)), rng.normal(size=7))

    def loss(theta: Array) -> float:
        model._set(theta)
        return float(model._loss()[0])

    def gradient(theta: Array) -> Array:
        model._set(theta)
        found: Array = model._loss()[1].numpy()
        return found

    theta = np.log([0.3, 0.5, 1.2, 0.01])
    assert check_grad(loss, gradient, theta) < 1e-3
    point, best = np.array([[0.31, 0.77]]), np.float64(-0.5)
    assert (
        check_grad(
            lambda x: float(model._log_ei(x[None, :], best)[0][0]),
            lambda x: model._log_ei(x[None, :], best)[1].numpy()[0],
            point[0],
        )
        < 1e-4
    )


def test_a_smooth_bowl_is_solved() -> None:
    """Fifteen evaluations of a parabola in 2D come within 0.01 of its minimiser's value."""
    from ordbo_cli.benchmark.rivals.vanilla import Vanilla

    question = Problem((Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 10.0)), method=Method(initial=4))
    searcher = Vanilla(Start(question, 0, 4, 15))

    def bowl(values: tuple[float, ...]) -> float:
        return (values[0] - 0.3) ** 2 + (values[1] / 10 - 0.6) ** 2

    points: list[tuple[float, ...]] = [(0.0, 0.0), (1.0, 10.0), (0.8, 2.0), (0.2, 9.0)]
    for point in points:
        searcher.tell(point, bowl(point))
    for _ in range(11):
        point = searcher.ask()
        searcher.tell(point, bowl(point))
        points.append(point)
    assert min(map(bowl, points)) < 1e-2 * min(map(bowl, points[:4]))


def test_one_lengthscale_is_the_best_of_equal_ones() -> None:
    """Fitted with one lengthscale, the likelihood is at most that of a lengthscale for each parameter."""
    from ordbo_cli.benchmark.rivals.vanilla import _model

    rng = np.random.default_rng(3)
    X = rng.random((12, 2))
    losses = []
    for isotropic in (True, False):
        model = _model(2, isotropic)
        model.set_data(X, np.sin(9 * X[:, 0]))
        theta = model.fit(None)
        assert len(theta) == (3 if isotropic else 4)
        losses.append(float(model._loss()[0]))
    assert losses[1] < losses[0]


def test_equal_results_are_no_trouble() -> None:
    """All results alike, as on a plateau, still give a point within the bounds."""
    from ordbo_cli.benchmark.rivals.vanilla import Vanilla

    searcher = Vanilla(Start(Problem((Parameter("a", 0.0, 1.0),)), 0, 2, 5))
    for x in (0.0, 1.0):
        searcher.tell((x,), 4.0)
    assert 0.0 <= searcher.ask()[0] <= 1.0


def _asked(name: str, results: list[float]) -> float:
    """Return where a baseline looks next, after results at equal distances."""
    from ordbo_cli.benchmark.rivals import vanilla

    searcher = getattr(vanilla, name)(Start(Problem((Parameter("a", 0.0, 1.0),)), 0, 2, 5))
    for x, y in zip(np.linspace(0, 1, len(results)), results, strict=True):
        searcher.tell((float(x),), y)
    return float(searcher.ask()[0])


def test_raw_results_depend_on_their_unit_and_standardised_ones_do_not() -> None:
    """A constant added to all results moves the next point of the raw baseline alone, whose mean is zero."""
    results = [10.0 * (x - 0.37) ** 2 for x in np.linspace(0.0, 1.0, 7).tolist()]
    moved = [y + 1000.0 for y in results]
    assert _asked("Vanilla", results) == pytest.approx(_asked("Vanilla", moved), abs=1e-6)
    assert abs(_asked("VanillaRaw", results) - _asked("VanillaRaw", moved)) > 0.1


def test_a_raw_fit_starts_as_gpflow_does() -> None:
    """Start and least noise are those of a GPR that nobody has told anything."""
    import gpflow

    from ordbo_cli.benchmark.rivals.vanilla import _model

    model, plain = (
        _model(2, True, True),
        gpflow.models.GPR((np.zeros((1, 2)), np.zeros((1, 1))), gpflow.kernels.Matern32()),
    )
    model._set(model._start)
    for ours, theirs in zip(model._gpr.parameters, plain.parameters, strict=True):
        assert float(ours.numpy().squeeze()) == pytest.approx(float(theirs.numpy()))
        assert ours.transform is not None
        assert theirs.transform is not None
        assert float(ours.transform(np.float64(-50.0))) == pytest.approx(float(theirs.transform(np.float64(-50.0))))


@pytest.mark.parametrize("name", ["VanillaRaw", "VanillaRawIsotropic"])
def test_raw_results_of_every_size_give_a_point(name: str) -> None:
    """Covariances that rounding leaves indefinite end a fit, not the search."""
    for results in (
        [1e12, 3e11, 2e12, 5e9, 1e10],
        [0.0] * 5,
        [1e-12, 2e-12, 0.0, 3e-12, 5e-12],
        [1e300, 1.0, -1e300, 0.0, 1.0],
    ):
        assert 0.0 <= _asked(name, results) <= 1.0


def test_new_results_trace_nothing_anew() -> None:
    """One compiled function serves every number of results."""
    from ordbo_cli.benchmark.rivals.vanilla import _model

    model = _model(1)
    for rows in (3, 4, 9):
        model.set_data(np.linspace(0, 1, rows)[:, None], np.arange(rows, dtype=float) - rows / 2)
        model.fit(None)
        model.best(np.array([[0.1], [0.5]]), np.copy)
    assert model._loss.experimental_get_tracing_count() == 1
    assert model._log_ei.experimental_get_tracing_count() == 1
