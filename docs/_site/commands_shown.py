"""The commands, for sphinx-click: in the order of ``ordbo --help``, with their examples, without what all share."""

from __future__ import annotations

import click
from sphinx.application import Sphinx

from ordbo_cli.cli.app import COMMANDS, module_of


def commands() -> str:
    """Return the directive that shows each command."""
    shown = (f".. click:: {module_of(name)}:command\n   :prog: ordbo {name}\n   :nested: full\n" for name in COMMANDS)
    return "\n".join(("```{eval-rst}", *shown, "```"))


def add_examples(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Show a command's examples below its description, as its help does."""
    lines[:] = [line.replace("\\", r"\\") for line in lines]  # a help is plain text
    examples = getattr(context.command, "examples", "").strip().splitlines()
    if examples:
        lines += ["", ".. code-block:: sh", "", *(f"   {line}" for line in examples), ""]


def leave_out_common(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Leave out the options that every command has; the page says them once."""
    kept, keep = [], True
    for line in lines:
        if line.startswith(".. option::"):
            keep = not line.endswith(("--quiet", "--verbose"))
        kept += [line.replace("@", r"\@")] if keep else []  # no address of anybody
    lines[:] = kept


def leave_out_arguments(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Leave out arguments: the usage names them, and the description says what they are."""
    lines.clear()
