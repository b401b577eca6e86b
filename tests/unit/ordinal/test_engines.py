"""Two engines, one model: NumPy's closed forms and gpflow's graph give the same numbers."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.ordinal.data import ordinal_data
from ordbo_cli.ordinal.engine import NumpyEngine, make_engine
from ordbo_cli.ordinal.fitting import FitContext, fit_model
from ordbo_cli.ordinal.gpflow_engine import GpflowEngine, log_bin_probability
from ordbo_cli.ordinal.likelihood import UNBOUNDED
from ordbo_cli.ordinal.likelihood import log_bin_probability as log_bin_probability_numpy
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.posterior import posterior
from ordbo_cli.ordinal.warp import latent_points
from ordbo_cli.problem.method import GapPrior, Kernel, Method, OptimizerKind, Posterior
from tests.unit.ordinal.cases import TOLERANCE, make_data, make_model, random_theta, with_judges, with_other_scales

pytestmark = pytest.mark.slow


def agree(model: Model, seed: int = 0) -> None:
    """Assert that both engines have one value and gradient, to 1e-8."""
    theta = random_theta(model, seed)
    value, gradient = NumpyEngine(model).objective(theta)
    other, other_gradient = GpflowEngine(model).objective(theta)
    assert np.isfinite(value)
    assert other == pytest.approx(value, rel=1e-8)
    np.testing.assert_allclose(other_gradient, gradient, rtol=0, atol=1e-8 * np.abs(gradient).max())


def sizes(model_kind: dict[str, object]) -> None:
    """Assert agreement for every number of rows and parameters."""
    for D in (1, 2, 6):
        for N in (1, 2, 5, 25, 60):
            for plain in (True, False):
                agree(make_model(make_data(N, D, plain=plain), **model_kind))  # type: ignore[arg-type]  # a kind's keywords


@pytest.mark.parametrize("posterior", get_args(Posterior))
@pytest.mark.parametrize("kernel", get_args(Kernel))
def test_engines_agree_on_the_papers_model(kernel: Kernel, posterior: Posterior) -> None:
    """Free gaps without a prior: every kernel and posterior, with ties, replicates and failures."""
    sizes({"kernel": kernel, "posterior": posterior})


@pytest.mark.parametrize(("kernel", "posterior"), [*zip(get_args(Kernel), [*get_args(Posterior)] * 2, strict=True)])
def test_engines_agree_on_bounded_movement_with_a_prior(kernel: Kernel, posterior: Posterior) -> None:
    """Coordinates within windows, and a prior: every kernel, each posterior with two (a kind takes 2 s to trace)."""
    sizes({"kernel": kernel, "posterior": posterior, "bounded": True, "prior": GapPrior()})


@pytest.mark.parametrize("bounded", [False, True])
def test_engines_agree_on_either_warp_with_the_other_prior(bounded: bool) -> None:
    """The two pairs of warp and prior that the other tests leave out; without a shift too."""
    sizes({"bounded": bounded, "prior": None if bounded else GapPrior(shift=0.0)})


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_engines_agree_on_results_on_other_scales(posterior: Posterior) -> None:
    """Three further scales, one of them with a single result."""
    for N in (2, 9):
        agree(make_model(with_other_scales(make_data(N, 2)), posterior=posterior, prior=GapPrior()))


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_engines_agree_on_judges(posterior: Posterior) -> None:
    """Whose comparisons have a noise of their own each."""
    for N in (5, 9):
        data = with_judges(make_data(N, 2, plain=False))
        agree(make_model(data, posterior=posterior, prior=GapPrior()))


def test_engines_agree_where_all_ranks_are_equal() -> None:
    """One bin has no edge, so the likelihood is one and its gradient zero."""
    data = ordinal_data(np.array([[0.1], [0.5], [0.5]]), [0, 0, 0], [0.0], [1.0])
    model = make_model(data)
    agree(model)
    _, gradient = GpflowEngine(model).objective(random_theta(model))
    edges = [gradient[part] for part in model.parts[1:4]]
    assert [part.tolist() for part in edges] == [[0.0], [], [0.0]]


def test_engines_agree_far_out_in_the_tails() -> None:
    """Tens of sigma from their bins, where densities and probabilities underflow, no branch turns into NaN."""
    model = make_model(make_data(25, 2))
    theta = random_theta(model)
    at = np.cumsum(model.sizes)
    theta[at[2] : at[3]] = -4.0
    theta[at[3] : at[4]] *= -3.0
    value, gradient = NumpyEngine(model).objective(theta)
    other, other_gradient = GpflowEngine(model).objective(theta)
    assert value < -1000.0
    assert other == pytest.approx(value, rel=1e-8)
    np.testing.assert_allclose(other_gradient, gradient, rtol=0, atol=1e-8 * np.abs(gradient).max())


def test_engines_agree_on_bin_probabilities() -> None:
    """On both sides, straddling and with infinite ends, to 40 sigma and at the narrowest gap that edges can have."""
    lower = np.concatenate([np.linspace(-40.0, 40.0, 161), [-UNBOUNDED] * 3, [-40.0, 0.0, 40.0]])
    upper = np.concatenate([lower[:161] + np.tile([0.01, 1.0], 81)[:161], [-40.0, 0.0, 40.0], [UNBOUNDED] * 3])
    expected = log_bin_probability_numpy(lower, upper)
    np.testing.assert_allclose(log_bin_probability(lower, upper).numpy(), expected, rtol=1e-10)


def test_engines_share_a_compiled_model() -> None:
    """Engines of one kind with different data may be used in turns."""
    first, second = (make_model(make_data(N, 2, seed=N)) for N in (6, 9))
    engines = GpflowEngine(first), GpflowEngine(second)
    assert engines[0].gp is engines[1].gp
    for _ in range(2):
        for engine in engines:
            theta = random_theta(engine.model)
            assert engine.objective(theta)[0] == pytest.approx(NumpyEngine(engine.model).objective(theta)[0], rel=1e-8)


def test_growing_data_are_not_traced_anew() -> None:
    """A run whose rows and parameters grow compiles its model once, for values and for both optimisers."""
    engines = set()
    optimizers: tuple[OptimizerKind, ...] = ("lbfgs", "adam")
    for N in range(4, 10):
        for D in (1, 2):
            model = make_model(make_data(N, D), kernel="matern52", posterior="full", prior=GapPrior())
            engine = GpflowEngine(model)
            theta = random_theta(model)
            engine.objective(theta)
            engines.add(engine.scipy)
            for optimizer in optimizers:
                engine.maximise(theta, optimizer, 2, TOLERANCE)
    (compiled,) = engines
    (function,) = compiled.compile_cache.values()
    assert function.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("optimizer", get_args(OptimizerKind))
def test_optimisers_of_both_engines_reach_the_same(optimizer: OptimizerKind) -> None:
    """From one start the engines' optimisers take the same way, up to rounding."""
    model = make_model(make_data(12, 2), prior=GapPrior())
    theta = random_theta(model)
    values = []
    for kind in ("numpy", "gpflow"):
        engine = make_engine(kind, model)
        best = engine.maximise(theta, optimizer, 60, TOLERANCE)
        values.append(engine.objective(best)[0])
        assert values[-1] > engine.objective(theta)[0] + 1.0
    assert values[0] == pytest.approx(values[1], rel=1e-4)


@pytest.mark.parametrize("full", [False, True])
def test_prediction_of_gpflow_is_the_posterior(full: bool) -> None:
    """gpflow's conditional gives the means and variances that ``posterior`` gives."""
    model = make_model(make_data(12, 2), posterior="full" if full else "diagonal")
    theta = random_theta(model)
    engine = GpflowEngine(model)
    engine.objective(theta)
    p = model.parameters(theta)
    s = np.random.default_rng(0).uniform(0.0, 5.0, (7, 2))
    mean, variance = posterior(latent_points(model.data, p.gaps), p.mean, p.spread, model.kernel, full=full).moments(s)
    gp_mean, gp_variance = engine.gp.predict_f(s)
    np.testing.assert_allclose(gp_mean.numpy()[:, 0], mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(gp_variance.numpy()[:, 0], variance, rtol=1e-8, atol=1e-10)
    covariance = engine.gp.predict_f(s, full_cov=True)[1].numpy()[0]
    np.testing.assert_allclose(np.diagonal(covariance), variance, rtol=1e-8, atol=1e-10)


def test_predicted_ranks_have_the_moments_of_the_bins() -> None:
    """gpflow's predicted mean and variance of the rank are those of the bins' probabilities."""
    model = make_model(make_data(12, 1))
    theta = random_theta(model)
    engine = GpflowEngine(model)
    engine.objective(theta)
    p = model.parameters(theta)
    b = np.concatenate([[-UNBOUNDED], p.edges(model.data.bins), [UNBOUNDED]])
    f = np.linspace(-2.0, 2.0, 5)
    scaled = np.clip((b - f[:, None]) / p.sigma, -UNBOUNDED, UNBOUNDED)
    probability = np.exp(log_bin_probability_numpy(scaled[:, :-1], scaled[:, 1:]))
    rank = np.arange(model.data.bins)
    mean = probability @ rank
    likelihood = engine.gp.likelihood
    X = np.zeros((5, 1))
    np.testing.assert_allclose(likelihood.conditional_mean(X, f[:, None]).numpy()[:, 0], mean, rtol=1e-9)
    variance = probability @ rank**2 - mean**2
    got = likelihood.conditional_variance(X, f[:, None]).numpy()[:, 0]
    np.testing.assert_allclose(got, variance, rtol=1e-7, atol=1e-9)


def test_a_fit_with_gpflow_is_a_fit_with_numpy() -> None:
    """The setting ``engine: gpflow`` leads to the same model."""
    data = make_data(10, 2)
    context = FitContext(data.knots, data.inputs, 5, 10)
    fits = [fit_model(data, Method(engine=engine), context, None) for engine in ("numpy", "gpflow")]
    assert fits[0].value == pytest.approx(fits[1].value, rel=1e-4)
    np.testing.assert_allclose(fits[0].mean, fits[1].mean, atol=0.05)
