"""A simulation of many processes, of one kind each time: ``python families.py FOLDER KIND STAYS``.

Each process stays for minutes unless it is ended, and has this call as its command line, by which a test finds it. The
first one answers at once where STAYS is 0.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

Body = Callable[[], None]


def stay() -> None:
    """Sleep for longer than any test."""
    time.sleep(600)


def forked(body: Body) -> None:
    """Do something in a child, which ends with it."""
    if os.fork() == 0:
        with contextlib.suppress(BaseException):
            body()
        os._exit(0)


def in_session(body: Body) -> Body:
    """Do something in a session of its own."""

    def begin() -> None:
        os.setsid()
        body()

    return begin


def deaf(body: Body) -> Body:
    """Do something without ears for what can be ignored."""

    def begin() -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        body()

    return begin


def orphaned(body: Body) -> Body:
    """Do something in a grandchild whose parent ends."""
    return lambda: forked(body)


def ranks() -> None:
    """Four processes of one group that is not the first one's, as a launcher of MPI has them."""
    os.setpgid(0, 0)
    for _ in range(3):
        forked(stay)
    stay()


def bare() -> None:
    """Forget the environment, the folder, and the streams."""
    os.chdir("/")
    os.execve(sys.executable, [sys.executable, *sys.argv[:2], "sleeper", "1"], {})


def hops() -> None:
    """Be somebody else all the time, which no list of processes is quick enough for: a file tells that it goes on."""
    for _ in range(10_000):
        if os.fork() or Path(sys.argv[1], "stop").exists():
            os._exit(0)
        Path(sys.argv[1], "hopped").write_text("")
        time.sleep(0.02)


def stopped() -> None:
    """Hear of nothing but SIGCONT and SIGKILL."""
    os.kill(os.getpid(), signal.SIGSTOP)
    stay()


def nohup() -> None:
    """As a shell starts it for what is to outlive it."""
    subprocess.Popen(["nohup", *sleeper()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def tee() -> None:
    """At the end of a pipe, which another process holds open."""
    subprocess.Popen(f"{' '.join(sleeper())} | tee {sys.argv[1]}/tee-sleeper", shell=True)  # noqa: S602  # our own words


def sleeper() -> list[str]:
    """Return a command that stays."""
    return [sys.executable, *sys.argv[:2], "sleeper", "1"]


KINDS: dict[str, Body] = {
    "plain": lambda: None,
    "background": lambda: forked(stay),
    "double fork": lambda: forked(orphaned(stay)),
    "setsid": lambda: forked(in_session(stay)),
    "daemon": lambda: forked(in_session(orphaned(stay))),
    "ranks": lambda: forked(ranks),
    "deaf": lambda: forked(deaf(stay)),
    "deaf daemon": lambda: forked(in_session(orphaned(deaf(stay)))),
    "bare daemon": lambda: forked(in_session(orphaned(bare))),
    "hopping daemon": lambda: forked(in_session(orphaned(deaf(hops)))),
    "stopped": lambda: forked(stopped),
    "stopped daemon": lambda: forked(in_session(orphaned(stopped))),
    "nohup": nohup,
    "tee": tee,
}


def main() -> None:
    """Be the first process."""
    folder, kind, stays = sys.argv[1:]
    if kind == "sleeper":
        stay()
    if kind.isdigit():
        kind = list(KINDS)[int(kind) - 1]
    KINDS[kind]()
    time.sleep(0.3)
    Path(folder, f"began-{kind}").touch()
    if stays == "1":
        stay()
    print("y = 1", flush=True)


if __name__ == "__main__":
    main()
