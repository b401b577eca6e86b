"""``ordbo suggest`` on a real study."""

from __future__ import annotations

import csv
import json
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.problem_file.problem_file import load_problem

Call = Callable[..., Any]


def test_a_point_inside_the_bounds(ordbo: Call, study: Path) -> None:
    """One JSON line: an id, all parameters in the problem's order, and nothing on standard error."""
    said = ordbo("suggest", study)
    assert (said.status, said.err) == (0, "")
    assert said.out.count("\n") == 1
    suggestion = json.loads(said.out)
    assert list(suggestion) == ["id", "parameters"]
    assert suggestion["id"] == 1
    parameters = suggestion["parameters"]
    assert list(parameters) == ["angle", "blades", "wall shear", "span"]
    for parameter in load_problem(study).problem.free:
        assert parameter.min <= parameters[parameter.name] <= parameter.max
    assert isinstance(parameters["blades"], int)
    assert parameters["span"] == 2.0


@pytest.mark.slow
def test_asking_again_gives_another_point(ordbo: Call, results: Path) -> None:
    """Ids go up and no point comes twice; a dry run records nothing and tells what comes next."""
    dry = [json.loads(ordbo("suggest", results, "--dry-run").out) for _ in range(2)]
    assert dry[0] == dry[1]
    assert not results.with_name("drag.state.json").exists()
    asked = [json.loads(ordbo("suggest", results).out) for _ in range(3)]
    assert asked[0] == dry[0]
    assert [each["id"] for each in asked] == [8, 9, 10]
    assert len({json.dumps(each["parameters"]) for each in asked}) == 3


@pytest.mark.slow
def test_append_writes_a_pending_row(ordbo: Call, study: Path) -> None:
    """The row holds the printed values, and every byte before it stays."""
    path = study.with_suffix(".csv")
    ordbo("suggest", study)
    assert not path.exists()
    ordbo("suggest", study, "--append")
    before = path.read_bytes()
    point = json.loads(ordbo("suggest", study, "--append").out)
    assert path.read_bytes().startswith(before)
    row = list(csv.DictReader(path.read_text().splitlines()))[-1]
    assert row == {"id": "3", **{k: str(v) for k, v in point["parameters"].items()}, "drag": "", "status": "pending"}


@pytest.mark.parametrize("form", ["csv", "env", "args"])
def test_every_format_prints_the_same_point(ordbo: Call, results: Path, form: str) -> None:
    """The values of a dry run agree, text by text, with those in JSON."""
    point = json.loads(ordbo("suggest", results, "--dry-run").out)
    texts = [str(value) for value in point["parameters"].values()]
    said = ordbo("suggest", results, "--dry-run", "--format", form).out
    if form == "csv":
        assert list(csv.reader(said.splitlines()))[1] == ["8", *texts]
    elif form == "env":
        assert [shlex.split(line.partition("=")[2])[0] for line in said.splitlines()] == ["8", *texts]
    else:
        assert [word.partition("=")[2] for word in shlex.split(said)] == ["8", *texts]


def test_a_template_is_filled_in_beside_the_line(ordbo: Call, results: Path) -> None:
    """The file holds the printed values and keeps the template's permissions; the JSON line tells the id."""
    template = results.with_name("run.tpl")
    template.write_text("#!/bin/sh\n# {id}\nsim -a {angle} -b {blades} -w {wall shear} -s {span} { x; }\n")
    template.chmod(0o750)
    target = results.with_name("run.sh")
    said = ordbo("suggest", results, "--template", template, "-o", target)
    assert (said.status, said.err.count("\n")) == (0, 1)  # about the ids of the rows
    point = json.loads(said.out)
    values = [str(value) for value in point["parameters"].values()]
    expected = "#!/bin/sh\n# {}\nsim -a {} -b {} -w {} -s {} {{ x; }}\n".format(point["id"], *values)
    assert target.read_text() == expected
    assert stat.S_IMODE(target.stat().st_mode) == 0o750
    assert not [path for path in results.parent.iterdir() if path.name.startswith(".run")]


def test_a_template_on_standard_output(ordbo: Call, results: Path) -> None:
    """Without -o the text itself is the output, and what the template leaves out is said."""
    template = results.with_name("case.tpl")
    template.write_bytes(b"angle @angle@\r\n\xff")
    said = ordbo("suggest", results, "--template", template, "--delimiters", "@ @", "--dry-run")
    angle = json.loads(ordbo("suggest", results, "--dry-run").out)["parameters"]["angle"]
    assert said.out == f"angle {angle}\r\n\udcff"
    assert said.err == f"warning: {template} does not hold blades, wall shear\n"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "csv", "args"])
def test_a_batch_prints_what_single_calls_print(ordbo: Call, results: Path, form: str) -> None:
    """The same ids and points, a line each; a CSV has one header."""
    batch = ordbo("suggest", results, "-n", 3, "--format", form)
    assert (batch.status, batch.err.count("\n")) == (0, 1)  # about the ids of the rows
    results.with_name("drag.state.json").unlink()
    results.with_name("drag.suggestions.jsonl").unlink()
    single = [ordbo("suggest", results, "--format", form).out for _ in range(3)]
    if form == "csv":
        single[1:] = [text.split("\n", 1)[1] for text in single[1:]]
    assert batch.out == "".join(single)


def test_a_batch_that_is_appended(ordbo: Call, study: Path) -> None:
    """A pending row for each point, and the verbose call tells how each was chosen."""
    said = ordbo("suggest", study, "-n", 4, "--append", "--verbose")
    rows = list(csv.DictReader(study.with_suffix(".csv").read_text().splitlines()))
    assert [(row["id"], row["status"]) for row in rows] == [(str(id), "pending") for id in range(1, 5)]
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == [1, 2, 3, 4]
    assert said.err.count("chosen: {") == 4


def test_a_batch_of_the_last_points(ordbo: Call, study: Path) -> None:
    """What is left is given, with a warning; then the space is exhausted."""
    study.write_text("objective: {name: y, goal: minimize}\nparameters: {n: {type: int, min: 1, max: 3}}\n")
    said = ordbo("suggest", study, "-n", 5)
    assert (said.status, said.out.count("\n")) == (0, 3)
    assert said.err == "warning: only 3 points are left\n"
    assert ordbo("suggest", study, "-n", 5).status == 3


def test_templates_of_a_batch(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each point gets a file of its own, and the folders that its id names."""
    monkeypatch.chdir(results.parent)
    Path("case.tpl").write_text("{id}: {angle} {blades} {wall shear}")
    said = ordbo("suggest", results, "-n", 3, "--template", "case.tpl", "-o", "run-{id}/in/case.{id}")
    assert (said.status, said.err.count("\n")) == (0, 1)  # about the ids of the rows
    for line in said.out.splitlines():
        point = json.loads(line)
        text = Path(f"run-{point['id']}/in/case.{point['id']}").read_text()
        assert text == "{}: {} {} {}".format(point["id"], *list(point["parameters"].values())[:3])
    one = json.loads(ordbo("suggest", results, "--template", "case.tpl", "-o", "only-{id}.in").out)
    assert Path("only-11.in").read_text().startswith("11: ")
    assert one["id"] == 11
    assert ordbo("best", results, "--template", "case.tpl", "-o", "best-{id}.in").status == 0
    assert Path("best-4.in").read_text().startswith("4: ")


def test_templates_that_cannot_be_written_after_all(
    ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The points are recorded and are named, and not a line of them is printed."""
    monkeypatch.chdir(results.parent)
    Path("case.tpl").write_text("{angle} {blades} {wall shear}")
    Path("run-9").write_text("in the way")
    said = ordbo("suggest", results, "-n", 3, "--template", "case.tpl", "-o", "run-{id}/case.in")
    assert (said.status, said.out) == (74, "")
    assert "3 suggestions, 8 to 10, stand as pending" in said.err
    assert "run-9: cannot be made: " in said.err


def test_an_output_that_is_a_link_or_a_pipe(ordbo: Call, results: Path) -> None:
    """A link stays a link, its target is replaced; the template itself is never overwritten."""
    template, target, link = (results.with_name(name) for name in ("a.tpl", "b.in", "c.in"))
    template.write_text("{id}")
    target.write_text("old")
    link.symlink_to(target)
    assert ordbo("suggest", results, "--template", template, "-o", link).status == 0
    assert link.is_symlink()
    assert target.read_text() == "8"
    assert ordbo("suggest", results, "--template", template, "-o", template).status == 2
    assert template.read_text() == "{id}"


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["-n", "0"], 2, "-n"),
        (["-n", "1001"], 2, "-n"),
        (["-n", "2", "--format", "env"], 2, "one set of variables cannot hold several points"),
        (["-n", "2", "--template", "good.tpl"], 2, "nobody could tell the files apart"),
        (["-n", "2", "--template", "good.tpl", "-o", "case.in"], 2, "each point would overwrite the one before"),
        (["-n", "2", "--template", "good.tpl", "-o", "run-{id}/../case.in"], 2, "each point would overwrite"),
        (["-n", "2", "--template", "good.tpl", "-o", "run-{id}/case.in", "--format", "env"], 2, "one set of"),
        (["-n", "2", "--template", "good.tpl", "-o", "no/run-{id}/case.in"], 66, "no such folder"),
        (["--template", "case-7.tpl", "-o", "case-{id}.tpl"], 2, "the template itself"),
        (["--template", "good.tpl", "-o", "good.tpl/{id}.in"], 66, "no such folder"),
        (["--format", "xml"], 2, "xml"),
        (["-o", "case.in"], 2, "--template"),
        (["--template", "missing.tpl"], 66, "missing.tpl"),
        (["--template", "bad.tpl", "-o", "case.in"], 65, "bad.tpl:2:3: unknown name 'angel'"),
        (["--template", "good.tpl", "-o", "no/case.in"], 66, "no such folder"),
        (["--template", "good.tpl", "-o", "."], 2, "folder"),
        (["--template", "good.tpl", "--format", "csv"], 2, "--format"),
        (["--template", "good.tpl", "--delimiters", "{"], 2, "--delimiters"),
        (["--engine", "abacus"], 2, "abacus"),
        (["--lock-timeout", "-1"], 2, "--lock-timeout"),
    ],
)
def test_a_wrong_call_costs_no_suggestion(
    ordbo: Call, results: Path, digest: Call, monkeypatch: pytest.MonkeyPatch, options: list[str], status: int,
    message: str,
) -> None:  # fmt: skip
    """Everything that can be checked is checked before a point is handed out: nothing changes on disk."""
    monkeypatch.chdir(results.parent)
    Path("bad.tpl").write_text("a\nb {angel}\n")
    Path("good.tpl").write_text("{angle}")
    Path("case-7.tpl").write_text("{angle}")
    before = digest(results.parent)
    refused = ordbo("suggest", results, *options)
    assert (refused.status, refused.out) == (status, "")
    assert message in refused.err
    assert refused.err.count("\n") <= 2
    assert digest(results.parent) == before


def test_verbose_tells_how_the_point_was_chosen(ordbo: Call, results: Path) -> None:
    """Before or after the command's name; standard output is the same without it."""
    dry = ordbo("suggest", results, "--dry-run")
    said = ordbo("suggest", results, "--verbose")
    assert said.out == dry.out
    assert "chosen: {" in said.err
    assert "chosen: {" in ordbo("-v", "suggest", results).err


def test_an_equal_min_and_max_is_noted(ordbo: Call, study: Path) -> None:
    """The note goes to standard error, and --quiet silences it."""
    study.write_text(study.read_text().replace("min: 3, max: 9", "min: 3, max: 3"))
    said = ordbo("suggest", study)
    assert said.status == 0
    assert json.loads(said.out)["parameters"]["blades"] == 3
    assert said.err.startswith("note: blades: ")
    assert ordbo("suggest", study, "-q").err == ""
    assert ordbo("--quiet", "suggest", study).err == ""


def test_a_failed_write_says_that_the_suggestion_stands(
    ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the result cannot be written after the point was recorded, its id is told."""
    template = results.with_name("a.tpl")
    template.write_text("{id}")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    refused = ordbo("suggest", results, "--dry-run", "--template", template, "-o", results.with_name("b.in"))
    assert refused.status == 74
    assert "b.in: cannot write it: No space left on device" in refused.err
    assert not results.with_name("b.in").exists()
    assert not [path for path in results.parent.iterdir() if path.name.startswith(".b.in")]


@pytest.mark.gpflow
@pytest.mark.slow
def test_the_gpflow_engine_is_silent_and_agrees(process: Call, results: Path) -> None:
    """TensorFlow writes nothing on standard error, and the other engine chooses the same cell, to rounding."""
    chosen = process("suggest", results, "--dry-run", "--engine", "gpflow")
    expected = process("suggest", results, "--dry-run")
    assert (chosen.status, chosen.err) == (0, "")
    here, there = (json.loads(said.out)["parameters"] for said in (chosen, expected))
    assert here["blades"] == there["blades"]
    assert here["wall shear"] == pytest.approx(there["wall shear"], rel=0.05)


def test_a_shell_tells_the_id_and_the_arguments_apart(ordbo: Call, study: Path, environment: dict[str, str]) -> None:
    """The line of the help: the simulator gets the parameters alone, and each result goes to its suggestion."""
    environment["ORDBO"] = f"{sys.executable} -m ordbo_cli"
    study.with_name("simulate").write_text("for each; do case $each in --angle=*) echo ${each#--angle=}; esac; done")
    script = """
        $ORDBO suggest drag.yaml -n 3 --format args |
            xargs -P 2 -L 1 sh -c 'sh simulate "$@" | $ORDBO observe drag.yaml "$0" --file -'
        arguments=$($ORDBO suggest drag.yaml --format args)
        eval "set -- $arguments" && id=$1 && shift && $ORDBO observe drag.yaml "$id" drag=$#
    """
    subprocess.run(["sh", "-ec", script], env=environment, cwd=study.parent, check=True)
    rows = {row["id"]: row for row in csv.DictReader(study.with_suffix(".csv").read_text().splitlines())}
    angles = {id: row["angle"] for id, row in rows.items()}
    assert {id: row["drag"] for id, row in rows.items()} == {**angles, "4": "4"}  # 4 parameters, the id not among them
