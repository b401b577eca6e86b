"""Help, version and completion."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from ordbo_cli import __version__
from ordbo_cli.cli.app import COMMANDS, module_of

Call = Callable[..., Any]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example(ordbo: Call, name: str) -> None:
    """Help that only lists options leaves people guessing."""
    shown = ordbo(name, "--help")
    assert shown.status == 0
    assert shown.err == ""
    examples = shown.out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert examples
    assert all(f"ordbo {name}" in line for line in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_a_valid_call(name: str) -> None:
    """Each line of a command's examples gets through the command's own parser."""
    import re
    import shlex

    command = importlib.import_module(module_of(name)).command
    for line in command.examples.strip().splitlines():
        words = shlex.split(re.sub(r'eval "\$\(|vars=\$\(|\)"?(?= |$)', " ", line), comments=True)
        words = words[words.index(name) + 1 :]
        end = next((k for k, word in enumerate(words) if word in ("|", ">", "&&")), len(words))
        command.make_context(name, words[:end], resilient_parsing=False).close()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    """No option without a word on what it does."""
    command = importlib.import_module(module_of(name)).command
    options = [option for option in command.params if isinstance(option, click.Option)]
    assert {"quiet", "verbose"} <= {option.name for option in options}
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    """Each line of the list is the first sentence of the command's own help, which is not imported for it."""
    command = importlib.import_module(module_of(name)).command
    assert COMMANDS[name] == command.get_short_help_str(limit=1000)


def test_the_short_spelling_of_help(ordbo: Call) -> None:
    """-h does what --help does, with and without a command."""
    assert ordbo("-h") == ordbo("--help")
    assert ordbo("suggest", "-h") == ordbo("suggest", "--help")


def test_the_list_of_commands(ordbo: Call) -> None:
    """The group's help names every command with a sentence, and all exit statuses."""
    shown = ordbo("--help").out
    lines = shown.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)
    for status in (0, 1, 2, 3, 65, 66, 74, 75, 78, 130):
        assert f" {status} " in shown


def test_version(ordbo: Call) -> None:
    """Name and version on standard output."""
    assert ordbo("--version") == type(ordbo("--version"))(0, f"ordbo {__version__}\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(ordbo: Call, shell: str) -> None:
    """The script of each shell calls back with ordbo's own variable."""
    made = ordbo("completion", shell)
    assert made.status == 0
    assert f"_ORDBO_COMPLETE={shell}_complete" in made.out


def test_completion_takes_the_users_shell(ordbo: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name $SHELL decides; an unknown one is a usage error."""
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert ordbo("completion") == ordbo("completion", "fish")
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert ordbo("completion").status == 2


def test_completion_works_in_bash(process: Call, environment: dict[str, str], tmp_path: Path) -> None:
    """The script loads in bash, and what it calls completes commands and options."""
    script = process("completion", "bash").out
    subprocess.run(["bash", "--norc", "-c", script], check=True, env=environment)
    for line, wanted in (("ordbo sug", "suggest"), ("ordbo observe --ab", "--abandon")):
        environment |= {"_ORDBO_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        assert wanted in process(cwd=tmp_path).out


def test_python_names() -> None:
    """The package's public names are those of the parts, and nothing else answers."""
    import ordbo_cli
    from ordbo_cli.errors import OrdboError
    from ordbo_cli.problem import Suggestion

    assert ordbo_cli.OrdboError is OrdboError
    assert ordbo_cli.Suggestion is Suggestion
    assert set(ordbo_cli.__all__) <= set(dir(ordbo_cli))
    with pytest.raises(AttributeError, match="nonsense"):
        ordbo_cli.nonsense  # noqa: B018  # the look-up is the test
