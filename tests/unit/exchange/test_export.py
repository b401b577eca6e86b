"""A copy of a study that holds ranks alone leads to the same next points."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.errors import FileError, MissingFileError, ProblemError
from ordbo_cli.exchange import export
from ordbo_cli.exchange.export import export_ranks
from ordbo_cli.files.durable import atomic
from ordbo_cli.files.problem_file.problem_file import read_problem
from ordbo_cli.files.problem_file.problem_text import problem_text
from ordbo_cli.problem import Condition, Fixed, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.study import Study

PROBLEM = """\
# a secret comment
objective: {name: "drag, total", goal: %s, unit: N}
parameters:
  wall shear: {min: 1e-3, max: 1e3, scale: log, digits: 3, unit: Pa}
  blades: {type: int, min: 3, max: 9}
  "no": {min: 0, max: 12, step: 0.1}
  fluid: {value: "oil, hot"}
  span: {value: 2.0}
noise: %s
seed: 5
method: {preset: default, beta: 2.5, iterations: 20}
"""
# A bit of everything that a table may hold: amended, failed, infinite, outside, set apart, given up, late, open.
ROWS = """\
note,id,wall shear,blades,no,fluid,span,"drag, total",status
,1,1,4,3.0,"oil, hot",2,{0}7.25,ok
a,2,2,5,3.5,"oil, hot",2,,pending
,2,2,5,3.5,"oil, hot",2,{0}1e400,ok
b,,3,6,4,,,{0}7.250,
,1,1,4,3.0,"oil, hot",2,{0}6.125,ok
,3,4,7,4.5,"oil, hot",2,,failed
,4,5,8,5,"oil, hot",2,{0}inf,
,5,5000,8,5,"oil, hot",2,{0}0.5,
,6,6,9,6,"oil, hot",9,{0}0.25,
,7,7,3,6.5,"oil, hot",2,,abandoned
,8,8,3,7,"oil, hot",2,,expired
,9,9,4,7.5,"oil, hot",2,,retry
,10,10,4,8,"oil, hot",2,,pending
,11,11,5,8.5,"oil, hot",9,,abandoned
,12,12,5,9,water,2,,pending
,13,1,4,3.0,"oil, hot",2,{0}6.0,ok
"""


def a_study(folder: Path, goal: str = "minimize", noise: str = "true", rows: str = ROWS) -> Study:
    folder.mkdir(exist_ok=True)
    path = folder / "pump station.yaml"
    path.write_text(PROBLEM % (goal, noise))
    path.with_suffix(".csv").write_text(rows.format("-" if goal == "maximize" else ""))
    return Study.open(path)


def seen(given: StepInput) -> Any:
    """Return all that the next point follows from, but for the fit before, and for ids and what ranks stand for."""
    failed = [e.objective is None for e in given.evaluations]
    points = [e.values for e in given.evaluations]
    return points, ranks(given.problem, given.evaluations), failed, given.pending, given.step, given.avoid


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("noise", ["true", "false"])
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_the_copy_leads_to_the_same_next_point(tmp_path: Path, goal: str, noise: str, names: bool) -> None:
    """Order, points, what is out and what is given up, the step: all that a suggestion follows from, is the same."""
    study = a_study(tmp_path / "own", goal, noise)
    study.ask_batch(2)  # known to the state alone; the first of them is the one to be evaluated again
    study.tell(3, parameters={"wall shear": 0.5, "blades": 3, "no": 11})
    copy = export_ranks(study, tmp_path / "copy", names=names)
    mine, theirs = study.snapshot().given, Study.open(copy.problem).snapshot().given
    assert seen(mine) == seen(theirs)
    assert mine.step > 10
    assert theirs.fit is None
    assert theirs.problem.method == mine.problem.method
    assert (theirs.problem.seed, theirs.problem.noise, theirs.problem.goal) == (5, noise == "true", "minimize")
    assert [p.lattice for p in theirs.problem.free] == [p.lattice for p in mine.problem.free]


SEVERAL = """\
objectives: {drag: {goal: minimize, enough: 2, unit: N}, lift: {goal: maximize}}
outcomes: {stress: {max: 5}}
parameters: {angle: {min: 0, max: 12}, camber: {min: 0, max: 1}}
method: {initial: 3, iterations: 10}
"""
SEVERAL_ROWS = """\
id,angle,camber,drag,lift,stress
1,1,0.1,1.25,3.5,1
2,2,0.2,2.0,5.5,1
3,3,0.3,4.75,9.25,2
4,4,0.4,2.5,4.5,3
5,5,0.5,nan,7.75,1
6,6,0.6,0.5,9.5,8
7,7,0.7,3.0,9.25,4
8,8,0.8,failed,,
"""


@pytest.mark.parametrize("trade", ["front", "lexicographic"])
@pytest.mark.parametrize("names", [False, True])
def test_each_of_several_objectives_has_ranks_of_its_own(tmp_path: Path, names: bool, trade: str) -> None:
    """Good enough results share one; front, violations, comparisons and the next point are the study's."""
    path = tmp_path / "wing.yaml"
    path.write_text(f"{SEVERAL}trade: {trade}\n")
    path.with_suffix(".csv").write_text(SEVERAL_ROWS)
    study = Study.open(path)
    if trade == "front":
        study.prefer(7, 2)
    copy = export_ranks(study, tmp_path / "copy", names=names)
    lines = [line.split(",")[3:6] for line in copy.evaluations.read_text().splitlines()]
    assert lines[0] == (["y1", "y2", "violation"] if names else ["drag", "lift", "violation"])
    assert lines[1:] == [
        ["1", "4", "0"], ["1", "2", "0"], ["4", "1", "0"], ["2", "3", "0"], ["", "", ""], ["", "", "1"],
        ["3", "1", "0"], ["", "", ""],
    ]  # fmt: skip
    mine, theirs = study.read().step_input(), Study.open(copy.problem).read().step_input()
    assert seen(mine) == seen(theirs)
    assert (theirs.problem.trade, len(theirs.comparisons)) == (trade, len(mine.comparisons))
    assert propose(mine).values == propose(theirs).values
    texts = copy.problem.read_text() + copy.evaluations.read_text()
    assert [secret for secret in ("25", "75", "enough", "N") if secret in texts] == []


def test_nothing_else_is_copied(tmp_path: Path) -> None:
    """Neither results nor comments, units, other columns, superseded rows or file names; names only where wanted."""
    study = a_study(tmp_path / "own")
    for names in (False, True):
        folder = tmp_path / f"copy {names}"
        copy = export_ranks(study, folder, names=names)
        assert sorted(os.listdir(folder)) == ["problem.csv", "problem.yaml"]
        text = copy.problem.read_text() + copy.evaluations.read_text()
        assert [
            secret for secret in ("secret", "7.25", "6.125", "e400", "inf", "Pa", "note", "pump") if secret in text
        ] == []
        assert [name for name in ("wall shear", "blades", "drag", "oil", "span") if (name in text) == names] == []
    assert len(copy.evaluations.read_text().splitlines()) == 1 + copy.rows == 1 + 14


def test_ranks_are_dense_and_follow_the_goal(tmp_path: Path) -> None:
    """1 is the best, equal results have equal ranks however they are spelt, failures have none."""
    for goal in ("minimize", "maximize"):
        copy = export_ranks(a_study(tmp_path / goal, goal), tmp_path / goal / "copy.yaml")
        rows = [line.rsplit(",", 2)[1:] for line in copy.evaluations.read_text().splitlines()[1:]]
        assert rows[:5] == [["4", "ok"], ["6", "ok"], ["5", "ok"], ["", "failed"], ["7", "ok"]]
        assert (copy.problem.name, copy.evaluations.name) == ("copy.yaml", "copy.csv")


def test_a_table_without_ids_has_ids_in_the_copy(tmp_path: Path) -> None:
    """The number of suggestions, on which random numbers depend; where too few rows are there for them, it is said."""
    study = a_study(tmp_path, rows='wall shear,blades,no,"drag, total"\n1,4,3,1\n')
    for y in (2, 3):
        study.tell(y, id=study.ask().id)
    copy = export_ranks(study, tmp_path / "one")
    assert copy.warnings == ()
    assert [row.split(",")[0] for row in copy.evaluations.read_text().splitlines()] == ["id", "", "2", "3"]
    assert seen(Study.open(copy.problem).snapshot().given)[1:] == seen(study.snapshot().given)[1:]
    table = study.evaluations_path
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-3]))
    second = export_ranks(study, tmp_path / "two")
    assert [words for words in second.warnings if "2 suggestions were made, but the copy shows 1 of their ids" in words]


@pytest.mark.parametrize("there", ["problem.csv", "problem.yaml", "problem.state.json"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    """Whichever file of the copy is there, not one is written."""
    study, folder = a_study(tmp_path / "own"), tmp_path / "copy"
    folder.mkdir()
    (folder / there).write_text("mine")
    with pytest.raises(FileError, match=there):
        export_ranks(study, folder)
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [(there, "mine")]


def test_a_copy_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second file cannot be written, the first one goes, too."""
    study, create = a_study(tmp_path / "own"), atomic.create_file

    def full(path: Path, content: bytes) -> None:
        if path.suffix == ".yaml":
            raise FileExistsError
        create(path, content)

    monkeypatch.setattr(atomic, "create_file", full)
    with pytest.raises(FileError, match=r"problem\.yaml"):
        export_ranks(study, tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []
    with pytest.raises(MissingFileError):
        export_ranks(study, tmp_path / "no such" / "copy")


names = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6)
methods = st.builds(
    lambda preset, changes: dataclasses.replace(PRESETS[preset], **changes),
    st.sampled_from(["default", "metric-free"]),
    st.fixed_dictionaries(
        {},
        optional={
            "beta": st.sampled_from([0.5, 1e-9, BetaSchedule(), BetaSchedule(0.2, 1.5, 2.0, 0.1)]),
            "prior": st.sampled_from([None, GapPrior("equal", 3.0), GapPrior(0.25, None, 0.1, 0.0)]),
            "acquisition": st.sampled_from(["ei", "thompson"]),
            "drift": st.sampled_from([None, 1.0]),
            "initial": st.just(7),
            "engine": st.just("gpflow"),
            "corners": st.just(False),
        },
    ),
)
parameters = st.one_of(
    st.builds(lambda low, width: ("", low, low + width), st.floats(-1e9, 1e9), st.floats(1.0, 1e9)),
    st.builds(lambda low, width: ("", low, low + width, "int"), st.integers(-99, 99), st.integers(1, 99)),
    st.just(("", 1e-300, 1e300, "float", "log", None, 3)),
    st.just(("", 0.0, 1.0, "float", "linear", 0.1)),
)


@pytest.mark.slow
@given(st.lists(st.tuples(names, parameters), min_size=1, max_size=4), methods, st.booleans(), st.integers(0, 9))
def test_a_problem_is_the_same_when_it_is_read_again(
    given: list[tuple[str, Any]], method: Method, noise: bool, seed: int
) -> None:
    """Every setting, to the last bit of a bound; names are numbered here, as some would clash in the environment."""
    free = tuple(Parameter(f"{name}{k}", *rest[1:]) for k, (name, rest) in enumerate(given))
    fixed = (Fixed("word", "1e3"), Fixed("number", 1e22), Fixed("whole", 3))
    problem = Problem((*free, *fixed), "objective", "minimize", "ignore", noise, seed, method)
    assert read_problem(problem_text(problem, Path("p.yaml")).encode(), Path("p.yaml")).problem == problem


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A unit is left out by whoever asks; a setting that is lost on the way would make another study of it."""
    problem = Problem((Parameter("x", 0.0, 1.0, unit="m"),))
    with pytest.raises(ProblemError, match="cannot be written yet"):
        problem_text(problem, tmp_path / "p.yaml")
    problem = Problem((Parameter("x", 0.0, 1.0), Parameter("X", 0.0, 1.0)))
    with pytest.raises(ProblemError, match="environment"):
        problem_text(problem, tmp_path / "p.yaml")


def test_levels_and_conditions_lose_their_names() -> None:
    """Words are names, numbers are values; a condition speaks of the same levels as before."""
    solver = Parameter.of_levels("solver", ["gmres", "cg"], "categorical")
    when = (Condition("solver", (1,)),)
    mesh = Parameter.of_levels("mesh", [1, 2, 4], when=when)
    hidden, aliases = export.nameless(Problem((Fixed("span", 2.0), solver, mesh), "drag", "maximize"))
    assert aliases == {"solver": "x1", "mesh": "x2"}
    assert hidden == Problem(
        (
            Parameter.of_levels("x1", ["level 1", "level 2"], "categorical"),
            Parameter.of_levels("x2", [1, 2, 4], when=(Condition("x1", (1,)),)),
        ),
        "y",
    )
