"""What constraints answer: at a point, for columns and for boxes."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.problem import Condition, Parameter
from ordbo_cli.problem.constraints import Constraint

X, Y = Parameter("x", -1.0, 1.0), Parameter("y", -1.0, 3.0)
MESH = Parameter.of_levels("mesh", ["coarse", "medium", "fine"])
SOLVER = Parameter.of_levels("solver", ["lu", "gmres", "cg"], "categorical")
KIND = Parameter.of_levels("kind", ["a", "b"], "categorical", when=(Condition("solver", (1, 2)),))
TOL = Parameter("tol", 0.0, 1.0, when=(Condition("kind", (1,)),))
TREE = (X, SOLVER, KIND, TOL)


@pytest.mark.parametrize(
    "text",
    ["1/x > 3", "not 1/x > 3", "1/x == 1/x", "1/x != 2", "log(x) < 5", "not log(x) < 5", "x % x <= 1", "x ** -1 > 0",
     "(x - 1)**0.5 < 9", "not (1/x > 3 or x > 1)", "sqrt(x - 1) < 9", "1/x in [1]", "1/x not in [1]",
     "x*exp(999) < 1"],
)  # fmt: skip
def test_what_is_undefined_is_not_satisfied(text: str) -> None:
    """Nor is its opposite, nor is it certain or possible at that point."""
    constraint = Constraint.parse(text, [X]) if "999" not in text else Constraint.parse("x*exp(999 + x) < 1", [X])
    assert not constraint.holds({"x": 0.0})
    assert not constraint.satisfied({"x": np.zeros(2)}).any()
    assert not constraint.possible({"x": 0.0}, {"x": 0.0})
    assert not constraint.certain({"x": 0.0}, {"x": 0.0})
    assert not constraint.certain({"x": -1.0}, {"x": 1.0})


def test_what_is_undefined_does_not_spoil_an_alternative() -> None:
    """Where another part of an 'or' holds."""
    constraint = Constraint.parse("x == 0 or 1/x > 3", [X])
    assert [constraint.holds({"x": x}) for x in (0.0, 0.25, 0.5)] == [True, True, False]


def test_a_comparison_of_what_does_not_count_is_satisfied() -> None:
    """So is its opposite, whether the point leaves the parameter out or not, through conditions of conditions."""
    for text in ("tol > 2", "not tol <= 2", "tol > 2 and x < 0.5"):
        constraint = Constraint.parse(text, TREE)
        assert constraint.holds({"x": 0.0, "solver": "lu"})
        assert constraint.holds({"x": 0.0, "solver": "lu", "kind": "b", "tol": 0.0})
        assert constraint.holds({"x": 0.0, "solver": "cg", "kind": "a"})
        assert not constraint.holds({"x": 0.0, "solver": "cg", "kind": "b", "tol": 0.0})
        columns = {"x": np.zeros(3), "solver": np.array([0, 2, 1]), "kind": np.array([1, 0, 1]), "tol": np.zeros(3)}
        assert constraint.satisfied(columns).tolist() == [True, True, False]
    word = Constraint.parse("kind == 'a'", TREE)
    assert [word.holds({"x": 0.0, "solver": "lu"}), word.holds({"solver": "cg", "kind": "b"})] == [True, False]


def test_boxes_know_what_counts() -> None:
    """Impossible only where the parameter counts everywhere; certain where it counts nowhere."""
    constraint = Constraint.parse("tol > 2", TREE)

    def asked(solver: tuple[int, int], kind: tuple[int, int]) -> tuple[bool, bool]:
        low, high = ({"solver": solver[k], "kind": kind[k], "tol": k} for k in (0, 1))
        return constraint.possible(low, high), constraint.certain(low, high)

    assert asked((0, 2), (0, 1)) == (True, False)
    assert asked((1, 2), (1, 1)) == (False, False)
    assert asked((1, 2), (0, 0)) == (True, True)
    assert asked((0, 0), (1, 1)) == (True, True)


@pytest.mark.parametrize(
    ("text", "low", "high", "answer"),
    [
        ("x + y <= 1", (-1, -1), (0, 1), (True, True)),
        ("x + y <= 1", (0, 0), (1, 1), (True, False)),
        ("x + y < 0", (0, 0), (1, 1), (False, False)),
        ("x + y <= 0", (0, 0), (1, 1), (True, False)),
        ("x == y", (-1, 0.5), (0, 1), (False, False)),
        ("x != y", (-1, 0.5), (0, 1), (True, True)),
        ("x != y", (0.5, 0.5), (0.5, 0.5), (False, False)),
        ("1/x > 0", (0, 0), (1, 0), (True, False)),
        ("sqrt(x) >= -1", (-1, 0), (1, 0), (True, False)),
        ("-1 <= sqrt(x)", (-1, 0), (1, 0), (True, False)),
        ("x < 0 or y > 2", (0, 0), (1, 1), (False, False)),
        ("x >= 0 and y >= 0", (0, 0), (1, 1), (True, True)),
        ("mesh >= 'medium'", (0, 0, 1), (0, 0, 2), (True, True)),
        ("mesh >= 'medium'", (0, 0, 0), (0, 0, 2), (True, False)),
        ("mesh == 'fine'", (0, 0, 0), (0, 0, 1), (False, False)),
        ("mesh < mesh", (0, 0, 0), (0, 0, 2), (False, False)),
        ("mesh <= mesh", (0, 0, 0), (0, 0, 2), (True, True)),
    ],
)
def test_boxes(text: str, low: tuple[float, ...], high: tuple[float, ...], answer: tuple[bool, bool]) -> None:
    """Whether a constraint is possible, and certain."""
    constraint = Constraint.parse(text, (X, Y, MESH))
    box = [dict(zip(("x", "y", "mesh"), (*ends, 0)[:3], strict=True)) for ends in (low, high)]
    assert (constraint.possible(*box), constraint.certain(*box)) == answer


def test_numbers_are_doubles() -> None:
    """So no power takes long, and what is too much is infinite."""
    constraint = Constraint.parse("9**(9**(x + 9)) > 1 and 9.0**x*(x - 1e200)**3 < 0", [X])
    assert constraint.holds({"x": 1.0})
    assert constraint.satisfied({"x": np.ones(1)}).all()
