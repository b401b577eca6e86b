"""The README's tour runs as it stands there."""

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
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
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
    """Each command and script beside the pages draws pictures that they show, and no picture is there without one."""
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    script = (ROOT / "docs" / "method_pictures.py").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^ordbo .*docs/pictures/(\S+?)(?: +#.*)?$", pages, re.MULTILINE))
    drawn |= {f"method-{name}.svg" for name in ("warp", *re.findall(r'^    "(\w+)": \(draw_', script, re.MULTILINE))}
    shown = set(re.findall(r"^!\[[^\]]+\]\(pictures/(\S+)\)$", pages, re.MULTILINE))
    readme = set(re.findall(r'"docs/pictures/(\S+)"', (ROOT / "README.md").read_text(encoding="utf-8")))
    there = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert readme == {"pipe.svg", "pipe-dark.svg"}
    assert shown == drawn | {"pipe.svg"}
    assert there - shown == {name.replace(".svg", "-dark.svg") for name in shown - {"regret.png", "theory.svg"}}
