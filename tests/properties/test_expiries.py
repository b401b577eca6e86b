"""A real result wins over an expiry, in whatever order the rows of an id stand and whatever stands between them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.state import Loaded, State
from ordbo_cli.files.tables.table import Row, Status
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.reading.ledger import Ledger, ledger_of
from ordbo_cli.study.reading.naming import arrivals

pytestmark = pytest.mark.slow

PROBLEM = Problem((Parameter("x", 0, 99),), "y")
STATUSES: tuple[Status, ...] = ("ok", "failed", "abandoned", "pending", "expired", "retry")
ANSWERS: tuple[Status, ...] = ("ok", "failed", "abandoned")


def ledger(rows: Sequence[tuple[int | None, float, Status]], *out: Pending) -> Ledger:
    """Return the ledger of rows, each with its id, its value and its status."""
    made = [Row(k + 2, k, id, status, (x,), None, "", outside=False) for k, (id, x, status) in enumerate(rows)]
    return ledger_of(PROBLEM, arrivals(made, PROBLEM, Loaded(State("", 0, pending=out)), out).rows, out)


def expected(statuses: Sequence[Status]) -> tuple[str, int]:
    """Return what the rows of one id amount to, and which of them says so: the rule, written down another way."""
    wishes = [k for k, status in enumerate(statuses) if status == "retry"]
    since = wishes[-1] if wishes else -1
    later = range(since + 1, len(statuses))
    for kinds in (ANSWERS, ("expired",), ("pending",)):  # an expiry yields to an answer, and a pending row to both
        if found := [k for k in later if statuses[k] in kinds]:
            return statuses[found[-1]], found[-1]
    return "retry", since


def seen(found: Ledger, id: int) -> tuple[str, int]:
    """Return the same from a ledger, the row by its line."""
    rows = [(each.row.status, each.row.line) for each in found.standing if each.id == id]
    rows += [("pending", each.row.line) for each in found.waiting if each.id == id and each.row]
    rows += [("retry", each.row.line) for each in found.again if each.id == id and each.row]
    (only,) = rows
    return only


def test_every_order_of_up_to_five_rows() -> None:
    """All 9330 of them, against the rule; the state may know the suggestion as well or not."""
    for length in range(1, 6):
        for statuses in itertools.product(STATUSES, repeat=length):
            status, place = expected(statuses)
            for out in ((), (Pending(1, {"x": 2.0}, "", 0),)):
                found = ledger([(1, 2.0, each) for each in statuses], *out)
                assert seen(found, 1) == (status, place + 2), statuses


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(STATUSES)), min_size=1, max_size=16))
def test_rows_of_other_ids_change_nothing(rows: list[tuple[int, Status]]) -> None:
    """However the rows of several suggestions are mixed."""
    found = ledger([(id, float(id), status) for id, status in rows])
    for id in {id for id, _ in rows}:
        lines = [k + 2 for k, row in enumerate(rows) if row[0] == id]
        status, place = expected([row[1] for row in rows if row[0] == id])
        assert seen(found, id) == (status, lines[place])


@settings(max_examples=300)
@given(st.data())
def test_any_order_of_one_answer_and_its_expiries(data: st.DataObject) -> None:
    """The same evaluations, by id and in a file without ids: the model sees the result wherever its row stands."""
    answer: Status = data.draw(st.sampled_from(ANSWERS))
    expiries: list[Status] = ["expired"] * data.draw(st.integers(1, 3))
    statuses = data.draw(st.permutations([answer, *expiries]))
    others = data.draw(st.lists(st.integers(0, len(statuses)), max_size=3))
    for id in (1, None):
        rows: list[tuple[int | None, float, Status]] = [(id, 2.0, status) for status in statuses]
        for k, place in enumerate(others):
            rows.insert(place, (None if id is None else k + 5, 50.0 + k, "ok"))
        found = ledger(rows, Pending(1, {"x": 2.0}, "", 0))
        here = [(each.id, each.row.status) for each in found.standing if each.row.values == (2.0,)]
        assert here == [(1, answer)]
        assert (found.waiting, found.again) == ((), ())
