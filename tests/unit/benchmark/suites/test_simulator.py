"""A user's simulator as a problem: how it is called and what its output means."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from ordbo_cli.benchmark.suites.benchmark_problem import Observation
from ordbo_cli.benchmark.suites.simulator import Simulator
from ordbo_cli.errors import DataError, MissingFileError, UsageError
from ordbo_cli.problem.method import PRESETS

PROBLEM = """\
version: 1
objective: {name: drag, goal: GOAL}
parameters:
  wall shear: {type: float, min: 0, max: 12}
  n: {type: int, min: 3, max: 9}
  mesh: {value: a b}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM.replace("GOAL", "minimize"))
    return path


def printing(path: Path, code: str) -> Simulator:
    return Simulator.load(
        path, f"'{sys.executable}' -c '{code}' {{wall shear}} --n={{n}}".replace("{wall shear}", '"{wall shear}"')
    )


def test_values_are_filled_in_without_a_shell(path: Path) -> None:
    """A name in braces becomes the value inside its own word, fixed values included; spaces and $() stay text."""
    code = 'import sys; print(sys.argv[1:], file=sys.stderr); print(10*sys.argv.index("--n=4") + len(sys.argv))'
    simulator = Simulator.load(path, f"'{sys.executable}' -c '{code}' '{{wall shear}}$(exit 1)' --n={{n}} {{mesh}}")
    assert simulator.command.arguments[-1] == "{mesh}"
    assert simulator.observe((0.1, 4), 0, 1) == Observation(24.0, None)
    assert simulator.name == "drag"


@pytest.mark.parametrize("value", ["$(touch owned)", "`touch owned`", "; touch owned", "'\"; touch owned", "a  b\\"])
def test_a_value_is_one_word_and_runs_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """A fixed value arrives letter by letter in a word of its own: there is no shell to read it."""
    monkeypatch.chdir(tmp_path)
    quoted = value.replace("'", "''")
    path.write_text(PROBLEM.replace("GOAL", "minimize").replace("a b", f"'{quoted}'"))
    code = 'import sys, json; json.dump(sys.argv[1:], open("seen", "w")); print(1)'
    simulator = Simulator.load(path, f"'{sys.executable}' -c '{code}' {{mesh}} -m={{mesh}}.in {{n}}")
    assert simulator.observe((1.0, 3), 0, 1) == Observation(1.0, None)
    assert json.loads(Path("seen").read_text()) == [value, f"-m={value}.in", "3"]
    assert not Path("owned").exists()


@pytest.mark.parametrize(
    ("code", "y"),
    [
        ('print(3); print("drag =", 0.5, "N")', 0.5),
        ('print("1.0D+02")', 100.0),
        ('print("drag = nan")', None),
        ('print(5); print("failed")', None),
        ('print("inf")', None),
        ("print(1); raise SystemExit(3)", None),
    ],
)
def test_the_last_line_is_the_result(path: Path, code: str, y: float | None) -> None:
    """Fortran's numbers too; nan, infinity, the word failed and a bad exit status are failures."""
    assert printing(path, code).observe((1.0, 3), 0, 1) == Observation(y, None)


def test_a_maximum_is_negated(path: Path) -> None:
    """All methods minimise; the question says so too."""
    path.write_text(PROBLEM.replace("GOAL", "maximize"))
    simulator = printing(path, "print(2.5)")
    assert simulator.observe((1.0, 3), 0, 1).y == -2.5
    question = simulator.problem(PRESETS["metric-free"], 7)
    assert (question.goal, question.seed, question.method) == ("minimize", 7, PRESETS["metric-free"])


@pytest.mark.parametrize("code", ['print("done")', 'print("7 iterations")', 'print("cost=1.0D+02")', "print(2, 4)"])
def test_no_number_is_an_error(path: Path, code: str) -> None:
    """A command that ends well and prints no number is a mistake, not a failure of the simulation."""
    with pytest.raises(DataError, match="no number on standard output"):
        printing(path, code).observe((1.0, 3), 0, 1)


def test_a_missing_command_is_an_error(path: Path) -> None:
    """It is named, before anything runs."""
    with pytest.raises(MissingFileError, match="nowhere: there is no such program"):
        Simulator.load(path, "./nowhere {n}")


@pytest.mark.parametrize(
    ("command", "message"), [("echo {angle}", "unknown name 'angle'"), ("sim 'x", "--command: "), (" ", "is empty")]
)
def test_wrong_commands_are_refused(path: Path, command: str, message: str) -> None:
    """Before anything runs."""
    with pytest.raises(UsageError, match=message):
        Simulator.load(path, command)


def test_outcomes_and_limits_are_read(tmp_path: Path) -> None:
    """A broken limit leaves no value but the outcomes; of a result that was stopped early its limit is taken."""
    path = tmp_path / "p.yaml"
    path.write_text(
        "objective: {name: y, goal: maximize}\nparameters: {x: {min: 0, max: 9}}\n"
        "outcomes: {s: {max: 3}, t: {min: 1}}\n"
    )
    said = "import sys; print('y = >5\\ns =', sys.argv[1], '\\nt = 2')"
    simulator = Simulator.load(path, f"{sys.executable} -c {shlex.quote(said)} {{x}}")
    assert simulator.observe((2.0,), 0, 1) == Observation(-5.0, None, (2.0, 2.0), -5.0)
    assert simulator.observe((4.0,), 0, 1) == Observation(None, None, (4.0, 2.0), -5.0)
