"""Levels, conditions and words of results: from the problem file to the problem, and into the digests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.state import settings_digest
from ordbo_cli.files.values.levels import place_of
from ordbo_cli.problem import Condition, Fixed, Parameter

Loader = Callable[[str], ProblemFile]
HEAD = "version: 1\nobjective: {name: drag, goal: minimize}\nparameters:\n"
X = "  x: {min: 0, max: 1}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{type: ordinal, values: [coarse, fine]}", Parameter.of_levels("p", ["coarse", "fine"])),
        ("{values: [1, 2.5, 4], unit: m}", Parameter.of_levels("p", [1, 2.5, 4], unit="m")),
        ("{values: [3, 2]}", Parameter.of_levels("p", [3, 2])),
        ("{type: ordinal, choices: [2, 1, 3]}", Parameter.of_levels("p", [2, 1, 3])),
        ("{sequence: [1, 2], type: categorical}", Parameter.of_levels("p", [1, 2], "categorical")),
        ("{categories: [no, 1, '1 ']}", None),
        ("{categories: [no, 1, null]}", None),
        ("{categories: [no, '2.1', '2.10', 7]}", Parameter.of_levels("p", ["no", "2.1", "2.10", 7], "categorical")),
        ("{type: choice, values: [True, FALSE]}", Parameter.of_levels("p", ["true", "false"], "categorical")),
        ("{type: bool}", Parameter.of_levels("p", ["false", "true"], "categorical")),
        ("{type: ordinal, values: [4]}", Fixed("p", 4)),
        ("{values: [word], unit: m}", Fixed("p", "word", "m")),
        ("{type: categorical, value: sst}", Fixed("p", "sst")),
        ("{type: bool, value: true}", Fixed("p", "true")),
    ],
)
def test_what_stands_there_is_meant(loaded: Loader, text: str, expected: Parameter | Fixed | None) -> None:
    """In all its spellings; None where the file is refused."""
    if expected is None:
        with pytest.raises(Exception, match=r"'1 '|null"):
            loaded(f"{HEAD}  p: {text}\n{X}")
        return
    assert loaded(f"{HEAD}  p: {text}\n{X}").problem.parameters[0] == expected


def test_one_value_is_noted(loaded: Loader) -> None:
    """As equal bounds are."""
    assert loaded(f"{HEAD}  p: {{values: [4]}}\n{X}").notes == ("p: there is one value, taken as fixed",)


def test_conditions(loaded: Loader) -> None:
    """One level or several, of several parents; those on what is fixed always hold, or the parameter never counts."""
    text = (
        "  solver: {categories: [gmres, cg, 4]}\n  on: {type: bool}\n  wall: {type: categorical, values: [sa]}\n"
        "  p: {min: 0, max: 1, when: {on: true, solver: [4.0, gmres], wall: [sst, sa]}}\n"
    )
    problem = loaded(HEAD + text).problem
    assert problem.free[-1].when == (Condition("on", (1,)), Condition("solver", (0, 2)))
    assert problem.mapping((1, 1, 0.5)) == {"solver": "cg", "on": "true", "wall": "sa"}


def test_words_of_results(loaded: Loader) -> None:
    """They are in the problem in the order of the list."""
    text = HEAD.replace("minimize", "maximize, values: [poor, fair, true]") + X
    assert loaded(text).problem.grades == ("poor", "fair", "true")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("values: [a, b]", "values: [a, b, c]"),
        ("values: [a, b]", "values: [b, a]"),
        ("values: [a, b]", "values: [a, c]"),
        ("type: categorical, values: [a, b]", "type: ordinal, values: [a, b]"),
        ("when: {s: u}", "when: {s: v}"),
        (", when: {s: u}", ""),
        ("goal: minimize", "goal: minimize, values: [poor, good]"),
    ],
)
def test_changed_levels_are_other_settings(loaded: Loader, before: str, after: str) -> None:
    """What the places inside mean has changed, so that no fit outlives it."""
    text = (
        f"{HEAD}  s: {{categories: [u, v]}}\n  p: {{type: categorical, values: [a, b]}}\n"
        f"  x: {{min: 0, max: 1, when: {{s: u}}}}\n"
    )
    assert before in text
    assert settings_digest(loaded(text.replace(before, after)).problem) != settings_digest(loaded(text).problem)


def test_places_of_levels() -> None:
    """Words by letter but for outer blanks, numbers by value; anything else is refused with a hint."""
    assert [place_of(("Low", "low", "1"), text) for text in ("Low", " low ", "1")] == [0, 1, 2]
    assert [place_of((1, 4, 0.5), text) for text in ("1.0", "4D0", ".5", 4.0)] == [0, 1, 2, 1]
    assert [place_of(("auto", 0.5), text, comma=True) for text in ("auto", "0,5")] == [0, 1]
    assert [place_of(("false", "true"), text) for text in (True, "FALSE", " True")] == [1, 0, 1]
    for levels, text, hint in (
        (("coarse", "fine"), "Coarse", "Did you mean coarse?"),
        (("1", "2"), "1.0", "Known are 1, 2"),
        ((1, 4), "3", "Known are 1, 4"),
        (("false", "true", "auto"), "True", "Did you mean true?"),
        ((1, 4), "1,0", "Known are 1, 4"),
        ((0.5, 1), "0,5", "Did you mean 0.5?"),
        (
            tuple(range(30)),
            "x",
            "Known are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and more",
        ),
    ):
        with pytest.raises(ValueError, match=rf"^{hint.replace('?', '.')}$"):
            place_of(levels, text)
