"""Text that comes in whole: a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from ordbo_cli.errors import DataError, FileError
from ordbo_cli.problem import Number, Problem

Values = dict[str, Number | str]  # all parameters by name, fixed ones included


def source_name(source: str) -> str:
    """Return what messages call a ``--file`` argument."""
    return "standard input" if source == "-" else source


def read_text(source: str) -> str:
    """Return the text of a file, or of standard input for ``-``, its byte-order mark taken off.

    Raises:
        MissingFileError: there is no such file.
        FileError: the system refuses to read it.
        DataError: it is not UTF-8.
    """
    from ordbo_cli.files.durable.paths import missing
    from ordbo_cli.files.tables.dialect import Undecodable, decoded
    from ordbo_cli.problem.spelling import place

    name = source_name(source)
    if source == "-" and sys.stdin is None:
        raise FileError("standard input is closed")
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except FileNotFoundError:
        raise missing(Path(source), "file") from None
    except OSError as error:
        raise FileError(f"{name}: cannot read it: {error.strerror}") from error
    try:
        return decoded(content)
    except Undecodable as error:
        raise DataError(f"{place(name, error.line, error.column)}: {error.message}", error.hint) from None


def names_in(text: str, problem: Problem) -> list[str]:
    """Return the names of parameters in a list separated by commas, which names may hold, too."""
    pieces, names = text.split(","), []
    while pieces:
        joined = [",".join(pieces[: k + 1]).strip() for k in range(len(pieces))]
        last = max((k for k, name in enumerate(joined) if name in problem.names), default=0)
        names.append(joined[last])
        del pieces[: last + 1]
    return names
