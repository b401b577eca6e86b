"""What a simulator leaves of one evaluation."""

from __future__ import annotations

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.files.values.result_file import read_result
from ordbo_cli.problem import Parameter, Problem

PROBLEM = Problem((Parameter("x", 0, 1),), "drag")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.31", "0.31"),
        ("\ufeff  0.31\r\n", "0.31"),
        ("0.3100000000000000000001\n", "0.3100000000000000000001"),
        ("3.14-114\n", "3.14-114"),
        ("                      1.5E+00 drag\n", "1.5E+00"),
        ("7 lift\r1.5 drag\r", "1.5"),
        ("1.5 drag\n7 wall shear\n", "1.5"),
        ("1.5\tdrag\n", "1.5"),
        ("drag = 1.5", "1.5"),
        ("drag: 1.5", "1.5"),
        ("drag 1.5", "1.5"),
        ("# made by solver\n\n1.5\n", "1.5"),
        ("\x1b[1mdrag\x1b[0m = \x1b[32m1.5\x1b[0m\n", "1.5"),
        ("drag = 1.5 N\nlift: 7 N/m^2 (mean)\n", "1.5"),
        ("> 1e6\n", ">1e6"),
        ("1.5 drag\n[ 1.0 2.0 ]\n[[ 1.0 2.0 3.0 4.0 ]]\n", "1.5"),
        ("nan", "nan"),
        ("****", "****"),
        ("inf drag", "inf"),
        ('{"drag": 0.10, "lift": [1]}', "0.10"),
        ('{"drag": 1e400}', "1e400"),
        ('{"drag": "1.0D+05"}', "1.0D+05"),
        ('{"drag": NaN}', "NaN"),
    ],
)
def test_values_are_taken_as_they_are_spelt(text: str, value: str) -> None:
    """A number alone, Dakota's lines, or JSON."""
    assert read_result(text, "r.out", PROBLEM).text == value


@pytest.mark.parametrize("text", ["Drag = 1.5\nlift = 7\n", "1.5 DRAG\n", '{"Drag": 1.5}'])
def test_a_name_in_another_spelling_is_taken_with_a_note(text: str) -> None:
    """Where it is the only one."""
    found = read_result(text, "r.out", PROBLEM)
    assert found.text == "1.5"
    assert found.note.endswith("which is taken for drag")


@pytest.mark.parametrize("text", ["FAIL", "fail\n", "Failed to converge", "  FaIlure 7", '{"drag": null}'])
def test_failures_in_words(text: str) -> None:
    """A file that begins with fail in any case says so, as Dakota has it."""
    assert read_result(text, "r.out", PROBLEM).text == "failed"


def test_an_objective_whose_name_begins_with_fail_is_no_failure() -> None:
    """Where the name stands first, the value counts."""
    problem = Problem((Parameter("x", 0, 1),), "failures")
    assert read_result("failures = 3", "r.out", problem).text == "3"
    assert read_result("FAIL", "r.out", problem).text == "failed"
    assert read_result("failed_cells = 0\ndrag: 2", "r.out", PROBLEM).text == "2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "r.out: it is empty. If the evaluation failed, say so with --failed"),
        (" \n", "it is empty"),
        ("1\0", "NUL"),
        ("1.5 lift", "there is no 'drag'. There are lift"),
        ("3.1 mm", "there is no 'drag'. There are mm"),
        ("1.5\n1.6\n", "more than one value"),
        ("1.5\n7 lift\n", "more than one value"),
        ("0.31 drag\n0.29\n", "more than one value"),
        ("failed_cells 0\n2 drag", "begins with 'fail', and gives a value of drag all the same"),
        ("-inf", "r.out: drag: -inf would be the best value of all"),
        ('{"drag": "0.31 mm"}', "r.out: drag: '0.31 mm' is not a number"),
        ('{"drag": ""}', "r.out: drag: it is empty"),
        ("1.5 drag\n1.6 drag\n", "more than one value"),
        ("angle,drag\n1,2\n", "r.out:1:1: 'angle,drag' is not a number"),
        ("1,5", "Write 1.5, with a decimal point"),
        ("ok\n1.5\n", "r.out:1:1: 'ok' is not a number"),
        ("\x1b[31mred", "'red' is not a number"),
        ("drag = 0.31 %", "'0.31 %' is not a number"),
        ("Drag = 0.31\nDRAG = 0.32", "there is no 'drag'. There are Drag, DRAG"),
        ("[ 1 2 ]", "there is no 'drag'"),
        ('{"lift": 1}', "there is no 'drag'. There are lift"),
        ('{"drag": true}', "is not a number"),
        ('{"drag": [1]}', "is not a number"),
        ('{"drag": 1', "no JSON object"),
        ('{"drag": 1, "drag": 2}', "a name stands twice"),
        ('{"a":' * 100_000, "no JSON object"),
    ],
)
def test_what_cannot_be_told_is_refused(text: str, words: str) -> None:
    """A value is never guessed."""
    with pytest.raises(DataError) as caught:
        read_result(text, "r.out", PROBLEM)
    assert words in str(caught.value)
