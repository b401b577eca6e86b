"""A steel ball held under a magnet by a sampled controller, which drops it or loses it to the magnet if badly set.

======  =====================================================
symbol  meaning
======  =====================================================
``h``   gap between magnet and ball, m
``v``   its speed, m/s, downwards
``i``   current of the coil, A
``u``   voltage at the coil, V, constant between two samples
======  =====================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.problem import Parameter

_MASS: Final = 0.05  # kg
_PULL: Final = 1e-4  # N m/A2
_INDUCTANCE: Final = 0.01  # H
_RESISTANCE: Final = 1.0  # ohm
_GRAVITY: Final = 9.81  # m/s2
_AT_FIRST: Final = 0.010  # m
_WANTED: Final = 0.007  # m, from the start
_NEAREST, _FARTHEST = 0.001, 0.020  # m
_MOST_VOLTAGE: Final = 20.0  # V; the amplifier gives no negative one
_RESOLUTION: Final = 0.020 / 1024  # m, of the sensor
_TIME: Final = 1.0  # s
_KNOCK: Final = (0.5, 0.15)  # s and N: from then on the ball is pulled down by a weight
_SUBSTEP: Final = 2e-4  # s, the longest of the integration

State = tuple[float, float, float]


@dataclass
class Controller:
    """A PID controller with a filtered derivative, clamped integral and saturated output.

    Args:
        gain: V/m.
        reset, lead: times of integral and derivative, s.
        smoothing: time constant of the derivative's filter, s.
        sample: time between two samples, s.
        integral, slope, before: its memory: V, m/s, m.
    """

    gain: float
    reset: float
    lead: float
    smoothing: float
    sample: float
    integral: float
    slope: float = 0.0
    before: float = _AT_FIRST

    def voltage(self, h: float) -> float:
        """Return the voltage after a sample of the gap."""
        seen = round(h / _RESOLUTION) * _RESOLUTION
        self.slope += self.sample / (self.smoothing + self.sample) * ((seen - self.before) / self.sample - self.slope)
        self.before = seen
        error = seen - _WANTED
        asked = self.gain * (error + self.lead * self.slope) + self.integral
        given = min(max(asked, 0.0), _MOST_VOLTAGE)
        if given == asked:  # the integral rests while the output is saturated
            self.integral += self.gain * error * self.sample / self.reset
        return given


def _rates(state: State, u: float, weight: float) -> State:
    h, v, i = state
    return v, _GRAVITY + (weight - _PULL * i * i / h) / _MASS, (u - _RESISTANCE * i) / _INDUCTANCE


def _moved(state: State, rates: State, step: float) -> State:
    return state[0] + step * rates[0], state[1] + step * rates[1], state[2] + step * rates[2]


def _after(state: State, u: float, weight: float, step: float) -> State:
    """Return the state after one step of the classical method of Runge and Kutta."""
    a = _rates(state, u, weight)
    b = _rates(_moved(state, a, step / 2), u, weight)
    c = _rates(_moved(state, b, step / 2), u, weight)
    d = _rates(_moved(state, c, step), u, weight)
    mean = ((a[k] + 2 * (b[k] + c[k]) + d[k]) / 6 for k in range(3))
    return _moved(state, (next(mean), next(mean), next(mean)), step)


def levitation_1o4f(p: Point) -> float:
    """Return the integral of the ball's distance from where it should be, in mm s; dropped or caught, it fails.

    The ball moves from 10 to 7 mm below the magnet, and is pulled down half a second later. The voltage comes
    one sample late.

    Source: plant and figures of W. Messner and D. Tilbury, "Control Tutorials for MATLAB and Simulink", the
    magnetically suspended ball; sensor, amplifier and task are this project's.
    """
    sample = p["sample"] / 1000
    current = math.sqrt(_MASS * _GRAVITY * _AT_FIRST / _PULL)
    controller = Controller(p["gain"], p["reset"], p["lead"], p["smoothing"], sample, current * _RESISTANCE)
    state, u, lost = (_AT_FIRST, 0.0, current), current * _RESISTANCE, 0.0
    substeps = max(1, round(sample / _SUBSTEP))
    for k in range(round(_TIME / sample)):
        following = controller.voltage(state[0])
        weight = _KNOCK[1] if k * sample >= _KNOCK[0] else 0.0
        for _ in range(substeps):
            state = _after(state, u, weight, sample / substeps)
            if not _NEAREST < state[0] < _FARTHEST:
                return math.nan
            lost += abs(state[0] - _WANTED) * sample / substeps
        u = following
    return 1000 * lost


LEVITATION: Final = EngineeringProblem(
    "levitation_1o4f",
    levitation_1o4f,
    (
        Parameter.of_levels("sample", (0.2, 0.5, 1.0, 2.0, 5.0), unit="ms"),
        Parameter("gain", 300.0, 3e4, scale="log", unit="V/m"),
        Parameter("reset", 0.003, 10.0, scale="log", unit="s"),
        Parameter("lead", 0.01, 0.3, scale="log", unit="s"),
        Parameter("smoothing", 1e-5, 0.01, scale="log", unit="s"),
    ),
    optimum=0.08622122882132578,
    minimiser={
        "sample": 0.2,
        "gain": 9142.657755541053,
        "reset": 0.04605368548927451,
        "lead": 0.031854518611346916,
        "smoothing": 5.4751379657628975e-05,
    },
    precision=1e-3,
    worst=4.0,  # about the highest value
    summary="PID gains that move and hold a levitated ball",
    unit="mm s",
    best_known_by="Two runs of differential evolution, polished (6,800 points each): 0.08622 and 0.08626 mm s.",
)
