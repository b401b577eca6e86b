"""Keeps the process that draws: one for all studies, started when somebody looks, and renewed before it grows."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from ordbo_cli.watch.drawing_process import HEAD, frame

_CODE: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from ordbo_cli.watch.drawing_process import main; main()"
)
_RENEWED: Final = 60  # drawings that one process makes
_LARGEST: Final = 256 << 20  # bytes of one frame
_IDLE: Final = 60.0  # seconds after which nobody looks any more

Drawing = Callable[[], Awaitable[None]]


class Drawer:
    """Draws one study at a time, each of those that wait once, with what its files hold by then."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Path, Path | None], Callable[[dict[str, Any]], None]] = {}
        self._bell = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._made = 0

    def wish(self, path: Path, root: Path | None, told: Callable[[dict[str, Any]], None]) -> None:
        """Have a study drawn when its turn comes.

        Args:
            path: of the problem file.
            root: the folder that its files have to lie in; None for anywhere.
            told: is given each part, in the event loop.
        """
        self._waiting[path, root] = told
        self._bell.set()

    async def run(self) -> None:
        """Draw whatever is wished for, until it is cancelled."""
        try:
            while True:
                try:
                    await asyncio.wait_for(self._bell.wait(), _IDLE)
                except asyncio.TimeoutError:
                    await self.end()
                    continue
                self._bell.clear()
                while self._waiting:
                    which = next(iter(self._waiting))
                    told = self._waiting.pop(which)
                    async for part in self._drawn(*which):
                        told(part)
        finally:
            await self.end()

    async def end(self) -> None:
        """End the process; the next wish starts another."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # it writes no file
            await process.wait()

    async def _drawn(self, path: Path, root: Path | None) -> AsyncIterator[dict[str, Any]]:
        """Yield what the process says of a study; that it died is said as an error."""
        try:
            process = await self._started()
            assert process.stdin is not None
            process.stdin.write(frame({"path": str(path), "root": None if root is None else str(root)}))
            await process.stdin.drain()
            while "done" not in (part := await _read(process)):
                yield part
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await self.end()
            yield {"error": "the process that draws has ended; memory may have run out"}
            return
        self._made += 1
        if self._made >= _RENEWED:
            await self.end()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            places = json.dumps([each for each in sys.path if each])
            self._made = 0
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-X",
                "utf8",
                "-c",
                _CODE,
                places,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the server, which ends this
                env={**os.environ, "MPLBACKEND": "agg"},
            )
        return self._process


async def _read(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout is not None
    size = int(await process.stdout.readexactly(HEAD))
    if size > _LARGEST:
        raise ValueError(f"a frame of {size} bytes")
    found: dict[str, Any] = json.loads(await process.stdout.readexactly(size))
    return found
