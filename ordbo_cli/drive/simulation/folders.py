"""Run folders: one for each attempt at a point, and what it holds of an answer that nobody has recorded yet."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from ordbo_cli.drive.simulation.run_folder import RunFolder
from ordbo_cli.errors import FileError, LockTimeoutError, OrdboError
from ordbo_cli.files.durable.atomic import sync_folder
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.spelling import shown_path

Keep = Literal["failed", "all", "none"]

ANSWER: Final = "answer.json"
COMMAND: Final = "command"
POINT: Final = "point.json"
STDERR: Final = "stderr"
STDOUT: Final = "stdout"
MARK: Final = ".ordbo"  # in every run folder; hidden, so that a simulator's 'rm *' leaves it
OUR_FILES: Final = (ANSWER, COMMAND, POINT, STDERR, STDOUT, MARK)

_NAME: Final = re.compile(r"([1-9][0-9]*)(?:-([1-9][0-9]*))?")
_OLD: Final = re.compile(rf"(?:{_NAME.pattern})\.old(?:-[1-9][0-9]*)?")
_LOCK: Final = ".lock"
_LONGEST_ANSWER: Final = 1 << 20


@dataclass(frozen=True)
class Answer:
    """What one attempt at a point gave.

    Args:
        objective: text to be recorded, which may be a word for a failure such as ``nan``; None where there is none.
        fault: why there is no answer, in plain words; "" where there is one.
        seconds: that the simulator took.
        stopped: whether it was ended because the driver stops, or somebody else does the same job: no evaluation.
        outcomes: texts of the other results by name; where one breaks its limits there need be no objective.
        where: the objective, or else an outcome, was found, for people.
        units: the word behind each value, or "", by name.
        notes: what people should know of how it was read.
        last_words: the last line on standard error, where the fault does not tell it and there may be one.
        recorded: whether it is on record: it is none of a point that was handed out again since.
    """

    objective: str | None
    fault: str = ""
    seconds: float = 0.0
    stopped: bool = False
    outcomes: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    last_words: str = ""
    recorded: bool = False

    @property
    def why(self) -> str:
        """Why it is a failure, where it is one, in plain words."""
        why = self.fault or ": ".join(filter(None, ("it says so itself", self.where)))
        return f"{why}; {STDERR} ends with '{self.last_words}'" if self.last_words else why

    @property
    def is_none(self) -> bool:
        """Whether there is nothing to record but a failure."""
        return self.objective is None and not self.outcomes


@dataclass(frozen=True)
class RunFolders:
    """The folders of a study's runs: ``base/17``, and for further attempts ``base/17-2``, ``base/17-3``.

    Args:
        base: the folder around them.
        keep: which of them stay after their answer was recorded.
    """

    base: Path
    keep: Keep = "failed"

    def path(self, id: int, attempt: int = 1) -> Path:
        """Return the absolute folder of an attempt, counted from 1."""
        return Path(os.path.abspath(self.base)) / (str(id) if attempt == 1 else f"{id}-{attempt}")

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs out, which would go on with each other's points.

        Raises:
            LockTimeoutError: there is one.
        """
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(self.base / _LOCK, 0.0))
            except LockTimeoutError as error:
                hint = "Wait for its end, or interrupt it; the same command then goes on from there"
                raise LockTimeoutError(f"another 'ordbo run' drives this study: {error.message}", hint) from None
            yield

    def claim(self, id: int) -> None:
        """Make the folder of a point that is about to be handed out: from then on it belongs to ``ordbo run``.

        What an earlier point of this number left (one that is to be evaluated again, or of a study that was begun
        anew) is no answer any more: it moves aside, to ``17.old``, ``17.old-2``, or goes where nothing is kept.

        Raises:
            FileError: the system refused, or files of somebody else are in the way.
        """
        folder = self.path(id)
        for former in self._attempts(id).values():
            check_ours(former)
            if any(former.iterdir()):
                self._set_aside(former, id)
        try:
            _make(folder)
        except OSError as error:
            raise refused("make it", folder, error) from None

    def claimed(self) -> set[int]:
        """Return the numbers of the points that have a folder."""
        return {id for id, _ in self._found()}

    def last(self, id: int) -> tuple[int, Answer | None]:
        """Return the number of the last attempt that has a folder, and its answer, None where it has none."""
        attempt = max(self._attempts(id), default=1)
        return attempt, read_answer(self.path(id, attempt))

    def forget(self, id: int) -> None:
        """Take the answers out of a point's folders, so that it is evaluated again; what else it left stays.

        Raises:
            FileError: the system refused.
        """
        for folder in self._attempts(id).values():
            try:
                (folder / ANSWER).unlink(missing_ok=True)
            except OSError as error:
                raise refused("delete it", folder / ANSWER, error) from None

    def done(self, id: int, failed: bool) -> None:
        """After a point was recorded, remove its folders; those to be kept say so. What cannot be removed stays."""
        if self.keep == "none" or (self.keep == "failed" and not failed):
            for folder in self._attempts(id).values():
                with contextlib.suppress(OrdboError, OSError):
                    check_ours(folder)
                    remove(folder)
            return
        attempt, answer = self.last(id)
        if answer is not None:
            write_answer(self.path(id, attempt), replace(answer, recorded=True))

    @property
    def count(self) -> int:
        """How many there are, with those that were moved aside."""
        return sum(1 for _ in self._found()) + len(self._moved())

    @property
    def used(self) -> bool:
        """Whether a run has been there."""
        return (self.base / _LOCK).is_file()

    def past(self, done: Collection[int]) -> list[Path]:
        """Return the folders that no run goes on from, those that were moved aside among them.

        Args:
            done: ids of points that have their answer on record.

        Raises:
            FileError: the system refused.
        """
        past = (self.path(id, attempt) for id, attempt in sorted(self._found()) if id in done)
        return [folder for folder in (*past, *self._moved()) if _is_ours(folder)]

    def remove(self, past: Collection[Path]) -> None:
        """Remove folders, and that around them where nothing else is in it; the caller is :meth:`alone`.

        Raises:
            FileError: the system refused.
        """
        for folder in past:
            try:
                remove(folder)
            except OSError as error:
                raise refused("delete it", folder, error) from None
        if past and [entry.name for entry in _entries(self.base)] == [_LOCK]:
            with contextlib.suppress(OSError):
                (self.base / _LOCK).unlink()
                self.base.rmdir()

    def _found(self) -> Iterator[tuple[int, int]]:
        for entry in _entries(self.base):
            match = _NAME.fullmatch(entry.name)
            if match and match[2] != "1" and entry.is_dir(follow_symlinks=False):
                yield int(match[1]), int(match[2] or 1)

    def _moved(self) -> list[Path]:
        """Return the folders that were moved aside."""
        old = (entry for entry in _entries(self.base) if _OLD.fullmatch(entry.name))
        return sorted(self.base / entry.name for entry in old if entry.is_dir(follow_symlinks=False))

    def _attempts(self, id: int) -> dict[int, Path]:
        return {attempt: self.path(id, attempt) for found, attempt in sorted(self._found()) if found == id}

    def _set_aside(self, folder: Path, id: int) -> None:
        try:
            if self.keep == "none":
                remove(folder)
                return
            number, target = 1, folder.with_name(f"{id}.old")
            while os.path.lexists(target):
                number += 1
                target = folder.with_name(f"{id}.old-{number}")
            folder.rename(target)
        except OSError as error:
            raise refused("move it aside", folder, error) from None


def _entries(base: Path) -> list[os.DirEntry[str]]:
    """Return what is in the folder around the run folders."""
    try:
        return list(os.scandir(base))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise refused("look into it", base, error) from None


def begin(folder: Path) -> bytes:
    """Make an attempt's folder, or empty the one that a killed driver left; return the mark that is in it now.

    Raises:
        FileError: the system refused, or files of somebody else are in the way.
    """
    check_ours(folder)
    mark = os.urandom(8).hex().encode() + b"\n"
    try:
        _make(folder)
        with RunFolder.at(folder) as opened:
            _check_ours(opened, folder)  # of the one that is open now, whatever was there before
            opened.replace(MARK, mark, sync=False)
            _empty(opened)
    except OSError as error:
        raise refused("make it", folder, error) from None
    return mark


def taken_over(folder: Path, mark: bytes) -> bool:
    """Return whether somebody else began the same attempt since; a missing mark, which a simulator deleted, is none."""
    try:
        with RunFolder.at(folder) as opened:
            return opened.read(MARK, len(mark) + 1) != mark
    except OSError:
        return False


def read_answer(folder: Path) -> Answer | None:
    """Return the answer that was written into a folder; None where there is none, or one that is not ours."""
    try:
        with RunFolder.at(folder) as opened:
            found: Any = json.loads(opened.read(ANSWER, _LONGEST_ANSWER))
        answer = Answer(**found | {"notes": tuple(found.get("notes", ()))})
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    kinds = (
        (answer.objective, str | None),
        (answer.fault, str),
        (answer.seconds, int | float),
        (answer.stopped, bool),
        (answer.outcomes, dict),
        (answer.where, str),
        (answer.units, dict),
        (answer.notes, tuple),
        (answer.last_words, str),
        (answer.recorded, bool),
    )
    if not all(isinstance(value, kind) for value, kind in kinds):
        return None
    texts = (*answer.outcomes.values(), *answer.units.values(), *answer.notes)
    return answer if all(isinstance(text, str) for text in texts) else None


def write_answer(folder: Path, answer: Answer) -> None:
    """Write an answer into a folder, whole or not at all; it is no loss where that cannot be: the driver has it."""
    with contextlib.suppress(OSError), RunFolder.at(folder) as opened:
        opened.replace(ANSWER, (json.dumps(asdict(answer)) + "\n").encode())


def check_ours(folder: Path) -> None:
    """Make sure that a folder is not there, is empty, or was made for a run: nobody else's files are deleted.

    Raises:
        FileError: it holds other files, or the system refused to look.
    """
    try:
        with RunFolder.at(folder) as opened:
            _check_ours(opened, folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise refused("use it for a run", folder, error) from None


def _is_ours(folder: Path) -> bool:
    try:
        check_ours(folder)
    except OrdboError:
        return False
    return True


def remove(folder: Path) -> None:
    """Delete a run folder, its mark last: cut short, it is still known for a run's.

    Raises:
        OSError: the system refused.
    """
    with RunFolder.at(folder) as opened:
        _empty(opened)
        opened.delete(MARK)
    folder.rmdir()


def _check_ours(opened: RunFolder, folder: Path) -> None:
    names = opened.names()
    if names and MARK not in names:
        message = f"{shown_path(folder)} holds files that are of no run"
        raise FileError(message, "Move them, or name another folder for runs")


def _empty(opened: RunFolder) -> None:
    """Delete all but the mark."""
    for name in opened.names():
        if name != MARK:
            opened.delete(name)


def _make(folder: Path) -> None:
    """Make a folder and those around it, so that they outlive a power cut."""
    made = [folder, *(parent for parent in folder.parents if not parent.exists())]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with RunFolder.at(folder, make=True):
        pass
    for one in made:
        sync_folder(one.parent)
