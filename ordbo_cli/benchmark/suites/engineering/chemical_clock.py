"""Rate constants of an oscillating reaction from a record of its bromide: a stiff model, many wrong valleys."""

from __future__ import annotations

import math
import warnings
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter

_BROMATE, _ORGANIC = 0.06, 0.02  # mol/L
_START: Final = (1e-7, 1e-5, 1e-4)  # mol/L of bromous acid, bromide and the oxidised catalyst
_SAMPLES: Final = np.linspace(0.0, 240.0, 61)  # s
_MILLIVOLTS: Final = 25.7  # of the electrode for a factor e
_SLOW: Final = 1.28  # L/(mol s), the constant of bromate and bromide, which is taken for known
_MOST_CALLS: Final = 2500  # of the right-hand side; the best needs half of them

TRUTH: Final = {"k2": 2.4e6, "k3": 33.6, "k4": 2.4e3, "kc": 1.0, "f": 1.4}


class _OutOfBudget(Exception):
    """The integration takes too long."""


def chemical_clock_5f(p: Point) -> float:
    """Return the misfit of the Oregonator to a record of its bromide in mV (root mean square), NaN out of budget.

    The record is the model's own with rate constants that are not the middle of the box, rounded to whole mV as a
    voltmeter shows them: 61 samples in 240 s, three oscillations. An oscillation too many or out of step is a
    valley of its own, beyond a bifurcation nothing oscillates, and where the rates are too stiff LSODA has used its
    calls up: a failure.

    Parameters: k2, k3, k4 in L/(mol s), kc in L/(mol s), f without a unit.

    Source: R. Field and R. Noyes, "Oscillations in chemical systems IV", J. Chem. Phys. 60 (1974); constants and
    concentrations near those of R. Field, "Oregonator", Scholarpedia 2 (2007).
    """
    try:
        misfit = _millivolts(p) - _record()
    except _OutOfBudget:
        return math.nan
    return float(np.sqrt(np.mean(misfit**2)))


@cache
def _record() -> Array:
    return np.round(_millivolts(TRUTH))


def _millivolts(p: Point) -> Array:
    """Return what the electrode shows at each sample ``[61]``, in mV beside 1e-5 mol/L.

    Raises:
        _OutOfBudget: the integration takes too long, or leaves the numbers.
    """
    from scipy.integrate import ODEintWarning, odeint

    rates = Rates(*(float(p[name]) for name in TRUTH))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ODEintWarning)
        try:
            states = odeint(
                _Counted(rates), _START, _SAMPLES, Dfun=rates.jacobian, tfirst=True, rtol=1e-6, atol=1e-14, mxstep=10**6
            )
        except ODEintWarning:
            raise _OutOfBudget from None
    bromide = states[:, 1]
    if not (bromide > 0).all():
        raise _OutOfBudget
    return _MILLIVOLTS * np.log(bromide / 1e-5)


class Rates(NamedTuple):
    """The Oregonator: concentrations of bromous acid x, bromide y and the oxidised catalyst z, in mol/L."""

    k2: float
    k3: float
    k4: float
    kc: float
    f: float

    def __call__(self, state: Array) -> tuple[float, float, float]:
        """Return the rates of all three in mol/(L s)."""
        x, y, z = state.tolist()
        slow, fast, growth = _SLOW * _BROMATE * y, self.k2 * x * y, self.k3 * _BROMATE * x
        oxidised = self.kc * _ORGANIC * z
        return (
            slow - fast + growth - 2 * self.k4 * x * x,
            -slow - fast + self.f / 2 * oxidised,
            2 * growth - oxidised,
        )

    def jacobian(self, _: float, state: Array) -> tuple[tuple[float, ...], ...]:
        """Return the derivatives of the rates by the concentrations."""
        x, y, _z = state.tolist()
        slow, growth, oxidised = _SLOW * _BROMATE, self.k3 * _BROMATE, self.kc * _ORGANIC
        return (
            (growth - self.k2 * y - 4 * self.k4 * x, slow - self.k2 * x, 0.0),
            (-self.k2 * y, -slow - self.k2 * x, self.f / 2 * oxidised),
            (2 * growth, 0.0, -oxidised),
        )


class _Counted:
    """The rates, a limited number of times."""

    def __init__(self, rates: Rates) -> None:
        self._rates, self._left = rates, _MOST_CALLS

    def __call__(self, _: float, state: Array) -> tuple[float, float, float]:
        self._left -= 1
        if self._left < 0:
            raise _OutOfBudget
        return self._rates(state)


CHEMICAL_CLOCK: Final = EngineeringProblem(
    name="chemical_clock_5f",
    function=chemical_clock_5f,
    summary="rate constants of an oscillating reaction from a record of its bromide",
    unit="mV",
    parameters=(
        Parameter("k2", 1e5, 1e8, scale="log", unit="L/(mol s)"),
        Parameter("k3", 5.0, 500.0, scale="log", unit="L/(mol s)"),
        Parameter("k4", 1e2, 1e5, scale="log", unit="L/(mol s)"),
        Parameter("kc", 0.1, 10.0, scale="log", unit="L/(mol s)"),
        Parameter("f", 0.3, 3.0, unit="mol/mol"),
    ),
    optimum=0.278047,
    minimiser={"k2": 2327451.5, "k3": 32.80442, "k4": 2288.906, "kc": 1.003098, "f": 1.405413},
    best_known_by="CMA-ES from the constants that made the record, which have 0.2976: 6,600 evaluations.",
    precision=0.01,
    worst=350.0,  # about the highest value
    tune=True,
)
