"""The test problems by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ordbo_cli.benchmark.distortions.distorted import AT, Distorted, distorted
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem, MixedProblem
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.engineering_suite import ENGINEERING_PROBLEMS
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS, seen_through
from ordbo_cli.benchmark.suites.latent import LATENT_PROBLEMS, LatentProblem
from ordbo_cli.benchmark.suites.mixed import MIXED_PROBLEMS
from ordbo_cli.benchmark.suites.mixed_limits import LIMITED_PROBLEMS
from ordbo_cli.benchmark.suites.outcomes import OUTCOME_PROBLEMS, LimitedProblem
from ordbo_cli.benchmark.suites.problems import PAPER_PROBLEMS
from ordbo_cli.benchmark.suites.smooth_suite import SMOOTH_PROBLEMS
from ordbo_cli.benchmark.suites.wide_suite import WIDE_PROBLEMS
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant

PROBLEMS: Final[dict[str, BenchmarkProblem]] = {p.name: p for p in (*PAPER_PROBLEMS, *WIDE_PROBLEMS, *SMOOTH_PROBLEMS)}
MIXED: Final[dict[str, MixedProblem]] = {p.name: p for p in (*MIXED_PROBLEMS, *LIMITED_PROBLEMS)}
LIMITED: Final[dict[str, LimitedProblem]] = {p.name: p for p in OUTCOME_PROBLEMS}
LATENT: Final[dict[str, LatentProblem]] = {p.name: p for p in LATENT_PROBLEMS}
ENGINEERING: Final[dict[str, EngineeringProblem]] = {p.name: p for p in ENGINEERING_PROBLEMS}
SMOOTH: Final = "hartmann_4d"


def _halves(prefix: str, some: Iterable[BenchmarkProblem | MixedProblem | FrontProblem]) -> dict[str, tuple[str, ...]]:
    """Return the half of a group that settings were chosen by, and the other one, which alone is evidence."""
    each = [(p.name, p.tune) for p in some]
    return {
        f"{prefix}tune": tuple(name for name, tune in each if tune),
        f"{prefix}unseen": tuple(name for name, tune in each if not tune),
    }


GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "paper": tuple(p.name for p in PAPER_PROBLEMS),
    "challenging": tuple(p.name for p in PAPER_PROBLEMS if p.name != SMOOTH),
    "wide": tuple(p.name for p in WIDE_PROBLEMS),
    **_halves("", WIDE_PROBLEMS),
    "all": tuple(p.name for p in (*PAPER_PROBLEMS, *WIDE_PROBLEMS)),
    "smooth": (*(p.name for p in SMOOTH_PROBLEMS), SMOOTH),  # nor of all: it is about the rough ones
    **_halves("smooth-", SMOOTH_PROBLEMS),
    "mixed": tuple(MIXED),  # no part of all, whose figures are those of floats alone
    **_halves("mixed-", MIXED.values()),
    "outcomes": tuple(LIMITED),  # nor of all: limits that only an evaluation tells
    "engineering": tuple(ENGINEERING),  # nor of all: some need packages or programs that are not everywhere
    **_halves("engineering-", ENGINEERING_PROBLEMS),
    "fronts": tuple(FRONTS),  # nor of all: they have several objectives
    **_halves("fronts-", FRONTS.values()),
    "latent": tuple(LATENT),  # no part of all: draws of the method's own prior say nothing about other functions
}
AnyProblem = BenchmarkProblem | MixedProblem | LimitedProblem | LatentProblem | FrontProblem


def problems(texts: Sequence[str]) -> tuple[AnyProblem | Distorted, ...]:
    """Return the problems of several lists, in order and each once: names and groups, separated by commas.

    Behind a name or a group may stand distortions that all of its problems are seen through: ``paper@log``.

    Raises:
        UsageError: there is no such problem or distortion, or the problem cannot be distorted so.
    """
    known: dict[str, AnyProblem] = {**PROBLEMS, **MIXED, **LIMITED, **ENGINEERING, **LATENT, **FRONTS}
    found: dict[str, AnyProblem | Distorted] = {}
    for piece in _pieces(texts):
        plain, *distortions = (piece,) if piece in known else piece.split(AT)
        for name in GROUPS.get(plain, (plain,)):
            if name not in known:
                raise UsageError(f"there is no problem {name!r}", meant(name, (*GROUPS, *known)))
            one = _seen(known[name], distortions) if distortions else known[name]
            found[one.name] = one
    return tuple(found.values())


def _seen(one: AnyProblem, distortions: Sequence[str]) -> AnyProblem | Distorted:
    return seen_through(one, distortions) if isinstance(one, FrontProblem) else distorted(one, distortions)


def left_out(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the problems of several lists whose simulators are not installed, named by no list but by their group.

    Distortions make no difference: these are the names of the problems as they are.
    """
    pieces = [piece.partition(AT)[0] for piece in _pieces(texts)]
    named = [name for piece in pieces for name in GROUPS.get(piece, ()) if name not in pieces]
    return tuple(name for name in dict.fromkeys(named) if name in ENGINEERING and ENGINEERING[name].missing)


def _pieces(texts: Sequence[str]) -> list[str]:
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def problem(name: str) -> BenchmarkProblem:
    """Return one problem by its name.

    Raises:
        UsageError: there is no such problem.
    """
    if name not in PROBLEMS:
        raise UsageError(f"there is no problem {name!r}", meant(name, PROBLEMS))
    return PROBLEMS[name]
