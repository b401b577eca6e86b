"""Bytes into text: UTF-8 alone, and what to do about anything else."""

from __future__ import annotations

import codecs

from ordbo_cli.files.text import line_and_column

_ARCHIVE = b"PK\x03\x04"  # how .xlsx and .ods begin
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Undecodable(Exception):
    """A file that is not text as it has to be.

    Args:
        message: what is wrong.
        hint: what to do.
        line, column: where, from 1.
    """

    def __init__(self, message: str, hint: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column


def decoded(content: bytes, save_as: str = "UTF-8") -> str:
    """Return UTF-8 text, its byte-order mark taken off.

    Args:
        content: of a file.
        save_as: what people should do instead, as they know it.

    Raises:
        Undecodable: it is not UTF-8, or no text at all, or holds a NUL character.
    """
    if content.startswith(_ARCHIVE):
        raise Undecodable("the file is a workbook or another archive", f"Save its text as {save_as}", 1, 1)
    if _is_utf_16(content):
        raise Undecodable("the file is UTF-16 text", f"Save it as {save_as}", 1, 1)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()  # without the byte-order mark, unlike content
        message = f"the file is not UTF-8 text: byte 0x{error.object[error.start]:02X}"
        hint = f"Save it as {save_as}; it may be Latin-1 (Windows-1252) now"
        raise Undecodable(message, hint, *line_and_column(before, len(before))) from None
    if "\0" in text:
        where = line_and_column(text, text.index("\0"))
        raise Undecodable("there is a NUL character", "The file was cut or is no text: mend it by hand", *where)
    return text


def _is_utf_16(content: bytes) -> bool:
    """Return whether a file begins as UTF-16 does: with its mark, or with ASCII of which every other byte is NUL."""
    start = content[:8]
    return start[:2] in _MARKS or (len(start) >= 4 and (not any(start[::2]) or not any(start[1::2])) and any(start))
