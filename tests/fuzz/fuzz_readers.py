"""Feed the three readers whatever atheris thinks of: a value or an error for people, in bounded time and memory.

Used as ``python tests/fuzz/fuzz_readers.py problem|evaluations|state CORPUS -max_total_time=60`` by ``make fuzz``. The
corpus begins with the golden files.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ordbo_cli"]):
    from ordbo_cli.errors import OrdboError
    from ordbo_cli.files.durable import journal
    from ordbo_cli.files.handed import Pending
    from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
    from ordbo_cli.files.state import Loaded, State, load_state, save_state
    from ordbo_cli.files.tables.evaluations import Evaluations, read_points, read_results
    from ordbo_cli.files.tables.table import append_rows, cells_of
    from ordbo_cli.files.values.result_file import read_result
    from ordbo_cli.problem import Fixed, Parameter, Problem
    from ordbo_cli.study.reading.ledger import ledger_of
    from ordbo_cli.study.reading.naming import arrivals

GOLDEN = Path(__file__).parents[1] / "golden"
FOLDER = Path(tempfile.mkdtemp(prefix="ordbo-fuzz-"))
PROBLEM = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int"), Fixed("span", 2.0)), "drag")
FILE = ProblemFile(
    FOLDER / "drag.yaml", PROBLEM, FOLDER / "drag.csv", FOLDER / "drag.state.json", FOLDER / "c.csv",
    FOLDER / "drag.suggestions.jsonl", (), Evaluations(FOLDER / "drag.csv", PROBLEM),
)  # fmt: skip
journal._NAPS = ()  # type: ignore[assignment,misc]  # nobody else is writing


def problem(content: bytes) -> None:
    """Read a problem file."""
    FILE.path.write_bytes(content)
    load_problem(FILE.path)


def table(content: bytes) -> None:
    """Read a table, and append a row: the bytes before it stay, and every row reads back as it was."""
    FILE.evaluations.write_bytes(content)
    text = content.decode(errors="surrogateescape")
    for read in (read_results, read_points):
        refused(partial(read, text, "-", PROBLEM))
    refused(partial(read_result, text, "-", PROBLEM))
    found = Evaluations(FILE.evaluations, PROBLEM).table()
    ledger_of(PROBLEM, arrivals(found.rows, PROBLEM, Loaded(State("", 0)), ()).rows, ()).evaluations()
    cells = cells_of(found, PROBLEM, None, {"angle": 0.5, "blades": 3, "span": 2.0}, "0.25", "ok")
    append_rows(found, PROBLEM, [cells])
    if not FILE.evaluations.read_bytes().startswith(content):
        raise AssertionError("a byte was changed")
    again = Evaluations(FILE.evaluations, PROBLEM).table()
    if [(row.values, row.status, row.objective) for row in again.rows] != [
        *((row.values, row.status, row.objective) for row in found.rows), ((0.5, 3), "ok", again.rows[-1].objective)
    ]:  # fmt: skip
        raise AssertionError("the rows have changed")


def state(content: bytes) -> None:
    """Read a state, and write it again."""
    FILE.state.write_bytes(content)
    found = load_state(FILE)
    if found.whole:
        save_state(FILE, found, found.state)
        if load_state(FILE).state != found.state:
            raise AssertionError("the state has changed")


READERS: dict[str, Callable[[bytes], None]] = {"problem": problem, "evaluations": table, "state": state}


def refused(call: Callable[[], object]) -> None:
    """Let errors for people pass that are safe on a terminal; everything else is a finding."""
    try:
        call()
    except OrdboError as error:
        if not str(error).replace("\n", "").isprintable():
            raise AssertionError(f"not safe on a terminal: {error!r}") from error


def seed(name: str, corpus: Path) -> None:
    """Put the golden files of a reader into its corpus, or a state as it is written."""
    corpus.mkdir(parents=True, exist_ok=True)
    golden = {"problem": "problems/*.yaml", "evaluations": "evaluations/*/drag.csv", "state": ""}[name]
    for path in GOLDEN.glob(golden) if golden else ():
        shutil.copy(path, corpus / f"{path.parent.name}-{path.name}")
    if name == "state":
        pending = Pending(2, {"angle": 1.5, "blades": 4, "span": 2.0}, "2026-11-28T00:00:00+00:00", 3)
        fresh = load_state(FILE)
        save_state(FILE, fresh, replace(fresh.state, step=3, next_id=4, pending=(pending,), fit={"sigma": 1.0}))
        shutil.copy(FILE.state, corpus / "state.json")


def main() -> None:
    """Fuzz one reader for as long as libFuzzer's options say."""
    name = sys.argv.pop(1)
    reader = READERS[name]
    seed(name, Path(sys.argv[1]))
    atheris.Setup(sys.argv, lambda content: refused(lambda: reader(content)))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
