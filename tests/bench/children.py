"""Starts the processes that the bench scripts measure."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Child:
    """A process that has ended.

    Args:
        out, err: what it printed.
        seconds: from its start to its end.
    """

    out: str
    err: str
    seconds: float


def python(folder: Path, *arguments: str, variables: Mapping[str, str] = ONE_THREAD) -> Child:
    """Run Python in a folder, with bytecode of all that it imports kept, as after an installation.

    Args:
        folder: where it runs.
        arguments: of the interpreter.
        variables: environment variables beside those of this process.

    Raises:
        SystemExit: it failed.
    """
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"python {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return Child(done.stdout, done.stderr, seconds)


def ordbo(folder: Path, *arguments: str, variables: Mapping[str, str] = ONE_THREAD) -> Child:
    """Run one command of ordbo in a folder.

    Raises:
        SystemExit: it failed.
    """
    return python(folder, "-m", "ordbo_cli", *arguments, variables=variables)
