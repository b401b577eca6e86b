"""Expiries and wishes to repeat, for many suggestions at once."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.tables.table import append_rows
from ordbo_cli.study.study import Study
from ordbo_cli.study.telling import recording

HEAD = "id,angle,blades,span,drag,status\n"


def made(study: Study, **times: str) -> None:
    """Set when suggestions were made, by ``i`` and id."""
    state = json.loads(study.state_path.read_text())
    for entry in state["pending"]:
        entry["time"] = times.get(f"i{entry['id']}", entry["time"])
    study.state_path.write_text(json.dumps(state))


def ids(points: Any) -> list[int | None]:
    return [point.id for point in points]


@pytest.mark.slow
def test_an_expired_point_counts_as_not_tried(study: Study, search: Any) -> None:
    """Its id stays used, and a result that comes late is recorded and counts."""
    study.ask_batch(3)
    (told,) = study.expire([2])
    assert (told.id, told.status, told.new, told.objective) == (2, "expired", True, None)
    assert study.evaluations_path.read_text() == HEAD + "2,1.5,4,2.0,,expired\n"
    assert study.ask().id == 4
    given = search.calls[-1]
    assert (given.evaluations, given.pending, given.avoid) == ([], [(0.5, 3), (2.5, 5)], [])
    assert study.tell(7, id=2).warnings == ("suggestion 2 had expired; its answer is recorded all the same",)
    assert not study.tell(7, id=2).new
    assert study.best().id == 2
    expired = study.expire([2])
    assert not expired[0].new
    assert expired.warnings == ("suggestion 2 has its answer already: it is ok with 7 (line 3), and stays so",)


def test_all_rows_are_appended_at_once(study: Study, search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One append for any number of suggestions, and none where there is nothing to say."""
    study.ask_batch(5)
    calls: list[int] = []

    def counting(table: Any, problem: Any, rows: Any) -> None:
        calls.append(len(rows))
        append_rows(table, problem, rows)

    monkeypatch.setattr(recording, "append_rows", counting)
    assert ids(study.expire()) == [1, 2, 3, 4, 5]
    assert study.expire() == study.retry() == ()
    assert [number for number in calls if number] == [5]


def test_ages(study: Study, search: Any) -> None:
    """By the state's time; what is unknown, or is no time any more, is kept and named."""
    study.ask_batch(4)
    study.evaluations_path.write_text("id,angle,blades,drag,status\n,9,9,,pending\n")
    made(study, i1="2020-01-01T00:00:00+00:00", i2="2020-01-01T00:00:00+02:00", i4="soon")
    old = study.pending(3600)
    assert (ids(old), old.warnings) == ([1, 2], ("id 4, id 5: nobody knows since when, left out",))
    assert ids(study.expire(older_than=3600, dry_run=True)) == [1, 2]
    again = study.retry(older_than=3600)
    assert (ids(again), again.warnings) == ([1, 2], ("id 4, id 5: nobody knows since when, kept",))
    points = study.pending()
    assert [(point.id, point.again, point.line) for point in points] == [
        (3, False, None), (4, False, None), (5, False, 2), (1, True, 3), (2, True, 4),
    ]  # fmt: skip
    assert ids(study.expire(older_than=0)) == [3]
    assert ids(study.expire()) == [4, 5]
    assert ids(study.pending()) == [1, 2]


def test_views_are_frozen(study: Study, search: Any) -> None:
    """Nobody changes what was said."""
    study.ask()
    (point,) = study.pending()
    with pytest.raises(FrozenInstanceError):
        point.id = 2  # type: ignore[misc]  # the attempt is the test


def test_points_come_back_under_their_ids(study: Study, search: Any) -> None:
    """In the order in which they were put into the queue; an expired one can be put there, too."""
    study.ask_batch(3, append=True)
    study.expire([3])
    again = study.retry([2, 3, 2])
    assert (ids(again), again.warnings) == ([2, 3], ("suggestion 3 had expired; it is to be evaluated again",))
    assert ids(study.ask_batch(3)) == [2, 3, 4]
    assert study.retry([2], dry_run=True)[0].new
    study.tell(1, id=2)
    with pytest.raises(DataError, match="'observe --amend' replaces it"):
        study.retry([1, 2])
    assert ids(study.pending()) == [1, 3, 4]


def test_one_wrong_id_is_enough(study: Study, search: Any) -> None:
    """Nothing is recorded then, and no lock is left."""
    study.evaluations_path.write_text(HEAD + "1,1,3,2,,pending\n")
    for call in (study.expire, study.retry):
        with pytest.raises(DataError, match="no suggestion has the id 9"):
            call([1, 9])
    assert {path.name for path in study.problem_path.parent.iterdir()} == {"drag.yaml", "drag.csv"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ids": [1], "older_than": 5}, "by id and by age at once"),
        ({"ids": []}, "no id is given"),
        ({"older_than": -1}, "an age of -1 seconds"),
        ({"older_than": float("nan")}, "an age of nan seconds"),
    ],
)
def test_wrong_calls(study: Study, arguments: dict[str, Any], message: str) -> None:
    """Refused before any file is read."""
    for call in (study.expire, study.retry):
        with pytest.raises(UsageError, match=message):
            call(**arguments)
    with pytest.raises(UsageError, match="an age of -1 seconds"):
        study.pending(-1)


def test_a_file_without_ids(study: Study, search: Any) -> None:
    """Its rows close by their values; a late answer is recorded once, and is the suggestion's."""
    study.evaluations_path.write_text("angle,blades,drag,status\n9,9,4,ok\n")
    study.ask_batch(2, append=True)
    assert ids(study.expire([2])) == [2]
    assert ids(study.pending()) == [3]
    study.tell(3, id=2)
    assert not study.tell(3, id=2).new
    assert study.best().id == 2
    assert (study.status().expired, study.status().ok) == (0, 2)


def test_a_changed_constant_does_not_keep_a_suggestion(problem_path: Path, search: Any) -> None:
    """The row says what it was made with."""
    Study.open(problem_path).ask()
    problem_path.write_text(problem_path.read_text().replace("value: 2.0", "value: 3.0"))
    study = Study.open(problem_path)
    assert not any("set aside" in warning for warning in study.expire().warnings)
    assert study.evaluations_path.read_text() == HEAD + "1,0.5,3,2.0,,expired\n"
    assert study.pending() == ()
