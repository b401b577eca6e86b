"""What is appended is read back as it was, whatever the file and the names look like."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordbo_cli.files.tables.dialect import lines_of
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import Row, Status, append_rows, cells_of, columns_of
from ordbo_cli.problem import Fixed, Number, Parameter, Problem

pytestmark = pytest.mark.slow

SETTINGS = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])

_AWKWARD = st.sampled_from([" ", '"', "'", ",", ";", "=", "#", "%", "@", "-", "+", "ä", "ß", "λ", "气", "e\u0301", "1"])
_PRINTABLE = st.characters(categories=["L", "N", "P", "S"])
NAMES = (
    st.lists(st.one_of(_AWKWARD, _PRINTABLE), min_size=1, max_size=6)
    .map(lambda parts: "".join(parts).strip())
    .filter(lambda name: name and name.isprintable() and name not in ("id", "status"))
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
OBJECTIVES = st.one_of(
    FLOATS.map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(["1e400", "-1e500", "1e-320", "0.12345678901234567890", "-0.0", "1.234", "100.000", "999", "1."]),
)


@dataclass(frozen=True)
class Spelling:
    """How a file is written."""

    delimiter: str
    newline: str
    mark: str
    comma: bool
    ended: bool

    def line(self, cells: Sequence[str]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=self.delimiter, lineterminator=self.newline).writerow(cells)
        return buffer.getvalue()


@dataclass(frozen=True)
class Entry:
    """A row to write."""

    id: int | None
    values: tuple[Number, ...]
    objective: str
    status: Status


@st.composite
def spellings(draw: st.DrawFn) -> Spelling:
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    return Spelling(
        delimiter,
        draw(st.sampled_from(["\n", "\r\n", "\r"])),
        draw(st.sampled_from(["", "\ufeff"])),
        delimiter == ";" and draw(st.booleans()),
        draw(st.booleans()),
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    names = draw(st.lists(NAMES, min_size=3, max_size=5, unique=True))
    parameters: list[Parameter | Fixed] = [Parameter(names[0], -1.0, 1.0), Parameter(names[1], 1, 9, type="int")]
    words = st.one_of(FLOATS, NAMES)
    parameters += [Fixed(name, draw(words)) for name in names[2:-1]]
    return Problem(tuple(draw(st.permutations(parameters))), names[-1])


def entries(problem: Problem) -> st.SearchStrategy[Entry]:
    kinds = {"float": FLOATS, "int": st.integers(-(10**15), 10**15)}
    values = st.tuples(*(kinds[parameter.type] for parameter in problem.free))
    ids = st.one_of(st.none(), st.integers(1, 10**14))
    done = st.builds(Entry, ids, values, OBJECTIVES, st.just("ok"))
    without = st.builds(Entry, ids, values, st.just(""), st.sampled_from(["failed", "pending", "abandoned", "retry"]))
    return st.one_of(done, without)


def add(path: Path, problem: Problem, entry: Entry) -> None:
    """Append a row as a command does, and hold that nothing before it changes."""
    before = path.read_bytes() if path.exists() else b""
    table = Evaluations(path, problem).table()
    cells = cells_of(table, problem, entry.id, problem.mapping(entry.values), entry.objective, entry.status)
    append_rows(table, problem, [cells])
    assert path.read_bytes().startswith(before)


def same_text(found: str, written: str) -> bool:
    """Return whether an objective is spelt as it was; a point that may be taken for one of thousands has a 0 more."""
    return found in (written, f"{written}0") and (not written or Decimal(found) == Decimal(written))


def holds(row: Row, entry: Entry) -> None:
    """Assert that a row says what was written."""
    assert row.id == entry.id
    assert row.values == entry.values
    assert row.status == entry.status
    assert row.objective == (Decimal(entry.objective) if entry.status == "ok" else None)
    assert same_text(row.text, entry.objective)
    assert row.aside == ""


@SETTINGS
@given(data=st.data(), problem=problems(), spelling=spellings())
def test_rows_come_back_as_they_were(tmp_path: Path, data: st.DataObject, problem: Problem, spelling: Spelling) -> None:
    """Values, objective's text, status and id, below somebody's header in any spelling and order."""
    path = tmp_path / "e.csv"
    header = data.draw(st.permutations([*columns_of(problem), "note, extra", ""]))
    content = spelling.mark + spelling.line(header)
    path.write_bytes((content if spelling.ended else content.removesuffix(spelling.newline)).encode())
    written = data.draw(st.lists(entries(problem), min_size=1, max_size=4, unique_by=lambda entry: entry.id))
    for entry in written:
        add(path, problem, entry)
    rows = Evaluations(path, problem).table().rows
    assert len(rows) == len(written)
    for row, entry in zip(rows, written, strict=True):
        holds(row, entry)


@SETTINGS
@given(data=st.data(), problem=problems(), start=st.sampled_from(["", "\ufeff", "# notes\r\n", "\r\r"]))
def test_new_files_come_back_as_they_were(tmp_path: Path, data: st.DataObject, problem: Problem, start: str) -> None:
    """The header that ordbo writes is one that it reads, whatever the names."""
    path = tmp_path / "e.csv"
    path.write_bytes(start.encode())
    entry = data.draw(entries(problem))
    add(path, problem, entry)
    (row,) = Evaluations(path, problem).table().rows
    holds(row, entry)


def foreign(spelling: Spelling, problem: Problem, columns: Sequence[str], entry: Entry) -> str:
    """Return a row as somebody's program writes it: everything quoted or padded, numbers spelt another way."""
    sign = "," if spelling.comma else "."
    values = dict(zip((parameter.name for parameter in problem.free), entry.values, strict=True))
    cells = {
        **{name: f"{value:.17e}" if isinstance(value, float) else f"+{value:.1f}" for name, value in values.items()},
        problem.objective: entry.objective,
        "id": "" if entry.id is None else f"{entry.id}.0",
        "status": entry.status.upper(),
    }
    numbers = {name: text.replace(".", sign).replace("+-", "-") for name, text in cells.items()}
    return spelling.delimiter.join(f' "{numbers.get(name, "")}"' for name in columns) + spelling.newline


@SETTINGS
@given(data=st.data(), spelling=spellings())
def test_mixtures_come_back_as_they_were(tmp_path: Path, data: st.DataObject, spelling: Spelling) -> None:
    """Rows of somebody's program between ours, blank lines and comments among them."""
    problem = Problem((Parameter("x y", -1, 1), Parameter("n", 1, 9, type="int"), Fixed("w;", "s, a")), "f (z)")
    columns = ["f (z)", "note", *problem.names, "status", "id"]
    path = tmp_path / "e.csv"
    # A number with a decimal sign that is beyond doubt: what follows is read as it says.
    first = Entry(None, (0.5, 3), "0.25", "ok")
    path.write_bytes((spelling.mark + spelling.line(columns) + foreign(spelling, problem, columns, first)).encode())
    drawn = st.lists(st.tuples(entries(problem), st.booleans()), max_size=6, unique_by=lambda pair: pair[0].id)
    written = [first]
    for entry, ours in data.draw(drawn):
        written.append(entry)
        if ours:
            add(path, problem, entry)
            continue
        with path.open("ab") as file:
            if not path.read_bytes().endswith((b"\n", b"\r")):
                file.write(spelling.newline.encode())
            file.write(f"# by hand{spelling.newline}{spelling.newline}".encode())
            line = foreign(spelling, problem, columns, entry)
            file.write((line if spelling.ended else line.removesuffix(spelling.newline)).encode())
    rows = Evaluations(path, problem).table().rows
    assert [row.position for row in rows] == list(range(len(written)))
    for row, entry in zip(rows, written, strict=True):
        holds(row, entry)


@SETTINGS
@given(data=st.data(), newline=st.sampled_from(["\n", "\r\n", "\r"]), percent=st.booleans())
def test_tables_of_dakota_come_back_as_they_were(
    tmp_path: Path, data: st.DataObject, newline: str, percent: bool
) -> None:
    """Blanks divide the columns; what has no status column says ok and failed alone."""
    problem = Problem((Parameter("x", -1, 1), Parameter("n", 1, 9, type="int")), "obj_fn")
    header = "%eval_id interface   x n  obj_fn  con_1" if percent else "#  id   x n obj_fn\tinterface"
    path = tmp_path / "e.dat"
    path.write_bytes((header + newline).encode())
    can_be_said = entries(problem).filter(lambda entry: entry.status in ("ok", "failed"))
    written = data.draw(st.lists(can_be_said, min_size=1, max_size=4, unique_by=lambda entry: entry.id))
    for entry in written:
        add(path, problem, entry)
    for row, entry in zip(Evaluations(path, problem).table().rows, written, strict=True):
        assert (row.id, row.values, row.status) == (entry.id, entry.values, entry.status)
        assert row.text == (entry.objective if entry.status == "ok" else "nan")
    lines = path.read_text(encoding="utf-8").splitlines()  # which knows all three line ends
    assert {len(line.lstrip("# ").split()) for line in lines} == {len(header.lstrip("# ").split())}


@given(st.text(st.sampled_from(list('a,"\r\n\x0b\x0c\x1c\x85\u2028')), max_size=30))
def test_lines_end_where_python_ends_the_lines_of_a_file(text: str) -> None:
    """Vertical tabs, form feeds and Unicode's separators are part of a cell."""
    assert list(lines_of(text)) == list(io.StringIO(text, newline=""))


def test_names_and_words_with_an_apostrophe_are_their_own(tmp_path: Path) -> None:
    """What a spreadsheet would run has an apostrophe before it in an export; a problem's own names may begin so."""
    problem = Problem((Parameter("x", 0, 1), Parameter.of_levels("'+k", ["'-a", "b"], "categorical")), "'=y")
    path = tmp_path / "e.csv"
    path.write_text("x,'+k,'=y\n0.5,'-a,2\n")
    add(path, problem, Entry(None, (0.25, 0), "1", "ok"))
    assert [row.values for row in Evaluations(path, problem).table().rows] == [(0.5, 0), (0.25, 0)]
