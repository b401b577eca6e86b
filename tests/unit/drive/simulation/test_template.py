"""Filling in a simulator's input file and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ordbo_cli.drive.simulation.template import Template
from ordbo_cli.errors import DataError, MissingFileError, UsageError

Fill = Callable[..., str]

NAMES = ("id", "angle", "wall shear", "R1", "a=b")
VALUES = {"id": "17", "angle": "3.1", "wall shear": "1e-05", "R1": "4700", "a=b": "2"}


@pytest.fixture
def filled(tmp_path: Path) -> Fill:
    """Fill in a text: ``filled(text, delimiters)``."""

    def fill(text: str, delimiters: str = "{ }") -> str:
        path = tmp_path / "case.tpl"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return Template.read(path, delimiters, NAMES).fill(VALUES)

    return fill


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a={angle} b={ angle } {wall shear}\n", "a=3.1 b=3.1 1e-05\n"),
        ("{id}{angle}{id}", "173.117"),
        ("{a=b}", "2"),
        ("no names at all\r\n", "no names at all\r\n"),
        ("", ""),
    ],
)
def test_names_are_replaced(filled: Fill, text: str, expected: str) -> None:
    """Every {name} becomes the value, as often as it stands, with or without blanks inside."""
    assert filled(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "inlet\n{\n    type   fixedValue;\n    value  uniform (0 0 0);\n}\n",
        "inlet { type fixedValue; }",
        '{"a": {"b": 1}, "c": []}',
        "R2 out 0 {R1*2} {3} {} { } {2x}",
        "a{2,3}[^{}]*",
        "\\begin{",
        "{\nangle\n}",
    ],
)
def test_literal_braces_survive(filled: Fill, text: str) -> None:
    """OpenFOAM, JSON, SPICE expressions and regular expressions stay as they are."""
    assert filled(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\{angle}", "{angle}"),
        ("\\{unknown}", "{unknown}"),
        ("\\{angle\\}", "{angle}"),
        ("C:\\runs\\\\{id}\\x", "C:\\runs\\17\\x"),
        ("\\\\\\{id}", "\\{id}"),
        ("a\\b \\{ {angle}", "a\\b \\{ 3.1"),
        ("{angle\\}", "{angle\\}"),
    ],
)
def test_escapes(filled: Fill, text: str, expected: str) -> None:
    """A backslash keeps a name literal, two are one backslash, elsewhere a backslash is itself."""
    assert filled(text) == expected


@pytest.mark.parametrize(
    ("delimiters", "text", "expected"),
    [
        ("@ @", "x @angle@ {R9} @", "x 3.1 {R9} @"),
        ("<< >>", "<<R1>> < R1 >", "4700 < R1 >"),
        ("{{ }}", "{{ angle }} {angle} {R9}", "3.1 {angle} {R9}"),
        ("@{ }", "@{angle} ${HOME} {angle}", "3.1 ${HOME} {angle}"),
        ("$( )", "$(wall shear)", "1e-05"),
    ],
)
def test_other_delimiters(filled: Fill, delimiters: str, text: str, expected: str) -> None:
    """Files full of braces take delimiters of their own; braces then mean nothing."""
    assert filled(text, delimiters) == expected


def test_an_unknown_name_is_named_with_its_place(filled: Fill) -> None:
    """File, line and column of the name, and what is known."""
    with pytest.raises(DataError) as caught:
        filled("one\ntwo {angel}\n")
    assert "case.tpl:2:5: unknown name 'angel'" in caught.value.message
    assert "angle" in caught.value.hint


def test_doubled_braces_are_not_guessed(filled: Fill) -> None:
    """{{name}} is a value to Jinja and a literal to Python's format, so it is an error with both ways out."""
    with pytest.raises(DataError) as caught:
        filled("{{angle}}")
    assert "--delimiters '{{ }}'" in caught.value.hint
    assert filled("{ {angle} }") == "{ 3.1 }"
    assert filled('{"a":{"b":{angle}}}') == '{"a":{"b":3.1}}'


@pytest.mark.parametrize("delimiters", ["{", "{ } }", "", "a b", "\\ \\"])
def test_delimiters_that_cannot_work(filled: Fill, delimiters: str) -> None:
    """They are two, and not what a name is made of."""
    with pytest.raises(UsageError, match="--delimiters"):
        filled("x", delimiters)


def test_bytes_that_are_not_utf8_survive(filled: Fill) -> None:
    """A Latin-1 comment and a byte-order mark come out as they went in."""
    text = "\ufeff* M\udcfcller {angle}\r\n"
    assert filled(text) == text.replace("{angle}", "3.1")


def test_a_missing_template_is_a_missing_file(tmp_path: Path) -> None:
    """It has the exit status of every other missing file."""
    with pytest.raises(MissingFileError, match=r"case\.tpl"):
        Template.read(tmp_path / "case.tpl", "{ }", NAMES)


def test_arguments_are_templates_too() -> None:
    """Names between braces are filled in; awk programs, expressions and escaped names stand."""
    for argument, expected in (
        ("--angle={angle}", "--angle=3.1"),
        ("{wall shear}$(id)", "1e-05$(id)"),
        ("{print $1}", "{print $1}"),
        ("{R1*2}", "{R1*2}"),
        ("\\{angle}", "{angle}"),
    ):
        assert Template.of_argument(argument, NAMES).fill(VALUES) == expected


def test_an_argument_with_a_mistake_is_named() -> None:
    """There is no file to point into, and there are no other delimiters to offer."""
    with pytest.raises(UsageError) as caught:
        Template.of_argument("--angle={angel}", NAMES)
    assert caught.value.message == "the argument '--angle={angel}': unknown name 'angel'"
    assert "delimiters" not in caught.value.hint
    with pytest.raises(UsageError, match="in two ways"):
        Template.of_argument("{{angle}}", NAMES)


def test_permissions_come_with_the_template(tmp_path: Path) -> None:
    """A script stays one."""
    path = tmp_path / "run.sh"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o750)
    assert Template.read(path, "{ }", NAMES).mode == 0o750
