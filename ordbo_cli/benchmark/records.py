"""The file of an experiment: one JSON line an evaluation, from which an interrupted experiment goes on.

A run's lines are written together when it ends. What a kill cuts off is dropped when the file is read next, and the run
that it belonged to is done again. How long suggestions took is no part of the records, which are the same each time: it
goes into a file of its own beside them. Files that are only read may be compressed: their name then ends in ``.xz`` or
``.gz``.
"""

from __future__ import annotations

import contextlib
import json
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.files.durable.atomic import backup_path, replace_file, write_all
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.files.durable.paths import read_bytes, refused
from ordbo_cli.problem import Number
from ordbo_cli.problem.spelling import shown_path

COMPRESSED: Final = (".xz", ".gz")


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
        others: values of the objectives beside the first one; empty where there are none, and of a failure.
    """

    key: RunKey
    number: int
    x: tuple[Number, ...]
    y: float | None
    regret: float | None
    others: tuple[float, ...] = ()

    def line(self) -> str:
        """Return the record as a line of JSON."""
        rest: dict[str, Any] = {"number": self.number, "x": self.x, "y": self.y, "regret": self.regret}
        rest |= {"others": self.others} if self.others else {}
        return json.dumps({**self.key._asdict(), **rest}, allow_nan=False) + "\n"

    @classmethod
    def read(cls, line: str) -> RunRecord:
        """Read a line.

        Raises:
            ValueError, KeyError, TypeError: it is not a record.
        """
        found: dict[str, Any] = json.loads(line)
        y, regret = (None if found[name] is None else float(_number(found[name])) for name in ("y", "regret"))
        others = tuple(float(_number(value)) for value in found.get("others", ()))
        return cls(_key(found), int(found["number"]), tuple(map(_number, found["x"])), y, regret, others)


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
        return cls(_key(found), tuple(float(_number(s)) for s in found["seconds"]))


def _key(found: dict[str, Any]) -> RunKey:
    return RunKey(
        str(found["problem"]), str(found["method"]), int(found["seed"]), int(found["initial"]), int(found["total"])
    )


def _number(x: Number) -> Number:
    if isinstance(x, bool) or not isinstance(x, int | float) or not abs(x) <= sys.float_info.max:
        raise ValueError(f"{x!r} is not a finite number")
    return x


class RecordFile:
    """The records of an experiment on disk, and its timings beside them.

    Args:
        path: of the records; the timings' is the same with ``.timings`` before the suffix.
        others: files of more records, with theirs beside them, that are only read.
    """

    def __init__(self, path: Path, others: Sequence[Path] = ()) -> None:
        self.path = path
        self.timings_path = _timings_path(path)
        self.others = others

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the same file for the time of a ``with`` block.

        Raises:
            LockTimeoutError: another one does.
            FileError: the system refused to make the lock file.
        """
        with locked(self.path.with_name(f"{self.path.name}.lock"), timeout=1.0):
            yield

    def read(self) -> dict[RunKey, tuple[RunRecord, ...]]:
        """Return the records of all complete runs, those of the other files included.

        Raises:
            DataError: a whole line is not a record.
            MissingFileError: one of the other files is not there.
            FileError: the system refused to read.
        """
        return {**self._of_others, **_complete(self.path, _whole_lines(self.path)[1])}

    @cached_property
    def _of_others(self) -> dict[RunKey, tuple[RunRecord, ...]]:
        return {key: run for path in self.others for key, run in _complete(path, _lines(_content(path))).items()}

    def open(self) -> dict[RunKey, tuple[RunRecord, ...]]:
        """Return what :meth:`read` does, and drop what interrupted runs left in the file.

        Raises:
            DataError, MissingFileError: as :meth:`read`.
            FileError: the system refused to read or write.
        """
        others = self._of_others
        content, whole = _whole_lines(self.path)
        complete = _complete(self.path, whole)
        kept = "".join(record.line() for records in complete.values() for record in records).encode()
        if len(kept) != len(content):
            replace_file(self.path, kept, keep_as=backup_path(self.path))
        timings, whole = _whole_lines(self.timings_path)
        if timings and not timings.endswith(b"\n"):
            rest = "".join(f"{line}\n" for line in whole).encode()
            replace_file(self.timings_path, rest, keep_as=backup_path(self.timings_path))
        return {**others, **complete}

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
        paths = [path for path in map(_timings_path, self.others) if path.exists()]
        for line in chain(*(_lines(_content(path)) for path in paths), _whole_lines(self.timings_path)[1]):
            try:
                timing = Timing.read(line)
            except (ValueError, KeyError, TypeError):
                continue
            found[timing.key] = timing.seconds
        return found


def _timings_path(path: Path) -> Path:
    """Return where the timings of a file of records are: ``b.timings.jsonl.xz`` beside ``b.jsonl.xz``."""
    packing = path.suffix if path.suffix in COMPRESSED else ""
    plain = Path(path.name.removesuffix(packing))
    return path.with_name(f"{plain.stem}.timings{plain.suffix}{packing}")


def _complete(path: Path, lines: Iterable[str]) -> dict[RunKey, tuple[RunRecord, ...]]:
    """Return the complete runs among the lines of a file.

    Raises:
        DataError: a line is not a record.
    """
    runs: dict[RunKey, dict[int, RunRecord]] = defaultdict(dict)
    for place, line in enumerate(lines, 1):
        try:
            record = RunRecord.read(line)
        except (ValueError, KeyError, TypeError) as error:
            why = f"there is no {error}" if isinstance(error, KeyError) else error
            raise DataError(
                f"{shown_path(path)}:{place}: not a record of a benchmark: {why}",
                "Name another file, or take the line out",
            ) from None
        runs[record.key][record.number] = record
    return {
        key: tuple(records[number] for number in range(1, key.total + 1))
        for key, records in runs.items()
        if len(records) == key.total and min(records) == 1 and max(records) == key.total
    }


def _content(path: Path) -> bytes:
    """Return what is in a file of records, unpacked.

    Raises:
        MissingFileError: there is none.
        DataError: it cannot be unpacked.
        FileError: the system refused to read.
    """
    content = read_bytes(path, "file of records")
    if path.suffix not in COMPRESSED:
        return content
    import gzip
    import lzma

    try:
        return lzma.decompress(content) if path.suffix == ".xz" else gzip.decompress(content)
    except (lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        hint = "Fetch or pack it again: its name says how it is packed"
        raise DataError(f"{shown_path(path)}: it cannot be unpacked: {error}", hint) from None


def _lines(content: bytes) -> Sequence[str]:
    """Return the lines of a file, but for a last one without an end."""
    return [line.decode("utf-8", "replace") for line in content.split(b"\n")[:-1]]


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
    return content, _lines(content)


def _append(path: Path, text: str) -> None:
    try:
        with path.open("ab", buffering=0) as file:
            write_all(file.fileno(), text.encode())
    except OSError as error:
        raise refused("write it", path, error) from None
