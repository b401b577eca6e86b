"""Which row stands, and what still waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.files.handed import Pending
from ordbo_cli.files.state import Loaded, State
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.reading.ledger import Ledger, concerns, ledger_of, next_id, refuse_failures, step_of
from ordbo_cli.study.reading.naming import arrivals

Writer = Callable[[str | bytes], Path]

PROBLEM = Problem((Parameter("x", 0, 9),), "y")
HEAD = "id,x,y,status\n"


def pending(id: int, x: float, rows: int = 0) -> Pending:
    return Pending(id, {"x": x}, "2026-11-27T00:00:00+00:00", rows)


def ledger(path: Path, *waiting: Pending, problem: Problem = PROBLEM, step: int = 0, next: int = 1) -> Ledger:
    loaded = Loaded(State("", 0, step, next, waiting))
    return ledger_of(problem, arrivals(Evaluations(path, problem).table().rows, problem, loaded, waiting).rows, waiting)


def standing(found: Ledger) -> list[tuple[int, int | None, str]]:
    return [(entry.row.line, entry.id, entry.row.status) for entry in found.standing]


def test_the_last_row_of_an_id_stands_in_the_place_of_its_first_result(csv: Writer) -> None:
    """A result closes; an amendment replaces it, and is no new arrival."""
    found = ledger(csv(HEAD + "1,1,,pending\n2,2,5,ok\n1,1,7,ok\n2,2,6,ok\n,4,1,\n3,3,,pending\n"))
    assert standing(found) == [(5, 2, "ok"), (4, 1, "ok"), (6, 4, "ok")]
    assert [entry.id for entry in found.waiting] == [3]
    assert [(e.id, e.objective) for e in found.evaluations()] == [(2, Decimal(6)), (1, Decimal(7)), (4, Decimal(1))]


def test_a_row_without_id_answers_the_oldest_open_suggestion_at_its_point(csv: Writer) -> None:
    """The first answers, others are replicates with ids of their own, whichever stands first."""
    found = ledger(csv(HEAD + ",2,9,\n1,2,,pending\n2,2,,pending\n,2,5,\n,2.0,6,\n,2e0,7,ok\n"))
    assert standing(found) == [(2, 1, "ok"), (5, 2, "ok"), (6, 3, "ok"), (7, 4, "ok")]
    assert found.waiting == ()


def test_the_states_suggestions_are_answered_by_id_or_by_point(csv: Writer) -> None:
    """The CSV's word on an id goes before the state's."""
    path = csv(HEAD + "1,2,5,ok\n,3,6,\n")
    found = ledger(path, pending(1, 2), pending(2, 3), pending(3, 4))
    assert standing(found) == [(2, 1, "ok"), (3, 2, "ok")]
    assert [entry.id for entry in found.waiting] == [3]


def test_with_noise_only_later_rows_answer(csv: Writer) -> None:
    """A repeated point is not closed by its own past."""
    noisy = replace(PROBLEM, noise=True)
    path = csv("x,y\n2,5\n")
    assert [entry.id for entry in ledger(path, pending(1, 2, rows=1), problem=noisy).waiting] == [1]
    path.write_text("x,y\n2,5\n2,6\n")
    assert ledger(path, pending(1, 2, rows=1), problem=noisy).waiting == ()


def test_pending_rows_without_ids_take_the_states_id(csv: Writer) -> None:
    """In a file without ids, the row and the state's entry are one suggestion."""
    path = csv("x,y,status\n2,,pending\n3,,pending\n")
    found = ledger(path, pending(4, 3, rows=2))
    assert [(entry.id, entry.values, entry.row.line if entry.row else 0) for entry in found.waiting] == [
        (1, (2.0,), 2),
        (4, (3.0,), 3),
    ]
    path.write_text("x,y,status\n2,,pending\n3,,pending\n2,1,\n3,1,\n")
    assert ledger(path, pending(4, 3, rows=2)).waiting == ()


def test_abandoned_and_expired_points_are_different_things(csv: Writer) -> None:
    """Neither is ranked; only the abandoned one is never suggested again."""
    found = ledger(csv(HEAD + "1,1,,abandoned\n2,2,,expired\n3,3,,failed\n4,4,1,ok\n"))
    assert [evaluation.id for evaluation in found.evaluations()] == [3, 4]
    assert found.never_again() == [(1.0,)]
    assert found.counts() == {"ok": 1, "failed": 1, "abandoned": 1, "expired": 1, "pending": 0, "retry": 0}


@pytest.mark.parametrize("answer", ["5,ok", ",failed", ",abandoned"])
@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("P A E", 3),
        ("P E A", 4),
        ("A E", 2),
        ("E A", 3),
        ("P A E E", 3),
        ("E A E", 3),
        ("A P E", 2),
        ("A R P E A E", 6),
    ],
)
def test_a_result_wins_over_an_expiry(csv: Writer, rows: str, line: int, answer: str) -> None:
    """Whichever row of the id is the last: two machines, a race, a hand edit."""
    kinds = {"P": ",pending", "A": answer, "E": ",expired", "R": ",retry"}
    found = ledger(csv(HEAD + "".join(f"1,2,{kinds[kind]}\n" for kind in rows.split())), pending(1, 2))
    assert standing(found) == [(line, 1, answer.split(",")[1])]
    assert (found.waiting, found.again, found.counts()["expired"]) == ((), (), 0)


@pytest.mark.parametrize("rows", ["P E", "A R E", "P A R P E", "A E R E", "R E"])
def test_an_expiry_after_a_wish_to_repeat_stands(csv: Writer, rows: str) -> None:
    """An older answer no longer counts then."""
    kinds = {"P": ",pending", "A": "5,ok", "E": ",expired", "R": ",retry"}
    words = rows.split()
    found = ledger(csv(HEAD + "".join(f"1,2,{kinds[kind]}\n" for kind in words)))
    assert standing(found) == [(len(words) + 1, 1, "expired")]
    assert (found.waiting, found.again, found.evaluations()) == ((), (), [])


def test_a_late_result_arrives_when_it_comes(csv: Writer) -> None:
    """An expiry is no arrival, unlike a result that is amended."""
    found = ledger(csv(HEAD + "1,1,,expired\n2,2,,failed\n3,3,5,ok\n1,1,4,ok\n2,2,3,ok\n"))
    assert [evaluation.id for evaluation in found.evaluations()] == [2, 3, 1]


def test_in_a_file_without_ids_a_late_answer_takes_the_suggestion_over(csv: Writer) -> None:
    """Its expiry does not stand then; one that closes nothing does not stand beside an answer either."""
    head = "x,y,status\n"
    late = ledger(csv(head + "2,,expired\n2,5,ok\n"), pending(4, 2))
    assert (standing(late), late.waiting) == ([(3, 4, "ok")], ())
    early = ledger(csv(head + "2,5,ok\n2,,expired\n"), pending(4, 2))
    assert (standing(early), early.waiting) == ([(2, 4, "ok")], ())
    alone = ledger(csv(head + "2,,expired\n3,5,ok\n"), pending(4, 2))
    assert standing(alone) == [(2, 4, "expired"), (3, 1, "ok")]
    noisy = replace(PROBLEM, noise=True)
    before = ledger(csv(head + "2,5,ok\n2,,expired\n"), pending(4, 2, rows=1), problem=noisy)
    assert standing(before) == [(2, 1, "ok"), (3, 4, "expired")]


def test_a_point_that_expired_and_is_out_again_is_out(csv: Writer) -> None:
    """Rows from before it was handed out do not close it, with or without ids."""
    path = csv("x,y,status\n2,,expired\n")
    assert [entry.id for entry in ledger(path, pending(4, 2, rows=1)).waiting] == [4]
    path.write_text(HEAD + "3,2,,expired\n")
    assert [entry.id for entry in ledger(path, pending(4, 2, rows=1)).waiting] == [4]


def test_a_point_to_evaluate_again_is_neither_ranked_nor_taken(csv: Writer) -> None:
    """Its suggestion is open until a later row answers it, by id or by its values."""
    content = HEAD + "1,1,,pending\n1,1,99,retry\n,2,,retry\n,3,7,\n"
    found = ledger(csv(content))
    assert [(entry.id, entry.values) for entry in found.again] == [(1, (1.0,)), (2, (2.0,))]
    assert (found.waiting, found.never_again(), len(found.evaluations())) == ((), [], 1)
    found = ledger(csv(content + "1,1,5,ok\n,2,6,ok\n"))
    assert (found.again, standing(found)) == ((), [(5, 3, "ok"), (6, 1, "ok"), (7, 2, "ok")])
    found = ledger(csv(content + ",1,5,ok\n"))
    assert (len(found.again), standing(found)) == (1, [(5, 3, "ok"), (6, 1, "ok")])


def test_a_point_that_was_handed_out_again_waits(csv: Writer) -> None:
    """A pending row after the wish says so, or the state, which knows how many rows there were."""
    path = csv(HEAD + "1,1,,pending\n1,1,,retry\n")
    assert [entry.id for entry in ledger(path, pending(1, 1, rows=1)).again] == [1]
    found = ledger(path, pending(1, 1, rows=2))
    assert ([entry.id for entry in found.waiting], found.again) == ([1], ())
    found = ledger(csv(HEAD + "1,1,,pending\n1,1,,retry\n1,1,,pending\n"))
    assert ([entry.id for entry in found.waiting], found.again) == ([1], ())
    found = ledger(csv("x,y,status\n1,,pending\n1,,retry\n1,,pending\n1,5,\n"))
    assert (found.waiting, found.again, standing(found)) == ((), (), [(5, 1, "ok")])


def test_in_a_file_without_ids_a_wish_to_repeat_keeps_the_id_of_its_point(csv: Writer) -> None:
    """It is handed out under that, and a later result answers it."""
    path = csv("x,y,status\n1,5,\n1,,retry\n")
    assert [entry.id for entry in ledger(path).again] == [1]
    path.write_text("x,y,status\n1,5,\n1,,retry\n1,6,\n")
    assert (ledger(path).again, standing(ledger(path))) == ((), [(4, 1, "ok")])


def test_what_is_passed_over_is_told(csv: Writer) -> None:
    """Ignored failures, and points to repeat that the bounds no longer allow."""
    path = csv(HEAD + "1,1,,failed\n2,11,,retry\n,12,,retry\n")
    found = ledger(path)
    assert found.next_again() is None
    (stuck,) = concerns(PROBLEM, found)
    assert stuck.startswith("id 2, id 3: to be evaluated again, but")
    ignored, _ = concerns(replace(PROBLEM, failed="ignore"), found)
    assert ignored == "1 failed evaluation is ignored (failed: ignore)"


def test_ids_and_steps_go_on_from_whichever_is_larger(csv: Writer) -> None:
    """The CSV alone is enough, and so is the state."""
    path = csv(HEAD + "7,1,1,ok\n7,1,2,ok\n5,2,,pending\n")
    found, state = ledger(path), State("", 0, 1, 3)
    assert (next_id(found, state), step_of(found, state)) == (8, 2)
    assert (next_id(found, replace(state, next_id=20)), step_of(found, replace(state, step=9))) == (20, 9)


def test_failures_are_refused_where_the_problem_says_so(csv: Writer) -> None:
    """The row is named; an amended failure is none."""
    strict = replace(PROBLEM, failed="error")
    path = csv(HEAD + "1,1,,failed\n2,2,,failed\n1,1,3,ok\n")
    table = Evaluations(path, strict).table()
    with pytest.raises(DataError, match=r"drag\.csv:3:1: this evaluation failed"):
        refuse_failures(strict, ledger(path, problem=strict), table)
    refuse_failures(PROBLEM, ledger(path), table)
