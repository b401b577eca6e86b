"""Holds the rules of the house: who may import whom, one owner per library, file sizes, documented tests."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from ordbo_cli.problem.streams import Stream

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "ordbo_cli"
LONGEST = 400

# Files of more than LONGEST lines, each with the reason why it is one.
LONG_FILES: dict[str, str] = {
    "ordbo_cli/ordinal/gpflow_engine.py": "it is the one file that may import TensorFlow and gpflow",
    "ordbo_cli/study/study.py": "it is the front: a documented method of a line or two for each call",
}

# Folders of more modules than that, each with the reason.
MOST_MODULES = 16
CROWDED: dict[str, str] = {"ordbo_cli/cli/commands": "a module for each command"}

# Names of two modules. Commands and pictures are called as users call them.
TWICE: dict[str, str] = {
    "acquisition.py": "the picture of it",
    "export.py": "its command",
    "fit.py": "the picture of it",
    "report.py": "its command",
    "schema.py": "its command",
    "suggest.py": "its command",
    "warp.py": "the picture of it",
}

# Each part, and the parts that it may import. A part is a file or folder directly in the package.
_STEP = {"errors", "problem", "ordinal", "search", "insight"}
_USES = {*_STEP, "files", "room", "study"}
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "room": {"errors"},
    "problem": {"errors"},
    "ordinal": {"errors", "problem"},
    "search": {"errors", "problem", "ordinal", "room"},
    "insight": {"errors", "problem", "ordinal", "search"},
    "files": {"errors", "problem"},
    "study": {*_STEP, "files"},
    "exchange": _USES,
    "benchmark": {*_USES, "drive"},  # a user's simulator is called as ordbo run calls it
    "drive": _USES,
    "pictures": _USES,
    "watch": {*_USES, "drive", "pictures"},  # the report, alive, with what ordbo run left of failures
    "cli": {*_USES, "benchmark", "drive", "exchange", "pictures", "watch"},
    "__main__": {"cli"},
    "__init__": {
        "errors",
        "files",
        "pictures",
        "problem",
        "search",
        "study",
    },  # the public names, imported when first used
}

# Names of two classes.
SAID_AND_READ: dict[str, str] = {
    "Parameter": "what a program says with the keys of a problem file, and what a problem has",
    "Problem": "so is this: the one that a program makes is the other one, and made by the reader",
}

# Third-party libraries with owners: the parts whose files may import them.
OWNERS = {
    "click": {"cli"},
    "rich": {"cli"},
    "yaml": {"files"},
    "epanet": {"benchmark"},
    "CoolProp": {"benchmark"},
    "cantera": {"benchmark"},
    "gpflow": {"ordinal", "benchmark"},
    "tensorflow": {"ordinal", "benchmark"},
    "tensorflow_probability": {"ordinal", "benchmark"},
    "matplotlib": {"pictures"},
    "jinja2": {"pictures"},
    "distributed": {"drive"},
    "submitit": {"drive"},
    "mcp": {"drive"},
    "mcp_types": {"drive"},
    "anyio": {"drive"},
    "segno": {"watch"},
    "starlette": {"watch"},
    "uvicorn": {"watch"},
}
TENSOR_LIBRARIES = {"gpflow", "tensorflow", "tensorflow_probability"}
NUMERICAL_LIBRARIES = {"numpy", "scipy", "threadpoolctl", *TENSOR_LIBRARIES}
NUMERICAL_PARTS = {"ordinal", "search", "insight", "benchmark", "pictures", "watch"}
LIGHT_MODULES = {"ordbo_cli.search.step_record"}  # of these parts, but plain values that every command may load
LATE_MODULES = {"ordbo_cli.cli.benchmarks.benchmark_page"}  # of other parts, but only ever loaded inside a call


@dataclass(frozen=True)
class Import:
    """One imported module.

    Args:
        path: the importing file, relative to the repository.
        part: the part of the package that the file belongs to.
        target: dotted name of the imported module.
        line: where it stands.
        when: ``start`` (with the file), ``call`` (inside a function) or ``typing`` (never at run time).
    """

    path: str
    part: str
    target: str
    line: int
    when: str

    @property
    def library(self) -> str:
        """The top-level package that is imported."""
        return self.target.partition(".")[0]

    @property
    def own_part(self) -> str | None:
        """The part of ordbo_cli that is imported, None for other packages and for the package itself."""
        names = self.target.split(".")
        return names[1] if names[0] == "ordbo_cli" and len(names) > 1 else None

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.target}"


def imports_of(source: str, path: Path) -> Iterator[Import]:
    """Find every import of a file, relative ones made absolute and names that are modules of ours resolved."""
    relative = path.relative_to(ROOT)
    part = relative.parts[1].removesuffix(".py")

    def visit(node: ast.AST, when: str) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(str(relative), part, alias.name, node.lineno, when)
        elif isinstance(node, ast.ImportFrom):
            package = relative.with_suffix("").parts[: -node.level] if node.level else ()
            base = ".".join((*package, *([node.module] if node.module else [])))
            for alias in node.names:
                target = f"{base}.{alias.name}" if base == "ordbo_cli" else base
                yield Import(str(relative), part, target, node.lineno, when)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, context(node, child, when))

    def context(node: ast.AST, child: ast.AST, when: str) -> str:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and child in node.body:
            return "typing"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and when != "typing":
            return "call"
        return when

    yield from visit(ast.parse(source), "start")


@cache
def all_imports() -> tuple[Import, ...]:
    return tuple(
        found for path in sorted(PACKAGE.rglob("*.py")) for found in imports_of(path.read_text(encoding="utf-8"), path)
    )


def test_imports_point_one_way() -> None:
    """cli -> benchmark, drive, exchange, pictures -> study -> files, insight -> search -> ordinal -> problem."""
    wrong = [
        str(found)
        for found in all_imports()
        if found.own_part not in (None, found.part, "__version__") and found.own_part not in ALLOWED[found.part]
    ]
    assert wrong == []


def test_every_part_has_its_rule() -> None:
    """A new file or folder of the package needs a place in the table of this test."""
    parts = {
        path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))
    }
    assert parts <= ALLOWED.keys()


def test_each_library_has_one_owner() -> None:
    """click and rich only in cli, yaml only in files, TensorFlow and gpflow only in ordinal and benchmark."""
    wrong = [str(found) for found in all_imports() if found.part not in OWNERS.get(found.library, {found.part})]
    assert wrong == []


def test_tensorflow_and_gpflow_live_in_one_file_a_part() -> None:
    """Exactly one file of ordinal imports them, and at most one of benchmark."""
    files = {(found.part, found.path) for found in all_imports() if found.library in TENSOR_LIBRARIES}
    parts = [part for part, _ in files]
    assert parts.count("ordinal") == 1
    assert parts.count("benchmark") <= 1


def test_numerics_stay_out_of_the_light_parts() -> None:
    """Elsewhere NumPy, SciPy and the parts built on them load inside a call only: a light command stays light."""
    late = {f"{module.replace('.', '/')}.py" for module in LATE_MODULES}
    assert [str(found) for found in all_imports() if found.target in LATE_MODULES and found.when == "start"] == []
    wrong = [
        str(found)
        for found in all_imports()
        if found.part not in NUMERICAL_PARTS
        and found.when == "start"
        and (found.library in NUMERICAL_LIBRARIES or found.own_part in NUMERICAL_PARTS)
        and found.target not in LIGHT_MODULES
        and found.path not in late
    ]
    assert wrong == []


@pytest.mark.parametrize("module", sorted(LIGHT_MODULES))
def test_light_modules_load_nothing(module: str) -> None:
    """Neither they nor the folders that they are in import anything but Python's own."""
    names = module.split(".")
    files = [
        str(Path(*names).with_suffix(".py")),
        *(str(Path(*names[:n], "__init__.py")) for n in range(2, len(names))),
    ]
    own = [
        str(found) for found in all_imports() if found.path in files and found.library not in sys.stdlib_module_names
    ]
    assert own == []


def test_model_and_search_know_no_files() -> None:
    """ordinal, search and insight import nothing that opens a file: they are pure functions of their arguments."""
    known = {"pathlib", "io", "shutil", "tempfile", "json", "csv", "subprocess", "pickle"}
    wrong = [
        str(found)
        for found in all_imports()
        if found.part in {"ordinal", "search", "insight"} and found.library in known
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "when", "target"),
    [
        ("import scipy.special", "start", "scipy.special"),
        ("from ordbo_cli import search", "start", "ordbo_cli.search"),
        ("from ..search.step import propose", "start", "ordbo_cli.search.step"),
        ("from . import lock", "start", "ordbo_cli.study"),
        ("def f():\n    import numpy", "call", "numpy"),
        ("class C:\n    def f(self):\n        if x:\n            import numpy", "call", "numpy"),
        ("class C:\n    import numpy", "start", "numpy"),
        ("if TYPE_CHECKING:\n    import numpy", "typing", "numpy"),
        ("if TYPE_CHECKING:\n    pass\nelse:\n    import numpy", "start", "numpy"),
        ("try:\n    import numpy\nexcept ImportError:\n    pass", "start", "numpy"),
    ],
)
def test_the_reader_of_imports_sees(line: str, when: str, target: str) -> None:
    """The reader that all of these rules stand on finds imports wherever they hide."""
    (found,) = imports_of(line, PACKAGE / "study" / "study.py")
    assert (found.when, found.target, found.part) == (when, target, "study")


def python_files() -> list[Path]:
    return sorted(path for folder in ("ordbo_cli", "tests") for path in (ROOT / folder).rglob("*.py"))


def test_every_generator_has_a_stream_of_its_own() -> None:
    """Each is made from a seed and one of :class:`Stream`, which no two places share; bootstraps have a fixed seed."""
    made = re.findall(
        r"default_rng\(([^()]*)\)", "".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    )
    streams = re.findall(r"Stream\.(\w+)", "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")))
    assert {seed for seed in made if "tream" not in seed} == {"0"}
    assert sorted(streams) == sorted(Stream.__members__)


def test_files_are_short() -> None:
    """No file has more than 400 lines without being listed here with its reason, and the list holds no others."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files()
    }
    assert {path for path, lines in lengths.items() if lines > LONGEST} == LONG_FILES.keys()


def test_no_folder_is_crowded() -> None:
    """A room has up to 16 modules; more need rooms of their own, or a reason."""
    counts = Counter(str(path.parent.relative_to(ROOT)) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    assert {folder for folder, count in counts.items() if count > MOST_MODULES} == CROWDED.keys()


def test_no_module_name_stands_twice() -> None:
    """Where one is looked for by its name, there is one answer."""
    counts = Counter(path.name for path in PACKAGE.rglob("*.py") if not path.name.startswith("__"))
    assert {name for name, count in counts.items() if count > 1} == TWICE.keys()


def test_no_class_name_stands_twice() -> None:
    """A word means one thing."""
    counts = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in counts.items() if count > 1} == SAID_AND_READ.keys()


SHAPE = re.compile(r"\[(?:[A-Z]|n_j)[ ,\-+\w']*\]")


def test_numerical_modules_head_with_their_notation() -> None:
    """Whoever meets a letter finds it in a table at the top: in every module with several arrays in its docstrings."""
    lacking = []
    for part in ("ordinal", "search", "insight"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            tree = ast.parse(path.read_text())
            made = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
            arrays = sum(bool(SHAPE.search(ast.get_docstring(node) or "")) for node in made)
            if arrays >= 6 and not re.search(r"^symbol +meaning +shape$", ast.get_docstring(tree) or "", re.MULTILINE):
                lacking.append(path.relative_to(PACKAGE).as_posix())
    assert not lacking


def test_tests_say_what_they_show() -> None:
    """Every test has a docstring."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_documents_name_files_that_there_are() -> None:
    """Whoever moves a file mends what speaks of it."""
    files = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    named = [
        (path.name, name)
        for path in files
        for name in re.findall(
            r"(?<![\w/.-])((?:ordbo_cli|tests|docs|examples)/[\w./-]*\w\.(?:py|md|sh|yaml|svg))", path.read_text()
        )
    ]
    linked = [
        (path.name, link)
        for path in files
        for link in re.findall(r"\]\(([^)#\s:]+)[)#]", path.read_text(encoding="utf-8"))
        if not (path.parent / link).exists()
    ]
    assert linked == []
    assert len(named) > 20
    assert [(file, name) for file, name in named if not (ROOT / name).exists()] == []


def test_ci_runs_what_the_readme_says() -> None:
    """The command that installs and runs a study stands in README and .ci/run alike, and so does the tests' one."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    study = 'python3 -m venv .venv && .venv/bin/pip install . && PATH="$PWD/.venv/bin:$PATH" sh examples/pipe/run.sh'
    for command in (study, "make test"):
        assert command in readme
        assert command in ci
