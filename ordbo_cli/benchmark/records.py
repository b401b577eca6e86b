"""The file of an experiment: one JSON line an evaluation, from which an interrupted experiment goes on.

A run's lines are written together when it ends. What a kill cuts off is dropped when the file is read next, and the run
that it belonged to is done again. How long suggestions took is no part of the records, which are the same each time: it
goes into a file of its own beside them.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.files.durable.atomic import backup_path, replace_file, write_all
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem import Number
from ordbo_cli.problem.spelling import shown_path


class RunKey(NamedTuple):
    """What tells one run from the others.

    Args:
        problem, method: their names.
        seed: of every random choice.
        initial, total: numbers of initial points and of all evaluations.
    """

    problem: str
    method: str
    seed: int
    initial: int
    total: int


@dataclass(frozen=True)
class RunRecord:
    """One evaluation.

    Args:
        key: its run.
        number: its place in the run, from 1 on.
        x: the point.
        y: what the method was told; None for a failure.
        regret: above the optimum, without noise; None where the optimum is not known.
    """

    key: RunKey
    number: int
    x: tuple[Number, ...]
    y: float | None
    regret: float | None

    def line(self) -> str:
        """Return the record as a line of JSON."""
        rest = {"number": self.number, "x": self.x, "y": self.y, "regret": self.regret}
        return json.dumps({**self.key._asdict(), **rest}, allow_nan=False) + "\n"

    @classmethod
    def read(cls, line: str) -> RunRecord:
        """Read a line.

        Raises:
            ValueError, KeyError, TypeError: it is not a record.
        """
        found: dict[str, Any] = json.loads(line)
        y, regret = (None if found[name] is None else float(found[name]) for name in ("y", "regret"))
        return cls(_key(found), int(found["number"]), tuple(map(_number, found["x"])), y, regret)


@dataclass(frozen=True)
class Timing:
    """How long a run's suggestions took.

    Args:
        key: the run.
        seconds: a number for each suggestion after the initial design.
    """

    key: RunKey
    seconds: tuple[float, ...]

    def line(self) -> str:
        """Return the timing as a line of JSON."""
        return json.dumps({**self.key._asdict(), "seconds": [round(s, 6) for s in self.seconds]}) + "\n"

    @classmethod
    def read(cls, line: str) -> Timing:
        """Read a line.

        Raises:
            ValueError, KeyError, TypeError: it is not a timing.
        """
        found: dict[str, Any] = json.loads(line)
        return cls(_key(found), tuple(map(float, found["seconds"])))


def _key(found: dict[str, Any]) -> RunKey:
    return RunKey(
        str(found["problem"]), str(found["method"]), int(found["seed"]), int(found["initial"]), int(found["total"])
    )


def _number(x: Number) -> Number:
    if isinstance(x, bool) or not isinstance(x, int | float) or not math.isfinite(x):
        raise ValueError(f"{x!r} is not a coordinate")
    return x


class RecordFile:
    """The records of an experiment on disk, and its timings beside them.

    Args:
        path: of the records; the timings' is the same with ``.timings`` before the suffix.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.timings_path = path.with_name(f"{path.stem}.timings{path.suffix}")

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the same file for the time of a ``with`` block.

        Raises:
            LockTimeoutError: another one does.
            FileError: the system refused to make the lock file.
        """
        with locked(self.path.with_name(f"{self.path.name}.lock"), timeout=1.0):
            yield

    def open(self) -> dict[RunKey, tuple[RunRecord, ...]]:
        """Return the records of all complete runs, and drop what interrupted ones left in the file.

        Raises:
            DataError: a whole line is not a record.
            FileError: the system refused to read or write.
        """
        content, whole = _whole_lines(self.path)
        runs: dict[RunKey, dict[int, RunRecord]] = defaultdict(dict)
        for place, line in enumerate(whole, 1):
            try:
                record = RunRecord.read(line)
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(
                    f"{shown_path(self.path)}:{place}: not a record of a benchmark: {error}",
                    "Name another file with --output, or take the line out",
                ) from None
            runs[record.key][record.number] = record
        complete = {
            key: tuple(records[number] for number in range(1, key.total + 1))
            for key, records in runs.items()
            if records.keys() == set(range(1, key.total + 1))
        }
        kept = "".join(record.line() for records in complete.values() for record in records).encode()
        if len(kept) != len(content):
            replace_file(self.path, kept, keep_as=backup_path(self.path))
        timings, whole = _whole_lines(self.timings_path)
        if timings and not timings.endswith(b"\n"):
            rest = "".join(f"{line}\n" for line in whole).encode()
            replace_file(self.timings_path, rest, keep_as=backup_path(self.timings_path))
        return complete

    def add(self, outcome_records: Iterable[RunRecord], timing: Timing) -> None:
        """Append a run that has ended.

        Raises:
            FileError: the system refused to write.
        """
        _append(self.timings_path, timing.line())
        _append(self.path, "".join(record.line() for record in outcome_records))

    def timings(self) -> dict[RunKey, tuple[float, ...]]:
        """Return the seconds of each suggestion of the runs that are known, lines of nonsense passed over."""
        found: dict[RunKey, tuple[float, ...]] = {}
        for line in _whole_lines(self.timings_path)[1]:
            try:
                timing = Timing.read(line)
            except (ValueError, KeyError, TypeError):
                continue
            found[timing.key] = timing.seconds
        return found


def _whole_lines(path: Path) -> tuple[bytes, Sequence[str]]:
    """Return a file's content, and its lines but for a last one without an end; nothing for a file that is not there.

    Raises:
        FileError: the system refused to read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return b"", []
    except OSError as error:
        raise refused("read it", path, error) from None
    lines = content.split(b"\n")[:-1]
    return content, [line.decode("utf-8", "replace") for line in lines]


def _append(path: Path, text: str) -> None:
    try:
        with path.open("ab", buffering=0) as file:
            write_all(file.fileno(), text.encode())
    except OSError as error:
        raise refused("write it", path, error) from None
