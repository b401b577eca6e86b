"""The rows of a table in any order are the same study; what is lost by it, without a state, is arrival alone."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.seen import Mark, marks_from, marks_of, marks_text, missing_answers, recalled
from ordbo_cli.files.state import Loaded, State
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import Row, Status
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.reading.ledger import Values, ledger_of
from ordbo_cli.study.reading.naming import arrivals

pytestmark = pytest.mark.slow

PROBLEM = Problem((Parameter("x", 0, 99),), "y")
CLOSING: tuple[Status, ...] = ("ok", "failed", "abandoned", "expired", "retry")
STATUSES: tuple[Status, ...] = (*CLOSING, "pending")

Said = tuple[int | None, float, Status, int]
"""Id, value, status and result of a row."""


Stands = tuple[int, Values, Status, str]


def rows(said: Sequence[Said]) -> list[Row]:
    return [
        Row(k + 2, k, id, status, (x,), Decimal(y) if status == "ok" else None, str(y), outside=False)
        for k, (id, x, status, y) in enumerate(said)
    ]


def outcome(said: Sequence[Said], state: State) -> tuple[list[Stands], list[int], list[int], tuple[Mark, ...]]:
    """Return what stands, what is out and what is to be done again; and the marks of the rows."""
    out = state.pending
    found = arrivals(rows(said), PROBLEM, Loaded(state), out).rows
    ledger = ledger_of(PROBLEM, found, out)
    standing = sorted((e.id, e.row.values, e.row.status, str(e.row.objective)) for e in ledger.standing)
    return standing, [e.id for e in ledger.waiting], sorted(e.id for e in ledger.again), marks_of(found)


def of_id(id: int) -> st.SearchStrategy[list[Said]]:
    """Return the rows of one id: any number of any kind."""
    one = st.tuples(st.just(id), st.just(float(id)), st.sampled_from(STATUSES), st.integers(0, 9))
    return st.lists(one, max_size=5)


@settings(max_examples=500)
@given(st.data())
def test_rows_that_were_seen_are_the_same_in_any_order(data: st.DataObject) -> None:
    """Amendments, expiries and wishes to repeat among them, with ids or without: their marks tell when they came."""
    said = [each for id in range(1, 5) for each in data.draw(of_id(id))]
    said = data.draw(st.permutations(said))
    nameless = data.draw(st.booleans())
    said = [(None if nameless else id, x, status, y) for id, x, status, y in said]
    before = State("", 0, next_id=9, pending=(Pending(1, {"x": 1.0}, "", 0),))
    marks = outcome(said, before)[-1]
    state = State("", 0, next_id=9, pending=(Pending(1, {"x": 1.0}, "", len(said)),), seen=marks)
    *again, _ = outcome(said, state)
    *mixed, same = outcome(data.draw(st.permutations(said)), state)
    assert mixed == again
    assert same == marks
    assert marks_from(marks_text(marks)) == marks


@settings(max_examples=500)
@given(st.data())
def test_without_a_state_pending_rows_may_stand_anywhere(data: st.DataObject) -> None:
    """Where each point has one answer: a spreadsheet that sorts by the result puts the empty ones last."""
    kinds: tuple[Status, ...] = ("ok", "failed", "abandoned", "pending")
    answers = data.draw(st.lists(st.sampled_from(kinds), max_size=8))
    said: list[Said] = []
    for id, status in enumerate(answers, 1):
        said += [(id, float(id), "pending", 0)] * data.draw(st.integers(0, 2))
        said += [(id, float(id), status, id)]
    if data.draw(st.booleans()):
        said = [(None, x, status, y) for _, x, status, y in said]
    fresh = State("", 0)

    def results(said: Sequence[Said]) -> tuple[list[str], int]:
        standing, waiting, again, _ = outcome(said, fresh)
        assert not again
        return sorted(map(str, [each[1:] for each in standing])), len(waiting)

    assert results(data.draw(st.permutations(said))) == results(said)


@settings(max_examples=300)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.data())
def test_what_is_cut_is_missed(ids: list[int], data: st.DataObject) -> None:
    """Every id whose answer is gone is known, and no other; rows that come back are missed no more."""
    said: list[Said] = [(id, float(id), "ok" if k % 3 else "pending", k) for k, id in enumerate(ids)]
    marks = marks_of(rows(said))
    kept = data.draw(
        st.lists(st.sampled_from(said), unique=True).map(lambda kept: [each for each in said if each in kept])
    )
    found = missing_answers(recalled(rows(kept), marks), marks, ())
    newest = {id: y for id, _, status, y in said if status == "ok"}
    left = {id: y for id, _, status, y in kept if status == "ok"}
    assert found.gone == newest.keys() - left.keys()
    assert found.older == {id for id in left if left[id] != newest[id]}
    again = recalled(rows(data.draw(st.permutations(said))), marks_of(rows(kept)))
    assert not missing_answers(again, marks_of(rows(kept)), found.gone).gone


@settings(max_examples=100)
@given(st.permutations(range(5)))
def test_settings_that_are_known_by_their_order_have_their_places_in_any_order(order: list[int]) -> None:
    """Their words name rows that came before, which a sorted table has below them."""
    problem = Problem((Parameter.of_rank("stir"),), "y")
    lines = ("1,any,5,ok", "2,above 1,4,ok", "3,between 1 and 2,3,ok", "4,between 3 and 2,2,ok", "5,below 1,,pending")
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_text("\n".join(["id,stir,y,status", *(lines[k] for k in order), ""]))
        settings = Evaluations(path, problem).table().orders.of("stir").settings
    assert [setting.id for setting in settings] == [5, 1, 3, 4, 2]
