"""Whether this user may record what becomes of a point, asked before one is handed out."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable.paths import folder_of, refused
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.text import shown_path


def demand_access(file: ProblemFile) -> None:
    """Make sure that a result could be appended: a point that somebody cannot answer would be out for ever.

    Raises:
        FileError: it could not.
        MissingFileError: the folder of the evaluations is not there.
    """
    path = file.evaluations
    folder = folder_of(path)
    if _may(os.W_OK, path if path.exists() else folder) or (path.exists() and not _may(os.R_OK, path)):
        return  # what cannot be read is refused when it is read
    denied = refused("append to it", path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    what = shown_path(path) if path.exists() else f"the folder of {shown_path(path)}"
    hint = f"No point is handed out whose result you could not record: have {what} made writable (chmod g+w)"
    raise FileError(denied.message, hint)


def _may(how: int, path: Path) -> bool:
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)
