"""``objectives:`` in the problem file and in Python."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ordbo_cli.errors import ProblemError, ProblemErrors
from ordbo_cli.files.problem_file.in_python import Parameter, Problem
from ordbo_cli.files.problem_file.problem_file import read_problem
from ordbo_cli.files.problem_file.problem_text import problem_text
from ordbo_cli.files.problem_file.schema import json_schema
from ordbo_cli.files.state import settings_digest
from ordbo_cli.problem.several import alone

REST = "\nparameters: {x: {min: 0, max: 1}}\n"
TWO = "objectives: {drag: {goal: min, unit: N}, lift: {direction: maximize}}"


def read(text: str) -> object:
    """Return the problem of a file."""
    return read_problem((text + REST).encode(), Path("p.yaml")).problem


def test_objectives_are_read_as_a_mapping_and_as_a_list() -> None:
    """Their order counts, and units are kept."""
    listed = "objectives: [{name: drag, goal: minimize, unit: N}, {name: lift, goal: maximize}]"
    problem = read_problem((TWO + REST).encode(), Path("p.yaml")).problem
    assert problem == read(listed)
    assert problem.goals == (("drag", "minimize"), ("lift", "maximize"))
    assert (problem.unit, problem.aim) == ("N", "minimize drag and maximize lift over x")


def test_a_list_of_one_objective_is_that_objective() -> None:
    """Nothing else is different."""
    assert read("objectives: {drag: {goal: minimize}}") == read("objective: {name: drag, goal: minimize}")


def test_a_goal_may_stand_alone() -> None:
    """In a file, in Python, and for editors; beside mappings, and in any spelling of a goal."""
    short = {"drag": "min", "lift": "maximise"}
    problem = read("objectives: {drag: min, lift: maximise}")
    assert problem == read("objectives: {drag: {goal: minimize}, lift: maximize}")
    assert problem == read("objectives: {drag: {goal: minimize}, lift: {goal: maximize}}")
    assert Problem([Parameter("x", 0, 1)], objectives=short) == problem
    valid = Draft202012Validator(json_schema()).is_valid
    rest = {"parameters": {"x": {"min": 0, "max": 1}}}
    assert valid({"objectives": short, **rest})
    assert not valid({"objectives": {"drag": "up", "lift": "max"}, **rest})


def test_enough_is_kept_digit_by_digit() -> None:
    """Of each objective, in its own units; with one objective there is no such key."""
    text = "objectives: {drag: {goal: min, enough: 2.50}, lift: {goal: max, enough: 1e300}}"
    problem = read_problem((text + REST).encode(), Path("p.yaml")).problem
    assert list(map(str, problem.enoughs)) == ["2.50", "1E+300"]
    assert problem.aim == "minimize drag to 2.50 and maximize lift to 1E+300 over x"
    again = read_problem(problem_text(problem, Path("q.yaml")).encode(), Path("q.yaml")).problem
    assert again == problem
    assert again != read(TWO.replace(", unit: N", ""))
    one = read_problem((f"objectives: {{drag: {{goal: min, enough: 3}}}}{REST}").encode(), Path("p.yaml")).problem
    assert read_problem(problem_text(one, Path("q.yaml")).encode(), Path("q.yaml")).problem == one
    aims: dict[str, dict[str, object]] = {"drag": {"goal": "minimize", "enough": 2.5}, "lift": {"goal": "maximize"}}
    python = Problem([Parameter("x", 0, 1)], objectives=aims)
    assert (python.enoughs, replace(python, seed=3).enoughs) == ((Decimal("2.5"), None),) * 2
    with pytest.raises(ProblemError, match="enough"):
        Problem([Parameter("x", 0, 1)], "drag", enough=Decimal(3))


def test_values_of_any_objective_may_be_words() -> None:
    """In rising order; other words are another problem to the state."""
    text = "objectives: {drag: {goal: min}, comfort: {goal: max, values: [poor, fair, good]}}"
    problem = read_problem((text + REST).encode(), Path("p.yaml")).problem
    assert problem.words == {"comfort": ("poor", "fair", "good")}
    assert (alone(problem, 0).grades, alone(problem, 1).grades) == ((), ("poor", "fair", "good"))
    other = read_problem((text.replace("fair", "so") + REST).encode(), Path("p.yaml")).problem
    assert settings_digest(problem) != settings_digest(other)
    aims: dict[str, dict[str, object]] = {
        "drag": {"goal": "minimize"},
        "comfort": {"goal": "maximize", "values": ["poor", "fair", "good"]},
    }
    assert Problem([Parameter("x", 0, 1)], objectives=aims) == problem


def test_objectives_may_have_a_priority() -> None:
    """Their order in the file; it is written and read, in Python as well."""
    problem = read_problem((f"{TWO}\ntrade: lexicographic{REST}").encode(), Path("p.yaml")).problem
    assert (problem.by_priority, problem.aim) == (True, "minimize drag, then maximize lift over x")
    plain = replace(problem, unit="")
    assert read_problem(problem_text(plain, Path("q.yaml")).encode(), Path("q.yaml")).problem == plain
    aims = {"drag": {"goal": "minimize", "unit": "N"}, "lift": {"goal": "maximize"}}
    assert Problem([Parameter("x", 0, 1)], objectives=aims, trade="lexicographic") == problem


def test_python_takes_what_a_file_does() -> None:
    """By the same reader."""
    aims = {"drag": {"goal": "minimize", "unit": "N"}, "lift": {"goal": "maximize"}}
    assert Problem([Parameter("x", 0, 1)], objectives=aims) == read(TWO)
    with pytest.raises(ProblemError, match="side by side"):
        Problem([Parameter("x", 0, 1)], "drag", objectives=aims)


def test_a_problem_with_several_objectives_can_be_written() -> None:
    """And is the same when it is read."""
    outcomes = "\noutcomes: {stress: {max: 5}}"
    problem = read_problem((TWO.replace(", unit: N", "") + outcomes + REST).encode(), Path("p.yaml")).problem
    assert read_problem(problem_text(problem, Path("q.yaml")).encode(), Path("q.yaml")).problem == problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"objective: {{goal: minimize}}\n{TWO}", "p.yaml:1:12: objective and objectives stand side by side"),
        ("seed: 1", "the problem needs objective or objectives"),
        ("objectives: {}", "there is no objective"),
        ("objectives: {drag: {}}", "p.yaml:1:20: an objective has no goal"),
        ("objectives: {drag: {goal: up}}", "p.yaml:1:27: "),
        ("objectives: {drag: up}", "p.yaml:1:20: 'up' is unknown here. Known are minimize"),
        ("objectives: {drag: 3}", "p.yaml:1:20: 3 stands where the settings of an objective are expected"),
        ("objectives: {drag: {goal: min, max: 3}}", "the key 'max' is unknown in an objective"),
        ("objectives: {drag: {goal: min, enough: much}}", "p.yaml:1:40: "),
        ("objective: {goal: min, enough: 3}", "the key 'enough' is unknown in the objective"),
        (f"{TWO}\ntrade: sum", "p.yaml:2:8: "),
        ("objectives: {drag: {goal: min, enough: 3, values: [a, b]}, x2: {goal: max}}", "its values are words"),
        ("objectives: {drag: {goal: min}, x: {goal: max}}", "the name 'x' stands twice"),
        ("objectives: {drag: {goal: min}, id: {goal: max}}", "the name 'id' is taken"),
        (f"{TWO}\noutcomes: {{lift: {{min: 1}}}}", "the name 'lift' stands twice"),
        (f"objectives: {{{', '.join(f'f{k}: {{goal: min}}' for k in range(9))}}}", "9 objectives are more than 8"),
        (f"{TWO}\nmethod: {{acquisition: ei}}", "acquisition: ei with several objectives is not supported yet"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    """As for every other setting."""
    with pytest.raises(ProblemErrors) as caught:
        read(text)
    assert said in str(caught.value)
