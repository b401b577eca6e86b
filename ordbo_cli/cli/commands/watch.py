"""``ordbo watch``: the report, alive, in the browser."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import PATH, demand, typed
from ordbo_cli.cli.signals import ended_by_a_signal
from ordbo_cli.errors import MissingFileError
from ordbo_cli.problem.spelling import shown_path

PORT: Final = 8431
_EXAMPLES: Final = """
ordbo watch drag.yaml                          # http://127.0.0.1:8431/
ordbo watch studies/                           # every problem file in a folder
ordbo watch drag.yaml --edit                   # enter results there, too
ordbo watch drag.yaml --edit --host 0.0.0.0    # from phones, by a link with a token
"""


@click.command("watch", cls=BaseCommand, examples=_EXAMPLES)
@click.argument("place", type=PATH, metavar="PROBLEM|FOLDER")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on. Another than this"
              " machine's own demands the token of the link that is printed.")  # fmt: skip
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="0 for any that is free; so, too, where the default one is taken.",
)
@click.option("--token", "demands_token", is_flag=True, help="Demand the token of the link on this machine, too, whose"
              " other users could else read along.")  # fmt: skip
@click.option("--edit", is_flag=True, help="Results, too, are entered in the browser, by whoever has the link.")
@click.pass_context
def command(
    context: click.Context, console: Console, place: Path, host: str, port: int, demands_token: bool, edit: bool
) -> None:
    """Show a study in the browser as it goes on.

    The page of 'ordbo report', which follows the files while they grow: the best so far, what is out and for how long,
    failures with the end of what they printed, what happened, and, as soon as it is worked out, the next point, the
    pictures and the diagnostics. Of a folder, its studies and those of the folders in it. The link stands on standard
    output; Ctrl-C ends it. The files are only read.

    With --edit points are handed out and results, failures, notes, comparisons and corrections are entered there, by
    whoever has the link with its token: the same rows as by 'ordbo observe', each once.
    """
    demand("'ordbo watch'", "starlette", "uvicorn", "segno", "matplotlib", "jinja2", extra="watch")
    from ordbo_cli.study.study import Study
    from ordbo_cli.watch.application import Application
    from ordbo_cli.watch.folder import Studies
    from ordbo_cli.watch.gate import LOOPBACK, Demands, new_token
    from ordbo_cli.watch.serving import is_loopback, listen, server_of

    if not place.is_dir():
        tell_notes(console, Study.open(place), ())  # a problem that is wrong from the start is refused at once
    studies = Studies(place)
    if not studies.found:
        raise MissingFileError(f"{shown_path(place)}: there is no problem file in it", "'ordbo init' writes one")
    is_own = is_loopback(host)
    with listen(host, port, other=not typed(context, "port")) as listening:
        number = listening.getsockname()[1]
        token = new_token() if edit or demands_token or not is_own else ""
        names = LOOPBACK if is_own else {*LOOPBACK, host.lower(), socket.gethostname().lower()}
        demands = Demands(
            number, names, anywhere=not is_own, token=token, to_read=demands_token or not is_own, writes=edit
        )
        if not is_own:
            may = "reads the study and writes to it" if edit else "reads the study"
            console.warn(
                f"other machines reach this page: whoever has the link {may}, and the network sees what goes through"
                " it, as it is not encrypted"
            )
        console.data(f"{_link(host, number, token)}\n")
        console.say("Ctrl-C ends it")
        with ended_by_a_signal():
            application = Application(studies, demands)
            server_of(application.asgi(), application.end).run(sockets=[listening])


def _link(host: str, port: int, token: str) -> str:
    """Return what people open: by this machine's name where it listens on all its addresses."""
    name = socket.gethostname() if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{f'#token={token}' if token else ''}"
