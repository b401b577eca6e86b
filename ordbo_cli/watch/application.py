"""What the server answers: pages, their parts, and the stream that says when these change."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from ordbo_cli.pictures.pages.page import asset, render_shell, style_sheet
from ordbo_cli.watch.drawer import Drawer
from ordbo_cli.watch.folder import Studies
from ordbo_cli.watch.follower import Follower
from ordbo_cli.watch.gate import Demands, Gateway
from ordbo_cli.watch.index import Index

MOST_STREAMS: Final = 64
_ALIVE: Final = 15.0  # seconds between signs of life on a stream where nothing happens
_SCRIPTS: Final = ("page.js", "live.js")


class Application:
    """The pages of a problem file, or of a folder of them.

    Args:
        studies: which ones.
        demands: what is demanded of requests.
    """

    def __init__(self, studies: Studies, demands: Demands) -> None:
        self._studies = studies
        self._demands = demands
        self._drawer = Drawer()
        self._index = Index(studies)
        self._followers: dict[str, Follower] = {}
        self._streams = 0
        # Pages are alike for all studies, and told nothing of any: their script fetches the parts.
        self._shell = render_shell()
        self._assets = {name: (asset(name), "text/javascript") for name in _SCRIPTS}
        self._assets["page.css"] = (style_sheet(), "text/css")

    def asgi(self) -> ASGIApp:
        """Return the application behind its gate."""
        routes = [
            Route("/", self._page),
            Route("/parts", self._parts),
            Route("/events", self._events),
            Route("/study/{name}/", self._page),
            Route("/study/{name}/parts", self._parts),
            Route("/study/{name}/events", self._events),
            Route("/assets/{name}", self._asset),
        ]
        errors = {HTTPException: _refused}
        return Gateway(Starlette(routes=routes, lifespan=self._life, exception_handlers=errors), self._demands)  # type: ignore[arg-type]  # of a kind of exception its own

    def end(self) -> None:
        """Let all streams come to their end, so that the server can."""
        boards = [self._index.board, *(each.board for each in self._followers.values())]
        for board in boards:
            board.close()

    @contextlib.asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        drawing = asyncio.create_task(self._drawer.run())
        try:
            yield
        finally:
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(self._shell)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._assets:
            raise HTTPException(404)
        content, kind = self._assets[name]
        return Response(content, media_type=kind)

    def _followed(self, request: Request) -> Follower | Index:
        """Return who keeps the board of a request.

        Raises:
            HTTPException: there is no such study.
        """
        name = request.path_params.get("name")
        if name is None:
            if self._studies.is_folder:
                return self._index
            name = next(iter(self._studies.found))
        path = self._studies.found.get(str(name))
        if path is None and self._studies.is_folder:
            path = self._studies.look().get(str(name))
        if path is None:
            raise HTTPException(404)
        if str(name) not in self._followers:
            self._followers[str(name)] = Follower(path, self._drawer)
        return self._followers[str(name)]

    async def _parts(self, request: Request) -> Response:
        try:
            version = int(request.query_params.get("since", "0")[:18])
        except ValueError:
            version = 0
        async with self._followed(request).watched() as board:
            return JSONResponse(board.since(request.query_params.get("epoch", ""), version))

    async def _events(self, request: Request) -> Response:
        followed = self._followed(request)
        if self._streams >= MOST_STREAMS:
            raise HTTPException(503, headers={"Retry-After": "5"})
        return StreamingResponse(self._told(followed), media_type="text/event-stream")

    async def _told(self, followed: Follower | Index) -> AsyncIterator[str]:
        self._streams += 1
        try:
            async with followed.watched() as board:
                version = 0
                while not board.closed:
                    try:
                        version = await asyncio.wait_for(board.changed(version), _ALIVE)
                    except asyncio.TimeoutError:
                        yield ": alive\n\n"
                        continue
                    yield f"data: {json.dumps({'epoch': board.epoch, 'version': version})}\n\n"
        finally:
            self._streams -= 1


async def _refused(request: Request, error: HTTPException) -> Response:
    """Return a refusal without a word of what was asked for."""
    message = {404: "there is nothing at this address", 503: "too many pages are open"}
    return JSONResponse(
        {"error": {"message": message.get(error.status_code, error.detail)}}, error.status_code, headers=error.headers
    )
