"""The model written with gpflow: the same objective on the same theta, differentiated by TensorFlow.

It is the independent check of the closed forms in :mod:`ordbo_cli.ordinal.elbo`, and the engine that ``engine: gpflow``
chooses. Nothing else in the package imports TensorFlow or gpflow.

Data and parameters live in variables whose first dimension is unknown, and one compiled model serves all fits of the
same kind: a TensorFlow function is otherwise traced anew, for seconds, each time an evaluation comes in.

==============  ================================================================  =======
symbol          meaning                                                           shape
==============  ================================================================  =======
N               evaluations
M               distinct points of them
D               latent axes
G               gaps of all axes
theta           unconstrained numbers of the model                                [parts]
S               distinct latent points                                            [M, D]
q_mu, q_spread  mean of q; its variances, or the precisions of a full covariance  [M, 1]
b               bin edges                                                         [K - 1]
==============  ================================================================  =======
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.data import Comparisons, Scale
from ordbo_cli.ordinal.kernels import JITTER
from ordbo_cli.ordinal.likelihood import UNBOUNDED
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import LARGEST_OUTPUT_GAP, SIGMA, SIGMA_ELSEWHERE, Model
from ordbo_cli.ordinal.optimise import lbfgs
from ordbo_cli.ordinal.prior import LogGapPrior
from ordbo_cli.ordinal.tensorflow_setup import quiet_tensorflow
from ordbo_cli.ordinal.warp import LARGEST_GAP, BoundedMovement, FreeGaps, smallest_gap
from ordbo_cli.problem.method import ADAM_RATE, Kernel, OptimizerKind

with quiet_tensorflow():
    import gpflow
    import tensorflow as tf
    import tensorflow_probability as tfp
    from gpflow.keras import tf_keras

Tensor = Any  # TensorFlow ships no types

KERNELS: Final[dict[Kernel, type[gpflow.kernels.IsotropicStationary]]] = {
    "matern12": gpflow.kernels.Matern12,  # exp(-r); gpflow's Exponential is exp(-r / 2)
    "matern32": gpflow.kernels.Matern32,
    "matern52": gpflow.kernels.Matern52,
    "rbf": gpflow.kernels.SquaredExponential,
}
_COMPILE: Final = {"input_signature": (tf.TensorSpec([None], tf.float64),), "autograph": False}
_NODES: Final = 20  # of the quadrature, as gpflow has them for one latent function
_LOG_ROOT_2PI: Final = 0.5 * np.log(2.0 * np.pi)


def _logistic(low: float, high: float) -> tfp.bijectors.Bijector:
    return tfp.bijectors.Sigmoid(np.float64(low), np.float64(high))


def _parameter(columns: Sequence[int] = (), transform: tfp.bijectors.Bijector | None = None) -> gpflow.Parameter:
    """Return a parameter of any length, to be set before use; its rows are scalars or have so many columns."""
    start = np.ones([1, *columns]) if transform is None else transform.forward(np.zeros([1, *columns]))
    return gpflow.Parameter(start, transform=transform, shape=[None, *columns])


def _data(rank: int, dtype: Any) -> tf.Variable:
    """Return a variable for data of any size, to be set before use."""
    return tf.Variable(tf.zeros([1] * rank, dtype), trainable=False, shape=[None] * rank)


@tf.custom_gradient  # type: ignore[untyped-decorator]
def log_bin_probability(lower: Tensor, upper: Tensor) -> tuple[Tensor, Callable[..., tuple[Tensor, Tensor]]]:
    """Return ``log(Phi(upper) - Phi(lower))``, as :func:`ordbo_cli.ordinal.likelihood.log_bin_probability` does.

    Its derivatives are the normal densities over the probability. Differentiated operation by operation, the branches
    not taken would turn into NaN and the scaled error functions would cancel.

    Args:
        lower, upper: standardised edges, ``lower < upper``, at most ``UNBOUNDED`` in size, of one shape.
    """
    root_half = np.sqrt(0.5)
    mirror = lower + upper < 0.0
    near = tf.where(mirror, -upper, lower)
    far = tf.where(mirror, -lower, upper)
    outside = 0.5 * (tf.math.erfc(far * root_half) + tf.math.erfc(-near * root_half))
    base = tf.maximum(near, 0.0)
    shrink = tf.exp(-0.5 * (far - base) * (far + base))
    near_tail, far_tail = tf.unstack(tfp.math.erfcx(root_half * tf.stack([base, far])))
    scaled = 0.5 * (near_tail - shrink * far_tail)
    log_p = tf.where(near > 0.0, tf.math.log(scaled) - 0.5 * base * base, tf.math.log1p(-outside))

    def gradient(by_log_p: Tensor) -> tuple[Tensor, Tensor]:
        at_lower = tf.exp(-0.5 * lower * lower - _LOG_ROOT_2PI - log_p)
        at_upper = tf.exp(-0.5 * upper * upper - _LOG_ROOT_2PI - log_p)
        return -by_log_p * at_lower, by_log_p * at_upper

    return log_p, gradient


class OrdinalLikelihood(gpflow.likelihoods.ScalarLikelihood):
    """The probability that f plus noise falls between two edges, the edges and the noise learnt.

    gpflow's own ``Ordinal`` will not do: with TensorFlow 2.21 its outer bins are NaN, elsewhere it squeezes the
    probit and adds to the probability, and its edges are fixed. Expectations are gpflow's, by Gauss-Hermite quadrature
    with 20 nodes. What is observed is the first and the last bin that a result may be in [N, 2].
    """

    def __init__(self, noise: tuple[float, float] = SIGMA) -> None:
        super().__init__()
        self.first_edge = gpflow.Parameter(np.zeros(1))
        self.smallest_gap = _data(0, tf.float64)
        self.share = _parameter(transform=_logistic(0.0, 1.0))
        self.sigma = gpflow.Parameter(0.1 * np.ones(1), transform=_logistic(*noise))
        self.bins = tf.Variable(1, trainable=False)

    @property
    def parameters_in_order(self) -> tuple[gpflow.Parameter, ...]:
        """First edge, output gaps and noise, in the order of theta."""
        return self.first_edge, self.share, self.sigma

    def load(self, bins: int, smallest_gap: Any) -> None:
        """Make room for so many bins.

        Args:
            bins: K.
            smallest_gap: the least that a gap may be.
        """
        self.bins.assign(bins)
        self.smallest_gap.assign(smallest_gap)
        _resize(self.share, max(0, bins - 2))

    def output_gaps(self) -> Tensor:
        """Return the output gaps [max(0, K - 2)]."""
        return self.smallest_gap + (LARGEST_OUTPUT_GAP - self.smallest_gap) * self.share

    def edges(self) -> Tensor:
        """Return the edges b_0 .. b_K [K + 1], the infinite ones as ``UNBOUNDED``."""
        above = self.first_edge + tf.cumsum(self.output_gaps())
        inner = tf.concat([self.first_edge, above], axis=0)[: self.bins - 1]
        return tf.concat([[-UNBOUNDED], inner, [UNBOUNDED]], axis=0)

    def _scalar_log_prob(self, X: Tensor, F: Tensor, Y: Tensor) -> Tensor:
        bins, edges = tf.cast(Y, tf.int32), self.edges()
        return self._log_probability(F, tf.gather(edges, bins[..., :1]), tf.gather(edges, bins[..., 1:] + 1))

    def _log_probability(self, F: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
        lower = tf.maximum((lower - F) / self.sigma, -UNBOUNDED)
        upper = tf.minimum((upper - F) / self.sigma, UNBOUNDED)
        return log_bin_probability(lower, upper)

    def _moment(self, F: Tensor, power: int) -> Tensor:
        """Return the mean of a power of the rank at F [..., 1]."""
        edges = self.edges()
        probability = tf.exp(self._log_probability(F, edges[:-1], edges[1:]))
        rank = tf.cast(tf.range(self.bins), tf.float64)
        return tf.reduce_sum(probability * rank**power, axis=-1, keepdims=True)

    def _conditional_mean(self, X: Tensor, F: Tensor) -> Tensor:
        return self._moment(F, 1)

    def _conditional_variance(self, X: Tensor, F: Tensor) -> Tensor:
        return self._moment(F, 2) - tf.square(self._moment(F, 1))


class OnScale(gpflow.Module):
    """Results that are compared with each other, and the likelihood of their ranks."""

    def __init__(self, likelihood: OrdinalLikelihood) -> None:
        super().__init__()
        self.likelihood = likelihood
        self.point, self.bins = _data(1, tf.int32), _data(2, tf.int32)

    def expectation(self, mean: Tensor, variance: Tensor) -> Tensor:
        """Return the expected log likelihood of all results.

        Args:
            mean, variance: of the latent values of the distinct points [M, 1].
        """
        mean_i, variance_i = tf.gather(mean, self.point), tf.gather(variance, self.point)
        X = tf.zeros([tf.shape(mean_i)[0], 0], tf.float64)  # the likelihood looks at f alone
        return tf.reduce_sum(self.likelihood.variational_expectations(X, mean_i, variance_i, self.bins))

    def load(self, scale: Scale, smallest_gap: Any) -> None:
        """Take the results of a scale, and make room for what is learnt of it."""
        self.point.assign(scale.point)
        self.bins.assign(np.stack([scale.rank, scale.worst], axis=1))
        self.likelihood.load(scale.bins, smallest_gap)


class ComparisonLikelihood(gpflow.Module):
    """The probability that one of two noisy latent values is the lower one, each with its weight."""

    def __init__(self) -> None:
        super().__init__()
        self.better, self.worse, self.weight = _data(1, tf.int32), _data(1, tf.int32), _data(1, tf.float64)
        self.scale = _data(1, tf.int32)
        self.quadrature = gpflow.quadrature.NDiagGHQuadrature(1, _NODES)

    def expectation(self, mean: Tensor, variance: Tensor, sigma: Tensor) -> Tensor:
        """Return the expected log likelihood of all comparisons.

        Args:
            mean, variance: of each difference of latent values, the worse point's less the better one's [P].
            sigma: latent noise of one value, of each scale [scales].
        """
        sigma = tf.gather(sigma, self.scale)[:, None]

        def log_p(d: Tensor) -> Tensor:
            return tfp.distributions.Normal(np.float64(0.0), np.float64(1.0)).log_cdf(d / (np.sqrt(2.0) * sigma))

        return tf.reduce_sum(self.weight * self.quadrature(log_p, mean[:, None], variance[:, None])[:, 0])

    def load(self, pairs: Comparisons) -> None:
        """Take the comparisons of a model."""
        self.better.assign(pairs.better)
        self.worse.assign(pairs.worse)
        self.weight.assign(pairs.weight)
        self.scale.assign(pairs.scale)


class FreeGapWarp(gpflow.Module):
    """Gaps each on their own, as ``warp.FreeGaps`` has them."""

    def __init__(self) -> None:
        super().__init__()
        self.smallest = _data(1, tf.float64)
        self.share = _parameter(transform=_logistic(0.0, 1.0))
        self.ordered = (self.share,)

    def gaps(self) -> Tensor:
        """Return the gaps of all dimensions [G]."""
        return self.smallest + (LARGEST_GAP - self.smallest) * self.share

    def load(self, model: Model) -> None:
        """Take a model's bounds and make room for its parameters."""
        assert isinstance(model.warp, FreeGaps)
        self.smallest.assign(model.warp.transform.low)
        _resize(self.share, model.warp.size)


class BoundedMovementWarp(gpflow.Module):
    """Coordinates within windows, as ``warp.BoundedMovement`` has them.

    Each gap lies between a left and a right place, of which 0 and 1 are the ends of every axis.
    """

    def __init__(self) -> None:
        super().__init__()
        self.low, self.high, self.counts, self.smallest = (_data(1, tf.float64) for _ in range(4))
        self.left, self.right, self.axis = (_data(1, tf.int32) for _ in range(3))
        self.share = _parameter(transform=_logistic(0.0, 1.0))
        self.length_share = _parameter(transform=_logistic(0.0, 1.0))
        self.ordered = (self.share, self.length_share)

    def gaps(self) -> Tensor:
        """Return the gaps of all dimensions [G]."""
        inner = self.low + (self.high - self.low) * self.share
        places = tf.concat([np.array([0.0, 1.0]), inner], axis=0)
        mean_gap = self.smallest + (LARGEST_GAP - self.smallest) * self.length_share
        length = tf.gather(self.counts * mean_gap, self.axis)
        return length * (tf.gather(places, self.right) - tf.gather(places, self.left))

    def load(self, model: Model) -> None:
        """Take a model's windows and make room for its parameters."""
        warp = model.warp
        assert isinstance(warp, BoundedMovement)
        self.low.assign(warp.low)
        self.high.assign(warp.high)
        self.counts.assign(warp.counts)
        self.smallest.assign(smallest_gap(warp.counts))
        inner = 2 + np.arange(len(warp.low))  # among the places, after both ends
        axes = np.split(inner, np.cumsum(np.array(warp.counts) - 1)[:-1])
        self.left.assign(np.concatenate([np.append(0, part) for part in axes]))
        self.right.assign(np.concatenate([np.append(part, 1) for part in axes]))
        self.axis.assign(np.repeat(np.arange(len(warp.counts)), warp.counts))
        _resize(self.share, len(warp.low))
        _resize(self.length_share, len(warp.counts))


class LogGapDensity(gpflow.Module):
    """The prior ``prior.LogGapPrior``: covariance ``tau^2 I + (h B) (h B)'`` with B the gaps' groups [G, groups]."""

    def __init__(self) -> None:
        super().__init__()
        self.centre, self.variance, self.shift = _data(1, tf.float64), _data(1, tf.float64), _data(2, tf.float64)

    def log_density(self, gaps: Tensor) -> Tensor:
        """Return the log density of the logarithms of gaps [G]."""
        normal = tfp.distributions.MultivariateNormalDiagPlusLowRankCovariance(
            self.centre, cov_diag_factor=self.variance, cov_perturb_factor=self.shift
        )
        return normal.log_prob(tf.math.log(gaps))

    def load(self, prior: LogGapPrior) -> None:
        """Take a prior's numbers."""
        place = np.arange(len(prior.centre))[:, None]
        member = (place >= prior.starts) & (place < np.append(prior.starts[1:], len(place))[: len(prior.starts)])
        self.centre.assign(prior.centre)
        self.variance.assign(np.full(len(place), prior.spread**2))
        self.shift.assign(prior.shift * member)


class OrdinalGP(gpflow.models.GPModel, gpflow.models.training_mixins.InternalDataTrainingLossMixin):
    """The ordinal latent Gaussian process of one kind; which data it has can change without compiling it anew.

    Args:
        kernel: prior covariance of the latent function.
        full: whether the posterior covariance is full instead of diagonal.
        bounded: whether the warp bounds the movement of coordinates.
        input_prior, output_prior: whether the gaps have a prior.
        others: number of scales of results beside that of the evaluations.
    """

    def __init__(
        self, kernel: Kernel, *, full: bool, bounded: bool, input_prior: bool, output_prior: bool, others: int = 0
    ) -> None:
        super().__init__(KERNELS[kernel](), OrdinalLikelihood(), num_latent_gps=1)
        gpflow.set_trainable(self.kernel, False)
        self.full = full
        self.warp = BoundedMovementWarp() if bounded else FreeGapWarp()
        self.input_prior = LogGapDensity() if input_prior else None
        self.output_prior = LogGapDensity() if output_prior else None
        self.starts, self.knot = _data(1, tf.int32), _data(2, tf.int32)
        self.scales = [OnScale(self.likelihood), *(OnScale(OrdinalLikelihood(SIGMA_ELSEWHERE)) for _ in range(others))]
        self.comparisons = ComparisonLikelihood()
        self.q_mu = _parameter([1])
        self.q_spread = _parameter([1], tfp.bijectors.Exp())
        self.loaded: Model | None = None

    @property
    def theta(self) -> tuple[tf.Variable, ...]:
        """The unconstrained variables in the order of ``model.Model.parts``."""
        own, *others = (scale.likelihood.parameters_in_order for scale in self.scales)
        ordered = (*self.warp.ordered, *own, self.q_mu, self.q_spread, *chain.from_iterable(others))
        return tuple(parameter.unconstrained_variable for parameter in ordered)

    def load(self, model: Model) -> None:
        """Take a model's data and make room for its parameters."""
        data = model.data
        self.starts.assign(data.starts)
        self.knot.assign(data.starts + data.index)
        self.comparisons.load(data.comparisons)
        self.warp.load(model)
        for mine, scale, transform in zip(self.scales, data.scales, model.output_transforms, strict=True):
            mine.load(scale, transform.low)
        _resize(self.q_mu, data.points)
        _resize(self.q_spread, data.points)
        for density, prior in ((self.input_prior, model.input_prior), (self.output_prior, model.output_prior)):
            if density is not None and prior is not None:
                density.load(prior)
        self.loaded = model

    def latent_points(self) -> Tensor:
        """Return S, the latent coordinates of the distinct points [M, D]."""
        total = tf.concat([np.zeros(1), tf.cumsum(self.warp.gaps())], axis=0)
        return tf.gather(total, self.knot) - tf.gather(total, self.starts)

    def covariance(self, A: Tensor, B: Tensor) -> Tensor:
        """Return prior covariances [P, Q] between latent points [P, D] and [Q, D], from exact differences."""
        return self.kernel.K_r2(tf.reduce_sum(tf.math.squared_difference(A[:, None], B[None]), axis=-1))

    def prior_covariance(self) -> Tensor:
        """Return K with its jitter [M, M]."""
        S = self.latent_points()
        return self.covariance(S, S) + JITTER * tf.eye(tf.shape(S)[0], dtype=tf.float64)

    def maximum_log_likelihood_objective(self) -> Tensor:
        """Return the evidence lower bound."""
        K = self.prior_covariance()
        variance, divergence, covariance = self._full(K) if self.full else self._diagonal(K)
        fit = tf.add_n([scale.expectation(self.q_mu, variance) for scale in self.scales])
        better, worse = self.comparisons.better, self.comparisons.worse
        mean = tf.gather(self.q_mu, worse) - tf.gather(self.q_mu, better)
        spread = tf.gather(variance, worse) + tf.gather(variance, better)
        sigmas = tf.concat([scale.likelihood.sigma for scale in self.scales], axis=0)
        pairs = self.comparisons.expectation(mean[:, 0], spread[:, 0] - 2.0 * covariance, sigmas)
        return fit + pairs - divergence

    def log_prior_density(self) -> Tensor:
        """Return the log prior of the gaps, a density of their logarithms, without a Jacobian of the transforms."""
        total = tf.zeros([], tf.float64)
        if self.input_prior is not None:
            total += self.input_prior.log_density(self.warp.gaps())
        if self.output_prior is not None:
            gaps = tf.concat([scale.likelihood.output_gaps() for scale in self.scales], axis=0)
            total += self.output_prior.log_density(gaps)
        return total

    def predict_f(self, Xnew: Tensor, full_cov: bool = False, full_output_cov: bool = False) -> tuple[Tensor, Tensor]:
        """Return mean and variance of f at latent points [P, D]."""
        S, K = self.latent_points(), self.prior_covariance()
        if self.full:
            V = self._factors(K)[2]
            q_sqrt = tf.linalg.cholesky(tf.matmul(V, V, transpose_a=True))[None]
        else:
            q_sqrt = tf.sqrt(self.q_spread)
        Knn = self.covariance(Xnew, Xnew) if full_cov else tf.ones(tf.shape(Xnew)[:1], tf.float64)
        conditional = gpflow.conditionals.util.base_conditional
        return conditional(self.covariance(S, Xnew), K, Knn, self.q_mu, full_cov=full_cov, q_sqrt=q_sqrt)

    def _diagonal(self, K: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return q's variances [M, 1], divergence and covariances of compared points [P] for ``Sigma = diag(v)``."""
        divergence = gpflow.kullback_leiblers.gauss_kl(self.q_mu, tf.sqrt(self.q_spread), K)
        return self.q_spread, divergence, tf.zeros_like(self.comparisons.weight)

    def _full(self, K: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the same for ``Sigma = (K^-1 + diag(lambda))^-1``."""
        L, T, V = self._factors(K)
        T_inverse = tf.linalg.triangular_solve(T, tf.eye(tf.shape(T)[0], dtype=tf.float64))
        whitened_mean = tf.linalg.triangular_solve(L, tf.convert_to_tensor(self.q_mu))
        squares = tf.reduce_sum(tf.square(T_inverse)) + tf.reduce_sum(tf.square(whitened_mean))
        log_det_C = 2.0 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(T)))
        divergence = 0.5 * (squares - tf.cast(tf.shape(K)[0], tf.float64) + log_det_C)
        better, worse = (tf.gather(V, place, axis=1) for place in (self.comparisons.better, self.comparisons.worse))
        return tf.reduce_sum(tf.square(V), axis=0)[:, None], divergence, tf.reduce_sum(better * worse, axis=0)

    def _factors(self, K: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the factors of ``K = L L'``, ``I + L' diag(lambda) L = T T'`` and ``Sigma = V' V`` [M, M]."""
        L = tf.linalg.cholesky(K)
        C = tf.eye(tf.shape(K)[0], dtype=tf.float64) + tf.matmul(L, self.q_spread * L, transpose_a=True)
        T = tf.linalg.cholesky(C)
        return L, T, tf.linalg.triangular_solve(T, tf.transpose(L))


def _resize(parameter: gpflow.Parameter, rows: int) -> None:
    variable = parameter.unconstrained_variable
    variable.assign(tf.zeros([rows, *variable.shape[1:]], tf.float64))


class GpflowEngine:
    """TensorFlow's gradients through gpflow, with the L-BFGS that both engines share, or Keras's Adam.

    Args:
        model: what is fitted.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.gp, self.scipy = compiled(
            model.kernel,
            full=model.full,
            bounded=isinstance(model.warp, BoundedMovement),
            input_prior=model.input_prior is not None,
            output_prior=model.output_prior is not None,
            others=len(model.data.others),
        )

    def objective(self, theta: Array) -> tuple[float, Array]:
        """Return the value at theta and the gradient there."""
        gp = self._loaded()
        evaluate = self.scipy.eval_func(gp.training_loss, gp.theta, _COMPILE)
        loss, gradient = evaluate(theta)
        return -float(loss), -gradient

    def maximise(
        self, theta: Array, optimizer: OptimizerKind, iterations: int, tolerance: float, rate: float = ADAM_RATE
    ) -> Array:
        """Return where an optimiser leads from a given theta in at most so many steps."""
        if optimizer == "adam":
            return self._adam(theta, iterations, rate)
        return lbfgs(self.objective, self.model, theta, iterations, tolerance)

    def _loaded(self) -> OrdinalGP:
        """Return the compiled model with this engine's data in it; another engine may have used it since."""
        if self.gp.loaded is not self.model:
            self.gp.load(self.model)
        return self.gp

    def _adam(self, theta: Array, iterations: int, rate: float) -> Array:
        """Adam over theta as one variable: Keras makes its slots for variables of known size only."""
        variable = tf.Variable(theta)
        adam = tf_keras.optimizers.Adam(rate, epsilon=1e-8)
        for _ in range(iterations):
            _, gradient = self.objective(variable.numpy())
            adam.apply_gradients([(tf.constant(-gradient), variable)])
        return np.asarray(variable.numpy())


@cache
def compiled(kernel: Kernel, **kind: Any) -> tuple[OrdinalGP, gpflow.optimizers.Scipy]:
    """Return the model of a kind, and the optimiser that keeps its compiled loss and gradient."""
    return OrdinalGP(kernel, **kind), gpflow.optimizers.Scipy(compile_cache_size=1)
