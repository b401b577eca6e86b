"""The line protocol: what is asked and told, what comes back, and that nothing ends it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordbo_cli.cli.output import json_line
from ordbo_cli.drive.protocol import Protocol
from ordbo_cli.drive.request import DEEPEST, LONGEST_LINE, lines
from ordbo_cli.errors import DataError, LockTimeoutError, ManyErrors
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

Send = Callable[[object], dict[str, Any]]

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {type: float, min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
  wall: {value: sst}
"""


@pytest.fixture
def drag(tmp_path: Path) -> Path:
    """A problem file."""
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM)
    return path


def _refuse(text: str) -> None:
    raise AssertionError(f"{text} is no strict JSON")


def spoken(path: Path, **settings: Any) -> Send:
    """Return a function that sends an object, or bytes as they stand, and returns the answer."""
    protocol = Protocol(lambda: Study.open(path, lock_timeout=0.2), json_line, **settings)

    def send(request: object) -> dict[str, Any]:
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        answer = protocol.answer(line).line
        assert answer.endswith("\n")
        assert answer.count("\n") == 1
        answer.encode("utf-8")
        found = json.loads(answer, parse_constant=_refuse)
        assert isinstance(found, dict)
        return found

    return send


@pytest.fixture
def send(drag: Path) -> Send:
    """Send requests on a new study."""
    return spoken(drag)


def rows(drag: Path) -> list[dict[str, str]]:
    """Return the rows of the evaluations."""
    with drag.with_suffix(".csv").open(newline="") as table:
        return list(csv.DictReader(table))


def recorded(drag: Path) -> dict[str, bytes]:
    """Return what the files of a study hold, the lock aside: it names its last holder."""
    return {path.name: path.read_bytes() for path in drag.parent.iterdir() if path.suffix != ".lock"}


def test_points_are_counted_on(send: Send, drag: Path) -> None:
    """One point, then three more with ids of their own and all parameters; the CSV is not touched."""
    (first,) = send({"ask": 1})["points"]
    points = [first, *send({"ask": 3})["points"]]
    assert [point["id"] for point in points] == [1, 2, 3, 4]
    assert all(list(point["parameters"]) == ["angle", "blades", "wall"] for point in points)
    assert len({(point["parameters"]["angle"], point["parameters"]["blades"]) for point in points}) == 4
    assert not drag.with_suffix(".csv").exists()


def test_append_writes_pending_rows(drag: Path) -> None:
    """A row for each point that was asked for, and none for a look at the study."""
    send = spoken(drag, append=True)
    send({"ask": 2})
    send({"status": True})
    assert [(row["id"], row["status"]) for row in rows(drag)] == [("1", "pending"), ("2", "pending")]


@pytest.mark.parametrize(
    ("said", "kept", "back"),
    [
        ("0.31", "0.31", "0.31"),
        ("0.310", "0.310", "0.310"),
        ("12345678901234567890.5", "12345678901234567890.5", "12345678901234567890.5"),
        ("1e400", "1e400", "1E+400"),
        ('"1e400"', "1e400", "1E+400"),
        ('"1.0D+05"', "1.0E+5", "1.0E+5"),
        ('"inf"', "inf", '"inf"'),
        ("Infinity", "inf", '"inf"'),
        ("-7", "-7", "-7"),
    ],
)
def test_a_result_keeps_its_digits(drag: Path, said: str, kept: str, back: str) -> None:
    """No result goes through a double: not on the way into the CSV, and not on the way back."""
    protocol = Protocol(lambda: Study.open(drag), json_line)
    protocol.answer(b'{"ask": 1}')
    answer = protocol.answer(f'{{"tell": {{"id": 1, "objective": {said}}}}}'.encode()).line
    assert f'"objective": {back}, "new": true' in answer
    assert [row["drag"] for row in rows(drag)] == [kept]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"failed": True}, "failed"),
        ({"objective": None}, "failed"),
        ({"objective": "failed"}, "failed"),
        ({"objective": float("nan")}, "failed"),
        ({"objective": None, "failed": True}, "failed"),
        ({"abandon": True}, "abandoned"),
        ({"objective": None, "abandon": True, "failed": False, "parameters": None}, "abandoned"),
        ({"retry": True}, "retry"),
        ({"objective": 2, "failed": False, "abandon": None, "retry": False, "amend": False}, "ok"),
    ],
)
def test_the_ways_to_go_without_a_result(send: Send, drag: Path, said: dict[str, Any], status: str) -> None:
    """Flags, null and NaN; fields that a client always sends but does not use are as good as left out."""
    send({"ask": 1})
    told = send({"tell": {"id": 1, **said}})["told"]
    assert (told["id"], told["status"], told["new"]) == (1, status, True)
    assert told["objective"] == (2 if status == "ok" else None)
    assert [row["status"] for row in rows(drag)] == [status]


def test_telling_twice_and_amending(send: Send, drag: Path) -> None:
    """The same again adds nothing and says so; another result needs amend."""
    send({"ask": 1})
    assert send({"tell": {"id": 1, "objective": 3}})["told"]["new"] is True
    again = send({"tell": {"id": 1, "objective": 3.0}})
    assert again["told"]["new"] is False
    assert "recorded already" in again["warnings"][0]
    assert send({"tell": {"id": 1, "objective": 4}})["error"]["status"] == 65
    assert send({"tell": {"id": 1, "objective": 4, "amend": True}})["told"]["objective"] == 4
    assert [row["drag"] for row in rows(drag)] == ["3", "4"]


def test_a_point_to_retry_comes_back(send: Send) -> None:
    """Under its id, to whoever asks next."""
    (point,) = send({"ask": 1})["points"]
    send({"tell": {"id": 1, "retry": True}})
    assert send({"ask": 1})["points"] == [point]


def test_a_point_of_ones_own(send: Send, drag: Path) -> None:
    """Told by its parameters, numbers as they are spelt; what lies outside the bounds is warned of in the answer."""
    own = {"angle": 3.25, "blades": 4, "wall": "sst"}
    told = send({"tell": {"parameters": own, "objective": 0.5}})
    assert told == {"told": {"id": None, "status": "ok", "parameters": own, "objective": 0.5, "new": True}}
    far = send(b'{"tell": {"parameters": {"angle": "99", "blades": 4}, "objective": 1}}')
    assert "outside the bounds" in far["warnings"][0]
    assert [row["angle"] for row in rows(drag)] == ["3.25", "99.0"]


def test_best_and_status(send: Send) -> None:
    """No best is an error until a result is there; both name the objective."""
    assert send({"best": True})["error"]["status"] == 65
    send({"ask": 2})
    send({"tell": {"id": 2, "objective": 0.25}})
    best = send({"best": True})["best"]
    assert (best["id"], best["objective"]) == (2, {"drag": 0.25})
    status = send({"status": True})["status"]
    assert (status["best"]["id"], status["counts"]["pending"], status["step"]) == (2, 1, 2)


@pytest.mark.parametrize(
    "tag", [b"null", b"7", b"-0.50", b"1E+400", b'"a\\nb"', b'{"job": [1, 2.50, true], "\xc3\xa9": {}}', b'"\\ud800"']
)
def test_a_tag_comes_back(drag: Path, tag: bytes) -> None:
    """In answers and errors alike, any value, digit by digit."""
    protocol = Protocol(lambda: Study.open(drag), json_line)
    for request in (b'"status": true', b'"best": true', b'"sing": 1', b'"ask": 1, "best": true'):
        answer = protocol.answer(b'{"tag": ' + tag + b", " + request + b"}").line
        assert answer.encode().startswith(b'{"tag": ' + tag + b", ")


def test_no_tag_where_none_was_sent(send: Send) -> None:
    """An answer holds what was asked for and nothing else."""
    assert list(send({"ask": 1})) == ["points"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"ask", "no JSON: Expecting value at character 1"),
        (b'{"ask": 1', "no JSON"),
        (b'{"ask": 1} {"ask": 1}', "no JSON: Extra data at character 12"),
        (b"[1]", "no JSON object"),
        (b"1", "no JSON object"),
        (b'{"ask": "\xff"}', "not UTF-8: byte 10"),
        (b'{"ask": 1, "ask": 2}', "'ask' stands twice"),
        (b'{"tell": {"id": 1, "id": 2}}', "'id' stands twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"tag": ' + b"[" * DEEPEST + b"1" + b"]" * DEEPEST + b"}", "nested too deeply"),
        (b'{"ask": "' + b"x" * LONGEST_LINE + b'"}', "longer than"),
        (b"{}", "nothing is asked for"),
        (b'{"tag": 1}', "nothing is asked for"),
        (b'{"ask": 1, "best": true}', "'ask' beside 'best'"),
        (b'{"aks": 1}', "unknown key 'aks'"),
        (b'{"ask": 1, "append": true}', "unknown key 'append'"),
        (b'{"ask": 0}', "ask is 0"),
        (b'{"ask": -1}', "ask is -1"),
        (b'{"ask": 1.0}', "ask is 1.0"),
        (b'{"ask": 1001}', "ask is 1001"),
        (b'{"ask": 1' + b"0" * 5000 + b"}", "ask is 1000"),
        (b'{"ask": true}', "ask is no number"),
        (b'{"ask": "1"}', "ask is no number"),
        (b'{"ask": NaN}', "ask is NaN"),
        (b'{"ask": null}', "ask is no number"),
        (b'{"status": false}', "status is not true"),
        (b'{"best": 1}', "best is not true"),
        (b'{"tell": 17}', "tell is no object"),
        (b'{"tell": {"id": 1, "objectiv": 1}}', "unknown key 'objectiv'"),
        (b'{"tell": {"id": 1.5, "objective": 1}}', "id is 1.5"),
        (b'{"tell": {"id": "1", "objective": 1}}', "id is no number"),
        (b'{"tell": {"id": 1, "objective": true}}', "objective is neither a number nor a word"),
        (b'{"tell": {"id": 1, "objective": [1]}}', "objective is neither a number nor a word"),
        (b'{"tell": {"id": 1, "objective": "low"}}', "'low' is not a number"),
        (b'{"tell": {"id": 1, "failed": 1}}', "failed is neither true nor false"),
        (b'{"tell": {"id": 1, "failed": "true"}}', "failed is neither true nor false"),
        (b'{"tell": {"id": 1, "objective": 1, "failed": true}}', "given for a point that is failed"),
        (b'{"tell": {"id": 1, "failed": true, "retry": true}}', "failed and retry at once"),
        (b'{"tell": {"id": 1}}', "no value of drag"),
        (b'{"tell": {"objective": 1}}', "no point is told"),
        (b'{"tell": {"id": 1, "objective": "-inf"}}', "best value of all"),
        (b'{"tell": {"parameters": [3, 4], "objective": 1}}', "parameters is no object"),
        (b'{"tell": {"parameters": {"angle": null, "blades": 4}, "objective": 1}}', "no value of angle"),
        (b'{"tell": {"parameters": {"angle": true, "blades": 4}, "objective": 1}}', "angle: 'true' will not do"),
        (b'{"tell": {"parameters": {"angle": [1], "blades": 4}, "objective": 1}}', "'angle' is neither a number nor"),
        (b'{"tell": {"parameters": {"angle": 1}, "objective": 1}}', "no value of blades"),
        (b'{"tell": {"parameters": {"\\ud800": 1}, "objective": 1}}', "no parameter '\\ud800'"),
        (b'{"tell": {"id": 1, "failed": true, "note": 3}}', "note is no text"),
        (b'{"tell": {"id": 1, "failed": true, "note": ["x"]}}', "note is no text"),
        (b'{"tell": {"id": 1, "failed": true, "seconds": "3"}}', "seconds is no number"),
        (b'{"tell": {"id": 1, "failed": true, "seconds": true}}', "seconds is no number"),
        (b'{"tell": {"id": 1, "failed": true, "seconds": -1}}', "seconds is -1"),
        (b'{"tell": {"id": 1, "failed": true, "seconds": NaN}}', "seconds is nan"),
        (b'{"tell": {"id": 1, "failed": true, "seconds": 1e999}}', "seconds is inf"),
        (b'{"status": true, "tag": NaN}', "the tag holds NaN"),
        (b'{"status": true, "tag": 1e9999999999999999999}', "the tag holds 1e99"),
    ],
)
def test_a_wrong_request_is_an_answer(send: Send, drag: Path, line: bytes, message: str) -> None:
    """Status 2 and words that say what is wrong; nothing is recorded, and the next request is answered."""
    send({"ask": 1})
    before = recorded(drag)
    error = send(line)["error"]
    assert message in error["message"]
    assert (error["status"], list(error)) == (2, ["message", "hint", "status"])
    assert len(error["message"]) < 300
    assert recorded(drag) == before
    assert send({"ask": 1})["points"][0]["id"] == 2


def test_an_id_that_is_not_open(send: Send) -> None:
    """The status of the command, 65."""
    error = send({"tell": {"id": 17, "objective": 1}})["error"]
    assert error == {
        "message": "no suggestion has the id 17",
        "hint": "None is open; a point of your own goes without an id",
        "status": 65,
    }


def test_a_finite_space_runs_out(drag: Path) -> None:
    """Of three points that are left four cannot be had: a warning, then status 3."""
    drag.write_text("version: 1\nobjective: {name: y, goal: maximize}\nparameters: {n: {type: int, min: 1, max: 3}}\n")
    send = spoken(drag)
    found = send({"ask": 4})
    assert sorted(point["parameters"]["n"] for point in found["points"]) == [1, 2, 3]
    assert "only 3 points are left" in found["warnings"]
    assert send({"ask": 1})["error"]["status"] == 3


def test_files_are_read_for_every_request(send: Send, drag: Path) -> None:
    """What others write counts, in the problem file too; a file that is wrong is an error until it is mended."""
    send({"ask": 1})
    table = drag.with_suffix(".csv")
    table.write_text("angle,blades,drag\n1,3,low\n")
    error = send({"best": True})["error"]
    assert error["status"] == 65
    assert error["message"].startswith(f"{table}:2:5: ")
    table.write_text("angle,blades,drag\n1,3,0.5\n")
    assert send({"best": True})["best"]["objective"] == {"drag": 0.5}
    drag.write_text(PROBLEM.replace("max: 12", "max: -1").replace("max: 9", "max: 1"))
    error = send({"ask": 1})["error"]
    assert (error["status"], error["message"].count("\n")) == (78, 1)
    drag.write_text(PROBLEM.replace("max: 12", "max: 0.5"))
    assert send({"ask": 1})["points"][0]["parameters"]["angle"] <= 0.5
    drag.unlink()
    assert send({"ask": 1})["error"]["status"] == 66


@pytest.mark.parametrize(
    ("raised", "status", "message", "hint"),
    [
        (LockTimeoutError("held", "Wait"), 75, "held", "Wait"),
        (ManyErrors([DataError("one", "a")]), 65, "one", "a"),
        (ManyErrors([DataError("one", "a"), DataError("two", "b")]), 65, "one. a\ntwo. b", ""),
        (OSError(28, "No space left on device", "drag.csv"), 74, "drag.csv: No space left on device", ""),
        (OSError("odd"), 74, "odd", ""),
        (RuntimeError("odd \udcff"), 1, "internal error: RuntimeError: odd \udcff", "please report it with the "),
    ],
)
def test_every_error_has_its_status(raised: Exception, status: int, message: str, hint: str) -> None:
    """As the commands have it; only an internal error is handed on for its traceback."""

    def refuse() -> Study:
        raise raised

    answer = Protocol(refuse, json_line).answer(b'{"ask": 1, "tag": 5}')
    found = json.loads(answer.line)
    assert (found["tag"], found["error"]["status"], found["error"]["message"]) == (5, status, message)
    assert found["error"]["hint"].startswith(hint)
    assert (answer.fault is None) == (status != 1)
    assert answer.line.isascii()


def test_an_answer_that_is_no_json_is_an_error(drag: Path) -> None:
    """Should a NaN ever get into an answer, it is not sent."""
    sent: list[dict[str, object]] = []

    def render(entries: dict[str, object]) -> str:
        sent.append(entries)
        return json_line({**entries, "odd": float("nan")} if len(sent) == 1 else entries)

    answer = Protocol(lambda: Study.open(drag), render).answer(b'{"status": true}')
    assert json.loads(answer.line)["error"]["status"] == 1
    assert isinstance(answer.fault, ValueError)


def test_warnings_are_for_people_too(drag: Path) -> None:
    """They stand in the answer and beside it."""
    drag.with_suffix(".csv").write_text("angle,blades,drag\n99,3,0.5\n1,4,0.5\n")
    answer = Protocol(lambda: Study.open(drag), json_line).answer(b'{"ask": 1}')
    assert answer.warnings
    assert json.loads(answer.line)["warnings"] == list(answer.warnings)


def test_lines_of_a_stream(tmp_path: Path) -> None:
    """Empty lines are passed over, the last needs no end, and of one that is too long the rest is skipped."""
    path = tmp_path / "requests"
    long, limit = b"x" * (3 * LONGEST_LINE + 5), b"y" * LONGEST_LINE
    path.write_bytes(b"\n{1}\r\n  \n" + long + b"\n{2}\n" + limit + b"\n{3}\n" + limit + b"z\n{4}")
    with path.open("rb") as stream:
        found = list(lines(stream.readline))
    cut = [b"x" * (LONGEST_LINE + 1), limit + b"z"]
    assert found == [b"{1}\r\n", cut[0], b"{2}\n", limit + b"\n", b"{3}\n", cut[1], b"{4}"]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_WORDS = st.sampled_from(["tell", "status", "best", "tag", "id", "objective", "parameters", "failed", "angle"])
_REQUESTS = st.dictionaries(_WORDS, _VALUES | st.dictionaries(_WORDS, _VALUES, max_size=4), max_size=3)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=st.binary(max_size=60) | _REQUESTS.map(lambda request: json.dumps(request).encode()))
def test_any_line_has_one_answer(drag: Path, line: bytes) -> None:
    """One line of strict JSON, never an internal error."""
    answer = Protocol(lambda: Study.open(drag), json_line).answer(line)
    assert answer.line.count("\n") == 1
    found = json.loads(answer.line, parse_constant=_refuse, parse_float=Decimal)
    assert found.get("error", {}).get("status") != 1


def test_why_and_how_long_are_told(send: Send) -> None:
    """With a result or a failure; null is nothing."""
    send({"ask": 2})
    send({"tell": {"id": 1, "failed": True, "note": "the mesh\nbroke", "seconds": 12.5}})
    send({"tell": {"id": 2, "objective": 3, "note": None, "seconds": None}})
    status = send({"status": True})["status"]
    assert [(each["note"], each["seconds"]) for each in status["failures"]] == [("the mesh broke", 12.5)]
    assert status["seconds"] == [12.5, None]
    assert "note" not in status["best"]
