"""The test problems by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem, MixedProblem
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.engineering_suite import ENGINEERING_PROBLEMS
from ordbo_cli.benchmark.suites.latent import LATENT_PROBLEMS, LatentProblem
from ordbo_cli.benchmark.suites.mixed import MIXED_PROBLEMS
from ordbo_cli.benchmark.suites.mixed_limits import LIMITED_PROBLEMS
from ordbo_cli.benchmark.suites.outcomes import OUTCOME_PROBLEMS, LimitedProblem
from ordbo_cli.benchmark.suites.problems import PAPER_PROBLEMS
from ordbo_cli.benchmark.suites.wide_suite import WIDE_PROBLEMS
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant

PROBLEMS: Final[dict[str, BenchmarkProblem]] = {p.name: p for p in (*PAPER_PROBLEMS, *WIDE_PROBLEMS)}
MIXED: Final[dict[str, MixedProblem]] = {p.name: p for p in (*MIXED_PROBLEMS, *LIMITED_PROBLEMS)}
LIMITED: Final[dict[str, LimitedProblem]] = {p.name: p for p in OUTCOME_PROBLEMS}
LATENT: Final[dict[str, LatentProblem]] = {p.name: p for p in LATENT_PROBLEMS}
ENGINEERING: Final[dict[str, EngineeringProblem]] = {p.name: p for p in ENGINEERING_PROBLEMS}
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "paper": tuple(p.name for p in PAPER_PROBLEMS),
    "wide": tuple(p.name for p in WIDE_PROBLEMS),
    "tune": tuple(p.name for p in WIDE_PROBLEMS if p.tune),
    "all": tuple(PROBLEMS),
    "mixed": tuple(MIXED),  # no part of all, whose figures are those of floats alone
    "mixed-tune": tuple(name for name, p in MIXED.items() if p.tune),
    "outcomes": tuple(LIMITED),  # nor of all: limits that only an evaluation tells
    "engineering": tuple(ENGINEERING),  # nor of all: some need packages or programs that are not everywhere
    "engineering-tune": tuple(name for name, p in ENGINEERING.items() if p.tune),
    "latent": tuple(LATENT),  # no part of all: draws of the method's own prior say nothing about other functions
}
AnyProblem = BenchmarkProblem | MixedProblem | LimitedProblem | LatentProblem
SMOOTH: Final = "hartmann_4d"
CHALLENGING: Final = tuple(name for name in GROUPS["paper"] if name != SMOOTH)


def problems(texts: Sequence[str], say: Callable[[str], None] = lambda _: None) -> tuple[AnyProblem, ...]:
    """Return the problems of several lists, in order and each once: names and groups, separated by commas.

    Args:
        say: is told of each problem of a group that is left out, because what it needs is not installed.

    Raises:
        UsageError: there is no such problem, or what one needs that is named itself is not installed.
    """
    known: dict[str, AnyProblem] = {**PROBLEMS, **MIXED, **LIMITED, **ENGINEERING, **LATENT}
    found: dict[str, AnyProblem] = {}
    for text in texts:
        for piece in filter(None, (part.strip() for part in text.split(","))):
            for name in GROUPS.get(piece, (piece,)):
                if name not in known:
                    raise UsageError(f"there is no problem {name!r}", meant(name, (*GROUPS, *known)))
                one = known[name]
                if piece in GROUPS and isinstance(one, EngineeringProblem) and one.missing:
                    say(f"{name} is left out: it needs {' and '.join(one.missing)}. Install: {one.install}")
                    continue
                found[name] = one
    for one in found.values():
        if isinstance(one, EngineeringProblem):
            one.check()
    return tuple(found.values())


def problem(name: str) -> BenchmarkProblem:
    """Return one problem by its name.

    Raises:
        UsageError: there is no such problem.
    """
    if name not in PROBLEMS:
        raise UsageError(f"there is no problem {name!r}", meant(name, PROBLEMS))
    return PROBLEMS[name]
