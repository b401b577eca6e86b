"""What goes to standard output and what to standard error."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from ordbo_cli.cli import console
from ordbo_cli.cli.console import Console, escape


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain äλ", "plain äλ"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("a\nb\r\t", "a\\nb\\r\\t"),
        ("\udcff\u202e\x9b", "\\udcff\\u202e\\x9b"),
    ],
)
def test_control_characters_are_escaped(text: str, expected: str) -> None:
    """A name from a file can neither recolour a terminal nor forge a line of its own."""
    assert escape(text) == expected


def test_quiet_leaves_errors_only(capsys: pytest.CaptureFixture[str]) -> None:
    """Words and warnings go, errors stay."""
    quiet = Console(quiet=True)
    quiet.say("recorded")
    quiet.warn("odd")
    quiet.detail("more")
    quiet.error("bad", "mend it")
    assert capsys.readouterr().err == "error: bad\nhint: mend it\n"


def test_details_only_where_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """--verbose adds details, nothing else does."""
    Console().detail("more")
    Console(verbose=True).detail("even more")
    assert capsys.readouterr().err == "even more\n"


def test_words_never_raise_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed or broken standard error does not turn a success into a failure."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    for stream in (None, Broken()):
        monkeypatch.setattr(sys, "stderr", stream)
        Console().say("hello")


def test_a_table_off_a_terminal_is_plain_columns(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Aligned, without rules, colours or trailing blanks, control characters escaped."""
    Console().table(["id", "name"], [["1", "x\x1b"], ["200", ""]])
    assert capsysbinary.readouterr().out == b"id   name\n1    x\\x1b\n200\n"


def test_no_spinner_for_quick_work_or_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard error stays empty, and the work's result and errors pass through."""
    with Console().busy("working"):
        pass
    with pytest.raises(ValueError, match="as it was"), Console().busy("working"):
        raise ValueError("as it was")
    assert capsys.readouterr().err == ""


def test_a_spinner_for_slow_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes on standard error, says what is going on, takes itself away, and leaves standard output alone."""
    shown = threading.Event()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            if "working" in text:
                shown.set()
            return super().write(text)

    out, err = Terminal(), Terminal()
    monkeypatch.setattr(console, "SLOW", 0.0)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    with Console().busy("working"):
        assert shown.wait(60)
    assert out.getvalue() == ""
    assert err.getvalue().endswith("\x1b[2K")
    for quiet in (Console(quiet=True).busy("hushed"), Console().busy("hushed")):
        monkeypatch.setenv("TERM", "dumb")
        with quiet:
            pass
    assert "hushed" not in err.getvalue()
