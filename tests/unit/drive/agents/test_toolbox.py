"""The tools of agents: the same call twice, names that lead elsewhere, and arguments that are none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.cli.output import json_line
from ordbo_cli.drive.agents.agent_folder import AgentFolder
from ordbo_cli.drive.agents.tool_table import TOOLS
from ordbo_cli.drive.agents.toolbox import Toolbox
from ordbo_cli.drive.simulation.folders import RunFolders
from ordbo_cli.study.study import Study

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: int, min: 1, max: 9}
method: {preset: default, iterations: 20}
"""
Ask = Callable[..., dict[str, Any]]


def no_picture(study: Study, kind: str, form: str, **options: Any) -> tuple[bytes, str]:
    return f"{kind} {form} {options}".encode(), "what it shows"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, with one problem, in which the process is."""
    path = tmp_path / "studies"
    path.mkdir()
    (path / "drag.yaml").write_text(PROBLEM)
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def toolbox(root: Path) -> Toolbox:
    def opened(path: Path, objective: str | None) -> Study:
        return Study.open(path, objective=objective)

    return Toolbox(AgentFolder(opened), json_line, no_picture)


@pytest.fixture
def ask(toolbox: Toolbox) -> Ask:
    """Call a tool: ``ask("observe", id=1, objective=3)``."""

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        answer = toolbox.call(tool, arguments)
        assert answer.fault is None
        content: dict[str, Any] = json.loads(answer.line)
        assert ("error" in content) == answer.refused
        return content

    return call


def ids(answer: dict[str, Any]) -> list[tuple[int, bool]]:
    return [(each["id"], each["new"]) for each in answer["points"]]


def test_a_suggestion_that_is_out_comes_again(ask: Ask) -> None:
    """A new point is made where fewer are out than are wanted, or more are asked for, and its answer ends it."""
    first = ask("suggest")
    again = ask("suggest")
    assert (ids(first), ids(again)) == ([(1, True)], [(1, False)])
    assert first["points"][0]["parameters"] == again["points"][0]["parameters"]
    assert "no new point was made" in again["did"]
    assert ids(ask("suggest", number=2)) == [(1, False), (2, True)]
    assert ids(ask("suggest", more=True)) == [(3, True)]
    assert ask("suggest")["also_out"] == 2
    ask("observe", id=1, objective=3)
    assert ids(ask("suggest", number=3)) == [(2, False), (3, False), (4, True)]


def test_points_in_the_hands_of_a_run_are_not_handed_out(ask: Ask, root: Path) -> None:
    """Somebody evaluates them already."""
    ask("suggest", number=2)
    RunFolders(root / "drag.runs").claim(1)
    assert ids(ask("suggest")) == [(2, False)]


def test_what_is_to_be_evaluated_again_comes_back(ask: Ask) -> None:
    """Under its id, as a point of its own."""
    ask("suggest")
    ask("observe", id=1, retry=True)
    assert ids(ask("suggest")) == [(1, True)]
    assert ids(ask("suggest")) == [(1, False)]


def test_a_result_is_recorded_once(ask: Ask, root: Path) -> None:
    """The same again adds nothing and says so; another one is refused, unless it amends."""
    ask("suggest")
    assert ask("observe", id=1, objective=0.31)["did"] == "recorded 1: ok"
    before = (root / "drag.csv").read_bytes()
    again = ask("observe", id=1, objective="0.310")
    assert (again["did"], again["told"]["new"]) == ("nothing: 1 has this answer already", False)
    refused = ask("observe", id=1, objective=0.4)["error"]
    assert refused["message"] == "suggestion 1 has its answer already: it is ok with 0.31 (line 2)"
    assert (refused["hint"], refused["status"]) == ("amend=true replaces it", 65)
    assert (root / "drag.csv").read_bytes() == before
    assert ask("observe", id=1, objective=0.4, amend=True)["did"] == "replaced the answer of 1: ok"
    assert ask("best")["best"]["objective"] == {"y": 0.4}


def test_a_point_of_the_agents_own_is_recorded_once(ask: Ask, root: Path) -> None:
    """It gets an id, which is told; a further result at it has to be called one."""
    point = {"a": 1.5, "b": 2}
    told = ask("observe", parameters=point, objective=3)
    assert (told["told"]["id"], told["did"]) == (1, "recorded 1: ok")
    assert ask("observe", parameters=point, objective=3)["did"] == "nothing: 1 has this answer already"
    refused = ask("observe", parameters=point, objective=4)["error"]["message"]
    assert refused == "the point has its answer already, as 1: it is ok with 3 (line 2)"
    assert len((root / "drag.csv").read_text().splitlines()) == 2
    assert ask("observe", parameters=point, objective=4, again=True)["told"]["new"]
    assert ask("observe", parameters={"a": 1.5, "b": 3}, objective=4)["told"]["id"] == 3
    assert "again beside an id" in ask("observe", id=1, objective=4, again=True)["error"]["message"]


def test_failures_and_exact_numbers(ask: Ask, root: Path) -> None:
    """null is a failure; a text keeps its digits; what can be no result is refused in words."""
    ask("suggest", number=4)
    assert ask("observe", id=1, objective=None, note="it\nbroke", seconds=2.5)["told"]["status"] == "failed"
    assert ask("observe", id=2, objective="0.12345678901234567891")["told"]["new"]
    assert "0.12345678901234567891" in (root / "drag.csv").read_text()
    assert ask("observe", id=3, objective=float("inf"))["told"]["status"] == "ok"
    assert "not a number" in ask("observe", id=4, objective="good")["error"]["message"]
    assert ask("observe", id=4, abandon=True)["did"] == "recorded 4: abandoned"
    failed = ask("status")["status"]["failures"]
    assert [(each["id"], each["note"], each["seconds"]) for each in failed] == [(1, "it broke", 2.5)]


def test_a_comparison_is_recorded_once(ask: Ask) -> None:
    """A duel that nobody has answered comes again; its answer ends it."""
    first = ask("suggest", duel=True)
    again = ask("suggest", duel=True)
    pair = [each["id"] for each in first["points"]]
    assert [each["id"] for each in again["points"]] == pair == [1, 2]
    assert "nobody has compared yet" in again["did"]
    assert ask("prefer", better=1, worse=2)["did"] == "recorded 1 over 2"
    assert ask("prefer", better=1, worse=2)["did"] == "nothing: 1 over 2 is recorded already"
    third = ask("suggest", duel=True)["points"]
    assert {each["id"] for each in third} == {1, 3}
    assert {each["id"] for each in ask("suggest", duel=True)["points"]} == {1, 3}
    assert {each["id"] for each in ask("suggest", duel=True, more=True)["points"]} == {1, 4}
    assert ask("prefer", better=3, worse=1, tie=True)["compared"]["tie"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"better": 1},
        {"worse": 1},
        {"better": 1, "worse": 2, "ranking": [1, 2]},
        {"ranking": [1, 2], "tie": True},
        {"ranking": [1, "2"]},
        {"better": 1, "worse": 1},
    ],
)
def test_comparisons_that_say_nothing(ask: Ask, arguments: dict[str, Any]) -> None:
    """They are refused as a call that cannot be right."""
    ask("suggest", number=2)
    assert ask("prefer", **arguments)["error"]["status"] == 2


def test_why_a_point_was_chosen(ask: Ask) -> None:
    """Of what is out, of one by its id, and of what would come next, which stays where it is."""
    assert ask("explain")["points"][0]["why"] == ["1: is point 1 of 5 of the initial design, a corner of the box"]
    assert ids(ask("suggest", number=2)) == [(1, True), (2, True)]
    assert [each["id"] for each in ask("explain")["points"]] == [1, 2]
    assert [each["id"] for each in ask("explain", id=2)["points"]] == [2]
    ask("observe", parameters={"a": 1, "b": 2}, objective=3)
    assert ask("explain", id=3)["points"][0]["why"] == ["3: nothing is known of why it was chosen"]
    assert ask("explain", id=9)["error"]["message"] == "no suggestion and no row has the id 9"


def test_why_a_point_of_the_model_was_chosen(ask: Ask) -> None:
    """Each point goes out with its reasons, so that they can be asked for later."""
    for k in range(7):
        ask("observe", parameters={"a": k - 3, "b": k + 1}, objective=(k - 2) ** 2)
    (point,) = ask("suggest")["points"]
    assert len(ask("explain", id=point["id"])["points"][0]["why"]) > 2


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("sugest", {}, "there is no tool 'sugest'"),
        ("suggest", {"nmber": 2}, "suggest has no argument 'nmber'"),
        ("suggest", {"number": 0}, "number is 0"),
        ("suggest", {"number": 10**9}, "number is 1000000000"),
        ("suggest", {"number": True}, "number is True, no integer"),
        ("suggest", {"number": "2"}, "number is '2', no integer"),
        ("suggest", {"more": "yes"}, "more is 'yes', no boolean"),
        ("observe", {"id": 1.5, "objective": 1}, "id is 1.5, no integer"),
        ("observe", {"id": 1, "objective": [1]}, "objective is [1], no number and no string and no null"),
        ("observe", {"id": 1, "seconds": -1, "objective": 1}, "seconds is -1"),
        ("observe", {"parameters": {"a": {"b": 1}}}, "parameters, a, is {'b': 1}, no number"),
        ("observe", {"parameters": [1]}, "parameters is [1], no object"),
        ("observe", {"objective": 1}, "no point is told"),
        ("predict", {}, "which points is not said"),
        ("predict", {"points": [1]}, "points is 1, no object"),
        ("predict", {"ids": list(range(1, 1002))}, "ids has 1001 entries"),
        ("plot", {}, "plot lacks 'kind'"),
        ("plot", {"kind": "converge"}, "kind is converge"),
        ("best", {"by": "luck"}, "by is luck"),
        ("status", {"problem": 3}, "problem is 3, no string"),
        ("status", {"problem": "drag.yaml", "objective": "y"}, "status has no argument 'objective'"),
        ("predict", {"points": [{"a": 1, "b": 2}], "objective": "z"}, "there is no objective 'z'"),
    ],
)
def test_arguments_that_are_none(ask: Ask, root: Path, tool: str, arguments: dict[str, Any], words: str) -> None:
    """They are refused in words, and nothing is recorded."""
    error = ask(tool, **arguments)["error"]
    assert error["message"].startswith(words)
    assert error["status"] == 2
    assert not (root / "drag.csv").exists()


def test_arguments_that_are_null_are_left_out(toolbox: Toolbox, ask: Ask) -> None:
    """Clients fill in what nobody has said."""
    assert ids(ask("suggest", problem=None, number=None, more=None, duel=None)) == [(1, True)]
    assert ask("observe", id=1, objective=2, objectives=None, outcomes=None, note=None)["told"]["objective"] == 2
    answer = toolbox.call("plot", {"kind": "fit", "format": "svg", "step": 3, "theme": None})
    assert answer.image == (b"fit svg {'step': 3}", "image/svg+xml")


def test_which_problem_is_meant(ask: Ask, root: Path) -> None:
    """The only one; of several they are named, those in folders too, and nothing else that is YAML."""
    for name in ("wing/a.yml", "wing/deep/b.yaml", ".hidden/c.yaml", "drag.runs/1/d.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(PROBLEM)
    (root / "other.yaml").write_text("parameter: 1\n")
    names = ["drag.yaml", "wing/a.yml", "wing/deep/b.yaml"]
    assert ask("status") == {"problems": names}
    refused = ask("suggest")["error"]
    assert refused == {"message": "which problem is not said", "hint": f"There are {', '.join(names)}", "status": 2}
    assert ask("suggest", problem="wing/a.yml")["problem"] == "wing/a.yml"
    assert ask("status", problem="drag.yml")["error"]["hint"] == "Did you mean drag.yaml?"


def test_a_folder_without_a_problem(ask: Ask, root: Path) -> None:
    """It is said how one is made."""
    (root / "drag.yaml").unlink()
    for tool in ("status", "suggest"):
        assert ask(tool)["error"]["hint"] == "'ordbo init' writes one to start from"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../drag.yaml", "a/../../drag.yaml", "/etc/passwd", "a\0b", "//etc/passwd"),
        *("link.yaml", "up/drag.yaml", "wing"),
    ],
)
def test_names_that_lead_elsewhere(ask: Ask, root: Path, name: str) -> None:
    """Up, away, by a link to a file or to a folder, or to what is no file: refused in words, none of it read."""
    (root.parent / "drag.yaml").write_text("secret: 1\n")
    (root / "link.yaml").symlink_to(root.parent / "drag.yaml")
    (root / "up").symlink_to(root.parent)
    (root / "wing").mkdir()
    for tool in TOOLS:
        more = {"kind": "fit"} if tool == "plot" else {}
        error = ask(tool, problem=name, **more)["error"]
        assert error["status"] == 2
        assert "secret" not in json.dumps(error)
    assert ask("status", problem="drag.yaml")["status"]["objective"] == "y"


def test_a_name_that_no_system_takes(ask: Ask) -> None:
    """It is refused as a file is, and cut in the message."""
    error = ask("status", problem="a" * 10_000)["error"]
    assert (error["status"], len(error["message"]) < 300) == (74, True)


def test_a_pipe_is_no_problem(ask: Ask, root: Path) -> None:
    """Nobody waits for what it never says."""
    os.mkfifo(root / "pipe.yaml")
    assert "which is no file" in ask("status", problem="pipe.yaml")["error"]["message"]
    assert ask("suggest")["problem"] == "drag.yaml"


@pytest.mark.parametrize(
    "key",
    [
        "evaluations: ../out.csv",
        "evaluations: {out}/out.csv",
        "evaluations: up/out.csv",
        "state: ../out.json",
        "comparisons: ../out.csv",
        "evaluations: [drag.csv, {{file: ../out.csv, campaign: other}}]",
    ],
)
def test_a_problem_whose_files_lie_elsewhere(ask: Ask, root: Path, key: str) -> None:
    """Nothing of it is read or written by any tool."""
    (root / "up").symlink_to(root.parent)
    (root.parent / "out.csv").write_text("a,b,y\n1,2,31415\n")
    (root / "drag.yaml").write_text(PROBLEM + key.format(out=root.parent) + "\n")
    before = sorted(path.name for path in root.parent.iterdir())
    for tool in TOOLS:
        more = {"kind": "fit"} if tool == "plot" else {}
        error = ask(tool, **more)["error"]
        assert "leads out of the folder" in error["message"]
        assert "31415" not in json.dumps(error)
    assert sorted(path.name for path in root.parent.iterdir()) == before


@pytest.mark.parametrize(
    "name",
    [
        *("drag.csv", "drag.csv.journal", "drag.comparisons.csv", "drag.suggestions.jsonl", "drag.notes.jsonl"),
        *("drag.state.json", "drag.state.json.bak", "drag.state.json.lock", "drag.runs"),
    ],
)
def test_a_file_of_a_study_that_is_a_link(ask: Ask, root: Path, name: str) -> None:
    """Where it leads out of the folder it is refused; inside it may be one."""
    (root / name).symlink_to(root.parent / "out")
    assert "leads out of the folder" in ask("suggest")["error"]["message"]
    assert not (root.parent / "out").exists()
    (root / name).unlink()
    assert ids(ask("suggest")) == [(1, True)]


def test_names_and_words_of_others_stay_words(ask: Ask, root: Path) -> None:
    """HTML and control characters in names, words and notes are told as they are, and nothing is made of them."""
    script, ugly = "<script>alert(1)</script>", "bell\x07 \x1b[2J"
    (root / "drag.yaml").unlink()
    text = f"""\
version: 1
objective: {{name: "{script}", goal: minimize}}
parameters:
  "{script}a": {{type: categorical, values: ["<b>", "& x"]}}
  b: {{type: int, min: 1, max: 9}}
"""
    name = f"{script.replace('/', '|')}.yaml"
    (root / name).write_text(text)
    point = ask("suggest")["points"][0]
    assert point["parameters"][f"{script}a"] in ("<b>", "& x")
    ask("observe", id=1, objective=3, note=ugly)
    assert ask("status")["status"]["best"]["objective"] == {script: 3}
    error = ask("observe", problem=ugly, id=1)["error"]["message"]
    assert "\x1b" not in error
    assert "\x07" not in error
    assert "\x1b" not in (root / name).with_suffix(".notes.jsonl").read_text()


def test_an_error_of_ours_is_an_answer(toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the status of one, and the error for who wants its traceback."""

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Study, "check", broken)
    answer = toolbox.call("check", {})
    assert json.loads(answer.line)["error"]["message"] == "internal error: ZeroDivisionError: oops"
    assert isinstance(answer.fault, ZeroDivisionError)
    assert answer.refused
