"""The process of a minimiser: it talks to called.py by the descriptor that is its only argument."""

from __future__ import annotations

import copy
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from ordbo_cli.ordinal.linalg import Array

Function = Callable[[Array], float]


class Task(NamedTuple):
    """One run of a minimiser in the unit cube.

    Args:
        points: [P, D], it begins at the first; the results of all but a random one are known.
        calls: number of calls of the function that it may make.
        seed: of every random choice.
        noise: whether a point evaluated twice may have two values.
        parts: of how many equal parts each axis is made, each for a value; 0 where there are values everywhere.
    """

    points: Array
    calls: int
    seed: int
    noise: bool
    parts: tuple[int, ...]

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lower and the upper corner of the cube [D]."""
        return np.zeros(len(self.parts)), np.ones(len(self.parts))


@dataclass(frozen=True)
class Minimiser:
    """A function that minimises.

    Args:
        library: the module that it will import.
        run: takes the function [D] -> value, which knows NaN for a failure or does not, and the task.
    """

    library: str
    run: Callable[[Function, Task], object]


def main() -> None:
    """Do one task after another, in a folder of its own, until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    folder = tempfile.mkdtemp(prefix="ordbo-")
    os.chdir(folder)  # NOMAD would read settings from the user's

    def leave() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)  # a library in C++ would go on after an exception

    def leave_with_the_other() -> None:
        sys.stdin.read()  # ends when that process does, however it does
        leave()

    def function(x: Any) -> float:
        try:
            connection.send(np.array(x, dtype=np.float64))
            return float(connection.recv())
        except (EOFError, OSError):
            leave()
            raise

    threading.Thread(target=leave_with_the_other, daemon=True).start()
    connection = Connection(int(sys.argv[1]))
    try:
        minimiser: Minimiser = connection.recv()
        import_module(minimiser.library)
        connection.send(None)
        while True:
            minimiser.run(function, connection.recv())
            connection.send(None)
    except (EOFError, BrokenPipeError):
        leave()
    except Exception as error:
        connection.send(_sendable(error))
        leave()


def _sendable(error: Exception) -> Exception:
    """Return an exception as it is, or one in its place that survives the way to another process."""
    try:
        return copy.copy(error)  # is made from the same parts as there
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
