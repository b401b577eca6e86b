"""The page of a folder: its studies in a table, each with how far it is."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordbo_cli.errors import OrdboError
from ordbo_cli.pictures.pages.page import Header, Page, PageCell, PageTable, Section, render_parts
from ordbo_cli.pictures.pages.point_tables import number_cell
from ordbo_cli.pictures.words import counted
from ordbo_cli.problem.spelling import age, shown
from ordbo_cli.watch.board import Board
from ordbo_cli.watch.folder import Studies
from ordbo_cli.watch.looking import Looking
from ordbo_cli.watch.watched_files import NOBODY, Signature, opened, signature, watched_paths

_LOOKS: Final = 0.5  # seconds between looks
_SHARE: Final = 2.0  # times as long as a look took, that is waited until the next
_HEADERS: Final = (
    Header("study"), Header("goal"), Header("best"), Header("evaluations", "number"), Header("failed", "number"),
    Header("out", "number"), Header("oldest out for"), Header("last changed"),
)  # fmt: skip


@dataclass
class _Known:
    """What is known of one study.

    Args:
        paths: of its files.
        seen: how they were when they were read.
        cells: its row.
    """

    paths: tuple[Path, ...]
    seen: Signature
    cells: tuple[PageCell, ...]


class Index:
    """Keeps the board of a folder, while anybody looks.

    Args:
        studies: of the folder.
    """

    def __init__(self, studies: Studies) -> None:
        self.board = Board()
        self._studies = studies
        self._known: dict[str, _Known] = {}
        self._looking = Looking(self._look, _LOOKS, _SHARE)

    def watched(self) -> AbstractAsyncContextManager[None]:
        """Follow the folder for the time of an ``async with`` block; the board is up to date when it begins."""
        return self._looking.watched()

    async def _look(self) -> None:
        parts = await asyncio.to_thread(self._parts)
        self.board.publish(parts, ("summary", "section-studies"))

    def _parts(self) -> dict[str, str]:
        found = self._studies.look()
        for name in self._known.keys() - found.keys():
            del self._known[name]
        for name, path in found.items():
            known = self._known.get(name)
            seen = signature(known.paths if known else (path,))
            if known is None or known.seen != seen:
                self._known[name] = _row(name, path, self._studies.root)
        rows = tuple(self._known[name].cells for name in found)
        table = PageTable(f"{counted(len(rows), 'problem file')} in this folder", _HEADERS, rows)
        sections = (Section("Studies", tables=(table,)),)
        return render_parts(
            Page(self._studies.place.resolve().name, "", (), sections, None, kind="ordbo watch: a folder")
        )


def _row(name: str, path: Path, root: Path | None) -> _Known:
    """Return what there is to say of one study now; of one that cannot be read, why."""
    title = PageCell(shown(path.stem), link=f"/study/{name}/")
    paths: tuple[Path, ...] = (path,)
    seen = NOBODY
    try:
        study = opened(path, root)
        paths = watched_paths(study.file)
        seen = signature(paths)
        status = study.status()
    except (OrdboError, OSError) as error:
        blank = (PageCell(""),) * 5
        return _Known(paths, seen or signature(paths), (title, PageCell(""), PageCell(shown(str(error))), *blank))
    best, now = status.best, time.time()
    value = "" if best is None or best.objective is None else str(study.problem.shown(best.objective, best.censored))
    ages = [each.age for each in status.waiting if each.age is not None]
    oldest = PageCell(age(max(ages)), max(ages), since=now - max(ages)) if ages else PageCell("")
    changed = max(each[0] for each in seen[1:]) / 1e9
    last = PageCell(age(now - changed), now - changed, since=changed) if changed else PageCell("")
    return _Known(
        paths,
        seen,
        (
            title,
            PageCell(study.problem.aim),
            PageCell(value or "none yet"),
            number_cell(status.ok + status.failed),
            number_cell(status.failed),
            number_cell(status.pending + status.retry),
            oldest,
            last,
        ),
    )
