"""An amplifier of two transistors that has to be biased before it amplifies, simulated by ngspice."""

from __future__ import annotations

import math
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.problem import Parameter

_LEAST_AMPLITUDE: Final = 0.5  # V at the load, of 0.1 V at the input
_TIMEOUT: Final = 20.0  # s
_NETLIST: Final = """common emitter and emitter follower
VCC vcc 0 12
VIN in 0 sin(0 0.1 1k)
RS in s 600
C1 s b 10u
R1 vcc b {upper:.12g}
R2 b 0 {lower:.12g}
RC vcc c {collector:.12g}
RE e 0 {emitter:.12g}
Q1 c b e {transistor}
Q2 vcc c o bc547
RF o 0 {follower:.12g}
C2 o out 100u
RL out 0 1k
.model bc547 NPN(IS=7f BF=290 VAF=80 RB=10 CJE=12p CJC=4p TF=0.4n IKF=0.2 ISE=30f NE=2)
.model bc337 NPN(IS=40f BF=170 VAF=120 RB=2 CJE=40p CJC=15p TF=0.6n IKF=0.8 ISE=60f NE=2)
.model bf199 NPN(IS=0.4f BF=85 VAF=40 RB=30 CJE=2p CJC=0.5p TF=0.2n IKF=0.03 ISE=10f NE=2)
.options reltol=1e-5 method=gear
.control
set nfreqs=10
set polydegree=3
tran 5u 8m 4m 5u
fourier 1k v(out)
quit
.endc
.end
"""


def spice(netlist: str) -> str:
    """Return what ngspice prints of a netlist, "" where it does not come to an end.

    Each call has a folder of its own.
    """
    with tempfile.TemporaryDirectory(prefix="ordbo-") as folder:
        Path(folder, "circuit.cir").write_text(netlist, encoding="ascii")
        command = ["ngspice", "-n", "-b", "circuit.cir"]  # -n: no .spiceinit of the user's
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return ""
    return done.stdout + done.stderr


def amplifier_1c5f(p: Point) -> float:
    """Return the distortion of a sine of 1 kHz in percent; amplification of less than five, or no convergence, fails.

    Source: this project; the circuit is the textbooks' (P. Horowitz and W. Hill, "The Art of Electronics", chapter 2),
    the transistors' models have the typical figures of their data sheets.
    """
    printed = spice(_NETLIST.format(**p))
    distortion = re.search(r"THD: *(\S+) %", printed)
    first = re.search(r"^ *1 +1000 +(\S+)", printed, re.MULTILINE)
    if distortion is None or first is None or not float(first[1]) >= _LEAST_AMPLITUDE:
        return math.nan
    return float(distortion[1])


AMPLIFIER: Final = EngineeringProblem(
    "amplifier_1c5f",
    amplifier_1c5f,
    (
        Parameter.of_levels("transistor", ("bc547", "bc337", "bf199"), "categorical"),
        Parameter("upper", 1e4, 1e6, scale="log", unit="ohm"),
        Parameter("lower", 1e3, 1e6, scale="log", unit="ohm"),
        Parameter("collector", 200.0, 5e4, scale="log", unit="ohm"),
        Parameter("emitter", 10.0, 5e3, scale="log", unit="ohm"),
        Parameter("follower", 50.0, 2e4, scale="log", unit="ohm"),
    ),
    optimum=0.00337,
    minimiser={
        "transistor": "bc337",
        "upper": 387057.0,
        "lower": 960074.0,
        "collector": 1692.926,
        "emitter": 316.3,
        "follower": 512.494,
    },
    precision=1e-4,
    worst=130.0,  # about the highest value
    summary="transistor and resistors of an amplifier with the least distortion",
    unit="%",
    best_known_by="Differential evolution over the box, then evolution strategies from its best (3,600 points in all).",
    program="ngspice",
)
