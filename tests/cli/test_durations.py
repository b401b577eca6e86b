"""Spans of time as people type them."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from ordbo_cli.cli.app import ordbo
from ordbo_cli.cli.options import Duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("15m", 900), ("12h", 43200), ("2d", 172800), ("1h30m", 5400), ("1d2h3m4s", 93784), ("0s", 0),
        (" 5m ", 300), ("1.5h", 5400), ("1h30s", 3630), ("10min", 600), ("1h30min", 5400), ("2 h", 7200),
        ("1 h 30 min", 5400), (".5m", 30), ("12", 12), ("0", 0), ("1.5", 1.5), ("90.", 90),
        ("9.5e-05", 9.5e-05), ("1E3", 1000),
    ],
)  # fmt: skip
def test_spans(text: str, seconds: float) -> None:
    """Days, hours, minutes and seconds, in this order, each at most once; a number alone is seconds."""
    assert Duration().convert(text, None, None) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "h",
        "12x",
        "30m1h",
        "1h1h",
        "-3",
        "+3",
        "-1h",
        "1e3s",
        "١h",
        "nan",
        "inf",
        "1h30",
        "1,5h",
        "1e",
        "1h30mins",
        "5minutes",
        ".",
        "1.2.3",
    ],
)
def test_what_is_no_span(text: str) -> None:
    """Other units, another order, a part without a unit, signs, foreign digits."""
    with pytest.raises(click.BadParameter, match=r"is no span of time\. Write seconds, such as 90, or 90s, 10min"):
        Duration().convert(text, None, None)


def test_no_system_waits_for_ever() -> None:
    """Where a system call would refuse the time, it is refused in words."""
    with pytest.raises(click.BadParameter, match="is too long a time"):
        Duration().convert("99999d", None, None)


def _commands(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from _commands(command, context) if isinstance(command, click.Group) else (command,)


def test_every_time_is_typed_alike() -> None:
    """Whatever option is a time, of whatever command, is of this type and named for it in the help."""
    context = click.Context(ordbo)
    options = [each for command in _commands(ordbo, context) for each in command.params]
    times = [
        each
        for each in options
        if {*each.opts} & {"--timeout", "--lock-timeout", "--hook-timeout", "--older-than", "--seconds"}
    ]
    assert len(times) >= 10
    assert all(isinstance(each.type, Duration) for each in times)
    words = ("timeout", "older", "wait", "seconds", "since", "age")
    others = [each.opts[0] for each in options if each not in times and any(f"-{w}" in each.opts[0] for w in words)]
    assert others == ["--since"]  # an id
