"""Results that are words, on a simulator's standard output."""

from __future__ import annotations

import pytest

from ordbo_cli.drive.simulation.answer import read_output
from ordbo_cli.errors import DataError
from ordbo_cli.problem import Parameter, Problem

PROBLEM = Problem((Parameter("x", 0, 1),), "grade", "maximize", grades=("poor", "fair", "very good"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mesh 12\nvery good\n", "very good"),
        ("grade = fair\nall poor residuals are listed\n1.5\n", "fair"),
        ("grade: poor\ngrade: fair\n", "fair"),
        ("fair grade\ndone\n", "fair"),
        ("poor\nfair\n", "fair"),
        ('{"grade": "fair"}\n', "fair"),
        ("fair\nfailed\n", "failed"),
        ("grade = nan\n", "nan"),
    ],
)
def test_the_last_word_that_is_meant(text: str, expected: str) -> None:
    """By the objective's name first, then a line of its own."""
    assert read_output(text, PROBLEM).text == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("poor\nfair\ndone in 3 s\n", "none of grade's values on standard output: the last line is 'done in 3 s'"),
        ("it is a fair result\n2\n", "none of grade's values on standard output"),
        ("grade = Fair", "standard output: 'Fair' is none of grade's values. Did you mean fair?"),
        ('{"grade": 1}', "standard output: grade: '1' is none of grade's values"),
    ],
)
def test_no_word_is_picked_out_of_a_sentence(text: str, message: str) -> None:
    """A word that is meant stands behind the name, or alone."""
    with pytest.raises(DataError) as caught:
        read_output(text, PROBLEM)
    assert str(caught.value).startswith(message)
