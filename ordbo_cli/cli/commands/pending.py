"""``ordbo pending``: what is out without a result, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ordbo_cli.cli.base_command import CONTEXT, VERBOSITY, BaseCommand, did_you_mean, write_examples
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import DURATION, json_option, lock_option, problem_argument
from ordbo_cli.cli.output import json_line, text
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import age, some

if TYPE_CHECKING:
    from ordbo_cli.study.reporting.views import PendingPoint
    from ordbo_cli.study.telling.recording import Told

F = TypeVar("F", bound=Callable[..., Any])

_LIST: Final = """
ordbo pending list drag.yaml
ordbo pending list drag.yaml --older-than 12h
ordbo pending list drag.yaml --json | jq .id
"""
_EXPIRE: Final = """
ordbo pending expire drag.yaml --older-than 12h
ordbo pending expire drag.yaml --id 17 --id 18
ordbo pending expire drag.yaml --all --dry-run
"""
_RETRY: Final = """
ordbo pending retry drag.yaml --older-than 1h30min
ordbo pending retry drag.yaml --id 17
ordbo pending retry drag.yaml --failed --since 32 --dry-run
"""
_SO_LONG: Final = "that is known to have been out for so long"


class PendingGroup(click.Group):
    """A group whose help shows examples, and that lists where only a file is named."""

    examples = "\n".join(each.strip() for each in (_LIST, _EXPIRE, _RETRY))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, and the examples below it."""
        super().format_help_text(ctx, formatter)
        write_examples(self.examples, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words behind the group's name.

        Raises:
            click.UsageError: there are none.
        """
        if not args:
            raise click.UsageError(f"nothing stands where {self._known} is expected", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people meet them."""
        return list(self.commands)

    @property
    def _known(self) -> str:
        return " or ".join(", ".join(self.commands).rsplit(", ", 1))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that an argument names; a problem file in its place is to be listed.

        Raises:
            UsageError: there is none.
        """
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            if args[0].endswith((".yaml", ".yml")) or Path(args[0]).is_file():
                behind = next((word for word in args[1:] if word in self.commands), "")
                if not behind:
                    return super().resolve_command(ctx, ["list", *args])
                raise UsageError(f"'{behind}' stands behind the file", f"Write: ordbo pending {behind} {args[0]}")
            hint = f"{did_you_mean(args[0], self.commands)}'ordbo pending --help' says what they do"
            raise UsageError(f"'{args[0]}' stands where {self._known} is expected", hint)
        return super().resolve_command(ctx, args)


@click.group("pending", cls=PendingGroup, no_args_is_help=False, context_settings=dict(CONTEXT), params=list(VERBOSITY))
def command() -> None:
    """Say what becomes of suggestions without a result.

    A suggestion whose job was lost - a node died, a time limit hit - stays pending until somebody says what
    becomes of it. A problem file without a command is listed.
    """


def _choice(function: F) -> F:
    """Add the options that say which suggestions are meant."""
    for option in reversed(
        (
            click.option(
                "--older-than", type=DURATION, help="All that have been out for so long, such as 12h or 1h30min."
            ),
            click.option("--id", "ids", type=click.IntRange(min=1), metavar="N", multiple=True, help="This one."),
            click.option("--all", "everything", is_flag=True, help="All that are out."),
            click.option("--dry-run", is_flag=True, help="Record nothing: say what would be done."),
        )
    ):
        function = option(function)
    return function


@command.command("list", cls=BaseCommand, examples=_LIST)
@problem_argument
@click.option("--older-than", type=DURATION, help="Only what has been out for so long, such as 12h or 1h30min.")
@json_option
def list_(console: Console, problem: Path, older_than: float | None, as_json: bool) -> None:
    """List what waits for a result.

    The suggestions that are out, and the points that wait to be evaluated again. The column CSV shows the line of a
    point's row in it, if it has one.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem)
    points = study.pending(older_than)
    tell_notes(console, study, points.warnings)
    if as_json:
        console.data("".join(json_line(_entries(point)) for point in points))
    elif points:
        names = study.problem.names
        console.table(["id", "age", *names, "CSV", ""], [_row(point, names) for point in points])
    else:
        console.say("nothing is pending" if older_than is None else f"nothing is pending {_SO_LONG}")


@command.command("expire", cls=BaseCommand, examples=_EXPIRE)
@problem_argument
@_choice
@lock_option
def expire(
    console: Console,
    problem: Path,
    older_than: float | None,
    ids: Sequence[int],
    everything: bool,
    dry_run: bool,
    lock_timeout: float,
) -> None:
    """Say that nobody works on suggestions any more.

    Their points count as not tried and may be suggested again, under other ids. A result that comes late is
    recorded all the same, and counts.

    Rows are appended for all of them or for none. A point that waits to be evaluated again goes by --id alone.
    """
    chosen = _chosen(older_than, ids, everything)
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout)
    told = study.expire(chosen, older_than, dry_run=dry_run)
    tell_notes(console, study, told.warnings)
    console.say(_summary(told, "would expire" if dry_run else "expired"))


@command.command("retry", cls=BaseCommand, examples=_RETRY)
@problem_argument
@_choice
@click.option("--failed", is_flag=True, help="All that have failed, in place of what is out.")
@click.option("--since", type=click.IntRange(min=1), metavar="N", help="With --failed: those from this id on.")
@lock_option
def retry(
    console: Console,
    problem: Path,
    older_than: float | None,
    ids: Sequence[int],
    everything: bool,
    dry_run: bool,
    failed: bool,
    since: int | None,
    lock_timeout: float,
) -> None:
    """Have suggestions evaluated again.

    The next 'ordbo suggest' hands their points out, under the same ids. What 'ordbo run' asked for, the next run
    evaluates.

    After a night in which the simulator was dead, --failed --since N takes all failures from id N on back.

    Rows are appended for all of them or for none. 'ordbo observe --id N --retry' does it for one.
    """
    if since is not None and not failed:
        raise UsageError("--since without --failed", "Give both, or the ids with --id")
    chosen = _chosen(older_than, ids, everything, failed=failed)
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout)
    told = study.retry(chosen, older_than, failed=failed, since=since, dry_run=dry_run)
    tell_notes(console, study, told.warnings)
    what = "would be evaluated again" if dry_run else "to be evaluated again"
    console.say(_summary(told, what) if told or not failed else "nothing to do: none of these has failed")


def _chosen(
    older_than: float | None, ids: Sequence[int], everything: bool, *, failed: bool | None = None
) -> list[int] | None:
    """Return the ids that are meant, None for all or all of an age.

    Raises:
        UsageError: nothing is said, or two things.
    """
    known = "--all" if failed is None else "--all, or --failed"
    said = [
        option
        for option, given in (
            ("--older-than", older_than is not None),
            ("--id", ids),
            ("--all", everything),
            ("--failed", failed),
        )
        if given
    ]
    if not said:
        raise UsageError("which ones is not said", f"Give --older-than DURATION, --id N or {known}")
    if len(said) > 1:
        raise UsageError(f"{said[0]} beside {said[1]}", "Give one of the two")
    return list(ids) or None


def _summary(told: Sequence[Told], what: str) -> str:
    """Return one line that says what was done, or would be."""
    new = [each for each in told if each.new]
    if not new:
        return "nothing to do" if told else "nothing to do: no such suggestion is out"
    names = ["one without id" if each.id is None else str(each.id) for each in new]
    return f"{len(new)} suggestion{'s' * (len(new) > 1)} {what}: {some(names)}"


def _row(point: PendingPoint, names: Sequence[str]) -> list[str]:
    return [
        text(point.id),
        age(point.age),
        *(text(point.parameters.get(name)) for name in names),
        "" if point.line is None else f"line {point.line}",
        "to be evaluated again" if point.again else "",
    ]


def _entries(point: PendingPoint) -> dict[str, object]:
    """Return what ``--json`` prints of a point."""
    return {
        "id": point.id,
        "parameters": in_words(point.parameters),
        "age_seconds": point.age,
        "line": point.line,
        "status": "retry" if point.again else "pending",
    }
