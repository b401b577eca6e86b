"""What every test of this folder runs under."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """One thread for linear algebra: with two, matrices this small take thirty times as long."""
    with threadpool_limits(limits=1):
        yield
