"""Minimisers of other libraries by their public interfaces: COBYQA, Py-BOBYQA, PyBADS, NOMAD (extra ``ordbo[peers]``).

All see the unit cube. Settings are the libraries' own; those that are ours stand in ``registry.py``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.called import Called
from ordbo_cli.benchmark.rivals.libraries.called_process import Function, Minimiser, Task


def _cobyqa(function: Function, task: Task) -> None:
    from cobyqa import minimize
    from scipy.optimize import Bounds

    options = {"maxfev": task.calls, "radius_init": 0.1}  # "one tenth of the greatest expected change"
    minimize(function, task.points[0], bounds=Bounds(*task.bounds), options=options)


def _pybobyqa(function: Function, task: Task) -> None:
    import pybobyqa

    np.random.seed(task.seed)  # noqa: NPY002  # the only one that it draws from
    pybobyqa.solve(
        function,
        task.points[0],
        bounds=task.bounds,
        maxfun=task.calls,
        objfun_has_noise=task.noise,
        seek_global_minimum=True,
    )


def _pybads(function: Function, task: Task) -> None:
    from pybads import BADS

    options = {"display": "off", "max_fun_evals": task.calls, "random_seed": task.seed}
    if task.noise:
        options["uncertainty_handling"] = True
    bads = BADS(function, task.points[0], *task.bounds, options=options)
    with contextlib.suppress(ValueError, np.linalg.LinAlgError):  # its Gaussian process takes no equal or huge results
        bads.optimize()


def _nomad(function: Function, task: Task) -> None:
    import PyNomad

    parts = np.array(task.parts)

    def evaluate(point: Any) -> int:
        x = np.array([point.get_coord(k) for k in range(point.size())])
        value = function(np.where(parts, (x + 0.5) / np.maximum(parts, 1), x))
        if np.isnan(value):
            return 0
        point.setBBO(repr(value).encode())
        return 1

    def list_of(x: Sequence[object]) -> str:
        return f"( {' '.join(map(str, x))} )"

    starts = np.where(parts, np.floor(task.points * parts), task.points).tolist()
    parameters = [
        f"DIMENSION {len(parts)}",
        f"BB_INPUT_TYPE {list_of(np.where(parts, 'I', 'R').tolist())}",
        "BB_OUTPUT_TYPE OBJ",
        f"MAX_BB_EVAL {task.calls}",
        f"SEED {task.seed}",
        "DISPLAY_DEGREE 0",
        *(f"X0 {k} {list_of(x)}" for k, x in enumerate(starts)),
    ]
    low, high = task.bounds
    PyNomad.optimize(evaluate, [], low.tolist(), np.where(parts, parts - 1, high).tolist(), parameters)


class Cobyqa(Called):
    """COBYQA: quadratic models that interpolate 2 D + 1 points, in a trust region."""

    minimiser = Minimiser("cobyqa", _cobyqa)


class PyBobyqa(Called):
    """Py-BOBYQA, which seeks a global minimum by restarts of its own."""

    minimiser = Minimiser("pybobyqa", _pybobyqa)


class PyBads(Called):
    """PyBADS: direct search with a Gaussian process around the best point."""

    minimiser = Minimiser("pybads", _pybads)


class Nomad(Called):
    """NOMAD 4: mesh adaptive direct search from all initial points, which knows whole numbers and failures."""

    minimiser = Minimiser("PyNomad", _nomad)
    knows_failures = True
