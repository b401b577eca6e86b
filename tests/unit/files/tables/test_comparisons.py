"""The table of comparisons: what is read, what is refused, what is appended, and what does not go together."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.tables.comparisons import read_comparisons
from ordbo_cli.files.tables.judged import Judged
from ordbo_cli.study.reporting.contradictions import circles, contradictions

KNOWN = range(1, 100)


def judged(*pairs: tuple[int, int]) -> list[Judged]:
    """Return answers in lines from 2 on."""
    return [Judged(line, *pair) for line, pair in enumerate(pairs, 2)]


def read(folder: Path, text: str) -> list[tuple[int, int, int, bool]]:
    """Return what a table says."""
    path = folder / "c.csv"
    path.write_bytes(text.encode())
    return [(each.line, each.better, each.worse, each.tie) for each in read_comparisons(path, KNOWN).judged]


@pytest.mark.parametrize(
    "text",
    [
        "better,worse,tie\n12,17,\n3,4,yes\n",
        "better;worse;tie\r\n12;17;\r\n3;4;YES\r\n",
        "worse\tbetter\tnote\ttie\n17\t12\tsour\tno\n4\t3\t\ttrue\n",
        "\ufeffbetter,worse,tie\n12.0,17.0,0\n3,4,tie",
        "tie,better,worse\n,12,17\n1,3,4\n",
    ],
)
def test_spellings(tmp_path: Path, text: str) -> None:
    """Any order of columns, other columns, the usual delimiters and words for yes."""
    assert read(tmp_path, text) == [(2, 12, 17, False), (3, 3, 4, True)]


def test_comments_empty_lines_and_a_missing_column_of_ties(tmp_path: Path) -> None:
    """Lines keep their numbers; without a column there are no ties."""
    assert read(tmp_path, "# tasted in May\nbetter,worse\n\n12,17\n") == [(4, 12, 17, False)]
    assert read(tmp_path, "") == []
    assert not read_comparisons(tmp_path / "nowhere.csv", KNOWN).judged


def test_what_is_taken_back(tmp_path: Path) -> None:
    """It takes back the newest of the same answer, once; the others stand."""
    rows = "better,worse,tie\n12,17,\n3,4,yes\n12,17,\n3,4,\n12,17,undone\n4,3,undone:tie\n"
    assert read(tmp_path, rows) == [(2, 12, 17, False), (5, 3, 4, False)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("better,worse,tie\n12,x,\n", ["2:4: 'x' is no id"]),
        ("better,worse,tie\n12,170,\n0,4,\n", ["2:4: no evaluation has the id 170", "3:1: '0' is no id"]),
        ("better,worse,tie\n12,12,\n", ["2:4: 12 is compared with itself"]),
        ("better,worse,tie\n12,17,perhaps\n", ["2:7: 'perhaps' is no answer"]),
        ("better,worse,tie\n12\n", ["2:1: there are 1 cells"]),
        ("better,tie\n12,\n", ["1:1: there is no column 'worse'"]),
        ("better,worse,worse\n1,2,3\n", ["1:14: the column 'worse' stands twice"]),
        ('better,worse\n1,"2\n', ["2:1: this is not a CSV"]),
        ("better,worse\n1e999999999,2\n", ["2:1: '1e999999999' is no id"]),
    ],
)
def test_errors_have_their_places(tmp_path: Path, text: str, places: list[str]) -> None:
    """All of them at once, each with line, column and a hint."""
    with pytest.raises(ManyErrors) as caught:
        read(tmp_path, text)
    errors = [str(error) for error in caught.value.errors]
    assert len(errors) == len(places)
    for error, expected in zip(errors, places, strict=True):
        assert f"c.csv:{expected}" in error
    assert all(error.hint for error in caught.value.errors)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "better,worse,tie\n12,17,\n"),
        ("", "better,worse,tie\n12,17,\n"),
        ("tie;note;worse;better\r\n;sour;4;3", "tie;note;worse;better\r\n;sour;4;3\r\n;;17;12\r\n"),
    ],
)
def test_appended_rows_are_spelt_as_the_file_is(tmp_path: Path, before: str | None, after: str) -> None:
    """No byte of what is there changes; a new file gets its header."""
    path = tmp_path / "c.csv"
    if before is not None:
        path.write_bytes(before.encode())
    read_comparisons(path, KNOWN).append(Judged(0, 12, 17))
    assert path.read_bytes().decode() == after


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()).filter(lambda x: x[0] != x[1]), max_size=9)
)
def test_what_is_appended_is_read(
    tmp_path_factory: pytest.TempPathFactory, answers: list[tuple[int, int, bool]]
) -> None:
    """Every answer comes back, in order, and the newest one on a pair is found."""
    path = tmp_path_factory.mktemp("c") / "c.csv"
    for better, worse, tie in answers:
        read_comparisons(path, KNOWN).append(Judged(0, better, worse, tie))
    found = read_comparisons(path, KNOWN)
    assert [(each.better, each.worse, each.tie) for each in found.judged] == answers
    assert found.ids == {id for answer in answers for id in answer[:2]}
    for one, other, _ in answers:
        newest = next(each for each in reversed(answers) if {*each[:2]} == {one, other})
        latest = found.latest(other, one)
        assert latest is not None
        assert latest.says(Judged(0, *newest))
        assert latest.says(Judged(0, newest[1], newest[0], newest[2])) == newest[2]


def test_contradictions_are_named_by_row() -> None:
    """Both ways, with all their lines; ties contradict nothing."""
    answers = [*judged((1, 2), (2, 1), (1, 2), (3, 4)), Judged(9, 4, 3, True)]
    assert contradictions(answers) == ["1 over 2 (lines 2, 4) and 2 over 1 (line 3)"]
    assert circles(answers) == []


def test_circles_are_named_by_row() -> None:
    """Each circle once; what hangs on it is not named."""
    assert circles(judged((12, 17), (17, 4), (4, 12), (12, 1), (1, 2))) == [
        "lines 2, 3, 4 go round in a circle: 12 over 17 over 4 over 12"
    ]


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)).filter(lambda x: x[0] != x[1]), max_size=25))
def test_circles_are_real(pairs: list[tuple[int, int]]) -> None:
    """What is said to go round does so by rows that are there; where nothing goes round, nothing is said."""
    answers = judged(*pairs)
    lines = {each.line: (each.better, each.worse) for each in answers}
    plain = {pair for pair in pairs if pair[::-1] not in pairs}
    below = {one: {to for at, to in plain if at == one} for one, _ in plain}
    for _ in range(7):
        below = {one: tos | {far for to in tos for far in below.get(to, ())} for one, tos in below.items()}
    found = circles(answers)
    assert bool(found) == any(one in tos for one, tos in below.items())
    for words in found:
        if words == "and more circles":
            continue
        rows, points = words.removeprefix("lines ").split(" go round in a circle: ")
        named = [int(point) for point in points.split(" over ")]
        assert [lines[int(row)] for row in rows.split(", ")] == list(pairwise(named))
        assert named[0] == named[-1]
        assert len(set(named)) == len(named) - 1 >= 3


def test_very_many_circles_are_cut_off() -> None:
    """Five are named, however many there are."""
    answers = judged(*((3 * k + a, 3 * k + a % 3 + 1) for k in range(500) for a in (1, 2, 3)))
    assert len(circles(answers)) == 6
    assert circles(answers)[-1] == "and more circles"
    both = judged(*((k, k + 1) for k in range(1, 20)), *((k + 1, k) for k in range(1, 20)))
    assert contradictions(both)[-1] == "and 14 more like these"
