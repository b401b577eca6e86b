"""How a command that goes on until somebody ends it takes that."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def ended_by_a_signal() -> Iterator[None]:
    """Let SIGTERM end what is inside as Ctrl-C does: with exit status 130, and no more than a word."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
