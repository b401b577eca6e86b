"""Parameters and problems: what is refused, and what the values say."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Fixed, Parameter, Problem

ANGLE = Parameter("angle", 0, 12, step=0.1)
BLADES = Parameter("blades", 3, 9, type="int")
SPAN = Fixed("span", 2.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "no name"),
        ({"type": "real"}, "type is 'real'"),
        ({"scale": "cubic"}, "scale is 'cubic'"),
        ({"min": math.nan}, "bounds are nan"),
        ({"max": math.inf}, "bounds are 1 and inf"),
        ({"max": 10**400, "type": "int"}, "have to be finite"),
        ({"min": 9, "max": 2}, "min 9 is above max 2. Swap them"),
        ({"max": 1}, "min and max are both 1"),
        ({"min": 0, "scale": "log"}, "log scale with min 0"),
        ({"min": 1e300, "max": math.nextafter(1e300, 2e300), "scale": "log"}, "whose logarithms are equal"),
        ({"min": -1e308, "max": 1e308}, "farther than a double can tell"),
        ({"step": 0}, "step is 0"),
        ({"step": -0.1}, "step is -0.1"),
        ({"step": math.nan}, "step is nan"),
        ({"digits": 0}, "digits is 0"),
        ({"digits": 16}, "digits is 16"),
        ({"digits": 3, "step": 0.5}, "digits beside step"),
        ({"digits": 3, "type": "int"}, "digits beside type int"),
        ({"min": 0.5, "type": "int"}, "whole numbers"),
        ({"step": 0.5, "type": "int"}, "whole numbers"),
        ({"step": 10}, "a step of 10 leaves fewer than two values"),
        ({"min": 1.01, "max": 1.14, "digits": 2}, "2 digits leave fewer than two values"),
        ({"min": 2**60, "max": 2**60 + 1}, "leaves fewer than two values"),  # which are the same double
        ({"step": 1e-16}, "finer than a double can tell"),
        ({"max": 2**60, "type": "int"}, "max 1152921504606846976 of an int: steps of 1 are told apart below 45035996"),
        ({"min": -(2**53) - 1, "type": "int"}, "min -9007199254740993 is a whole number that no double holds"),
    ],
)
def test_impossible_parameters_are_refused(change: dict[str, Any], words: str) -> None:
    """Each mistake is refused by name, with what came and what to do."""
    with pytest.raises(ProblemError) as caught:
        Parameter(**{"name": "x", "min": 1, "max": 9, **change})
    assert words in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("parameter", "low", "high", "count"),
    [
        (Parameter("x", 0, 12, step=0.1), 0.0, 12.0, 121),
        (Parameter("x", 0, 1, step=0.3), 0.0, 0.9, 4),
        (Parameter("x", 3, 9, type="int"), 3, 9, 7),
        (Parameter("x", 3, 9, type="int", step=4), 3, 7, 2),
        (Parameter("x", 1e5, 1e7, scale="log", digits=2), 1e5, 1e7, 181),
        (Parameter("x", 1.234, 9.876, digits=2), 1.3, 9.8, 86),
        (Parameter("x", 0.0, 5e-324), 0.0, 5e-324, 2),
    ],
)
def test_a_parameter_knows_its_values(parameter: Parameter, low: float, high: float, count: int) -> None:
    """The lowest and highest values are those that step and digits leave, of the parameter's type."""
    assert (parameter.low, parameter.high, parameter.lattice.count) == (low, high, count)
    assert type(parameter.low) is (int if parameter.type == "int" else float)


def test_parameters_cannot_be_changed() -> None:
    """A parameter is a frozen value, equal to another of the same settings."""
    with pytest.raises(FrozenInstanceError):
        ANGLE.min = 1  # type: ignore[misc]  # that is the point
    assert Parameter("angle", 0, 12, step=0.1) == ANGLE


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"goal": "smallest"}, "goal is 'smallest'"),
        ({"failed": "penalty"}, "failed is 'penalty'"),
        ({"seed": -1}, "seed is -1"),
        ({"parameters": (ANGLE, Parameter("angle", 0, 1))}, "the name 'angle' stands twice"),
        ({"parameters": (ANGLE,), "objective": "angle"}, "the name 'angle' stands twice"),
        ({"parameters": (SPAN,)}, "no parameter is free"),
        ({"parameters": ()}, "no parameter is free"),
    ],
)
def test_impossible_problems_are_refused(change: dict[str, Any], words: str) -> None:
    """Each mistake of the whole problem is refused by name."""
    with pytest.raises(ProblemError) as caught:
        Problem(**{"parameters": (ANGLE, BLADES), **change})
    assert words in str(caught.value)


def test_a_fixed_parameter_needs_a_name() -> None:
    """A fixed parameter without a name is refused like a free one."""
    with pytest.raises(ProblemError, match="no name"):
        Fixed("", 1.0)


def test_values_and_mapping_invert_each_other() -> None:
    """Fixed parameters are added to, and dropped from, the values of the free ones, in the problem's order."""
    problem = Problem((ANGLE, SPAN, BLADES))
    mapping = problem.mapping((3.1, 4))
    assert list(mapping.items()) == [("angle", 3.1), ("span", 2.0), ("blades", 4)]
    assert problem.values(mapping) == (3.1, 4)
    assert problem.free == (ANGLE, BLADES)
    with pytest.raises(KeyError, match="blades"):
        problem.values({"angle": 3.1})
    with pytest.raises(ValueError, match="shorter"):
        problem.mapping((3.1,))
