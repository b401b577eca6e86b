"""What these tests share with those of the command line."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import environment, ordbo, process

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.integration.visit import Visit

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


@pytest.fixture
def visit(browser: Browser, file: Path) -> Iterator[Callable[..., Visit]]:
    """Open a test's page with a browser's settings; no visit may leave an error or have asked for a second file."""
    from tests.integration.visit import Visit

    visits: list[Visit] = []

    def open_it(**context: Any) -> Visit:
        visits.append(Visit(browser, file, **context))
        return visits[-1]

    yield open_it
    for each in visits:
        each.context.close()
        assert each.faults == []
        assert set(each.asked) == {file.as_uri()}
