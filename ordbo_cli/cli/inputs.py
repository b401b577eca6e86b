"""Text that comes in whole: a file, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from ordbo_cli.errors import DataError, FileError, MissingFileError
from ordbo_cli.problem import Number, Problem

Values = dict[str, Number | str]  # all parameters by name, fixed ones included


def source_name(source: str) -> str:
    """Return what messages call a ``--file`` argument."""
    return "standard input" if source == "-" else source


def read_text(source: str) -> str:
    """Return the text of a file, or of standard input for ``-``; line ends and a byte-order mark as they are.

    Raises:
        MissingFileError: there is no such file.
        FileError: the system refuses to read it.
        DataError: it is not UTF-8.
    """
    name = source_name(source)
    if source == "-" and sys.stdin is None:
        raise FileError("standard input is closed")
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"{name}: there is no such file") from None
    except OSError as error:
        raise FileError(f"{name}: cannot read it: {error.strerror}") from error
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{name}:{line}:1: this is not UTF-8 text", "Save it as UTF-8") from None


def one_point(given: Mapping[str, str], problem: Problem) -> Values:
    """Return the point that texts by name stand for.

    Raises:
        UsageError: a free parameter is missing, a value is no number, or a fixed one is another than the problem's.
    """
    from ordbo_cli.study.answers import whole_point

    return problem.mapping(whole_point(problem, given))
