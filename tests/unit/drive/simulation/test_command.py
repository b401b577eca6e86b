"""What can be wrong with a command before any point is asked for."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.template import Template
from ordbo_cli.errors import DataError, MissingFileError, OrdboError, ProblemError, UsageError
from ordbo_cli.problem import Condition, Fixed, Parameter, Problem
from tests.unit.drive.conftest import PARAMETERS, PROBLEM


def program(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.write_bytes(text.encode())
    path.chmod(mode)
    return path


def test_names_in_arguments_are_filled_in(tmp_path: Path) -> None:
    """Parameters, id and folder; what is no name stays, and no shell reads the result."""
    words = ("awk", "{print $1}", "--n={n}", "{wall shear}", "{mesh}", "{folder}/in {id}", "{R1*2}", "\\{n}")
    command = Command.prepare(PROBLEM, words, cwd=tmp_path)
    values = command.values(17, Path("/runs/17"), PARAMETERS)
    expected = ["awk", "{print $1}", "--n=4", "1e-05", "a b", "/runs/17/in 17", "{R1*2}", "{n}"]
    assert command.words(values) == expected


@pytest.mark.parametrize(
    ("words", "options", "found"),
    [
        (["sim", "{n}"], {}, ["wall shear"]),  # mesh is fixed
        (["sim", "{n}", "{wall shear}"], {}, []),
        (["sim", "{mesh}"], {}, ["wall shear", "n"]),
        (["sim", "--n=3"], {}, []),  # on purpose: all are in the environment
        (["sim", "{id}"], {}, []),
        (["sh", "-c", 'sim {n} {mesh} "$ORDBO_WALL_SHEAR"'], {}, []),
        (["sh", "-c", 'sim {n} {mesh} "$ORDBO_WALL_SHEARS"'], {}, ["wall shear"]),
        (["sim", "{n}", "{folder}"], {}, []),
        (["sh", "-c", 'sim {n} <"$ORDBO_FOLDER/point.json"'], {}, []),
        (["sim", "{n}"], {"stdin": True}, []),
        (["sim", "{n}"], {"in_folder": True}, []),
        (["sim", "{n}"], {"template": Template(("",)), "input": "in"}, []),
    ],
)
def test_what_the_arguments_pass_over(words: list[str], options: dict[str, Any], found: list[str]) -> None:
    """Free parameters that are not named where others are, and that no other way hands over."""
    assert Command(tuple(words), Path("/"), names=PROBLEM.names, **options).passed_over(PROBLEM) == found


def test_a_value_is_not_read_again() -> None:
    """A word with braces in it is handed over as it is."""
    command = Command(("sim", "{mesh}"), Path("/"))
    assert command.words({"mesh": "{n}", "n": "4"}) == ["sim", "{n}"]


def test_the_environment_is_the_callers_and_the_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names that 'suggest --format env' has."""
    monkeypatch.setenv("MINE", "1")
    command = Command.prepare(PROBLEM, ["true"], cwd=tmp_path)
    found = command.environment(command.values(17, Path("/runs/17"), PARAMETERS), PARAMETERS)
    ours = {"ORDBO_ID": "17", "ORDBO_FOLDER": "/runs/17", "ORDBO_WALL_SHEAR": "1e-05", "ORDBO_N": "4"}
    assert found.items() >= {**ours, "ORDBO_MESH": "a b", "MINE": "1"}.items()


def test_a_program_is_found_from_where_the_command_was_typed(tmp_path: Path) -> None:
    """Inside a run folder, too; one without a slash is found on the PATH."""
    program(tmp_path / "sim")
    command = Command.prepare(PROBLEM, ["./sim"], cwd=tmp_path, in_folder=True)
    assert Path(command.words({})[0]) == tmp_path / "sim"
    assert Command.prepare(PROBLEM, ["./sim"], cwd=tmp_path).words({}) == ["./sim"]
    assert Command.prepare(PROBLEM, ["sh", "./x"], cwd=tmp_path, in_folder=True).words({}) == ["sh", "./x"]
    named = Command.prepare(PROBLEM, ["bin/{mesh}"], cwd=tmp_path, in_folder=True)
    assert Path(named.words({"mesh": "fine"})[0]) == tmp_path / "bin" / "fine"


def test_a_command_can_be_pickled(tmp_path: Path) -> None:
    """It goes to the workers of a cluster."""
    (tmp_path / "case.tpl").write_text("{n}")
    template = tmp_path / "case.tpl"
    command = Command.prepare(PROBLEM, ["true"], cwd=tmp_path, template=template, input="a/case.in", timeout=2)
    assert pickle.loads(pickle.dumps(command)) == command  # noqa: S301  # our own bytes
    assert command.template == Template.read(template, "{ }", ["n"])


REFUSED: list[tuple[list[str], dict[str, Any], type[OrdboError], str]] = [
    ([], {}, UsageError, "there is no command to call"),
    ([""], {}, UsageError, "there is no command to call"),
    (["no-such-program"], {}, MissingFileError, "there is no program 'no-such-program' on the PATH. Is it installed"),
    (["sim"], {}, MissingFileError, "Write ./sim for the one in this folder"),
    (["./nothing"], {}, MissingFileError, "nothing: there is no such program"),
    (["./text"], {}, UsageError, "is not executable. Make it so: chmod +x"),
    (["./folder"], {}, UsageError, "is a folder"),
    (["./foreign"], {}, MissingFileError, "there is no /no/such/shell, which its first line names"),
    (["./windows"], {}, UsageError, "windows has the line ends of Windows"),
    (["./sim", "--angle={angel}"], {}, UsageError, "the argument '--angle={angel}': unknown name 'angel'"),
    (["sh"], {"template": "case.tpl"}, UsageError, "a template without an input file"),
    (["sh"], {"input": "case.in"}, UsageError, "an input file without a template"),
    (["sh"], {"template": "nothing.tpl", "input": "a"}, MissingFileError, "there is no such template"),
    (["sh"], {"template": "wrong.tpl", "input": "a"}, DataError, "wrong.tpl:1:1: unknown name 'angel'"),
    (["sh"], {"template": "case.tpl", "input": "/a"}, UsageError, "input file '/a' is no file inside the run folder"),
    (["sh"], {"template": "case.tpl", "input": "a/../../b"}, UsageError, "no file inside the run folder"),
    (["sh"], {"template": "case.tpl", "input": "a/"}, UsageError, "no file inside the run folder"),
    (["sh"], {"template": "case.tpl", "input": "Stdout"}, UsageError, "is a file that ordbo writes"),
    (["sh"], {"result": "../r"}, UsageError, "result file '../r' is no file inside the run folder"),
    (["sh"], {"result": ""}, UsageError, "no file inside the run folder"),
    (["sh"], {"result": "answer.json"}, UsageError, "is a file that ordbo writes"),
    (["sh"], {"timeout": 0}, UsageError, "a time limit of 0 s"),
    (["sh"], {"timeout": float("nan")}, UsageError, "a time limit of nan s"),
    (["sh"], {"cwd": "nowhere"}, MissingFileError, "nowhere: there is no such folder"),
    (["./made"], {"in_folder": True, "template": "case.tpl", "input": "made"}, MissingFileError, "Write {folder}/made"),
]


@pytest.mark.parametrize(("words", "options", "kind", "message"), REFUSED)
def test_wrong_commands_are_refused(
    tmp_path: Path, words: list[str], options: dict[str, Any], kind: type[OrdboError], message: str
) -> None:
    """In words, with the exit status of a usage error, a missing file or bad data."""
    program(tmp_path / "sim")
    program(tmp_path / "text", mode=0o644)
    program(tmp_path / "foreign", "#!/no/such/shell -e\n")
    program(tmp_path / "windows", "#!/usr/bin/env sh\r\necho 1\r\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "case.tpl").write_text("{n} {folder} {id}")
    (tmp_path / "wrong.tpl").write_text("{angel}")
    settings: dict[str, Any] = {"cwd": ".", **options}
    settings |= {name: tmp_path / settings[name] for name in ("template", "cwd") if name in settings}
    with pytest.raises(kind) as caught:
        Command.prepare(PROBLEM, words, **settings)
    assert type(caught.value) is kind
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((Parameter("folder", 0, 1),), "{folder} is both a parameter and the run's folder"),
        ((Parameter("Folder", 0, 1),), "'folder' and 'Folder' would both be the environment variable ORDBO_FOLDER"),
        ((Parameter("a b", 0, 1), Parameter("a-b", 0, 1)), "'a b' and 'a-b' would both be"),
        ((Parameter("a", 0, 1), Fixed("b", "x\0")), "'b' holds a NUL character"),
    ],
)
def test_problems_that_cannot_be_handed_over(tmp_path: Path, parameters: Any, message: str) -> None:
    """Names that clash, and values that no program can be given."""
    with pytest.raises(ProblemError) as caught:
        Command.prepare(Problem(parameters), ["true"], cwd=tmp_path)
    assert message in caught.value.message


def test_other_delimiters_are_for_the_template(tmp_path: Path) -> None:
    """Arguments keep their braces."""
    template = tmp_path / "U.tpl"
    template.write_text("{ @n@ }")
    command = Command.prepare(PROBLEM, ["sh", "{n}@n@"], cwd=tmp_path, template=template, input="0/U", delimiters="@ @")
    assert command.template is not None
    assert command.template.fill({"n": "4"}) == "{ 4 }"
    assert command.words({"n": "4"})[1] == "4@n@"


def test_what_does_not_count_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty where it is filled in; no variable, whatever a parent process has set."""
    monkeypatch.setenv("ORDBO_RESTART", "99")
    when = (Condition("solver", (0,)),)
    solver = Parameter.of_levels("solver", ["gmres", "c g"], "categorical")
    problem = Problem((solver, Parameter("restart", 10, 50, type="int", when=when), Fixed("note", "")), "drag")
    command = Command.prepare(problem, ["true", "--restart={restart}", "{solver}"], cwd=tmp_path)
    for point, word, variable in (((0, 30), "30", "30"), ((1, 10), "", None)):
        parameters = problem.mapping(point)
        values = command.values(3, tmp_path, parameters)
        assert command.words(values)[1:] == [f"--restart={word}", problem.free[0].shown(point[0])]
        found = command.environment(values, parameters)
        assert (found.get("ORDBO_RESTART"), found["ORDBO_NOTE"]) == (variable, "")
    assert os.environ["ORDBO_RESTART"] == "99"
