"""SettingOrder-only inputs: whatever happens, a suggestion is in its place, and nothing but the order has a say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.setting_order import NoPlace, SettingOrder

pytestmark = pytest.mark.slow

LOOPS = settings(max_examples=15, deadline=None)


@dataclass
class Knob:
    """A knob, and where it stood for each id: known to who stands there."""

    stood: dict[int, float] = field(default_factory=dict)

    def turn(self, id: int, words: str, share: float) -> float:
        """Turn the knob to a share of the way between the neighbours; that they are neighbours is checked."""
        said = words.split()
        at = sorted(set(self.stood.values()))
        if said[0] == "as":
            self.stood[id] = self.stood[int(said[1])]
            return self.stood[id]
        assert (said[0] == "any") == (not at)
        low = self.stood[int(said[1])] if said[0] in ("above", "between") else 0.0
        high = self.stood[int(said[-1])] if said[0] in ("below", "between") else 1.0
        assert low < high
        assert not any(low < x < high for x in at)
        self.stood[id] = low + share * (high - low)
        return self.stood[id]


def problem(seed: int) -> Problem:
    """Return a problem with a float, a whole number and two knobs without scales."""
    return Problem(
        (Parameter("speed", 0, 10), Parameter.of_rank("stir"), Parameter("n", 1, 3, "int"), Parameter.of_rank("grind")),
        seed=seed,
    )


def loop(seed: int, shares: Sequence[float], late: Sequence[bool]) -> list[tuple[str, str]]:
    """Return the words of the suggestions of a loop in which some answers come late."""
    optimizer, stir, grind, out = Optimizer(problem(seed)), Knob(), Knob(), []
    said = []
    for share, waits in zip(shares, late, strict=True):
        point = optimizer.ask()
        words = (str(point.parameters["stir"]), str(point.parameters["grind"]))
        said.append(words)
        # The order alone decides: how far the knob is turned between its neighbours is anybody's choice.
        stir.turn(point.id, words[0], share)
        grind.turn(point.id, words[1], 1.0 - share)
        out.append(point)
        if not waits:
            for each in out:
                optimizer.tell(each, None if each.id % 7 == 0 else _result(each.id, stir, grind))
            out = []
    return said


def _result(id: int, stir: Knob, grind: Knob) -> int:
    """Return a result by the order of the settings alone."""
    order = [sorted(set(knob.stood.values())).index(knob.stood[id]) for knob in (stir, grind)]
    return abs(order[0] - 4) + 2 * abs(order[1] - 2)


@LOOPS
@given(st.integers(0, 99), st.data())
def test_never_out_of_its_place(seed: int, data: st.DataObject) -> None:
    """The neighbours that a suggestion names are next to each other, with answers that are late and failures."""
    shares = data.draw(st.lists(st.floats(0.05, 0.95), min_size=10, max_size=12))
    late = data.draw(st.lists(st.booleans(), min_size=len(shares), max_size=len(shares)))
    loop(seed, shares, late)


@LOOPS
@given(st.integers(0, 99), st.lists(st.floats(0.05, 0.95), min_size=10, max_size=10))
def test_where_in_its_gap_a_setting_is_does_not_matter(seed: int, shares: list[float]) -> None:
    """Two people who turn a knob differently between the same neighbours, with the same results, are told the same."""
    late = [False] * len(shares)
    assert loop(seed, shares, late) == loop(seed, [0.5] * len(shares), late)


@LOOPS
@given(st.integers(0, 99), st.permutations(range(1, 9)))
def test_other_ids_give_the_same_point(seed: int, ids: list[int]) -> None:
    """Who numbers past rows otherwise gets the same point, in the words of these numbers."""
    words = ("any", "above {0}", "below {0}", "between {0} and {1}", "as {1}", "above {1}", "between {2} and {0}")

    def asked(ids: Sequence[int]) -> tuple[tuple[float, ...], tuple[str, str]]:
        past = [
            Evaluation((k, said.format(*ids), 1, said.format(*ids)), Decimal(k * k % 5), ids[k])  # type: ignore[arg-type]
            for k, said in enumerate(words)
        ]
        point = Optimizer(problem(seed), past).ask()
        return tuple(map(float, point.values)), (str(point.parameters["stir"]), str(point.parameters["grind"]))

    values, said = asked(range(1, 9))
    others, otherwise = asked(ids)
    assert values == others
    names = {str(k): str(id) for k, id in enumerate(ids, 1)}
    assert [[names.get(word, word) for word in words.split()] for words in said] == [
        words.split() for words in otherwise
    ]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("gap", "as")), st.integers(0, 10**6)), max_size=30))
def test_the_words_of_a_place_lead_back_to_it(choices: list[tuple[str, int]]) -> None:
    """Every label has words, and these words the label; what is placed is neither moved nor told otherwise."""
    order, placed = SettingOrder(), {}
    for id, (kind, number) in enumerate(choices, 1):
        again = kind == "as" and bool(order.settings)
        words = f"as {number % (id - 1) + 1}" if again else order.gap(number % (len(order.settings) + 1))
        label = order.label(words)
        assert order.label(order.words(label)) == label
        order.add(id, label, words)
        placed[id] = label
        assert order.by_id == placed
        assert order.labels == sorted(set(placed.values()))
        assert all(order.label(f"as {other}") == x for other, x in placed.items())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=12), st.data())
def test_a_gap_is_taken_once(numbers: list[int], data: st.DataObject) -> None:
    """Words that have placed a setting name no place any more, so that none is guessed."""
    order, used = SettingOrder(), []
    for id, number in enumerate(numbers, 1):
        used.append(order.gap(number % (len(order.settings) + 1)))
        order.add(id, order.label(used[-1]))
    words = data.draw(st.sampled_from(used))
    try:
        order.label(words)
    except NoPlace:
        return
    raise AssertionError(words)
