"""What a step found, as the state keeps it: there and back, and whatever people make of it."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.insight.explanation import explained
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import Explanation, RunnerUp, StepRecord, Weighing
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def steps(quick: Method) -> Iterator[tuple[str, StepInput]]:
    """Yield steps of every kind, with what chooses their points."""
    X, y = random_study(12, 2, 1)
    some = evaluations(X[:8], y[:8])
    plain = unit_problem(2, quick)
    yield "initial", StepInput(plain)
    yield "initial", StepInput(plain, evaluations([(0.0, 0.0), (1.0, 1.0)], [1, None]), step=2)
    yield "acquire", StepInput(plain, evaluations(X, y), step=12)
    yield "acquire", StepInput(plain, some, [(0.5, 0.25)], 9)
    yield "spread", StepInput(plain, [], [tuple(x) for x in X[:5].tolist()], 5)
    yield "acquire", StepInput(unit_problem(2, replace(quick, acquisition="ei")), some, step=8)
    thompson = replace(quick, acquisition="thompson")
    yield "acquire", StepInput(unit_problem(2, thompson), some, step=8)
    line = unit_problem(1, replace(thompson, initial=2))
    yield "acquire", StepInput(line, evaluations([(0.0,), (1.0,), (0.4,)], [3, 2, 1]), step=3)
    yield "explore", StepInput(unit_problem(2, replace(quick, explore_every=1)), some, step=8)
    ends = evaluations([(0.0,), (1.0,)], [1, 2])
    yield "spread", StepInput(unit_problem(1, replace(quick, initial=2)), ends, [(0.5,), (0.25,)], 4)
    held = replace(plain, constraints=(Constraint.parse("x0 + x1 <= 1.2", plain.free),))
    yield "acquire", StepInput(held, some, step=8)
    covering = replace(held, method=replace(quick, explore_every=1))
    yield "explore", StepInput(covering, some, step=8)
    levels = Problem((Parameter("x", 0.0, 1.0), Parameter.of_levels("s", ["a", "b"], "categorical")), method=quick)
    rows = evaluations([(x, k % 2) for k, (x, _) in enumerate(X[:8])], [*y[:6], None, y[7]])
    yield "acquire", StepInput(levels, rows, step=8)


def test_there_and_back(quick: Method) -> None:
    """Through JSON, bit for bit: records of every kind, with an explanation and without one, counted and not."""
    seen = set()
    for kind, here in steps(quick):
        for explain in (None, explained):
            record = propose(here, explain=explain).record
            assert record.kind == kind
            assert (record.explanation is None) == (explain is None)
            for each in (record, replace(record, step=here.step, id=7)):
                said = each.to_dict()
                assert json.loads(json.dumps(said, allow_nan=False)) == said
                assert StepRecord.from_dict(json.loads(json.dumps(said))) == each
            if record.explanation is not None:
                seen.add(record.explanation.aim)
    assert seen >= {"corner", "filling", "largest", "spread", "covering"}
    assert seen & {"exploit", "explore"}


def test_what_does_not_apply_is_not_said() -> None:
    """A point of the initial design has a kind; one of the model's says what there is not only where that tells."""
    assert StepRecord("initial").to_dict() == {"kind": "initial"}
    assert StepRecord("initial", step=3, id=4).to_dict() == {"step": 3, "id": 4, "kind": "initial"}
    assert Explanation("corner", place=1, of=5).to_dict() == {"aim": "corner", "place": 1, "of": 5}
    assert Explanation("explore", sd_left=0.9, value=-1.0).to_dict() == {
        "aim": "explore", "sd_left": 0.9, "value": -1.0, "weights": [], "runner_up": None,
    }  # fmt: skip
    assert "runner_up" not in Explanation("largest", sd_left=0.9).to_dict()


def test_nothing_of_it_changes() -> None:
    """It is frozen, down to its edges."""
    record = StepRecord("acquire", ((0.0, 1.0),))
    with pytest.raises(FrozenInstanceError):
        record.mean = 0.0  # type: ignore[misc]  # what is refused
    assert hash(record) == hash(StepRecord("acquire", ((0.0, 1.0),)))


WHOLE = StepRecord(
    "acquire",
    cell=((0.0, 0.5), (0.25, 1.0)),
    mean=-1.5,
    sd=0.25,
    objective=-12.5,
    sigma=0.125,
    lengths=(1.5, 2.0),
    rows=9,
    left_out=1,
    pending_left_out=2,
    explanation=Explanation(
        "exploit",
        sd_left=0.25,
        weights=(Weighing(1, 4, 2, 0.5, line=2), Weighing(3, None, 9, -0.25, failed=True, results=2)),
        expected_rank=1.5,
        distinct_results=8,
        chance_to_beat_best=0.25,
        acquisition="lcb",
        value=-2.0,
        runner_up=RunnerUp(((0.5, 1.0), (0.0, 0.25)), value=-1.75),
    ),
    step=9,
    id=10,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=6,
)


def places(said: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON object, inner ones too."""
    entries = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    for key, value in entries:
        yield (key,)
        yield from ((key, *rest) for rest in places(value))


def with_value(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return the whole record with another value at a place."""
    said = copy.deepcopy(WHOLE.to_dict())
    inner: Any = said
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return said


@given(st.sampled_from(list(places(WHOLE.to_dict()))), JSON)
def test_any_value_in_any_field(path: tuple[Any, ...], value: Any) -> None:
    """None or a record that says what was there, and never an error."""
    said = with_value(path, value)
    found = StepRecord.from_dict(said)
    if found is not None and not any(isinstance(each, float) and math.isnan(each) for each in _leaves(said)):
        assert StepRecord.from_dict(found.to_dict()) == found
        assert found.cell is None or all(math.isfinite(x) for edges in found.cell for x in edges)


def _leaves(said: Any) -> Iterator[Any]:
    inner = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
    for each in inner:
        yield each
        yield from _leaves(each)


@given(JSON)
def test_any_value_in_its_place(value: Any) -> None:
    """What is no record at all is none."""
    assert StepRecord.from_dict(value) is None


@pytest.mark.parametrize("path", list(places(WHOLE.to_dict())), ids=repr)
def test_another_kind_of_value(path: tuple[Any, ...]) -> None:
    """A mapping is nowhere in place of anything else, nor a list of one."""
    for value in ({"a": {}}, [{"a": []}], object()):
        assert StepRecord.from_dict(with_value(path, value)) is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("kind",), "counted"), (("kind",), None), (("cell",), None), (("cell",), [[0.0, math.inf], [0.25, 1.0]]),
        (("cell",), "ab"), (("cell", 0), [0.0, 0.25, 0.5]), (("cell", 0, 1), 10**400), (("mean",), "-1.5"),
        (("mean",), True), (("rows",), 9.5), (("lengths",), ["long"]), (("lengths",), None), (("explanation",), []),
        (("explanation", "aim"), "win"), (("explanation", "weights"), None), (("explanation", "acquisition"), 3),
        (("explanation", "weights", 0, "rank"), None), (("explanation", "weights", 1, "failed"), 1),
        (("explanation", "runner_up", "cell"), None),
    ],
)  # fmt: skip
def test_what_it_cannot_hold(path: tuple[Any, ...], value: Any) -> None:
    """Another word, a number that is none, an edge without end."""
    assert StepRecord.from_dict(with_value(path, value)) is None


def test_entries_that_are_missing_or_new() -> None:
    """What is optional may be missing; what a later version says is passed over; without a kind there is no record."""
    said = WHOLE.to_dict()
    assert StepRecord.from_dict({**said, "analysis": {"gain": 3}}) == WHOLE
    assert StepRecord.from_dict({"kind": "acquire", "cell": said["cell"]}) == StepRecord("acquire", WHOLE.cell)
    assert StepRecord.from_dict({name: value for name, value in said.items() if name != "kind"}) is None
