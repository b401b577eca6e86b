"""Test problems seen otherwise: what methods are told and see, what stays, names, and what cannot be."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from ordbo_cli.benchmark.distortions.distorted import DISTORTIONS, Distorted, copies, distorted, twin_of
from ordbo_cli.benchmark.distortions.lens import KnownProblem
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.runs import Run, initial_points, perform
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem
from ordbo_cli.benchmark.suites.suite import LATENT, LIMITED, MIXED, PROBLEMS, problems
from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.problem.axis import FloatLattice
from ordbo_cli.problem.method import Method

RISING = ("log", "cube", "units")
EVERY: dict[str, KnownProblem] = {**PROBLEMS, **MIXED, **LIMITED}


def points(subject: KnownProblem, count: int, seed: int = 7) -> list[tuple[Number, ...]]:
    """Return random points of a problem that satisfy its constraints."""
    searcher = contestant("random").begin(Start(subject.problem(Method(), seed), seed, 0, count))
    return [searcher.ask() for _ in range(count)]


def near(subject: KnownProblem) -> list[float]:
    """Return values from the optimum on, closer and closer to it, and the doubles next to them."""
    values = [subject.optimum + sign * 10.0**k for k in range(-16, 8) for sign in (1, -1)]
    return [neighbour for y in values for neighbour in (y, math.nextafter(y, math.inf), math.nextafter(y, -math.inf))]


@pytest.mark.parametrize("how", RISING)
@pytest.mark.parametrize("name", ["step_1d", "bent_cigar_2d", "hartmann_4d", "noisy_levy_3d", "coil_3d"])
def test_rising_distortions_turn_no_order_round(name: str, how: str) -> None:
    """Not even that of neighbouring doubles; values that differ by more than rounding stay apart."""
    lens = distorted(EVERY[name], [how]).lens
    values = sorted({*near(EVERY[name]), *np.linspace(-3e3, 3e3, 400).tolist(), *np.geomspace(1e-9, 1e9, 400).tolist()})
    images = [lens.image(y) for y in values]
    assert all(a <= b for a, b in pairwise(images))
    apart = [(lens.image(a), lens.image(b)) for a, b in pairwise(values) if b - a > 1e-12 + 1e-14 * abs(a)]
    assert len(apart) > 800
    assert all(a < b for a, b in apart)


def test_distortions_are_what_they_are_called() -> None:
    """By doubles, to their digits; values that noise has put below the optimum included."""
    subject = PROBLEMS["step_1d"]  # its optimum is -1, its precision 1e-8
    image = {name: distorted(subject, [name]).lens.image for name in ("log", "cube", "units")}
    assert image["log"](-0.25) == pytest.approx(math.log1p(0.75 / 1e-8))
    assert image["log"](-1.25) == pytest.approx(-math.log1p(0.25 / 1e-8))
    assert [image["cube"](y) for y in (-1.0, 1.0, -3.0)] == [0.0, 8.0, -8.0]
    assert image["units"](0.5) == 273650.0
    assert Decimal(repr(image["units"](0.1))) == Decimal("273250.0")


def test_clip_has_a_plateau_of_about_half_the_box() -> None:
    """Values above the limit are the limit, the others stay; it is the same limit each time."""
    plain, subject = PROBLEMS["hartmann_4d"], distorted(PROBLEMS["hartmann_4d"], ["clip"])
    told = [(subject.observe(x, 0, 1).y or 0.0, plain.observe(x, 0, 1).y or 0.0) for x in points(plain, 400)]
    limit = max(y for y, _ in told)
    assert all(y == min(true, limit) for y, true in told)
    assert 0.3 < np.mean([y == limit for y, _ in told]) < 0.7
    assert distorted(plain, ["clip"]) == subject


def test_the_worst_tenth_fails_and_a_penalty_tells_it_as_a_number() -> None:
    """The same points fail in both; what succeeds is told as it is."""
    plain = PROBLEMS["ellipsoid_4d"]
    failing, penalty = distorted(plain, ["failing"]), distorted(plain, ["penalty"])
    told = [[each.observe(x, 0, 1).y for each in (plain, failing, penalty)] for x in points(plain, 400)]
    failed = [row for row in told if row[1] is None]
    assert 0.02 < len(failed) / len(told) < 0.25
    assert all(row[2] == 1e9 for row in failed)
    assert all(row[0] == row[1] == row[2] for row in told if row[1] is not None)
    assert min(row[0] or 0.0 for row in failed) > max(row[1] or 0.0 for row in told if row[1] is not None)
    assert twin_of(penalty) == failing


def test_the_same_points_fail_whatever_else_a_problem_is_seen_through() -> None:
    """So a penalty behind a warp is compared with the same failures."""
    plain = PROBLEMS["hartmann_4d"]
    failing, others = (
        distorted(plain, ["failing"]),
        [distorted(plain, how) for how in (["warp", "penalty"], ["log", "failing"])],
    )
    for x in points(plain, 300):
        fails = failing.observe(x, 0, 1).y is None
        assert [each.observe(each.seen(x), 0, 1).y in (None, 1e9) for each in others] == [fails] * 2


def test_limits_are_taken_from_one_sample() -> None:
    """A simulation takes its time: however many distortions ask, each point of the sample is simulated once."""
    evaluated: list[float] = []

    def slow(x: Array) -> float:
        evaluated.append(float(x[0]))
        return float(x[0])

    copies([BenchmarkProblem("slow", slow, ((0.0, 1.0),), 0.0, (0.0,))], ["all"])
    assert len(evaluated) == len(set(evaluated))


def test_a_penalty_for_failures_that_there_are() -> None:
    """They are the only ones, and so are points that break limits; these are hidden then."""
    disk, coil = distorted(PROBLEMS["disk_failure_2d"], ["penalty"]), distorted(LIMITED["coil_3d"], ["penalty"])
    assert disk.observe((0.5, 0.5), 0, 1).y == 1e9
    assert disk.observe((0.0, 1.0), 0, 1) == PROBLEMS["disk_failure_2d"].observe((0.0, 1.0), 0, 1)
    found = coil.observe((0.9, 1.0, 2.0), 0, 1)
    assert (found.y, found.outcomes, coil.problem(Method(), 0).outcomes) == (1e9, (), ())
    assert found.regret == LIMITED["coil_3d"].observe((0.9, 1.0, 2.0), 0, 1).regret
    assert (twin_of(disk), twin_of(coil)) == (PROBLEMS["disk_failure_2d"], LIMITED["coil_3d"])


def test_noise_follows_from_seed_and_number_and_grows_with_the_regret() -> None:
    """The same again for the same two, other noise for another; its spread is 0.3 of the height above the optimum."""
    plain, subject = PROBLEMS["hartmann_4d"], distorted(PROBLEMS["hartmann_4d"], ["noise"])
    assert subject.problem(Method(), 0).noise
    for x in ((0.5,) * 4, (0.2, 0.2, 0.55, 0.27)):
        told = [subject.observe(x, 3, number).y or 0.0 for number in range(1, 2001)]
        assert told[:5] == [subject.observe(x, 3, number).y for number in range(1, 6)]
        assert told[0] != subject.observe(x, 4, 1).y
        height = plain(x) - plain.optimum
        assert np.mean(told) == pytest.approx(plain(x), abs=0.03 * height)
        assert np.std(told) == pytest.approx(0.3 * height, rel=0.1)
    assert subject.observe(plain.minimiser, 0, 1).y == pytest.approx(plain.optimum, abs=1e-8)


@pytest.mark.parametrize("how", DISTORTIONS)
def test_regret_is_that_of_the_problem_as_it_is(how: str) -> None:
    """For every kind of problem, whatever methods are told."""
    found = [each for each in copies([*EVERY.values()], [how]).subjects if isinstance(each, Distorted)]
    assert len(found) > 20
    for subject in found:
        for x in points(subject.origin, 3):
            regret = subject.origin.observe(x, 1, 2).regret
            assert subject.observe(subject.seen(x), 1, 2).regret == pytest.approx(regret, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("how", ["units", "warp", "warp@units"])
@pytest.mark.parametrize("name", ["hartmann_4d", "stiff_integrator_2d", "linear_solver_2c1o1i2f", "grease_3c3f"])
def test_axes_lead_back(name: str, how: str) -> None:
    """A point as a method sees it is inside its box, and stands for that point; what is no free float stays."""
    plain = EVERY[name]
    subject = distorted(plain, how.split("@"))
    problem, seen_problem = plain.problem(Method(), 0), subject.problem(Method(), 0)
    for x in points(plain, 50):
        seen = subject.seen(x)
        assert seen_problem.is_inside(seen)
        assert subject.true(seen) == pytest.approx(x, rel=1e-9, abs=1e-12)
        others = [not isinstance(parameter.lattice, FloatLattice) for parameter in problem.free]
        assert all(a == b for a, b, other in zip(x, seen, others, strict=True) if other)
    assert subject.true(tuple(p.low for p in seen_problem.free)) == tuple(p.low for p in problem.free)
    assert subject.true(tuple(p.high for p in seen_problem.free)) == tuple(p.high for p in problem.free)


def test_warp_bends_and_units_round_nothing() -> None:
    """A share of the axis becomes another one; 1024 times a double has its digits."""
    subject = PROBLEMS["hartmann_4d"]
    assert distorted(subject, ["warp"]).seen((0.5,) * 4) == pytest.approx(
        (0.125, 0.875, 1 - (1 - 0.5**2.5) ** 2.5, 1 - (1 - 0.5**0.4) ** 0.4)
    )
    units = distorted(subject, ["units"])
    assert [(p.min, p.max) for p in units.problem(Method(), 0).free] == [(0, 1024)] * 4
    for x in points(subject, 100):
        assert units.true(units.seen(x)) == x


def test_parameters_that_constraints_name_stay() -> None:
    """They are meant for values as they are."""
    plain = MIXED["grease_3c3f"]
    before, after = (each.problem(Method(), 0) for each in (plain, distorted(plain, ["units"])))
    named = {name for constraint in before.constraints for name in constraint.needs}
    assert {p.name for p in before.free if p in after.free} >= named
    assert [p.name for p in before.free if p not in after.free] == ["minutes"]


@pytest.mark.parametrize("how", RISING)
@pytest.mark.parametrize("name", ["step_1d", "bent_cigar_2d"])
def test_ordinal_suggestions_do_not_change(name: str, how: str) -> None:
    """Under what keeps the order of results, and in other units, every point of a run is the same, bit for bit."""
    plain, subject = PROBLEMS[name], distorted(PROBLEMS[name], [how])
    mine, own = (perform(Run(each, contestant("default"), 1, 4, 4)).records for each in (subject, plain))
    assert [subject.true(record.x) for record in mine] == [record.x for record in own]
    assert [record.regret for record in mine] == [record.regret for record in own]
    assert [record.y for record in mine] != [record.y for record in own]


def test_all_start_from_the_points_of_the_problem_as_it_is() -> None:
    """However its axes are bent: what changes is what a method makes of them."""
    plain = PROBLEMS["hartmann_4d"]
    subject = distorted(plain, ["warp", "units"])
    records = perform(Run(subject, contestant("random"), 3, 5, 1)).records
    expected = initial_points(plain.problem(Method(), 3), 5)
    assert [subject.true(record.x) for record in records[:5]] == [pytest.approx(x) for x in expected]


def test_names() -> None:
    """Behind a problem or a group, one or several, and pickled for a worker."""
    found = problems(["hartmann_4d@cube@units, step_1d", "paper@log"])
    assert [each.name for each in found] == ["hartmann_4d@cube@units", "step_1d", *(f"{n}@log" for n in PAPER)]
    first = found[0]
    assert isinstance(first, Distorted)
    assert (first.chain, first.origin, twin_of(first)) == (("cube", "units"), *[PROBLEMS["hartmann_4d"]] * 2)
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301  # our own


PAPER = ("step_1d", "many_steps_2d", "bent_cigar_2d", "different_powers_2d", "hartmann_4d")


def test_one_distortion_behind_another() -> None:
    """The second one goes by what the first one tells: its optimum is where the first one has it."""
    subject = distorted(PROBLEMS["hartmann_4d"], ["units", "cube"])
    assert subject.optimum == 0.0
    value = PROBLEMS["hartmann_4d"]((0.5,) * 4) - PROBLEMS["hartmann_4d"].optimum
    assert subject.observe((512.0,) * 4, 0, 1).y == pytest.approx((1000 * value) ** 3)


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("hartmann_4d@cub", "there is no distortion 'cub'", "Did you mean cube?"),
        ("hartmann_4d@", "there is no distortion ''", "Known are log, cube"),
        ("hartman_4d@cube", "there is no problem 'hartman_4d'", "Did you mean hartmann_4d?"),
        ("hartmann_4d@cube@cube", "hartmann_4d@cube cannot be seen through cube: it is so already", "Name cube once"),
        ("latent_1d@log", "latent_1d cannot be seen through log: nobody knows its optimum", "Distort test problems"),
        ("weld_1c1o1i2f@log", "weld_1c1o1i2f cannot be seen through log: its results are words", "Take failing, warp"),
        ("disk_failure_2d@failing", "disk_failure_2d cannot be seen through failing", "Take penalty"),
        ("recipe_4c4o4i@warp", "recipe_4c4o4i cannot be seen through warp: it has no float", "Leave warp out"),
        (
            "ellipsoid_4d@cube@penalty",
            "ellipsoid_4d@cube cannot be seen through penalty",
            "before what made the values",
        ),
    ],
)
def test_what_cannot_be(name: str, message: str, hint: str) -> None:
    """It is said, with what can be done instead."""
    with pytest.raises(UsageError) as refused:
        problems([name])
    assert refused.value.message.startswith(message)
    assert hint in refused.value.hint


def test_copies() -> None:
    """Those that make sense, with what they are compared with; the others are told; none at all is an error."""
    subjects = [PROBLEMS["step_1d"], MIXED["weld_1c1o1i2f"]]
    found = copies(subjects, ["penalty,cube@units", "cube@units"])
    assert [each.name for each in found.subjects] == [
        "step_1d@failing",
        "step_1d@penalty",
        "step_1d",
        "step_1d@cube@units",
    ]
    assert [why.message.partition(":")[0] for why in found.left_out] == [
        "weld_1c1o1i2f cannot be seen through penalty",
        "weld_1c1o1i2f cannot be seen through cube",
    ]
    assert len(copies(subjects[:1], ["all"]).subjects) == 1 + len(DISTORTIONS)
    for asked, message in (("lgo", "there is no distortion 'lgo'"), (",", "there is nothing to distort by")):
        with pytest.raises(UsageError, match=message):
            copies(subjects, [asked])
    with pytest.raises(UsageError, match="nobody knows its optimum"):
        copies([LATENT["latent_1d"]], ["log"])
