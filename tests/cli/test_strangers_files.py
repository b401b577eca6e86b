"""What a problem file, a CSV or a template from a stranger can do: nothing but give values."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.calls import Call

ATTACK = "$(touch pwned) `touch pwned` ; touch pwned & | > pwned"
FORMULA = "=cmd|'/C calc'!A0"
PROBLEM = f"""\
version: 1
objective: {{name: drag, goal: minimize}}
parameters:
  angle: {{min: 0, max: 12}}
  "{ATTACK}": {{min: 0, max: 1}}
  formula: {{value: "{FORMULA}"}}
  shell: {{value: "{ATTACK}"}}
  quote: {{value: "it's \\" $HOME"}}
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A problem full of shell and formulas, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    return path


def names(folder: Path) -> set[str]:
    """Return what lies in a folder and in the one above it."""
    return {path.name for each in (folder, folder.parent) for path in each.iterdir()}


def test_formulas_and_commands_stay_text(ordbo: Call, hostile: Path) -> None:
    """In JSON, in the CSV and back: letter by letter what the file says."""
    point = json.loads(ordbo("suggest", hostile, "--append").out)["parameters"]
    assert (point["formula"], point["shell"], point["quote"]) == (FORMULA, ATTACK, "it's \" $HOME")
    assert ordbo("observe", hostile, "--id", 1, "drag=1").status == 0
    best = json.loads(ordbo("best", hostile).out)["parameters"]
    assert best == point
    assert "set aside" not in ordbo("check", hostile).err
    assert FORMULA in hostile.with_suffix(".csv").read_text()


@pytest.mark.parametrize("form", ["env", "args"])
def test_a_shell_that_takes_the_output_runs_nothing(ordbo: Call, hostile: Path, form: str) -> None:
    """``eval`` in a POSIX shell gives the values; no command in them runs."""
    out = ordbo("suggest", hostile, "--format", form).out
    script = f'{out}\nprintf %s "$ORDBO_SHELL"' if form == "env" else f"set -- {out}\nprintf '%s\\n' \"$@\""
    before = names(hostile.parent)
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True, cwd=hostile.parent)
    assert done.stdout == ATTACK if form == "env" else f"--shell={ATTACK}\n" in done.stdout
    assert names(hostile.parent) == before


def test_a_template_writes_its_output_and_nothing_else(ordbo: Call, hostile: Path) -> None:
    """Whatever stands in it; a path in braces is no name."""
    template = hostile.with_name("case.tpl")
    template.write_text("{angle} {../../pwned} {formula} {shell}\n#include </etc/passwd>\n{ } ${HOME:-x}\n")
    before = names(hostile.parent)
    end = ordbo("suggest", hostile, "--template", template, "-o", "case.in")
    assert end.status == 0, end.err
    assert names(hostile.parent) - before == {"case.in", "p.state.json", "p.state.json.lock", "p.suggestions.jsonl"}
    filled = hostile.with_name("case.in").read_text()
    assert f" {{../../pwned}} {FORMULA} {ATTACK}\n#include </etc/passwd>\n" in filled


@pytest.mark.slow
def test_files_are_as_private_as_they_were(ordbo: Call, results: Path) -> None:
    """CSV, state and its backup keep their permissions; nothing new is open to more people than the umask allows."""
    old = os.umask(0o077)
    try:
        ordbo("suggest", results)
        results.with_suffix(".csv").chmod(0o640)
        results.with_name("drag.state.json").chmod(0o604)
        for _ in range(2):
            ordbo("suggest", results)
        ordbo("observe", results, "--id", 8, "drag=1")
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in results.parent.iterdir()}
    assert modes.pop("drag.yaml") == 0o644
    assert modes == {
        "drag.csv": 0o640, "drag.state.json": 0o604, "drag.state.json.bak": 0o604, "drag.state.json.lock": 0o600,
        "drag.suggestions.jsonl": 0o600,
    }  # fmt: skip


def test_no_temporary_file_has_a_name_to_guess(
    ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch, digest: Callable[[Path], str]
) -> None:
    """Every file but the study's own is made exclusively, and does not follow a link."""
    made: list[tuple[str, int]] = []
    plain = os.open

    def noted(path: object, flags: int, *rest: object, **options: object) -> int:
        if flags & os.O_CREAT:
            made.append((os.path.basename(str(path)), flags))
        return plain(path, flags, *rest, **options)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(os, "open", noted)
    ordbo("suggest", results)
    ordbo("observe", results, "--id", 8, "drag=1")
    assert {name for name, _ in made} >= {"drag.state.json.lock", "drag.csv.journal"}
    for name, flags in made:
        assert flags & os.O_NOFOLLOW, name
        if name not in ("drag.state.json.lock", "drag.suggestions.jsonl"):
            assert flags & os.O_EXCL, name
            assert name.endswith(".journal") or len(name) > 16 + len(".drag.state.json..tmp") - 1
