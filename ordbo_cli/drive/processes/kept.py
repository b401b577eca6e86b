"""What a simulator prints, kept within bounds."""

from __future__ import annotations

import os
from typing import Final

PART: Final = 1 << 20  # bytes of the beginning and of the end that are kept


class Kept:
    """Writes what comes into a file, of which the first and the last megabyte stay.

    While more comes the file holds up to one more megabyte, so that its end can be looked at.

    Args:
        descriptor: of an empty regular file that is open for reading and appending; closed at the end.
    """

    def __init__(self, descriptor: int) -> None:
        self._file = descriptor
        self._size = 0
        self._left_out = 0
        self.fault: OSError | None = None  # the first refusal, after which nothing more is written

    def write(self, content: bytes) -> None:
        """Add to the end."""
        try:
            if self.fault is None:
                self._append(content)
                if self._size > 3 * PART:
                    self._shorten()
        except OSError as error:
            self.fault = error

    def close(self) -> None:
        """Bring the file into its last form: all that came, or both its ends with a line about the rest between."""
        try:
            if self.fault is None and (self._left_out or self._size > 2 * PART):
                self._shorten(note=True)
        except OSError as error:
            self.fault = error
        finally:
            os.close(self._file)

    def _append(self, content: bytes) -> None:
        view = memoryview(content)
        while view:
            written = os.write(self._file, view)
            self._size += written
            view = view[written:]

    def _shorten(self, note: bool = False) -> None:
        self._left_out += self._size - 2 * PART
        end = os.pread(self._file, PART, self._size - PART)
        os.ftruncate(self._file, PART)
        self._size = PART
        if note:
            self._append(f"\n[ordbo: {self._left_out} bytes are left out here]\n".encode())
        self._append(end)
