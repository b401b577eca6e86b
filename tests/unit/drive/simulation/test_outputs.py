"""What is recorded of the outputs of made-up simulators."""

from __future__ import annotations

import pytest

from ordbo_cli.drive.simulation.answer import read_all
from ordbo_cli.errors import DataError
from ordbo_cli.files.values.printed_values import lines_of, plain
from tests.unit.drive.outputs import OUTPUTS, WEIGHT, Output


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_table(output: Output) -> None:
    """A value that is given, or a reason that names what was seen; never a number that happens to stand there."""
    try:
        found = read_all(output.text, output.problem)
    except DataError as error:
        recorded, words = None, error.message
    else:
        recorded, words = found.objective, " ".join(found.notes)
        assert output.words or not found.notes
    assert (recorded, output.words in words) == (output.recorded, True), words


def test_where_a_value_was_found() -> None:
    """People are told the line."""
    assert read_all("weight = 86.9\ndone", WEIGHT).where == "line 1 of standard output ('weight = 86.9')"
    assert read_all("done\n86.9\n", WEIGHT).where == "the last line of standard output ('86.9')"
    assert read_all('{"weight": 86.9}', WEIGHT).where == "the JSON object at the end of standard output"


def test_units() -> None:
    """The word behind a value is known, so that another one is noticed."""
    assert read_all("weight = 86.9 [kg]", WEIGHT).units == {"weight": "kg"}
    assert read_all("weight = 86.9", WEIGHT).units == {"weight": ""}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\x1b[38;2;1;2;3ma\x1b[0mb", ["ab"]),
        ("\x9b1ma\x9b0m", ["a"]),
        ("\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\", ["a"]),
        ("\x1bPq#0;1\x1b\\a", ["a"]),
        ("\x1b7a\x1b8\x1b=b", ["ab"]),
        ("a\x1b[2Jb\x1b[10;3Hc\x1bMd", ["a", "b", "c", "d"]),
    ],
)
def test_escape_sequences(text: str, lines: list[str]) -> None:
    """Colours leave the text where it is; what moves the cursor ends a line: what follows it stands elsewhere."""
    assert lines_of(plain(text)) == lines


@pytest.mark.parametrize("text", ["\x1b]" * 200_000, "= " * 200_000, ("a" * 1_000 + ":\n") * 500, " " * 300_000 + "="])
def test_long_outputs_are_read_in_no_time(text: str) -> None:
    """No pattern looks at any part of them again and again."""
    with pytest.raises(DataError):
        read_all(text + "x", WEIGHT)
