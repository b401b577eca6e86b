"""Settings that all tests share."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run, and no verdict that hangs on how busy the machine is.
settings.register_profile("ordbo", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ordbo")

# A job that a script starts in the background ignores interrupts, and so would all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the golden files anew: look at every difference before you commit it."""
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files from what the commands say")
