"""Settings that all tests share."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

Tally = Callable[[str, int], None]

_TALLY = "tally"

# Folders of tests that 'make quick' leaves out; a module or a test elsewhere says so itself, by pytest.mark.slow.
_SLOW_FOLDERS = frozenset(Path(__file__).parent / name for name in ("bench", "faults", "golden", "integration"))
_SLOW_MODULE = re.compile(r"^pytestmark = .*\bslow\b", re.MULTILINE)

_HAS_GPFLOW = find_spec("gpflow") is not None
_OF_GPFLOW = {"test_elbo.py", "test_engines.py", "test_vanilla.py"}  # modules that import it at the top

# The same examples on every run, and no verdict that hangs on how busy the machine is.
settings.register_profile("ordbo", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ordbo")

# A job that a script starts in the background ignores interrupts, and so would all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def is_slow(path: Path) -> bool:
    """Return whether a folder or a module of tests is slow as a whole."""
    if path.suffix == ".py":
        return _SLOW_MODULE.search(path.read_text(encoding="utf-8")) is not None
    return path in _SLOW_FOLDERS


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are not asked for, do not even import them: TensorFlow alone takes seconds.

    Nor what imports the gpflow engine where it is not installed, of which the header tells.
    """
    if collection_path.name in _OF_GPFLOW and not _HAS_GPFLOW:
        return True
    return True if "not slow" in config.getoption("markexpr") and is_slow(collection_path) else None


def pytest_report_header() -> list[str]:
    """Say what is left out where an extra is missing."""
    return [] if _HAS_GPFLOW else [f"without ordbo[gpflow]: {', '.join(sorted(_OF_GPFLOW))} are left out"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in a slow folder, so that ``-m slow`` finds it; skip what needs an extra that is not there."""
    for item in items:
        if not _SLOW_FOLDERS.isdisjoint(item.path.parents):
            item.add_marker("slow")
        if not _HAS_GPFLOW and item.get_closest_marker("gpflow"):
            item.add_marker(pytest.mark.skip(reason="needs the extra ordbo[gpflow]"))


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """Count what a test tried: ``tally("kill points", 22)``; the sums stand at the end of the run."""

    def add(what: str, number: int) -> None:
        request.node.user_properties.append((_TALLY, {what: number}))

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sums of everything that was tried; with xdist they come with the reports."""
    sums: Counter[str] = Counter()
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, value in report.user_properties:
            if name == _TALLY:
                sums.update(value)
    if sums:
        terminalreporter.section("faults")
        for what, number in sorted(sums.items()):
            terminalreporter.write_line(f"{number:>8,} {what}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the golden files anew: look at every difference before you commit it."""
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files from what the commands say")
