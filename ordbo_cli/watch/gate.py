"""Who may come in: what every request has to be before anything is done with it.

A page of another site that the user has open can send requests here, and so can a name that such a site has lead to
this machine (DNS rebinding). So the name that was asked for, the page that asks and the token are looked at first.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
TOKEN_BYTES: Final = 24  # 192 bits
LONGEST_QUERY: Final = 512
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; style-src-elem 'self';"
    " style-src-attr 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
_OURS: Final = ("same-origin", "none")  # the site of the page that asks; "none": somebody typed the address


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


@dataclass(frozen=True)
class Demands:
    """What a server demands.

    Args:
        port: that it listens on.
        names: by which it may be asked for; an address of this network is one where ``anywhere`` holds.
        anywhere: whether it listens to other machines.
        token: that is demanded; "" for none.
        to_read: whether it is demanded of those who only read, too.
        writes: whether results are taken.
    """

    port: int
    names: Collection[str] = LOOPBACK
    anywhere: bool = False
    token: str = ""
    to_read: bool = False
    writes: bool = False

    def knows(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:
            name, port = host, "80"
        if port != str(self.port):
            return False
        name = name.removeprefix("[").removesuffix("]").lower()
        if name in self.names:
            return True
        if not self.anywhere:
            return False
        try:
            ipaddress.ip_address(name)  # a name that leads here may be anybody's, an address may not
        except ValueError:
            return False
        return True

    def is_right(self, authorization: str) -> bool:
        """Return whether a request has the token."""
        given = authorization.removeprefix("Bearer ").encode("utf-8", "replace")
        return bool(self.token) and secrets.compare_digest(given, self.token.encode())


class Gateway:
    """Refuses what does not come from a page of this server, and says to browsers what its pages may do.

    Args:
        app: what it stands before.
        demands: what is demanded.
    """

    def __init__(self, app: ASGIApp, demands: Demands) -> None:
        self._app = app
        self._demands = demands

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, with_headers)
            return
        status, why = refusal
        await JSONResponse({"error": {"message": why}}, status)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason of a refusal, None where there is none."""
        headers, demands = Headers(scope=scope), self._demands
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not demands.knows(hosts[0]):
            return 421, "this server is not asked for by that name"
        reads = scope["method"] in ("GET", "HEAD")
        if not reads and scope["method"] != "POST":
            return 405, "this server takes GET and POST"
        if len(scope.get("query_string", b"")) > LONGEST_QUERY:
            return 414, "the query is too long"
        is_public = reads and _is_public(scope["path"])
        origins = headers.getlist("origin")
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return 403, "another site asks"
        site = headers.get("sec-fetch-site", "none")
        follows_a_link = is_public and headers.get("sec-fetch-mode") == "navigate"
        if site not in _OURS and not follows_a_link:
            return 403, "another site asks"
        if is_public or (reads and not demands.to_read):
            return None
        if not reads and not (demands.writes and demands.token):
            return 403, "this server only shows; 'ordbo watch --edit' starts one that takes answers"
        if not demands.is_right(headers.get("authorization", "")):
            return 401, "the token is missing or wrong"
        return None


def _is_public(path: str) -> bool:
    """Return whether what stands there says nothing of any study: pages without their parts, scripts, styles."""
    last = path.rpartition("/")[2]
    return path.startswith("/assets/") or not last
