"""The server itself: its socket, and the limits on its connections."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ordbo_cli.errors import FileError, UsageError

MOST_CONNECTIONS: Final = 256
PATIENCE: Final = 10.0  # seconds that a request may take to arrive
_LARGEST_HEAD: Final = 16384  # bytes of a request's first line and headers


class Impatient(H11Protocol):
    """A connection that is closed where there are too many, or where its request does not arrive."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Take a connection, or drop it."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes; a request that is whole is waited for no longer."""
        idle = self.cycle is None or self.cycle.response_complete
        super().data_received(data)
        begun = self.cycle is not None and not self.cycle.response_complete
        if begun and not self.cycle.more_body:
            self._rest()
        elif idle or begun:
            self._wait()

    def on_response_complete(self) -> None:
        """Go on to the next request, which arrives in time or not at all."""
        self._rest()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def is_loopback(host: str) -> bool:
    """Return whether a name or address is this machine's own, which no other machine reaches."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int, *, other: bool) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: a name or an address of this machine.
        port: 0 for any that is free.
        other: whether another port will do where this one is taken.

    Raises:
        UsageError: the host is none of this machine's.
        FileError: the port is taken, or the system refused.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise UsageError(f"no machine has the name {host!r}", "--host takes a name or an address of this one") from None
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not other:
                raise
            listening.bind((address[0], 0, *address[2:]))
        listening.listen(MOST_CONNECTIONS)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise FileError(f"port {port} is taken", "Give another one, or --port 0 for any that is free") from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"{host} is no address of this machine", "--host 0.0.0.0 is all of them") from None
        raise FileError(f"cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}") from None
    return listening


class PoliteServer(uvicorn.Server):
    """A server that lets its streams end before it does.

    Args:
        config: of uvicorn.
        end: ends the streams.
    """

    def __init__(self, config: uvicorn.Config, end: Callable[[], None]) -> None:
        super().__init__(config)
        self._end = end

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._end()
        await super().shutdown(sockets)


def server_of(app: ASGIApp, end: Callable[[], None]) -> uvicorn.Server:
    """Return the server of an application, which says nothing on its own.

    Args:
        app: the application.
        end: ends its streams.
    """
    settings: dict[str, Any] = {
        "http": Impatient,
        "ws": "none",
        "lifespan": "on",
        "log_config": None,
        "log_level": "critical",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_keep_alive": 5,
        "timeout_graceful_shutdown": 1,
        "h11_max_incomplete_event_size": _LARGEST_HEAD,
    }
    return PoliteServer(uvicorn.Config(app, **settings), end)
