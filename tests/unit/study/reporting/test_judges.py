"""Who has judged: counts, contradictions, agreement with the model, and who comes next."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from ordbo_cli.files.tables.comparisons import Judgements
from ordbo_cli.files.tables.judged import Judged, JudgedRanking
from ordbo_cli.files.tables.table import Table
from ordbo_cli.problem import Comparison, Parameter, Problem
from ordbo_cli.search.prediction import judged_by_model
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.reporting.contradictions import circles, contradictions
from ordbo_cli.study.reporting.judges import counted_judges, next_judge
from ordbo_cli.study.reporting.views import Judge
from ordbo_cli.study.study import Study

LINE = Problem((Parameter("x", 0.0, 1.0),))


def judgements(*judged: Judged) -> Judgements:
    """Return answers in lines from 2 on."""
    rows = tuple(each._replace(line=line) for line, each in enumerate(judged, 2))
    return Judgements(Table(Path("c.csv")), rows, rows)


ANNA = JudgedRanking(((4,), (7, 2), (9,)), "anna", 1).neighbours
BO = JudgedRanking(((9,), (2,), (4,)), "bo", 2).neighbours


def test_each_judge_is_counted() -> None:
    """All pairs of rankings, ties, pairs of which one says both, and with whom one differs on how many."""
    plain = (Judged(0, 4, 2, judge="cy"), Judged(0, 2, 4, judge="cy"), Judged(0, 1, 3))
    anna, bo, cy, nobody = counted_judges(judgements(*ANNA, *BO, *plain))
    assert (anna.name, anna.comparisons, anna.ties, anna.rankings, anna.both_ways) == ("anna", 6, 1, 1, 0)
    assert dict(anna.differs) == {"bo": (3, 3), "cy": (1, 1)}  # on the pairs of 4, 2 and 9
    assert (bo.comparisons, dict(bo.differs)) == (3, {"anna": (3, 3), "cy": (1, 1)})
    assert (cy.comparisons, cy.both_ways) == (2, 1)
    assert (nobody.name, nobody.comparisons, dict(nobody.differs)) == ("", 1, {})


def test_contradictions_say_whose_they_are() -> None:
    """Where anybody is named; circles through the answers of several, too."""
    answers = judgements(*ANNA, *BO, Judged(0, 4, 2), Judged(0, 7, 4, judge="anna")).judged
    assert contradictions(answers) == [
        "4 over 7 (line 2 by anna) and 7 over 4 (line 8 by anna)",
        "2 over 9 (line 4 by anna) and 9 over 2 (line 5 by bo)",
        "2 over 4 (line 6 by bo) and 4 over 2 (line 7)",
    ]
    around = judgements(Judged(0, 1, 2, judge="anna"), Judged(0, 2, 3, judge="bo"), Judged(0, 3, 1, judge="anna"))
    assert circles(around.judged) == ["lines 2, 3, 4 by anna, bo go round in a circle: 1 over 2 over 3 over 1"]


def test_the_model_agrees_with_those_who_judge_alike() -> None:
    """All pairs along the line, and three against it; ties do not count."""
    points = [(k / 5,) for k in range(6)]
    right = [Comparison(a, b, judge="anna") for a, b in combinations(points, 2)]
    wrong = [Comparison(points[b], points[a], judge="bo") for a, b in ((0, 5), (1, 4), (2, 3))]
    tie = Comparison(points[0], points[1], tie=True, judge="bo")
    found = judged_by_model(StepInput(LINE, comparisons=[*right, *wrong, tie, Comparison((0.0,), (0.2,), True)]))
    assert {name: each[:2] for name, each in found.items()} == {"anna": (15, 15), "bo": (0, 3), "": (0, 0)}
    noise = [found[name].noise for name in ("anna", "bo")]
    assert None not in noise
    assert noise == sorted(noise, key=lambda each: each or 0.0)
    assert judged_by_model(StepInput(LINE)) == {}


def test_agreement_in_words() -> None:
    """The numbers in a line, with what they are of where that is not all."""
    assert Judge("anna", 14, right=12, told=14).words == "judge anna: 14 comparisons, agrees with the model in 12 (86%)"
    assert Judge("bo", 2, right=1, told=2, noise=0.414).words.endswith("in 1 (50%), noise 0.41")
    assert Judge("", 1).words == "nobody in particular: 1 comparison"
    bo = Judge("bo", 9, ties=1, rankings=2, both_ways=1, differs={"anna": (2, 3), "cy": (0, 4)}, right=6, told=8)
    assert bo.words == (
        "judge bo: 9 comparisons (1 tie, 2 rankings), agrees with the model in 6 of 8 (75%), says both of 1 pair,"
        " differs from anna on 2 of 3 pairs"
    )
    assert Judge("cy", 1, ties=1, right=0, told=0).agreement is None


def test_who_judges_next() -> None:
    """The one with the fewest answers with whom the model agrees in more than half; all where it does with nobody."""
    anna, bo = Judge("anna", 9, right=8, told=9), Judge("bo", 4, right=3, told=4)
    cy, new = Judge("cy", 2, right=1, told=2), Judge("dee", 3, ties=3, right=0, told=0)
    assert next_judge([anna, bo, cy]) == "bo"
    assert next_judge([anna, bo, cy, new]) == "dee"
    assert next_judge([cy, Judge("eve", 1, right=0, told=1)]) == "eve"
    assert next_judge([anna, Judge("", 1, right=1, told=1)]) is None
    assert next_judge([]) is None


@pytest.mark.slow
def test_judges_of_a_study(tmp_path: Path) -> None:
    """None where nobody is named; without a fit where none is wanted."""
    path = tmp_path / "taste.yaml"
    path.write_text("objective: {name: taste, goal: maximize}\nparameters:\n  x: {min: 0, max: 1}\n")
    study = Study.open(path)
    study.ask_batch(4)
    study.prefer(1, 2)
    assert study.judges() == ()
    assert study.status().judges == ()
    path.with_name("taste.comparisons.csv").unlink()
    taken = study.rank([1, [2, 3], 4], judge="anna")
    assert (taken.groups, taken.judge, taken.new) == (((1,), (2, 3), (4,)), "anna", True)
    study.tie(1, 2, judge="bo")
    (anna, bo), plain = study.judges(), study.judges(fitted=False)
    assert (anna.right, anna.told, bo.told) == (5, 5, 0)
    assert plain == study.status().judges
    assert [(each.name, each.right) for each in plain] == [("anna", None), ("bo", None)]
    assert study.next_judge() == "bo"
