"""What somebody wants of several objectives, through the commands: enough, priority, preferences, words."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli import plot
from ordbo_cli.errors import UsageError
from ordbo_cli.study.optimizer import Optimizer
from ordbo_cli.study.study import Study
from tests.calls import Call
from tests.cli.wing import PROBLEM, SIMULATOR, TABLE, written

WORDS = PROBLEM.replace("lift: {goal: maximize}", "comfort: {goal: maximize, values: [poor, so so, good]}")
GRADED = """\
angle,camber,drag,comfort
1,0.1,1.0,poor
2,0.2,2.0,so so
3,0.3,4.0,good
4,0.4,2.5,so so
5,0.5,3.0,nan
6,0.6,3.0,good
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem with eight results: a front of three, one behind it, one dominated in one objective, three failures."""
    return written(tmp_path)


def test_what_is_good_enough_is_told_and_counts(path: Path, ordbo: Call) -> None:
    """The front, status, the invariance and the state go by it; a change of it is a change of the problem."""
    ordbo("suggest", path)
    path.write_text(PROBLEM.replace("drag: {goal: minimize}", "drag: {goal: minimize, enough: 2}"))
    assert [json.loads(line)["objectives"]["drag"] for line in ordbo("best", path).out.splitlines()] == [2.0, 3.0]
    said = ordbo("status", path, "--no-next").out
    assert "wing.yaml: minimize drag to 2 and maximize lift\n" in said
    entries = json.loads(ordbo("status", path, "--no-next", "--json").out)
    assert entries["objectives"][0] == {"name": "drag", "goal": "minimize", "enough": 2}
    served = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n').out.splitlines()[0])
    assert [each["objectives"]["drag"] for each in served["front"]] == [2.0, 3.0]
    checked = ordbo("check", path, "--invariance").out
    assert "objective drag: log, exp, cube, rank, affine, decreasing affine: the same suggestion" in checked
    assert "the 4 ranks of the 5 results stay" in checked
    assert "the model is rebuilt" in ordbo("suggest", path).err
    assert Study.open(path).alone("drag").best().line == 2


def test_whole_results_may_be_preferred(path: Path, ordbo: Call) -> None:
    """That chooses the star, and is kept, told, checked and undone as with one objective."""
    knee = ordbo("best", path, "--knee").out
    front = ordbo("best", path).out
    assert ordbo("prefer", path, "7", "over", "2").err == "recorded 7 over 2\n"
    assert ordbo("best", path).out == front
    assert json.loads(ordbo("best", path, "--knee").out)["id"] == Study.open(path).best().id == 7
    said = ordbo("status", path, "--no-next").out
    assert "5 ok, 3 failed; comparisons: 1;" in said
    assert "none dominates; preferred: drag=3.0 lift=9 (id 7)" in said
    request = b'{"prefer": [2, 7]}\n{"best": true}\n{"tie": [1, 2]}\n'
    compared, best, tie = map(json.loads, ordbo("serve", path, "--stdio", stdin=request).out.splitlines())
    assert compared == {"compared": {"better": 2, "worse": 7, "tie": False, "new": True}}
    assert (best["best"]["id"], tie["compared"]["tie"]) == (json.loads(knee)["id"], True)
    ordbo("prefer", path, "4", "2")
    checked = ordbo("check", path).out
    assert "wing.comparisons.csv: 4 comparisons, 1 of them ties\n" in checked
    assert "2 over 7 (line 3) and 7 over 2 (line 2)\n" in checked
    assert "line 5 says 4 over 2, but 2 dominates 4\n" in checked
    assert "line 4" not in checked
    for _ in range(4):
        assert ordbo("undo", path, "--comparison").status == 0
    assert ordbo("best", path, "--knee").out == knee


def test_only_whole_results_are_preferred(path: Path, ordbo: Call) -> None:
    """What failed or is out has nothing to compare, and stays out; a look at one objective knows no comparison."""
    ordbo("suggest", path, "--append")
    for ids in (("1", "5"), ("9", "1"), ("1", "77")):
        refused = ordbo("prefer", path, *ids)
        assert refused.status == 65, refused.err
    assert "id 5 has no result that could be preferred" in ordbo("prefer", path, "1", "5").err
    assert not path.with_name("wing.comparisons.csv").exists()
    plain = ordbo("predict", path, "angle=3", "camber=0.4", "--objective", "lift").out
    path.with_name("wing.comparisons.csv").write_text("better,worse,tie\n1,2,\n9,1,\n5,2,\n")
    assert ordbo("predict", path, "angle=3", "camber=0.4", "--objective", "lift").out == plain
    assert "1 pending" in ordbo("status", path, "--no-next").out
    assert json.loads(ordbo("best", path, "--knee").out)["id"] == 1
    study = Study.open(path)
    assert plot(study, "front").title == "Front"
    assert [(c.better[0], c.worse[0]) for c in study.read().comparisons] == [(1.0, 2.0)]


@pytest.mark.slow
@pytest.mark.parametrize("swapped", [False, True])
def test_results_of_any_objective_may_be_words(path: Path, ordbo: Call, swapped: bool) -> None:
    """In a table, by hand, from a file, from a server; told as words, and wrong ones are named."""
    text = WORDS
    if swapped:
        head = "objectives: {comfort: {goal: maximize, values: [poor, so so, good]}, drag: {goal: minimize}}"
        text = "\n".join([head, *WORDS.split("\n")[1:]])
    path.write_text(text)
    path.with_suffix(".csv").write_text(GRADED)
    best = sorted((json.loads(line) for line in ordbo("best", path).out.splitlines()), key=lambda each: each["id"])
    wanted = [(1.0, "poor"), (2.0, "so so"), (3.0, "good")]
    assert [(each["objectives"]["drag"], each["objectives"]["comfort"]) for each in best] == wanted
    assert "comfort=" in ordbo("status", path, "--no-next").out
    status = json.loads(ordbo("status", path, "--no-next", "--json").out)
    assert status["objectives"][0 if swapped else 1]["values"] == ["poor", "so so", "good"]
    ordbo("suggest", path, "-n", "3", "--append")
    told = ordbo("observe", path, "--id", "7", "drag=0.5", "comfort=so so")
    assert (told.status, "so so" in told.err) == (0, True), told.err
    wrong = ordbo("observe", path, "--id", "8", "drag=0.5", "comfort=goood")
    assert (wrong.status, "is none of comfort's values" in wrong.err, "good" in wrong.err) == (2, True, True)
    results = path.with_name("results.txt")
    results.write_text("drag = 0.25\ncomfort = good\n")
    found = ordbo("observe", path, "--id", "8", "--file", results)
    assert (found.status, "good" in found.err) == (0, True), found.err
    first, other = ("good", {"drag": 0.75}) if swapped else (0.75, {"comfort": "good"})
    request = json.dumps({"tell": {"id": 9, "objective": first, "outcomes": other}}).encode() + b"\n"
    told_by = json.loads(ordbo("serve", path, "--stdio", stdin=request).out)["told"]
    assert told_by["objectives"] == {"drag": 0.75, "comfort": "good"}
    assert [each.id for each in Study.open(path).front()] == [8]
    exported = ordbo("export", path).out.splitlines()
    assert sum("so so" in line for line in exported) == 3
    assert ordbo("plot", path, "front", "-o", path.with_name("front.svg")).status == 0
    assert ordbo("plot", path, "front", "--ranks", "-o", path.with_name("ranks.svg")).status == 0
    page = path.with_name("report.html")
    assert ordbo("report", path, "-o", page).status == 0
    assert ("so so" in page.read_text(), "comfort good" in page.read_text()) == (True, True)
    assert ordbo("predict", path, "angle=1", "camber=0.5", "--objective", "comfort").status == 0
    assert ordbo("check", path, "--invariance").out.count("the same suggestion") == 2
    simulator = path.with_name("sim.py")
    simulator.write_text("print('drag = 9')\nprint('comfort = so so')\n")
    ran = ordbo("run", path, "--budget", "10", "--", sys.executable, simulator)
    assert "comfort=so so" in ran.err, ran.err
    path.with_suffix(".csv").write_text(GRADED.replace("so so", "meh"))
    bad = ordbo("best", path)
    assert (bad.status, "'meh' is none of" in bad.err) == (65, True), bad.err


@pytest.mark.slow
def test_patience_ends_a_run_whose_front_stays(tmp_path: Path, ordbo: Call) -> None:
    """A rule by order: so many evaluations since the last one that is on today's front."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    (tmp_path / "sim.py").write_text(
        "import sys\nx = sum(map(float, sys.argv[1:]))\nprint('drag =', x)\nprint('lift =', -x)\n"
    )
    words = ("--budget", "12", "--", sys.executable, str(tmp_path / "sim.py"), "{angle}", "{camber}")
    ran = ordbo("run", path, "--patience", "4", *words)
    assert (ran.status, "4 evaluations have brought nothing better" in ran.err) == (3, True), ran.err


def test_a_run_ends_at_one_result_that_has_come_to_all_targets(path: Path, ordbo: Call) -> None:
    """Not at two that have come to one each, whatever is good enough; the words say what is wrong with a target."""
    path.write_text(PROBLEM.replace("drag: {goal: minimize}", "drag: {goal: minimize, enough: 9}"))
    path.with_suffix(".csv").write_text(TABLE.replace("2,0.2,2.0,5\n", ""))  # drag 1.0 with lift 3, 4.0 with 9
    words = ("--", sys.executable, "-c", "import os; x = int(os.environ['ORDBO_ID']); print('drag =', 13 - x)")
    both = (*words[:-1], f"{words[-1]}; print('lift =', x - 7)")
    ran = ordbo("run", path, "--target", "lift=4", "--target", " drag = 2 ", "--budget", 16, *both)
    assert (ran.status, ran.err.splitlines()[-1]) == (
        0,
        "lift has come to 4, the target is 4; drag to 2, the target is 2 (id 11)",
    )
    assert ordbo("run", path, "--target", "lift=9", *both).err.splitlines()[-1].endswith("the target is 9 (id 2)")
    for targets, said in (
        (("3",), "--target is '3', of which objective is not said\nhint: Name those that count: --target drag=VALUE"),
        (("drga=3",), "no objective is called 'drga'\nhint: Did you mean drag?"),
        (("drag=3", "drag=4"), "--target gives drag twice"),
        (("drag=low",), "--target is 'drag=low', no value of drag"),
        (("lift=nan",), "--target is 'lift=nan', a failure"),
        (("lift=inf",), "the target is Infinity"),
    ):
        refused = ordbo("run", path, *(word for each in targets for word in ("--target", each)), *both)
        assert (refused.status, said in refused.err) == (2, True), refused.err


def test_targets_may_be_words_and_hints_name_what_is_good_enough(path: Path, ordbo: Call) -> None:
    """Where every objective has such a value, a run without an end says how it would end there."""
    path.write_text(WORDS)
    path.with_suffix(".csv").write_text(GRADED)
    ran = ordbo("run", path, "--target", "comfort=good", "--", "true")
    assert ran.err.splitlines()[-1] == "comfort has come to good, the target is good (id 6)"
    path.write_text(
        PROBLEM.replace("minimize}", "minimize, enough: 3}").replace("maximize}", "maximize, enough: 8.50}")
    )
    path.with_suffix(".csv").write_text(TABLE)
    ran = ordbo("run", path, "--max-failures", 1, "--", "false")
    assert "; --target drag=3 --target lift=8.50 would end it where one result is good enough in all" in ran.err


@pytest.mark.slow
def test_objectives_by_priority_are_as_one(path: Path, ordbo: Call) -> None:
    """There is a best result, of which status, run, serve and suggest tell; no front, and what needs an order works."""
    ordbo("suggest", path)
    path.write_text(PROBLEM.replace("{goal: minimize}", "{goal: minimize, enough: 2}") + "trade: lexicographic\n")
    assert "the model is rebuilt" in ordbo("suggest", path).err
    best = json.loads(ordbo("best", path).out)
    assert best["objectives"] == {"drag": 2.0, "lift": 5}
    assert ordbo("best", path, "--knee").status == 2
    said = ordbo("status", path, "--no-next").out
    assert "wing.yaml: minimize drag to 2, then maximize lift\n" in said
    assert "\nbest: drag=2.0 lift=5 (id 2)" in said
    assert "today's rank of the best so far: " in said
    entries = json.loads(ordbo("status", path, "--no-next", "--json").out)
    assert (entries["trade"], "front" in entries, entries["best"]["line"]) == ("lexicographic", False, 3)
    assert entries["history"] == [2, 1, 1, 1, 1, 1, 1, 1]
    assert [each["line"] for each in entries["ranking"]] == [3, 2, 5, 8, 4]
    served = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n').out.splitlines()[0])
    assert served == {"best": best}
    assert json.loads(ordbo("predict", path, "angle=2", "camber=0.2").out)["expected_rank"] < 3
    assert ordbo("diagnose", path).status == 0
    assert "to beat the best" in ordbo("suggest", path, "--explain").err
    checked = ordbo("check", path, "--invariance").out
    assert checked.count("log, exp, cube, rank, affine, decreasing affine: the same suggestion") == 2
    assert ordbo("prefer", path, "1", "2").status == 0
    assert "but the result of 1 is worse" in ordbo("check", path).out
    assert "best by mean: drag=" in ordbo("best", path).err
    assert '"expected_rank": ' in ordbo("best", path, "--by", "mean").out
    assert "best by mean: drag=" in ordbo("status", path).out
    _, new = map(json.loads, ordbo("suggest", path, "--duel").out.splitlines())
    assert ordbo("prefer", path, new["id"], "over", 2).status == 0  # it needs no result of its own
    study = Study.open(path)
    assert (study.status().pending, len(study.read().comparisons)) == (3, 2)  # others are out still
    for _ in range(2):
        assert ordbo("undo", path, "--comparison").status == 0
    assert ordbo("plot", path, "front").status == 2
    assert (
        "The best so far goes from drag 1 and lift 3 "
        in ordbo("plot", "-v", path, "convergence", "-o", path.with_suffix(".png")).err
    )
    assert ordbo("plot", path, "fit", "--objective", "lift", "-o", path.with_suffix(".png")).status == 0
    assert ordbo("report", path, "--pair", "angle,camber", "-o", path.with_suffix(".html")).status == 0
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    for said in ("minimize drag, then maximize lift", "minimize; good enough: 2", "The objectives have a priority"):
        assert said in page
    assert "drag 2.0, lift 5" in page
    assert "a rank is the number of a front" not in page
    with pytest.raises(UsageError, match="no front"):
        Study.open(path).front()
    (path.parent / "sim.py").write_text(SIMULATOR)
    words = ("--budget", "10", "--", sys.executable, str(path.parent / "sim.py"), "{angle}", "{camber}")
    ran = ordbo("run", path, *words)
    assert (ran.out, "10 of 10 (3 failed) done; best drag=" in ran.err) == (ordbo("best", path).out, True), ran.err


def test_an_optimizer_takes_words_of_any_objective() -> None:
    """As a study does."""
    from ordbo_cli import Parameter, Problem

    aims: dict[str, dict[str, object]] = {
        "drag": {"goal": "minimize"},
        "comfort": {"goal": "maximize", "values": ["poor", "good"]},
    }
    optimizer = Optimizer(Problem([Parameter("x", 0, 1)], objectives=aims, method={"initial": 3, "iterations": 20}))
    for word in ("poor", "good", "good"):
        optimizer.tell(optimizer.ask(), 1, outcomes={"comfort": word})
    assert [each.outcomes for each in optimizer.evaluations] == [(Decimal(0),), (Decimal(1),), (Decimal(1),)]
    assert optimizer.best().outcomes == (Decimal(1),)
    with pytest.raises(UsageError, match="'bad' is none of comfort's values"):
        optimizer.tell([0.77], 1, outcomes={"comfort": "bad"})


def test_a_trade_of_one_objective_is_noted(path: Path, ordbo: Call) -> None:
    """It changes nothing."""
    plain = PROBLEM.replace(", lift: {goal: maximize}", "")
    path.write_text(plain)
    before = ordbo("best", path)
    for trade in ("front", "lexicographic"):
        path.write_text(f"{plain}trade: {trade}\n")
        said = ordbo("best", path)
        assert (said.status, said.out) == (0, before.out)
        assert said.err == ("note: trade: there is one objective, 'drag', and nothing to trade; the key says nothing\n")


def test_comparisons_by_other_objectives_are_told(path: Path, ordbo: Call) -> None:
    """Until the state knows the objectives of now; another order of them is no other objectives."""
    ordbo("suggest", path)
    path.write_text(PROBLEM.replace("drag: {goal: minimize}, lift: {goal: maximize}", "lift: maximize, drag: minimize"))
    ordbo("prefer", path, "7", "over", "2")
    assert "comparison" not in ordbo("status", path, "--no-next").err
    path.write_text(PROBLEM.replace(", lift: {goal: maximize}", ""))
    words = "warning: 1 comparison was made by the objectives drag, lift: it counts as made by drag; 'ordbo undo "
    assert words in ordbo("status", path, "--no-next").err
    assert words in ordbo("suggest", path).err
    assert "comparison" not in ordbo("status", path, "--no-next").err


@pytest.mark.parametrize("more", ["", "trade: lexicographic\n"])
def test_csv_of_the_best_has_the_values_of_all_objectives(path: Path, ordbo: Call, more: str) -> None:
    """Behind the parameters; the arguments of a simulator have none, nor has CSV of one objective."""
    path.write_text(PROBLEM + more)
    header, first, *_ = ordbo("best", path, "--format", "csv").out.splitlines()
    assert (header, first) == ("id,angle,camber,drag,lift", "1,1.0,0.1,1.0,3")
    for form in ("args", "env"):
        assert "drag" not in ordbo("best", path, *([] if more else ["--knee"]), "--format", form).out
    path.write_text(PROBLEM.replace(", lift: {goal: maximize}", ""))
    assert ordbo("best", path, "--format", "csv").out.splitlines()[0] == "id,angle,camber"


def test_a_run_says_where_it_read_each_objective_and_what_failed(tmp_path: Path, ordbo: Call) -> None:
    """On whichever lines they stand; of a failure that line alone."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    code = "import os; print('drag = 1'); print('lift =', 'nan' if os.environ['ORDBO_ID'] == '2' else 3)"
    said = ordbo("run", path, "--budget", 2, "--", sys.executable, "-c", code).err
    both = "line 1 of standard output ('drag = 1') and the last line of standard output ('lift = 3')"
    assert f"1: drag=1 lift=3, read from {both}\n" in said
    assert "2: failed: it says so itself: the last line of standard output ('lift = nan') (" in said
