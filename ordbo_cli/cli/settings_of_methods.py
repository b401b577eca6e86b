"""Below the tables of ``ordbo benchmark``: which packages took part, and which of their settings are ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ordbo_cli.cli.console import Console


def settings_of(methods: Iterable[str]) -> list[dict[str, Any]]:
    """Return what is to be known of the methods that are made of other packages, by the names of fields in JSON."""
    from ordbo_cli.benchmark.rivals.methods import contestant

    found = [contestant(method) for method in methods]
    return [{"method": one.name, "packages": one.versions, "settings": one.settings} for one in found if one.settings]


def print_settings(console: Console, methods: Iterable[str], form: str) -> None:
    """Print a line for each method that is made of other packages, as a list if the format is Markdown."""
    found = settings_of(methods)
    if found:
        console.data("\n")
    for each in found:
        packages = ", ".join(f"{package} {version}" for package, version in each["packages"].items())
        console.data(f"{'- ' if form == 'markdown' else ''}{each['method']}: {packages}; {each['settings']}\n")
