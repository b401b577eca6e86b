"""From YAML to a problem."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError, ManyErrors, MissingFileError, ProblemError
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.problem_file.yaml_nodes import LARGEST_FILE
from ordbo_cli.files.state import settings_digest
from ordbo_cli.problem import Fixed, Parameter
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method

Loader = Callable[[str], ProblemFile]

HEAD = "objective: {name: y, goal: minimize}\n"


def errors_of(loaded: Loader, text: str) -> list[str]:
    with pytest.raises(ManyErrors) as caught:
        loaded(text)
    assert caught.value.exit_status == 78
    assert all(isinstance(error, ProblemError) for error in caught.value.errors)
    return [str(error).rpartition("/")[2] for error in caught.value.errors]


def test_the_documented_file_is_read(loaded: Loader) -> None:
    """Everything of interface.md's example that this version supports arrives in the problem."""
    file = loaded(
        """\
version: 1
objective: {name: drag, goal: maximize}
parameters:
  angle: {type: float, min: 0, max: 12, step: 0.1}
  reynolds: {type: float, min: 1e5, max: 1e7, scale: log, digits: 4}
  blades: {type: int, min: 3, max: 9}
  span: {value: 2.0}
failed: ignore
noise: true
evaluations: other.csv
state: sub/other.json
seed: 7
method: paper
"""
    )
    problem = file.problem
    assert problem.parameters == (
        Parameter("angle", 0.0, 12.0, step=0.1),
        Parameter("reynolds", 1e5, 1e7, scale="log", digits=4),
        Parameter("blades", 3, 9, type="int"),
        Fixed("span", 2.0),
    )
    assert (problem.objective, problem.goal, problem.failed, problem.noise, problem.seed) == (
        "drag",
        "maximize",
        "ignore",
        True,
        7,
    )
    assert problem.method == PRESETS["paper"]
    assert file.evaluations == file.path.parent / "other.csv"
    assert file.state == file.path.parent / "sub" / "other.json"
    assert file.notes == ()


def test_defaults(loaded: Loader) -> None:
    """A short file gets the documented defaults; int is never inferred."""
    file = loaded(HEAD + "parameters: {x: {min: 0, max: 9}}\n")
    (parameter,) = file.problem.parameters
    assert isinstance(parameter, Parameter)
    assert parameter.type == "float"
    assert isinstance(parameter.min, float)
    assert file.evaluations.name == "p.csv"
    assert file.state.name == "p.state.json"
    assert file.problem.method == PRESETS["default"]


def test_a_mapping_changes_single_settings_of_a_preset(loaded: Loader) -> None:
    """Only what is named changes, in the prior too."""
    method = "{preset: metric-free, beta: 3, kernel: rbf, drift: none, prior: {centre: 0.25, length: 4}}"
    file = loaded(HEAD + f"parameters: {{x: {{min: 0, max: 9}}}}\nmethod: {method}\n")
    made = file.problem.method
    assert (made.beta, made.kernel, made.drift, made.margin) == (3, "rbf", None, 0.2)
    assert made.prior == GapPrior(centre=0.25, length=4)
    assert loaded(HEAD + "parameters: {x: {min: 0, max: 9}}\nmethod: {prior: none}\n").problem.method.prior is None


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("theory", BetaSchedule()),
        ("{}", BetaSchedule()),
        ("{delta: 0.05, c2: 3, scale: 0.1}", BetaSchedule(delta=0.05, c2=3, scale=0.1)),
    ],
)
def test_beta_may_follow_the_schedule_of_the_theory(loaded: Loader, text: str, made: BetaSchedule) -> None:
    """By a word, or by a mapping with some of its constants."""
    file = loaded(HEAD + f"parameters: {{x: {{min: 0, max: 9}}}}\nmethod: {{beta: {text}}}\n")
    assert file.problem.method == Method(beta=made)


@pytest.mark.parametrize(
    "spelling",
    [
        "{bounds: [1, 9], log: true}",
        "{low: 1, high: 9, scale: log}",
        "{lower: 1, upper: 9, log: true, scale: log}",
        "{min: 1, max: 9.0, bounds: [1.0, 9], log: true}",
    ],
)
def test_the_neighbours_words_mean_the_same(loaded: Loader, spelling: str) -> None:
    """One table translates other tools' spellings; two that agree are no error."""
    file = loaded(f"objective: {{name: y, direction: maximise}}\nparameters:\n- {{name: x, {spelling[1:]}\n")
    assert file.problem.parameters == (Parameter("x", 1.0, 9.0, scale="log"),)
    assert file.problem.goal == "maximize"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{min: 0, low: 1, max: 2}", "p.yaml:2:31: min and low disagree about min: 0 and 1. Keep min: alone"),
        ("{scale: log, log: false, min: 1, max: 2}", "p.yaml:2:35: scale and log disagree about scale: log and linear"),
        ("{min: 3, max: 1}", "p.yaml:2:23: 'x': min 3.0 is above max 1.0. Swap them"),
        ("{min: 0, max: 1, scale: log}", "p.yaml:2:41: 'x': log scale with min 0.0"),
        ("{min: 0, max: 1, log: true}", "p.yaml:2:39: 'x': log scale with min 0.0"),
        ("{min: 0, max: 1e999}", "p.yaml:2:31: 1e999 is not finite"),
        (f"{{min: 0, max: 1{'0' * 400}}}", f"p.yaml:2:31: 1{'0' * 76}... is not finite"),
        ("{min: 0, max: 1_000}", "p.yaml:2:31: '1_000' stands where a number is expected. Write 1000"),
        ("{min: 0, max: 010}", "p.yaml:2:31: '010' stands where a number is expected. Leading zeros"),
        ("{min: 0, max: 12:30}", "p.yaml:2:31: '12:30' stands where a number is expected. Write a time"),
        ("{min: 0, max: 2026-11-27}", "p.yaml:2:31: '2026-11-27' stands where a number is expected"),
        ("{min: 0, max: yes}", "p.yaml:2:31: 'yes' stands where a number is expected"),
        ("{min: 0, max: 'true'}", "p.yaml:2:31: 'true' stands where a number is expected. Write 1 or 0"),
        ("{min: 0, max: true}", "p.yaml:2:31: true stands where a number is expected"),
        ("{min: 0, max: }", "p.yaml:2:30: nothing stands where a number is expected"),
        ("{min: 0}", "p.yaml:2:17: a parameter needs min and max, values or value. Write {min: ..., max: ...}"),
        ("{min: 0, mx: 1}", "p.yaml:2:26: the key 'mx' is unknown in a parameter. Did you mean max?"),
        ("{min: 0, max: 1, step: 0}", "p.yaml:2:40: 0 stands where a number above 0 is expected"),
        ("{min: 0, max: 1, step: 2}", "p.yaml:2:40: 'x': a step of 2 leaves fewer than two values"),
        ("{min: 0, max: 1, digits: 2.5}", "p.yaml:2:42: 2.5 stands where a whole number from 1 to 15 is expected"),
        ("{type: int, min: 0.5, max: 3}", "p.yaml:2:34: min is 0.5 but the type is int"),
        ("{type: ordinal, values: [a, a]}", "p.yaml:2:45: the value 'a' stands twice"),
        ("{choices: [1, 3, 2]}", "p.yaml:2:27: 'x' does not say whether its values have an order"),
        ("{min: 0, max: 1, when: z}", "p.yaml:2:40: 'z' stands where conditions are expected"),
        ("{min: 0, max: 1, when: {z: 1}}", "p.yaml:2:41: when: 'z' stands below 'x'"),
        ("{value: 1, min: 0}", "p.yaml:2:33: 'x' has a value and min"),
        ("{value: [1]}", "p.yaml:2:25: a list stands where a number or a printable word is expected"),
        ("{bounds: [1, 2, 3]}", "p.yaml:2:26: a list stands where a list of two is expected"),
        ("3", "p.yaml:2:17: 3 stands where the settings of a parameter are expected"),
        ("{<<: {min: 0}, max: 1}", "p.yaml:2:18: merge keys (<<) are not read"),
    ],
)
def test_wrong_parameters_are_told_at_their_place(loaded: Loader, text: str, expected: str) -> None:
    """Every mistake in a parameter gives an error with line, column and what is expected."""
    assert errors_of(loaded, HEAD + f"parameters: {{x: {text}, z: {{min: 0, max: 1}}}}\n")[0].startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("outcomes: {}", "there is no outcome"),
        ("outcomes: {lift: {}}", "an outcome needs min or max"),
        ("outcomes: {lift: {min: 2, max: 1}}", "its min 2 is above its max 1"),
        ("method: {beta: theorie}", "'theorie' is unknown here. Did you mean theory?"),
        ("method: {beta: {delta: 0}}", "0 stands where a number above 0 and at most 1 is expected"),
        ("method: {beta: {c1: 0.5}}", "0.5 stands where a number from 1 on is expected"),
        ("method: {beta: {gamma: 1}}", "the key 'gamma' is unknown in the schedule of beta"),
        ("method: {beta: {scale: 0}}", "0 stands where a number above 0 is expected"),
        ("method: {beta: theory, kernel: matern12}", "beta is theory, which needs slopes that functions of kernel"),
        ("method: papr", "'papr' is unknown here. Did you mean paper?"),
        ("method: {initial: 1}", "initial is 1"),
        ("method: {samples: 1e300}", "1e300 stands where a whole number from 1 to 100000 is expected"),
        ("method: {prior: {centre: 2}}", "2 stands where a number from 0 to 1 is expected"),
        ("method: {prior: some}", "'some' is unknown here"),
        ("seed: -1", "-1 stands where a whole number from 0"),
        ("version: 2", "version 2 is newer than this ordbo, which reads 1. Update ordbo"),
        ("noise: no", "'no' stands where true or false is expected"),
        ("failed: worse", "'worse' is unknown here. Did you mean worst?"),
        ("evaluations: p.yaml", "the problem file and evaluations are the same file"),
        ("state: p.csv", "evaluations and state are the same file"),
        ("evaluations: 3", "3 stands where the name of a file is expected"),
        ("goal: minimize", "the key 'goal' is unknown in the problem"),
        ("columns: [z]", "a list stands where columns are expected"),
        ("columns: {z: {a: b}}", "a mapping stands where a name is expected"),
        ("columns: {z: }", "nothing stands where a name is expected"),
        ("columns: {stat: a}", "'stat' is no name of the problem. Did you mean status?"),
        ("columns: {x: id}", "the column 'id' would be that of 'id' and of 'x'"),
        ("columns: {x: C, y: C}", "the column 'C' would be that of 'x' and of 'y'"),
    ],
)
def test_wrong_settings_are_told(loaded: Loader, text: str, expected: str) -> None:
    """Every mistake in the other settings is told at its line."""
    (error,) = errors_of(loaded, HEAD + f"parameters: {{x: {{min: 0, max: 1}}}}\n{text}\n")
    assert error.startswith("p.yaml:3:")
    assert expected in error


@pytest.mark.parametrize(
    ("objective", "expected"),
    [
        ("{name: y}", "the objective has no goal"),
        ("{goal: minimize, direction: maximize}", "goal and direction disagree"),
        ("y", "'y' stands where the settings of the objective are expected"),
        ("{goal: minimize, values: [a]}", "a list of 1 stands where at least 2 values are expected"),
        ("{goal: minimize, values: [a, failed]}", "'failed' is the word for a failed evaluation"),
        ("{goal: minimize, values: [a, '1.0']}", "'1.0' is a number"),
        ("{name: x, goal: minimize}", "the name 'x' stands twice"),
        ("{name: id, goal: minimize}", "the name 'id' is taken"),
        ('{name: "a\\eb", goal: minimize}', "the name 'a\\x1bb' holds a character that cannot be printed"),
        ('{name: " a", goal: minimize}', "begins or ends with a space"),
    ],
)
def test_wrong_objectives_are_told(loaded: Loader, objective: str, expected: str) -> None:
    """A goal is required, names are printable and their own."""
    errors = errors_of(loaded, f"objective: {objective}\nparameters: {{x: {{min: 0, max: 1}}}}\n")
    assert expected in errors[0]


def test_all_errors_of_a_file_come_at_once_and_in_order(loaded: Loader) -> None:
    """Errors of every part are gathered, sorted by place."""
    errors = errors_of(
        loaded,
        "objective: {name: y}\nparameters:\n  a: {min: 1, max: 0}\n  b: {min: x, max: 1}\nnoise: 3\nseed: a\nzzz: 1\n",
    )
    assert [error.split(": ")[0] for error in errors] == [
        "p.yaml:1:12", "p.yaml:3:12", "p.yaml:4:12", "p.yaml:5:8", "p.yaml:6:7", "p.yaml:7:1",
    ]  # fmt: skip


def test_equal_bounds_are_a_fixed_parameter(loaded: Loader) -> None:
    """min equal to max is taken as fixed, and said so."""
    file = loaded(HEAD + "parameters: {x: {min: 0, max: 1}, w: {min: 3, max: 3}}\n")
    assert file.problem.parameters[1] == Fixed("w", 3.0)
    assert file.notes == ("w: min and max are equal, taken as fixed",)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "{min: 0, max: 1, step: 0.3}",
            "x: steps of 0.3 from 0.0 end at 0.9, and max 1.0 is never suggested; write max: 0.9",
        ),
        ("{type: int, min: 1, max: 10, step: 4}", "x: steps of 4 from 1 end at 9, and max 10 is never suggested"),
        ("{min: 0, max: 1, step: 0.1}", ""),
        ("{min: 0, max: 9007199254740993}", "x: max 9007199254740993 is read as 9007199254740992: it has more than 53"),
        ("{min: 0, max: 9007199254740992}", ""),
    ],
)
def test_bounds_that_are_no_values_are_noted(loaded: Loader, text: str, note: str) -> None:
    """A step that does not divide the range, and whole numbers that no double holds, are said with what is right."""
    notes = loaded(HEAD + f"parameters: {{x: {text}}}\n").notes
    assert len(notes) == bool(note)
    assert not note or notes[0].startswith(note)


def test_what_tables_call_a_column_is_kept(loaded: Loader) -> None:
    """Names may change places, and id and status have columns, too."""
    text = HEAD + "parameters: {x: {min: 0, max: 1}, z: {min: 0, max: 1}}\ncolumns: {x: z, z: x, id: No}\n"
    assert dict(loaded(text).problem.columns) == {"x": "z", "z": "x", "id": "No"}


def test_units_are_kept_and_change_nothing_else(loaded: Loader) -> None:
    """Of the objective, of free and of fixed parameters; a fit and a state outlive a change of them."""
    text = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  angle: {min: 0, max: 12, unit: °}
  span: {value: 2.0, unit: m}
  mast: {min: 3, max: 3, unit: m}
"""
    file = loaded(text)
    assert [file.problem.unit, *(each.unit for each in file.problem.parameters)] == ["N", "°", "m", "m"]
    bare = loaded(re.sub(r", unit: [^}]+", "", text))
    assert [bare.problem.unit, *(each.unit for each in bare.problem.parameters)] == [""] * 4
    assert settings_digest(file.problem) == settings_digest(bare.problem)


def test_a_problem_without_free_parameters_is_refused(loaded: Loader) -> None:
    """Nothing would be left to search."""
    (error,) = errors_of(loaded, HEAD + "parameters: {x: {value: 1}}\n")
    assert "no parameter is free" in error


def test_names_that_share_an_environment_variable_are_refused(loaded: Loader) -> None:
    """The clash is told with the variable's name."""
    (error,) = errors_of(loaded, HEAD + "parameters: {wall shear: {min: 0, max: 1}, wall-shear: {min: 0, max: 1}}\n")
    assert "both become ORDBO_WALL_SHEAR" in error


def test_names_are_as_they_are_spelt(loaded: Loader) -> None:
    """Names that YAML takes for truth values or numbers, and names with spaces, are names."""
    file = loaded(HEAD + "parameters: {no: {min: 0, max: 1}, 1e3: {min: 0, max: 1}, wall shear α: {value: off}}\n")
    assert file.problem.names == ("no", "1e3", "wall shear α")
    assert file.problem.parameters[2] == Fixed("wall shear α", "off")


def test_two_hundred_parameters_are_read(loaded: Loader) -> None:
    """A long file is no trouble."""
    text = HEAD + "parameters:\n" + "".join(f"  p{k}: {{min: 0, max: {k + 1}}}\n" for k in range(200))
    assert len(loaded(text).problem.free) == 200


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and a folder have their own exit statuses."""
    with pytest.raises(MissingFileError, match="there is no such problem file"):
        load_problem(tmp_path / "none.yaml")
    with pytest.raises(FileError, match="cannot read it"):
        load_problem(tmp_path)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """Of 50 MB no more than a little over the largest problem file is ever in memory."""
    path = tmp_path / "p.yaml"
    with path.open("wb") as file:
        file.write(HEAD.encode())
        file.truncate(50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ManyErrors, match="the file is larger than 256 KiB"):
            load_problem(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


def test_the_size_limit_is_the_last_size_that_is_read(loaded: Loader) -> None:
    """A comment fills a file up to the limit; one byte more is refused."""
    text = HEAD + "parameters: {x: {min: 0, max: 1}}\n#"
    filled = text + "c" * (LARGEST_FILE - len(text))
    assert loaded(filled).problem.names == ("x",)
    assert "larger than" in errors_of(loaded, filled + "c")[0]


@pytest.mark.parametrize("way", ["symbolic link", "hard link"])
@pytest.mark.parametrize("key", ["evaluations", "state"])
def test_the_problem_file_under_another_name_is_refused(tmp_path: Path, key: str, way: str) -> None:
    """No suggestion is ever appended to it, and no state written over it."""
    path, other = tmp_path / "p.yaml", tmp_path / "other"
    path.write_text(HEAD + f"parameters: {{x: {{min: 0, max: 1}}}}\n{key}: other\n")
    if way == "hard link":
        other.hardlink_to(path)
    else:
        other.symlink_to("p.yaml")
    with pytest.raises(ManyErrors, match=f"3:{len(key) + 3}: the problem file and {key} are the same file"):
        load_problem(path)


@pytest.mark.parametrize("suffix", [".bak", ".lock"])
def test_what_ordbo_writes_beside_the_state_is_nobodys_file(loaded: Loader, suffix: str) -> None:
    """The state's copy and its lock would be written over the evaluations."""
    (error,) = errors_of(loaded, HEAD + f"parameters: {{x: {{min: 0, max: 1}}}}\nevaluations: p.state.json{suffix}\n")
    assert f"evaluations and the state's {suffix} file are the same file" in error
