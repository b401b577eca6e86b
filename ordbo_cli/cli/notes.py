"""What a study has to tell people besides its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ordbo_cli.cli.console import Console

if TYPE_CHECKING:
    from ordbo_cli.study import Study


def tell_notes(console: Console, study: Study) -> None:
    """Say on standard error what the files made the study note, and what it warns of."""
    for note in study.notes:
        console.say(f"note: {note}")
    tell_warnings(console, study)


def tell_warnings(console: Console, study: Study) -> None:
    """Say on standard error what the study warns of since its last call."""
    for warning in study.warnings:
        console.warn(warning)
