"""A panel that scores samples, each judge on a scale of his own: the column ``judge``, through commands and Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem.sample_ranking import ranking_weight
from ordbo_cli.study.study import Study
from tests.calls import Call

PROBLEM = """\
objective: {name: taste, goal: maximize}
parameters: {sugar: {min: 0, max: 40, step: 0.5}, acid: {min: 0, max: 6, step: 0.1}}
"""
HEADER = "id,sugar,acid,taste,status,judge\n"
ROWS = (
    "1,10,1,7,,anna\n2,20,2,9,,anna\n3,30,3,9,,anna\n4,20,4,2,,anna\n1,10,1,2,,bert\n2,20,2,3,,bert\n3,30,3,1,,bert\n"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Four samples that anna has scored, and three of them bert."""
    path = tmp_path / "taste.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(HEADER + ROWS)
    return path


def pairs(path: Path) -> list[tuple[float, float, bool, str, float]]:
    """Return what the model learns: sugar of the better point and of the worse one, ties, judges and weights."""
    found = Study.open(path).read().comparisons
    return [(float(each.better[0]), float(each.worse[0]), each.tie, each.judge, each.weight) for each in found]


def test_the_scores_of_a_judge_are_a_ranking_of_his_samples(path: Path, ordbo: Call, tmp_path: Path) -> None:
    """The model sees what 'ordbo rank --judge' records, whatever the judge's scale."""
    other = tmp_path / "ranked.yaml"
    other.write_text(PROBLEM)
    points = "".join(line.rsplit(",", 3)[0] + ",,pending\n" for line in ROWS.splitlines()[:4])
    other.with_suffix(".csv").write_text("id,sugar,acid,taste,status\n" + points)
    assert ordbo("rank", other, "2=3", "1", "4", "--judge", "anna").status == 0
    assert ordbo("rank", other, "2", "1", "3", "--judge", "bert").status == 0
    assert pairs(path) == pairs(other)
    assert {each[3:] for each in pairs(path)} == {("anna", ranking_weight(4)), ("bert", ranking_weight(3))}
    ours, theirs = (json.loads(ordbo("suggest", each, "--dry-run").out)["parameters"] for each in (path, other))
    assert ours == theirs


def test_samples_are_no_results_of_the_study(path: Path, ordbo: Call) -> None:
    """They count as compared; the best is by mean; a result of the study stands beside the scores."""
    counts = json.loads(ordbo("status", path, "--json").out)["counts"]
    assert (counts["ok"], counts["pending"], counts["comparisons"]) == (0, 0, 9)
    best = json.loads(ordbo("best", path).out)
    assert (best["by"], best["results"], best["id"]) == ("mean", 0, 2)
    assert ordbo("observe", path, "--id", "4", "taste=0.5").status == 0
    assert path.with_suffix(".csv").read_text().splitlines()[-1] == "4,20.0,4.0,0.5,ok,"
    assert json.loads(ordbo("status", path, "--json").out)["counts"]["ok"] == 1
    assert len(pairs(path)) == 9


def test_the_last_score_of_a_judge_counts(path: Path, ordbo: Call) -> None:
    """In the table, and by --amend; the same again is nothing new, and another one is refused without."""
    before = pairs(path)
    assert "recorded already" in ordbo("observe", path, "--id", "4", "--judge", "anna", "taste=2.0").err
    assert pairs(path) == before
    refused = ordbo("observe", path, "--id", "4", "--judge", "anna", "taste=10")
    assert refused.status == 65
    assert refused.err.startswith("error: anna has scored 4 already: 2 (line 5)\n")
    said = ordbo("observe", path, "--id", "4", "--judge", "anna", "taste=10", "--amend")
    assert said.err == "recorded 4: taste=10 (judge anna) at sugar=20.0 acid=4.0\n"
    assert [each[:2] for each in pairs(path) if each[3] == "anna"][-3:] == [(20, 20), (20, 30), (30, 10)]
    assert ordbo("observe", path, "--id", "4", "--judge", "bert", "taste=0").status == 0
    assert len(pairs(path)) == 6 + 6


def test_undo_takes_a_score_back(path: Path, ordbo: Call) -> None:
    """By a row that names the judge; the one before it stands again, and the judge of another is not touched."""
    before = pairs(path)
    ordbo("observe", path, "--id", "4", "--judge", "anna", "taste=10", "--amend")
    ordbo("observe", path, "--id", "4", "--judge", "bert", "taste=10")
    said = ordbo("undo", path, "-n", "2", "--json")
    assert [json.loads(line)["judge"] for line in said.out.splitlines()] == ["bert", "anna"]
    assert path.with_suffix(".csv").read_text().endswith("4,20.0,4.0,10,undone:ok,bert\n4,20.0,4.0,10,undone:ok,anna\n")
    assert pairs(path) == before
    with path.with_suffix(".csv").open("a") as table:
        table.write("1,10,1,,undone,\n")
    assert pairs(path) == before
    with path.with_suffix(".csv").open("a") as table:
        table.write("1,10,1,,undone,anna\n")
    assert len(pairs(path)) == 3 + 3


def test_a_suggestion_whose_only_score_is_taken_back_waits_again(ordbo: Call, tmp_path: Path) -> None:
    """Even where other suggestions came since."""
    path = tmp_path / "taste.yaml"
    path.write_text(PROBLEM)
    ordbo("suggest", path)
    assert ordbo("observe", path, "--id", "1", "--judge", "anna", "taste=3").status == 0
    assert path.with_suffix(".csv").read_text() == f"{HEADER}1,0.0,0.0,3,ok,anna\n"
    ordbo("suggest", path)
    pending = json.loads(ordbo("status", path, "--json").out)["pending"]
    assert [each["id"] for each in pending] == [2]
    assert ordbo("undo", path, "--id", "1").err.endswith("it is pending again\n")
    assert path.with_suffix(".csv").read_text().endswith("1,0.0,0.0,,pending,\n1,0.0,0.0,3,undone:ok,anna\n")
    pending = json.loads(ordbo("status", path, "--json").out)["pending"]
    assert [each["id"] for each in pending] == [1, 2]


def test_a_single_score_says_nothing_yet(path: Path, ordbo: Call) -> None:
    """But that its sample is there: it is not handed out again."""
    path.with_suffix(".csv").write_text(HEADER + ROWS.splitlines(keepends=True)[0])
    files = Study.open(path).read()
    assert files.comparisons == []
    assert files.out == [(10.0, 1.0)]
    assert ordbo("suggest", path, "-n", "3").status == 0
    assert "nothing" in ordbo("best", path).err or ordbo("best", path).status != 0


@pytest.mark.parametrize(
    ("row", "place", "message"),
    [
        (",5,5,3,,anna", "2:9", "column 'judge': 'anna' scores a sample without an id"),
        ("5,5,5,3,retry,anna", "2:9", "column 'status': a judge's row is 'retry'"),
        ("5,5,5,>3,,anna", "2:7", "column 'taste': '>3' is a limit, and no score"),
        ("5,5,5,3,,a\x07b", "2:10", "is no name of a judge"),
    ],
)
def test_rows_that_are_refused(path: Path, ordbo: Call, row: str, place: str, message: str) -> None:
    """In words, with line and column."""
    path.with_suffix(".csv").write_text(f"{HEADER}{row}\n")
    said = ordbo("check", path)
    assert said.status == 65
    assert f"taste.csv:{place}: " in said.err
    assert message in said.err


def test_a_judge_and_a_campaign_are_a_mixture(path: Path, ordbo: Call) -> None:
    """In a row of the study's own table, and in a campaign's; rows with one of the two are fine."""
    table = path.with_suffix(".csv")
    table.write_text("id,sugar,acid,taste,status,judge,campaign\n" + ROWS.replace("\n", ",\n") + ",1,1,3,,,rig\n")
    assert [each.name for each in Study.open(path).read().campaigns] == ["rig"]
    assert len(pairs(path)) == 9
    with table.open("a") as more:
        more.write("7,1,1,3,,anna,rig\n")
    refused = ordbo("status", path)
    assert "taste.csv:10:10: column 'judge': the row is a score of 'anna' and a result of another" in refused.err
    table.write_text(HEADER + ROWS)
    (path.parent / "old.csv").write_text("id,sugar,acid,taste,judge\n1,1,1,3,anna\n")
    path.write_text(PROBLEM + "evaluations: [{file: old.csv}]\n")
    assert "old.csv:2:9: column 'judge': the row is a score of 'anna'" in ordbo("status", path).err


def test_lower_levels_and_several_objectives_are_refused(path: Path, ordbo: Call) -> None:
    """Judges score samples of the highest level, by one objective."""
    table = path.with_suffix(".csv")
    levels = "fidelity: {name: pot, levels: [cup, kettle], cost: [1, 9]}\n"
    path.write_text(PROBLEM.replace("acid:", "pot: {value: kettle}, acid:") + levels)
    table.write_text("id,sugar,acid,pot,taste,status,judge\n1,1,1,kettle,3,,anna\n2,1,2,cup,3,,anna\n")
    said = ordbo("status", path)
    assert "taste.csv:3:14: column 'judge': 'anna' scores a point at a lower level of fidelity" in said.err
    table.write_text("id,sugar,acid,pot,taste,status,judge\n1,1,1,kettle,3,,anna\n2,1,2,cup,3,,\n")
    refused = ordbo("observe", path, "--id", "2", "--judge", "anna", "taste=3")
    assert "id 2 is a point at a lower level of fidelity" in refused.err
    path.write_text(
        PROBLEM.replace("objective: {name: taste, goal", "objectives: {looks: minimize, taste: {goal") + "\n"
    )
    path.write_text(path.read_text().replace("maximize}\n", "maximize}}\n"))
    table.write_text("id,sugar,acid,looks,taste,status,judge\n1,1,1,3,3,,anna\n")
    said = ordbo("status", path)
    assert "column 'judge': 'anna' scores a sample of several objectives, which is not supported" in said.err
    table.write_text("id,sugar,acid,looks,taste,status\n1,1,1,3,3,\n")
    refused = ordbo("observe", path, "--id", "1", "--judge", "anna", "looks=3", "taste=4")
    assert refused.status == 2


def test_a_failure_of_a_judge_says_nothing(path: Path) -> None:
    """Neither of the sample nor of the judge's score before."""
    before = pairs(path)
    with path.with_suffix(".csv").open("a") as table:
        table.write("1,10,1,failed,,anna\n2,20,2,,failed,anna\n")
    assert pairs(path) == before
    assert Study.open(path).status().failed == 0


def test_words_are_scores_and_outcomes_are_left_out(path: Path, ordbo: Call) -> None:
    """Where the objective has words; a limit of the problem has no say in a judge's row."""
    path.write_text(
        PROBLEM.replace("maximize}", "maximize, values: [poor, fair, good]}") + "outcomes: {cost: {max: 3}}\n"
    )
    table = path.with_suffix(".csv")
    table.write_text("id,sugar,acid,taste,cost,status,judge\n1,1,1,fair,,,anna\n2,2,1,good,,,anna\n3,3,1,fair,2,,\n")
    assert [each[:3] for each in pairs(path)] == [(2, 1, False)]
    assert ordbo("observe", path, "--id", "3", "--judge", "anna", "taste=poor").status == 0
    assert table.read_text().splitlines()[-1] == "3,3.0,1.0,poor,,ok,anna"
    refused = ordbo("observe", path, "--id", "3", "--judge", "bert", "taste=poor", "cost=2")
    assert (refused.status, refused.err.splitlines()[0]) == (2, "error: cost stands beside a judge's score")
    with table.open("a") as more:
        more.write("2,2,1,good,2,,bert\n")
    assert "taste.csv:6:15: column 'judge': cost stands beside a score of 'bert'" in ordbo("check", path).err


def test_a_table_without_the_column_is_not_changed(path: Path, ordbo: Call) -> None:
    """It says what the header is to be; the rows below it stay, and are the study's own results."""
    table = path.with_suffix(".csv")
    table.write_text("id,sugar,acid,taste,status\n1,10,1,3,ok\n")
    refused = ordbo("observe", path, "--id", "1", "--judge", "anna", "taste=6")
    assert (refused.status, refused.err) == (
        65,
        "error: taste.csv: no column 'judge' can say who has judged\n"
        "hint: Make its header id,sugar,acid,taste,status,judge: the rows below stay as they are\n".replace(
            "taste.csv", str(table) if str(table) in refused.err else "taste.csv"
        ),
    )
    assert table.read_text() == "id,sugar,acid,taste,status\n1,10,1,3,ok\n"
    table.write_text("id,sugar,acid,taste,status,judge\n1,10,1,3,ok\n")
    assert ordbo("observe", path, "--id", "1", "--judge", "anna", "taste=6").status == 0
    assert table.read_text().endswith("1,10,1,3,ok\n1,10.0,1.0,6,ok,anna\n")


def test_a_new_table_has_no_such_column_unless_a_judge_is_named(tmp_path: Path, ordbo: Call) -> None:
    """Whoever records first."""
    for name, judge, header in (("a", (), HEADER.replace(",judge", "")), ("b", ("--judge", "anna"), HEADER)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(PROBLEM)
        ordbo("suggest", path)
        assert ordbo("observe", path, "--id", "1", *judge, "taste=6").status == 0
        assert path.with_suffix(".csv").read_text().startswith(header)


def test_the_column_may_be_called_otherwise(path: Path, ordbo: Call) -> None:
    """By columns:, in a new table, too; and a parameter of that name wins."""
    table = path.with_suffix(".csv")
    table.write_text((HEADER + ROWS).replace("judge", "taster"))
    assert pairs(path) == []
    path.write_text(PROBLEM + "columns: {judge: taster}\n")
    assert len(pairs(path)) == 9
    table.unlink()
    ordbo("suggest", path)
    assert ordbo("observe", path, "--id", "1", "--judge", "anna", "taste=6").status == 0
    assert table.read_text().startswith("id,sugar,acid,taste,status,taster\n")
    path = path.with_name("court.yaml")
    path.write_text(PROBLEM.replace("acid:", "judge:"))
    path.with_suffix(".csv").write_text("id,sugar,judge,taste\n1,10,1,3\n")
    assert Study.open(path).status().ok == 1
    assert "column of results" in ordbo("observe", path, "--id", "1", "--judge", "anna", "taste=6").err


def test_what_goes_with_a_judge_is_checked(path: Path, ordbo: Call) -> None:
    """Before anything is recorded."""
    before = path.with_suffix(".csv").read_bytes()
    for words, message in {
        ("taste=3", "sugar=1", "acid=2"): "'anna' scores a sample without an id",
        ("--id", "1", "--failed"): "a judge gives a score",
        ("--id", "1", "taste=<3"): "a judge gives a score",
        ("--id", "1", "taste=3", "--note", "bitter"): "note stands beside a judge's score",
        ("--file", "-"): "--judge beside a table",
    }.items():
        refused = ordbo("observe", path, "--judge", "anna", *words, stdin=b"id,taste\n1,3\n")
        assert refused.status == 2
        assert refused.err.startswith(f"error: {message}")
    assert ordbo("observe", path, "--id", "99", "--judge", "anna", "taste=3").status == 65
    assert ordbo("observe", path, "--id", "1", "--judge", " ", "taste=3").status == 2
    assert path.with_suffix(".csv").read_bytes() == before


def test_a_whole_table_of_scores_is_recorded(path: Path, ordbo: Call) -> None:
    """By ids and judges, beside results of the study."""
    more = b"id,taste,judge\n4,5,bert\n1,3,cy\n2,1,\n2,4,cy\n"
    assert ordbo("observe", path, "--file", "-", stdin=more).err == "recorded 4 rows: 4 ok\n"
    assert path.with_suffix(".csv").read_text().splitlines()[-1] == "2,20.0,2.0,4,ok,cy"
    assert Study.open(path).status().ok == 1
    assert len(pairs(path)) == 6 + 6 + 1
    refused = ordbo("observe", path, "--file", "-", stdin=b"id,taste,judge\n4,6,bert\n")
    assert "bert has scored 4 already: 5 (line 9)" in refused.err


def test_status_and_check_say_who_differs(path: Path, ordbo: Call) -> None:
    """A line a judge, with what he has not scored; contradictions by samples; the report has them, too."""
    said = ordbo("status", path, "--no-next").out
    assert "judge anna: 6 comparisons (1 tie, 4 scores), " in said
    assert "differs from bert on 1 of 2 pairs" in said
    assert "judge bert: 3 comparisons (3 scores), " in said
    assert said.count("has not scored 4\n") == 1
    anna, bert = json.loads(ordbo("status", path, "--json").out)["judges"]
    assert (anna["scores"], anna["unscored"], bert["scores"], bert["unscored"]) == (4, [], 3, [4])
    assert anna["agrees"]["of"] == 5
    ordbo("observe", path, "--id", "1", "taste=3")
    ordbo("observe", path, "--id", "2", "taste=1")
    ordbo("prefer", path, "4", "over", "2", "--judge", "anna")
    checked = ordbo("check", path).out
    assert "taste.csv: 7 scores of 2 judges\n" in checked
    assert "taste.csv: bert scored 1 above 3, anna 3 above 1\n" in checked
    assert "taste.csv: anna scored 2 above 4, and says 4 over 2 in a comparison (line 2 by anna)\n" in checked
    assert "says 2 over 1, but the result of 2 is worse\n" in checked
    assert "comparisons.csv: 1 comparison, 0 of them ties\n" in checked
    page = path.parent / "page.html"
    assert ordbo("report", path, "-o", page).status == 0
    assert "Judges" in page.read_text()


@pytest.mark.parametrize("names", [(), ("--names",)])
def test_a_copy_by_ranks_has_the_scores(path: Path, ordbo: Call, names: tuple[str, ...]) -> None:
    """As ranks of each judge's own, so that its next point is the study's; the plain table has the points."""
    ordbo("observe", path, "--id", "4", "taste=-7")
    ordbo("rank", path, "1", "3", "--judge", "cy")
    assert ordbo("export", path, "--ranks-only", *names, "--output", path.parent / "copy").status == 0
    copy = path.parent / "copy" / "problem.yaml"
    text = copy.with_suffix(".csv").read_text()
    assert "9" not in text.split("\n", 1)[1]
    called = {"cy": "judge 1", "anna": "judge 2", "bert": "judge 3"} if names else {}
    assert [(*each[:3], called.get(each[3], each[3]), each[4]) for each in pairs(path)] == pairs(copy)
    ours, theirs = (json.loads(ordbo("suggest", each, "--dry-run").out)["parameters"] for each in (path, copy))
    assert list(ours.values()) == list(theirs.values())
    assert ordbo("export", path).out.splitlines()[1:] == [
        "4,20.0,4.0,-7,ok", "1,10.0,1.0,,pending", "2,20.0,2.0,,pending", "3,30.0,3.0,,pending",
    ]  # fmt: skip


def test_python_and_serve_record_as_the_command_does(path: Path, ordbo: Call) -> None:
    """The same rows, the same refusals."""
    study = Study.open(path)
    told = study.tell(5, id=4, judge="bert")
    assert (told.judge, told.objective, told.new) == ("bert", "5", True)
    assert not study.tell({"taste": 5}, id=4, judge="bert").new
    with pytest.raises(DataError, match="bert has scored 4 already"):
        study.tell(6, id=4, judge="bert")
    with pytest.raises(UsageError, match="without an id"):
        study.tell(6, parameters={"sugar": 1, "acid": 1}, judge="bert")
    assert study.points()[0].status == "pending"
    requests = (
        {"tell": {"id": 4, "objective": 6, "judge": "bert", "amend": True}},
        {"tell": {"id": 1, "objective": 2}, "judge": "cy"},
    )
    stdin = "".join(json.dumps(each) + "\n" for each in requests).encode()
    first, second = (json.loads(line)["told"] for line in ordbo("serve", path, "--stdio", stdin=stdin).out.splitlines())
    assert (first["judge"], first["objective"], second["judge"]) == ("bert", 6, "cy")
    assert (
        path.with_suffix(".csv")
        .read_text()
        .endswith("4,20.0,4.0,5,ok,bert\n4,20.0,4.0,6,ok,bert\n1,10.0,1.0,2,ok,cy\n")
    )


def test_rows_of_judges_may_be_sorted(path: Path, ordbo: Call) -> None:
    """The state knows in which order they came, as of all rows: the last score of a judge stays the last.

    Two judges may have given the same score.
    """
    path.with_suffix(".csv").write_text(HEADER + ROWS.replace("1,10,1,2,,bert", "1,10,1,7,,bert"))
    ordbo("observe", path, "--id", "4", "--judge", "anna", "taste=10", "--amend")
    ordbo("suggest", path)
    before = pairs(path)
    header, *rows = path.with_suffix(".csv").read_text().splitlines(keepends=True)
    path.with_suffix(".csv").write_text(header + "".join(reversed(rows)))
    assert pairs(path) == before
    assert ordbo("clean", path, "--dry-run").status == 0


def test_a_note_on_a_result_stays(path: Path, ordbo: Call) -> None:
    """Whatever judges say of the same point, and take back again."""
    assert ordbo("observe", path, "--id", "1", "taste=3", "--note", "sweet").status == 0
    assert ordbo("observe", path, "--id", "1", "--judge", "cy", "taste=3").status == 0
    assert Study.open(path).points()[0].remark.note == "sweet"
    assert ordbo("undo", path).err == "took back 1: taste=3 (judge cy) at sugar=10.0 acid=1.0; taste=3 stands\n"
    assert Study.open(path).points()[0].remark.note == "sweet"


def test_older_rows_may_be_shorter(path: Path) -> None:
    """Where the column was added at the end of the header."""
    path.with_suffix(".csv").write_text(f"{HEADER}7,5,5,3,ok\n{ROWS}")
    assert Study.open(path).status().ok == 1
    assert len(pairs(path)) == 9


def test_a_problem_from_a_table_has_no_judge_as_parameter(path: Path, ordbo: Call) -> None:
    """Nor a campaign: the columns are ordbo's own."""
    table = path.with_suffix(".csv")
    table.write_text("id,sugar,acid,taste,status,judge,campaign\n" + ROWS.replace("\n", ",\n") + ",1,1,3,,,rig\n")
    said = ordbo("init", path.with_name("new.yaml"), "--from", table, "--objective", "taste:maximize")
    assert (said.status, "judge" in said.err, "campaign" in said.err) == (0, False, False)
    files = Study.open(path.with_name("new.yaml")).read()
    assert files.problem.names == ("sugar", "acid")
    assert len(files.comparisons) == 9
