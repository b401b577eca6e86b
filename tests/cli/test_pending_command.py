"""``ordbo pending``: list, expire, retry."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.commands.pending import command
from tests.faults.harness import light_search

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.fixture
def out(ordbo: Call, study: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study with five suggestions: 1 and 2 made long ago, 3 just now, 4 at a time that is lost, 5 with a result."""
    for name in ("ordbo_cli.search.step", "ordbo_cli.search.step_input"):
        monkeypatch.setitem(sys.modules, name, import_module(name))
    light_search()
    study.write_text(
        study.read_text().replace("  wall shear: {type: float, min: 1e-3, max: 1e3, scale: log, digits: 4}\n", "")
    )
    assert ordbo("suggest", study, "-n", 2).status == 0
    assert ordbo("suggest", study, "-n", 3, "--append").status == 0
    assert ordbo("observe", study, "--id", 5, "drag=1").status == 0
    path = study.with_name("drag.state.json")
    state = json.loads(path.read_text())
    for entry in state["pending"][:2]:
        entry["time"] = "2020-01-01T00:00:00+00:00"
    state["pending"] = [entry for entry in state["pending"] if entry["id"] != 4]
    path.write_text(json.dumps(state))
    return study


def kept(study: Path) -> dict[str, bytes]:
    """Return everything that a study's files hold, but for the note of who had the lock last."""
    return {path.name: path.read_bytes() for path in study.parent.iterdir() if path.suffix != ".lock"}


def status(ordbo: Call, study: Path) -> dict[str, list[int]]:
    found = json.loads(ordbo("status", study, "--json").out)
    return {key: [point["id"] for point in found[key]] for key in ("pending", "retry")}


def test_the_list(ordbo: Call, out: Path) -> None:
    """Ids, ages, parameters, the line in the CSV where there is one, and what waits to be evaluated again."""
    assert ordbo("pending", "retry", out, "--id", 2).status == 0
    said = ordbo("pending", "list", out)
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].split() == ["id", "age", "angle", "blades", "span", "CSV"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "3", "4", "2"]
    assert lines[1].split()[2] == "d"
    assert [line.endswith("line 2") for line in lines[1:]] == [False, True, False, False]
    assert lines[4].endswith("line 6  to be evaluated again")
    found = [json.loads(line) for line in ordbo("pending", "list", out, "--json").out.splitlines()]
    assert [(each["id"], each["line"], each["status"]) for each in found] == [
        (1, None, "pending"), (3, 2, "pending"), (4, 3, "pending"), (2, 6, "retry"),
    ]  # fmt: skip
    assert [each["age_seconds"] is None for each in found] == [False, False, True, True]
    assert found[0]["parameters"] == {"angle": 0.0, "blades": 4, "span": 2.0}


def test_a_file_alone_is_listed(ordbo: Call, out: Path) -> None:
    """With the options of a list, too."""
    assert ordbo("pending", out).out == ordbo("pending", "list", out).out != ""
    said = ordbo("pending", out, "--older-than", "12h", "--json").out
    assert [json.loads(line)["id"] for line in said.splitlines()] == [1, 2]


def test_the_list_of_what_is_old(ordbo: Call, out: Path) -> None:
    """What is of unknown age is left out, and named."""
    said = ordbo("pending", "list", out, "--older-than", "12h", "--json")
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == [1, 2]
    assert said.err == "warning: id 4: nobody knows since when, left out\n"


def test_nothing_is_pending(ordbo: Call, study: Path) -> None:
    """That is said in words, beside no data; none of the commands fails for it, or writes a file."""
    for words, message in (
        (("list",), "nothing is pending"),
        (("list", "--older-than", "1h"), "nothing is pending that is known to have been out for so long"),
        (("expire", "--all"), "nothing to do: no such suggestion is out"),
        (("retry", "--older-than", "2d"), "nothing to do: no such suggestion is out"),
    ):
        said = ordbo("pending", words[0], study, *words[1:])
        assert (said.status, said.out, said.err) == (0, "", message + "\n")
    assert ordbo("pending", "list", study, "--json").out == ""
    assert list(study.parent.iterdir()) == [study]


def test_expiry_by_age(ordbo: Call, out: Path) -> None:
    """What is old goes; what is of unknown age is kept, and named."""
    said = ordbo("pending", "expire", out, "--older-than", "12h")
    assert (said.status, said.out) == (0, "")
    assert said.err == "warning: id 4: nobody knows since when, kept\n2 suggestions expired: 1, 2\n"
    assert out.with_suffix(".csv").read_text().splitlines()[-2:] == ["1,0.0,4,2.0,,expired", "2,0.01,4,2.0,,expired"]
    assert status(ordbo, out) == {"pending": [3, 4], "retry": []}


def test_expiry_by_id(ordbo: Call, out: Path) -> None:
    """All of them or none; saying it again changes nothing; one that has its answer keeps it."""
    before = out.with_suffix(".csv").read_bytes()
    refused = ordbo("pending", "expire", out, "--id", 3, "--id", 9)
    assert (refused.status, refused.err.splitlines()[0]) == (65, "error: no suggestion has the id 9")
    assert out.with_suffix(".csv").read_bytes() == before
    said = ordbo("pending", "expire", out, "--id", 3, "--id", 5, "--id", 3)
    assert said.status == 0
    answered = "suggestion 5 has its answer already: it is ok with 1 (line 5), and stays so"
    assert said.err == f"warning: {answered}\n1 suggestion expired: 3\n"
    again = ordbo("pending", "expire", out, "--id", 3)
    assert (again.status, "nothing to do" in again.err) == (0, True)
    assert ordbo("observe", out, "--id", 3, "drag=2").err.count("had expired") == 1
    assert status(ordbo, out) == {"pending": [1, 2, 4], "retry": []}


def test_points_to_evaluate_again(ordbo: Call, out: Path) -> None:
    """The next suggestions are these, under their ids; only an id takes one out of the queue."""
    assert ordbo("pending", "retry", out, "--all").err == "4 suggestions to be evaluated again: 1, 2, 3, 4\n"
    assert status(ordbo, out) == {"pending": [], "retry": [1, 2, 3, 4]}
    assert "no such suggestion" in ordbo("pending", "expire", out, "--all").err
    assert ordbo("pending", "expire", out, "--id", 2).status == 0
    points = [json.loads(line) for line in ordbo("suggest", out, "-n", 4).out.splitlines()]
    assert [point["id"] for point in points] == [1, 3, 4, 6]
    answered = ordbo("pending", "retry", out, "--id", 5)
    assert (answered.status, "'observe --amend' replaces it" in answered.err) == (65, True)


@pytest.mark.parametrize(("verb", "what"), [("expire", "would expire"), ("retry", "would be evaluated again")])
def test_a_dry_run(ordbo: Call, out: Path, verb: str, what: str) -> None:
    """It says what it would do, and does nothing."""
    before = kept(out)
    said = ordbo("pending", verb, out, "--all", "--dry-run")
    assert (said.status, said.err) == (0, f"4 suggestions {what}: 1, 2, 3, 4\n")
    assert kept(out) == before


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["FILE", "retry", "--id", "3"], 2, "'retry' stands behind the file\nhint: Write: ordbo pending retry "),
        (["missing.yaml"], 66, "missing.yaml"),
        ([], 2, "nothing stands where list, expire or retry is expected"),
        (["lst", "FILE"], 2, "'lst' stands where list, expire or retry is expected"),
        (["expire", "FILE"], 2, "which ones is not said"),
        (["retry", "FILE"], 2, "which ones is not said"),
        (["expire", "FILE", "--all", "--id", "3"], 2, "--id beside --all"),
        (["expire", "FILE", "--older-than", "1h", "--id", "3"], 2, "--older-than beside --id"),
        (
            ["expire", "FILE", "--older-than", "12x"],
            2,
            "'12x' is no span of time. Write seconds, such as 90, or 90s, 10min",
        ),
        (["list", "FILE", "--older-than", "soon"], 2, "no span of time"),
        (["expire", "FILE", "--id", "0"], 2, "--id"),
        (["expire", "missing.yaml", "--all"], 66, "missing.yaml"),
        (["expire", "FILE", "--id", "77"], 65, "no suggestion has the id 77"),
    ],
)
def test_a_wrong_call_changes_nothing(ordbo: Call, out: Path, words: list[str], status: int, message: str) -> None:
    """Refused in words."""
    before = kept(out)
    refused = ordbo("pending", *(out if word == "FILE" else word for word in words))
    assert (refused.status, refused.out) == (status, "")
    assert message in refused.err
    assert kept(out) == before


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize("verb", ["expire", "retry"])
def test_a_table_that_cannot_say_it(ordbo: Call, results: Path, verb: str, dry: tuple[str, ...]) -> None:
    """Without a column status it is refused as everything is that needs one, in a dry run, too."""
    assert ordbo("suggest", results).status == 0
    before = kept(results)
    refused = ordbo("pending", verb, results, "--all", *dry)
    word = "expired" if verb == "expire" else verb
    assert (refused.status, f"no column 'status' can say {word}" in refused.err) == (65, True)
    assert kept(results) == before


def test_every_subcommand_is_documented(ordbo: Call) -> None:
    """Examples that its own parser takes, and a word on every option."""
    for name, each in command.commands.items():
        shown = ordbo("pending", name, "--help").out
        assert "Examples:\n" in shown
        assert [option.name for option in each.params if isinstance(option, click.Option) and not option.help] == []
        assert isinstance(each, BaseCommand)
        for line in each.examples.strip().splitlines():
            words = line.partition(" | ")[0].split()
            assert words[:3] == ["ordbo", "pending", name]
            each.make_context(name, words[3:]).close()


def test_a_bad_night(ordbo: Call, out: Path) -> None:
    """All failures from an id on are taken back in one call, others stay; a dry run writes nothing."""
    for number in (1, 2, 4):
        assert ordbo("observe", out, "--id", number, "--failed").status == 0
    before = kept(out)
    said = ordbo("pending", "retry", out, "--failed", "--since", 2, "--dry-run")
    assert (said.status, said.err) == (0, "2 suggestions would be evaluated again: 2, 4\n")
    assert kept(out) == before
    said = ordbo("pending", "retry", out, "--failed", "--since", 2)
    assert (said.status, said.err) == (0, "2 suggestions to be evaluated again: 2, 4\n")
    assert status(ordbo, out) == {"pending": [3], "retry": [2, 4]}
    assert ordbo("pending", "retry", out, "--failed").err == "1 suggestion to be evaluated again: 1\n"
    assert ordbo("pending", "retry", out, "--failed").err == "nothing to do: none of these has failed\n"
    assert [json.loads(ordbo("suggest", out).out)["id"] for _ in range(3)] == [2, 4, 1]


@pytest.mark.parametrize(
    "words", [["--since", "2"], ["--since", "2", "--all"], ["--failed", "--all"], ["--failed", "--id", "2"]]
)
def test_failures_are_meant_clearly(ordbo: Call, out: Path, words: list[str]) -> None:
    """Refused, with what to write."""
    said = ordbo("pending", "retry", out, *words)
    assert (said.status, "hint: " in said.err) == (2, True)


def test_failures_that_no_row_can_take_back(ordbo: Call, out: Path) -> None:
    """Without a column 'id' or 'status' that is said in words, and nothing is written."""
    for table in ("angle,blades,drag\n1,4,failed\n", "id,angle,blades,drag\n7,1,4,failed\n"):
        out.with_suffix(".csv").write_text(table)
        said = ordbo("pending", "retry", out, "--failed")
        assert (said.status, "column" in said.err) == (65, True)
        assert out.with_suffix(".csv").read_text() == table
