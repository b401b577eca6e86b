"""Takes one step, as ``ordbo suggest`` does, with a clock at the boundaries of its parts.

Usage: ``python -m tests.bench.timed_step FIGURES PROBLEM [OPTIONS]``: what stands behind FIGURES goes to ``ordbo
suggest``. Into that file goes a JSON object: the seconds and calls of each part, the evaluations of the fit's
objective, the processor time in seconds and the peak memory in bytes. What the step needs is imported first, so that no
part pays for imports.
"""

from __future__ import annotations

import functools
import json
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

# The functions of each part, as module:name; a part's time is its own, without that of parts inside it.
PARTS: Final = {
    "read": ("ordbo_cli.study.study:load_problem", "ordbo_cli.study.reading.study_files:read_files"),
    "fit": ("ordbo_cli.search.surrogate:fit_model",),
    "acquire": ("ordbo_cli.search.step:propose",),
    "write": ("ordbo_cli.study.asking.suggest:append_rows", "ordbo_cli.study.asking.suggest:save_state"),
}
COUNTED: Final = "ordbo_cli.ordinal.engine:NumpyEngine.objective"
IMPORTED: Final = (
    "ordbo_cli.cli.app",
    "ordbo_cli.cli.commands.suggest",
    "ordbo_cli.search.step",
    "ordbo_cli.study.asking.suggest",
)


class Clock:
    """What each part took, and how often it was called."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.calls = dict.fromkeys(PARTS, 0)
        self.evaluations = 0
        self._inside = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that adds its time to a part."""

        @functools.wraps(function)
        def wrapper(*arguments: Any, **options: Any) -> Any:
            self._inside.append(0.0)
            start = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                took = time.perf_counter() - start
                self.seconds[part] += took - self._inside.pop()
                self._inside[-1] += took
                self.calls[part] += 1

        return wrapper

    def counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts its calls."""

        @functools.wraps(function)
        def wrapper(*arguments: Any, **options: Any) -> Any:
            self.evaluations += 1
            return function(*arguments, **options)

        return wrapper


def replace(place: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put a wrapper around a function.

    Args:
        place: ``module:name``, or ``module:class.name``.

    Raises:
        AttributeError: there is no such function any more.
    """
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, import_module(module))
    setattr(owner, name, wrap(getattr(owner, name)))


def peak_memory() -> int:
    """Return the most bytes that this process had in memory.

    Linux counts what the parent had before this program was loaded into ``ru_maxrss``, and not into VmHWM.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> int:
    """Measure, and return the exit status of ``ordbo suggest``."""
    figures, *arguments = sys.argv[1:]
    start = time.perf_counter()
    cli = import_module("ordbo_cli.cli")
    for name in IMPORTED:
        import_module(name)
    imports = time.perf_counter() - start
    clock = Clock()
    for part, places in PARTS.items():
        for place in places:
            replace(place, functools.partial(clock.timed, part))
    replace(COUNTED, clock.counted)
    status = cli.main(["suggest", *arguments])
    found = {
        "seconds": {"import": imports, **clock.seconds},
        "calls": clock.calls,
        "evaluations": clock.evaluations,
        "cpu": time.process_time(),
        "memory": peak_memory(),
    }
    Path(figures).write_text(json.dumps(found), encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
