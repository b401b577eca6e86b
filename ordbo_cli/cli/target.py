"""Files that a command writes for people: where one may go is told before the work, and it comes whole."""

from __future__ import annotations

from pathlib import Path

from ordbo_cli.errors import UsageError
from ordbo_cli.files.durable.atomic import replace_file
from ordbo_cli.files.durable.paths import folder_of, is_same_file, refused


def check_target(path: Path, *inputs: Path) -> None:
    """Refuse a place where a file cannot or should not go.

    Args:
        path: of the file.
        inputs: files that it must not replace.

    Raises:
        UsageError: it is a folder, or one of the inputs.
        MissingFileError: its folder is not there.
    """
    folder_of(path)
    if path.is_dir():
        raise UsageError(f"{path} is a folder", "Give it the name of a file")
    if any(is_same_file(each, path) for each in inputs):
        raise UsageError(f"{path} belongs to the study: it would be lost", "Give it another name")


def overwrite(path: Path, content: bytes) -> None:
    """Put content in place of a file in one step, or send it to a pipe or a device, which cannot be replaced.

    Raises:
        FileError: the system refused; a file that was there is untouched.
    """
    if path.is_file() or not path.exists():
        replace_file(path, content)
        return
    try:
        path.write_bytes(content)
    except OSError as error:
        raise refused("write it", path, error) from None
