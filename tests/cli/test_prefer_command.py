"""``ordbo suggest --duel``, ``ordbo prefer`` and ``ordbo tie``: a study of comparisons, in whole or in part."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.problem import Comparison
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.fixture
def taste(tmp_path: Path) -> Path:
    """A problem file of two parameters, without any result."""
    path = tmp_path / "taste.yaml"
    path.write_text(
        "objective: {name: taste, goal: maximize}\n"
        "parameters:\n  sugar: {min: 0, max: 40, step: 0.5}\n  acid: {min: 0, max: 6, step: 0.1}\n"
    )
    return path


@pytest.fixture
def tasted(ordbo: Call, taste: Path) -> Path:
    """The same after three pairs, of which two were told apart and one was not."""
    for _ in range(3):
        assert ordbo("suggest", taste, "--duel").status == 0
    assert ordbo("prefer", taste, "1", "over", "2").status == 0
    assert ordbo("prefer", taste, "4", "3").status == 0
    assert ordbo("tie", taste, "1", "4").status == 0
    return taste


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV."""
    with path.open(newline="") as table:
        return list(csv.DictReader(table))


def test_the_first_pairs_are_new(ordbo: Call, taste: Path) -> None:
    """Both points go out as pending rows, as two lines of JSON; what to do next is said beside them."""
    said = ordbo("suggest", taste, "--duel")
    one, two = map(json.loads, said.out.splitlines())
    assert (one["id"], two["id"]) == (1, 2)
    assert said.err == f"compare 1 with 2: 'ordbo prefer {taste} 1 over 2', the other way round, or tie\n"
    table = rows(taste.with_suffix(".csv"))
    assert [(row["id"], row["status"], row["taste"]) for row in table] == [("1", "pending", ""), ("2", "pending", "")]
    assert float(table[0]["sugar"]) == one["parameters"]["sugar"]
    assert ordbo("suggest", taste, "--duel", "--dry-run", "--quiet").out.count('"id": 3') == 1
    assert len(rows(taste.with_suffix(".csv"))) == 2


def test_answers_are_rows_of_a_table_of_their_own(ordbo: Call, tasted: Path) -> None:
    """The points are out no more, and the next pair is the best and a new one."""
    table = tasted.with_suffix(".comparisons.csv").read_text()
    assert table == "better,worse,tie\n1,2,\n4,3,\n1,4,yes\n"
    status = json.loads(ordbo("status", tasted, "--json").out)
    assert status["counts"]["comparisons"] == 3
    assert [point["id"] for point in status["pending"]] == [5, 6]
    assert status["best"]["objective"] is None
    assert status["best"]["id"] in (1, 4)
    one, two = map(json.loads, ordbo("suggest", tasted, "--duel", "--quiet").out.splitlines())
    assert (one["id"], two["id"]) == (status["best"]["id"], 7)
    best = json.loads(ordbo("best", tasted, "--quiet").out)
    assert (best["id"], best["by"], best["results"], "objective" in best) == (one["id"], "mean", 0, False)


def test_the_report_names_the_best_of_comparisons(ordbo: Call, tasted: Path, tmp_path: Path) -> None:
    """That of 'ordbo best', which has no result."""
    best = json.loads(ordbo("best", tasted, "--quiet").out)["id"]
    assert ordbo("report", tasted, "-o", tmp_path / "r.html").status == 0
    text = (tmp_path / "r.html").read_text()
    assert "Best by mean, taste" in text
    assert "compared only" in text
    assert f"id {best}: sugar" in text
    assert "chosen by its mean, no result" in text


def test_the_same_again_counts_once(ordbo: Call, tasted: Path) -> None:
    """A call that is repeated adds nothing; --again does, and another answer on the same two does."""
    path = tasted.with_suffix(".comparisons.csv")
    said = ordbo("tie", tasted, "4", "1")
    assert said.err == "warning: 4 as good as 1 is recorded already, nothing was added; --again counts it once more\n"
    assert len(rows(path)) == 3
    assert ordbo("prefer", tasted, "1", "over", "4").err == "recorded 1 over 4\n"
    assert ordbo("tie", tasted, "1", "4").err == "recorded 1 as good as 4\n"
    assert ordbo("tie", tasted, "1", "4", "--again").err == "recorded 1 as good as 4\n"
    assert len(rows(path)) == 6


def test_a_suggestion_without_a_row_gets_one(ordbo: Call, taste: Path) -> None:
    """What only the state knows is written down before it is compared, so that the state can be lost."""
    assert ordbo("suggest", taste, "-n", "2").status == 0
    assert not taste.with_suffix(".csv").exists()
    assert ordbo("prefer", taste, "2", "over", "1").status == 0
    taste.with_name("taste.state.json").unlink()
    (found,) = Study.open(taste).read().comparisons
    assert isinstance(found, Comparison)
    assert [row["id"] for row in rows(taste.with_suffix(".csv"))] == ["1", "2"]
    assert "next: point 3 of 5 of the initial design" in ordbo("status", taste).out


def test_a_compared_point_may_have_a_result_too(ordbo: Call, tasted: Path) -> None:
    """It is recorded under its id, and both count."""
    assert ordbo("observe", tasted, "--id", "1", "taste=3").err.startswith("recorded 1: taste=3")
    status = json.loads(ordbo("status", tasted, "--json").out)
    assert (status["counts"]["ok"], status["counts"]["comparisons"]) == (1, 3)
    assert json.loads(ordbo("best", tasted, "--by", "value", "--quiet").out)["id"] == 1


@pytest.mark.parametrize(
    ("words", "message", "status"),
    [
        (("prefer", "1", "over", "1"), "1 is compared with itself", 2),
        (("prefer", "1"), "'1' names no two points", 2),
        (("prefer", "1", "under", "2"), "'1 under 2' names no two points", 2),
        (("prefer", "0", "over", "2"), "'0 2' names no two points", 2),
        (("tie", "1", "2", "3"), "'1 2 3' names no two points", 2),
        (("prefer", "1", "over", "99"), "no suggestion and no row has the id 99", 65),
        (("suggest", "--duel", "-n", "2"), "--duel beside -n", 2),
        (("suggest", "--duel", "--explain"), "--duel beside --explain", 2),
        (("suggest", "--duel", "--format", "env"), "--format env with -n: one set of variables", 2),
    ],
)
def test_what_is_refused(ordbo: Call, tasted: Path, words: tuple[str, ...], message: str, status: int) -> None:
    """Two lines with a hint, and nothing is recorded."""
    before = tasted.with_suffix(".comparisons.csv").read_bytes(), tasted.with_suffix(".csv").read_bytes()
    said = ordbo(words[0], tasted, *words[1:])
    assert (said.status, said.out) == (status, "")
    assert said.err.startswith(f"error: {message}")
    assert "\nhint: " in said.err
    assert (tasted.with_suffix(".comparisons.csv").read_bytes(), tasted.with_suffix(".csv").read_bytes()) == before


def test_evaluations_without_ids_are_compared(ordbo: Call, taste: Path) -> None:
    """A table that gives no ids is challenged under those that the study gives; its rows stay as they are."""
    text = "sugar,acid,taste\n1,1,3\n"
    taste.with_suffix(".csv").write_text(text)
    said = ordbo("suggest", taste, "--duel")
    one, two = map(json.loads, said.out.splitlines())
    assert (said.status, one, two["id"]) == (0, {"id": 1, "parameters": {"sugar": 1.0, "acid": 1.0}}, 2)
    assert "the row has the id 1" in said.err
    assert ordbo("prefer", taste, "1", "over", "2").status == 0
    assert taste.with_suffix(".csv").read_text().startswith(text)
    assert json.loads(ordbo("status", taste, "--json").out)["counts"]["comparisons"] == 1
    assert json.loads(ordbo("best", taste, "--quiet").out)["id"] == 1


def test_a_result_of_ones_own_is_challenged(ordbo: Call, taste: Path) -> None:
    """The best of a table's rows is compared under the id that the study gives it; the rows stay as they are."""
    text = "id,sugar,acid,taste,status\n,10,2,3,ok\n,20,3,8,ok\n"
    taste.with_suffix(".csv").write_text(text)
    one, two = map(json.loads, ordbo("suggest", taste, "--duel", "--quiet").out.splitlines())
    assert one == {"id": 2, "parameters": {"sugar": 20.0, "acid": 3.0}}
    assert two["id"] == 3
    assert taste.with_suffix(".csv").read_text().startswith(text)
    assert ordbo("prefer", taste, "3", "over", "2").status == 0
    assert json.loads(ordbo("status", taste, "--json").out)["counts"]["ok"] == 2


def test_check_names_what_does_not_go_together(ordbo: Call, tasted: Path) -> None:
    """Contradictions, circles and answers against the results, by their lines; none of it is an error."""
    for winner, loser in ((2, 1), (2, 3), (3, 4), (4, 2)):
        assert ordbo("prefer", tasted, str(winner), "over", str(loser)).status == 0
    for id, value in ((5, 1), (6, 2)):
        assert ordbo("observe", tasted, "--id", str(id), f"taste={value}").status == 0
    assert ordbo("prefer", tasted, "5", "over", "6").status == 0
    said = ordbo("check", tasted)
    assert said.status == 0
    name = tasted.with_suffix(".comparisons.csv")
    assert f"{name}: 8 comparisons, 1 of them ties\n" in said.out
    assert f"{name}: 1 over 2 (line 2) and 2 over 1 (line 5)\n" in said.out
    assert f"{name}: 3 over 4 (line 7) and 4 over 3 (line 3)\n" in said.out
    assert f"{name}: line 9 says 5 over 6, but the result of 5 is worse\n" in said.out
    tasted.with_suffix(".comparisons.csv").write_text("better,worse\n1,77\n")
    said = ordbo("check", tasted)
    assert said.status == 65
    assert f"{name}:2:3: no evaluation has the id 77" in said.err


def test_a_copy_of_ranks_asks_for_the_same_pair(ordbo: Call, tasted: Path, tmp_path: Path) -> None:
    """The comparisons go with it."""
    assert ordbo("export", tasted, "--ranks-only", "-o", tmp_path / "copy").status == 0
    copy = tmp_path / "copy" / "problem.yaml"
    assert copy.with_suffix(".comparisons.csv").read_text() == tasted.with_suffix(".comparisons.csv").read_text()
    pairs = [ordbo("suggest", each, "--duel", "--dry-run", "--quiet").out for each in (tasted, copy)]
    assert pairs[0] == pairs[1]


def test_the_line_protocol(ordbo: Call, taste: Path) -> None:
    """A duel, two answers and their repetition, one JSON object a line."""
    lines = [
        {"duel": True},
        {"prefer": [2, 1]},
        {"prefer": [2, 1]},
        {"tie": [1, 2]},
        {"prefer": [1]},
        {"prefer": [1, 1]},
        {"best": True},
    ]
    said = ordbo("serve", taste, "--stdio", stdin="".join(json.dumps(line) + "\n" for line in lines).encode())
    pair, first, again, tie, short, itself, best = map(json.loads, said.out.splitlines())
    assert [point["id"] for point in pair["points"]] == [1, 2]
    assert first == {"compared": {"better": 2, "worse": 1, "tie": False, "new": True}}
    assert (again["compared"]["new"], len(again["warnings"])) == (False, 1)
    assert tie["compared"]["tie"] is True
    assert (short["error"]["status"], itself["error"]["status"]) == (2, 2)
    assert best["best"]["id"] == 2
    assert best["best"]["objective"] is None


def test_only_of_two_points_is_known_which_is_better(ordbo: Call, tasted: Path) -> None:
    """Other commands do their work on such a study, or say why not."""
    page = tasted.with_name("page.html")
    for words in (
        ("predict", "sugar=3", "acid=2"),
        ("report", "-o", page),
        ("export",),
        ("suggest", "--explain", "--dry-run"),
    ):
        assert ordbo(words[0], tasted, *words[1:]).status == 0, words
    assert ordbo("diagnose", tasted).status == 65
    assert ">Comparisons<" in page.read_text()


def test_what_the_model_does_not_see_is_said(ordbo: Call, tasted: Path) -> None:
    """Of more than five hundred comparisons the newest count."""
    with tasted.with_suffix(".comparisons.csv").open("a") as table:
        table.write("1,2,\n" * 500)
    said = ordbo("suggest", tasted, "--duel")
    assert said.err.startswith("warning: the model sees the newest 500 of 503 comparisons\n")
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == [1, 7]
    assert "the newest 500 of 503 comparisons" in ordbo("best", tasted).err
