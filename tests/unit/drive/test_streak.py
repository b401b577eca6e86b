"""Which failures in a row are too many."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ordbo_cli.drive.streak import Fault, Position, Streak, chance

BAD = Fault(1, "exit status 1", 0.01)


def needed(streak: Streak, fault: Fault = BAD) -> int:
    """Return how many failures more there have to be until they are too many."""
    for number in range(1, 1000):
        streak.ended(streak.begun(), fault)
        if found := streak.suspects():
            assert found[-number:] == (fault,) * number
            return number
    raise AssertionError("no number of failures is too many")


def mixed(text: str, fault: Fault = BAD) -> list[tuple[Fault | None, Position]]:
    """Return results at nobody knows which points: a dot for a success, x for a failure."""
    return [(None if sign == "." else fault, ()) for sign in text]


@pytest.mark.parametrize(
    ("record", "number"),
    [
        ("", 62),
        ("." * 5, 27),
        ("." * 10, 12),
        ("." * 31, 6),
        ("." * 1000, 5),
        ("x........." * 3, 9),
        ("x.x......." * 3, 13),
        ("x.xx.xx..." * 5, 27),
        ("xxxx." * 10, 62),
        ("xxxxxxxxx." * 10, 132),
    ],
)
def test_a_number_that_the_usual_rate_makes_unlikely(record: str, number: int) -> None:
    """The more failures are usual, and the less is known of that, the longer a row has to be."""
    assert needed(Streak(mixed(record))) == number


@pytest.mark.parametrize(
    ("usual", "dead", "number"),
    [
        (BAD, Fault(1, "exit status 2", 0.01), 5),
        (BAD, Fault(1, "exit status 1: disk full", 0.01), 5),
        (Fault(1, "exit status 1", 20.0), BAD, 5),  # far quicker
        (BAD, Fault(1, "exit status 1", 20.0), 5),
        (Fault(1, "exit status 1", 0.3), BAD, 27),  # the machine was busy
        (Fault(1, "exit status 1: at x=0.3", 0.01), Fault(1, "exit status 1: at x=1e-5", 0.01), 27),
    ],
)
def test_another_way_to_fail(usual: Fault, dead: Fault, number: int) -> None:
    """Failures of one kind say little about those of another."""
    assert needed(Streak(mixed("x.xx.xx..." * 5, usual)), dead) == number


@pytest.mark.parametrize("words", ["python3: can't open file 'sim.py'", "ImportError: numpy", "license server down"])
def test_what_no_point_is_the_reason_of(words: str) -> None:
    """Five are enough though nothing has succeeded, unless such failures are usual."""
    assert needed(Streak(), Fault(1, f"exit status 2: {words}")) == 5
    assert (
        needed(Streak(mixed("xxxx." * 10, Fault(1, f"exit status 2: {words}"))), Fault(1, f"exit status 2: {words}"))
        == 62
    )


@pytest.mark.parametrize(
    "words",
    [
        "KeyError: None",
        "TypeError: float() argument must be a string or a real number, not 'NoneType'",
        "IndexError: list index out of range",
        "EOFError: EOF when reading a line",
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
        "ValueError: invalid literal for int() with base 10: '10.0'",
        "ValueError: could not convert string to float: 'fine'",
        "sim.py: error: argument --n: invalid int value: '10.0'",
        "Error: Invalid value for '--n': '10.0' is not a valid integer.",
        "Error: Missing option '--n'.",
        "Error: No such option: --m",
        "Usage: ./sim ANGLE BLADES",
        "./sim.sh: line 3: n: unbound variable",
    ],
)
def test_a_command_that_was_never_right(words: str) -> None:
    """Five are enough where nothing has ever succeeded; later a point may be the reason of them."""
    fault = Fault(1, f"exit status 1: {words}")
    assert needed(Streak(), fault) == 5
    assert needed(Streak(mixed(".")), fault) == needed(Streak(mixed(".")), Fault(1, "exit status 1: diverged"))


def test_a_command_that_was_never_right_has_many_words() -> None:
    """What the complaint names may differ from point to point; one that is none of them makes it a usual row."""
    for words, number in (("KeyError: 'coarse'", 5), ("diverged", 0)):
        streak = Streak()
        for fault in (Fault(1, "exit status 1: KeyError: 'fine'"), *[Fault(1, f"exit status 1: {words}")] * 4):
            streak.ended(streak.begun(), fault)
        assert len(streak.suspects()) == number


def test_failures_of_many_kinds() -> None:
    """They are too many where all failures together do not explain them."""
    streak = Streak(mixed("." * 31))
    for number in range(5):
        streak.ended(streak.begun(), Fault(number, f"exit status {number}"))
        assert streak.suspects() == ()
    streak.ended(streak.begun(), Fault(5, "exit status 5"))
    assert [fault.id for fault in streak.suspects()] == [0, 1, 2, 3, 4, 5]


def test_the_order_of_beginnings_counts() -> None:
    """A long evaluation that began among good ones says nothing of those that began after it."""
    streak = Streak(mixed("." * 31))
    old, dead = streak.begun(), [streak.begun() for _ in range(6)]
    late = streak.begun()
    for place in dead:
        streak.ended(place, BAD)
    streak.ended(old, None)
    assert len(streak.suspects()) == 6
    streak.ended(late, None)
    assert streak.suspects() == ()
    assert [streak.is_settled(place) for place in (*dead, late)] == [True] * 6 + [False]


def test_a_number_that_people_choose() -> None:
    """As many in a row as they say, if these look alike; no rate excuses them."""
    assert needed(Streak(mixed("xxxx." * 10), limit=3)) == 3
    assert needed(Streak(mixed("xx", Fault(1, "another")), limit=3)) == 3


def test_failures_on_record() -> None:
    """They count, with what failed since; those that somebody let pass do not, nor those of which nothing is known."""
    assert needed(Streak(mixed("." * 31 + "xxx"))) == 3
    assert needed(Streak(mixed("." * 31 + "x" * 9))) > 6
    assert needed(Streak(mixed("." * 31 + "xxx", Fault(1)))) > 6
    assert Streak(mixed("." * 31 + "x" * 9)).suspects(at_end=True) == ()


@pytest.mark.parametrize(("record", "number"), [("", 28), ("." * 31, 5), ("...", 20), ("xxxx." * 10, 42)])
def test_the_end_of_a_run(record: str, number: int) -> None:
    """It is looked at once, so that fewer failures are too many; more is not to be known."""
    streak = Streak(mixed(record))
    for count in range(1, number + 1):
        streak.ended(streak.begun(), BAD)
        assert bool(streak.suspects(at_end=True)) == (count == number)


def test_chances() -> None:
    """By hand: one failure after one success at any rate; a long row at the largest usual rate."""
    assert chance(1, 0, 1) == pytest.approx(1 / 3)
    assert chance(2, 0, 1) == pytest.approx(1 / 3 * 2 / 4)
    assert chance(50, 0, 0) == pytest.approx(0.8**50)
    assert chance(50, 90, 10) == pytest.approx(0.9**50)


def test_failures_at_one_spot_count_once() -> None:
    """A search may ask for the edge of a region where the simulator cannot work again and again."""
    edge, elsewhere = Streak(mixed("." * 31)), Streak(mixed("." * 31))
    for number in range(20):
        edge.ended(edge.begun(), BAD, (0.5, 0.5 + number * 1e-6))
        elsewhere.ended(elsewhere.begun(), BAD, (0.5, 0.5 + number * 1e-3))
        assert edge.suspects() == ()
        assert bool(elsewhere.suspects()) == (number >= 5)


def alarms(rate: float, kinds: Sequence[str], budget: int, runs: int) -> int:
    """Return in how many runs a simulator that fails at a rate was taken for dead."""
    found = 0
    for seed in range(runs):
        chances, streak = random.Random(seed), Streak()
        for _ in range(budget):
            failed = chances.random() < rate
            fault = Fault(1, chances.choice(kinds), chances.choice((0.01, 3.0))) if failed else None
            streak.ended(streak.begun(), fault)
            if failed and streak.suspects():
                found += 1
                break
        else:
            found += bool(streak.suspects(at_end=True))
    return found


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.6, 0.8])
@pytest.mark.parametrize("kinds", [["a"], ["a", "b", "c"]])
def test_failures_at_their_usual_rate(rate: float, kinds: list[str]) -> None:
    """They end no run."""
    assert alarms(rate, kinds, 50, 200) == 0
