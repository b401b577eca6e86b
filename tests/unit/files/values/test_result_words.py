"""Results that are words, in the files that a simulator leaves."""

from __future__ import annotations

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.files.values.result_file import read_result
from ordbo_cli.problem import Parameter, Problem

PROBLEM = Problem((Parameter("x", 0, 1),), "grade", "maximize", grades=("failing", "poor", "very good"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" very good \n", "very good"),
        ("grade = very good", "very good"),
        ("lift: 1.5\ngrade: poor\nnote = all is well\n", "poor"),
        ("grade poor", "poor"),
        ("1.5 lift\nvery good  grade\n", "very good"),
        ("failing", "failing"),
        ("failing grade\n", "failing"),
        ('{"grade": "very good", "lift": 1.5}', "very good"),
        ('{"grade": null}', "failed"),
        ("failed", "failed"),
        ("failure of the mesher", "failed"),
        ("# comment\nnan\n", "nan"),
    ],
)
def test_words_are_found(text: str, expected: str) -> None:
    """Alone, with the objective's name on either side, or in JSON; what failed stays failed."""
    assert read_result(text, "r.out", PROBLEM).text == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Poor", "r.out:1:1: 'Poor' is none of grade's values. Did you mean poor?"),
        ("2", "r.out:1:1: '2' is none of grade's values. Known are failing, poor, very good"),
        ("grade = best of all", "r.out:1:1: 'best of all' is none of grade's values"),
        ('{"grade": 2}', "r.out: grade: '2' is none of grade's values"),
        ('{"grade": true}', "r.out: 'grade' is not a word. Write a word, or null"),
        ("lift = 1.5", "r.out: there is no 'grade'. There are lift"),
        ("poor\nfailing", "r.out: there is more than one value. Write the value alone, or 'very good grade'"),
        ("fail\npoor grade", "r.out: it begins with 'fail', and gives a value of grade all the same"),
    ],
)
def test_other_words_are_errors(text: str, message: str) -> None:
    """Letters count, and a number is no word."""
    with pytest.raises(DataError) as caught:
        read_result(text, "r.out", PROBLEM)
    assert str(caught.value).startswith(message)
