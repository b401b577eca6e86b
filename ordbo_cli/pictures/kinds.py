"""The kinds of pictures by name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ordbo_cli.errors import UsageError
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.problem.spelling import meant

KINDS: Final = ("convergence", "front", "fit", "warp", "cells", "acquisition", "parallel", "importance", "effects")
"""The modules of these names draw them."""


def draw(kind: str, scene: Scene, look: Look | None = None) -> Picture:
    """Draw a picture.

    Args:
        kind: one of :data:`KINDS`.
        scene: what it is made from.
        look: how it is to look.

    Raises:
        UsageError: there is no such kind, or it cannot be drawn of this study.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no picture {kind!r}", meant(kind, KINDS))
    picture: Picture = import_module(f"ordbo_cli.pictures.plots.{kind}").draw(scene, look or Look())
    return picture
