"""The settings of the method, and the three presets.

A problem file chooses a preset and may change single settings. What each means stands in docs/reference/settings.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, get_args

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.brief import Brief

Acquisition = Literal["lcb", "thompson", "ei"]
PartitionKind = Literal["tree", "exhaustive"]
Placement = Literal["random", "midpoint", "interpolate"]
Kernel = Literal["matern12", "matern32", "matern52", "rbf"]
Posterior = Literal["diagonal", "full"]
Centre = Literal["distances", "equal", "inherited"]
OptimizerKind = Literal["lbfgs", "adam"]
Start = Literal["scores", "distances", "ranks", "flat"]
EngineKind = Literal["numpy", "gpflow"]

ADAM_RATE: Final = 0.05  # the paper names Adam, but neither its rate nor its steps nor where it starts

# Beyond these a step would take hours, or more memory than there is.
MOST_INITIAL: Final = 1_000
MOST_SAMPLES: Final = 100_000
MOST_ITERATIONS: Final = 1_000_000
MOST_COMPARISONS: Final = 500  # that the model sees, with two points each
FEWEST_TO_TEST: Final = 3  # results of a study, below which no campaign is tested


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ProblemError(f"{name} is {value!r}", f"It has to be one of {', '.join(known)}")


def _between(name: str, value: float, low: float, high: float, *, open_low: bool = False) -> None:
    inside = (low < value if open_low else low <= value) and value <= high and math.isfinite(value)
    if not inside:
        below = "" if math.isinf(high) else f" and at most {high:g}"
        raise ProblemError(f"{name} is {value!r}", f"It has to be {'above' if open_low else 'at least'} {low:g}{below}")


@dataclass(frozen=True)
class GapPrior:
    """Log-normal prior of the input gaps: ``log delta_k ~ N(log(T c_k) + shift, spread^2)``.

    Args:
        centre: the fractions c: proportional to the original distances, equal, inherited from the order of arrival,
            or a weight in [0, 1] of ``distances`` against ``equal``.
        length: T, the latent length of an axis; None for ``5 sqrt(2 / D)``.
        spread: tau, the standard deviation of a log gap.
        shift: h, the standard deviation of the shift that all gaps of one dimension share.
    """

    centre: Centre | float = "distances"
    length: float | None = None
    spread: float = 0.7
    shift: float = 0.7

    def __post_init__(self) -> None:
        if isinstance(self.centre, str):
            _one_of("prior centre", self.centre, get_args(Centre))
        else:
            _between("prior centre", self.centre, 0, 1)
        if self.length is not None:
            _between("prior length", self.length, 0, math.inf, open_low=True)
        _between("prior spread", self.spread, 0, math.inf, open_low=True)
        _between("prior shift", self.shift, 0, math.inf)

    def latent_length(self, dimension: int) -> float:
        """Return T for a problem of D free parameters."""
        return 5.0 * math.sqrt(2.0 / dimension) if self.length is None else self.length


@dataclass(frozen=True)
class BetaSchedule:
    """The schedule of Lemma 1 of the paper for beta, which grows with the number of evaluations.

    Args:
        delta: probability with which the lemma's bound may fail.
        c1, c2: constants of the smoothness assumption on the unit box; None for those of the kernel and the fit.
        scale: factor of ``beta_n``, of which the root multiplies the standard deviation; 1 is the lemma's.
    """

    delta: float = 0.1
    c1: float | None = None
    c2: float | None = None
    scale: float = 1.0

    def __post_init__(self) -> None:
        _between("beta delta", self.delta, 0, 1, open_low=True)
        if self.c1 is not None:
            _between("beta c1", self.c1, 1, math.inf)
        if self.c2 is not None:
            _between("beta c2", self.c2, 0, math.inf, open_low=True)
        _between("beta scale", self.scale, 0, math.inf, open_low=True)


@dataclass(frozen=True, repr=False)
class Method(Brief):
    """Every setting of the model and of the search.

    Args:
        preset: the name that the settings started from.
        acquisition: how a cell is valued.
        partition: which cells there are.
        placement: where in the chosen cell the point goes.
        margin: fraction of a cell that ``interpolate`` keeps away from its edges.
        beta: multiplier of the standard deviation in the lower confidence bound, or a schedule of it.
        kernel: prior covariance of the latent function.
        posterior: form of the variational covariance.
        prior: prior of the input and output gaps; None for free gaps.
        initial: rows of the initial design; None for 5, or D + 2 from four parameters on.
        corners: whether the two extreme corners belong to the initial design.
        samples: posterior samples of Thompson sampling.
        explore_every: every k-th step after the initial design explores the largest cell, under constraints the largest
            hole of the feasible set; 0 for never.
        refine: whether a step may follow a quadratic that has the order of the best points, where they speak for one.
        avoid_failures: whether places that are likely to fail cost something (no acquisition by samples knows of it).
        drift: C in the bound ``C D / n`` on the movement of latent points; None for no bound.
        optimizer, iterations: how the model is fitted, and the most steps that this may take.
        rate: step length of Adam, in units of the unconstrained parameters.
        start: where a fit starts that knows none before. ``scores`` has the results at the normal scores of their ranks
            and the gaps of an axis alike, ``distances`` the gaps as in the original space, ``ranks`` all gaps 1,
            ``flat`` the posterior at the prior: means 0, variances 1. With a prior the input gaps start at its centre.
        warm: whether a fit starts from the one before, or anew each time.
        engine: the implementation of the model.
    """

    preset: str = "default"
    acquisition: Acquisition = "lcb"
    partition: PartitionKind = "tree"
    placement: Placement = "interpolate"
    margin: float = 0.05
    beta: float | BetaSchedule = 2.0
    kernel: Kernel = "matern32"
    posterior: Posterior = "diagonal"
    prior: GapPrior | None = GapPrior()
    initial: int | None = None
    corners: bool = True
    samples: int = 100
    explore_every: int = 0
    refine: bool = True
    avoid_failures: bool = True
    drift: float | None = None
    optimizer: OptimizerKind = "lbfgs"
    iterations: int = 200
    rate: float = ADAM_RATE
    start: Start = "scores"
    warm: bool = True
    engine: EngineKind = "numpy"

    def __post_init__(self) -> None:
        _one_of("acquisition", self.acquisition, get_args(Acquisition))
        _one_of("partition", self.partition, get_args(PartitionKind))
        _one_of("placement", self.placement, get_args(Placement))
        _one_of("kernel", self.kernel, get_args(Kernel))
        _one_of("posterior", self.posterior, get_args(Posterior))
        _one_of("optimizer", self.optimizer, get_args(OptimizerKind))
        _one_of("start", self.start, get_args(Start))
        _one_of("engine", self.engine, get_args(EngineKind))
        _between("margin", self.margin, 0, 0.5)
        if not isinstance(self.beta, BetaSchedule):
            _between("beta", self.beta, 0, math.inf)
        elif self.kernel == "matern12":
            hint = "Take another kernel, or a number for beta"
            raise ProblemError("beta is theory, which needs slopes that functions of kernel matern12 do not have", hint)
        if self.initial is not None:
            _between("initial", self.initial, 2 if self.corners else 1, MOST_INITIAL)
        _between("samples", self.samples, 1, MOST_SAMPLES)
        _between("explore_every", self.explore_every, 0, math.inf)
        if self.drift is not None:
            _between("drift", self.drift, 0, math.inf, open_low=True)
            if not self.warm:
                raise ProblemError("drift bounds the movement since the fit before", "Leave out warm: false, or drift")
        _between("iterations", self.iterations, 1, MOST_ITERATIONS)
        _between("rate", self.rate, 0, 1, open_low=True)

    @property
    def is_metric_free(self) -> bool:
        """Whether the choice of the cell uses nothing of the inputs but order and arrival."""
        if self.prior is None:
            return self.start != "distances"
        return self.prior.centre in ("equal", "inherited", 0.0)

    def initial_rows(self, dimension: int) -> int:
        """Return the number of rows of the initial design for D free parameters."""
        if self.initial is not None:
            return self.initial
        return 5 if dimension <= 3 else dimension + 2


PRESETS: Final = {
    "default": Method(),
    "metric-free": Method(
        preset="metric-free",
        margin=0.2,
        beta=1.75,
        prior=GapPrior(centre="inherited"),
        refine=False,
        avoid_failures=False,
    ),
    "paper": Method(
        preset="paper",
        placement="random",
        beta=3.0,
        prior=None,
        refine=False,
        avoid_failures=False,
        optimizer="adam",
        iterations=20,
    ),
}
