"""The baselines: ordinary Bayesian optimisation with expected improvement on a gpflow GPR.

The same Matern 3/2 kernel as the method's, hyper-parameters by maximum likelihood, inputs in the unit cube, a mean of
zero. There are four: with one lengthscale a parameter or one for all, and on standardised or on raw results. They share
all but that, so that what they differ by is what the choice is worth. No other file of the benchmark imports TensorFlow
or gpflow.

One compiled model serves all runs of the same dimension: its data are variables whose first dimension is unknown, or
TensorFlow would trace its functions anew, for seconds, each time a result comes in.

===========  ============================================  ==========
symbol       meaning                                       shape
===========  ============================================  ==========
``N, D``     results, parameters
``X``        points, in the unit cube                      ``[N, D]``
``y``        results, standardised or raw                  ``[N]``
``L``        lengthscales: D, or 1 where all share one
``theta``    unconstrained lengthscales, variance, noise   ``[L + 2]``
``C``        candidates, in the unit cube                  ``[C, D]``
===========  ============================================  ==========
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from ordbo_cli.benchmark.rivals.searchers import History, Start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.tensorflow_setup import quiet_tensorflow
from ordbo_cli.problem import Number

with quiet_tensorflow():
    import gpflow
    import tensorflow as tf
    import tensorflow_probability as tfp

Tensor = Any  # TensorFlow ships no types

_CANDIDATES: Final = 512  # a power of 2, as Sobol sequences want
_CLIMBS: Final = 5  # candidates that L-BFGS improves
_STEPS: Final = 60  # of L-BFGS, in the climb
_LOG_ROOT_2PI: Final = 0.5 * math.log(2 * math.pi)


class _Fitting(NamedTuple):
    """How hyper-parameters are fitted: lengthscale, variance and noise, in this order.

    Args:
        transforms: from the unconstrained numbers.
        start: where the fit begins, unconstrained [3].
        bounds: of each, unconstrained [3, 2].
        steps: the most that L-BFGS takes.
    """

    transforms: tuple[tfp.bijectors.Bijector, ...]
    start: Array
    bounds: Array
    steps: int


_STANDARDISED: Final = _Fitting(
    transforms=(tfp.bijectors.Exp(),) * 3,
    start=np.log((0.3, 1.0, 1e-3)),
    bounds=np.log(((0.01, 30.0), (0.01, 100.0), (1e-6, 1.0))),
    steps=60,
)
# What gpflow.models.GPR(data, Matern32()) and gpflow.optimizers.Scipy() do when nothing else is said.
_LEAST_NOISE: Final = 1e-6
_AS_GPFLOW_HAS_IT: Final = _Fitting(
    transforms=(*(gpflow.utilities.positive(),) * 2, gpflow.utilities.positive(lower=_LEAST_NOISE)),
    start=np.log(np.expm1((1.0, 1.0, 1.0 - _LEAST_NOISE))),
    bounds=np.array(((-np.inf, np.inf),) * 3),
    steps=15_000,
)


class Vanilla(History):
    """Bayesian optimisation as the textbooks have it, a lengthscale for each parameter.

    Levels without an order are one-hot. The acquisition climbs in the whole cube, then its best points are compared
    where they are rounded to levels and grids.
    """

    one_hot = True
    _isotropic = False
    _raw = False

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._theta: Array | None = None

    def ask(self) -> tuple[Number, ...]:
        """Return the point of the largest expected improvement over the lowest posterior mean at the data."""
        model = _model(self.box.dimension, self._isotropic, self._raw)
        y = self.y
        model.set_data(self.X, y if self._raw else _standardised(y))
        self._theta = model.fit(self._theta)
        rng = self.start.rng(len(y))
        around = self.best + 0.02 * rng.normal(size=(_CANDIDATES // 8, self.box.dimension))
        everywhere = qmc.Sobol(self.box.dimension, seed=rng).random(_CANDIDATES)
        try:
            point = model.best(np.vstack([everywhere, np.clip(around, 0.0, 1.0)]), self.box.rounded)
        except tf.errors.InvalidArgumentError:  # the covariance has no Cholesky factor
            point = everywhere[0]
        return self.box.values(point)


class VanillaIsotropic(Vanilla):
    """The same with one lengthscale for all parameters: less to learn, and no parameter can be found irrelevant."""

    _isotropic = True


class VanillaRaw(Vanilla):
    """The same on the results as they are, fitted as gpflow fits when nothing else is said.

    The mean is zero, though the results may all be near a million; lengthscale, variance and noise start at 1 with
    softplus transforms, no bound but gpflow's on the noise (1e-6), and as many steps of L-BFGS as SciPy allows. So its
    search depends on the unit of the results. Where rounding leaves the covariance indefinite, the fit ends with the
    best values so far; where nothing can be predicted with them either, a point at random is evaluated.
    """

    _raw = True


class VanillaRawIsotropic(VanillaRaw):
    """The same with one lengthscale for all parameters, which is gpflow's own default."""

    _isotropic = True


def _standardised(y: Array) -> Array:
    sd = float(np.std(y))
    return (y - np.mean(y)) / (sd if sd > 0 else 1.0)


@cache
def _model(dimension: int, isotropic: bool = False, raw: bool = False) -> _Model:
    return _Model(dimension, 1 if isotropic else dimension, _AS_GPFLOW_HAS_IT if raw else _STANDARDISED)


class _Model:
    """A GPR for D parameters and any number of results, compiled once.

    Args:
        dimension: D.
        lengths: L.
        fitting: how its hyper-parameters are fitted.
    """

    def __init__(self, dimension: int, lengths: int, fitting: _Fitting) -> None:
        self._lengths, self._steps = lengths, fitting.steps
        self._X = tf.Variable(np.zeros([1, dimension]), trainable=False, shape=[None, dimension])
        self._y = tf.Variable(np.zeros([1, 1]), trainable=False, shape=[None, 1])
        kernel = gpflow.kernels.Matern32()
        length, variance, noise = fitting.transforms
        kernel.lengthscales = gpflow.Parameter(np.ones(lengths), transform=length)
        kernel.variance = gpflow.Parameter(1.0, transform=variance)
        self._gpr = gpflow.models.GPR((self._X, self._y), kernel)
        self._gpr.likelihood.variance = gpflow.Parameter(1.0, transform=noise)
        parameters = (kernel.lengthscales, kernel.variance, self._gpr.likelihood.variance)
        self._variables = [parameter.unconstrained_variable for parameter in parameters]
        each = np.repeat((0, 1, 2), (lengths, 1, 1))
        self._start, self._bounds = fitting.start[each], fitting.bounds[each]
        self._loss = tf.function(self._loss_and_gradient, autograph=False, input_signature=())
        self._lowest_mean = tf.function(
            lambda: tf.reduce_min(self._gpr.predict_f(self._X)[0]), autograph=False, input_signature=()
        )
        self._log_ei = tf.function(
            self._log_ei_and_gradient,
            autograph=False,
            input_signature=(tf.TensorSpec([None, dimension], tf.float64), tf.TensorSpec([], tf.float64)),
        )

    def set_data(self, X: Array, y: Array) -> None:
        """Take points [N, D] and results [N], standardised or raw."""
        self._X.assign(X)
        self._y.assign(y[:, None])

    def fit(self, previous: Array | None) -> Array:
        """Maximise the likelihood from a fixed start and from the previous theta; set and return the best theta."""
        starts = [self._start] if previous is None else [self._start, previous]
        worst = -math.inf

        def loss(theta: Array) -> tuple[float, Array]:
            nonlocal worst
            self._set(theta)
            try:
                value, gradient = self._loss()
            except tf.errors.InvalidArgumentError:  # the covariance has no Cholesky factor
                return worst + abs(worst), np.zeros_like(theta)
            worst = max(worst, float(value))
            return float(value), gradient.numpy()

        options = {"maxiter": self._steps}
        ends = [
            minimize(loss, start, jac=True, method="L-BFGS-B", bounds=self._bounds, options=options) for start in starts
        ]
        theta: Array = min(ends, key=lambda end: float(end.fun)).x
        self._set(theta)
        return theta

    def best(self, candidates: Array, rounded: Callable[[Array], Array]) -> Array:
        """Return the point [D] of the largest expected improvement, found by climbing from the best candidates.

        Args:
            candidates: [C, D].
            rounded: maps points [P, D] to those that can be had.
        """
        incumbent = self._lowest_mean()
        value = self._log_ei(candidates, incumbent)[0].numpy()
        tops = candidates[np.argsort(-value, kind="stable")[:_CLIMBS]]

        def negative(flat: Array) -> tuple[float, Array]:
            value, gradient = self._log_ei(flat.reshape(tops.shape), incumbent)
            return -float(np.sum(value)), -gradient.numpy().ravel()

        bounds = [(0.0, 1.0)] * tops.size
        end = minimize(negative, tops.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS})
        points = rounded(np.vstack([end.x.reshape(tops.shape), tops]))
        return points[int(np.argmax(self._log_ei(points, incumbent)[0].numpy()))]

    def _set(self, theta: Array) -> None:
        lengths, variance, noise = self._variables
        lengths.assign(theta[: self._lengths])
        variance.assign(theta[-2])
        noise.assign(theta[-1])

    def _loss_and_gradient(self) -> tuple[Tensor, Tensor]:
        with tf.GradientTape() as tape:
            loss = -self._gpr.log_marginal_likelihood()
        gradients = tape.gradient(loss, self._variables)
        return loss, tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0)

    def _log_ei_and_gradient(self, C: Tensor, incumbent: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithm of the expected improvement [C] and its gradient [C, D]."""
        with tf.GradientTape() as tape:
            tape.watch(C)
            mean, variance = self._gpr.predict_f(C)
            sd = tf.sqrt(tf.maximum(variance[:, 0], 1e-18))
            value = tf.math.log(sd) + _log_h((incumbent - mean[:, 0]) / sd)
        return value, tape.gradient(value, C)


def _log_h(u: Tensor) -> Tensor:
    """Return ``log(phi(u) + u Phi(u))``: by the scaled complementary error function, and for u < -1e3 by its limit."""
    inside = tf.maximum(u, -1e3)
    root = math.sqrt(0.5)
    tail = tf.minimum(inside, 0.0)
    left = -0.5 * tail**2 - _LOG_ROOT_2PI + tf.math.log1p(tail * math.sqrt(math.pi / 2) * tfp.math.erfcx(-tail * root))
    head = tf.maximum(inside, 0.0)
    right = tf.math.log(tf.exp(-0.5 * head**2 - _LOG_ROOT_2PI) + head * 0.5 * tf.math.erfc(-head * root))
    far = -0.5 * u**2 - _LOG_ROOT_2PI - 2 * tf.math.log(tf.maximum(-u, 1.0))
    return tf.where(u < -1e3, far, tf.where(inside < 0, left, right))
