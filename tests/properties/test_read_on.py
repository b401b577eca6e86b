"""A table that grows is read on from its end, and says what it says when all of it is read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.errors import OrdboError
from ordbo_cli.files.durable import journal
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import Table
from ordbo_cli.problem import Fixed, Parameter, Problem
from ordbo_cli.problem.limit import Limit

X = Parameter("x", 0, 1)
PROBLEMS: dict[str, tuple[Problem, str, list[str]]] = {
    "plain": (Problem((X,), "y"), "id,x,y,status", ["1,0.5,2,ok", "2,0.5,,", "1,7,3,", '"3",0.25,">1",']),
    "fixed": (
        Problem((X, Fixed("mesh", "fine")), "y"),
        "id,x,mesh,y",
        ["1,0.5,fine,2", "1,0.5,rough,3", "2,0.5,,failed"],
    ),
    "words": (
        Problem((X, Parameter.of_levels("mesh", ["a", "b"], "categorical")), "y"),
        "note,x,mesh,y",
        ['"a\nb",0.5,a,2', ",0.25,b,", "#,0.5,b,1"],
    ),
    "added": (Problem((X, Parameter("z", 0, 1, past=0.5)), "y"), "x,y,z", ["0.5,2,0.25", "0.5,2", "0.25,,"]),
    "limited": (
        Problem((X,), "y", outcomes=(Limit("s", max=Decimal(3)),)),
        "x,y,s,status",
        ["0.5,2,3,", "0.25,,4,ok", "0.5,1,1,retry"],
    ),
    "semicolons": (Problem((X,), "y"), "id;x;y;status", ["1;0,5;2,5;ok", "2;0.5;2.5;ok", "3;1;;"]),
    "ranked": (
        Problem((Parameter("x", 0, 1, type="ranked"), Parameter("z", 0, 1)), "y"),
        "id,x,z,y",
        ["1,any,0.5,2", "2,above 1,0.5,", "3,as 2,0.5,1"],
    ),
}
WORDS = "0 0.25 0,25 1 2 2.0 3 1e400 nan failed ok pending a b fine # any above >0.5 é"
CELLS = st.sampled_from(["", "7 ", '"1\n2"', '"', "\0", "\ufeff", *WORDS.split(" ")])
JUNK = st.lists(CELLS, max_size=5)
ENDS = st.sampled_from(["\n"] * 7 + ["\r\n", "\r", ""])


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "_NAPS", ())  # nobody else is writing
        yield Path(name)


@pytest.mark.slow
@given(st.sampled_from(sorted(PROBLEMS)), st.data())
def test_reading_on_is_reading_all(folder: Path, name: str, data: st.DataObject) -> None:
    """Rows, warnings and errors alike, for sound rows, broken ones, and rows that come in pieces."""
    problem, header, sound = PROBLEMS[name]
    path = folder / "p.csv"
    delimiter = ";" if ";" in header else ","
    lines = (
        st.sampled_from(sound)
        if data.draw(st.booleans())
        else st.one_of(st.sampled_from(sound), JUNK.map(delimiter.join))
    )
    path.write_text(header + "\n")
    kept = Evaluations(path, problem)
    for chunk in data.draw(st.lists(st.lists(st.tuples(lines, ENDS), max_size=3), min_size=1, max_size=5)):
        with path.open("a", newline="") as file:
            file.write("".join(line + end for line, end in chunk))
        assert _said(kept) == _said(Evaluations(path, problem))


def test_rows_that_are_there_are_not_parsed_again(tmp_path: Path) -> None:
    """The rows of a table that only grew are the very same ones; a table that was edited is read anew."""
    problem, header, _ = PROBLEMS["plain"]
    path = tmp_path / "p.csv"
    path.write_text(f"{header}\n1,0.5,2,ok\n")
    kept = Evaluations(path, problem)
    first = kept.table()
    path.write_text(f"{header}\n1,0.5,2,ok\n2,0.75,1,ok\n")
    second = kept.table()
    assert second.rows[:1] == first.rows
    assert second.rows[0] is first.rows[0]
    assert kept.table() is second
    path.write_text(f"{header}\n1,0.5,9,ok\n2,0.75,1,ok\n")
    assert kept.table() == Evaluations(path, problem).table() != second


def _said(evaluations: Evaluations) -> Table | list[str]:
    try:
        return evaluations.table()
    except OrdboError as error:
        return str(error).splitlines()
