"""Cells, bounds and what comes next, where parameters have levels and conditions."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.problem import Condition, Evaluation, Parameter, Problem
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.reporting.cell_words import cell_in_words, cell_of, edges_shown
from ordbo_cli.study.reporting.entries import upcoming_entries
from ordbo_cli.study.reporting.invariance_check import point_in_words
from ordbo_cli.study.study import Study

PROBLEM = Problem(
    (
        Parameter.of_levels("solver", ["gmres", "cg", "a, b"], "categorical"),
        Parameter.of_levels("mesh", ["coarse", "medium", "fine", "very fine"]),
        Parameter("restart", 10, 50, type="int", when=(Condition("solver", (0,)),)),
        Parameter("angle", 0.0, 12.0),
    ),
    "drag",
)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ([[0, 0], [0, 2], [10, 50], [0, 12]], "solver gmres, below fine of mesh, any restart, any angle"),
        ([[1, 1], [1, 3], [10, 10], [3, 12]], "solver cg, above medium of mesh, above 3 of angle"),
        ([[2, 2], [1, 2], [10, 10], [0, 12]], "solver 'a, b', mesh fine, any angle"),
        ([[2, 2], [2, 3], [10, 10], [0, 12]], "solver 'a, b', mesh very fine, any angle"),
        (
            [[0, 0], [1, 3], [20, 30], [0, 12]],
            "solver gmres, above medium of mesh, between 20 and 30 of restart, any angle",
        ),
        ([[1, 1], [0, 3], [10, 10], [0, 12]], "solver cg, any mesh, any angle"),
        ([[1, 1], [0, 1], [44, 44], [0, 12]], "solver cg, below medium of mesh, any angle"),
    ],
)
def test_cells_in_words(cell: list[list[float]], words: str) -> None:
    """Levels, one alone where the cell owns no other; nothing of what does not count."""
    assert cell_in_words(PROBLEM, [], cell) == words


def test_edges_between_levels_and_of_the_best() -> None:
    """Ordinal edges are named as others are."""
    problem = Problem((Parameter.of_levels("m", ["a", "b", "c", "d", "e"]),), "drag")
    rows = [Evaluation((k,), Decimal(k)) for k in (1, 3, 4, 2)]
    assert cell_in_words(problem, [], [[1, 3]]) == "between b and d of m"
    assert cell_in_words(problem, rows, [[1, 3]]) == "between the best (b) and d of m"


def test_a_runner_up_with_another_level() -> None:
    """Only what differs is told, and what counts there alone."""
    cell, other = [[0, 0], [0, 2], [20, 30], [0, 12]], [[1, 1], [0, 2], [10, 10], [0, 12]]
    assert cell_in_words(PROBLEM, [], other, cell) == "the same but solver cg"
    assert cell_in_words(PROBLEM, [], cell, other) == "the same but solver gmres, between 20 and 30 of restart"


@pytest.mark.parametrize(
    ("cell", "sound"),
    [
        ([[0, 0], [0, 2], [10, 50], [0, 12]], True),
        ([[1, 1], [0, 2], [10, 10], [0, 12]], True),
        ([[0, 0], [0, 2], [10, 10], [0, 12]], False),  # restart counts
        ([[1, 1], [2, 2], [10, 10], [0, 12]], False),  # an order has edges
        ([[0, 1], [0, 2], [10, 50], [0, 12]], False),
        ([[3, 3], [0, 2], [10, 10], [0, 12]], False),
        ([[0.5, 0.5], [0, 2], [10, 10], [0, 12]], False),
        ([[-1, -1], [0, 2], [10, 10], [0, 12]], False),
        ([[1, 1], [0, 2], [10, 10]], False),
    ],
)
def test_cells_of_old_records(cell: list[list[float]], sound: bool) -> None:
    """Equal edges are for categorical parameters, and for what does not count."""
    edges = tuple((low, high) for low, high in cell)
    assert (cell_of(PROBLEM, StepRecord("acquire", edges)) is not None) is sound


def test_edges_and_points_as_the_user_has_them() -> None:
    """Levels for places; what does not count is not there."""
    shown = edges_shown(PROBLEM, [[1, 1], [0, 2], [10, 10], [0, 12]])
    assert shown == {"solver": ("cg", "cg"), "mesh": ("coarse", "fine"), "angle": (0, 12)}
    assert point_in_words(PROBLEM, (1, 3, 10, 0.5)) == "solver=cg, mesh=very fine, angle=0.5"


def test_the_bounds_of_what_has_an_order(tmp_path: Path) -> None:
    """Ordinal parameters have them; categorical ones have none, and what does not count lies on none."""
    (tmp_path / "p.yaml").write_text(
        "objective: {name: drag, goal: minimize}\nparameters:\n"
        "  solver: {type: categorical, values: [gmres, cg, x]}\n  mesh: {type: ordinal, values: [a, b, c]}\n"
        "  restart: {type: int, min: 10, max: 50, when: {solver: gmres}}\n"
    )
    (tmp_path / "p.csv").write_text(
        "solver,mesh,restart,drag\ngmres,b,20,1\ncg,b,,2\nx,c,,3\ngmres,b,10,4\ngmres,c,30,0.5\ncg,a,10,failed\n"
    )
    found = Study.open(tmp_path / "p.yaml").status().on_bound
    assert (found.points, found.evaluated, found.best) == (4, 6, 5)
    assert [(s.name, s.lower, s.upper, s.best_lower, s.best_upper) for s in found.sides] == [
        ("mesh", 1, 2, 0, 2),
        ("restart", 1, 0, 1, 0),
    ]


def test_where_the_search_goes(tmp_path: Path) -> None:
    """Words of the state on a point that is out, in levels; a cell that the point is not in is not told."""
    import json

    (tmp_path / "p.yaml").write_text(
        "objective: {name: drag, goal: minimize}\nparameters:\n"
        "  solver: {type: categorical, values: [gmres, cg]}\n  mesh: {type: ordinal, values: [a, b, c, d]}\n"
        "  restart: {type: int, min: 10, max: 50, when: {solver: gmres}}\n"
    )
    study = Study.open(tmp_path / "p.yaml")
    study.ask()
    content = json.loads(study.state_path.read_text())
    content["pending"][0]["parameters"] = {"solver": "cg", "mesh": "b"}
    words = {"step": 0, "id": 1, "kind": "acquire", "cell": [[1, 1], [0, 2], [33, 33]]}
    study.state_path.write_text(json.dumps({**content, "diagnostics": [words]}))
    upcoming = study.status().next
    assert upcoming is not None
    assert upcoming.text == "solver cg, below c of mesh"
    assert upcoming_entries(upcoming)["cell"] == {"solver": ("cg", "cg"), "mesh": ("a", "c")}
    study.state_path.write_text(json.dumps({**content, "diagnostics": [{**words, "cell": [[1, 1], [2, 3], [33, 33]]}]}))
    later = study.status().next
    assert later is None or later.cell is None
