"""Where a point goes: a line on standard output, a filled-in template, or both."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.render import Point, check_names, render, text
from ordbo_cli.drive.template import Template
from ordbo_cli.errors import FileError, MissingFileError, UsageError
from ordbo_cli.problem import Problem


@dataclass(frozen=True)
class Output:
    """How a point is printed, checked before a point is asked for: a mistake here must cost no suggestion.

    Args:
        form: one of the formats; None for no line.
        template: to be filled in; None for no template.
        source: the template's path.
        target: where the filled-in template goes; None for standard output.
    """

    form: str | None
    template: Template | None = None
    source: Path | None = None
    target: Path | None = None

    @classmethod
    def prepare(
        cls, problem: Problem, form: str | None, template: Path | None, target: Path | None, delimiters: str
    ) -> Output:
        """Check the options that :func:`ordbo_cli.cli.options.output_options` adds.

        Raises:
            UsageError: options that do not go together.
            MissingFileError: no template, or no folder for the result.
            DataError: the template holds an unknown name.
            ProblemError: the format cannot tell two names apart.
        """
        if template is None:
            if target is not None:
                raise UsageError("-o without --template", "Give the file to fill in, or redirect with >")
            check_names(form or "json", problem.names)
            return cls(form or "json")
        if target is None or str(target) == "-":
            if form is not None:
                raise UsageError("--format beside a --template on standard output", "Give -o a file, or drop --format")
            return cls(None, Template.read(template, delimiters, _names(problem)), template)
        check_names(form or "json", problem.names)
        target = Path(os.path.realpath(target))  # a symbolic link stays one, its file is replaced
        if not target.parent.is_dir():
            raise MissingFileError(f"{target.parent}: there is no such folder for -o", "Make it first: mkdir -p")
        if target.is_dir():
            raise UsageError(f"-o {target} is a folder", "Give it the name of a file")
        if target.exists() and target.samefile(template):
            raise UsageError(f"-o {target} is the template itself", "Give it another name")
        return cls(form or "json", Template.read(template, delimiters, _names(problem)), template, target)

    def unused(self, problem: Problem) -> list[str]:
        """Return the free parameters that the template does not hold."""
        if self.template is None:
            return []
        return [parameter.name for parameter in problem.free if parameter.name not in self.template.names]

    def write(self, console: Console, point: Point) -> None:
        """Write the template first, then the line, so that who reads the line finds the file.

        Raises:
            FileError: the file cannot be written.
            OSError: standard output cannot be written.
        """
        if self.template is not None:
            filled = self.template.fill({"id": text(point.id), **{k: text(v) for k, v in point.parameters.items()}})
            if self.target is None:
                console.data(filled)
            else:
                self._replace(self.target, filled.encode("utf-8", "surrogateescape"))
        if self.form is not None:
            console.data(render(self.form, point))

    def _replace(self, target: Path, content: bytes) -> None:
        """Put content in place of a file in one move, with the template's permissions (a script stays executable)."""
        from ordbo_cli.study.atomic import replace_file

        assert self.source is not None
        try:
            if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced
                target.write_bytes(content)
                return
            mode = stat.S_IMODE(self.source.stat().st_mode) | stat.S_IWUSR
        except OSError as error:
            raise FileError(f"{target}: cannot be written: {error.strerror}") from error
        replace_file(target, content, mode=mode)


def _names(problem: Problem) -> tuple[str, ...]:
    return ("id", *problem.names)
