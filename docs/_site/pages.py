"""What the site adds to the pages that a reader of the repository sees.

- A comment ``<!-- site ... -->`` is text for the site alone: its table of contents, a directive.
- A comment ``<!-- site: keys METHOD -->`` is replaced by what :data:`WRITERS` writes from the program itself.
- A picture that stands beside one of the same name with ``-dark`` gives way to that on a dark page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from commands_shown import add_examples, commands, leave_out_arguments, leave_out_common
from docutils import nodes
from problem_keys import keys
from python_names import public, resolve
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

WRITERS: Final[dict[str, Callable[..., str]]] = {"keys": keys, "commands": commands, "python": public}
_COMMENT: Final = re.compile(r"<!-- site(?:: ([\w ]+?) -->|\n(.*?)\n-->)", re.DOTALL)


def write_for_the_site(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put in the place of the comments what they stand for."""

    def written(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[2]
        name, *words = found[1].split()
        return WRITERS[name](*words)

    source[0] = _COMMENT.sub(written, source[0])


def keep_colons(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Keep Napoleon from taking a property's first words, up to a colon, for its type."""
    if what in ("attribute", "property"):
        lines[:0] = ["..", ""]  # an empty comment


class DarkPictures(SphinxTransform):
    """Show a picture's dark variant, where there is one, in its place on a dark page."""

    default_priority = 100  # before Sphinx collects the images

    def apply(self, **_: Any) -> None:
        """Double such pictures; those without get a light paper."""
        for image in list(self._own_images()):
            light = Path(image["uri"])
            dark = light.with_name(f"{light.stem}-dark{light.suffix}")
            if not (Path(self.env.doc2path(self.env.docname)).parent / dark).exists():
                image["classes"].append("on-paper")
                continue
            twin = image.copy()
            twin["uri"] = dark.as_posix()
            twin["classes"] = [*image["classes"], "only-dark"]
            image["classes"].append("only-light")
            image.parent.insert(image.parent.index(image) + 1, twin)

    def _own_images(self) -> Iterator[nodes.image]:
        return (image for image in self.document.findall(nodes.image) if "://" not in image["uri"])


class PlainAddresses(SphinxTransform):
    """Show addresses that no browser opens, such as a scheduler's, as text; docutils makes links of them."""

    default_priority = 850  # after docutils has found them

    def apply(self, **_: Any) -> None:
        """Put the text in the place of the link."""
        for link in list(self.document.findall(nodes.reference)):
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
    app.add_transform(DarkPictures)
    app.add_transform(PlainAddresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
