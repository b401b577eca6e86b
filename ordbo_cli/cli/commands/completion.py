"""``ordbo completion``: what makes a shell complete ordbo's commands and options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console
from ordbo_cli.errors import UsageError

SHELLS: Final = ("bash", "zsh", "fish")

_EXAMPLES: Final = """
eval "$(ordbo completion bash)"                # for this session, or in ~/.bashrc
ordbo completion zsh > ~/.zfunc/_ordbo
ordbo completion fish > ~/.config/fish/completions/ordbo.fish
"""


@click.command("completion", cls=BaseCommand, examples=_EXAMPLES)
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def command(console: Console, shell: str | None) -> None:
    """Print a shell's completion script.

    Without SHELL the one that $SHELL names is taken.
    """
    from click.shell_completion import get_completion_class

    shell = shell or Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        raise UsageError(f"there is no completion for the shell {shell!r}", f"Name one of {', '.join(SHELLS)}")
    maker = get_completion_class(shell)
    assert maker is not None
    root = click.get_current_context().find_root().command
    script = maker(root, {}, "ordbo", "_ORDBO_COMPLETE").source()
    console.data(script)
