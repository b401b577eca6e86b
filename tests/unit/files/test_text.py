"""Words for messages."""

from __future__ import annotations

from ordbo_cli.problem.spelling import line_and_column, meant, place, quoted, shown


def test_control_characters_are_escaped() -> None:
    """Nothing from a file can move the cursor, clear a terminal, or turn the writing direction."""
    assert shown("a\x1b[2Jb\u202e") == "a\\x1b[2Jb\\u202e"
    assert place("x\n.csv", 3, 4) == "x\\n.csv:3:4"


def test_long_text_is_cut() -> None:
    """A cell of a megabyte does not fill the screen."""
    assert len(quoted("x" * 10**6)) < 100


def test_the_nearest_word_is_offered() -> None:
    """A typing error gets one proposal, nonsense the list."""
    assert meant("minimse", ["minimize", "maximize"]) == "Did you mean minimize?"
    assert meant("zzz", ["minimize", "maximize"]) == "Known are minimize, maximize"


def test_lines_end_with_any_of_three_signs() -> None:
    """LF, CRLF and a lone CR count once each."""
    text = "a\nb\r\nc\rde"
    assert line_and_column(text, text.index("e")) == (4, 2)
