"""An agent of tests: the official client library, which talks to ``ordbo mcp`` by its standard input and output."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parents[2]


class Refused(Exception):
    """A tool's answer is an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['message']}. {error['hint']}")
        self.status: int = error["status"]


@dataclass(frozen=True)
class Agent:
    """A client that is connected.

    Args:
        client: of the library.
        server: the number of the server's process.
    """

    client: Client
    server: int

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return what a tool answers.

        Raises:
            Refused: that is an error.
        """
        answer = await self.client.call_tool(tool, arguments)
        content: dict[str, Any] = json.loads(answer.content[0].text)  # type: ignore[union-attr]
        if answer.is_error:
            raise Refused(content["error"])
        return content

    def kill(self) -> None:
        """End the server at once."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.server, signal.SIGKILL)


@contextlib.asynccontextmanager
async def connected(folder: Path, *options: str, mode: str = "auto") -> AsyncIterator[Agent]:
    """Start a server for a folder and connect to it; the mode is the library's: ``legacy`` is the older handshake."""
    number = folder.parent / f"{folder.name}.pid"
    words = [sys.executable, "-m", "ordbo_cli", "mcp", str(folder), *options]
    script = f"echo $$ >{shlex.quote(str(number))} && exec {shlex.join(words)}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    parameters = StdioServerParameters(command="sh", args=["-c", script], env=environment)
    with open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(parameters, errlog=nowhere), mode=mode) as client:
            yield Agent(client, int(number.read_text()))
