"""Which studies a page is about: one problem file, or those of a folder and of the folders in it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ordbo_cli.watch.watched_files import NOBODY, Signature, signature

MOST_STUDIES: Final = 200
_ENDINGS: Final = (".yaml", ".yml")
_LARGEST: Final = 1 << 20  # bytes of a file that is looked into
_PROBLEM: Final = re.compile(rb"^(?:\{|objectives?\s*:)", re.MULTILINE)
_PARAMETERS: Final = re.compile(rb"\bparameters\s*:")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")


class Studies:
    """The problem files that a server shows, by the names that stand in addresses; no other file is ever opened.

    Args:
        place: a problem file, or a folder.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.is_folder = place.is_dir()
        self.root = place if self.is_folder else None
        self._names: dict[Path, str] = {}
        self._read: dict[Path, tuple[Signature, bool]] = {}
        self.found: dict[str, Path] = {}
        self.look()

    def look(self) -> dict[str, Path]:
        """Return the problem files that are there now by name; a name once given stays."""
        paths = [self.place]
        if self.is_folder:
            paths = sorted(path for path in _yaml_files(self.place) if self._asks(path))[:MOST_STUDIES]
        for path in paths:
            if path not in self._names:
                self._names[path] = self._name(path)
        self.found = {self._names[path]: path for path in paths}
        return self.found

    def _asks(self, path: Path) -> bool:
        """Return whether a file looks like a problem file; it is read again where it has changed."""
        now = signature((path,))
        if self._read.get(path, (NOBODY, False))[0] != now:
            self._read[path] = now, _asks(path)
        return self._read[path][1]

    def _name(self, path: Path) -> str:
        """Return a name for an address, another one for each file."""
        plain = _UNSAFE.sub("-", path.stem).strip("-.") or "study"
        taken, name, number = set(self._names.values()), plain, 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        return name


def _yaml_files(folder: Path) -> Iterator[Path]:
    """Yield the YAML files in a folder and the folders in it; links are not followed."""
    yield from _of_one(folder)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                yield from _of_one(Path(entry.path))


def _of_one(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_ENDINGS) and entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _asks(path: Path) -> bool:
    """Return whether a file speaks of parameters and an objective, as problem files do."""
    try:
        if path.stat().st_size > _LARGEST:
            return False
        content = path.read_bytes()
    except OSError:
        return False
    return bool(_PROBLEM.search(content) and _PARAMETERS.search(content))
