"""Methods as they are typed, and what it takes to start one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from typing import Any

from ordbo_cli.benchmark.rivals.constrained_retry import Constrained
from ordbo_cli.benchmark.rivals.registry import GROUPS, MAKERS, NAIVE, ORDINAL, PACKAGES
from ordbo_cli.benchmark.rivals.searchers import Searcher, Start
from ordbo_cli.benchmark.rivals.settings import parse_settings, with_settings
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.problem.spelling import meant


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
        needs = MAKERS[self.family].needs
        return tuple(PACKAGES.get(module, module) for module in needs if find_spec(module) is None)

    @property
    def open_ended(self) -> bool:
        """Whether a run's first evaluations are those of a shorter run: nothing tells the method where it will end."""
        return MAKERS[self.family].open_ended and self.batch == 1

    @property
    def is_ours(self) -> bool:
        """Whether it is ordinal Bayesian optimisation."""
        return self.family in ORDINAL

    @property
    def settings(self) -> str:
        """Where it begins and which settings of its library are ours; nothing for methods without a library."""
        return MAKERS[self.family].settings

    @property
    def versions(self) -> dict[str, str | None]:
        """The versions of the packages that it needs, as they are installed here; None for one that is not."""
        owners = packages_distributions()
        return {
            PACKAGES.get(module, module): version(owners[module][0]) if module in owners else None
            for module in MAKERS[self.family].needs
        }

    @property
    def install(self) -> str:
        """The command that installs what it needs."""
        maker = MAKERS[self.family]
        return maker.install or f"pip install 'ordbo[{'gpflow' if 'gpflow' in maker.needs else 'peers'}]'"

    def check(self, *questions: Problem) -> None:
        """Say at once that a package is missing, or that the method cannot take part, not in the middle.

        Args:
            questions: that will be put to it.

        Raises:
            UsageError: it is not installed, or it knows no levels without an order and a question has some, or one has
                another number of objectives than it takes.
        """
        if self.missing:
            raise UsageError(f"the method {self.family} needs {' and '.join(self.missing)}", f"Install: {self.install}")
        takes = MAKERS[self.family].objectives
        if any(takes == ("one" if question.several else "several") for question in questions):
            raise UsageError(
                f"the method {self.family} takes {takes} objective{'s' * (takes != 'one')} only", "Leave it out"
            )
        for question in questions if MAKERS[self.family].ordered_only else ():
            for k in question.categorical:
                raise UsageError(
                    f"the method {self.family} takes no categorical parameter such as {question.free[k].name}",
                    "Leave out the method or the problem",
                )

    def begin(self, start: Start) -> Searcher:
        """Return the method, ready to be told the initial points."""
        maker = MAKERS[self.family]
        make: Callable[[Start], Searcher] = getattr(import_module(f"{__package__}.{maker.module}"), maker.name)
        searcher = make(start)
        if start.problem.constraints and self.family not in ORDINAL:
            return Constrained(start.problem, searcher, start.rng())
        return searcher


def contestant(text: str) -> Contestant:
    """Return the method that a name stands for, settings behind a colon.

    Raises:
        UsageError: there is no such method, or it has no such setting.
    """
    family, colon, changes = (part.strip() for part in text.partition(":"))
    if family not in MAKERS:
        raise UsageError(f"there is no method {family!r}", meant(family, (*MAKERS, *GROUPS)))
    if not colon:
        return Contestant(family, family, ORDINAL.get(family, PRESETS["default"]))
    if family not in ORDINAL:
        raise UsageError(f"the method {family!r} has no settings", f"Settings are those of {', '.join(ORDINAL)}")
    settings = parse_settings(changes)
    if "initial" in settings:
        raise UsageError("initial is the same for all methods", "Give it as --initial")
    batch = _batch(settings)
    shown = ",".join(f"{name}={_shown(value)}" for name, value in sorted(settings.items()))
    settings.pop("batch", None)
    return Contestant(f"{family}:{shown}", family, with_settings(ORDINAL[family], settings), batch)


def ordinal_method(text: str) -> Method:
    """Return the settings of ordinal Bayesian optimisation that a name stands for, settings behind a colon.

    Raises:
        UsageError: as :func:`contestant`; or the method is another, or chooses several points at a time.
    """
    one = contestant(text)
    if one.family not in ORDINAL or one.family == NAIVE or one.batch > 1:
        shown = ", ".join(name for name in ORDINAL if name != NAIVE)
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


def left_out(texts: Sequence[str]) -> tuple[Contestant, ...]:
    """Return those of several lists that are not installed and that no list names but by its group.

    Raises:
        UsageError: as :func:`contestant`.
    """
    pieces = _pieces(texts)
    named = {one.name for one in contestants([piece for piece in pieces if piece not in GROUPS])}
    return tuple(one for one in contestants(texts) if one.missing and one.name not in named)


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
