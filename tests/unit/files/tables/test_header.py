"""Columns that are spelt in another way than the problem's names, and a row of units below them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.tables.evaluations import Evaluations, read_points
from ordbo_cli.files.tables.table import Table, append_rows, cells_of
from ordbo_cli.problem import Fixed, Parameter, Problem
from ordbo_cli.problem.spelling import Note

Writer = Callable[[str | bytes], Path]

PARAMETERS = (Parameter("height", 0, 5, unit="m"), Parameter("blades", 3, 9, type="int"))
PROBLEM = Problem(PARAMETERS, "drag", unit="N")
CALLED = Problem(PARAMETERS, "drag", unit="N", columns=(("height", "H (mm)"), ("drag", "Cd")))


def read(path: Path, problem: Problem = PROBLEM) -> Table:
    return Evaluations(path, problem).table()


def errors_of(path: Path, problem: Problem = PROBLEM) -> list[str]:
    with pytest.raises(ManyErrors) as caught:
        read(path, problem)
    return [str(error)[str(error).index(path.name) :] for error in caught.value.errors]


@pytest.mark.parametrize(
    "header",
    [
        "HEIGHT,Blades,Drag",
        "Height,blades,DRAG [N]",
        "height [m],blades [-],drag (N)",
        "height (m), BLADES ,drag[N]",
        "height_m,blades,Drag_N",
        "# Height,Blades,Drag",
        "%Height  blades  drag",
        "Height;Blades;Drag",
        "Height\tBlades\tDrag",
        "Height  Blades  Drag",
    ],
)
def test_other_spellings_are_the_columns(csv: Writer, header: str) -> None:
    """Capital letters and units behind the name change nothing, and people are told."""
    sign = next((sign for sign in ",;\t" if sign in header), " ")
    table = read(csv(f"{header}\n{sign.join(['1', '4', '2'])}\n"))
    assert [row.values for row in table.rows] == [(1, 4)]
    assert [str(row.objective) for row in table.rows] == ["2"]
    assert any("is taken for" in note for note in table.warnings if isinstance(note, Note))


@pytest.mark.parametrize("header", ["height,Height,blades,drag", "HEIGHT,height,blades,drag"])
def test_the_exact_name_wins(csv: Writer, header: str) -> None:
    """Another column of almost its name stays the user's own, in silence."""
    table = read(csv(f"{header}\n2,2,4,1\n"))
    assert table.columns["height"] == header.split(",").index("height")
    assert table.warnings == ()


def test_several_spellings_are_refused(csv: Writer) -> None:
    """Nothing is chosen: both columns are named, and how to say which it is."""
    (error,) = errors_of(csv("Height,HEIGHT [m],blades,drag\n1,1,4,2\n"))
    assert error.startswith("drag.csv:1:8: the columns 'Height' and 'HEIGHT [m]' may both be 'height'.")
    assert 'in the problem file: columns: {height: "Height"}' in error
    (error,) = errors_of(csv("Height,HEIGHT,height [m],blades,drag\n1,1,1,4,2\n"))
    assert "the columns 'Height', 'HEIGHT' and 'height [m]' may all be 'height'" in error


def test_one_column_is_not_two_names(csv: Writer) -> None:
    """Names that differ in case alone are two parameters; a third spelling is neither in silence."""
    problem = Problem((Parameter("k", 0, 1), Parameter("K", 0, 1)), "y")
    assert read(csv("k,K,y\n0.1,0.2,1\n"), problem).rows[0].values == (0.1, 0.2)
    assert any("the column 'K [-]' may be 'k' or 'K'" in error for error in errors_of(csv("K [-],y\n0.1,1\n"), problem))


@pytest.mark.parametrize("header", ["height (mean),blades,drag", "height[0],blades,drag", "height (in),blades,drag"])
def test_what_is_no_unit_makes_another_column(csv: Writer, header: str) -> None:
    """Brackets may hold a statistic, a place or an index: those columns are asked for, not taken."""
    (error,) = errors_of(csv(f"{header}\n1,4,2\n"))
    assert error.startswith("drag.csv:1:1: there is no column 'height'. Is it 'height")
    assert "Then say so in the problem file: columns: {height: " in error


def test_another_unit_is_refused(csv: Writer) -> None:
    """Numbers are never converted: millimetres are no metres."""
    (error,) = errors_of(csv("height [mm],blades,drag\n1,4,2\n"))
    assert error.startswith("drag.csv:1:1: the column 'height [mm]' is in mm, and 'height' in m.")


def test_columns_of_the_problem_file_win(csv: Writer) -> None:
    """They are taken letter by letter, before the exact name, and with the unit that they state."""
    table = read(csv("height,H (mm),blades,Cd\n9,1,4,2\n"), CALLED)
    assert table.rows[0].values == (1, 4)
    said = [note.removeprefix(str(table.path)) for note in table.warnings]
    assert any("'H (mm)' says mm, the problem file m: taken as they are" in note for note in said)
    assert any("the column 'height' is passed over: columns: names another" in note for note in said)
    (error,) = errors_of(csv("H (mm),blades,Cl\n1,4,2\n"), CALLED)
    assert error.startswith("drag.csv:1:1: there is no column 'Cd', which columns: names for 'drag'.")


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("NOTE,HEIGHT [m],Blades,Drag\nx,1,4,2\n", ",1.5,4,3\n"),
        ("Height;Blades;Drag\nm;-;N\n1,5;4;2,5\n", "1.5;4;3\n".replace(".", ",")),
        ("Status,DRAG,Blades,Height\nok,2,4,1\n", "ok,3,4,1.5\n"),
    ],
)
def test_rows_are_appended_below_the_users_own_header(csv: Writer, text: str, added: str) -> None:
    """Not a byte of the file is changed, its row of units included, and what was written is read again."""
    path = csv(text)
    table = read(path)
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, {"height": 1.5, "blades": 4}, "3", "ok")])
    assert path.read_text() == text + added
    assert read(path).rows[-1].values == (1.5, 4)


def test_rows_are_appended_below_a_comment_that_names_columns(csv: Writer) -> None:
    """As NumPy writes it, whatever the problem file calls the columns."""
    path = csv("# H (mm),blades,Cd\n1,4,2\n")
    table = read(path, CALLED)
    append_rows(table, CALLED, [cells_of(table, CALLED, None, {"height": 1.5, "blades": 4}, "3", "ok")])
    assert path.read_text() == "# H (mm),blades,Cd\n1,4,2\n1.5,4,3\n"


def test_a_new_file_has_the_columns_of_the_problem_file(tmp_path: Path) -> None:
    """Where ordbo writes the header itself, it uses the names that the problem file gives."""
    path = tmp_path / "new.csv"
    for _ in range(2):
        table = read(path, CALLED)
        append_rows(table, CALLED, [cells_of(table, CALLED, None, {"height": 1.5, "blades": 4}, "3", "ok")])
    assert path.read_text() == "id,H (mm),blades,Cd,status\n" + ",1.5,4,3,ok\n" * 2


def test_rows_that_are_added_are_read_under_the_same_header(csv: Writer) -> None:
    """A file that is read again and again keeps its note and its columns."""
    path = csv("Height,Blades,Drag\nm,-,N\n1,4,2\n")
    evaluations = Evaluations(path, PROBLEM)
    first = evaluations.table()
    path.write_text(path.read_text() + "2,5,3\n")
    second = evaluations.table()
    assert [row.line for row in second.rows] == [3, 4]
    assert second.warnings == first.warnings != ()


@pytest.mark.parametrize(
    "units",
    ["m,-,N", "[m],[-],[N]", "(m),,(N)", "m,1/s,N", ",,N", "m,,", "km/h,-,".replace("km/h", "m")],
)
def test_a_row_of_units_is_passed_over(csv: Writer, units: str) -> None:
    """It stands right below the header, and is told."""
    table = read(csv(f"height,blades,drag\n{units}\n1,4,2\n"))
    assert [row.line for row in table.rows] == [3]
    assert table.warnings[0].endswith("line 2 is a row of units, passed over")


@pytest.mark.parametrize("row", ["m,4,N", "-,-,-", "x,y,z", "m,-,failed", "m,-,nan", "min,-,in"])
def test_a_row_that_may_be_data_is_no_row_of_units(csv: Writer, row: str) -> None:
    """A number, a word for a failure, or nothing that is surely a unit: it is read as a result, and refused."""
    assert errors_of(csv(f"height,blades,drag\n{row}\n1,4,2\n"))[0].startswith("drag.csv:2:")


def test_levels_are_no_units(csv: Writer) -> None:
    """Where m, s and N are settings, a row of them is a result."""
    problem = Problem((Parameter.of_levels("fit", ["m", "s"], "categorical"), PARAMETERS[0]), "drag")
    assert read(csv("fit,height,drag\nm,1,3\ns,2,4\n"), problem).rows[0].values == (0, 1)
    assert errors_of(csv("fit,height,drag\nm,m,N\ns,2,4\n"), problem)[0].startswith("drag.csv:2:")


def test_units_that_are_not_the_problems_are_refused(csv: Writer) -> None:
    """As in the header; a second row of units is a row like any other."""
    (error,) = errors_of(csv("height,blades,drag\nmm,-,N\n1,4,2\n"))
    assert error.startswith("drag.csv:2:1: column 'height' is in mm, and in the problem file in m.")
    assert errors_of(csv("height,blades,drag\nm,-,N\nm,-,N\n1,4,2\n"))[0].startswith("drag.csv:3:")


@pytest.mark.parametrize(("rows", "ids"), [(["7,1,4,2", "8,2,5,3"], [7, 8]), (["A7,1,4,2", "A8,2,5,3"], [None, None])])
def test_a_column_of_almost_the_name_id(csv: Writer, rows: Sequence[str], ids: Sequence[int | None]) -> None:
    """ID is id where it holds ids; where no cell is one, it is the user's own column."""
    table = read(csv("\n".join(["ID,height,blades,drag", *rows, ""])))
    assert [row.id for row in table.rows] == ids


def test_a_column_that_may_hold_batches_is_asked_for(csv: Writer) -> None:
    """Of an id the last result alone counts: where ID repeats it may be something else, and rows would be lost."""
    (error,) = errors_of(csv("ID,height,blades,drag\n1,1,4,2\n1,2,5,3\n"))
    assert "the column 'ID' may hold ids" in error
    table = read(csv("ID,height,blades,drag\n1,1,4,2\n1,1,4,3\n"))
    assert table.warnings[1].endswith("1 row (line 3) with an id that has a result above: the last one counts")
    rows = "ID,height,blades,drag,status\n1,1,4,2,ok\n1,1,4,3,ok\n1,1,4,3,undone:ok\n"
    assert [note for note in read(csv(rows)).warnings if "above" in note] == []


def test_points_are_read_alike() -> None:
    """Tables of points to predict may be spelt in other ways, too."""
    told: list[str] = []
    assert read_points("BLADES,Height [m]\n-,m\n4,1\n", "p", PROBLEM, told.append) == [{"height": 1.0, "blades": 4}]
    assert told == [
        "p: 'Height [m]' is taken for height, 'BLADES' is taken for blades",
        "p: line 2 is a row of units, passed over",
    ]


def test_many_other_spellings_do_not_fill_the_screen(csv: Writer) -> None:
    """Of three hundred columns ten are told."""
    problem = Problem(tuple(Parameter(f"x{k}", 0, 1) for k in range(300)), "y")
    (note,) = read(
        csv(",".join([f"X{k}" for k in range(300)] + ["Y"]) + "\n" + ",".join(["0.5"] * 301) + "\n"), problem
    ).warnings
    assert note.endswith("'X9' is taken for x9, and 291 more")


def test_fixed_parameters_have_columns_too(csv: Writer) -> None:
    """A constant that is spelt in another way is compared with the problem's."""
    problem = Problem((*PARAMETERS, Fixed("span", 2.0)), "drag")
    assert [row.aside for row in read(csv("height,blades,SPAN,drag\n1,4,2,1\n1,4,3,1\n"), problem).rows] == [
        "",
        "span is 3, not 2.0",
    ]
