"""A picture in one call, of a study or an optimizer, in a file and in a notebook."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Method, Optimizer, Parameter, Picture, Problem, Study, plot
from ordbo_cli.errors import UsageError

QUICK = Method(initial=4, iterations=20)


@pytest.fixture(scope="module")
def optimizer() -> Optimizer:
    found = Optimizer(Problem([Parameter("a", 0, 1), Parameter("b", 0, 1)], "drag", method=QUICK))
    for _ in range(4):
        point = found.ask()
        found.tell(point, sum(map(float, point.values)))
    return found


@pytest.fixture
def study(tmp_path: Path) -> Study:
    (tmp_path / "p.yaml").write_text(
        "objective: {name: drag, goal: minimize}\nparameters: {a: {min: 0, max: 1}}\nmethod: {iterations: 20}\n"
    )
    (tmp_path / "p.csv").write_text("a,drag\n0,3\n1,2\n0.5,1\n")
    return Study.open(tmp_path / "p.yaml")


def test_a_study_is_drawn_and_nothing_recorded(study: Study) -> None:
    """The picture is that of the command: shown as SVG, and written to the file that is named."""
    before = sorted(study.problem_path.parent.iterdir())
    picture = plot(study, "convergence")
    assert isinstance(picture, Picture)
    assert repr(picture) == f"Picture({picture.title!r})"
    assert sorted(study.problem_path.parent.iterdir()) == before
    target = study.problem_path.with_name("drag.svg")
    again = plot(study, "convergence", str(target))
    assert target.read_text() == again._repr_svg_() == picture._repr_svg_()
    assert "<svg" in again._repr_svg_()
    picture.save(str(target.with_suffix(".png")))
    assert target.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("subject", ["study", "optimizer"])
def test_it_looks_back(subject: str, request: pytest.FixtureRequest) -> None:
    """With a step it is drawn as it was; there have to be so many results."""
    seen: Study | Optimizer = request.getfixturevalue(subject)
    assert plot(seen, "convergence", step=2)._repr_svg_() != plot(seen, "convergence")._repr_svg_()
    for step in (-1, 9):
        with pytest.raises(UsageError, match=f"^{step} evaluations are asked for. There are [34]$"):
            plot(seen, "convergence", step=step)


def test_an_optimizer_is_drawn_with_what_is_chosen(optimizer: Optimizer) -> None:
    """Parameters by name, a theme, a size."""
    picture = plot(optimizer, "parallel", parameters=["b", "a"], theme="dark", size=(5, 4))
    assert tuple(picture.figure.get_size_inches()) == (5, 4)
    assert plot(optimizer, "fit", parameters="a")._repr_svg_() == plot(optimizer, "fit", parameters=["a"])._repr_svg_()


@pytest.mark.parametrize(
    ("kind", "chosen", "said"),
    [
        ("nonsense", {}, "there is no picture 'nonsense'"),
        ("fit", {"parameters": "c"}, "there is no free parameter 'c'"),
        ("fit", {"theme": "blue"}, "there is no theme 'blue'. There are light, dark"),
        ("fit", {"size": (0, 3)}, r"\(0, 3\) is not a size. Give width and height, from 1 to 100 inches"),
        ("fit", {"output": "fit.gif"}, "fit.gif: it has to end in .png, .svg, .pdf"),
    ],
)
def test_what_cannot_be_drawn_is_said(optimizer: Optimizer, kind: str, chosen: dict[str, Any], said: str) -> None:
    """By an error of ours, not by matplotlib's."""
    with pytest.raises(UsageError, match=said):
        plot(optimizer, kind, **chosen)


def test_without_matplotlib_it_says_how_to_get_it(optimizer: Optimizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is computed."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"^plot needs matplotlib. Install: pip install 'ordbo\[plots\]'$"):
        plot(optimizer, "fit")
