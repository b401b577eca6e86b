"""Taking back what was recorded last: what stands then is what stood before, and nothing written is changed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, FileError, UsageError
from ordbo_cli.study.study import Study
from ordbo_cli.study.telling.compare import Compared
from ordbo_cli.study.telling.recording import Told
from ordbo_cli.study.telling.undoing import Undone
from tests.stand_in import Proposed, step_module

pytestmark = pytest.mark.slow

Csv = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"


def said(study: Study) -> tuple[Any, ...]:
    """Return what stands, what waits, and what is to be evaluated again."""
    ledger = study.read().ledger
    standing = [(each.id, each.row.status, each.row.text) for each in ledger.standing]
    return standing, [each.id for each in ledger.waiting], [each.id for each in ledger.again]


def ids(undone: Iterable[Undone]) -> list[int | None]:
    """Return the points that things were about."""
    return [each.was.id for each in undone if isinstance(each.was, Told)]


def acts(study: Study) -> list[Callable[[], object]]:
    """Return one call for each kind of thing that is recorded."""
    return [
        study.ask,
        lambda: study.ask(append=True),
        lambda: study.tell(3, id=1),
        lambda: study.tell(None, id=2),
        lambda: study.tell(1, id=1, amend=True),
        lambda: study.tell(2.5, parameters={"angle": 7, "blades": 4}),
        study.ask,
        lambda: study.retry([4]),
        study.ask,
        lambda: study.expire([4]),
        study.ask,
        lambda: study.tell(id=5, abandon=True),
    ]


def test_each_kind_of_thing(study: Study, search: Any) -> None:
    """Taken back one by one, all that was recorded is gone again, and each step stands as it stood."""
    before = [said(study)]
    for act in acts(study):
        act()
        before.append(said(study))
    written = study.evaluations_path.read_bytes()
    while len(before) > 1:
        before.pop()
        study.undo()
        assert said(study) == before[-1]
    assert study.evaluations_path.read_bytes().startswith(written)
    with pytest.raises(DataError, match="nothing is recorded that could be taken back"):
        study.undo()


def test_several_at_once(study: Study, search: Any) -> None:
    """All that are asked for or none, the newest first; another call takes back what came before."""
    study.ask_batch(3)
    study.tell(1, id=1)
    written = study.evaluations_path.read_bytes()
    with pytest.raises(UsageError, match="5 things are to be taken back, and there are 4 things"):
        study.undo(5)
    assert ids(study.undo(2, dry_run=True)) == [1, 3]
    assert study.evaluations_path.read_bytes() == written
    assert ids(study.undo(2)) == [1, 3]
    assert said(study) == ([], [1, 2], [])
    assert ids(study.undo(2)) == [2, 1]
    assert study.ask().id == 4  # no id comes twice


def test_of_one_point(study: Study, search: Any) -> None:
    """The last that was recorded of it, whatever came after; what nobody recorded of it is an error."""
    study.ask_batch(2)
    study.tell(1, id=1)
    study.tell(2, id=2)
    (undone,) = study.undo(id=1)
    assert isinstance(undone.was, Told)
    assert undone.stands is not None
    assert (undone.was.objective, undone.stands.status) == ("1", "pending")
    assert said(study) == ([(2, "ok", "2")], [1], [])
    with pytest.raises(DataError, match="nothing is recorded of id 9 that"):
        study.undo(id=9)


def test_a_result_that_was_appended_by_hand(study: Study, search: Any) -> None:
    """It is a row as any other; told once more after that, it stands."""
    study.ask(append=True)
    with study.evaluations_path.open("a") as file:
        file.write("1,0.5,3,2.0,0.7,ok\n")
    study.undo()
    assert said(study) == ([], [1], [])
    study.tell(0.7, id=1)
    assert said(study) == ([(1, "ok", "0.7")], [], [])


def test_without_the_state(study: Study, search: Any) -> None:
    """What was taken back stays so: the rows alone say it."""
    study.ask_batch(2)
    study.tell(1, id=1)
    study.undo(2)
    before = said(study)
    study.state_path.unlink()
    assert said(study) == before == ([], [1], [])


def test_a_table_without_ids(study: Study, search: Any, csv: Csv) -> None:
    """A suggestion whose point was there before waits again under its own number."""
    csv("angle,blades,span,drag,status\n0.5,3,2,,expired\n")
    study.ask()
    id = study.ask().id
    study.tell(id=id, abandon=True)
    before = said(study)
    study.undo()
    assert said(study)[1] == [2, id]
    assert said(study) != before


def test_an_abandoned_point_of_a_table_without_ids(study: Study, monkeypatch: pytest.MonkeyPatch, csv: Csv) -> None:
    """Where a point was expired and came again, the number of the second time is what waits."""
    csv("angle,blades,span,drag,status\n")
    points = iter([(1.0, 4), (1.0, 4), (2.0, 5)])
    module = step_module(lambda *_, **__: Proposed(next(points), {}))
    monkeypatch.setitem(sys.modules, "ordbo_cli.search.step", module)
    study.ask()
    study.expire([1])
    study.ask()
    study.tell(id=2, abandon=True)
    study.ask()
    study.undo(2)
    assert said(study)[1] == [2]


def test_comparisons(study: Study, search: Any) -> None:
    """The last one goes first where its file is the younger; ``comparisons`` means them whatever came after."""
    study.ask_batch(2, append=True)
    study.prefer(1, 2)
    study.tie(2, 1)
    times(study, comparisons=20)
    assert study.undo()[0].was == Compared(2, 1, tie=True)
    study.tell(2, parameters={"angle": 7, "blades": 4})
    times(study, comparisons=10)
    assert study.undo(dry_run=True)[0].was != Compared(1, 2, tie=False)
    assert study.undo(comparisons=True)[0].was == Compared(1, 2, tie=False)
    assert not study.read().judgements.judged
    with pytest.raises(DataError, match="no comparison is recorded"):
        study.undo(comparisons=True)


def test_what_the_files_do_not_tell_is_said(study: Study, search: Any) -> None:
    """Whether a comparison or a row came before the last thing; not where comparisons or a point are meant."""
    study.ask_batch(2, append=True)
    study.prefer(1, 2)
    study.prefer(2, 1)
    times(study, comparisons=20)
    assert not study.undo(dry_run=True).warnings
    (said,) = study.undo(2, dry_run=True).warnings
    assert said.startswith("whether a comparison or a row came last before that is not told by the files; 'ordbo undo ")
    assert not study.undo(2, comparisons=True, dry_run=True).warnings
    assert not study.undo(2, id=1, dry_run=True).warnings
    study.undo()
    assert "came last is not told" in study.undo(dry_run=True).warnings[0]
    assert not study.undo(comparisons=True).warnings
    assert not study.undo().warnings  # no comparison is left


def times(study: Study, comparisons: int) -> None:
    """Set when the comparisons were changed, in seconds; all else was at 15."""
    for path in study.problem_path.parent.iterdir():
        when = comparisons if path == study.file.comparisons else 15
        os.utime(path, (when, when))


def test_a_table_without_a_status(study: Study, search: Any, csv: Csv) -> None:
    """It cannot say that a row is taken back: the line is named, and nothing is written."""
    path = csv("angle,blades,span,drag\n1,3,2,0.5\n")
    with pytest.raises(DataError, match="no column 'status' can say that a row is taken back") as caught:
        study.undo()
    assert "take out line 2 by hand" in caught.value.hint
    assert [each.name for each in path.parent.iterdir() if each.suffix == ".lock"] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_nobody_may_write(study: Study, search: Any) -> None:
    """The system's refusal is told, and what stood stands."""
    study.ask(append=True)
    before = said(study)
    study.evaluations_path.chmod(0o444)
    with pytest.raises(FileError, match="append to it"):
        study.undo()
    assert said(study) == before
