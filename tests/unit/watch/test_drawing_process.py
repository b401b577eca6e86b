"""What the process that draws sends of studies of all sorts: each part that the page awaits, and no other."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("matplotlib")
from ordbo_cli.study.study import Study
from ordbo_cli.watch.drawing_process import _read, drawn, frame
from ordbo_cli.watch.follower import _read as read_study

pytestmark = pytest.mark.slow

_ONE = "objective: {name: y, goal: minimize}"
_SIX = "x,y\n0.1,3\n0.9,2\n0.5,1\n0.3,4\n0.7,failed\n0.4,2.5\n"
CASES = {
    "nothing yet": (_ONE, ""),
    "one objective": (_ONE, _SIX),
    "all failed": (_ONE, "x,y\n0.1,failed\n0.9,failed\n"),
    "noise": (f"{_ONE}\nnoise: true", f"{_SIX}0.5,1.2\n"),
    "a front": ("objectives: {y: minimize, z: maximize}", "x,y,z\n0.1,3,1\n0.9,2,3\n0.5,1,2\n0.3,failed,failed\n"),
    "a front under noise": (
        "objectives: {y: minimize, z: maximize}\nnoise: true",
        "x,y,z\n0.1,3,1\n0.9,2,3\n0.5,1,2\n",
    ),
    "a priority": (
        "objectives: {y: {goal: minimize, enough: 2}, z: maximize}\ntrade: lexicographic",
        "x,y,z\n0.1,3,1\n0.9,2,3\n0.5,1,2\n",
    ),
    "an outcome": (f"{_ONE}\noutcomes: {{s: {{max: 5}}}}", "x,y,s\n0.1,3,1\n0.9,2,9\n0.5,1,2\n"),
}


def study(folder: Path, name: str) -> Path:
    """Write a study."""
    settings, rows = CASES[name]
    path = folder / "p.yaml"
    path.write_text(f"version: 1\n{settings}\nparameters:\n  x: {{min: 0, max: 1}}\nmethod: {{iterations: 20}}\n")
    if rows:
        path.with_suffix(".csv").write_text(rows)
    return path


@pytest.mark.parametrize("name", CASES)
def test_each_awaited_part_comes(tmp_path: Path, name: str) -> None:
    """Of whatever kind of study, and the summary first."""
    path = study(tmp_path, name)
    awaited = [each.anchor for each in read_study(path).page.sections if each.awaited]
    assert awaited
    sent = list(drawn(str(path)))
    assert "signature" in sent[0]
    assert [each["part"] for each in sent[1:]] == ["summary", *awaited]
    assert all("Being worked out" not in str(each["html"]) for each in sent[1:])


def test_the_best_by_mean_is_not_told_before_it_is_known(tmp_path: Path) -> None:
    """Under noise the page says at once which value is the best, and what is still to come."""
    page = read_study(study(tmp_path, "noise")).page
    assert [(fact.label, fact.text) for fact in page.summary[:2]] == [
        ("Best by mean", "being worked out"),
        ("Best by value", "1"),
    ]
    front = read_study(study(tmp_path, "a front under noise")).page
    assert front.summary[0].label == "Front by mean"
    assert front.summary[1].label == "Evaluations"


def test_compared_points_alone(tmp_path: Path) -> None:
    """A study without numbers, with judges."""
    path = study(tmp_path, "nothing yet")
    opened = Study.open(path)
    opened.ask_batch(3, append=True)
    opened.prefer(2, 1, judge="anna")
    opened.prefer(2, 3, judge="ben")
    sent = list(drawn(str(path)))
    assert {"summary", "section-judges", "section-convergence"} <= {each.get("part") for each in sent}
    assert not [each for each in sent if "error" in each]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    """As an error, whatever it is, and the process lives on."""
    path = study(tmp_path, "one objective")
    path.with_suffix(".csv").write_text("x,y\n0.1,a\x00b\n1,2,3,4\n")
    assert "error" in list(drawn(str(path)))[-1]
    assert "error" in next(drawn(str(tmp_path / "none.yaml")))


def test_frames_come_through_a_pipe() -> None:
    """Text of any kind, half characters among it; the end of the pipe is the end."""
    stream = io.BytesIO(frame({"path": "/a/ü.yaml"}) + frame({"path": "/b\udcff"}))
    assert [_read(stream), _read(stream), _read(stream)] == [{"path": "/a/ü.yaml"}, {"path": "/b\udcff"}, None]
