"""What an expression may say, and what is said of one that cannot be read."""

from __future__ import annotations

import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Condition, Fixed, Level, Parameter
from ordbo_cli.problem.constraints import Constraint, ExpressionError

PARAMETERS = (
    Parameter("angle", 0.0, 12.0, step=0.1),
    Parameter("blades", 3, 9, type="int"),
    Parameter("wall shear", 0.1, 100.0, scale="log"),
    Parameter.of_levels("mesh", ["coarse", "medium", "fine"]),
    Parameter.of_levels("wall", ["sa", "sst"], "categorical"),
    Parameter.of_levels("roof", ["sst", "k'e"], "categorical"),
    Parameter.of_levels("code", [1, 4], "categorical"),
    Parameter.of_levels("grid", [2, 4, 8]),
    Parameter("tol", 1e-8, 1e-2, scale="log", digits=2, when=(Condition("wall", (1,)),)),
    Fixed("span", 2.0),
    Fixed("fluid", "air"),
    Parameter("lambda", 0.0, 1.0),
    Parameter("tick`s", 0.0, 1.0),
    Parameter("µ", 0.0, 1.0),  # U+00B5, of which Python's parser makes another letter
    Parameter("max", 0.0, 1.0),
    Parameter("_0", 0.0, 1.0),
)
POINT: dict[str, Level] = {
    "angle": 3.0, "blades": 4, "wall shear": 2.5, "mesh": "medium", "wall": "sst", "roof": "sst", "code": 4, "grid": 4,
    "tol": 1e-3, "span": 2.0, "fluid": "air", "lambda": 0.5, "tick`s": 0.25, "µ": 0.75, "max": 1.0, "_0": 0.125,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("angle + 2*blades <= 11", True),
        ("angle + 2*blades < 11", False),
        ("`wall shear` > 2.5e0 or `wall shear` == 2.5", True),
        ("`lambda` == .5 and `tick``s` == 0.25 and µ == 0.75", True),
        ("max(angle, max) == 3 and _0 == 0.125", True),
        ("2 < angle < 4 <= blades", True),
        ("2 < angle < 3", False),
        ("not 2 < angle < 3", True),
        ("not (angle > 5 or not blades == 4)", True),
        ("angle - -2 == +5", True),
        ("-angle**2 == -9 and 2**angle**2 == 512 and (2**angle)**2 == 64", True),
        ("blades % 3 == 1 and blades // 3 == 1 and blades / 8 == 0.5", True),
        ("abs(-angle) == sqrt(9) and min(angle, blades, 1) == 1", True),
        ("round(2.5*blades/blades) == 2 and floor(-angle/2) == -2 and ceil(angle/2) == 2", True),
        ("exp(0*angle) == 1 and log(angle/3) == 0 and log10(blades*25) == 2", True),
        ("sin(0*angle) == 0 and cos(0*angle) == 1 and tan(0*angle) == 0", True),
        ("grid * 2 == 8 and grid in [4, 5]", True),
        ("angle in (1, 3) and angle not in [4] and angle in (3)", True),
        ("angle not in [1, 3]", False),
        ("mesh >= 'medium' and mesh < \"fine\"", True),
        ("'coarse' < mesh <= 'medium'", True),
        ("mesh != 'medium'", False),
        ("wall == roof", True),
        ("wall != roof", False),
        ("wall in ['sa', 'sst'] and wall not in ['sa'] and roof != 'k''e'", True),
        ("roof not in ['k''e', 'sst'] or mesh in ['coarse', 'fine']", False),
        ("code == 4 and code in [1, 4] and code != 1", True),
        ("code == -1 + 5", True),
        ("fluid == 'air' and angle > 0", True),
        ("fluid in ['water', 'steam'] or angle < 0", False),
        ("angle > span and span", None),
        ("span*angle == 6", True),
        ("angle\n<= 3", True),
        ("mesh <= mesh and wall == wall", True),
        ("mesh < mesh or wall != wall", False),
    ],
)
def test_what_it_says(text: str, holds: bool | None) -> None:
    """Of one point."""
    if holds is None:
        with pytest.raises(ExpressionError):
            Constraint.parse(text, PARAMETERS)
        return
    assert Constraint.parse(text, PARAMETERS).holds(POINT) is holds


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "the expression is empty"),
        ("angle ^ 2 <= 3", 7, "^ has no meaning here. Write **"),
        ("angle = 3", 7, "= has no meaning here. Write =="),
        ("angle ≤ 3", 7, "≤ has no meaning here. Write <="),
        ("angle =< 3", 7, "=< has no meaning here. Write <="),
        ("angle < 3 && blades > 2", 11, "&& has no meaning here. Write and"),
        ("angle < 3 AND blades > 2", 11, "'AND' is unknown. Write and"),
        ("!(angle < 3)", 1, "! has no meaning here. Write not"),
        ("angle is 3", 7, "'is' has no meaning here. Compare with == or !="),
        ("angle < 3 if blades > 2 else 1", 11, "'if' has no meaning here. For 'if A then B' write: (not A) or B"),
        ("lambda <= 3", 1, "'lambda' has no meaning here. Put the parameter's name in backquotes: `lambda`"),
        ("class <= 3", 1, "'class' has no meaning here. An expression holds"),
        ("[x for x in angle]", 4, "'for' has no meaning here"),
        ("angel < 3", 1, "the parameter 'angel' is unknown. Did you mean angle?"),
        ("`wall sheer` < 3", 1, "the parameter 'wall sheer' is unknown. Did you mean `wall shear`?"),
        ("blades < lamda", 10, "the parameter 'lamda' is unknown. Did you mean `lambda`?"),
        ("sqrt < 3", 1, "sqrt is a function. Write sqrt(...)"),
        ("wall shear <= 3", 6, "an operator is missing before this. If 'wall shear' is meant, put it in backquotes"),
        ("foor(angle) < 2", 1, "there is no function 'foor'. Did you mean floor?"),
        ("angle(3) < 2", 1, "there is no function 'angle'. Write angle*(...)"),
        ("sqrt(angle, 2) < 1", 1, "sqrt takes one number"),
        ("min(angle) < 1", 1, "min takes two numbers or more"),
        ("max() < angle", 1, "max takes two numbers or more"),
        ("(angle + 1)(blades) < 1", 1, "an operator is missing before the bracket"),
        ("(angle)(blades) < 1", 1, "there is no function 'angle'"),
        ("angle.real < 3", 6, ". has no meaning here"),
        ("angle[0] < 3", 6, "an operator is missing before this"),
        ("angle; blades", 6, "; has no meaning here"),
        ("(angle < 3", 1, "( is not closed. Add )"),
        ("[angle < 3)", 11, ") closes nothing"),
        ("angle < 3)", 10, ") closes nothing"),
        ("(" * 60 + "angle" + ")" * 60 + " < 3", 51, "the expression is nested too deeply"),
        ("angle < ", 7, "a name or number is missing after <"),
        ("< angle", 1, "a name or number is missing before <"),
        ("angle < * 3", 9, "a name or number is missing before *"),
        ("(angle < ) + 3", 10, "a name or number is missing before )"),
        ("angle + not blades", 9, "not cannot follow +. Put it in brackets"),
        ("2angle < 3", 2, "'angle' follows a number. Write 2*angle"),
        ("angle < 1_000", 9, "a number holds _. Write 1000"),
        ("angle < 1e999", 9, "this number is larger than a double can hold"),
        ("angle < 9**9**9", 9, "the number that stands here is larger than a double can hold"),
        ("angle < 1/(span - 2)", 9, "the number that stands here is undefined"),
        ("1 < 2", 1, "the expression speaks of no parameter"),
        ("'a' == 'b'", 1, "the expression speaks of no parameter"),
        ("angle", 1, "this is a number, neither true nor false. Write a comparison"),
        ("angle < 3 and 2*blades", 15, "this is a number, neither true nor false"),
        ("wall", 1, "this is a word or level, neither true nor false"),
        ("angle < 3, blades > 2", 1, "several expressions stand here"),
        ("(angle < 3) + (blades < 4) >= 1", 2, "this is true or false, and a number is expected"),
        ("angle == (blades < 4)", 11, "this is true or false, and a number is expected"),
        ("angle == [1, 2]", 10, "a list stands here. Lists go with in"),
        ("angle in blades", 10, "a list has to follow in"),
        ("angle in []", 10, "the list is empty"),
        ("angle in [1, blades]", 14, "a list holds numbers and words only"),
        ("(angle, 2) + 1 < 3", 1, "a list stands where a number is expected"),
        ("mesh >= 'fin'", 9, "'mesh' has no value 'fin'. Did you mean 'fine'?"),
        ("mesh in ['fine', 'finer']", 18, "'mesh' has no value 'finer'. Did you mean 'fine'?"),
        ("mesh == 3", 9, "'mesh' has no value 3. Known are 'coarse', 'medium', 'fine'"),
        ("code == 2", 9, "'code' has no value 2"),
        ("grid == '2'", 9, "'grid' has no value '2'. Did you mean 2?"),
        ("mesh + 1 < 3", 1, "the values of 'mesh' are words. Compare it with one of them: == 'coarse'"),
        ("code + 1 < 3", 1, "the values of 'code' have no order"),
        ("wall < 'sst'", 1, "the values of 'wall' have no order. Compare with ==, != or in"),
        ("wall == sst", 9, "the parameter 'sst' is unknown. Put the word in quotation marks: 'sst'"),
        ("wall <= roof", 1, "the values of 'wall' have no order"),
        ("mesh <= grid", 1, "'mesh' and 'grid' have no common order"),
        ("mesh == wall", 1, "'mesh' and 'wall' have no value in common"),
        ("mesh == angle", 9, "the values of 'angle' are numbers, not words"),
        ("mesh == angle + 1", 9, "a number and a word are compared"),
        ("'a' + angle < 3", 1, "the word 'a' stands where a number is expected"),
        ("fluid + angle < 3", 1, "'fluid' is a word and no number"),
        ("fluid < 'b' or angle < 3", 1, "these words have no order"),
        ("fluid == 3 or angle < 3", 1, "a number and a word are compared"),
        ("`wall shear < 3", 1, "a backquote is not closed"),
        ("`` < 3", 1, "there is no name between the backquotes"),
        ("wall == 'sst", 9, "a quotation mark is not closed"),
        ("angle < 3\x07", 10, "\\x07 has no meaning here"),
    ],
)
def test_what_is_said_of_mistakes(text: str, column: int, said: str) -> None:
    """With the column inside the expression, and what to write instead."""
    with pytest.raises(ExpressionError) as caught:
        Constraint.parse(text, PARAMETERS)
    error = caught.value
    assert isinstance(error, ProblemError)
    assert (error.column, f"{error.said}. {error.hint}"[: len(said)]) == (column, said)
    assert str(error).startswith("constraint '")
    assert str(error).isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "-" * 1900 + "angle < 3",
        "not " * 400 + "angle < 3",
        "(" * 900 + "angle" + ")" * 900 + " < 3",
        "[" * 1000,
        "1+" * 900 + "angle < 3",
        "2**" * 600 + "angle < 3",
        "angle" + " < 3" * 150 + " and " + "(angle < 3 or " * 40 + "angle < 4" + ")" * 40 + " and -" * 300,
        "angle < 3 and " * 100_000 + "angle < 3",
        "angle < " + "9" * 100_000,
    ],
)
def test_what_is_too_long_or_deep_is_refused(text: str) -> None:
    """Neither memory nor the stack runs out."""
    with pytest.raises(ExpressionError):
        Constraint.parse(text, PARAMETERS)


def test_fifty_parameters_fit() -> None:
    """A weighted sum over all of them is neither too long nor too deep."""
    parameters = [Parameter(f"x{k}", 0.0, 1.0) for k in range(50)]
    text = " + ".join(f"{k}.25*x{k}**2" for k in range(50)) + " <= 100"
    constraint = Constraint.parse(text, parameters)
    assert constraint.names == tuple(parameter.name for parameter in parameters)
    assert constraint.holds({parameter.name: 0.0 for parameter in parameters})


def test_names_are_the_free_parameters() -> None:
    """In the problem's order; a fixed one counts as a number, and a parameter's conditions are known."""
    constraint = Constraint.parse("tol < 1 and blades > span and angle > 1", PARAMETERS)
    assert constraint.names == ("angle", "blades", "tol")
    assert constraint.needs == {"angle", "blades", "tol", "wall"}
    assert constraint.text == "tol < 1 and blades > span and angle > 1"
    assert hash(constraint) == hash(Constraint.parse(constraint.text, PARAMETERS))
    assert Constraint.parse("span > 1", PARAMETERS).names == ()
