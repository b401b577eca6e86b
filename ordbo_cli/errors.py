"""Every error a user can meet, and the exit status each one gives.

Library code raises these; ``ordbo_cli.cli`` alone turns them into text and an exit status.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class OrdboError(Exception):
    """An expected error: what is wrong, and what to do about it.

    Args:
        message: one sentence that says what came and what was expected.
        hint: how to mend it, or "" where there is nothing to add.
    """

    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


class UsageError(OrdboError):
    """A call that cannot be right whatever the files hold: an unknown name, a clash of options."""

    exit_status = 2


class ExhaustedError(OrdboError):
    """No value is left to try, or a stop rule holds."""

    exit_status = 3


class StoppedError(ExhaustedError):
    """A stop rule holds of the next point, which is not handed out."""


class DataError(OrdboError):
    """The evaluations or the state cannot be used as they stand."""

    exit_status = 65


class OvertakenError(DataError):
    """Somebody has given a file other columns while rows were on their way to it."""


class MissingFileError(OrdboError):
    """A file that has to be there is not."""

    exit_status = 66


class FileError(OrdboError):
    """The system refused to read or write a file."""

    exit_status = 74


class LimitError(OrdboError):
    """The system grants this process too little: memory or threads."""

    exit_status = 74


class LockTimeoutError(OrdboError):
    """Another process held the lock for too long."""

    exit_status = 75


class ProblemError(OrdboError):
    """A problem that cannot be: wrong values, unknown keys, or a feature not supported yet."""

    exit_status = 78


class ManyErrors(OrdboError):
    """All errors found in one file, reported together.

    Args:
        errors: at least one error, all of one class; its exit status becomes this one's.
    """

    def __init__(self, errors: Sequence[OrdboError]) -> None:
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = tuple(errors)
        self.exit_status = self.errors[0].exit_status  # type: ignore[misc]  # an instance's status shadows its class's


class ProblemErrors(ManyErrors, ProblemError):
    """All that is wrong with a problem, reported together."""
