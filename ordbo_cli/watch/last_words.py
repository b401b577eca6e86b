"""The last lines of what a failed simulation printed, from the folder in which ``ordbo run`` keeps it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ordbo_cli.drive.simulation.folders import STDERR, STDOUT
from ordbo_cli.drive.simulation.run_folder import RunFolder
from ordbo_cli.pictures.pages.page import Fact
from ordbo_cli.problem.spelling import escaped
from ordbo_cli.study.reporting.views import Failure

LINES: Final = 5
_BYTES: Final = 4096
_WIDEST: Final = 200  # characters of a line


def last_words(failures: Iterable[Failure]) -> Iterator[Fact]:
    """Yield the end of each stream of each failure, as far as there is any; what leads elsewhere is not followed."""
    for each in failures:
        for stream in (STDERR, STDOUT):
            if each.folder is not None and (text := _end(Path(each.folder), stream)):
                yield Fact(f"id {each.id}, {'standard error' if stream == STDERR else 'standard output'}", text)


def _end(folder: Path, name: str) -> str:
    """Return the last lines of a file in a folder, "" where there are none."""
    try:
        with RunFolder.at(folder) as opened, open(opened.open(name), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return ""
            file.seek(max(0, found.st_size - _BYTES))
            lines = file.read(_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    if found.st_size > _BYTES:
        lines = lines[1:]  # it may have begun in the middle
    told = [escaped(line.rstrip().replace("\t", "    "))[:_WIDEST] for line in lines if line.strip()]
    return "\n".join(told[-LINES:])
