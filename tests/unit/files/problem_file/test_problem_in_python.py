"""A problem that a program says: by the keys of the problem file, checked by its reader, in its words."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from ordbo_cli import Fixed, Limit, Method, Parameter, Problem
from ordbo_cli.errors import ProblemError, ProblemErrors
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.problem_file.schema import OBJECTIVE, PARAMETER, PROBLEM
from ordbo_cli.problem import Parameter as Free

Loader = Callable[[str], ProblemFile]
AnyParameter: Any = Parameter  # takes what no type-checked program gives
EXAMPLES = sorted((Path(__file__).parents[4] / "examples").glob("*/*.yaml"))

EVERYTHING = """\
version: 1
objective: {name: grade, goal: maximize, unit: "1", values: [poor, fair, good]}
parameters:
  alloy: {type: categorical, values: [steel, brass, 7], unit: kind}
  coated: {type: bool, past: false}
  angle: {min: 0, max: 12.5, step: 0.1, was: alpha, past: 1.0}
  rate: {bounds: [1e-3, 10], log: true, digits: 3, when: {alloy: [brass, 7]}}
  passes: {type: int, low: 1, high: 9, when: {alloy: steel, coated: true}}
  mesh: {values: [1, 2, 4]}
  stir: {type: ranked}
  span: {value: 2.0}
  label: {value: "true"}
constraints:
  - angle + passes <= 20
  - alloy == "steel" or angle < 10
outcomes: {stress: {max: 240.10}, mass: {min: 1, max: 5, unit: kg}}
failed: ignore
noise: true
seed: 3
method: {preset: metric-free, beta: {delta: 0.05}, prior: {centre: 0.5}, drift: none, initial: 4}
evaluations: other.csv
"""


@pytest.mark.parametrize("text", [EVERYTHING, *(path.read_text() for path in EXAMPLES)])
def test_every_key_means_the_same_in_python(loaded: Loader, text: str) -> None:
    """The settings of a file, given to Python by their names, are the problem of that file."""
    said = yaml.safe_load(re.sub(r"\b\d+e-?\d+", lambda found: f"{float(found[0]):.1e}", text))  # 1e7 in YAML 1.1
    parameters = said.pop("parameters")
    written = loaded(text).problem
    if isinstance(parameters, dict):
        assert Problem(parameters, **said) == written
        parameters = [{"name": name, **given} for name, given in parameters.items()]
    made = [Parameter(**given) for given in parameters]
    assert Problem(made, **said) == written
    assert Problem(written.parameters, **said) == written


def test_a_parameter_has_every_key_of_the_file() -> None:
    """Editors offer all of them, and Problem those of the problem and the objective."""
    import inspect

    assert PARAMETER.keys.keys() <= inspect.signature(Parameter).parameters.keys()
    files = {"version", "evaluations", "state", "comparisons", "columns"}
    assert PROBLEM.keys.keys() - files <= inspect.signature(Problem).parameters.keys()
    assert OBJECTIVE.keys.keys() - {"name", "values"} <= inspect.signature(Problem).parameters.keys()


@pytest.mark.parametrize(
    ("parameters", "beside", "expected"),
    [
        ("{a: {mni: 0, max: 1}}", {}, "parameters.a: the key 'mni' is unknown in a parameter. Did you mean min?"),
        (
            "{a: {type: categoricl, values: [x, y]}}",
            {},
            "parameters.a.type: 'categoricl' is unknown here. Did you mean",
        ),
        ("{a: {min: 3, max: 1}}", {}, "parameters.a.min: 'a': min 3.0 is above max 1.0. Swap them"),
        ("{a: {min: '0', max: 1}}", {}, "parameters.a.min: '0' stands where a number is expected. Take the quotation"),
        ("{a: {min: 0, max: true}}", {}, "parameters.a.max: true stands where a number is expected"),
        ("[{name: a, min: 0, max: 1}, {min: 0}]", {}, "parameters.1: an entry of the list has no name"),
        ("{a: {min: 0, max: 1, when: {b: x}}}", {}, "parameters.a.when: when: there is no parameter 'b'"),
        ("{a: {min: 0, max: 1}}", {"sed": 1}, "the key 'sed' is unknown in the problem. Did you mean seed?"),
        ("{a: {min: 0, max: 1}}", {"method": "papr"}, "method: 'papr' is unknown here. Did you mean paper?"),
        (
            "{a: {min: 0, max: 1}}",
            {"method": {"kernl": "rbf"}},
            "method: the key 'kernl' is unknown in the method. Did",
        ),
        ("{a: {min: 0, max: 1}}", {"constraints": "a + c < 1"}, "constraints: the parameter 'c' is unknown"),
        ("{a: {min: 0, max: 1}}", {"constraints": ["a < 2", "a > 3"]}, "constraints.1: no point satisfies 'a > 3'"),
        ("{a: {min: 0, max: 1}}", {"outcomes": {"s": {}}}, "outcomes.s: an outcome needs min or max"),
        ("{a: {min: 0, max: 1}}", {"noise": "yes"}, "noise: 'yes' stands where true or false is expected"),
        ("{a: {min: 0, max: 1}}", {"seed": -1}, "seed: -1 stands where a whole number from 0 on is expected"),
        ("{a: {min: 0, max: 1}}", {"failed": "wrst"}, "failed: 'wrst' is unknown here. Did you mean worst?"),
    ],
)
def test_errors_are_those_of_the_file(loaded: Loader, parameters: str, beside: dict[str, Any], expected: str) -> None:
    """The same words, with the setting where a file has line and column."""
    with pytest.raises(ProblemErrors) as in_python:
        Problem(yaml.safe_load(parameters), {"name": "y", "goal": "minimize"}, **beside)
    with pytest.raises(ProblemErrors) as in_file:
        loaded("".join(f"{yaml.safe_dump({k: v})}" for k, v in beside.items()) + f"parameters: {parameters}\n"
               "objective: {name: y, goal: minimize}\n")  # fmt: skip
    assert str(in_python.value).startswith(expected)
    _, colon, words = expected.partition(": ") if not expected.startswith("the key") else ("", ": ", expected)
    assert colon + words in str(in_file.value)
    assert isinstance(in_python.value, ProblemError)


def test_all_mistakes_are_told_at_once() -> None:
    """In the order in which they stand, and no more than anybody reads."""
    with pytest.raises(ProblemErrors) as caught:
        Problem([Parameter("a", 0, 1)], objective={"gaol": "minimize"}, noise=1, seed="x")  # type: ignore[arg-type]
    assert [str(each).partition(":")[0] for each in caught.value.errors] == ["objective", "noise", "seed"]
    with pytest.raises(ProblemErrors, match=r"\n30 more errors like these$"):
        Problem({f"x{k}": {"mn": 0} for k in range(80)})


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: Parameter("a", vlues=[1]), "a: the key 'vlues' is unknown in a parameter. Did you mean values?"),
        (lambda: Parameter("a", 0, 1, type="categorical"), "a: a parameter of type categorical needs values or value"),
        (lambda: Parameter("a", 5, 3), "a.min: 'a': min 5.0 is above max 3.0. Swap them"),
        (lambda: Parameter("a", values=["x", "y"]), "a.values: 'a' does not say whether its values have an order"),
        (lambda: AnyParameter("", 0, 1), "the name '' is empty"),
        (lambda: AnyParameter(None, 0, 1), "the name '' is empty"),
        (lambda: AnyParameter("a", 0, 10**4000), "a.max: an int of that size is not finite"),
        (lambda: AnyParameter("a", 0, Fraction(10**400, 3)), "a.max: nan is not finite"),
        (lambda: AnyParameter("a", 0, object), "a.max: <class 'object'> stands where a number is expected"),
        (lambda: AnyParameter("a", 0, Decimal("sNaN")), "a.max: sNaN is not finite"),
        (
            lambda: AnyParameter("a", type="categorical", values={1, 2}),
            "a.values: {1, 2} stands where a list of values",
        ),
        (lambda: AnyParameter("a", type="categorical", values=["x", "x"]), "a.values.1: "),
        (lambda: AnyParameter("a", type="categorical", values=["x\x1b[2J", "y"]), "a.values.0: the value 'x\\x1b[2J'"),
    ],
)
def test_a_parameter_is_checked_where_it_is_made(made: Callable[[], object], expected: str) -> None:
    """Its traceback shows the line that is wrong."""
    with pytest.raises(ProblemErrors) as caught:
        made()
    assert str(caught.value).startswith(expected)


def test_a_nest_without_end_is_refused() -> None:
    """A list inside itself is an error like others."""
    nest: list[Any] = []
    nest.append(nest)
    with pytest.raises(ProblemErrors, match=r"\na\.values[.0]*: this is nested too deeply"):
        Parameter("a", type="categorical", values=nest)


def test_no_key_is_lost() -> None:
    """Names that are one in a file are not two here, of which one would go."""
    parameters: Any = {1: {"min": 0, "max": 1}, "1": {"min": 0, "max": 2}}
    with pytest.raises(ProblemErrors, match=r"^parameters: a key stands twice, as text and as a number"):
        Problem(parameters)


def test_numbers_of_numpy_are_numbers() -> None:
    """Arrays are lists, and their items numbers, bools and words."""
    said = [
        AnyParameter("a", np.float32(0.5), np.int64(3)),
        AnyParameter("b", values=np.array([1, 2, 4])),
        AnyParameter("c", type="categorical", values=list(np.array(["x", "y"]))),
        AnyParameter("d", 0, Fraction(1, 2), step=Decimal("0.1")),
    ]
    beside: Any = {"noise": np.bool_(True), "seed": np.uint8(3)}
    made = Problem(said, **beside)
    assert made.parameters == (
        Free("a", 0.5, 3.0),
        Free.of_levels("b", [1, 2, 4]),
        Free.of_levels("c", ["x", "y"], "categorical"),
        Free("d", 0.0, 0.5, step=0.1),
    )
    assert (made.noise, made.seed) == (True, 3)


def test_values_of_before_are_still_taken() -> None:
    """Limits, methods, fixed and finished parameters, by place too, as they were made before there were keys."""
    method = Method(preset="paper", prior=None, initial=7)
    finished = (Free("a", 0, 1), Free.of_rank("s"), Fixed("f", 1.0))
    plain = Problem(finished, "y", "maximize", method=method, outcomes=(Limit("g", max=Decimal(1)),))
    assert plain.parameters == finished
    mixed: Any = [Parameter("a", 0, 1), Parameter.of_rank("s"), Fixed("f", 1.0)]
    assert Problem(mixed, "y", "maximize", method=method, outcomes=[Limit("g", max=Decimal(1))]) == plain
    assert Problem([Parameter("a", 0, 1)]) == Problem([Free("a", 0.0, 1.0)], "objective", "minimize")


def test_the_aim_is_said_once() -> None:
    """The objective's mapping and the words beside it do not contradict each other."""
    with pytest.raises(ProblemError, match="goal stands in objective and beside it"):
        Problem([Parameter("a", 0, 1)], {"name": "y", "goal": "minimize"}, "maximize")
    assert Problem([Parameter("a", 0, 1)], {"name": "y"}, "maximize", unit="m").unit == "m"


def test_notes_are_warnings() -> None:
    """What a file is read with a note about is said, and where it was made."""
    with pytest.warns(UserWarning, match="b: min and max are equal, taken as fixed") as caught:
        made = Problem([Parameter("a", 0, 1), Parameter("b", 2, 2)])
    assert made.parameters[1] == Fixed("b", 2.0)
    assert caught[0].filename == __file__


def test_problems_of_files_and_programs_are_one_kind(loaded: Loader) -> None:
    """Equal, with one hash, copied and pickled; a changed copy is checked."""
    written = loaded(EVERYTHING.replace("  - angle + passes <= 20\n", "")).problem
    assert isinstance(written, Problem)
    copy = pickle.loads(pickle.dumps(written))  # noqa: S301  # our own
    assert copy == written
    assert hash(replace(written, seed=4)) == hash(replace(copy, seed=4))
    assert replace(written, seed=4) != written
    with pytest.raises(ProblemError, match="goal is 'best'"):
        replace(written, goal="best")  # type: ignore[arg-type]


def test_parameters_are_keys_and_are_changed_as_dataclasses() -> None:
    """Sets and dictionaries take a parameter; a changed copy keeps what else was said of it, and is checked."""
    said = Parameter("x", 1, 10, scale="log", digits=3)
    assert {said, Parameter("x", 1, 10, scale="log", digits=3), replace(said)} == {said}
    changed = replace(said, name="y", max=20)  # type: ignore[call-arg]
    assert changed == Parameter("y", 1, 20, scale="log", digits=3)
    with pytest.raises(ProblemErrors):
        replace(said, min=0)  # type: ignore[call-arg]


def test_what_a_problem_shows_makes_it_again(loaded: Loader) -> None:
    """A parameter shows the call that makes it, as it was said or as it was read."""
    said = Parameter("alloy", type="categorical", values=["steel", "brass"])
    assert repr(said) == "Parameter('alloy', type='categorical', values=['steel', 'brass'])"
    assert repr(Parameter("x", 0, 1, digits=3)) == "Parameter('x', min=0, max=1, digits=3)"
    problem = loaded(EVERYTHING).problem
    names = {"Parameter": Parameter, "Limit": Limit, "Decimal": Decimal}
    again = [eval(repr(each), names) for each in problem.parameters]  # noqa: S307  # our own
    assert Problem(again).parameters == problem.parameters
    short = Problem([Parameter("x", 0, 1)], "y", constraints=["x < 0.5"], outcomes={"s": {"max": 3}}, noise=True)
    assert repr(short) == (
        "Problem(parameters=(Parameter('x', min=0.0, max=1.0),), objective='y', noise=True, "
        "constraints=('x < 0.5',), outcomes=(Limit(name='s', max=3),))"
    )
    assert repr(Problem([Parameter(f"x{k}", 0, 1) for k in range(50)])).count("Parameter(") == 8
