"""The folder that agents may work in: problem files by name, and nothing outside it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import MissingFileError, UsageError
from ordbo_cli.files.durable.journal import journal_path
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.spelling import meant, shown, some

if TYPE_CHECKING:
    from ordbo_cli.study.study import Study

_ENDINGS: Final = (".yaml", ".yml")
_PROBLEM: Final = re.compile(rb"^[\"']?parameters[\"']?[ \t]*:", re.MULTILINE)
_HEAD: Final = 1 << 16  # bytes in which a problem file says that it is one
_DEEPEST: Final = 4  # folders below this one
MOST_LISTED: Final = 200  # problem files
_MOST_ENTRIES: Final = 20_000  # that are looked at for them
_BESIDE_STATE: Final = ("", ".bak", ".lock", ".locked", ".locked.guard")


class AgentFolder:
    """The working folder of this process, as it is when this is made.

    Links that lead out of it are refused when a study is opened. Who may make links there while a study is read or
    written is no agent, but somebody who has the folder.

    Args:
        open_study: reads a problem file, and of several objectives looks at one where it is named.
    """

    def __init__(self, open_study: Callable[[Path, str | None], Study]) -> None:
        self._open = open_study
        self._root = Path(os.path.realpath("."))

    def problems(self) -> list[str]:
        """Return the problem files of the folder and of those below it, by name."""
        return sorted(self._found())

    def study(self, name: str | None, objective: str | None = None) -> Study:
        """Open a study.

        Args:
            name: of its problem file, relative to the folder; None for the only one.
            objective: of several the one to look at; None for all.

        Raises:
            UsageError: it or one of its files is not inside the folder, or several could be meant.
            MissingFileError: there is no such file.
            FileError, ManyErrors: as :meth:`.Study.open`.
        """
        path = self._path(self._only() if name is None else name)
        study = self._open(path, objective)
        for what, file in self._files(study):
            self._demand_inside(file, f"{shown(str(path))}: {what}, {shown(str(file))},")
        return study

    def _only(self) -> str:
        found = self.problems()
        if not found:
            raise MissingFileError("there is no problem file in the folder", "'ordbo init' writes one to start from")
        if len(found) > 1:
            raise UsageError("which problem is not said", f"There are {some(list(map(shown, found)))}")
        return found[0]

    def _path(self, name: str) -> Path:
        path = Path(name)
        if not name or "\0" in name or path.is_absolute():
            hint = "Name a problem file relative to the folder, such as drag.yaml"
            raise UsageError(f"problem is {shown(name)}, which is no name inside the folder", hint)
        self._demand_inside(path, f"problem {shown(name)}")
        try:
            path.stat()
        except FileNotFoundError:
            known = self.problems()
            hint = meant(name, known) if known else "'ordbo init' writes one to start from"
            raise MissingFileError(f"{shown(name)}: there is no such problem file", hint) from None
        except OSError as error:
            raise refused("read it", shown(name), error) from None
        if not path.is_file():
            raise UsageError(f"problem is {shown(name)}, which is no file", "Name a problem file, such as drag.yaml")
        return path

    def _demand_inside(self, path: Path, what: str) -> None:
        """Raise where a path, all links followed, leads out of the folder."""
        if not Path(os.path.realpath(path)).is_relative_to(self._root):
            raise UsageError(f"{what} leads out of the folder", "Move it into the folder, or serve the folder above")

    @staticmethod
    def _files(study: Study) -> Iterator[tuple[str, Path]]:
        """Yield the files that a study reads and writes, whether they are there or not."""
        file = study.file
        tables = {
            "the evaluations": file.evaluations,
            "the comparisons": file.comparisons,
            "the list of suggestions": file.handed,
        }
        yield from tables.items()
        yield from (("a journal", journal_path(each)) for each in tables.values())
        yield from (("the state", Path(f"{file.state}{ending}")) for ending in _BESIDE_STATE)
        yield "the list of notes", file.remarks
        yield "the folder of runs", file.runs
        yield from (("the table of a campaign", each.path) for each in file.campaigns)

    def _found(self) -> Iterator[str]:
        left, listed = _MOST_ENTRIES, 0
        folders = [Path()]
        while folders and left > 0 and listed < MOST_LISTED:
            folder = folders.pop(0)
            for entry in _entries(folder)[:left]:
                left -= 1
                path = folder / entry.name
                if entry.name.startswith(".") or not self._is_inside(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if len(path.parts) <= _DEEPEST and path.suffix != ".runs":
                        folders.append(path)
                elif path.suffix in _ENDINGS and entry.is_file() and _says_so(path) and listed < MOST_LISTED:
                    listed += 1
                    yield str(path)

    def _is_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self._root)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what is in a folder, in order; nothing where the system refuses."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _says_so(path: Path) -> bool:
    """Return whether a file looks like a problem file."""
    try:
        with path.open("rb") as file:
            return _PROBLEM.search(file.read(_HEAD)) is not None
    except OSError:
        return False
