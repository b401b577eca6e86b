"""Test problems that a method sees through distortions, by their names: ``hartmann_4d@cube``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.benchmark.distortions.axis_lenses import BentAxes, OtherUnits
from ordbo_cli.benchmark.distortions.lens import KnownProblem, Lens, refusal
from ordbo_cli.benchmark.distortions.result_lenses import Clip, Cube, Failing, Log, Penalty, Uneven
from ordbo_cli.benchmark.suites.benchmark_problem import COCO_PRECISION, NeedsPrograms, Observation
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.spelling import meant

AT: Final = "@"


@dataclass(frozen=True)
class Distortion:
    """A way to see test problems.

    Args:
        name: what stands behind the @.
        of_numbers: whether it takes results that are numbers, not words.
    """

    name: str
    before: Callable[[KnownProblem], Lens]
    of_numbers: bool = True


DISTORTIONS: Final = {
    one.name: one
    for one in (
        Distortion("log", lambda one: Log(one.optimum, one.precision)),
        Distortion("cube", lambda one: Cube(one.optimum)),
        Distortion("clip", Clip.before),
        Distortion("failing", Failing.before, of_numbers=False),
        Distortion("penalty", Penalty.before),
        Distortion("units", OtherUnits.before),
        Distortion("warp", BentAxes.before, of_numbers=False),
        Distortion("noise", lambda one: Uneven(one.optimum)),
    )
}


@dataclass(frozen=True)
class Distorted:
    """A test problem that a method sees otherwise; its regret is that of the problem as it is.

    Args:
        inner: the problem, perhaps distorted itself.
        distortion: the name of what stands before it.
        lens: that, made for this problem.
    """

    inner: KnownProblem
    distortion: str
    lens: Lens

    @property
    def name(self) -> str:
        """The problem's name, and those of all distortions, the last one that which the method looks through."""
        return f"{self.inner.name}{AT}{self.distortion}"

    @property
    def chain(self) -> tuple[str, ...]:
        """The names of all distortions."""
        return (*chain_of(self.inner), self.distortion)

    @property
    def origin(self) -> KnownProblem:
        """The problem without any of them."""
        return self.inner.origin if isinstance(self.inner, Distorted) else self.inner

    @property
    def optimum(self) -> float:
        """The lowest value that a method is told, but for noise."""
        return self.lens.image(self.inner.optimum)

    @property
    def precision(self) -> float:
        """The regret that counts as none, in the values that a method is told."""
        step = self.lens.image(self.inner.optimum + self.inner.precision) - self.optimum
        return step if step > 0 else COCO_PRECISION

    @property
    def worst(self) -> float:
        """What a failure counts as; infinite where nothing fails."""
        return self.lens.worst(self.inner.worst)

    def problem(self, method: Method, seed: int) -> Problem:
        """Return the question to put to an optimiser."""
        return self.lens.question(self.inner.problem(method, seed))

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Evaluate one point ``[D]``, given as the method sees it."""
        return self.lens.told(self.inner.observe(self.lens.true(values), seed, number), seed, number)

    def check(self) -> None:
        """Say at once that something is missing for the problem.

        Raises:
            UsageError: it is.
        """
        if isinstance(self.inner, NeedsPrograms):
            self.inner.check()

    def seen(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return a point ``[D]`` of the origin as the method sees it."""
        return self.lens.seen(self.inner.seen(values) if isinstance(self.inner, Distorted) else values)

    def true(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the point ``[D]`` of the origin that the method's values stand for."""
        inside = self.lens.true(values)
        return self.inner.true(inside) if isinstance(self.inner, Distorted) else inside


def chain_of(subject: object) -> tuple[str, ...]:
    """Return the names of the distortions that a problem is seen through."""
    return subject.chain if isinstance(subject, Distorted) else ()


def distorted(subject: object, names: Sequence[str]) -> Distorted:
    """Return a problem seen through distortions, one after the other, at least one.

    Raises:
        UsageError: there is no such distortion, or it makes no sense of this problem; the hint says what does.
    """
    for name in names:
        subject = _through(subject, name)
    assert isinstance(subject, Distorted)
    return subject


def _through(subject: object, name: str) -> Distorted:
    if name not in DISTORTIONS:
        raise UsageError(f"there is no distortion {name!r}", meant(name, DISTORTIONS))
    if not isinstance(subject, KnownProblem):
        hint = "Distort test problems, of any group but latent"
        raise refusal(getattr(subject, "name", "it"), name, "nobody knows its optimum", hint)
    if name in chain_of(subject):
        raise refusal(subject.name, name, "it is so already", f"Name {name} once")
    one = DISTORTIONS[name]
    if one.of_numbers and subject.problem(Method(), 0).grades:
        fitting = ", ".join(each.name for each in DISTORTIONS.values() if not each.of_numbers)
        raise refusal(subject.name, name, "its results are words", f"Take {fitting}")
    return Distorted(subject, name, one.before(subject))


def twin_of(subject: Distorted) -> KnownProblem:
    """Return what a distorted problem is compared with: the problem as it is.

    Failures told as a penalty are compared with the same failures told as failures.
    """
    origin = subject.origin
    if "penalty" in subject.chain and not np.isfinite(origin.worst):
        return distorted(origin, ["failing"])
    return origin


@dataclass(frozen=True)
class Copies:
    """Distorted copies of problems.

    Args:
        subjects: the copies, and what they are compared with.
        left_out: why there is no copy of some problems through some distortions.
    """

    subjects: tuple[KnownProblem, ...]
    left_out: tuple[UsageError, ...]


def copies(subjects: Sequence[object], texts: Sequence[str]) -> Copies:
    """Return copies of problems through each of some distortions.

    Args:
        subjects: what is minimised.
        texts: names of distortions, several joined by @ for one after the other, separated by commas; or all.

    Raises:
        UsageError: there is no such distortion, or none makes sense of any of the problems.
    """
    pieces = [piece.strip() for text in texts for piece in text.split(",") if piece.strip()]
    chains = list(
        dict.fromkeys(chain for piece in pieces for chain in ((*DISTORTIONS,) if piece == "all" else (piece,)))
    )
    if not chains:
        raise UsageError("there is nothing to distort by", f"Name some of {', '.join(DISTORTIONS)}, or all")
    found: dict[str, KnownProblem] = {}
    refused: list[UsageError] = []
    for names in (chain.split(AT) for chain in chains):
        for unknown in (name for name in names if name not in DISTORTIONS):
            raise UsageError(f"there is no distortion {unknown!r}", meant(unknown, ("all", *DISTORTIONS)))
        for subject in subjects:
            try:
                one = distorted(subject, names)
            except UsageError as error:
                refused.append(error)
                continue
            found |= {each.name: each for each in (twin_of(one), one)}
    if refused and not found:
        raise refused[0]
    return Copies(tuple(found.values()), tuple(refused))
