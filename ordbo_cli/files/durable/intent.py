"""An append that was announced, and what has become of it: told from the bytes of the file alone.

Others may have appended to the file since, edited, sorted, cut or replaced it, so that the place that was meant is only
a hint. What counts is whether a row is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

LINE_ENDS: Final = (b"\n", b"\r")
_SIGNS: Final = b"\r\n"


class Met(NamedTuple):
    """A line by others that may stand behind a part of the append.

    Args:
        line: its number in the file, from 1.
        torn: whether it is the beginning of a row of ours and no more; else it goes on in another way, and may as well
            be a row that only begins alike.
    """

    line: int
    torn: bool


class Intent(NamedTuple):
    """An append that has begun, or was about to.

    Args:
        before: size of the file in bytes when it began.
        content: all bytes that were to be appended; first of all a line end, where the file lacked its last one.
    """

    before: int
    content: bytes

    @property
    def rows(self) -> bytes:
        """What was to be appended, without the end of another's line."""
        return self.content.lstrip(_SIGNS)

    @property
    def place(self) -> int:
        """Where the rows were to begin."""
        return self.before + len(self.content) - len(self.rows)

    def torn_at(self, content: bytes) -> int | None:
        """Return where a part of the append begins that the file ends with; None where it ends with all or none of it.

        It counts above the place that was meant, too, where it can be of nobody else: somebody has cut the file since.
        """
        rows, closed = self.rows, self.place == self.before
        if _stand(rows, content, self.place):
            return None
        if self.before < len(content) < self.place and self.content.startswith(content[self.before :]):
            return self.before  # half of a line end
        first = rows.splitlines(keepends=True)[0]
        for start in _line_starts(content, len(content) - len(rows) + 1):
            if not first.startswith(content[start : start + len(first)]):
                continue
            part = content[start:]
            if rows.startswith(part) and (start >= self.place or (closed and not part.endswith(LINE_ENDS))):
                return start
        return None

    def rest(self, content: bytes, torn: int) -> bytes:
        """Return what is missing behind a part that begins where :meth:`torn_at` says."""
        return (self.content if torn < self.place else self.rows)[len(content) - torn :]

    def met(self, content: bytes) -> Met | None:
        """Return the line in the place of the rows that begins as they do, if others have written it or a part of it.

        Only for a file that does not end with a part; see :meth:`torn_at`.
        """
        place, rows = self.place, self.rows.rstrip(_SIGNS)
        if not _begins_a_line(content, place) or any(_stand(rows + end, content, place) for end in LINE_ENDS):
            return None
        pairs = enumerate(zip(content[place:].splitlines(), rows.splitlines(), strict=False))
        differing = next(((k, there, ours) for k, (there, ours) in pairs if there != ours), None)
        if differing is None or differing[1][:1] != differing[2][:1]:
            return None
        k, there, ours = differing
        return Met(len(content[:place].splitlines()) + k + 1, torn=ours.startswith(there))


def _begins_a_line(content: bytes, offset: int) -> bool:
    return offset < len(content) and (offset == 0 or content[offset - 1 : offset] in LINE_ENDS)


def _line_starts(content: bytes, least: int) -> Iterator[int]:
    """Yield where the lines of a text begin, from some offset on."""
    least = max(least, 0)
    if _begins_a_line(content, least):
        yield least
    yield from (end.end() for end in re.compile(rb"[\r\n]").finditer(content, least) if end.end() < len(content))


def _stand(rows: bytes, content: bytes, place: int) -> bool:
    """Return whether rows stand in a text, from some place on, and begin a line."""
    return re.compile(rb"(?:\A|[\r\n])" + re.escape(rows)).search(content, max(place - 1, 0)) is not None
