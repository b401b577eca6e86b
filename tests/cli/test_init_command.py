"""``ordbo init``."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.problem_file.problem_file import load_problem
from ordbo_cli.problem import Parameter

Call = Callable[..., Any]


def test_what_is_written_loads(ordbo: Call, tmp_path: Path) -> None:
    """Types, bounds, scale, objective and goal arrive as they were given, odd names included."""
    path = tmp_path / "drag.yaml"
    done = ordbo(
        "init", path, "--param", "angle:0:12", "--param", "n:int:1:9", "--param", "a: b:1e5:1e7:log", "--param",
        "no:float:-2:.5", "--objective", "yes", "--goal", "maximize",
    )  # fmt: skip
    assert (done.status, done.out) == (0, "")
    assert str(path) in done.err
    problem = load_problem(path).problem
    assert problem.parameters == (
        Parameter("angle", 0.0, 12.0, digits=4),
        Parameter("n", 1, 9, type="int"),
        Parameter("a: b", 1e5, 1e7, scale="log", digits=4),
        Parameter("no", -2.0, 0.5, digits=4),
    )
    assert (problem.objective, problem.goal) == ("yes", "maximize")


@pytest.mark.parametrize(
    ("bounds", "digits"),
    [("0:1", 4), ("1.23456:2", 6), ("10:12", 4), ("1000:1001", 6), ("1:1.000000001", 12)],
)
def test_digits_tell_values_apart(ordbo: Call, tmp_path: Path, bounds: str, digits: int) -> None:
    """Floats have four digits, and more where the bounds have more or few values would be left."""
    path = tmp_path / "p.yaml"
    assert ordbo("init", path, "--param", f"x:{bounds}").status == 0
    (parameter,) = load_problem(path).problem.free
    assert parameter.digits == digits


def test_digits_that_no_double_has_are_left_out(ordbo: Call, tmp_path: Path) -> None:
    """What no number of digits can tell apart is left to the doubles, and bounds beyond them to the reader."""
    path = tmp_path / "p.yaml"
    assert ordbo("init", path, "--param", "x:0.12345678901234567:1").status == 0
    assert load_problem(path).problem.free[0].digits is None
    assert ordbo("init", tmp_path / "q.yaml", "--param", "x:0:1e999999999").status == 2


def test_levels(ordbo: Call, tmp_path: Path) -> None:
    """Numbers stay numbers, words words, whatever YAML would take them for."""
    path = tmp_path / "flow.yaml"
    words = [
        "mesh:ordinal:coarse, medium,fine",
        "a:b:categorical:no,yes: x,010",
        "cores:ordinal:1,2,4.5",
        "limiter:bool",
    ]
    assert ordbo("init", path, *(word for each in words for word in ("--param", each))).status == 0
    assert load_problem(path).problem.parameters == (
        Parameter.of_levels("mesh", ["coarse", "medium", "fine"]),
        Parameter.of_levels("a:b", ["no", "yes: x", "010"], "categorical"),
        Parameter.of_levels("cores", [1, 2, 4.5]),
        Parameter.of_levels("limiter", ["false", "true"], "categorical"),
    )


@pytest.mark.parametrize("param", [":bool", "mesh:ordinal:", "mesh:ordinal:a,,b", ":categorical:a,b"])
def test_levels_that_cannot_be(ordbo: Call, tmp_path: Path, param: str) -> None:
    """The hint shows the forms that there are; nothing is written."""
    done = ordbo("init", tmp_path / "p.yaml", "--param", param)
    assert (done.status, list(tmp_path.iterdir())) == (2, [])
    assert "mesh:ordinal:coarse,medium,fine" in done.err


def test_without_arguments(ordbo: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """problem.yaml with one parameter to be edited, and comments on the rest."""
    monkeypatch.chdir(tmp_path)
    assert ordbo("init").status == 0
    assert load_problem("problem.yaml").problem.names == ("x",)
    assert Path("problem.yaml").read_text().count("#") > 10
    assert [path.name for path in tmp_path.iterdir()] == ["problem.yaml"]


def test_every_commented_setting_works(ordbo: Call, tmp_path: Path) -> None:
    """The lines that are commented out can be put in as they are."""
    path = tmp_path / "p.yaml"
    ordbo("init", path)
    text = path.read_text()
    for line in ("# evaluations:", "# state:"):
        assert line in text
        text = text.replace(line, line[2:])
    path.write_text(text)
    assert load_problem(path).evaluations == tmp_path / "p.csv"


def test_an_existing_file_is_refused(ordbo: Call, tmp_path: Path) -> None:
    """Neither a file nor a dangling link is overwritten."""
    path = tmp_path / "p.yaml"
    path.write_text("mine")
    refused = ordbo("init", path)
    assert refused.status == 74
    assert "already" in refused.err
    assert path.read_text() == "mine"
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "nowhere")
    assert ordbo("init", link).status == 74
    assert not (tmp_path / "nowhere").exists()


def test_only_one_of_many_wins(tmp_path: Path, process: Call) -> None:
    """Two calls at the same time: one file, one refusal."""
    path = tmp_path / "p.yaml"
    statuses: list[int] = []
    calls = [
        threading.Thread(target=lambda k=k: statuses.append(process("init", path, "--param", f"x:0:{k}").status))
        for k in (1, 2)
    ]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert sorted(statuses) == [0, 74]
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.yaml"]


@pytest.mark.parametrize(
    "params",
    [
        ["x"],
        ["x:0"],
        [":0:1"],
        ["x:0:one"],
        ["x:nan:1"],
        ["x:0:1_0"],
        ["x:2:1"],
        ["x:1:1"],
        ["x:0:1:log"],
        ["n:int:1:2.5"],
        ["x:0:1", "x:2:3"],
        ["id:0:1"],
        ["a\nb:0:1"],
        ["x:0:1\n"],
        ["objective:0:1"],
    ],
)
def test_what_cannot_be_is_a_usage_error(ordbo: Call, tmp_path: Path, params: list[str]) -> None:
    """Nothing is written, not even a temporary file, and one or two lines say why."""
    refused = ordbo("init", tmp_path / "p.yaml", *(word for param in params for word in ("--param", param)))
    assert refused.status == 2
    assert refused.err.startswith("error: ")
    assert refused.err.count("\n") <= 2
    assert str(tmp_path) not in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder(ordbo: Call, tmp_path: Path) -> None:
    """It is not made behind the user's back."""
    assert ordbo("init", tmp_path / "no" / "p.yaml").status == 66
    assert list(tmp_path.iterdir()) == []


def test_several_objectives(ordbo: Call, tmp_path: Path) -> None:
    """Each with its goal behind its name, or that of --goal; another word is a part of the name, as is told."""
    path = tmp_path / "wing.yaml"
    done = ordbo("init", path, "--param", "angle:0:12", "--objective", "drag", "--objective", "lift:maximize")
    assert (done.status, "note" in done.err) == (0, False)
    assert load_problem(path).problem.goals == (("drag", "minimize"), ("lift", "maximize"))
    path.unlink()
    assert ordbo("init", path, "--objective", "a:b:min", "--objective", "lift", "--goal", "maximize").status == 0
    assert load_problem(path).problem.goals == (("a:b", "minimize"), ("lift", "maximize"))
    path.unlink()
    assert ordbo("init", path, "--objective", "lift:max").status == 0
    assert load_problem(path).problem.goals == (("lift", "maximize"),)
    assert "objective: {name: lift, goal: maximize}\n" in path.read_text()
    path.unlink()
    done = ordbo("init", path, "--objective", "drag:low")
    assert "note: 'drag:low' is the name of an objective; was drag:minimize or drag:maximize meant?\n" in done.err
    path.unlink()
    refused = ordbo("init", path, "--objective", "drag", "--objective", "drag:max")
    assert (refused.status, "the key 'drag' is repeated" in refused.err, path.exists()) == (2, True, False)
