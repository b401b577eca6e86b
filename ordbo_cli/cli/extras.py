"""Packages that come with an extra and need not be installed."""

from __future__ import annotations

from importlib.util import find_spec

from ordbo_cli.errors import UsageError


def demand(what: str, *packages: str, extra: str = "plots") -> None:
    """Say at once that a package is missing, before anything is computed.

    Args:
        what: needs it: a command or an option.
        packages: that it imports.
        extra: they come with.

    Raises:
        UsageError: one is not installed.
    """
    if missing := [package for package in packages if find_spec(package) is None]:
        raise UsageError(f"{what} needs {' and '.join(missing)}", f"Install: pip install 'ordbo[{extra}]'")
