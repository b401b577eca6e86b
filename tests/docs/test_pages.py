"""The tutorial and the how-to pages do what stands on them, and print it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.pages import Untried, follow, rewritten, steps_of
from tests.docs.stubs import write_simulator, write_stubs

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS.parent / "README.md", DOCS / "tutorial.md", *sorted(DOCS.glob("how-to/*.md"))]
NEEDS = {"ngspice.md": "ngspice", "slurm.md": "flock"}  # programs that CI has and others need not have


def environment(folder: Path) -> dict[str, str]:
    """The settings of a reader who has this checkout's ``ordbo``, and stubs of what is not here."""
    path = (str(write_stubs(folder / "bin")), os.path.dirname(sys.executable), os.environ["PATH"])
    return {
        "PATH": os.pathsep.join(path),
        "HOME": os.environ.get("HOME", str(folder)),  # where matplotlib remembers its fonts
        "TMPDIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "100",
        "PYTHONPATH": str(folder / "modules"),
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every block runs, in order, in one shell and an empty folder, and prints what the page shows."""
    if (program := NEEDS.get(page.name)) and shutil.which(program) is None:
        assert os.environ.get("CI") != "true", f"{program} is missing in CI"
        pytest.skip(f"{program} is not installed")
    text = page.read_text(encoding="utf-8")
    if page.name == "README.md":
        (tmp_path / "page").mkdir()
        write_simulator(tmp_path / "page", tmp_path / "modules")
    followed = follow(text, tmp_path, environment(tmp_path))
    drawn = {path: tmp_path / "page" / path.name for path in pictures_of(page)}
    if request.config.getoption("rewrite_golden"):
        page.write_text(rewritten(text, followed.outputs), encoding="utf-8")
        for picture, made in drawn.items():
            shutil.copyfile(made, picture)
    else:
        assert not followed.lies, "\n\n".join((page.name, *followed.lies))
    assert not followed.failure, f"{page.name} {followed.failure}"
    assert all(made.is_file() for made in drawn.values())


def test_what_goes_untried() -> None:
    """It is as much as nothing, and only what would install something."""
    untried = [
        step for page in PAGES for step in steps_of(page.read_text(encoding="utf-8")) if isinstance(step, Untried)
    ]
    assert len(untried) <= 4
    assert all("install" in step.reason for step in untried)


def pictures_of(page: Path) -> list[Path]:
    """The pictures that a page shows, each drawn by its commands under the same name."""
    return [page.parent / link for link in re.findall(r"^!\[.+\]\((\S+)\)$", page.read_text(), re.MULTILINE)]
