"""Where points go: lines on standard output, filled-in templates, or both."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ordbo_cli.cli.console import Console
from ordbo_cli.errors import FileError, MissingFileError, ProblemError, UsageError
from ordbo_cli.files.durable.atomic import replace_file
from ordbo_cli.files.durable.paths import folder_of, is_same_file, refused
from ordbo_cli.problem import Problem
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import environment_name

if TYPE_CHECKING:
    from ordbo_cli.drive.simulation.template import Template
    from ordbo_cli.study.telling.recording import Told


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


FORMATS: Final = ("json", "csv", "env", "args")

Value = int | float | str | Decimal | None


class ShownPoint(NamedTuple):
    """What suggest and best print.

    Args:
        id: of the suggestion; None for a row that was never suggested.
        parameters: all that count by name, fixed ones included.
        objective: name and value of the result, where there is one.
        names: of all parameters, also of those that do not count; empty where none is left out.
        more: what else there is to say on the point, for JSON.
        results: of several objectives the values by name, for CSV.
    """

    id: int | None
    parameters: Mapping[str, int | float | str]
    objective: tuple[str, Decimal | str] | None = None
    names: tuple[str, ...] = ()
    more: Mapping[str, object] = {}
    results: Mapping[str, Decimal | str] = {}

    @property
    def cells(self) -> dict[str, int | float | str | None]:
        """All parameters by name, None for one that does not count."""
        return {name: self.parameters.get(name) for name in self.names or self.parameters}


def text(value: Value) -> str:
    """Return a value as it is stored: the shortest decimal that reads back as the same double; "" for None."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def words(parameters: Mapping[str, int | float | str]) -> str:
    """Return a point in words, for people."""
    return " ".join(f"{name}={text(value)}" for name, value in parameters.items())


def result_words(told: Told, objective: str) -> str:
    """Return what was told of a point, in words: its results by name, or what became of it."""
    if told.status != "ok":
        return told.status
    results = {objective: told.objective} if told.objective is not None else {}
    who = f" (judge {told.judge})" if told.judge else ""
    return words({**results, **told.outcomes}) + (" (infeasible)" if told.infeasible else "") + who


def argument_name(name: str) -> str:
    """Return ``--`` and the name, everything but letters, digits and dots as ``-``."""
    return "--" + re.sub(r"[^\w.]|_", "-", name)


def check_names(form: str, names: Iterable[str]) -> None:
    """Make sure that a format can tell the names apart.

    Raises:
        ProblemError: two of them would be printed alike.
    """
    spelt = {"env": environment_name, "args": argument_name}.get(form)
    if spelt is None:
        return
    names, seen = ("id", *names), dict[str, str]()
    for name in names:
        other = seen.setdefault(spelt(name), name)
        if other != name or list(names).count(name) > 1:
            raise ProblemError(
                f"--format {form}: {other!r} and {name!r} would both be {spelt(name)}",
                "Rename one in the problem file, or use --format json",
            )


def render(form: str, point: ShownPoint) -> str:
    """Return a point in one of :data:`FORMATS`, with the final line end."""
    return _RENDERERS[form](point)


def render_all(form: str, points: Sequence[ShownPoint]) -> str:
    """Return points one below the other; as CSV, below one header."""
    if form == "csv" and points:
        rows = ([each.id, *each.cells.values(), *each.results.values()] for each in points)
        return csv_lines([["id", *points[0].cells, *points[0].results], *rows])
    return "".join(render(form, point) for point in points)


def json_line(value: object) -> str:
    """Return one line of strict JSON: decimals digit by digit, infinity as the text "inf", Unicode as it is."""
    return _json(value) + "\n"


def csv_lines(rows: Iterable[Iterable[Value]]) -> str:
    """Return rows as comma-separated lines."""
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows([text(value) for value in row] for row in rows)
    return target.getvalue()


def _json(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_json(str(key))}: {_json(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, Decimal):  # json.dumps knows no decimals; 1E+400 and 20 digits are JSON numbers all the same
        return str(value) if value.is_finite() else '"inf"' if value > 0 else '"-inf"'
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _as_json(point: ShownPoint) -> str:
    entries: dict[str, object] = {"id": point.id, "parameters": in_words(point.parameters)}
    if point.objective is not None:
        entries["objective"] = dict([point.objective])
    return json_line({**entries, **point.more})


def _as_env(point: ShownPoint) -> str:
    entries = {"id": point.id, **point.parameters}
    given = "".join(f"{environment_name(name)}={shlex.quote(text(value))}\n" for name, value in entries.items())
    absent = [environment_name(name) for name, value in point.cells.items() if value is None]
    return given + (f"unset {' '.join(absent)}\n" if absent else "")  # what the point before may have set


def _as_args(point: ShownPoint) -> str:
    entries = {"id": point.id, **point.parameters}  # the id first, and always: a shell may set it aside by its place
    return shlex.join(f"{argument_name(name)}={text(value)}" for name, value in entries.items()) + "\n"


_RENDERERS: Final[Mapping[str, Callable[[ShownPoint], str]]] = {
    "json": _as_json,
    "csv": lambda point: render_all("csv", [point]),
    "env": _as_env,
    "args": _as_args,
}


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
        raise UsageError(f"{path} holds what it is made from: it would be lost", "Give it another name")


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
