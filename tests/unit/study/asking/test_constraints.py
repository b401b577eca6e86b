"""Constraints in a problem file: where their mistakes are, and what is refused as long as the search knows none."""

from __future__ import annotations

from collections.abc import Callable

import jsonschema
import pytest

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.problem_file.schema import PROBLEM
from ordbo_cli.problem.constraints import Constraint

Loader = Callable[[str], ProblemFile]

HEAD = """\
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12, step: 0.1}
  blades: {type: int, min: 3, max: 9}
  span: {value: 2.0}
"""


@pytest.fixture
def reading(loaded: Loader) -> Loader:
    """The loader."""
    return loaded


def errors_of(loaded: Loader, text: str) -> list[str]:
    with pytest.raises(ManyErrors) as caught:
        loaded(HEAD + text)
    assert caught.value.exit_status == 78
    return [str(error).rpartition("/")[2].partition(":")[2] for error in caught.value.errors]


def test_they_are_read(reading: Loader) -> None:
    """One text or a list, in any spelling of YAML; the problem has them in order."""
    parameters = reading(HEAD).problem.parameters
    assert reading(HEAD).problem.constraints == ()
    assert reading(HEAD + "constraints: []").problem.constraints == ()
    expected = [Constraint.parse(text, parameters) for text in ("angle + span*blades <= 25", "blades > 3")]
    assert reading(HEAD + "constraints: angle + span*blades <= 25").problem.constraints == (expected[0],)
    text = "constraints: ['angle + span*blades <= 25', blades > 3]"
    assert reading(HEAD + text).problem.constraints == tuple(expected)
    folded = "constraints:\n  - >-\n    angle + span*blades\n    <= 25\n"
    assert reading(HEAD + folded).problem.constraints[0].formula == expected[0].formula


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("constraints: angle ^ 2 < 3", "6:20: ^ has no meaning here. Write **"),
        ("constraints: [angle < 3, angel < 3]", "6:26: the parameter 'angel' is unknown. Did you mean angle?"),
        ("constraints:\n  - 'angle < 3 = 4'", "7:16: = has no meaning here. Write =="),
        ("constraints:\n  - 'angle == ''x'' = 4'", "7:21: = has no meaning here. Write =="),
        ('constraints:\n  - "angle < 3 = 4"', "7:16: = has no meaning here. Write =="),
        ('constraints:\n  - "angle \\x3c 3 = 4"', "7:5: = has no meaning here. Write =="),
        ("constraints:\n  - >\n    angle = 4\n", "7:5: = has no meaning here. Write =="),
        ("constraints:\n  - angle\n    = 4\n", "7:5: = has no meaning here. Write =="),
        ("constraints:\n  - &a angle = 4\n", "7:5: = has no meaning here. Write =="),
        ("constraints: 5", "6:14: 5 stands where an expression is expected. Write one such as 'x + 2*y <= 25'"),
        ("constraints: [{angle: 3}]", "6:15: a mapping stands where an expression is expected. Write one such as "),
        ("constraints:", "6:13: nothing stands where an expression is expected. Write one such as 'x + 2*y <= 25'"),
        ("constraints: drag < 3", "6:14: the parameter 'drag' is unknown"),
    ],
)
def test_mistakes_have_their_place(reading: Loader, text: str, error: str) -> None:
    """The column inside the expression where the file has it as it is, else where it begins."""
    (found,) = errors_of(reading, text)
    assert found[: len(error)] == error


def test_all_mistakes_are_told_at_once(reading: Loader) -> None:
    """Those of other settings, too; where a parameter was refused, no constraint speaks of what it might have been."""
    text = "constraints:\n  - angle = 3\n  - blades +\n  - angle < 3\nseed: -1\n"
    assert [error.partition(": ")[0] for error in errors_of(reading, text)] == ["7:11", "8:12", "10:7"]
    with pytest.raises(ManyErrors) as caught:
        reading(HEAD.replace("max: 9", "max: nine") + "constraints: blades < 4")
    assert len(caught.value.errors) == 1


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("[angle > 3, blades > 9]", ["6:26: no point satisfies 'blades > 9'. Loosen it, or widen the bounds"]),
        (
            "[angle > 3, blades > 8, angle < span]",
            ["6:38: no point satisfies 'angle < span' and the constraints before it. Loosen it, or widen the bounds"],
        ),
        ("[angle == 0.25]", ["6:15: no point satisfies 'angle == 0.25'. Loosen it, or widen the bounds"]),
        ("[span > 3]", ["6:15: no point satisfies 'span > 3'. Loosen it, or widen the bounds"]),
    ],
)
def test_an_empty_set_is_an_error(reading: Loader, text: str, errors: list[str]) -> None:
    """At the constraint that no point satisfies, alone or with those before it; values are those of the grids."""
    assert errors_of(reading, f"constraints: {text}") == errors


@pytest.mark.parametrize(
    ("value", "sound"), [("x < 3", True), (["x < 3", "y"], True), ([], True), (5, False), ([5], False), (None, False)]
)
def test_the_schema_knows_their_form(value: object, sound: bool) -> None:
    """A text or a list of texts."""
    schema = PROBLEM.schema()["properties"]["constraints"]
    assert jsonschema.Draft202012Validator(schema).is_valid(value) is sound
