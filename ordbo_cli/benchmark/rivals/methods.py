"""The methods by name, and what it takes to start one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from ordbo_cli.benchmark.rivals.constrained_retry import Constrained
from ordbo_cli.benchmark.rivals.searchers import Searcher, Start
from ordbo_cli.benchmark.rivals.settings import parse_settings, with_settings
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.problem.spelling import meant

BASELINE: Final = "vanilla"
NAIVE: Final = "naive-batch"
STANDARD: Final = ("default", "metric-free", BASELINE, "random", "sobol")
_ORDINAL: Final[dict[str, Method]] = {
    **PRESETS,
    "paper-thompson": dataclasses.replace(PRESETS["paper"], acquisition="thompson"),
    NAIVE: PRESETS["default"],
}


@dataclass(frozen=True)
class _RivalMaker:
    """Where a method is: a class of a module of this package, and the modules of others that it needs.

    Its settings say where it begins, and what is not a library's default but ours.
    """

    module: str
    name: str
    needs: tuple[str, ...] = ()
    settings: str = ""
    ordered_only: bool = False  # whether it knows no levels without an order
    install: str = ""  # the command that does it, where no extra of ours does


_OURS: Final = {
    **dict.fromkeys(_ORDINAL, _RivalMaker("searchers", "Ordinal")),
    NAIVE: _RivalMaker("naive", "NaiveBatch", ordered_only=True),
    BASELINE: _RivalMaker("vanilla", "Vanilla", ("gpflow",)),
    "vanilla-isotropic": _RivalMaker("vanilla", "VanillaIsotropic", ("gpflow",)),
    "random": _RivalMaker("searchers", "Random"),
    "sobol": _RivalMaker("searchers", "Sobol"),
}
_PEERS: Final = {
    "optuna-tpe": _RivalMaker("peers", "OptunaTpe", ("optuna",)),
    "optuna-gp": _RivalMaker("peers", "OptunaGp", ("optuna", "torch")),
    "optuna-cmaes": _RivalMaker("peers", "OptunaCmaEs", ("optuna", "cmaes")),
    "pycma": _RivalMaker("peers", "Pycma", ("cma",)),
    "nevergrad": _RivalMaker("peers", "Nevergrad", ("nevergrad",)),
    "botorch": _RivalMaker("botorch", "BoTorch", ("torch", "botorch")),
    "ax": _RivalMaker(
        "libraries.ax",
        "Ax",
        ("ax",),
        "begins with the initial points as trials; initialization_budget, no centre point, failures abandoned, seed",
    ),
    "baybe": _RivalMaker(
        "libraries.baybe",
        "BayBE",
        ("baybe",),
        "begins with the initial points as measurements; at most 16 combinations of levels a step, seed",
    ),
    "egobox": _RivalMaker(
        "libraries.egobox",
        "Egobox",
        ("egobox",),
        "suggest, on all points; failures as the worst seen, one thread, seed",
    ),
    "egobox-trego": _RivalMaker(
        "libraries.egobox",
        "EgoboxTrego",
        ("egobox",),
        "minimize with trego, the initial points as its design; failures as the worst seen, one thread, seed",
    ),
    "smac": _RivalMaker(
        "libraries.smac",
        "Smac",
        ("smac",),
        "BlackBoxFacade told the initial points; no design, n_trials, deterministic without noise, crash cost, seed",
    ),
    "hebo": _RivalMaker(
        "libraries.hebo",
        "Hebo",
        ("hebo",),
        "told the initial points; rand_sample, failures as the worst seen, seeds",
        install="pip install 'ordbo[peers]' pymoo disjoint-set && pip install --no-deps HEBO",
    ),
    "vizier": _RivalMaker(
        "libraries.vizier",
        "Vizier",
        ("vizier", "jax"),
        "VizierGPUCBPEBandit told the initial points; double precision, failures infeasible, seed",
        install="an environment of its own, as docs/benchmarks.md says",
    ),
}
_MAKERS: Final = {**_OURS, **_PEERS}
NAMES: Final = tuple(_MAKERS)
PEERS: Final = tuple(_PEERS)
GROUPS: Final[dict[str, tuple[str, ...]]] = {"standard": STANDARD, "peers": PEERS, "all": NAMES}


@dataclass(frozen=True)
class Contestant:
    """A method, perhaps with changed settings.

    Args:
        name: as it stands in records and tables: the method's name, its changed settings behind a colon.
        family: the method's name alone.
        method: the settings of ordinal Bayesian optimisation (the others take no notice of them).
        batch: number of points that it chooses at a time.
    """

    name: str
    family: str
    method: Method
    batch: int = 1

    @property
    def missing(self) -> tuple[str, ...]:
        """Packages that it needs and that are not installed."""
        return tuple(package for package in _MAKERS[self.family].needs if find_spec(package) is None)

    @property
    def install(self) -> str:
        """The command that installs what it needs."""
        if _MAKERS[self.family].install:
            return _MAKERS[self.family].install
        return f"pip install 'ordbo[{'gpflow' if 'gpflow' in _MAKERS[self.family].needs else 'peers'}]'"

    def check(self, *questions: Problem) -> None:
        """Say at once that a package is missing, or that the method cannot take part, not in the middle.

        Args:
            questions: that will be put to it.

        Raises:
            UsageError: it is not installed, or it knows no levels without an order and a question has some.
        """
        if self.missing:
            raise UsageError(f"the method {self.family} needs {' and '.join(self.missing)}", f"Install: {self.install}")
        for question in questions if _MAKERS[self.family].ordered_only else ():
            for k in question.categorical:
                raise UsageError(
                    f"the method {self.family} takes no categorical parameter such as {question.free[k].name}",
                    "Leave out the method or the problem",
                )

    def begin(self, start: Start) -> Searcher:
        """Return the method, ready to be told the initial points."""
        maker = _MAKERS[self.family]
        make: Callable[[Start], Searcher] = getattr(import_module(f"{__package__}.{maker.module}"), maker.name)
        searcher = make(start)
        if start.problem.constraints and self.family not in _ORDINAL:
            return Constrained(start.problem, searcher, start.rng())
        return searcher


def contestant(text: str) -> Contestant:
    """Return the method that a name stands for, settings behind a colon.

    Raises:
        UsageError: there is no such method, or it has no such setting.
    """
    family, colon, changes = (part.strip() for part in text.partition(":"))
    if family not in _MAKERS:
        raise UsageError(f"there is no method {family!r}", meant(family, (*NAMES, *GROUPS)))
    if not colon:
        return Contestant(family, family, _ORDINAL.get(family, PRESETS["default"]))
    if family not in _ORDINAL:
        raise UsageError(f"the method {family!r} has no settings", f"Settings are those of {', '.join(_ORDINAL)}")
    settings = parse_settings(changes)
    if "initial" in settings:
        raise UsageError("initial is the same for all methods", "Give it as --initial")
    batch = _batch(settings)
    shown = ",".join(f"{name}={_shown(value)}" for name, value in sorted(settings.items()))
    settings.pop("batch", None)
    return Contestant(f"{family}:{shown}", family, with_settings(_ORDINAL[family], settings), batch)


def ordinal_method(text: str) -> Method:
    """Return the settings of ordinal Bayesian optimisation that a name stands for, settings behind a colon.

    Raises:
        UsageError: as :func:`contestant`; or the method is another, or chooses several points at a time.
    """
    one = contestant(text)
    if one.family not in _ORDINAL or one.family == NAIVE or one.batch > 1:
        shown = ", ".join(name for name in _ORDINAL if name != NAIVE)
        raise UsageError(f"{text} is not seen through one point at a time", f"There are {shown}, with their settings")
    return one.method


def _batch(settings: Mapping[str, Any]) -> int:
    """Return how many points are chosen at a time.

    Raises:
        UsageError: it is no whole number from 1.
    """
    batch = settings.get("batch", 1)
    if not isinstance(batch, int) or isinstance(batch, bool) or batch < 1:
        raise UsageError(f"batch is {batch!r}", "It takes a whole number from 1")
    return batch


def contestants(texts: Sequence[str]) -> tuple[Contestant, ...]:
    """Return the methods of several lists, in order and each once: names and groups, separated by commas.

    Raises:
        UsageError: as :func:`contestant`.
    """
    found: dict[str, Contestant] = {}
    for piece in _pieces(texts):
        for name in GROUPS.get(piece, (piece,)):
            one = contestant(name)
            found.setdefault(one.name, one)
    return tuple(found.values())


def _pieces(texts: Sequence[str]) -> list[str]:
    """Split lists at commas, but not those between settings: only they have an equals sign and no colon."""
    pieces: list[str] = []
    for text in texts:
        fresh = True
        for part in filter(None, (part.strip() for part in text.split(","))):
            if "=" in part and ":" not in part and not fresh:
                pieces[-1] += f",{part}"
            else:
                pieces.append(part)
            fresh = False
    return pieces


def _shown(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
