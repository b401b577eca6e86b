"""Takes steps with each engine and sampler in one process, and prints their median seconds as JSON.

Usage: ``python -m tests.bench.steps_alone ROUNDS``, in the folder of a study with a state.

A step is the fit and the choice of a point; files are read and modules imported before. The first step of each does
not count, but that of gpflow is printed too: TensorFlow compiles the model in it, in every process anew.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, Final, get_args

from ordbo_cli.files.problem_file.problem_file import load_problem
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.optuna_study import history, study_in_memory

COMPILED: Final = "gpflow engine, warm"
Step = Callable[[], object]


def ordbo_steps(folder: Path) -> dict[str, Callable[[], Step]]:
    """Return what prepares a warm and a cold step of each engine."""
    problem = load_problem(folder / "study.yaml").problem
    names = [parameter.name for parameter in problem.free]
    rows = [(tuple(row[name] for name in names), Decimal(repr(row["y"]))) for row in history(folder)]
    evaluations = [Evaluation(values, y) for values, y in rows]
    fit = json.loads((folder / "study.state.json").read_text(encoding="utf-8"))["fit"]

    def prepare(engine: EngineKind, start: Any) -> Step:
        asked = replace(problem, method=replace(problem.method, engine=engine))
        return lambda: propose(StepInput(asked, evaluations, [], len(evaluations), start))

    return {
        f"{engine} engine, {word}": lambda engine=engine, start=start: prepare(engine, start)  # type: ignore[misc]  # now
        for engine in get_args(EngineKind)
        for word, start in (("warm", fit), ("cold", None))
    }


def optuna_steps(folder: Path) -> dict[str, Callable[[], Step]]:
    """Return what prepares a step of each sampler, in a study of its own; nothing where Optuna is not installed."""
    if find_spec("optuna") is None:
        return {}

    def prepare(sampler: str) -> Step:
        study, distributions = study_in_memory(folder, sampler)
        return lambda: study.ask(distributions)

    samplers = ["TPESampler"] if find_spec("torch") is None else ["GPSampler", "TPESampler"]
    return {f"Optuna's {name}": lambda name=name: prepare(name) for name in samplers}  # type: ignore[misc]  # bound now


def main() -> None:
    """Measure and print."""
    rounds, folder = int(sys.argv[1]), Path.cwd()
    import_module("ordbo_cli.ordinal.gpflow_engine")
    rivals = {**ordbo_steps(folder), **optuna_steps(folder)}
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds + 1):
        for name, prepare in rivals.items():
            step = prepare()
            start = time.perf_counter()
            step()
            seconds[name].append(time.perf_counter() - start)
    medians = {name: median(some[1:]) for name, some in seconds.items()}
    medians["gpflow engine, the first step of a process"] = seconds[COMPILED][0]
    print(json.dumps(medians))


if __name__ == "__main__":
    main()
