"""What these tests share with those of the command line."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import environment, ordbo, process

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser", "environment", "ordbo", "process"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, once for all tests; skip where there is none, but fail in CI, which installs it."""
    program = shutil.which("chromium")
    if program is None:
        assert os.environ.get("CI") != "true", "chromium is missing, though .ci/run installs it"
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # its sandbox needs a user who is not root, and CI may have none
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()
