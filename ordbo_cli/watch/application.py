"""What the server answers: pages, their parts, and the stream that says when these change."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from ordbo_cli.errors import LockTimeoutError, ManyErrors, OrdboError
from ordbo_cli.pictures.pages.page import asset, render_shell, style_sheet
from ordbo_cli.watch.board import Board
from ordbo_cli.watch.desk import Desk
from ordbo_cli.watch.drawer import Drawer
from ordbo_cli.watch.folder import Studies
from ordbo_cli.watch.follower import Follower
from ordbo_cli.watch.gate import Demands, Gateway
from ordbo_cli.watch.index import Index
from ordbo_cli.watch.once import KEY, Once
from ordbo_cli.watch.scan_code import code_of

MOST_STREAMS: Final = 64
_ALIVE: Final = 15.0  # seconds between signs of life on a stream where nothing happens
LARGEST_BODY: Final = 65536  # bytes
_WRITERS: Final = 4  # requests that are carried out at a time
_SCRIPTS: Final = ("page.js", "live.js", "bench.js")


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
        self._once: Once[Response] = Once()
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="desk")
        # Pages are alike for all studies, and told nothing of any: their script fetches the parts.
        self._shell, self._bench_shell = render_shell(), render_shell(writes=True)
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
        if self._demands.writes:
            routes += [
                Route("/study/{name}/bench/", self._bench),
                Route("/study/{name}/bench/parts", self._parts),
                Route("/study/{name}/bench/events", self._events),
                Route("/study/{name}/bench/do", self._do, methods=["POST"]),
                Route("/study/{name}/sheet/{id:int}/", self._page),
                Route("/study/{name}/sheet/{id:int}/parts", self._sheet),
                Route("/study/{name}/sheet/{id:int}/events", self._events),
            ]
        errors = {HTTPException: _refused}
        return Gateway(Starlette(routes=routes, lifespan=self._life, exception_handlers=errors), self._demands)  # type: ignore[arg-type]  # of a kind of exception its own

    def end(self) -> None:
        """Let all streams come to their end, so that the server can."""
        followers = self._followers.values()
        boards = [self._index.board, *(each.board for each in followers), *(each.bench for each in followers)]
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
            self._writers.shutdown(cancel_futures=True)  # what has begun is recorded

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(self._shell)

    async def _bench(self, request: Request) -> Response:
        return HTMLResponse(self._bench_shell)

    async def _sheet(self, request: Request) -> Response:
        followed = await self._followed(request)
        assert isinstance(followed, Follower)
        id = request.path_params["id"]
        link = f"http://{request.headers['host']}{followed.address}bench/#point-{id}"
        async with followed.watched():
            parts = followed.sheet(id, code_of(link), link)
            if parts is None:
                raise HTTPException(404)
            return JSONResponse({**followed.bench.since("", 0), "parts": parts, "order": ["sheet"]})

    async def _do(self, request: Request) -> Response:
        followed = await self._followed(request)
        assert isinstance(followed, Follower)
        asked = await _body(request)
        key = asked.get("key")
        if not isinstance(key, str) or not KEY.fullmatch(key):
            raise HTTPException(400, "the request has no key")
        if asked.get("do") == "phone":
            link = f"http://{request.headers['host']}{followed.address}bench/#token={self._demands.token}"
            return JSONResponse({"told": {"words": "Scan the code with the phone.", "svg": code_of(link)}})
        return await self._once.answer(f"{followed.path}\n{key}", lambda: self._done(followed.path, asked))

    async def _done(self, path: Path, asked: dict[str, Any]) -> Response:
        """Carry a request out in a thread of its own; what the study refuses is an answer, too.

        Raises:
            HTTPException: another process holds the lock; the same request may come again.
        """
        loop = asyncio.get_running_loop()
        try:
            told = await loop.run_in_executor(self._writers, Desk(path, self._studies.root).act, asked)
        except LockTimeoutError:
            raise HTTPException(503, headers={"Retry-After": "1"}) from None
        except OrdboError as error:
            first = error.errors[0] if isinstance(error, ManyErrors) else error
            return JSONResponse({"error": {"message": first.message, "hint": first.hint}}, 200)
        return JSONResponse({"told": told})

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._assets:
            raise HTTPException(404)
        content, kind = self._assets[name]
        return Response(content, media_type=kind)

    async def _followed(self, request: Request) -> Follower | Index:
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
            path = (await asyncio.to_thread(self._studies.look)).get(str(name))
        if path is None:
            raise HTTPException(404)
        if str(name) not in self._followers:
            demands = self._demands
            address = f"/study/{name}/"
            self._followers[str(name)] = Follower(
                path, self._drawer, self._studies.root, address, demands.writes, demands.anywhere
            )
        return self._followers[str(name)]

    async def _parts(self, request: Request) -> Response:
        try:
            version = int(request.query_params.get("since", "0")[:18])
        except ValueError:
            version = 0
        followed = await self._followed(request)
        async with followed.watched():
            board = _board(followed, request)
            return JSONResponse(board.since(request.query_params.get("epoch", ""), version))

    async def _events(self, request: Request) -> Response:
        followed = await self._followed(request)
        if self._streams >= MOST_STREAMS:
            raise HTTPException(503, headers={"Retry-After": "5"})
        board = _board(followed, request)
        return StreamingResponse(self._told(followed, board), media_type="text/event-stream")

    async def _told(self, followed: Follower | Index, board: Board) -> AsyncIterator[str]:
        self._streams += 1
        try:
            async with followed.watched():
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


def _board(followed: Follower | Index, request: Request) -> Board:
    """Return the board of the page that asks."""
    writes = isinstance(followed, Follower) and ("/bench/" in request.url.path or "id" in request.path_params)
    return followed.bench if writes and isinstance(followed, Follower) else followed.board


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object that a request holds.

    Raises:
        HTTPException: it is none, or too large.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "the request has to be application/json")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            raise HTTPException(413, "the request is too large")
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is no JSON") from None
    if not isinstance(asked, dict):
        raise HTTPException(400, "the request is no JSON object")
    return asked


async def _refused(request: Request, error: HTTPException) -> Response:
    """Return a refusal without a word of what was asked for."""
    message = {404: "there is nothing at this address", 503: "too many pages are open"}
    return JSONResponse(
        {"error": {"message": message.get(error.status_code, error.detail)}}, error.status_code, headers=error.headers
    )
