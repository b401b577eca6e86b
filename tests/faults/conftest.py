"""What the fault tests share: the study of the command line's tests, and a folder that nobody may use."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import digest, environment, ordbo, process, results, study
from tests.faults.harness import PROBLEM

__all__ = ["digest", "environment", "ordbo", "process", "results", "study"]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A problem file with a result in a folder that every user can enter (pytest's own are closed)."""
    folder = Path(tempfile.mkdtemp(prefix="ordbo-faults-"))
    folder.chmod(0o755)
    path = folder / "drag.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text("id,angle,blades,span,drag,status\n1,3,4,2,0.5,ok\n")
    yield path
    shutil.rmtree(folder)
