"""Calls of ordbo inside this process, for the tests of several folders."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from ordbo_cli.cli import main


@dataclass(frozen=True)
class Result:
    """What one call left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


Call = Callable[..., Result]


class _Stream(io.TextIOWrapper):
    """A text stream that keeps its bytes."""

    def __init__(self, content: bytes = b"", *, terminal: bool = False) -> None:
        self.kept = io.BytesIO(content)
        self.is_terminal = terminal
        super().__init__(self.kept, encoding="utf-8", errors="surrogateescape", newline="")

    def isatty(self) -> bool:
        return self.is_terminal


def caller(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Return a function that calls ordbo: ``ordbo("status", path, stdin=b"", terminal=False)``."""

    def call(*arguments: object, stdin: bytes = b"", terminal: bool = False) -> Result:
        out, err = _Stream(terminal=terminal), _Stream(terminal=terminal)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", _Stream(stdin, terminal=terminal))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = main([str(argument) for argument in arguments])
        out.flush()
        err.flush()
        return Result(status, out.kept.getvalue().decode(errors="surrogateescape"), err.kept.getvalue().decode())

    return call
