"""``ordbo rank`` and ``--judge``: rankings and judges from the command line to the model, and back again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Optimizer
from ordbo_cli.problem.sample_ranking import ranking_weight
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
HEADER = "better,worse,tie,judge,ranking\n"


@pytest.fixture
def taste(ordbo: Call, tmp_path: Path) -> Path:
    """A problem file of two parameters, with five points out."""
    path = tmp_path / "taste.yaml"
    path.write_text(
        "objective: {name: taste, goal: maximize}\n"
        "parameters:\n  sugar: {min: 0, max: 40, step: 0.5}\n  acid: {min: 0, max: 6, step: 0.1}\n"
    )
    assert ordbo("suggest", path, "-n", "5", "--append").status == 0
    return path


def table(path: Path) -> str:
    """Return the comparisons."""
    return path.with_suffix(".comparisons.csv").read_text()


def test_a_ranking_stands_as_its_neighbours(ordbo: Call, taste: Path) -> None:
    """The model gets all pairs with their weight and their judge, the same as in memory."""
    said = ordbo("rank", taste, "4", "3=2", "5", "--judge", "anna")
    assert (said.status, said.out, said.err) == (0, "", "recorded 4 over 3=2 over 5 (judge anna)\n")
    assert table(taste) == f"{HEADER}4,3,,anna,1\n3,2,yes,anna,1\n2,5,,anna,1\n"
    study = Study.open(taste)
    found = study.read().comparisons
    optimizer = Optimizer(study.problem)
    points = dict(enumerate(optimizer.ask_batch(5), 1))
    optimizer.rank([points[4], [points[3], points[2]], points[5]], judge="anna")
    assert tuple(found) == optimizer.comparisons
    assert len(found) == 6
    assert {(each.judge, each.weight) for each in found} == {("anna", ranking_weight(4))}
    assert json.loads(ordbo("status", taste, "--json").out)["counts"]["comparisons"] == 6
    assert [each["id"] for each in json.loads(ordbo("status", taste, "--json").out)["pending"]] == [1]


def test_other_spellings_of_a_ranking(ordbo: Call, taste: Path) -> None:
    """With over, and blanks around the signs; as JSON."""
    said = ordbo("rank", taste, "4", "over", "3", "=", "2", "over", "5", "--json")
    assert json.loads(said.out) == {"ranking": [[4], [3, 2], [5]], "new": True}
    said = ordbo("rank", taste, "1", "4", "--json", "--judge", "bo")
    assert json.loads(said.out) == {"ranking": [[1], [4]], "judge": "bo", "new": True}


def test_the_same_again_counts_once(ordbo: Call, taste: Path) -> None:
    """Of one judge, whatever the order within a tie; --again counts it, and so does another judge's."""
    assert ordbo("rank", taste, "4", "3=2", "--judge", "anna").status == 0
    before = table(taste)
    said = ordbo("rank", taste, "4", "2=3", "--judge", "anna")
    assert said.err == (
        "warning: 4 over 2=3 (judge anna) is recorded already, nothing was added; --again counts it once more\n"
    )
    assert "is recorded already" in ordbo("prefer", taste, "4", "over", "2", "--judge", "anna").err
    assert table(taste) == before
    assert ordbo("rank", taste, "4", "2=3", "--judge", "bo").err == "recorded 4 over 2=3 (judge bo)\n"
    assert ordbo("rank", taste, "4", "2=3", "--judge", "anna", "--again").err.startswith("recorded")
    assert ordbo("prefer", taste, "2", "over", "4", "--judge", "anna").err == "recorded 2 over 4 (judge anna)\n"
    assert ordbo("rank", taste, "4", "2=3", "--judge", "anna").err == "recorded 4 over 2=3 (judge anna)\n"
    assert [line.split(",")[-1] for line in table(taste).splitlines()[1:]] == [*"112233", "", *"44"]


def test_undo_takes_the_whole_ranking_back(ordbo: Call, taste: Path) -> None:
    """By rows in one go; a judge's comparison by itself."""
    ordbo("prefer", taste, "4", "over", "3", "--judge", "anna")
    ordbo("rank", taste, "4", "3=2", "5", "--judge", "anna")
    assert ordbo("undo", taste, "--comparison").err == "took back 4 over 3=2 over 5 (judge anna)\n"
    assert table(taste).endswith("4,3,undone,anna,1\n3,2,undone:tie,anna,1\n2,5,undone,anna,1\n")
    assert len(Study.open(taste).read().comparisons) == 1
    assert [each["id"] for each in json.loads(ordbo("status", taste, "--json").out)["pending"]] == [1, 2, 5]
    said = ordbo("undo", taste, "--id", "3", "--json")
    assert json.loads(said.out) == {"better": 4, "worse": 3, "tie": False, "judge": "anna", "line": 2}
    assert Study.open(taste).read().comparisons == []
    ordbo("rank", taste, "1", "2", "3")
    assert table(taste).endswith("1,2,,,2\n2,3,,,2\n")
    said = ordbo("undo", taste, "--id", "2", "--json")
    assert json.loads(said.out) == {"ranking": [[1], [2], [3]], "line": 10}


def test_rankings_of_a_file(ordbo: Call, taste: Path) -> None:
    """One a line, with the judge in front; all of them or none."""
    text = "# tasted in May\nanna: 4 3=2\n\n 5 1 \n"
    said = ordbo("rank", taste, "--file", "-", "--judge", "bo", stdin=text.encode())
    assert said.err == "recorded 4 over 3=2 (judge anna)\nrecorded 5 over 1 (judge bo)\n"
    before = table(taste)
    assert before == f"{HEADER}4,3,,anna,1\n3,2,yes,anna,1\n5,1,,bo,2\n"
    for wrong, message in {
        "anna: 1 2\nbo: 1 x\n": "error: standard input:2: 'x' is no id",
        "1 2\n2 2\n": "error: standard input:2: 2 stands in the ranking twice",
        "1 2\n: 2 3\n": "error: standard input:2: '' is no name of a judge",
        "1 2\n1 99\n": "error: no suggestion and no row has the id 99",
        "# none\n": "error: standard input: there is no ranking in it",
    }.items():
        said = ordbo("rank", taste, "--file", "-", stdin=wrong.encode())
        assert (said.status, said.err.splitlines()[0]) == (65, message)
    assert table(taste) == before


@pytest.mark.parametrize(
    ("words", "message", "status"),
    [
        (("1",), "a ranking of fewer than two points says nothing", 2),
        (("1", "2", "1"), "1 stands in the ranking twice", 2),
        (("1", "2=1"), "1 stands in the ranking twice", 2),
        (("1", "2="), "'1 2=': nothing stands on one side of =", 2),
        (("=1", "2"), "'=1 2': nothing stands on one side of =", 2),
        (("1", "=", "=", "2"), "'1==2': nothing stands on one side of =", 2),
        (("1", "two"), "'two' is no id", 2),
        (("1", "0"), "'0' is no id", 2),
        (("1", "9" * 400), "'9999", 2),
        (("1", "99"), "no suggestion and no row has the id 99", 65),
        ((), "no ids are given", 2),
        (("1", "2", "--file", "-"), "ids beside --file", 2),
        (("1", "2", "--judge", " "), "' ' is no name of a judge", 2),
    ],
)
def test_what_is_refused(ordbo: Call, taste: Path, words: tuple[str, ...], message: str, status: int) -> None:
    """Two lines with a hint, and nothing is recorded."""
    said = ordbo("rank", taste, *words)
    assert (said.status, said.out) == (status, "")
    assert said.err.startswith(f"error: {message}")
    assert "\nhint: " in said.err
    assert not taste.with_suffix(".comparisons.csv").exists()


def test_a_table_from_before_has_no_column_for_it(ordbo: Call, taste: Path) -> None:
    """Nothing is changed in it: the header to write is told, and is enough."""
    ordbo("prefer", taste, "1", "over", "2")
    old = table(taste)
    assert old == "better,worse,tie\n1,2,\n"
    for words, what in ((("prefer", "2", "3", "--judge", "anna"), "judge"), (("rank", "2", "3"), "ranking")):
        said = ordbo(words[0], taste, *words[1:])
        assert said.status == 65
        assert f"no column '{what}' can say" in said.err
        assert "hint: Make its header better,worse,tie,judge,ranking: the rows below stay as they are\n" in said.err
    assert table(taste) == old
    taste.with_suffix(".comparisons.csv").write_text(old.replace("tie\n", "tie,judge,ranking\n"))
    assert ordbo("rank", taste, "2", "3", "--judge", "anna").status == 0
    assert table(taste) == f"{HEADER}1,2,\n2,3,,anna,1\n"
    assert len(Study.open(taste).read().comparisons) == 2


def test_a_column_of_another_name(ordbo: Call, taste: Path) -> None:
    """The problem file says how the table calls who judges."""
    taste.write_text(f"{taste.read_text()}columns: {{judge: Taster}}\n")
    assert ordbo("prefer", taste, "1", "over", "2", "--judge", "anna").status == 0
    assert table(taste) == "better,worse,tie,Taster,ranking\n1,2,,anna,\n"
    assert Study.open(taste).read().comparisons[0].judge == "anna"


def test_status_check_and_report_say_who_judges(ordbo: Call, taste: Path) -> None:
    """Counts and contradictions always, agreement where a model may be fitted."""
    for judge, ids in (("anna", "1 2 3 4"), ("bo", "4 3 2 1"), ("cy", "1 2 3 4=5")):
        assert ordbo("rank", taste, *ids.split(), "--judge", judge).status == 0
    said = ordbo("status", taste).out
    assert "judge anna: 6 comparisons (1 ranking), agrees with the model in 6 (100%), noise " in said
    assert "judge bo: 6 comparisons (1 ranking), agrees with the model in 0 (0%), noise " in said
    found = json.loads(ordbo("status", taste, "--json").out)["judges"]
    assert [(each["name"], each["agrees"]) for each in found] == [
        ("anna", {"comparisons": 6, "of": 6}), ("bo", {"comparisons": 0, "of": 6}),
        ("cy", {"comparisons": 9, "of": 9}),
    ]  # fmt: skip
    plain = json.loads(ordbo("status", taste, "--json", "--no-next").out)["judges"]
    assert [(each["comparisons"], each["ties"], each["agrees"]) for each in plain] == [
        (6, 0, None), (6, 0, None), (10, 1, None),
    ]  # fmt: skip
    assert plain[2]["differs"] == [{"judge": "anna", "pairs": 0, "of": 6}, {"judge": "bo", "pairs": 6, "of": 6}]
    check = ordbo("check", taste).out
    assert "22 comparisons, 1 of them ties; 3 rankings among them\n" in check
    assert "judge bo: 6 comparisons (1 ranking), differs from anna on 6 of 6 pairs, cy on 6 of 6 pairs\n" in check
    assert "1 over 2 (lines 2, 8 by anna, cy) and 2 over 1 (line 7 by bo)\n" in check
    assert "--judge anna'" in ordbo("suggest", taste, "--duel", "--dry-run").err
    page = taste.with_name("r.html")
    assert ordbo("report", taste, "-o", page).status == 0
    assert "Judges" in page.read_text()
    assert ">0 of 6<" in page.read_text()


def test_a_result_against_a_ranking_is_named(ordbo: Call, taste: Path) -> None:
    """Of two that are no neighbours in it, too."""
    ordbo("rank", taste, "1", "2", "3", "--judge", "anna")
    ordbo("observe", taste, "--id", "1", "taste=1")
    ordbo("observe", taste, "--id", "3", "taste=2")
    said = ordbo("check", taste).out
    assert "the ranking in line 2 by anna says 1 over 3, but the result of 1 is worse\n" in said


def test_without_names_nothing_is_said_of_judges(ordbo: Call, taste: Path) -> None:
    """The answers are those that they were."""
    ordbo("prefer", taste, "1", "over", "2")
    assert "judge" not in ordbo("status", taste).out
    assert "judges" not in json.loads(ordbo("status", taste, "--json").out)
    assert "judge" not in ordbo("suggest", taste, "--duel", "--dry-run").err


def test_the_line_protocol(ordbo: Call, taste: Path) -> None:
    """A judge beside an answer, rankings, and who should judge the next two."""
    lines: list[dict[str, object]] = [
        {"prefer": [1, 2], "judge": "anna"},
        {"rank": [3, [2, 4], 5], "judge": "bo", "tag": 7},
        {"rank": [3, [4, 2], 5], "judge": "bo"},
        {"rank": [1, 5], "judge": None},
        {"duel": True},
        {"status": True},
        {"rank": [1, [1]]},
        {"rank": 1},
        {"ask": 1, "judge": "anna"},
        {"tie": [1, 2], "judge": 3},
    ]
    said = ordbo("serve", taste, "--stdio", stdin="".join(json.dumps(line) + "\n" for line in lines).encode())
    first, second, again, plain, duel, status, *wrong = map(json.loads, said.out.splitlines())
    assert first == {"compared": {"better": 1, "worse": 2, "tie": False, "judge": "anna", "new": True}}
    assert second == {"tag": 7, "ranked": {"ranking": [[3], [2, 4], [5]], "judge": "bo", "new": True}}
    assert (again["ranked"]["new"], len(again["warnings"])) == (False, 1)
    assert plain == {"ranked": {"ranking": [[1], [5]], "new": True}}
    assert duel["judge"] == "anna"
    assert [each["name"] for each in status["status"]["judges"]] == ["anna", "bo", ""]
    assert status["status"]["judges"][0]["agrees"] == {"comparisons": 1, "of": 1}
    assert [each["error"]["status"] for each in wrong] == [2, 2, 2, 2]


def test_a_copy_of_ranks_has_the_judges(ordbo: Call, taste: Path, tmp_path: Path) -> None:
    """By name, or by number where names are hidden; what is left of a ranking is one."""
    ordbo("rank", taste, "4", "3=2", "5", "--judge", "anna")
    ordbo("prefer", taste, "1", "over", "2", "--judge", "bo")
    assert ordbo("export", taste, "--ranks-only", "-o", tmp_path / "copy").status == 0
    copy = tmp_path / "copy" / "problem.yaml"
    assert copy.with_suffix(".comparisons.csv").read_text() == table(taste)
    assert Study.open(copy).read().comparisons == Study.open(taste).read().comparisons
    assert ordbo("export", taste, "--ranks-only", "--names", "-o", tmp_path / "hidden").status == 0
    hidden = (tmp_path / "hidden" / "problem.comparisons.csv").read_text()
    assert hidden == table(taste).replace("anna", "judge 1").replace("bo", "judge 2")
