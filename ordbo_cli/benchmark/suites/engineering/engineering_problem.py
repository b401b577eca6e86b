"""A test problem that is a simulator, and what has to be installed for it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.util import find_spec

from ordbo_cli.benchmark.suites.benchmark_problem import MixedProblem
from ordbo_cli.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class EngineeringProblem(MixedProblem):
    """A simulator whose result is to be minimised, with the best value that anybody has found.

    What is good when it is large (an efficiency, a lift) has a negative sign, or is stated as a loss; the summary says
    so. Parameters carry their units. A simulation that breaks down, or a design that may not be built, is a failure.

    Args:
        optimum: the lowest value known.
        precision: what the simulator resolves: regret below it counts as this, other versions of a package included.
        summary: what is designed and what it is judged by, in a line.
        unit: of the result; "" for a ratio.
        best_known_by: how the best value was found, a sentence.
        needs: Python modules that it imports, all of the extra ``ordbo[engineering]``.
        program: an executable that it calls; "" for none.
    """

    summary: str
    unit: str
    best_known_by: str
    needs: tuple[str, ...] = ()
    program: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """Modules and the program that it needs and that are not installed."""
        modules = tuple(module for module in self.needs if find_spec(module) is None)
        return (*modules, self.program) if self.program and shutil.which(self.program) is None else modules

    @property
    def install(self) -> str:
        """What to install: the command of the extra, and the program."""
        steps = ["pip install 'ordbo[engineering]'"] if set(self.missing) & set(self.needs) else []
        return " and ".join([*steps, *([f"{self.program} of your system"] if self.program in self.missing else [])])

    def check(self) -> None:
        """Say at once that something is missing, not in the middle of a run.

        Raises:
            UsageError: it is.
        """
        if self.missing:
            raise UsageError(f"the problem {self.name} needs {' and '.join(self.missing)}", f"Install: {self.install}")
