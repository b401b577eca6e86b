"""The public names of Python: their sections for autodoc, and where a short name in a docstring leads."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import ordbo_cli

_RETURNED: Final = ("ordbo_cli.study.returned", "ordbo_cli.study.reporting.views", "ordbo_cli.search.prediction")
_RETURNED_TOO: Final = (
    "ordbo_cli.study.telling.undoing.Undone",
    "ordbo_cli.study.housekeeping.OwnFile",
    "ordbo_cli.files.values.remark.Remark",
)
_OF_METHOD: Final = ("ordbo_cli.problem.method",)
_ERRORS: Final = ("ordbo_cli.errors",)
_DEFINED: Final = re.compile(r"^ *(?:class|def) (\w+)|^(\w+)(?:: [\w\[\]]+)? = ", re.MULTILINE)


def public() -> str:
    """Return a section for each public name, of classes with their members, and for the values that go in and out."""
    names = [_section(name, _directive(f"ordbo_cli.{name}")) for name in _in_order()]
    returned = [_modules(_RETURNED), *map(_directive, _RETURNED_TOO)]
    others = {
        "What calls return": "\n\n".join(returned),
        "Settings of the method": _modules(_OF_METHOD),
        "Errors": _modules(_ERRORS),
    }
    return "\n".join([*names, *(_section(title, told) for title, told in others.items())])


def _directive(path: str) -> str:
    module, _, name = path.rpartition(".")
    is_class = isinstance(getattr(import_module(module), name), type)
    return f".. autoclass:: {path}\n   :members:" if is_class else f".. autofunction:: {path}"


def _in_order() -> list[str]:
    """Return the public names, the two that everything begins with first, errors last."""
    first = ["Study", "Optimizer", "Problem", "Parameter"]
    rest = [name for name in ordbo_cli.__all__ if name not in first and not name.endswith("Error")]
    return [*first, *rest]


def _section(title: str, directives: str) -> str:
    return f"## {title}\n\n```{{eval-rst}}\n{directives}\n```\n"


def _modules(names: tuple[str, ...]) -> str:
    told = ", ".join(name for name in ordbo_cli.__all__ if not name.endswith("Error"))
    return "\n\n".join(f".. automodule:: {name}\n   :members:\n   :exclude-members: {told}" for name in names)


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, written: nodes.Element) -> nodes.Node | None:
    """Lead a name without its module to the one object of that name, or leave it as text where it is internal.

    What nothing in the package is called stays unresolved, and fails the build.
    """
    if node.get("refdomain") != "py":
        return None
    last = node["reftarget"].rpartition(".")[2]
    objects: dict[str, Any] = env.domains["py"].objects
    found = [each for name, each in objects.items() if name.rpartition(".")[2] == last and not each.aliased]
    if len(found) == 1:
        return make_refnode(app.builder, node["refdoc"], found[0].docname, found[0].node_id, written)
    return written if last in _defined() else None


@cache
def _defined() -> frozenset[str]:
    """Return every name that some module of the package defines."""
    package = Path(ordbo_cli.__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    return frozenset(name for pair in _DEFINED.findall(text) for name in pair if name)
