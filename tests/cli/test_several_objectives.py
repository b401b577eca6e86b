"""A study of two objectives through the commands."""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli import plot
from ordbo_cli.errors import ProblemError, UsageError
from ordbo_cli.problem import Evaluation
from ordbo_cli.study.optimizer import Optimizer
from ordbo_cli.study.study import Study
from tests.calls import Call
from tests.cli.wing import PROBLEM, SIMULATOR, TABLE, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem with eight results: a front of three, one behind it, one dominated in one objective, three failures."""
    return written(tmp_path)


def test_best_prints_the_front_and_its_knee(path: Path, ordbo: Call) -> None:
    """Best of the first objective first; no failure, and nothing that another result dominates, is on it."""
    lines = [json.loads(line) for line in ordbo("best", path).out.splitlines()]
    assert [each["objectives"] for each in lines] == [
        {"drag": 1.0, "lift": 3},
        {"drag": 2.0, "lift": 5},
        {"drag": 3.0, "lift": 9},
    ]
    assert json.loads(ordbo("best", path, "--knee").out) == lines[1]
    assert ordbo("best", path, "--format", "csv").out.splitlines()[1:] == [
        "1,1.0,0.1,1.0,3",
        "2,2.0,0.2,2.0,5",
        "7,7.0,0.7,3.0,9",
    ]
    assert ordbo("best", path, "--knee", "--format", "args").out == "--id=2 --angle=2.0 --camber=0.2\n"
    study = Study.open(path)
    assert [each.line for each in study.front()] == [2, 3, 8]
    assert study.best().line == 3


def test_status_tells_the_front_and_how_it_grew(path: Path, ordbo: Call) -> None:
    """For people and for programs."""
    said = ordbo("status", path, "--no-next").out
    assert "wing.yaml: minimize drag and maximize lift\n" in said
    assert "front: 3 results that none dominates; knee: drag=2.0 lift=5 (id 2)" in said
    entries = json.loads(ordbo("status", path, "--no-next", "--json").out)
    assert entries["objectives"] == [{"name": "drag", "goal": "minimize"}, {"name": "lift", "goal": "maximize"}]
    assert [each["line"] for each in entries["front"]] == [2, 3, 8]
    assert entries["history"] == [1, 2, 2, 2, 2, 2, 3, 3]
    assert [each["line"] for each in entries["ranking"]] == [2, 3, 8, 5, 4]
    assert (entries["counts"]["ok"], entries["counts"]["failed"]) == (5, 3)


def test_results_are_recorded_whole_or_as_failures(path: Path, ordbo: Call) -> None:
    """One that is not there at all is asked for, and nan is a failure."""
    ordbo("suggest", path, "-n", "3", "--append")
    refused = ordbo("observe", path, "--id", "9", "drag=2")
    assert (refused.status, "there is no value of lift" in refused.err) == (2, True)
    assert "drag=0.1 lift=20" in ordbo("observe", path, "--id", "9", "drag=0.1", "lift=20").err
    assert "10: failed" in ordbo("observe", path, "--id", "10", "drag=2", "lift=nan").err
    request = b'{"tell": {"id": 11, "objective": 0.2, "outcomes": {"lift": 30}}}\n'
    told = json.loads(ordbo("serve", path, "--stdio", stdin=request).out)["told"]
    assert (told["objectives"], told["status"]) == ({"drag": 0.2, "lift": 30}, "ok")
    too_good = ordbo("observe", path, "--id", "11", "drag=2", "lift=inf", "--amend")
    assert (too_good.status, "lift" in too_good.err) == (2, True)
    assert [each.id for each in Study.open(path).front()] == [9, 11]


def test_serve_takes_each_objective_by_its_name(path: Path, ordbo: Call) -> None:
    """A null among them, or in their place, is a failure; what is not there, or beside another word, is refused."""
    tells: list[dict[str, object]] = [
        {"objectives": {"lift": 30, "drag": 0.20}},
        {"objectives": {"drag": 0.2, "lift": None}},
        {"objectives": {"drag": None, "lift": 3}},
        {"objectives": None},
        {"objectives": {"lift": 3}},
        {"objectives": {"drag": 3}},
        {"objectives": {"drag": 3, "lift": 2, "lifts": 2}},
        {"objectives": {"drag": 3, "lift": 2}, "objective": 3},
        {"objectives": [3, 2]},
        {"objectives": {"drag": 3, "lift": [2]}},
    ]
    lines = [
        json.dumps({"tell": {"parameters": {"angle": k + 2.5, "camber": 0}, **each}}) for k, each in enumerate(tells)
    ]
    answers = [
        json.loads(line) for line in ordbo("serve", path, "--stdio", stdin="\n".join(lines).encode()).out.splitlines()
    ]
    assert [each["told"]["status"] for each in answers[:4]] == ["ok", "failed", "failed", "failed"]
    assert answers[0]["told"]["objectives"] == {"drag": 0.2, "lift": 30}
    assert [each["error"]["message"] for each in answers[4:]] == [
        "there is no value of drag",
        "there is no value of lift",
        "there is no objective 'lifts'",
        "objective stands beside objectives",
        "objectives is no object",
        "objective 'lift' is no number",
    ]
    added = path.with_suffix(".csv").read_text().removeprefix(TABLE).splitlines()
    assert [line.split(",")[:4] for line in added][:1] == [["2.5", "0.0", "0.2", "30"]]
    assert len(added) == 4


def test_a_table_without_one_of_the_objectives_is_told_what_it_lacks(path: Path, ordbo: Call) -> None:
    """As an outcome is, which is called one."""
    path.with_suffix(".csv").write_text("angle,camber,drag\n1,0.1,1.0\n")
    refused = ordbo("best", path)
    assert refused.status == 65
    assert "there is no column 'lift'. It is an objective of the problem: add the column" in refused.err


def test_a_file_of_results_has_a_line_for_each_objective(path: Path, ordbo: Call) -> None:
    """In any spelling of names; what lacks one is refused, and the hint says what to write."""
    file = path.with_name("result.out")
    file.write_text("lift: 2\ndrag = 3.5\n")
    assert "drag=3.5 lift=2" in ordbo("observe", path, "angle=4", "camber=0.5", "--file", file).err
    file.write_text("3.5\n2\n")
    refused = ordbo("observe", path, "angle=5", "camber=0.5", "--file", file)
    assert (refused.status, "Write a line for each result, such as 'drag = 0.31'" in refused.err) == (
        65,
        True,
    )


@pytest.mark.slow
def test_run_and_serve_know_the_front(tmp_path: Path, ordbo: Call) -> None:
    """The last lines of a run are the front, and a server tells it beside the knee."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    (tmp_path / "sim.py").write_text(SIMULATOR)
    ran = ordbo("run", path, "--budget", "6", "--", sys.executable, str(tmp_path / "sim.py"), "{angle}", "{camber}")
    assert ran.status == 0, ran.err
    assert ran.out == ordbo("best", path).out
    assert "on the front" in ran.err
    served = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n').out.splitlines()[0])
    assert [each["id"] for each in served["front"]] == [json.loads(line)["id"] for line in ran.out.splitlines()]
    assert served["best"] == json.loads(ordbo("best", path, "--knee").out)


def test_check_transforms_each_objective(path: Path, ordbo: Call) -> None:
    """And each has a line of its own."""
    said = ordbo("check", path, "--invariance").out
    for name in ("drag", "lift"):
        assert f"objective {name}: log, exp, cube, rank, affine, decreasing affine: the same suggestion" in said


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "{}", "angle=1", "camber=0.5"),
        ("report", "{}", "--pair", "angle,camber"),
        ("plot", "{}", "fit"),
        ("diagnose", "{}"),
        ("suggest", "{}", "--stop-when", "expected-rank > 3"),
        ("suggest", "{}", "--duel"),
    ],
)
def test_what_is_not_built_yet_is_refused_in_words(
    path: Path, ordbo: Call, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the status of a problem that cannot be, and nothing is written."""
    monkeypatch.chdir(path.parent)
    before = sorted(each.name for each in path.parent.iterdir())
    refused = ordbo(*(str(path) if word == "{}" else word for word in words))
    assert (refused.status, "with several objectives is not supported yet" in refused.err) == (78, True), refused.err
    has_option = words[0] != "suggest"
    assert ("hint: Look at one of them: --objective 'drag' or 'lift'" in refused.err) == has_option
    assert ("ordbo prefer" in refused.err or "ordbo run --patience N" in refused.err) != has_option
    assert sorted(each.name for each in path.parent.iterdir() if not each.name.endswith(".lock")) == before


def test_what_is_about_a_front_is_refused_for_one_objective(path: Path, ordbo: Call) -> None:
    """As a mistake of the call."""
    path.write_text(PROBLEM.replace(", lift: {goal: maximize}", ""))
    assert ordbo("best", path, "--knee").status == 2


def test_an_optimizer_trades_off_as_a_study_does() -> None:
    """In memory, by the same search."""
    from ordbo_cli import Parameter, Problem

    aims = {"drag": {"goal": "minimize"}, "lift": {"goal": "maximize"}}
    optimizer = Optimizer(Problem([Parameter("x", 0, 1)], objectives=aims, method={"initial": 3, "iterations": 20}))
    for _ in range(5):
        point = optimizer.ask()
        x = float(point.values[0])
        optimizer.tell(point, x**2, outcomes={"lift": x})
    assert all(isinstance(each, Evaluation) and each.outcomes[0] is not None for each in optimizer.evaluations)
    assert optimizer.best().objective == Decimal(0)
    with pytest.raises(ProblemError, match="not supported yet"):
        optimizer.ask_duel()
    last = optimizer.evaluations[-1].values
    optimizer.prefer([0.0], last)
    assert float(optimizer.ask().values[0]) < 1.0
    with pytest.raises(UsageError, match="no result that could be preferred"):
        optimizer.prefer([0.111], last)


def test_one_of_several_objectives_is_looked_at_alone(path: Path, ordbo: Call) -> None:
    """As a study of it alone has it, but that a failure is one of all; and nothing is recorded by a look."""
    alone = path.with_name("alone.yaml")
    alone.write_text(PROBLEM.replace("drag: {goal: minimize}, ", ""))
    table = TABLE.replace("nan,7", "nan,nan").replace("0.6,0.5,nan", "0.6,nan,nan")
    alone.with_suffix(".csv").write_text(table.replace("drag,lift", "other,lift").replace("failed,\n", ",failed\n"))
    words = ("angle=3", "camber=0.4")
    looked = ordbo("predict", path, *words, "--objective", "lift")
    assert (looked.status, looked.out) == (0, ordbo("predict", alone, *words).out)
    assert ordbo("predict", path, *words, "--objective", "drag").out != looked.out
    assert "no objective 'weight'" in ordbo("predict", path, *words, "--objective", "weight").err
    assert "8 results" in ordbo("diagnose", path, "--objective", "lift").out
    study = Study.open(path).alone("lift")
    assert (study.problem.aim, study.best().line) == ("maximize lift over angle, camber", 4)
    with pytest.raises(UsageError, match="records nothing"):
        study.ask()
    assert path.with_suffix(".csv").read_text() == TABLE


@pytest.mark.slow
def test_pictures_and_reports_show_one_of_them(path: Path, ordbo: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under names that say which."""
    monkeypatch.chdir(path.parent)
    assert ordbo("plot", path, "convergence", "--objective", "lift", "--dpi", "40").status == 0
    assert ordbo("report", path, "--objective", "drag").status == 0
    assert "3 of 5 results are on the front." in ordbo("plot", path, "front", "--verbose").err
    assert "3 of 4 results" in ordbo("plot", path, "front", "--verbose", "--step", "4", "-o", "then.svg").err
    assert plot(Study.open(path), "front").title == "Front"


@pytest.mark.slow
def test_pictures_and_a_report_show_all_of_them(path: Path, ordbo: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word more, and in Python likewise; nothing is recorded."""
    monkeypatch.chdir(path.parent)
    before = path.with_suffix(".csv").read_bytes()
    said = ordbo("plot", path, "convergence", "--verbose", "--dpi", "40").err
    assert "Of the 3 results on today's front half were known after 2 evaluations" in said
    assert "half were known after 1 evaluation," in ordbo("plot", path, "convergence", "-v", "--step", "2").err
    said = ordbo("plot", path, "parallel", "--verbose", "--dpi", "40", "--parameters", "camber").err
    assert "8 evaluations across 1 parameter and 2 objectives, of which 3 are on the front. 3 failed." in said
    assert ordbo("plot", path, "front", "--ranks", "-o", "ranks.svg").status == 0
    assert "by rank" in Path("ranks.svg").read_text()
    ranked = plot(Study.open(path), "front", ranks=True)
    assert ranked._repr_svg_() == Path("ranks.svg").read_text() != plot(Study.open(path), "front")._repr_svg_()
    assert plot(Study.open(path), "convergence").title == "Growth of the front"
    assert ordbo("report", path).err == "report: wing-report.html\n"
    page = Path("wing-report.html").read_text()
    for words in ("minimize drag and maximize lift", "drag 2, lift 5", "of 5 results", "Importance: lift", "Failures"):
        assert words in page
    assert path.with_suffix(".csv").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows",
    [
        "",
        "1,1,2,3\n",
        "1,1,failed,\n2,1,nan,3\n",
        "1,1,2,3\n" * 5,
        "1,1,1e400,3\n2,1,inf,4\n3,0,-1,-1e300\n",
        "-9,1,1,1\n",
    ],
)
def test_any_state_of_a_study_has_pictures_and_a_report(path: Path, ordbo: Call, rows: str) -> None:
    """Nothing yet, one result, failures alone, ties, huge and infinite values, nothing inside the bounds."""
    path.with_suffix(".csv").write_text(f"angle,camber,drag,lift\n{rows}")
    for kind in ("front", "convergence", "parallel"):
        drawn = ordbo("plot", path, kind, "--dpi", "40", "-o", path.with_suffix(".png"))
        assert drawn.status == 0, drawn.err
    made = ordbo("report", path, "-o", path.with_suffix(".html"))
    assert made.status == 0, made.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("parallel", "--ranks"), "axes by rank are of the picture front, not of parallel"),
        (("front", "--objective", "lift"), "there is one objective, and no front"),
    ],
)
def test_what_a_picture_has_not_is_a_mistake_of_the_call(
    path: Path, ordbo: Call, words: tuple[str, ...], message: str
) -> None:
    """With what to do instead."""
    refused = ordbo("plot", path, *words)
    assert (refused.status, message in refused.err) == (2, True), refused.err


def test_a_refused_picture_names_the_objectives(path: Path, ordbo: Call) -> None:
    """For the option that picks one."""
    assert ordbo("plot", path, "fit").err == (
        "error: the picture fit with several objectives is not supported yet\n"
        "hint: Look at one of them: --objective 'drag' or 'lift'\n"
    )


def test_explain_says_what_the_point_is_to_trade(path: Path, ordbo: Call) -> None:
    """Expected ranks by each objective, and between which results of the front; the state keeps it."""
    said = ordbo("suggest", path, "--explain", "-n", "2").err
    assert re.search(
        r"9: (ex|re|go|ta|fo).*\n +lcb -?[0-9.]+ .*\n +expected rank .* of 6 by drag, .* of 5 by lift.*"
        r"; for the trade [0-9]+% drag, [0-9]+% lift.*\n"
        r"10: (ex|re|go|ta|fo).*\n +hypervolume gained -?[0-9.]+ .*\n +expected rank .* of 6 by drag, .* of 5 by lift",
        said,
    )
    reasons = json.loads(path.with_suffix(".state.json").read_text())["diagnostics"][0]["explanation"]
    assert [each["objective"] for each in reasons["trade"]] == ["drag", "lift"]
    assert {each["place"] for each in reasons["between"]} <= {1, 2, 7}


def test_objectives_may_be_added_swapped_turned_and_taken_away(path: Path, ordbo: Call) -> None:
    """In the middle of a study: results stay, and the model is fitted anew."""
    one = ordbo("suggest", path).out
    assert json.loads(one)["id"] == 9
    for change in (
        ("{drag: {goal: minimize}, lift: {goal: maximize}}", "{lift: {goal: maximize}, drag: {goal: minimize}}"),
        ("lift: {goal: maximize}, ", "lift: {goal: minimize}, "),
        ("objectives: {lift: {goal: minimize}, drag: {goal: minimize}}", "objective: {name: drag, goal: minimize}"),
    ):
        text = path.read_text()
        assert change[0] in text
        path.write_text(text.replace(*change))
        found = ordbo("suggest", path)
        assert (found.status, "the model is rebuilt" in found.err) == (0, True), found.err


def test_a_hint_on_bounds_is_about_the_whole_front(path: Path, ordbo: Call) -> None:
    """Not about an end of it, whichever objective stands first."""
    rows = [f"{k},{0.5 if k < 3 else 0},{k},{k}" for k in range(1, 8)]
    path.with_suffix(".csv").write_text("\n".join(["angle,camber,drag,lift", *rows]) + "\n")
    shown = ordbo("status", path, "--no-next").out
    assert "\n5 of the 7 on the front are on the lower bound of camber: widen it?\n" in shown


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("inf", "'inf' will not do. It would be the best value of all; where there is no value, write nan"),
        ("", "it is empty. Write a number, or nan where there is none: the evaluation failed then"),
    ],
)
def test_a_cell_of_a_further_objective_is_refused_as_that_of_an_objective(
    path: Path, ordbo: Call, cell: str, message: str
) -> None:
    """It has no limit to be far from, and without it the row is a failure."""
    path.with_suffix(".csv").write_text(f"angle,camber,drag,lift\n1,0.1,1,{cell}\n")
    refused = ordbo("status", path)
    assert (refused.status, message in refused.err) == (65, True), refused.err


def test_what_has_failed_cannot_be_preferred(path: Path, ordbo: Call) -> None:
    """And is not to be observed once more."""
    refused = ordbo("prefer", path, "8", "over", "1")
    assert (refused.status, "it has none yet, has failed, or broke a limit" in refused.err) == (65, True), refused.err
