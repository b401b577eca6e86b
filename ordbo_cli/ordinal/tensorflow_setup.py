"""What TensorFlow has to be told before it is imported, so that it is silent and always gives the same numbers."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from ordbo_cli.errors import UsageError

_SETTINGS: Final = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",  # oneDNN has nothing for float64, and announces itself
    "TF_NUM_INTRAOP_THREADS": "1",  # sums taken in another order would be other sums
    "TF_NUM_INTEROP_THREADS": "1",
}


def demand_gpflow() -> None:
    """Say at once that the gpflow engine is not installed.

    Raises:
        UsageError: it is not.
    """
    if find_spec("gpflow") is None:
        raise UsageError("engine gpflow is not installed", "Install it: pip install 'ordbo[gpflow]'")


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Import TensorFlow inside this ``with`` block: its C++ parts write to file descriptor 2 before they read settings.

    What anybody else writes there meanwhile is lost too.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    with silent_stderr():
        yield


@contextlib.contextmanager
def silent_stderr() -> Iterator[None]:
    """Lose what is written to file descriptor 2, also by parts that are no Python."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    if sys.stderr is not None:
        sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
