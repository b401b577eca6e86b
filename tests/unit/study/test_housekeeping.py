"""The files of a study: what is deleted, what never is, and that the study goes on as before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, LockTimeoutError
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.study.reading.holding import lock_path
from ordbo_cli.study.reading.ledger import next_id, step_of
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow


@pytest.fixture
def going(study: Study, search: Any) -> Study:
    """A study with a result, a point that is out, one to be evaluated again, one that expired, and a comparison."""
    study.ask_batch(5)
    study.tell(1, id=1)
    study.tell(2, id=1, amend=True)
    study.retry([3])
    study.expire([4])
    study.tell(7, parameters={"angle": 7, "blades": 4})
    study.prefer(1, 5)
    return study


def names(study: Study) -> set[str]:
    return {path.name for path in study.problem_path.parent.iterdir()}


def known(study: Study) -> tuple[Any, ...]:
    """Return all that a study knows, but for the model's warm start."""
    files = study.read()
    ledger = files.ledger
    points = [[each.id for each in part] for part in (ledger.standing, ledger.waiting, ledger.again, ledger.compared)]
    return points, ledger.evaluations(), files.comparisons, step_of(ledger, files.state), next_id(ledger, files.state)


def test_what_goes_and_what_is_known_after_it(going: Study) -> None:
    """The state, its copy and the lock go; ids, steps, points that are out, and results are what they were."""
    before = known(going)
    gone = going.clean()
    assert [each.path.name for each in gone] == ["drag.state.json", "drag.state.json.bak", "drag.state.json.lock"]
    assert names(going) == {"drag.yaml", "drag.csv", "drag.comparisons.csv", "drag.suggestions.jsonl"}
    assert known(going) == before
    assert going.clean() == []
    assert "drag.state.json.lock" not in names(going)  # not even made for nothing


def test_what_belongs_into_version_control(going: Study) -> None:
    """What stays, and nothing else."""
    files = going.own_files()
    assert [each.path.name for each in files if each.versioned] == [
        "drag.yaml", "drag.csv", "drag.comparisons.csv", "drag.suggestions.jsonl",
    ]  # fmt: skip
    assert not [each for each in files if each.versioned == each.may_go]


def test_what_killed_calls_left_goes(going: Study) -> None:
    """Under the very names that the program gives; what looks like them is somebody else's."""
    folder, state = going.problem_path.parent, "drag.state.json"
    left = {
        f"{state}.unreadable-20260102T030405.678901Z", f".{state}.0123456789abcdef.tmp",
        ".drag.suggestions.jsonl.0123456789abcdef.tmp",
    }  # fmt: skip
    others = {
        f"{state}.unreadable", f"{state}.unreadable-mine", f".{state}.tmp", f"{state}.old", f"{state}.bak2",
        "other.state.json", "drag2.state.json", "drag.csv.bak", ".drag.yaml.0123456789abcdef.tmp", "drag-report.html",
    }  # fmt: skip
    for name in left | others:
        (folder / name).write_text("x")
    assert left <= {each.path.name for each in going.clean()}
    assert others <= names(going)
    assert not left & names(going)


def test_links_and_folders_stay(going: Study, tmp_path: Path) -> None:
    """Neither they nor what they lead to: the state may stand elsewhere, with another study's files beside it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    state = going.state_path
    state.rename(elsewhere / "s.json")
    state.symlink_to(elsewhere / "s.json")
    going.ask()  # which makes a lock beside the target
    backup = state.with_name("drag.state.json.bak")
    backup.unlink()
    backup.mkdir()
    before = (elsewhere / "s.json").read_bytes()
    assert lock_path(going.file) in elsewhere.iterdir()
    assert [each.path.name for each in going.clean()] == []
    assert (elsewhere / "s.json").read_bytes() == before
    assert lock_path(going.file) in elsewhere.iterdir()
    assert state.is_symlink()
    assert backup.is_dir()
    assert {each.why for each in going.own_files() if each.what == "state"} == {"a link"}


def test_a_copy_that_is_no_state_stays(going: Study) -> None:
    """Somebody keeps something of his own under that name."""
    backup = going.state_path.with_name("drag.state.json.bak")
    backup.write_text('{"mine": 1}')
    going.clean()
    assert backup.read_text() == '{"mine": 1}'


@pytest.mark.parametrize("lost", ["list", "answer"])
def test_a_state_that_alone_knows_something_stays(going: Study, lost: str) -> None:
    """What is out is in the list, too; where somebody has deleted that, or an answer, the state is all there is."""
    if lost == "list":
        going.file.handed.unlink()
    else:
        going.file.comparisons.unlink()
        table = going.evaluations_path
        table.write_text("".join(line for line in table.read_text().splitlines(True) if not line.startswith("1,")))
    before = known(going)
    assert [each.path.name for each in going.clean()] == ["drag.state.json.lock"]
    assert known(going) == before
    (state,) = (each for each in going.own_files() if each.what == "state")
    assert state.why.startswith("it alone knows " + ("what is out: 2" if lost == "list" else "of results that are"))


def test_a_state_of_another_problem_is_refused(going: Study) -> None:
    """It may be another study's, and so is what is beside it."""
    question = going.problem_path.read_text().replace("drag", "lift")
    going.problem_path.write_text(f"{question}evaluations: lift.csv\ncomparisons: lift.comparisons.csv\n")
    before = names(going)
    with pytest.raises(DataError, match="belongs to another problem"):
        Study.open(going.problem_path).clean()
    assert names(going) == before


def test_a_state_that_cannot_be_read_stays(going: Study) -> None:
    """It may be anything."""
    going.state_path.write_text("not mine")
    assert going.state_path not in [each.path for each in going.clean()]
    assert going.state_path.read_text() == "not mine"


def test_nothing_goes_while_somebody_is_at_work(going: Study) -> None:
    """The lock is waited for, and then the call is refused."""
    impatient = Study.open(going.problem_path, lock_timeout=0.05)
    with locked(lock_path(going.file), 1), pytest.raises(LockTimeoutError):
        impatient.clean()
    assert "drag.state.json" in names(going)


def test_who_waits_for_the_lock_gets_it(going: Study) -> None:
    """Deleted under processes that record all the time, it still lets in one at a time: nothing is lost."""
    script = (
        "import sys\nfrom ordbo_cli.study.study import Study\nstudy = Study.open(sys.argv[1])\n"
        "for k in range(15):\n    study.tell(k, parameters={'angle': int(sys.argv[2]) + k / 100, 'blades': 4})\n"
    )
    rows = len(going.read().table.rows)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", script, str(going.problem_path)]
    writers = [subprocess.Popen([*command, str(k)], env=environment) for k in (1, 2)]
    while any(each.poll() is None for each in writers):
        going.clean()
    assert [each.returncode for each in writers] == [0, 0]
    assert len(going.read().table.rows) == rows + 30
