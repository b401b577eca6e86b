"""What the site adds to the pages that a reader of the repository sees.

- A comment ``<!-- site ... -->`` is text for the site alone: its table of contents, a directive.
- A comment ``<!-- site: keys method -->`` is replaced by what :data:`WRITERS` writes from the program itself.
- A link to a folder leads to its README, as it does where the repository is looked at.
- A picture that stands beside one of the same name with ``-dark`` gives way to that on a dark page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from commands_shown import add_examples, commands, leave_out_arguments, leave_out_common
from docutils import nodes
from problem_keys import keys
from python_names import public, resolve
from sphinx.application import Sphinx

WRITERS: Final[dict[str, Callable[..., str]]] = {"keys": keys, "commands": commands, "python": public}
_COMMENT: Final = re.compile(r"<!-- site(?:: ([\w ]+?) -->|\n(.*?)\n-->)", re.DOTALL)
_FOLDER: Final = re.compile(r"\]\(([\w./-]+?)/?\)")


def write_for_the_site(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put in the place of the comments what they stand for."""

    def written(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[2]
        name, *words = found[1].split()
        return WRITERS[name](*words)

    def led(found: re.Match[str]) -> str:
        inside = Path(app.env.doc2path(docname)).parent / found[1] / "README.md"
        return f"]({found[1]}/README.md)" if inside.exists() else found[0]

    source[0] = _FOLDER.sub(led, _COMMENT.sub(written, source[0]))


def keep_colons(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Keep Napoleon from taking a property's first words, up to a colon, for its type."""
    if what in ("attribute", "property"):
        lines[:0] = ["..", ""]  # an empty comment


def show_dark_pictures(app: Sphinx, page: nodes.document) -> None:
    """Show a picture's dark variant in its place on a dark page; those without one get a light paper."""
    folder = Path(app.env.doc2path(app.env.docname)).parent
    for image in [each for each in page.findall(nodes.image) if "://" not in each["uri"]]:
        light = Path(image["uri"])
        dark = light.with_name(f"{light.stem}-dark{light.suffix}")
        if not (folder / dark).exists():
            image["classes"].append("on-paper")
            continue
        twin = image.copy()
        twin["uri"] = dark.as_posix()
        twin["classes"] = [*image["classes"], "only-dark"]
        image["classes"].append("only-light")
        image.parent.insert(image.parent.index(image) + 1, twin)


def show_plain_addresses(app: Sphinx, page: nodes.document) -> None:
    """Show addresses that no browser opens, such as a scheduler's, as text; docutils makes links of them."""
    for link in list(page.findall(nodes.reference)):
        if link.get("refuri", "").startswith("tcp://"):
            link.replace_self(link.children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all this with Sphinx."""
    app.connect("source-read", write_for_the_site)
    app.connect("sphinx-click-process-description", add_examples)
    app.connect("sphinx-click-process-options", leave_out_common)
    app.connect("sphinx-click-process-arguments", leave_out_arguments)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)  # before Napoleon
    app.connect("missing-reference", resolve)
    app.connect("doctree-read", show_dark_pictures, priority=100)  # before Sphinx collects the images
    app.connect("doctree-read", show_plain_addresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
