"""Tables that blanks divide, as Dakota, Fortran and NumPy write them: read, and added to so that those read them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.errors import DataError, ManyErrors
from ordbo_cli.files.tables.evaluations import Evaluations, read_points
from ordbo_cli.files.tables.table import Status, append_rows, cells_of
from ordbo_cli.problem import Fixed, Number, Parameter, Problem

Writer = Callable[[str | bytes], Path]

PROBLEM = Problem((Parameter("x1", 0, 9), Parameter("n", 1, 5, type="int")), "obj_fn")
POINT: dict[str, Number | str] = {"x1": 0.5, "n": 3}
DAKOTA = """\
%eval_id interface             x1              n         obj_fn   nln_eq_con_1
       1     NO_ID            4.5              4    107.1314511     8.04440764
       2     NO_ID    5.801246882              3            nan    -4.59103645
"""


def add(
    path: Path,
    objective: str = "0.25",
    status: Status = "ok",
    id: int | None = 7,
    problem: Problem = PROBLEM,
    point: dict[str, Number | str] = POINT,
) -> bytes:
    """Append one row, and return the bytes that were added; what is read of it is what was written."""
    before = path.read_bytes()
    table = Evaluations(path, problem).table()
    append_rows(table, problem, [cells_of(table, problem, id, point, objective, status)])
    after = path.read_bytes()
    assert after.startswith(before)
    row = Evaluations(path, problem).table().rows[-1]
    assert row.values == (0.5, 3)
    assert (row.status, row.objective) == (status, Decimal(objective) if status == "ok" else None)
    assert row.id == (id if "id" in table.columns else None)
    return after[len(before) :]


def test_dakotas_table_is_read(csv: Writer) -> None:
    """%eval_id is the id, the interface and constraints are columns like any other, nan is a failure."""
    table = Evaluations(csv(DAKOTA), PROBLEM).table()
    assert [(row.id, row.values, row.status) for row in table.rows] == [
        (1, (4.5, 4), "ok"),
        (2, (5.801246882, 3), "failed"),
    ]
    assert table.rows[0].objective == Decimal("107.1314511")
    assert read_points(DAKOTA, "p", PROBLEM) == [{"x1": 4.5, "n": 4}, {"x1": 5.801246882, "n": 3}]


def test_a_parameter_may_have_the_name_of_dakotas_id(csv: Writer) -> None:
    """Then the column is the parameter's."""
    problem = Problem((Parameter("eval_id", 0, 9),), "y")
    (row,) = Evaluations(csv("%eval_id y\n3 4\n"), problem).table().rows
    assert (row.id, row.values) == (None, (3.0,))


def test_rows_that_are_added_have_a_word_in_every_column(csv: Writer) -> None:
    """NO_ID for the interface, 0 for no id, nan for all else that is not known."""
    path = csv(DAKOTA)
    assert add(path) == b"7 NO_ID 0.5 3 0.25 nan\n"
    assert add(path, "", "failed", 8) == b"8 NO_ID 0.5 3 nan nan\n"
    assert add(path, "1e-07", id=None) == b"0 NO_ID 0.5 3 1e-07 nan\n"
    with path.open("rb") as file:
        header, *rows = (line.split() for line in file)
    assert {len(row) for row in rows} == {len(header)}
    read = np.genfromtxt(path, names=True, dtype=None, encoding="utf-8")
    assert list(read["eval_id"]) == [1, 2, 7, 8, 0]
    assert list(read["interface"]) == ["NO_ID"] * 5
    assert list(read["x1"]) == [4.5, 5.801246882, 0.5, 0.5, 0.5]
    assert np.array_equal(read["obj_fn"], [107.1314511, np.nan, 0.25, np.nan, 1e-7], equal_nan=True)


def test_numpys_table_makes_the_round_trip(tmp_path: Path) -> None:
    """What savetxt writes is read to the last bit, and loadtxt reads it with our rows."""
    path = tmp_path / "e.txt"
    values = np.array([[1 / 3, 2.0, 1e-300], [np.pi, 5.0, np.nan]])
    np.savetxt(path, values, header="x1 n obj_fn")
    table = Evaluations(path, PROBLEM).table()
    assert [row.values for row in table.rows] == [(1 / 3, 2), (np.pi, 5)]
    assert [row.objective and float(row.objective) for row in table.rows] == [1e-300, None]
    add(path)
    assert np.array_equal(np.loadtxt(path), [*values, [0.5, 3, 0.25]], equal_nan=True)


def test_a_status_column_says_the_rest(csv: Writer) -> None:
    """Pending rows hold nan as their objective; a number there is a result."""
    path = csv("id x1 n obj_fn status\n1 2 3 nan pending\n2 2 3 5 pending\nnan 2 3 6 nan\n4 2 3 nan ok\n")
    rows = Evaluations(path, PROBLEM).table().rows
    assert [(row.id, row.status) for row in rows] == [(1, "pending"), (2, "ok"), (None, "ok"), (4, "failed")]
    assert add(path, "", "pending") == b"7 0.5 3 nan pending\n"
    assert add(path, "", "abandoned", None) == b"0 0.5 3 nan abandoned\n"
    assert add(path, "", "failed") == b"7 0.5 3 nan failed\n"


def test_what_the_table_cannot_say_is_refused(csv: Writer) -> None:
    """An expiry without a column for it; a word with a blank is none of its concern where it has no column."""
    path = csv(DAKOTA)
    with pytest.raises(DataError, match="no column 'status' can say expired"):
        add(path, "", "expired")
    problem = Problem((*PROBLEM.parameters, Fixed("wall", "s a")), "obj_fn")
    point: dict[str, Number | str] = {**POINT, "wall": "s a"}
    assert add(path, problem=problem, point=point) == b"7 NO_ID 0.5 3 0.25 nan\n"


@pytest.mark.parametrize("word", ["s a", "s\ta", 's"a', "#1"])
def test_words_that_blanks_would_cut_are_refused(csv: Writer, word: str) -> None:
    """A blank, a quotation mark, or NumPy's sign of a comment; nothing is written then."""
    problem = Problem((*PROBLEM.parameters, Fixed("wall", word)), "obj_fn")
    path = csv("wall x1 n obj_fn\n")
    with pytest.raises(DataError, match=r"column 'wall': '.*' cannot stand in it\. Blanks divide its columns"):
        add(path, problem=problem, point={**POINT, "wall": word})
    assert path.read_bytes() == b"wall x1 n obj_fn\n"


def test_names_with_blanks_need_quotation_marks(csv: Writer) -> None:
    """R writes them; without the marks the hint says what is missing."""
    problem = Problem((Parameter("wall shear", 0, 9), Parameter("n", 1, 5, type="int")), "obj_fn")
    (row,) = Evaluations(csv('"wall shear" "n" "obj_fn"\n0.5 3 2\n'), problem).table().rows
    assert row.values == (0.5, 3)
    with pytest.raises(ManyErrors, match=r"no column 'wall shear'\. Names with blanks need quotation marks where"):
        Evaluations(csv("# wall shear n obj_fn\n0.5 3 2\n"), problem).table()


def test_names_may_hold_quotation_marks(csv: Writer) -> None:
    """Doubled inside quotation marks, as in any CSV."""
    problem = Problem((Parameter('a "b"', 0, 9), Parameter("n", 1, 5, type="int")), "y")
    (row,) = Evaluations(csv('" a ""b"" " n "y"\n"0.5" 3 2\n'), problem).table().rows
    assert row.values == (0.5, 3)


def test_line_ends_are_kept(csv: Writer) -> None:
    """CRLF, lone CR, and a last row without one."""
    assert add(csv("x1 n obj_fn\r\n1 2 3")) == b"\r\n0.5 3 0.25\r\n"
    assert add(csv("x1 n obj_fn\r1 2 3\r")) == b"0.5 3 0.25\r"


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_another_delimiter_goes_before_blanks(csv: Writer, sign: str) -> None:
    """Blanks beside it are padding, and names may hold them."""
    problem = Problem((Parameter("x 1", 0, 9), Parameter("n", 1, 5, type="int")), "obj fn")
    (row,) = Evaluations(csv(f"x 1 {sign} n {sign} obj fn\n0.5 {sign} 3 {sign} 2\n"), problem).table().rows
    assert row.values == (0.5, 3)
    assert row.objective == 2


def test_a_point_that_is_out_has_a_word_where_no_cell_can_be_empty(csv: Writer) -> None:
    """And is read as what it is; nan is a failure there."""
    path = csv(DAKOTA)
    assert add(path, "", "pending") == b"7 NO_ID 0.5 3 pending nan\n"
    assert Evaluations(path, PROBLEM).table().rows[-1].status == "pending"
