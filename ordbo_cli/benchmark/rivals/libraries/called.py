"""Minimisers that call the function themselves and run to their end, asked and told like everybody else.

Such a minimiser runs in a process of its own, which waits in its call of the function for what is told here. So it can
be stopped in the middle whatever its library does, what it prints and leaves in its folder is nobody's, and libraries
with state of their own give the same points in every run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import weakref
from multiprocessing import Pipe
from typing import ClassVar, Final

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.called_process import Minimiser, Task
from ordbo_cli.benchmark.rivals.searchers import History, Start
from ordbo_cli.errors import OrdboError
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number

_SAME: Final = 1e-12  # shares this close are one point: more than rounding, less than any step of a minimiser
_KNOWN_AT_ONCE: Final = 200  # answers from memory in turn, before a minimiser that goes in circles is begun again
_KNOWN: Final = 1000  # calls that a minimiser may make beyond the evaluations left: points whose results are known
_RUNS: Final = 3  # that end without a new point, before a point at random takes the place of the next
_DRAWS: Final = 100  # for a random point that is not known
_SEEDS: Final = 10_000  # NOMAD draws as many numbers before it begins
_PATIENCE: Final = 10  # seconds that a process has to end by itself
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Called(History):
    """A minimiser that begins at the best initial point, and again at a random one where it ends before the run does.

    What it asks again is answered from memory and is no evaluation. Levels without an order are equal parts of an axis.

    Args:
        start: what the method begins with.
    """

    minimiser: ClassVar[Minimiser]
    knows_failures: ClassVar[bool] = False
    """Whether NaN is a failure to it; it is told the worst success so far otherwise."""

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._rng = start.rng()
        self._runs = 0
        self._open()

    def ask(self) -> tuple[Number, ...]:
        """Return the next point whose result is not known.

        Raises:
            Exception: whatever the minimiser raised.
            OrdboError: its process died.
        """
        if not self._runs:
            self._begin(self.X[np.argsort(self.y, kind="stable")])
        for _ in range(_RUNS):
            for _ in range(_KNOWN_AT_ONCE):
                x = self._process.point()
                if x is None:
                    break
                values = self.box.values(x)
                known = self._place(values)
                if known is None:
                    return values
                self._process.answer(self._result(known))
            else:
                self._close()
                self._open()
            self._begin(self._anywhere()[None])
        return self.box.values(self._anywhere())

    def _open(self) -> None:
        self._process = _Process(self.minimiser)
        self._close = weakref.finalize(self, self._process.close)

    def _begin(self, points: Array) -> None:
        """Let the minimiser begin at the first of some points [P, D]."""
        left = max(1, self.start.total - len(self.points))
        seed = int(self.start.rng(self._runs).integers(_SEEDS))
        self._process.begin(Task(points, left + _KNOWN, seed, self.start.problem.noise, self.box.parts))
        self._runs += 1

    def _anywhere(self) -> Array:
        """Return a point [D] at random, one that is not known if that can be."""
        draws = self._rng.random((_DRAWS, self.box.dimension))
        return next((x for x in draws if self._place(self.box.values(x)) is None), draws[0])

    def _place(self, values: tuple[Number, ...]) -> int | None:
        """Return where a point stands among those that were told, None where it does not."""
        distances = np.abs(self.X - self.box.shares(values)).max(axis=1)
        (found,) = np.nonzero(distances <= _SAME)
        return int(found[-1]) if len(found) else None

    def _result(self, place: int) -> float:
        if self.knows_failures and self.failed[place]:
            return np.nan
        return float(self.y[place])


class _Process:
    """A process in which a minimiser waits for the values of its points."""

    def __init__(self, minimiser: Minimiser) -> None:
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the process
        self._connection, its = Pipe()
        with its:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "ordbo_cli.benchmark.rivals.libraries.called_process", str(its.fileno())],
                pass_fds=[its.fileno()],
                stdin=subprocess.PIPE,  # it ends with this
                stdout=subprocess.DEVNULL,
                stderr=self._noise,
                env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            )
        self._point: Array | None = None
        self._connection.send(minimiser)
        self._heard()  # that its library is imported: no step is slow for that

    def begin(self, task: Task) -> None:
        """Let it run."""
        self._connection.send(task)

    def point(self) -> Array | None:
        """Return the point [D] whose value it waits for, None where it has ended.

        Raises:
            Exception: whatever it raised.
            OrdboError: the process died.
        """
        if self._point is None:
            self._point = self._heard()
        return self._point

    def answer(self, value: float) -> None:
        """Tell the value of the point that it waits for."""
        self._connection.send(value)
        self._point = None

    def close(self) -> None:
        """End the process; it removes its folder."""
        try:
            self._child.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._connection.close()
        self._noise.close()

    def _heard(self) -> Array | None:
        try:
            said = self._connection.recv()
        except (EOFError, OSError):
            status = self._child.wait()
            self._noise.seek(0)
            last = self._noise.read().decode(errors="replace").splitlines()[-1:]
            raise OrdboError(f"a minimiser's process died with status {status}", *last) from None
        if isinstance(said, BaseException):
            raise said
        return said
