"""What a call imports: `observe` has to be quick."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HEAVY = {"numpy", "scipy", "tensorflow", "gpflow", "click", "rich"}


def modules_after(code: str, folder: Path) -> set[str]:
    script = f"import sys\nfrom ordbo_cli import Study\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder / "drag.yaml")], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "Study.open(sys.argv[1]).tell(1.5, parameters={'angle': 1, 'blades': 4})",
        "Study.open(sys.argv[1]).tell_rows('angle,blades,drag\\n1,4,1\\n', source='r')",
        "Study.open(sys.argv[1]).status()",
        "Study.open(sys.argv[1]).check()",
        "from ordbo_cli.files.problem_file.schema import json_schema; json_schema()",
    ],
)
def test_files_alone_need_no_numerics(problem_path: Path, code: str) -> None:
    """Recording and looking import neither NumPy nor SciPy, nor what belongs to the command line."""
    assert not modules_after(code, problem_path.parent) & HEAVY


def test_the_package_itself_imports_nothing_of_ours(tmp_path: Path) -> None:
    """Names are loaded when they are used: not even YAML before."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys, ordbo_cli.study\nprint(*sys.modules)"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    ours = {name for name in done.stdout.split() if name.startswith("ordbo_cli.")}
    assert ours == {"ordbo_cli.study"}
    assert "yaml" not in done.stdout.split()
