#!/usr/bin/env python3
"""Run one netlist through ngspice and print how far its sine wave is from the one wanted, in percent.

    measure.py case.cir
    measure.py --start-up case.cir

The number is the distance of the frequency from 50 Hz (as a ratio, so that ten times too slow and ten times too fast
are equally bad) plus the total harmonic distortion. A circuit that does not start, does not settle or does not converge
gives no number: the reason goes to stderr, and the exit status is 1. Only Python's standard library is used.

With --start-up it prints, each on a line, the power in W, the time in s after which the amplitude is at nine tenths of
its last one, the frequency in Hz, and the distortion in percent.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

WANTED = 50.0  # Hz
SMALLEST = 0.2  # V peak to peak, below which nothing has started
UNSETTLED = 0.05  # relative change of the amplitude over the last periods that is too much
TIMEOUT = 20.0  # s


class NoOscillationError(Exception):
    """The circuit gives no steady oscillation to measure."""


def simulate(netlist: str) -> str:
    """Return what ngspice prints for a netlist.

    Raises:
        NoOscillationError: ngspice took too long.
    """
    command = ["ngspice", "-b", netlist]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as error:
        raise NoOscillationError(f"no result after {TIMEOUT:g} s") from error
    return done.stdout + done.stderr


def measured(output: str, name: str, pattern: str) -> float:
    """Return the number that ngspice measured under a name.

    Raises:
        NoOscillationError: there is none.
    """
    found = re.search(pattern + r"\s*([-+]?\d[-+.\de]*)", output, re.MULTILINE)
    if found is None:
        raise NoOscillationError(f"ngspice could not measure {name}")
    return float(found.group(1))


def amplitude(output: str) -> float:
    """Return the steady amplitude, in V peak to peak.

    Raises:
        NoOscillationError: the run did not converge, or the oscillation did not start or did not settle.
    """
    if "simulation(s) aborted" in output:
        raise NoOscillationError("ngspice did not converge")
    before, after = (measured(output, name, rf"^{name}\s*=") for name in ("before", "after"))
    if after < SMALLEST:
        raise NoOscillationError(f"did not start: {after:.2g} V peak to peak after 60 periods")
    if abs(after - before) > UNSETTLED * after:
        raise NoOscillationError(f"did not settle: amplitude went from {before:.3g} to {after:.3g} V")
    return after


def waveform(output: str) -> tuple[float, float]:
    """Return the frequency in Hz and the harmonic distortion in percent.

    Raises:
        NoOscillationError: there is none to measure.
    """
    return 5 / measured(output, "five periods", r"^five\s*="), measured(output, "the distortion", r"THD:")


def waveform_error(output: str) -> tuple[str, str]:
    """Return the error in percent, and in words what it is made of.

    Raises:
        NoOscillationError: there is no steady oscillation.
    """
    height = amplitude(output)
    frequency, distortion = waveform(output)
    detuned = 100 * (max(frequency / WANTED, WANTED / frequency) - 1)
    words = f"{frequency:.5g} Hz, {height:.3g} V peak to peak, distortion {distortion:.3g} %"
    return f"{detuned + distortion:.6g}", words


def start_up(output: str) -> tuple[str, str]:
    """Return lines of power, time of start-up, frequency and distortion, and in words how high the sine wave is.

    Raises:
        NoOscillationError: there is no steady oscillation.
    """
    height = amplitude(output)
    frequency, distortion = waveform(output)
    power, time = measured(output, "the power", r"^power\s*="), measured(output, "the start", r"^start\s*=")
    lines = {"power": power, "startup": time, "frequency": frequency, "distortion": distortion}
    return "\n".join(f"{name} = {value:.6g}" for name, value in lines.items()), f"{height:.3g} V peak to peak"


def main() -> int:
    """Simulate the netlist named on the command line, print its results, return the exit status."""
    *options, netlist = sys.argv[1:] or [""]
    if options not in ([], ["--start-up"]) or not Path(netlist).is_file():
        print("usage: measure.py [--start-up] NETLIST", file=sys.stderr)
        return 2
    try:
        results, words = (start_up if options else waveform_error)(simulate(netlist))
    except NoOscillationError as reason:
        print(f"measure.py: {reason}", file=sys.stderr)
        return 1
    except FileNotFoundError:
        print("measure.py: ngspice is not installed (Debian: apt-get install ngspice)", file=sys.stderr)
        return 2
    print(f"measure.py: {words}", file=sys.stderr)
    print(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
