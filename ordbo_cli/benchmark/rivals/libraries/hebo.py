"""HEBO, which won the black-box challenge of NeurIPS 2020; it is installed without what its packaging demands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from typing import Any, Final

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.native import Choices, Kind, NativeSpace, Whole
from ordbo_cli.benchmark.rivals.libraries.peers import Peer
from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number

with quiet():
    import pandas as pd
    import torch
    from hebo.acq_optimizers import evolution_optimizer
    from hebo.design_space.design_space import DesignSpace
    from hebo.optimizers.hebo import HEBO
    from pymoo.config import Config

Config.warnings["not_compiled"] = False  # pymoo prints it
_MINIMIZE: Final = evolution_optimizer.minimize  # pymoo's, which HEBO gives no seed


class Hebo(Peer):
    """Its default optimiser, from the first suggestion on; it reads the global generators, which are given back."""

    def _begin(self, X: Array, y: Array) -> None:
        torch.set_num_threads(1)
        self._space = NativeSpace(self.start.problem, log=True)
        space = DesignSpace().parse([_parameter(name, kind) for name, kind in self._space.kinds.items()])
        self._optimiser = HEBO(space, rand_sample=len(y), scramble_seed=self.start.seed)
        self._tell([self._space.inside(point) for point in self.points], y)

    def _suggest(self) -> tuple[Number, ...]:
        with quiet(), redirect_stdout(StringIO()), _seeded(self.step_seed):
            self._row = self._optimiser.suggest(1).iloc[0].to_dict()
        return self._space.point(self._row)

    def _observe(self, y: float) -> None:
        self._tell([self._row], np.array([y]))

    def _tell(self, rows: list[Mapping[str, Number]], y: Array) -> None:
        with quiet():
            self._optimiser.observe(pd.DataFrame(rows), y[:, None])


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed pymoo, and the generators that HEBO shares with everybody, for a while."""
    before = np.random.get_state()  # noqa: NPY002  # HEBO draws from it
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            np.random.seed(seed % 2**32)  # noqa: NPY002  # as above
            evolution_optimizer.minimize = partial(_MINIMIZE, seed=seed % 2**32)
            yield
    finally:
        evolution_optimizer.minimize = _MINIMIZE
        np.random.set_state(before)  # noqa: NPY002  # as above


def _parameter(name: str, kind: Kind) -> dict[str, Any]:
    """Return what HEBO calls a parameter."""
    if isinstance(kind, Choices):
        return {"name": name, "type": "cat", "categories": list(range(kind.number))}
    if isinstance(kind, Whole):
        whole = {"name": name, "lb": kind.low, "ub": kind.high}
        return whole | ({"type": "pow_int", "base": 10} if kind.log else {"type": "int"})
    return {"name": name, "type": "num", "lb": 0.0, "ub": 1.0}
