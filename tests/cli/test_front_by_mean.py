"""A front under noise: what ``best``, ``status``, ``run``, ``serve``, pictures and the report name, and how."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ordbo_cli import plot
from ordbo_cli.errors import UsageError
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.study.optimizer import Optimizer
from ordbo_cli.study.study import Study
from tests.calls import Call

PROBLEM = """\
objectives: {cost: minimize, gain: maximize}
parameters:
  x: {min: 0, max: 10, step: 1}
noise: true
method: {initial: 3, iterations: 30}
"""
# Every x up to 6 is a trade of its own. At 9 one lucky result, better than all by both, among bad ones.
TABLE = """\
x,cost,gain
0,1.0,1.0
2,3.0,3.1
9,0.5,9.0
2,2.8,3.3
4,5.0,5.2
9,9.0,2.0
4,5.1,5.0
6,7.2,7.0
9,9.5,2.5
9,9.2,2.2
8,8.5,2.8
2,3.2,3.00
9,9.1,1.9
10,nan,3
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem with thirteen results at six points and a failure."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(TABLE)
    return path


def first(path: Path) -> Path:
    """Return the same by priority: the most gain at a cost of 3 or less."""
    text = PROBLEM.replace("cost: minimize", "cost: {goal: minimize, enough: 3}")
    path.write_text(f"{text}trade: lexicographic\n")
    return path


def test_best_is_the_front_by_mean(path: Path, ordbo: Call) -> None:
    """Each point once, at the medians of its results by each objective, and nobody on it by luck."""
    said = ordbo("best", path)
    points = [json.loads(line) for line in said.out.splitlines()]
    assert [(each["id"], each["parameters"]["x"], each["results"]) for each in points] == [
        (1, 0.0, 1),
        (2, 2.0, 3),
        (5, 4.0, 2),
        (8, 6.0, 1),
    ]
    assert [each["objectives"] for each in points] == [
        {"cost": 1.0, "gain": 1.0},
        {"cost": 3.0, "gain": 3.1},
        {"cost": 5.0, "gain": 5.2},
        {"cost": 7.2, "gain": 7.0},
    ]
    assert {each["by"] for each in points} == {"mean"}
    for name, order in (("cost", 1), ("gain", -1)):
        ranks = [each["expected_ranks"][name] for each in points]
        assert ranks == sorted(ranks)[::order]
        assert all(1 <= rank <= 14 for rank in ranks)
    assert said.err == "front by mean: 4 points that none dominates; values are medians of their results\n"
    assert ordbo("best", path, "--by", "mean") == said
    assert ordbo("best", path, "--format", "csv").out.splitlines() == [
        "id,x,cost,gain",
        "1,0.0,1.0,1.0",
        "2,2.0,3.0,3.1",
        "5,4.0,5.0,5.2",
        "8,6.0,7.2,7.0",
    ]


def test_medians_are_of_each_objective_by_itself(path: Path, ordbo: Call) -> None:
    """The id is that of the median by the first one; values stay as they were written."""
    path.with_suffix(".csv").write_text(TABLE.replace("2,3.0,3.1", "2,3.0,3.4"))
    knee = ordbo("best", path, "--knee")
    point = json.loads(knee.out)
    assert (point["id"], point["results"]) == (2, 3)
    assert '"objectives": {"cost": 3.0, "gain": 3.3}' in knee.out
    ranks = point["expected_ranks"]
    words = f"cost=3.0 gain=3.3 are the medians of 3 results, expected rank {ranks['cost']:.1f} by cost"
    assert knee.err == f"best by mean: {words}, {ranks['gain']:.1f} by gain\n"


def test_best_by_value_is_the_front_of_single_results(path: Path, ordbo: Call) -> None:
    """It is the default without noise, where means have to be asked for."""
    by_value = ordbo("best", path, "--by", "value")
    lucky = {"id": 3, "parameters": {"x": 9.0}, "objectives": {"cost": 0.5, "gain": 9.0}}
    assert [json.loads(line) for line in by_value.out.splitlines()] == [lucky]
    assert by_value.err == ""
    assert json.loads(ordbo("best", path, "--by", "value", "--knee").out) == lucky
    by_mean = ordbo("best", path)
    path.write_text(PROBLEM.replace("noise: true\n", ""))
    assert ordbo("best", path) == by_value
    assert ordbo("best", path, "--by", "mean") == by_mean
    study = Study.open(path)
    assert [each.line for each in study.front()] == [4]
    assert [each.line for each in study.front("mean")] == [2, 3, 6, 9]
    assert (study.best().line, study.best("mean").line) == (4, 3)
    with pytest.raises(UsageError, match="the best by 'median'"):
        study.front("median")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the best by 'median'"):
        study.status("median")  # type: ignore[arg-type]


def test_the_knee_follows_what_somebody_prefers(path: Path, ordbo: Call) -> None:
    """Pairs are of points, whichever of their results is named."""
    before = json.loads(ordbo("best", path, "--knee").out)["id"]
    assert before == 2
    for worse in (1, 4):
        assert ordbo("prefer", path, "8", "over", str(worse)).status == 0
    assert json.loads(ordbo("best", path, "--knee").out)["id"] == 8
    assert "; preferred: cost=7.2 gain=7.0 is its one result" in ordbo("status", path).out


def test_status_has_front_knee_and_rows_by_mean(path: Path, ordbo: Call) -> None:
    """All of them agree; where nothing may be computed, they are of single results, and called so."""
    said = ordbo("status", path).out
    assert "front by mean: 4 points that none dominates; knee: cost=3.0 gain=3.1 are the medians of 3 results" in said
    table = said.split("\n\n")[1].splitlines()
    assert table[0].split() == ["front", "id", "cost", "gain", "x", "results"]
    assert [row.split()[:2] for row in table[1:5]] == [["yes", "1"], ["yes", "2"], ["yes", "5"], ["yes", "8"]]
    assert table[5].split() == ["11", "8.5", "2.8", "8.0", "1"]
    entries = json.loads(ordbo("status", path, "--json", "--rows", "9").out)
    best = [json.loads(line) for line in ordbo("best", path).out.splitlines()]
    assert entries["front"] == [{**each, "line": each["id"] + 1} for each in best]
    assert entries["best"] == entries["front"][1]
    assert entries["ranking"][:4] == entries["front"]
    assert [each["id"] for each in entries["ranking"]] == [1, 2, 5, 8, 11, 13]
    assert entries["on_bound"]["best_results"] == 4
    assert entries["history"] == [1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]
    quick = ordbo("status", path, "--no-next").out
    assert "front of single results: 1 result that none dominates; knee: cost=0.5 gain=9.0 (id 3) at x=9.0" in quick
    entries = json.loads(ordbo("status", path, "--no-next", "--json").out)
    assert [each["line"] for each in entries["front"]] == [4]
    assert "by" not in entries["best"]


@pytest.mark.slow
def test_run_and_serve_tell_the_same_front(path: Path, ordbo: Call) -> None:
    """At the end, and asked for the best or the status; while it goes on, a run counts single results."""
    ran = ordbo("run", path, "--budget", "15", "--", sys.executable, "-c", "print('cost = 9.9\\ngain = 0.1')")
    assert ran.status == 0, ran.err
    best = ordbo("best", path)
    assert ran.out == best.out
    assert best.err in ran.err
    assert "15 of 15 (1 failed) done; 1 on the front of single results" in ran.err
    said = ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n{"status": true}\n')
    answer, status = map(json.loads, said.out.splitlines())
    assert answer["front"] == [json.loads(line) for line in best.out.splitlines()]
    assert answer["best"] == json.loads(ordbo("best", path, "--knee").out)
    assert [each["id"] for each in status["status"]["front"]] == [each["id"] for each in answer["front"]]
    assert status["status"]["best"]["by"] == "mean"


def test_no_success_is_told_as_ever(path: Path, ordbo: Call) -> None:
    """Before any model is fitted."""
    path.with_suffix(".csv").write_text("x,cost,gain\n3,nan,1\n4,inf,1\n")
    refused = ordbo("best", path)
    assert (refused.status, refused.out) == (65, "")
    assert "no evaluation inside the bounds has succeeded yet" in refused.err
    assert ordbo("status", path, "--next").status == 0
    served = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n').out)
    assert served["error"]["status"] == 65


def test_pictures_show_the_front_by_mean(path: Path) -> None:
    """With the knee, and the evaluations that stand for its points; how it grew counts them from their first one."""
    study = Study.open(path)
    front = plot(study, "front")
    assert (front.points["front"], front.points["knee"]) == ((1, 2, 5, 8), (2,))
    assert "4 of 6 tried points with 13 results are on the front by mean, each at the medians" in front.alt
    growth = plot(study, "convergence")
    assert (growth.points["stays"], growth.points["left"]) == ((1, 2, 5, 8), ())
    assert "Of the 4 points on today's front by mean half were known after 2 evaluations" in growth.alt
    lines = plot(study, "parallel")
    assert (lines.points["front"], lines.points["knee"]) == ((1, 2, 5, 8), (2,))
    assert "of which 4 are on the front by mean" in lines.alt
    search = Optimizer(study.problem)
    for x, cost, gain in (row.split(",") for row in TABLE.splitlines()[1:]):
        search.tell((float(x),), cost, {"gain": gain})
    assert plot(search, "front").points["front"] == (1, 2, 5, 8)
    assert [each.values for each in search.front()] == [(9.0,)]


def test_a_point_of_a_picture_stands_at_the_medians(path: Path) -> None:
    """Of each objective by itself; the other results of the point stay where they are."""
    path.with_suffix(".csv").write_text(TABLE.replace("2,3.0,3.1", "2,3.0,3.4"))
    trades = Trades.of(Study.open(path).snapshot(), "p")
    gains = [str(value) for value in trades.values(1)]
    assert (gains[1], gains[3], gains[11]) == ("3.3", "3.3", "3.00")
    assert [str(value) for value in trades.values(0)][1] == "3.0"
    assert trades.leading.nonzero()[0].tolist() == [0, 1, 4, 7]


def test_a_median_may_be_known_by_a_limit(path: Path, ordbo: Call) -> None:
    """It is told as it was written, and a picture has it on its side of the limit."""
    path.with_suffix(".csv").write_text(TABLE.replace("6,7.2,7.0", "6,7.2,>7.0"))
    *_, last = (json.loads(line) for line in ordbo("best", path).out.splitlines())
    assert (last["id"], last["objectives"]) == (8, {"cost": 7.2, "gain": ">7.0"})
    assert "Its gain lies between 1 and >7." in plot(Study.open(path), "front").alt


@pytest.mark.slow
def test_the_report_has_the_front_by_mean(path: Path, ordbo: Call) -> None:
    """In its summary, its table and its pictures."""
    page = path.with_name("r.html")
    assert ordbo("report", path, "-o", page).status == 0
    text = page.read_text()
    assert "Front by mean" in text
    assert "id 2: x 2; chosen by means, the medians of 3 results" in text
    assert "Those of the front are points by means, at the medians of their results." in text
    assert "of 6 tried points with 13 results: none dominates them" in text
    assert "The 4 points that no other one dominates, the best by cost first; medians" in text


def test_by_priority_the_best_is_by_mean(path: Path, ordbo: Call) -> None:
    """One order has one leader, as with one objective: the median of its results, whole."""
    first(path)
    said = ordbo("best", path)
    point = json.loads(said.out)
    rank = point.pop("expected_rank")
    assert point == {
        "id": 2,
        "parameters": {"x": 2.0},
        "objectives": {"cost": 3.0, "gain": 3.1},
        "by": "mean",
        "results": 3,
    }
    assert said.err == f"best by mean: cost=3.0 gain=3.1 is the median of 3 results, expected rank {rank:.1f}\n"
    assert "best by mean: cost=3.0 gain=3.1 is the median of 3 results" in ordbo("status", path).out
    assert "best value: cost=0.5 gain=9.0 (id 3) at x=9.0" in ordbo("status", path, "--no-next").out
    assert json.loads(ordbo("best", path, "--by", "value").out)["id"] == 3
    served = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n').out)
    assert served["best"] == json.loads(said.out)
    text = path.read_text()
    path.write_text(text.replace("noise: true\n", ""))
    assert json.loads(ordbo("best", path).out)["id"] == 3
    assert ordbo("best", path, "--by", "mean") == said
