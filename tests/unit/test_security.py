"""Files from strangers run no code: nothing in the package could, and what it writes stays text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "ordbo_cli"
FILES = sorted(PACKAGE.rglob("*.py"))

# Calls that run text as code, build objects from bytes, start a shell, or make a temporary file with a name to guess.
FORBIDDEN = {
    "eval", "exec", "compile", "os.system", "os.popen", "pickle.load", "pickle.loads", "marshal.loads", "shelve.open",
    "yaml.load", "yaml.unsafe_load", "yaml.full_load", "yaml.load_all", "yaml.Loader", "yaml.UnsafeLoader",
    "tempfile.mktemp", "np.load", "numpy.load", "joblib.load", "subprocess.getoutput", "subprocess.getstatusoutput",
}  # fmt: skip


def dotted(node: ast.expr) -> str:
    """Return the name of what is called: ``a.b.c``."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def findings(source: str) -> list[str]:
    """Return what a module calls and should not."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            if name in FORBIDDEN:
                found.append(name)
            for keyword in node.keywords:
                constant = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
                if (keyword.arg == "shell" and constant is not False) or (keyword.arg == "allow_pickle" and constant):
                    found.append(f"{name}({keyword.arg})")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_runs_what_a_file_says(path: Path) -> None:
    """Neither eval nor pickle nor a shell, anywhere."""
    assert findings(path.read_text()) == []


def test_the_search_finds_what_it_looks_for() -> None:
    """Each kind once."""
    source = (
        "eval('1')\nos.system('x')\nrun(c, shell=True)\nrun(c, shell=s)\nrun(c, shell=False)\n"
        "np.load(f, allow_pickle=True)\nast.literal_eval('1')\n"
    )
    expected = ["eval", "np.load", "np.load(allow_pickle)", "os.system", "run(shell)", "run(shell)"]
    assert sorted(findings(source)) == expected
