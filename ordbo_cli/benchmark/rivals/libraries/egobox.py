"""Efficient global optimisation of egobox, plain and with TREGO's trust region (extra ``ordbo[peers]``)."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Whole
from ordbo_cli.benchmark.rivals.searchers import History, Start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.tensorflow_setup import silent_stderr
from ordbo_cli.problem import Number

os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read once, when egobox first computes
import egobox  # after its number of threads

_PATIENCE: Final = 20  # iterations that evaluate nothing, because they chose a point that is known


class Egobox(History):
    """Its ``suggest``, with the whole numbers and levels that it knows; each call has a seed of its own.

    Where egobox gives up, a point at random takes the place of its own: of one result, or of results whose squares
    overflow, it says so by a panic, which is no ``Exception``, and in words on the descriptor of standard error.
    """

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._space = NativeSpace(start.problem)
        self._specs = [_spec(kind) for kind in self._space.kinds.values()]

    def ask(self) -> tuple[Number, ...]:
        """Return the next point."""
        try:
            with silent_stderr():
                return self._suggested()
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
        return self.at_random()

    def _suggested(self) -> tuple[Number, ...]:
        X = np.array([[float(x) for x in self._space.inside(point).values()] for point in self.points])
        optimiser = egobox.Egor(self._specs, seed=self.step_seed)
        x = optimiser.suggest(X, self.y[:, None])[0].tolist()
        return self._space.point(dict(zip(self._space.kinds, x, strict=True)))


def _spec(kind: Kind) -> Any:
    """Return what egobox calls a parameter."""
    if isinstance(kind, Choices):
        return egobox.XSpec(egobox.XType.ENUM, [kind.number])
    if isinstance(kind, Whole):
        return egobox.XSpec(egobox.XType.INT, [kind.low, kind.high])
    return egobox.XSpec(egobox.XType.FLOAT, [0.0, 1.0])


class EgoboxTrego(Egobox):
    """Its ``minimize`` with TREGO: ``suggest`` takes the setting, and never leaves TREGO's global step.

    Levels without an order are one-hot shares, as the trust region fails on egobox's own. Where the region holds known
    points alone, as it may between levels, ``suggest`` chooses, and TREGO begins anew from all that is known.
    """

    one_hot = True

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._run: _Iterations | None = None

    def _suggested(self) -> tuple[Number, ...]:
        run, self._run = self._run, None
        if run is None:
            run = _Iterations(self.X, self.y, self.start.seed)
        else:
            run.tell(float(self.y[-1]))
        x = run.ask()
        point = None if x is None else self.box.values(x)
        if point is None or point in self.points:
            return super()._suggested()
        self._run = run
        return point


class _Iterations:
    """A run of ``minimize``, one iteration at a time, each going on from the files that the last one left.

    An iteration is done twice: to hear where it evaluates, and again when the result is known.

    Args:
        X: initial points, in the unit cube [N, D].
        y: their results [N].
        seed: of the run.
    """

    def __init__(self, X: Array, y: Array, seed: int) -> None:
        bounds = [[0.0, 1.0]] * X.shape[1]
        self._optimiser = egobox.Egor(bounds, trego=True, x_doe=X, y_doe=y[:, None], seed=seed)
        with TemporaryDirectory() as name:
            self._folder = Path(name)  # the files hold its name; it is there during an iteration only
        self._files: dict[str, bytes] = {}

    def ask(self) -> Array | None:
        """Return where the next iteration evaluates [D]; None where it keeps choosing points that are known."""
        return self._iterate(0.0)[0]

    def tell(self, y: float) -> None:
        """Take the result there."""
        self._files = self._iterate(y)[1]

    def _iterate(self, y: float) -> tuple[Array | None, dict[str, bytes]]:
        """Return where the next iteration evaluates, and the files that it leaves when it finds y there."""
        places: list[Array] = []

        def function(X: Array) -> Array:
            places.append(X[0].copy())
            return np.full((len(X), 1), y)

        self._folder.mkdir(mode=0o700)
        try:
            for file, content in self._files.items():
                (self._folder / file).write_bytes(content)
            for attempt in range(_PATIENCE):
                begun = int(bool(self._files) or attempt > 0)
                self._optimiser.minimize(function, max_iters=1, hot_start=begun, outdir=str(self._folder))
                if places:
                    break
            left = {path.name: path.read_bytes() for path in self._folder.iterdir()}
        finally:
            rmtree(self._folder)
        return (places[0] if places else None), left
