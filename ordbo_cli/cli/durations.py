"""Spans of time as people type them: 90s, 15m, 12h, 2d, 1h30m."""

from __future__ import annotations

import re
from typing import Final

import click

_SIZES: Final = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_PART: Final = r"[0-9]+(?:\.[0-9]+)?"
_SPAN: Final = re.compile("".join(rf"(?:({_PART}){unit})?" for unit in _SIZES))
_NUMBER: Final = re.compile(rf"[+-]?{_PART}")


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click alone
    """A span of time, in seconds."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a span's seconds.

        Raises:
            click.BadParameter: it is no span of time; a number without a unit is none.
        """
        if isinstance(value, float):
            return value
        text = str(value).strip()
        if _NUMBER.fullmatch(text):
            self.fail(f"{text!r} of what? Write {text}s, {text}m, {text}h or {text}d", param, ctx)
        match = _SPAN.fullmatch(text)
        if not text or match is None:
            self.fail(f"{text!r} is no span of time. Write 90s, 15m, 12h, 2d or 1h30m", param, ctx)
        return sum(float(part) * size for part, size in zip(match.groups(), _SIZES.values(), strict=True) if part)
