"""A server of ``ordbo watch`` in a process of its own, for the tests that look at its page or attack it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[1]


class Server:
    """Serves from the begin of a ``with`` block to its end, and can be ended and started again between.

    Args:
        place: a problem file or a folder.
        options: further ones of the command.
    """

    def __init__(self, place: Path, *options: str) -> None:
        self.place, self.options, self.port = place, options, 0

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.end()

    def start(self) -> None:
        """Start the process and read its link; on the port that it had before, if it had one."""
        command = [sys.executable, "-m", "ordbo_cli", "watch", str(self.place), "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        self.port = int(self.link.split("/")[2].rpartition(":")[2])
        self.token = self.link.partition("#token=")[2]
        self.address = f"http://127.0.0.1:{self.port}"

    def end(self, sign: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """End the process; return its exit status, and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
