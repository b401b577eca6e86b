"""Follows one study: reads its files when they change, and has what needs a model drawn elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import OrdboError
from ordbo_cli.pictures.pages.bench_parts import OpenPoint, bench_parts, sheet_part
from ordbo_cli.pictures.pages.page import (
    Header,
    Page,
    PageCell,
    PageTable,
    Section,
    render_contents,
    render_parts,
    render_section,
    render_summary,
)
from ordbo_cli.pictures.pages.report import Report
from ordbo_cli.room import shortage
from ordbo_cli.study.reporting.snapshot import Snapshot
from ordbo_cli.watch.board import Board
from ordbo_cli.watch.drawer import Drawer
from ordbo_cli.watch.drawing_process import failed
from ordbo_cli.watch.happenings import happened
from ordbo_cli.watch.last_words import last_words
from ordbo_cli.watch.looking import Looking
from ordbo_cli.watch.watched_files import NOBODY, Signature, opened, signature, watched_paths

_LOOKS: Final = 0.1  # seconds between looks at the files
_SHARE: Final = 1.0  # times as long as reading took, that is waited until the next
_LOG: Final = 200  # sentences that are kept


@dataclass(frozen=True)
class ReadStudy:
    """What one reading of a study's files gave.

    Args:
        paths: of all its files.
        page: without what needs a model.
        parts: of that page, as HTML by id.
        snapshot: what was read.
        time: when, in seconds since 1970.
    """

    paths: tuple[Path, ...]
    page: Page
    parts: Mapping[str, str]
    snapshot: Snapshot
    time: float


@dataclass
class Follower:
    """Keeps the board of one study as its files are, while anybody looks.

    Args:
        path: of the problem file.
        drawer: draws what needs a model.
        root: the folder that all its files have to lie in; None for anywhere.
        address: of its page on the server.
        writes: whether results are entered, too.
        reached: whether other machines reach the server.
        board: what its page shows.
        bench: what the page shows on which results are entered.
    """

    path: Path
    drawer: Drawer
    root: Path | None = None
    address: str = "/"
    writes: bool = False
    reached: bool = False
    board: Board = field(default_factory=Board)
    bench: Board = field(default_factory=Board)

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        self._looking = Looking(self._look, _LOOKS, _SHARE)
        self._seen: Signature = NOBODY
        self._paths: tuple[Path, ...] = (self.path,)
        self._reading: ReadStudy | None = None
        self._fault = ""
        self._log: deque[tuple[str, str]] = deque(maxlen=_LOG)
        self._drawn: dict[str, str] = {}
        self._drawn_of: Signature = NOBODY
        self._since: dict[int, int | None] = {}

    def watched(self) -> AbstractAsyncContextManager[None]:
        """Follow the files for the time of an ``async with`` block; the board is up to date when it begins."""
        return self._looking.watched()

    async def _look(self) -> None:
        """Read the files if they have changed."""
        found = await asyncio.to_thread(signature, self._paths)
        if found == self._seen:
            return
        news: list[str] = []
        try:
            reading = await asyncio.to_thread(_read, self.path, self.root)
            if self._reading is not None:
                news = list(happened(self._reading.snapshot, reading.snapshot))
        except Exception as error:  # a page of a study that cannot be read says so, whatever it is
            known = shortage(error) or error
            self._fault = (
                str(known) if isinstance(known, OrdboError) else f"internal error: {type(known).__name__}: {known}"
            )
        else:
            self._fault = ""
            self._reading = reading
            if reading.paths != self._paths:
                self._paths = reading.paths
                found = NOBODY  # files that nobody looked at: once more
        self._seen = found
        at = datetime.now().astimezone().strftime("%H:%M:%S")
        self._log.extendleft((at, each) for each in news)
        self._show(" · ".join(news[-3:]))
        if not self._fault and found not in (NOBODY, self._drawn_of):
            self.drawer.wish(self.path, self.root, self._told)

    def _told(self, part: dict[str, Any]) -> None:
        """Take what the drawing process says."""
        if "signature" in part:
            self._drawn_of = tuple(tuple(each) for each in part["signature"])
            self._drawn.pop("summary", None)
        elif "part" in part:
            self._drawn[part["part"]] = part["html"]
            self._show()
        elif self._reading is not None:
            awaited = (each for each in self._reading.page.sections if each.awaited)
            self._drawn = {
                each.anchor: render_section(failed(each.title, part["error"]), self._reading.page.colours)
                for each in awaited
            }
            self._show()

    def _show(self, news: str = "") -> None:
        """Put on the board what is known by now."""
        if self._reading is None:
            page = Page(self.path.stem, "", (), (), None, warnings=(self._fault,), kind="ordbo watch")
            self.board.publish(render_parts(page), ("summary",), news)
            return
        page, parts = self._reading.page, dict(self._reading.parts)
        if self.writes:
            self._show_bench(self._reading, news)
            page = replace(page, links=(("Enter results", f"{self.address}bench/"),))
        awaited = {each.anchor for each in page.sections if each.awaited}
        parts |= {id: html for id, html in self._drawn.items() if id in awaited}
        if self._fault:
            parts["summary"] = render_summary(replace(page, warnings=(self._fault, *page.warnings)))
        elif self._drawn_of == self._seen and "summary" in self._drawn:
            parts["summary"] = self._drawn["summary"]
        if self._log:
            log = self._log_section()
            page = replace(page, sections=(*page.sections, log))
            parts = {**parts, log.anchor: render_section(log, {}), "evaluations": parts.pop("evaluations")}
        parts["contents"] = render_contents(page)
        self.board.publish(parts, [id for id in parts if id not in ("head", "contents")], news)

    def open_points(self) -> list[OpenPoint]:
        """Return the points that wait for their results, as they were read last."""
        if self._reading is None:
            return []
        status, problem = self._reading.snapshot.status, self._reading.snapshot.files.problem
        found = (OpenPoint.of(problem, each, self._reading.time) for each in (*status.waiting, *status.again))
        points = [each for each in found if each is not None]
        # one moment for each, so that its form stays as it is
        self._since = {each.id: self._since.get(each.id, each.since) for each in points}
        return [replace(each, since=self._since[each.id]) for each in points]

    def sheet(self, id: int, code: str, link: str) -> dict[str, str] | None:
        """Return the parts of a point's sheet; None where no such point waits."""
        point = next((each for each in self.open_points() if each.id == id), None)
        if point is None or self._reading is None:
            return None
        return sheet_part(self.path.stem, self._reading.snapshot.files.problem, point, code, link)

    def _show_bench(self, reading: ReadStudy, news: str) -> None:
        problem = reading.snapshot.files.problem
        parts = bench_parts(self.path.stem, problem, self.open_points(), phone=self.reached)
        self.bench.publish(parts, [id for id in parts if id not in ("head", "contents")], news)

    def _log_section(self) -> Section:
        rows = tuple((PageCell(at), PageCell(what)) for at, what in self._log)
        table = PageTable("What happened since this page was first looked at, the newest first", _LOG_HEADERS, rows)
        return Section("Log", tables=(table,))


_LOG_HEADERS: Final = (Header("at"), Header("what"))


def _read(path: Path, root: Path | None = None) -> ReadStudy:
    """Read a study, without its model.

    Raises:
        OrdboError: it cannot be read.
    """
    study, now = opened(path, root), time.time()
    report = Report.known(study)
    page = replace(report.page(datetime.now().astimezone()), kind="ordbo watch", subtitle=study.problem.purpose)
    sections = tuple(
        replace(each, facts=(*each.facts, *last_words(report.snapshot.status.failures)))
        if each.title == "Failures"
        else each
        for each in page.sections
    )
    page = replace(page, sections=sections)
    return ReadStudy(watched_paths(study.file), page, render_parts(page), report.snapshot, now)
