"""Judges and rankings in the table of comparisons: what is read, what is appended, and what is no ranking."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.tables.comparisons import Judgements, read_comparisons
from ordbo_cli.files.tables.judged import Judged, JudgedRanking, answers_of
from ordbo_cli.problem.sample_ranking import ranking_weight

KNOWN = range(1, 100)
HEADER = "better,worse,tie,judge,ranking\n"
ROWS = ("4,7,,anna,1\n", "7,2,yes,anna,1\n", "2,9,,anna,1\n")


def read(folder: Path, text: str) -> Judgements:
    """Return what a table says."""
    path = folder / "c.csv"
    path.write_bytes(text.encode())
    return read_comparisons(path, KNOWN)


def pairs(found: Judgements) -> list[tuple[int, int, bool, str, float]]:
    """Return all that is said of two points each."""
    return [(each.better, each.worse, each.tie, each.judge, weight) for each, weight in found.weighed()]


@pytest.mark.parametrize("rows", list(permutations(ROWS)))
def test_a_ranking_is_read_in_any_order_of_its_rows(tmp_path: Path, rows: tuple[str, ...]) -> None:
    """As all its pairs, each with its weight."""
    found = read(tmp_path, HEADER + "".join(rows))
    weight = ranking_weight(4)
    assert sorted(pairs(found)) == [
        (2, 9, False, "anna", weight), (4, 2, False, "anna", weight), (4, 7, False, "anna", weight),
        (4, 9, False, "anna", weight), (7, 2, True, "anna", weight), (7, 9, False, "anna", weight),
    ]  # fmt: skip
    assert (found.number, len(found.judged), found.judges) == (6, 3, ("anna",))
    assert found.table.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        "better,worse,tie,judge,ranking\n12,17,,anna,\n3,4,yes,bo,7\n",
        "Ranking;Judge;Better;Worse;Tie\r\n;anna;12;17;\r\n7;bo;3;4;yes\r\n",
        "judge,better,worse,note,ranking,tie\nanna,12,17,sour,,\n bo ,3,4,,7.0,TIE\n",
    ],
)
def test_spellings(tmp_path: Path, text: str) -> None:
    """Any order of columns, other columns, other spellings."""
    assert pairs(read(tmp_path, text)) == [(12, 17, False, "anna", 1.0), (3, 4, True, "bo", 1.0)]


def test_columns_of_other_names(tmp_path: Path) -> None:
    """What the problem file calls them is read, and a new table has it."""
    path = tmp_path / "c.csv"
    called = {"judge": "taster", "better": "winner"}
    read_comparisons(path, KNOWN, called).append(Judged(0, 12, 17, judge="anna"))
    assert path.read_text() == "winner,worse,tie,taster,ranking\n12,17,,anna,\n"
    read_comparisons(path, KNOWN, called).append(Judged(0, 3, 4, judge="bo"))
    assert pairs(read_comparisons(path, KNOWN, called))[1] == (3, 4, False, "bo", 1.0)


def test_tables_without_the_columns_are_read_as_before(tmp_path: Path) -> None:
    """Nobody is named, each counts once, and no row that is appended is any longer."""
    found = read(tmp_path, "better,worse,tie\n12,17,\n3,4,yes\n12,17,undone\n")
    assert found.judged == (Judged(3, 3, 4, True),)
    assert pairs(found) == [(3, 4, True, "", 1.0)]
    found.append(Judged(0, 5, 6))
    assert (tmp_path / "c.csv").read_text().endswith("12,17,undone\n5,6,\n")


def test_a_new_table_has_the_columns_that_are_needed(tmp_path: Path) -> None:
    """Both of them where one is, so that the next call has the other."""
    for k, (judged, header) in enumerate(
        [
            (Judged(0, 1, 2), "better,worse,tie"),
            (Judged(0, 1, 2, judge="anna"), "better,worse,tie,judge,ranking"),
            (Judged(0, 1, 2, ranking=1), "better,worse,tie,judge,ranking"),
        ]
    ):
        path = tmp_path / f"{k}.csv"
        read_comparisons(path, KNOWN).append(judged)
        assert path.read_text().splitlines()[0] == header


def test_a_name_that_looks_like_a_formula_is_none(tmp_path: Path) -> None:
    """A spreadsheet shows it, and it comes back as it was."""
    path = tmp_path / "c.csv"
    for name in ("=1+1", "Anna, B.", 'the "old" one'):
        read_comparisons(path, KNOWN).append(Judged(0, 1, 2, judge=name))
    assert "'=1+1" in path.read_text()
    assert read_comparisons(path, KNOWN).judges == ("=1+1", "Anna, B.", 'the "old" one')


@pytest.mark.parametrize(
    ("rows", "lines", "why"),
    [
        ("4,7,,anna,1\n2,9,,anna,1\n", "lines 2, 3", "a row between them is missing"),
        ("4,7,,anna,1\n7,2,,anna,1\n2,4,,anna,1\n", "lines 2, 3, 4", "they go round in a circle"),
        ("4,7,,,1\n7,4,,,1\n3,5,,,1\n", "lines 2, 3, 4", "some of them go round in a circle"),
        ("4,7,,anna,1\n4,2,,anna,1\n", "lines 2, 3", "a point stands twice on one side"),
        ("4,7,,anna,1\n2,7,,anna,1\n", "lines 2, 3", "a point stands twice on one side"),
        ("4,7,,anna,1\n7,2,,bo,1\n", "lines 2, 3", "they are of several judges"),
        (f"{''.join(ROWS)}7,2,undone:tie,anna,1\n", "lines 2, 4", "a row between them is missing"),
    ],
)
def test_rows_that_are_no_ranking_count_as_comparisons_of_two(tmp_path: Path, rows: str, lines: str, why: str) -> None:
    """A note names file and lines, and each says what it says."""
    found = read(tmp_path, HEADER + rows)
    assert {weight for *_, weight in pairs(found)} == {1.0}
    assert [each for each, _ in found.weighed()] == list(found.judged)
    (warning,) = found.table.warnings
    assert str(warning).endswith(f"c.csv:2: {lines} of ranking 1: {why}; they count as comparisons of two")


@pytest.mark.parametrize("text", ["x", "0", "-1", "1.5", "1" * 17])
def test_what_is_no_number_of_a_ranking(tmp_path: Path, text: str) -> None:
    """It is an error with its place."""
    with pytest.raises(ManyErrors) as caught:
        read(tmp_path, f"{HEADER}12,17,,anna,{text}\n")
    assert f"c.csv:2:13: '{text}' is no number of a ranking" in str(caught.value.errors[0])


def test_what_is_taken_back_is_that_judges_and_that_rankings(tmp_path: Path) -> None:
    """Where the row says nothing of either, it takes back the same of nobody, or else of anybody."""
    rows = "1,2,,anna,\n1,2,,bo,\n1,2,,,\n1,2,,bo,1\n"
    assert [each.line for each in read(tmp_path, f"{HEADER}{rows}1,2,undone,anna,\n").judged] == [3, 4, 5]
    assert [each.line for each in read(tmp_path, f"{HEADER}{rows}1,2,undone,bo,1\n").judged] == [2, 3, 4]
    assert [each.line for each in read(tmp_path, f"{HEADER}{rows}1,2,undone,,\n").judged] == [2, 3, 5]
    assert [each.line for each in read(tmp_path, f"{HEADER}1,2,,bo,\n1,2,undone,,\n").judged] == []
    assert [each.line for each in read(tmp_path, f"{HEADER}1,2,,bo,\n1,2,undone,cy,\n").judged] == [2]


def test_the_newest_answer_is_each_judges_own(tmp_path: Path) -> None:
    """That of a ranking counts as one on each of its pairs, however far apart."""
    found = read(tmp_path, f"{HEADER}9,4,,anna,\n{''.join(ROWS)}9,4,,bo,\n")
    newest = found.latest(9, 4, "anna")
    assert newest is not None
    assert newest.says(Judged(0, 4, 9))
    by_bo = found.latest(4, 9, "bo")
    assert by_bo is not None
    assert by_bo.says(Judged(0, 9, 4))
    assert found.latest(4, 9) is None
    assert found.has_latest(JudgedRanking(((4,), (2, 7), (9,)), "anna"))
    assert not found.has_latest(JudgedRanking(((4,), (2, 7), (9,)), "bo"))
    assert not found.has_latest(JudgedRanking(((4,), (7,), (2,), (9,)), "anna"))
    assert not found.with_more(Judged(0, 4, 7, judge="anna")).has_latest(JudgedRanking(((4,), (2, 7), (9,)), "anna"))
    assert found.with_more(Judged(0, 4, 50, judge="anna")).has_latest(JudgedRanking(((4,), (2, 7), (9,)), "anna"))


def test_some_points_of_a_ranking_are_a_ranking(tmp_path: Path) -> None:
    """Of those that are left, with the weight of so many."""
    found = read(tmp_path, HEADER + "".join(ROWS))
    weight = ranking_weight(3)
    said = [(each.better, each.worse, each.tie, each_weight) for each, each_weight in found.weighed({4, 2, 9})]
    assert said == [(4, 9, False, weight), (4, 2, False, weight), (2, 9, False, weight)]
    assert found.weighed({4}) == []


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.permutations(range(1, 8)),
            st.integers(2, 7),
            st.lists(st.booleans(), min_size=6, max_size=6),
            st.sampled_from(["", "anna", "bo"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_appended_is_read(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[list[int], int, list[bool], str]]
) -> None:
    """Every ranking comes back, under a number of its own, in order."""
    path = tmp_path_factory.mktemp("c") / "c.csv"
    written = []
    for order, number, tied, judge in told:
        groups = [[order[0]]]
        for id, with_last in zip(order[1:number], tied, strict=False):
            groups = [*groups[:-1], [*groups[-1], id]] if with_last else [*groups, [id]]
        found = read_comparisons(path, KNOWN)
        ranking = JudgedRanking(tuple(map(tuple, groups)), judge, found.next_ranking)
        assert len(ranking.neighbours) == number - 1
        found.append(*ranking.neighbours)
        written.append(ranking)
    found = read_comparisons(path, KNOWN)
    assert [each._replace(rows=()) for each in found.answers if isinstance(each, JudgedRanking)] == written
    assert answers_of(found.judged)[1] == []
