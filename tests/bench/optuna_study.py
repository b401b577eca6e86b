"""The same history as a study of Optuna, in its journal file and in memory."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

JOURNAL: Final = "journal.log"
NAME: Final = "study"


@contextmanager
def silent() -> Iterator[Any]:
    """Import Optuna, and let it not warn of what is experimental."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        yield optuna


def history(folder: Path) -> list[dict[str, float]]:
    """Return the rows of ``study.csv`` by column, numbers only."""
    with (folder / "study.csv").open(encoding="utf-8", newline="") as file:
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def ranges(folder: Path) -> dict[str, Any]:
    """Return Optuna's distributions of the parameters."""
    with silent() as optuna:
        names = [name for name in history(folder)[0] if name != "y"]
        return {name: optuna.distributions.FloatDistribution(-5.0, 5.0) for name in names}


def fill(study: Any, folder: Path) -> None:
    """Tell a study of Optuna all rows."""
    distributions = ranges(folder)
    with silent() as optuna:
        for row in history(folder):
            point = {name: row[name] for name in distributions}
            study.add_trial(optuna.trial.create_trial(params=point, distributions=distributions, value=row["y"]))


def write_journal(folder: Path) -> None:
    """Write the journal file of a study that knows all rows."""
    with silent() as optuna:
        backend = optuna.storages.journal.JournalFileBackend(str(folder / JOURNAL))
        study = optuna.create_study(storage=optuna.storages.JournalStorage(backend), study_name=NAME)
        fill(study, folder)


def ask(folder: Path, sampler: str) -> list[str]:
    """Return the arguments of ``optuna`` that take one step on a copy of the journal in the current folder."""
    with silent() as optuna:
        to_json = optuna.distributions.distribution_to_json
        space = {name: json.loads(to_json(each)) for name, each in ranges(folder).items()}
    storage = ["--storage", JOURNAL, "--storage-class", "JournalFileBackend", "--study-name", NAME]
    options = ["--sampler", sampler, "--sampler-kwargs", '{"seed": 0}', "--search-space", json.dumps(space)]
    return ["ask", *storage, *options, "--format", "json"]


def study_in_memory(folder: Path, sampler: str) -> tuple[Any, dict[str, Any]]:
    """Return a study in memory that knows all rows, and its parameters' distributions."""
    with silent() as optuna:
        study = optuna.create_study(sampler=getattr(optuna.samplers, sampler)(seed=0))
    fill(study, folder)
    return study, ranges(folder)
