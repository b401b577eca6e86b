"""What is misspelt is met with what was meant: files, commands, options, choices, names of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calls import Call


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (["sugest", "drag.yaml"], "suggest"),
        (["pending", "lst", "drag.yaml"], "list"),
        (["suggest", "drga.yaml"], "drag.yaml"),
        (["status", "drag"], "drag.yaml"),
        (["status", "drag.yml"], "drag.yaml"),
        (["status", "../studdy/drag.yaml"], "../study/drag.yaml"),
        (["observe", "drag.yaml", "--file", "drag.cvs"], "drag.csv"),
        (["predict", "drag.yaml", "--file", "darg.csv"], "drag.csv"),
        (["import", "drag.yaml", "drga.csv"], "drag.csv"),
        (["import", "drag.yml", "drag.csv"], "drag.yaml"),
        (["suggest", "drag.yaml", "--template", "csae.tpl"], "case.tpl"),
        (["run", "drag.yaml", "--", "./simulte"], "simulate"),
        (["run", "drag.yaml", "--budjet", "3"], "--budget"),
        (["suggest", "drag.yaml", "--formt", "csv"], "--format"),
        (["suggest", "drag.yaml", "--format", "jsn"], "json"),
        (["suggest", "drag.yaml", "--stop-when", "expected-rnk > 3"], "expected-rank"),
        (["observe", "drag.yaml", "--id", "1", "darg=3"], "drag"),
        (["observe", "drag.yaml", "anlge=3", "blades=4", "drag=1"], "angle"),
        (["predict", "drag.yaml", "angle=3", "blade=4"], "blades"),
        (["plot", "drag.yaml", "convergance"], "convergence"),
        (["plot", "drag.yaml", "fit", "--parameters", "wall sheer"], "wall shear"),
        (["report", "drag.yaml", "--pair", "angel,blades"], "angle"),
        (["benchmark", "--problems", "hartman_4d"], "hartmann_4d"),
        (["benchmark", "--methods", "metricfree"], "metric-free"),
        (["benchmark", "--methods", "default:bta=2"], "beta"),
        (["benchmark", "--methods", "default:acquisition=lbc"], "lcb"),
    ],
)
def test_a_misspelt_word(
    ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], guess: str
) -> None:
    """The hint names the one that was most likely meant."""
    monkeypatch.chdir(results.parent)
    Path("case.tpl").write_text("{angle}")
    Path("simulate").write_text("#!/bin/sh\n")
    said = ordbo(*words)
    assert said.status in (2, 66)
    assert f"Did you mean {guess}?" in said.err.replace(f"{results.parent}/", "")


def test_nothing_is_guessed_where_nothing_is_alike(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is no file, a table no problem file, and a folder that is not there holds nothing."""
    monkeypatch.chdir(results.parent)
    Path("pump.yam").mkdir()
    for name in ("pump.yaml", "results.csv", "nowhere/at/all.yaml", "x" * 300):
        said = ordbo("status", name)
        assert said.status in (66, 74)
        assert "Did you mean" not in said.err


def test_a_type_in_a_name(ordbo: Call, tmp_path: Path) -> None:
    """A name may hold colons, so a misspelt type is part of it: that is said."""
    said = ordbo("init", tmp_path / "a.yaml", "--param", "x:flaot:0:1", "--param", "re:max:1:2")
    assert said.status == 0
    assert said.err.splitlines()[1:] == [
        "note: 'x:flaot' is the name of a parameter; was the type float of 'x' meant?",
    ]
