"""The command line: a thin shell over :mod:`ordbo_cli.study`, one file a command."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        arguments: what the user typed after ``ordbo``; None for the arguments of this process.
    """
    _settle_numerics()
    _settle_garbage()
    try:
        from ordbo_cli.cli.app import run
        from ordbo_cli.room import watch_imports

        watch_imports()

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # in the imports, before anything could be started
        return 130
    except MemoryError:  # there too, where not even the words for it could be imported
        sys.stderr.write("error: the memory does not suffice\nhint: Allow more: see ulimit -v\n")
        return 74


def _settle_garbage() -> None:
    """Keep Python from searching for garbage where there is hardly any, which took a quarter of a suggestion's time.

    Imports make many objects, and all of them stay until the process ends.
    """
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)  # what is left at the end is not searched once more


def _settle_numerics() -> None:
    """Set what NumPy and TensorFlow read once, when they are first imported.

    One thread, because sums taken in another order would break "the same step gives the same point, bit for bit".
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
