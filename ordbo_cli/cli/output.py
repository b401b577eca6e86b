"""Where points go: lines on standard output, filled-in templates, or both."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.render import ShownPoint, check_names, render_all, text
from ordbo_cli.errors import FileError, MissingFileError, UsageError
from ordbo_cli.problem import Problem

if TYPE_CHECKING:
    from ordbo_cli.drive.simulation.template import Template

_ID: Final = "{id}"


@dataclass(frozen=True)
class Output:
    """How points are printed, checked before one is asked for: a mistake here must cost no suggestion.

    Args:
        form: one of the formats; None for no line.
        template: to be filled in; None for no template.
        source: the template's path.
        target: where the filled-in template goes, ``{id}`` in it for the point's id; None for standard output.
    """

    form: str | None
    template: Template | None = None
    source: Path | None = None
    target: Path | None = None

    @classmethod
    def prepare(
        cls,
        problem: Problem,
        form: str | None,
        template: Path | None,
        target: Path | None,
        delimiters: str,
        *,
        many: bool = False,
    ) -> Output:
        """Check the options that :func:`ordbo_cli.cli.options.output_options` adds.

        Args:
            problem: whose points they are.
            form, template, target, delimiters: the options.
            many: whether there may be more than one point.

        Raises:
            UsageError: options that do not go together.
            MissingFileError: no template, or no folder for the result.
            DataError: the template holds an unknown name.
            ProblemError: the format cannot tell two names apart.
        """
        if many and form == "env":
            hint = "Call 'ordbo suggest' once for each, or take --format json, csv or args"
            raise UsageError("--format env with -n: one set of variables cannot hold several points", hint)
        if template is None:
            if target is not None:
                raise UsageError("-o without --template", "Give the file to fill in, or redirect with >")
            check_names(form or "json", problem.names)
            return cls(form or "json")
        if target is None or str(target) == "-":
            if form is not None:
                raise UsageError("--format beside a --template on standard output", "Give -o a file, or drop --format")
            if many:
                message = "-n with a --template on standard output: nobody could tell the files apart"
                raise UsageError(message, f"Give -o a name with {_ID} in it: -o 'run-{_ID}/case.in'")
            return cls(None, _template(template, delimiters, problem), template)
        check_names(form or "json", problem.names)
        if many and _ID not in os.path.normpath(target):
            message = f"-n with -o {target}: each point would overwrite the one before"
            raise UsageError(message, f"Put {_ID} into it: -o 'run-{_ID}/case.in'")
        target = _checked_target(target, template)
        return cls(form or "json", _template(template, delimiters, problem), template, target)

    def unused(self, problem: Problem) -> list[str]:
        """Return the free parameters that the template does not hold."""
        if self.template is None:
            return []
        return [parameter.name for parameter in problem.free if parameter.name not in self.template.names]

    def write(self, console: Console, points: Sequence[ShownPoint]) -> None:
        """Write the templates first, then the lines, so that who reads a line finds the file.

        Raises:
            UsageError: ``-o`` names a file by an id that the point does not have.
            FileError: a file cannot be written.
            OSError: standard output cannot be written.
        """
        for point in points if self.template is not None else ():
            self._fill(console, point)
        if self.form is not None:
            console.data(render_all(self.form, points))

    def _fill(self, console: Console, point: ShownPoint) -> None:
        assert self.template is not None
        filled = self.template.fill({"id": text(point.id), **{k: text(v) for k, v in point.cells.items()}})
        if self.target is None:
            console.data(filled)
            return
        target = self.target
        if _ID in str(target):
            if point.id is None:
                raise UsageError(f"-o {target}: this point has no id", f"Leave {_ID} out")
            target = Path(str(target).replace(_ID, text(point.id)))
            _make_folder(target.parent)
        self._replace(target, filled.encode("utf-8", "surrogateescape"))

    def _replace(self, target: Path, content: bytes) -> None:
        """Put content in place of a file in one move, with the template's permissions (a script stays executable)."""
        from ordbo_cli.files.durable.atomic import replace_file

        assert self.source is not None
        try:
            if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced
                target.write_bytes(content)
                return
            mode = stat.S_IMODE(self.source.stat().st_mode) | stat.S_IWUSR
        except OSError as error:
            raise FileError(f"{target}: cannot be written: {error.strerror}") from error
        replace_file(target, content, mode=mode)


def _checked_target(target: Path, template: Path) -> Path:
    """Return where the filled-in template goes, as a path that leads there from any folder.

    Raises:
        UsageError: it is a folder, or the template, or is once the id is known.
        MissingFileError: its folder is not there; those that are named by an id are made later.
    """
    parts = target.parts
    known = next((k for k, part in enumerate(parts) if _ID in part), len(parts))
    # A symbolic link stays one, its file is replaced.
    target = Path(os.path.realpath(Path(*parts[:known])), *parts[known:])
    folder = target.parents[len(parts) - known - 1] if known < len(parts) else target.parent
    if not folder.is_dir():
        raise MissingFileError(f"{folder}: there is no such folder for -o", "Make it first: mkdir -p")
    if target.is_dir():
        raise UsageError(f"-o {target} is a folder", "Give it the name of a file")
    may_be = "[0-9]+".join(map(re.escape, str(target).split(_ID)))
    if re.fullmatch(may_be, os.path.realpath(template)) or (target.exists() and target.samefile(template)):
        raise UsageError(f"-o {target} is the template itself", "Give it another name")
    return target


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: cannot be made: {error.strerror}") from error


def _template(path: Path, delimiters: str, problem: Problem) -> Template:
    from ordbo_cli.drive.simulation.template import Template

    return Template.read(path, delimiters, ("id", *problem.names))
