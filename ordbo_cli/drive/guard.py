"""A helper process that ends simulations whose driver died without ending them: kill -9, out of memory, a crash.

The helper is a shell that reads a pipe: ``+ 4711`` when a process group begins, ``- 4711`` when it has ended. Only the
driver holds the other end, so the pipe closes when the driver dies, however that happens; then the helper ends the
groups that are left, and itself. A group says itself that it begins, before it becomes the simulator and gives up its
copy of the pipe: a driver that dies right after it started one has not had the time to.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import threading
from typing import Final

GRACE: Final = 2  # seconds from SIGTERM to SIGKILL

_SCRIPT: Final = f"""
alive() {{
    left=
    for group in $groups; do kill -s 0 -- "-$group" && left="$left $group"; done
    groups=$left
    [ -n "$groups" ]
}}
groups=' '
while read -r sign group; do
    case $sign in
    +) case $groups in *" $group "*) ;; *) groups="$groups$group " ;; esac ;;
    -) groups="${{groups%% $group *}} ${{groups#* $group }}" ;;
    esac
done
alive || exit 0
for group in $groups; do kill -s TERM -- "-$group"; done
waited=0
while alive && [ $waited -lt {GRACE} ]; do sleep 1; waited=$((waited + 1)); done
for group in $groups; do kill -s KILL -- "-$group"; done
"""


class Guard:
    """Starts the helper when it is first needed, and tells it what begins and ends; safe to call from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._helper: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    @property
    def pid(self) -> int | None:
        """The helper's process, None where there is none."""
        return None if self._helper is None else self._helper.pid

    def ready(self) -> int:
        """Start the helper where it does not run; return a copy of the pipe's end, which the caller closes.

        Raises:
            OSError: the system cannot start it.
        """
        with self._lock:
            if self._helper is None or self._helper.poll() is not None:
                self._start()
            return os.dup(self._pipe)  # the pipe itself may be replaced by another thread at any time

    def began(self, group: int) -> None:
        """Note that a process group runs."""
        with self._lock:
            self._groups.add(group)
            self._tell(f"+ {group}\n")

    def ended(self, group: int) -> None:
        """Note that a process group has ended: its number may soon be another's."""
        with self._lock:
            self._groups.discard(group)
            self._tell(f"- {group}\n")

    def close(self) -> None:
        """Let the helper end what is left, and wait for it."""
        with self._lock:
            helper, self._helper = self._helper, None
            if helper is not None:
                os.close(self._pipe)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    helper.wait(GRACE + 3)

    def _tell(self, line: str) -> None:
        try:
            os.write(self._pipe, line.encode())
        except OSError:  # somebody ended the helper: another one is told of everything
            with contextlib.suppress(OSError):
                self._start()

    def _start(self) -> None:
        if self._helper is not None:
            os.close(self._pipe)
            self._helper.wait()
            self._helper = None
        reading, writing = os.pipe()  # neither end is inherited, so no child can hold the pipe open
        try:
            # In a session of its own, so that an interrupt at the keyboard does not reach it; it holds nothing open.
            helper = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "ordbo-guard"],
                stdin=reading,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.defpath},
                start_new_session=True,
            )
        except OSError:
            os.close(writing)
            raise
        finally:
            os.close(reading)
        os.write(writing, "".join(f"+ {group}\n" for group in sorted(self._groups)).encode())
        self._helper, self._pipe = helper, writing

    def _forget(self) -> None:
        """In a forked copy of the driver: the helper is the driver's, and its pipe is not to be held open here."""
        self._lock = threading.Lock()
        self._groups.clear()
        if self._helper is not None:
            self._helper.returncode = 0  # no child of this process: there is nothing to wait for
            self._helper = None
            os.close(self._pipe)
