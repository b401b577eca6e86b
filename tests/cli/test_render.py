"""The formats of a point."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
from decimal import Decimal

import pytest

from ordbo_cli.cli.output import FORMATS, ShownPoint, argument_name, check_names, json_line, render, render_all
from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.spelling import environment_name

POINT = ShownPoint(17, {"angle": 3.1, "blades": 4, "wall shear": 1e-05, "mesh": "it's fine"})


def test_json_is_one_line_as_documented() -> None:
    """The default format is the one of the interface, key by key."""
    point = ShownPoint(17, {"angle": 3.1, "blades": 4})
    assert render("json", point) == '{"id": 17, "parameters": {"angle": 3.1, "blades": 4}}\n'


def test_json_keeps_types_and_unicode() -> None:
    """A float stays a float, an int an int, and names are not escaped."""
    line = render("json", ShownPoint(1, {"λ": 2.0, "n": 2}))
    assert "λ" in line
    parameters = json.loads(line)["parameters"]
    assert [type(value) for value in parameters.values()] == [float, int]


@pytest.mark.parametrize("number", ["1E+400", "0.1234567890123456789012345", "-0", "12345678901234567890", "1E-330"])
def test_json_prints_decimals_digit_by_digit(number: str) -> None:
    """An objective that no double can hold is printed exactly, as a JSON number."""
    line = render("json", ShownPoint(1, {"x": 0.5}, ("y", Decimal(number))))
    assert json.loads(line, parse_float=Decimal, parse_int=Decimal)["objective"] == {"y": Decimal(number)}


def test_json_stays_strict_where_the_best_is_infinite() -> None:
    """JSON has no infinity, so it is a text."""
    assert json.loads(json_line({"y": Decimal("-Infinity"), "z": Decimal("Infinity")})) == {"y": "-inf", "z": "inf"}


def test_csv_reads_back() -> None:
    """A header and one row, quoted where needed."""
    rows = list(csv.reader(render("csv", ShownPoint(3, {"a,b": 0.1, "n": 7})).splitlines()))
    assert rows == [["id", "a,b", "n"], ["3", "0.1", "7"]]


def test_env_survives_a_shell() -> None:
    """A shell that evaluates the lines gets the stored values, quotes and all."""
    script = render("env", POINT) + 'printf "%s|" "$ORDBO_ID" "$ORDBO_ANGLE" "$ORDBO_WALL_SHEAR" "$ORDBO_MESH"'
    shown = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown == "17|3.1|1e-05|it's fine|"


def test_args_are_one_shell_line() -> None:
    """Each parameter is one argument, whatever its value holds."""
    line = render("args", POINT)
    assert line.count("\n") == 1
    assert shlex.split(line) == ["--id=17", "--angle=3.1", "--blades=4", "--wall-shear=1e-05", "--mesh=it's fine"]


def test_a_row_without_id_prints_everywhere() -> None:
    """The best row of a table without ids is null in JSON and empty elsewhere."""
    point = ShownPoint(None, {"x": 1})
    assert json.loads(render("json", point))["id"] is None
    assert render("csv", point) == "id,x\n,1\n"
    assert render("env", point).startswith("ORDBO_ID=''\n")
    assert render("args", point) == "--id= --x=1\n"


@pytest.mark.parametrize("value", [0.1, 1e22, 1e-7, 5e-324, 1.7976931348623157e308, -0.30000000000000004, 123456789])
def test_every_format_prints_the_stored_value(value: float) -> None:
    """What is printed reads back as the same number, bit for bit."""
    for form in FORMATS:
        printed = render(form, ShownPoint(1, {"x": value}))
        number = printed.replace("}", "").replace("\n", " ").replace("=", " ").replace(",", " ").split()[-1]
        assert float(number).hex() == float(value).hex()


def test_several_points() -> None:
    """One below the other, in a CSV below one header; no point, no header."""
    points = [ShownPoint(id, {"x": id / 2, "n": 7}) for id in (3, 4)]
    assert render_all("csv", points) == "id,x,n\n3,1.5,7\n4,2.0,7\n"
    for form in ("json", "env", "args"):
        assert render_all(form, points) == render(form, points[0]) + render(form, points[1])
    assert [render_all(form, []) for form in ("json", "csv", "args")] == ["", "", ""]


def test_names_as_documented() -> None:
    """The interface's own example, and names beyond ASCII."""
    assert environment_name("wall shear") == environment_name("wall_shear") == "ORDBO_WALL_SHEAR"
    assert argument_name("wall shear") == argument_name("wall_shear") == "--wall-shear"
    assert environment_name("λ2") == "ORDBO__2"
    assert argument_name("λ.Re") == "--λ.Re"


@pytest.mark.parametrize(
    ("form", "names"),
    [("env", ["a b", "a_b"]), ("env", ["ID"]), ("env", ["λ", "µ"]), ("args", ["a b", "a-b"]), ("env", ["x", "X"])],
)
def test_names_that_would_be_printed_alike_are_errors(form: str, names: list[str]) -> None:
    """A script must never get one value under another's name."""
    with pytest.raises(ProblemError, match="would both be"):
        check_names(form, names)


def test_other_formats_tell_such_names_apart() -> None:
    """JSON and CSV print names as they are."""
    for form in ("json", "csv"):
        check_names(form, ["a b", "a_b", "x", "X"])
    check_names("args", ["x", "X"])


ABSENT = ShownPoint(3, {"solver": "a, b's", "x": 0.5}, names=("solver", "restart", "x", "wall shear"))


def test_what_does_not_count_is_left_out() -> None:
    """Of JSON and arguments; a CSV has an empty cell for it, under its name, in every row."""
    assert render("json", ABSENT) == '{"id": 3, "parameters": {"solver": "a, b\'s", "x": 0.5}}\n'
    assert shlex.split(render("args", ABSENT)) == ["--id=3", "--solver=a, b's", "--x=0.5"]
    other = ShownPoint(4, {"restart": 30, "solver": "cg", "x": 1.0}, names=ABSENT.names)
    rows = list(csv.reader(render_all("csv", [ABSENT, other]).splitlines()))
    assert rows == [["id", *ABSENT.names], ["3", "a, b's", "", "0.5", ""], ["4", "cg", "30", "1.0", ""]]


def test_what_does_not_count_is_unset() -> None:
    """What the point before has set, or a parent process, is not there any more."""
    script = "ORDBO_RESTART=30\nexport ORDBO_WALL_SHEAR=1\n" + render("env", ABSENT)
    script += 'echo "${ORDBO_RESTART-none} ${ORDBO_WALL_SHEAR-none} $ORDBO_SOLVER"'
    shown = subprocess.run(["sh", "-eu", "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown == "none none a, b's\n"
    assert "unset" not in render("env", POINT)
