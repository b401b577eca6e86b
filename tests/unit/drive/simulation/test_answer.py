"""What a simulator's output says."""

from __future__ import annotations

import dataclasses

import pytest

from ordbo_cli.drive.simulation.answer import read_output
from ordbo_cli.errors import DataError
from ordbo_cli.problem import Parameter, Problem

PROBLEM = Problem((Parameter("x", 0, 1),), "drag")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # JSON
        ('start\n{"drag": 0.10, "lift": [1]}\n\n', "0.10"),
        ('{"drag": 1}\n{"drag": 1e400}', "1e400"),
        ('drag = 7\n{"drag": "1.0D+05"}', "1.0D+05"),
        ('{"drag": null}\n', "failed"),
        ('{"drag": NaN}\n', "NaN"),
        ('log\n{\n  "lift": {"a": 2},\n  "drag": 0.5\n}\n', "0.5"),
        # by name
        ("drag = 0.31\nelapsed 12.5 s\n", "0.31"),
        ("drag: 9\n  drag=0.31 N\nlift: 2\n", "0.31"),
        ("drag = nan\n1.0\n", "nan"),
        ("drag = 0.31;\n7", "0.31"),
        ("drag 0.31\n7 lift", "0.31"),
        ("0.31 drag\n7 lift", "0.31"),
        ("lift=7, drag=0.31, side=2\n", "0.31"),
        ("lift=7 drag=0.31. side=2\n", "0.31"),
        ("drag: solving\u2026 please wait\n0.31\n", "0.31"),
        ("drag:\n0.31\n", "0.31"),
        ("dragon = 3\npressure drag = 0.31\n7", "7"),
        # the whole of the last line
        ("0.31", "0.31"),
        ("1\r\n2\r\n\r\n", "2"),
        ("\ufeff0.31\n", "0.31"),
        ("iteration 3\n  3.14-114\n", "3.14-114"),
        ("0.31\n nan\n", "nan"),
        ("0.31\n *****\n", "*****"),
        ("mesh = 3\n> 1e6\n", ">1e6"),
        # failures in words
        ("0.31\nfailed\n", "failed"),
        ("drag = 0.31\n  FAIL \n\n", "FAIL"),
        ("failure", "failure"),
        ("drag: failed\n3", "failed"),
    ],
)
def test_the_value_that_is_meant(text: str, value: str) -> None:
    """JSON before names before a last line that is a value; as it is spelt."""
    assert read_output(text, PROBLEM).text == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no number on standard output"),
        ("\n \n", "no number on standard output"),
        ("done at 12:30:45 on 2026-11-28 in 0x10 or 3mm", "no number on standard output"),
        ("step 5...", "no number on standard output"),
        ("some tests failed", "no number on standard output: the last line is 'some tests failed'"),
        ("{1, 2} 0.31 }", "no number on standard output"),
        ("dragon = 3\npressure drag = 0.31\n", "it gives dragon = 3, pressure drag = 0.31, not drag"),
        ("10%\r50%\r100% 0.31\r", "the last line is '100% 0.31'"),
        ("iteration 3\nx=0.31 mm\n", "it gives x = 0.31 mm, not drag"),
        ("1 2 3,\n", "the last line is '1 2 3,'"),
        ("The end is 0.31.\n", "the last line is 'The end is 0.31.'"),
        ("0.31 at 12:30:45 on 2026-11-28, v1.2.3\n", "no number on standard output"),
        ("  1.0D+05 Pa\n", "the last line is '1.0D+05 Pa'"),
        ("0.31\n-inf +inf\n", "no number on standard output"),
        ("cd= ****** m\n", "it gives cd = ****** m, not drag"),
        ("0.31\n*** 7 done ***\n", "no number on standard output"),
        ("0.31\n0 checks failed, well\n", "no number on standard output"),
        ('1.5\n{"lift": 1}', "standard output: there is no 'drag'"),
        ("1.5\n{}", "there is no 'drag'"),
        ('{"lift": 1, "drag": 0.', "this is no JSON object"),
        ('{"drag": 1, "drag": 2}', "a name stands twice"),
        ('{"drag": true}', "is not a number"),
        ('{"a":' * 100_000, "no JSON object"),
        ("iteration 100\ndrag = 0,31\n", "drag: '0,31' is not a number"),
        ("iteration 100\ndrag = N/A\n", "drag: 'N/A' is not a number"),
        ("drag = 0.3\ndrag = 3.1mm long\n", "drag: '3.1mm long' is not a number"),
        ("0.31\n-inf\n", "standard output: drag: -inf would be the best value of all"),
        ('{"drag": "-inf"}', "-inf would be the best value of all"),
    ],
)
def test_what_is_no_answer(text: str, words: str) -> None:
    """An earlier number is no stand-in for a value that cannot be read."""
    with pytest.raises(DataError) as caught:
        read_output(text, PROBLEM)
    assert words in caught.value.message


def test_infinity_is_judged_by_the_goal() -> None:
    """The bad direction is a result."""
    upward = dataclasses.replace(PROBLEM, goal="maximize")
    assert read_output("-inf", upward).text == "-inf"
    with pytest.raises(DataError, match="would be the best value of all"):
        read_output("inf", upward)


def test_names_are_taken_by_the_letter() -> None:
    """An objective's name may be any text."""
    problem = Problem((Parameter("x", 0, 1),), "c_d (mean)")
    assert read_output("c_d (mean) = 0.31\n7", problem).text == "0.31"
    assert read_output("C_D (mea) = 0.31\n7", problem).text == "7"
