"""Options and arguments that several commands share."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, get_args

import click
from click.core import ParameterSource

from ordbo_cli.cli.output import FORMATS
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.method import EngineKind

if TYPE_CHECKING:
    from ordbo_cli.study.asking.stopping import StopRule


_THREADS: Final = (
    "Threads of the search for the best cell; the point is the same whatever their number. They save little: at 1,000"
    " rows and 10 parameters that search is a quarter of a second, and the fit the rest of the step. More is to share"
    " where 'acquisition: thompson' compares hundreds of cells, 15 s at 900."
)
_STOP: Final = (
    "Stop, with exit status 3, where this holds of the next point: 'improvement-probability < 0.01' (its chance to beat"
    " the best) or 'expected-rank > 20' (among the distinct results so far), with <, <=, > or >=. Given more than once,"
    " any of them stops. The figures are the model's own, but in the chance counts, too, for how long no suggestion has"
    " beaten the best, as 'ordbo diagnose' has it. Points of the initial design, points handed out again and turns to"
    " explore stop nothing: they are not chosen to be better."
)
F = TypeVar("F", bound=Callable[..., Any])

PATH: Final = click.Path(path_type=Path, readable=False)  # who reads a file says why it cannot
problem_argument: Final = click.argument("problem", type=PATH)
_SIZES: Final = {"d": 86400.0, "h": 3600.0, "m(?:in)?": 60.0, "s": 1.0}
_PART: Final = r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
_NUMBER: Final = re.compile(rf"(?:{_PART})(?:[eE][-+]?[0-9]+)?")  # 9.5e-05 is what programs print of a short time
_SPAN: Final = re.compile(r"\s*".join(rf"(?:({_PART})\s*{unit})?" for unit in _SIZES))
_WRITE: Final = "Write seconds, such as 90, or 90s, 10min, 2h, 1d, 1h30min"
_LONGEST: Final = 1e9  # seconds, some 30 years: far beyond, no system can wait


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click alone
    """A span of time, in seconds."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a span's seconds; a number alone is seconds.

        Raises:
            click.BadParameter: it is no span of time.
        """
        text = str(value).strip()
        match = _SPAN.fullmatch(text)
        if _NUMBER.fullmatch(text):
            seconds = float(text)
        elif text and match:
            parts = zip(match.groups(), _SIZES.values(), strict=True)
            seconds = sum(float(part) * size for part, size in parts if part)
        else:
            self.fail(f"{text!r} is no span of time. {_WRITE}", param, ctx)
        if seconds > _LONGEST:
            self.fail(f"{text!r} is too long a time. {_WRITE}", param, ctx)
        return seconds


DURATION: Final = Duration()
lock_option: Final = click.option(
    "--lock-timeout",
    type=DURATION,
    default="60s",
    show_default=True,
    help="How long to wait for another ordbo process on the same study.",
)
again_option: Final = click.option(
    "--again", is_flag=True, help="Count the answer once more, though it is the newest one on these points already."
)
judge_option: Final = click.option(
    "--judge", metavar="NAME", help="Who says so: how often each judge errs is learnt from the answers."
)
objective_option: Final = click.option(
    "--objective",
    metavar="NAME",
    help="Look at one of several objectives as if it were the only one: what would come next, too, is that of it.",
)
engine_option: Final = click.option(
    "--engine", type=click.Choice(get_args(EngineKind)), help="Overrides the problem file's engine."
)
threads_option: Final = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help=_THREADS
)


class _Rule(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click alone
    """A stop rule."""

    name = "rule"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> StopRule:
        """Return the rule that a text says.

        Raises:
            UsageError: it says none.
        """
        from ordbo_cli.study.asking.stopping import StopRule

        return value if isinstance(value, StopRule) else StopRule.parse(str(value))


stop_option: Final = click.option("--stop-when", type=_Rule(), multiple=True, metavar="RULE", help=_STOP)
delimiters_option: Final = click.option(
    "--delimiters",
    default="{ }",
    show_default=True,
    metavar="'OPEN CLOSE'",
    help="What stands around a name in the template, for instance '@ @' or '<< >>'.",
)
json_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON: one object, of a list one a line."
)


def format_option(*forms: str, help: str, default: str | None = None) -> Callable[[F], F]:
    """Add ``--format``, and ``--json`` for its json, so that this is the same word for every command.

    Args:
        forms: the formats, json among them.
        help: what each of them is.
        default: where neither is given.
    """

    def add(function: F) -> F:
        @functools.wraps(function)
        def called(*arguments: Any, form: str | None, as_json: bool, **options: Any) -> Any:
            if as_json and form not in (None, "json"):
                raise UsageError(f"--json beside --format {form}", "Give one of the two")
            return function(*arguments, form="json" if as_json else form or default, **options)

        plain = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
        return cast(F, click.option("--format", "form", type=click.Choice(forms), help=help)(plain(called)))

    return add


def output_options(function: F) -> F:
    """Add the options that say how a point is printed."""
    for option in reversed(
        (
            format_option(
                *FORMATS,
                help="json (the default): one object a line; csv: a header and a row a point; env: lines to eval in a"
                " shell; args: command-line arguments, the first of them --id=17.",
            ),
            click.option("--template", type=PATH, help="Fill in this file: every {name}, and {id}."),
            click.option(
                "-o",
                "--output",
                type=PATH,
                help="Where the filled-in template goes (default: standard output); {id} in it becomes the id.",
            ),
            delimiters_option,
        )
    ):
        function = option(function)
    return function


def typed(context: click.Context, name: str) -> bool:
    """Return whether an option was given by hand."""
    return context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None)


def demand(what: str, *packages: str, extra: str = "plots") -> None:
    """Say at once that a package is missing, before anything is computed.

    Args:
        what: needs it: a command or an option.
        packages: that it imports.
        extra: with which they are installed.

    Raises:
        UsageError: one is not installed.
    """
    if missing := [package for package in packages if find_spec(package) is None]:
        raise UsageError(f"{what} needs {' and '.join(missing)}", f"Install: pip install 'ordbo[{extra}]'")
