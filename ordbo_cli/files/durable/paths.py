"""Reading whole files, with the system's refusals turned into errors for people."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Final

from ordbo_cli.errors import FileError, MissingFileError
from ordbo_cli.problem.spelling import nearest, shown_path

_MOST_NAMES: Final = 5000  # of a folder that are compared


def refused(action: str, path: str | os.PathLike[str], error: OSError) -> FileError:
    """Return the error for a file that the system refused to read or write."""
    return FileError(f"{shown_path(path)}: cannot {action}: {error.strerror or error}")


def read_bytes(path: Path, what: str, *, at_most: int | None = None, pipes: bool = False) -> bytes:
    """Return a file's content, or its first ``at_most`` bytes.

    Args:
        path: the file.
        what: it is called in messages.
        at_most: bytes to read; None for all.
        pipes: whether it may be a pipe or a device, which can be read only once, and perhaps never ends.

    Raises:
        MissingFileError: there is no such file.
        FileError: the system refused, or it is no regular file.
    """
    try:
        if not pipes and path.exists() and not (path.is_file() or path.is_dir()):
            raise FileError(f"{shown_path(path)}: this is no regular file", f"Name another {what}")
        with path.open("rb") as file:
            return file.read(-1 if at_most is None else at_most)
    except FileNotFoundError:
        raise MissingFileError(f"{shown_path(path)}: there is no such {what}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise refused("read it", path, error if isinstance(error, OSError) else OSError(str(error))) from None


def missing(path: Path, what: str, hint: str = "", *, ending: str = "") -> MissingFileError:
    """Return the error for a file that is not there, with the name of the one that was most likely meant.

    Args:
        path: the file.
        what: it is called in messages.
        hint: what to do where no file has such a name.
        ending: of such files, which may have been left out.
    """
    near = _near(path if path.suffix else path.with_name(path.name + ending), is_folder=False)
    guess = hint if near is None else f"Did you mean {shown_path(near)}?"
    return MissingFileError(f"{shown_path(path)}: there is no such {what}", guess)


def _near(path: Path, *, is_folder: bool) -> Path | None:
    """Return the file, or folder, that is there and whose path is most like this one, in a folder like this one's."""
    try:
        if path.exists():
            return path
        folder = path.parent if path.parent.is_dir() else _near(path.parent, is_folder=True)
        if folder is None:
            return None
        names = [each.name for each in islice(folder.iterdir(), _MOST_NAMES) if each.is_dir() == is_folder]
    except OSError:
        return None
    guess = path.name if path.name in names else nearest(path.name, names)
    return None if guess is None else folder / guess


def read_end(path: Path, what: str, at_most: int) -> bytes:
    """Return the last bytes of a file.

    Raises:
        MissingFileError, FileError: as :func:`read_bytes`.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - at_most))
            return file.read(at_most)
    except FileNotFoundError:
        raise MissingFileError(f"{shown_path(path)}: there is no such {what}") from None
    except OSError as error:
        raise refused("read it", path, error) from None


def folder_of(path: Path) -> Path:
    """Return the folder that a file is in, or will be.

    Raises:
        MissingFileError: it is not there.
    """
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise MissingFileError(f"{shown_path(folder)}: there is no such folder for {path.name}", "Make it: mkdir -p")
    return folder


def may(how: int, path: Path) -> bool:
    """Return whether this process may do something with a file, such as ``os.W_OK``."""
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)


def is_same_file(one: str | os.PathLike[str], other: Path) -> bool:
    """Return whether two paths lead to one file that is there."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
