"""Any bytes give a value or an error for people, in each of the three readers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordbo_cli.errors import OrdboError
from ordbo_cli.files.durable import journal
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.state import Loaded, State, load_state
from ordbo_cli.files.tables.evaluations import Evaluations, read_points, read_results
from ordbo_cli.files.tables.table import append_rows, cells_of
from ordbo_cli.problem import Fixed, Parameter, Problem
from ordbo_cli.study.reading.ledger import ledger_of
from ordbo_cli.study.reading.naming import arrivals

pytestmark = pytest.mark.slow

PROBLEM = Problem((Parameter("x", 0, 9), Parameter("n", 1, 5, type="int"), Fixed("w", 2.0)), "y")

FUZZ = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

yaml_text = st.lists(
    st.sampled_from(
        ["objective: ", "parameters:", "{name: y, goal: minimize}", "x: ", "min: 0", "max: 1", ", ", "\n", "  ", "{",
         "}", "[", "]", "- ", "&a ", "*a", "!!str ", "!!float ", "'", '"', ": ", "method: ", "prior: ", "none",
         "1e999", "~", "bounds: [0, 1]", "log: true", "value: 3", "? ", "\t", "#", "|", ">", "---", "...", "\x85",
         "\u2028", "%YAML 1.1\n", "<<: ", "!!binary ", "!!python/object/apply:os.system ", "!own ",
         "1_000", "010", "12:30", "0x1F", ".nan", "-.inf", "2026-11-27", "1e-320", "\ufeff", "\u202e", '"\\e[31m"',
         '"\\ud800"', "evaluations: ", "state: ", "p.yaml", "/", "..", "type: int, ", "type: ordinal, ", "step: 0.1",
         "digits: 3", "scale: log, ", "values: [a, b]", "constraints: []\n", "{beta: theory}", "seed: 1\n", "name: x, "]
    ),
    max_size=25,
).map("".join)  # fmt: skip
csv_text = st.lists(
    st.sampled_from(
        ["id,x,n,y,status\n", "x;n;y\n", "x\tn\ty\n", "1,", "2;", "0,5;", "\n", "\r\n", "\r", '"', "#", "failed",
         "pending", "ok", "nan", "inf", "-inf", "1e400", "1e999999999", "3.14-114", "****", ",", ";", "\t", " ", "1.5",
         "4", "\0", "é", "id,x,n,w,y,status\n7,1,2,2,,pending\n", "7,,,,3,ok\n", "\ufeff",
         "%eval_id interface x n y\n", "# x n y\n", "1 NO_ID 2 3 4\n", "1 2 3\n", "%", "#N/A", "1.234;",
         "abandoned", "expired", "\u202e", "%", "1.#QNAN", "-1e400", "0x1F", "1.234,5", '"1,5"', "=1+1"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@pytest.fixture
def no_naps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look only once at files that end in half a row."""
    monkeypatch.setattr(journal, "_NAPS", ())


def refusal(call: Callable[[], object]) -> OrdboError | None:
    """Return the error for people that a call gives, if any; its text is safe on a terminal."""
    found: OrdboError | None = None
    try:
        call()
    except OrdboError as error:
        found = error
    if found and not all(line.isprintable() for line in str(found).splitlines()):
        pytest.fail(f"not safe on a terminal: {found!r}")
    return found


@FUZZ
@given(
    st.one_of(
        st.binary(max_size=200),
        yaml_text.map(str.encode),
        yaml_text.map(lambda text: text.encode("utf-16")),
        yaml_text.map(lambda text: b"objective: {name: y, goal: minimize}\nparameters: " + text.encode()),
    )
)
def test_any_problem_file(tmp_path: Path, content: bytes) -> None:
    """YAML in pieces, and any bytes."""
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    error = refusal(lambda: load_problem(path).problem.free)
    assert error is None or error.exit_status == 78


@FUZZ
@given(st.one_of(st.binary(max_size=200), csv_text.map(str.encode)))
def test_any_evaluations(tmp_path: Path, no_naps: None, content: bytes) -> None:
    """CSV in pieces, and any bytes; what is read can be appended to without a change."""
    path = tmp_path / "e.csv"
    path.write_bytes(content)
    if error := refusal(lambda: Evaluations(path, PROBLEM).table()):
        assert error.exit_status == 65
        return
    table = Evaluations(path, PROBLEM).table()
    ledger_of(PROBLEM, arrivals(table.rows, PROBLEM, Loaded(State("", 0)), ()).rows, ()).evaluations()
    cells = cells_of(table, PROBLEM, None, {"x": 0.5, "n": 3, "w": 2.0}, "0.25", "ok")
    append_rows(table, PROBLEM, [cells])
    assert path.read_bytes().startswith(content)
    again = Evaluations(path, PROBLEM).table()
    assert again.rows[:-1] == table.rows
    assert (again.rows[-1].values, again.rows[-1].text) == ((0.5, 3), "0.25")


@FUZZ
@given(st.one_of(st.text(max_size=200), csv_text))
def test_any_results_and_points(content: str) -> None:
    """What arrives on standard input, lone surrogates included."""
    for read in (read_results, read_points):
        with contextlib.suppress(OrdboError):
            read(content, "-", PROBLEM)


@FUZZ
@given(
    st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3),
                st.dictionaries(
                    st.sampled_from(["format", "settings", "step", "next_id", "pending", "fit", "diagnostics", "id"]),
                    inner,
                ),
            ),
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_any_state(file: ProblemFile, content: bytes) -> None:
    """JSON in pieces, and any bytes: unreadable, or refused."""
    file.state.write_bytes(content)
    error = refusal(lambda: load_state(file))
    assert error.exit_status == 65 if error else not load_state(file).whole


@pytest.mark.parametrize("rows", [20_000])
def test_a_long_table_is_read_whole(tmp_path: Path, rows: int) -> None:
    """Every row of a large file arrives."""
    path = tmp_path / "e.csv"
    path.write_text(
        "id,x,n,y,status\n" + "".join(f"{k},{k % 9}.25,{k % 5 + 1},{k}e-3,ok\n" for k in range(1, rows + 1))
    )
    assert len(Evaluations(path, PROBLEM).table().rows) == rows
