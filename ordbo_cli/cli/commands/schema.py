"""``ordbo schema``: the JSON Schema of problem files."""

from __future__ import annotations

import json
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console

_EXAMPLES: Final = """
ordbo schema > ordbo.schema.json
"""


@click.command("schema", cls=BaseCommand, examples=_EXAMPLES)
def command(console: Console) -> None:
    """Print the JSON Schema of problem files.

    An editor with a YAML language server then completes and checks a problem file that begins with
    "# yaml-language-server: $schema=./ordbo.schema.json".
    """
    from ordbo_cli.files.problem_file.schema import json_schema

    console.data(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
