"""The process that draws: it reads a study, fits the model, and sends back one part of the page after the other.

Drawing takes seconds, and matplotlib grows; the server answers meanwhile, and this process is renewed now and then.
Frames are JSON behind their length, eight digits: ``{"path": "...", "root": null}`` comes in; ``{"signature": ...}``,
``{"part": id, "html": ...}`` for each part and ``{"done": true}`` go out.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from ordbo_cli.errors import ManyErrors, OrdboError
from ordbo_cli.pictures.pages.page import Section, render_section, render_summary
from ordbo_cli.pictures.pages.report import Report
from ordbo_cli.pictures.words import counted
from ordbo_cli.room import shortage
from ordbo_cli.watch.watched_files import opened, signature, watched_paths

HEAD: Final = 8


def frame(content: object) -> bytes:
    """Return something as it goes through a pipe."""
    body = json.dumps(content, separators=(",", ":")).encode("utf-8", "replace")
    return f"{len(body):0{HEAD}d}".encode() + body


def drawn(path: str, root: str | None = None) -> Iterator[dict[str, object]]:
    """Yield a study's parts that need a model, as they are drawn; what cannot be drawn says why.

    Args:
        path: of the problem file.
        root: the folder that its files have to lie in; None for anywhere.
    """
    now = datetime.now().astimezone()
    try:
        study = opened(Path(path), None if root is None else Path(root))
        yield {"signature": signature(watched_paths(study.file))}
        report = Report.of(study)
        awaited = {each.anchor for each in replace(report, seen=None).sections(now) if each.awaited}
        page = report.page(now, sections=())
        yield {"part": "summary", "html": render_summary(page)}
        note = f"As of {counted(len(report.view.evaluations), 'evaluation')}."
        for section in report.sections(now):
            if section.anchor in awaited:
                noted = replace(section, notes=(*section.notes, note))
                yield {"part": section.anchor, "html": render_section(noted, page.colours)}
    except Exception as error:  # whatever a study does to the drawing, the page says it and lives on
        found = shortage(error) or error
        known = isinstance(found, OrdboError | ManyErrors)
        yield {"error": str(found) if known else f"internal error: {type(found).__name__}: {found}"}


def failed(title: str, why: str) -> Section:
    """Return what stands in place of a part that cannot be drawn."""
    return Section(title, f"This could not be worked out: {why}")


def main() -> None:
    """Answer requests until their pipe ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whoever prints does not break the frames
    with contextlib.suppress(OSError):
        os.nice(10)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        while (request := _read(source)) is not None:
            for each in drawn(request["path"], request["root"]):
                sink.write(frame(each))
                sink.flush()
            sink.write(frame({"done": True}))
            sink.flush()


def _read(source: BinaryIO) -> dict[str, Any] | None:
    head = source.read(HEAD)
    if len(head) < HEAD:
        return None
    found: dict[str, Any] = json.loads(source.read(int(head)))
    return found
