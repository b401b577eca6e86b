"""The tour of the pipe example runs as it stands there, and every picture of the documentation has its maker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from ordbo_cli.study.study import Study

ROOT = Path(__file__).parents[2]


def test_the_tour(tmp_path: Path) -> None:
    """Each of its commands succeeds, its first point is the one that stands there, and so is about its best."""
    readme = (ROOT / "examples" / "pipe" / "README.md").read_text(encoding="utf-8")
    (tour,) = re.findall(r"```sh\n(mkdir tour.*?)```", readme, re.DOTALL)
    assert len(tour.splitlines()) <= 20
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    done = subprocess.run(
        ["sh", "-e", "-c", tour],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stderr
    (first,) = re.findall(r'ordbo suggest pipe.yaml +# (\{"id": 6, .*?), \.\.\.', tour)
    assert first in done.stdout
    ((best,),) = [re.findall(r"best (\d+\.\d+)", tour)]
    study = Study.open(tmp_path / "tour" / "pipe.yaml")
    assert float(study.best().objective or "inf") <= 1.05 * float(best)
    assert study.status().ok + study.status().failed == 45
    assert "exploits the cell" in done.stderr or "explores the cell" in done.stderr
    assert (tmp_path / "tour" / "pipe.svg").read_bytes().startswith(b"<?xml")
    assert b"</html>" in (tmp_path / "tour" / "pipe-report.html").read_bytes()


def test_the_pictures_of_the_docs() -> None:
    """Each picture is shown by a page and drawn by a command or a script; a dark one has its light twin."""
    pages = [ROOT / "README.md", ROOT / "examples/pipe/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    shown = set(re.findall(r"""[("](?:[\w./]*/)?pictures/([\w-]+\.(?:svg|png))[")]""", text))
    scripts = (ROOT / "Makefile", ROOT / "docs/method_pictures.py", *sorted((ROOT / "tests/bench").glob("*.py")))
    made = text + "".join(path.read_text(encoding="utf-8") for path in scripts)
    drawn = set(re.findall(r"""(?:(?:-o|--[a-z]+) (?:docs/pictures/)?|")([\w-]+\.(?:svg|png))""", made))
    there = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    light = {name for name in there if "-dark." not in name}
    assert light == {name for name in shown if "-dark." not in name}
    assert light - drawn == set()
    assert {name.replace("-dark.", ".") for name in there - light} <= light
