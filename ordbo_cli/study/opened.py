"""What a study is between its calls: the problem file that was read, where the others are, what the last call said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.problem import Problem

if TYPE_CHECKING:
    from ordbo_cli.study.reporting.views import Chosen


class Opened:
    """A problem file that was read, and what people should know besides the answer to a call.

    Args:
        file: the problem file, read and checked.
        lock_timeout: seconds to wait for other processes.
        threads: that the search for new points is spread over; the points do not depend on their number.
    """

    def __init__(self, file: ProblemFile, lock_timeout: float = 60.0, threads: int = 1) -> None:
        self._file = file
        self._lock_timeout = lock_timeout
        self._threads = threads
        self._thinned = False
        self.warnings: list[str] = []
        """What people should know about the last call; that results are too many for the model is told once."""
        self.chosen: list[Chosen] = []
        """How the points of the last call that asked for any were chosen, one for each; also after a dry run."""

    @property
    def file(self) -> ProblemFile:
        """The problem file as it was read."""
        return self._file

    @property
    def problem(self) -> Problem:
        """What the study asks."""
        return self._file.problem

    @property
    def problem_path(self) -> Path:
        """The problem file."""
        return self._file.path

    @property
    def evaluations_path(self) -> Path:
        """The CSV of evaluations."""
        return self._file.evaluations

    @property
    def state_path(self) -> Path:
        """The state."""
        return self._file.state

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know about the problem file although it is no error."""
        return self._file.notes

    def _warn_once(self, unseen: Sequence[str]) -> None:
        """Warn of what the model does not see, unless that was said before: it is so at every step from then on."""
        if not self._thinned:
            self.warnings += unseen
            self._thinned = bool(unseen)
