"""Figures on the house: lines of code by room, and the modules that a step enters, in order of first entry.

Usage: ``PYTHONPATH=. python tests/bench/house.py [PROBLEM]``; the problem's study is copied to a folder of its own.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import shutil
import sys
import tempfile
import threading
import tokenize
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, Final

PACKAGE: Final = Path(__file__).parents[2] / "ordbo_cli"
EXAMPLE: Final = PACKAGE.parent / "examples" / "pipe" / "pipe.yaml"
_NO_CODE: Final = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
_OPTIMISED: Final = 1  # flag of the code of a function, which that of a module or a class body has not


def lines_of_code(source: str) -> int:
    """Return how many lines hold code: no blanks, comments and docstrings."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                lines.difference_update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def sizes() -> tuple[Counter[str], Counter[str]]:
    """Return modules and lines of code by room."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        room = inside.parts[0] if len(inside.parts) > 1 else "(top)"
        modules[room] += 1
        lines[room] += lines_of_code(path.read_text(encoding="utf-8"))
    return modules, lines


def entered(problem: Path) -> dict[str, str]:
    """Return the modules of which ``ordbo suggest`` calls a function, with the first one, in order.

    Everything is imported by some calls before, so that what modules do at import does not count.
    """
    from ordbo_cli.cli import main

    found: dict[str, str] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & _OPTIMISED and code.co_filename.startswith(str(PACKAGE)):
            found.setdefault(str(Path(code.co_filename).relative_to(PACKAGE)), code.co_name)

    def suggest(*more: str) -> None:
        sys.argv = ["ordbo", "suggest", str(problem), *more]
        with contextlib.suppress(SystemExit):
            main()

    for _ in range(6):  # beyond the initial design
        suggest("--quiet")
    threading.setprofile(look)
    sys.setprofile(look)
    suggest()
    sys.setprofile(None)
    threading.setprofile(None)
    return found


def main_(problem: Path) -> None:
    """Print the figures."""
    modules, lines = sizes()
    for room in sorted(lines):
        print(f"{room:10} {modules[room]:4} modules {lines[room]:6,} lines of code")
    print(f"{'all':10} {modules.total():4} modules {lines.total():6,} lines of code")
    with tempfile.TemporaryDirectory() as folder:
        for path in problem.parent.glob(f"{problem.stem}.*"):
            shutil.copy(path, folder)
        found = entered(Path(folder) / problem.name)
    rooms = [name.split("/")[0] for name in found]
    again = sum(one != other for one, other in itertools.pairwise(rooms))
    for name, function in found.items():
        print(f"  {name} ({function})")
    print(f"a step enters {len(found)} modules, and goes from one room to another {again} times")


if __name__ == "__main__":
    main_(Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE)
