"""Who may come in to a server of ``ordbo watch``."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.responses import PlainTextResponse

from ordbo_cli.watch.gate import TOKEN_BYTES, Demands, Gateway, new_token

TOKEN = "a-token-of-tests"
OPEN, CLOSED = Demands(8431), Demands(8431, token=TOKEN, to_read=True)


def status(demands: Demands, path: str = "/parts", method: str = "GET", query: str = "", **headers: str) -> int:
    """Return the status of an answer to a request with headers, ``_`` in their names for ``-``."""
    given = {"host": "127.0.0.1:8431", **headers}
    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items() if value]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": fields}
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Gateway(PlainTextResponse("in"), demands)(scope, receive, send))
    assert {b"content-security-policy", b"x-frame-options"} <= {name for name, _ in sent[0]["headers"]}
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    "host",
    ["evil.com:8431", "127.0.0.1", "127.0.0.1:80", "localhost.evil.com:8431", "127.0.0.1:8431.evil.com", "", "[]"],
)
def test_a_name_that_leads_here_is_refused(host: str) -> None:
    """DNS rebinding: the address is ours, the name is not."""
    assert status(OPEN, host=host) == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8431", "localhost:8431", "LOCALHOST:8431", "[::1]:8431"])
def test_our_own_names_are_let_in(host: str) -> None:
    """Whichever way somebody types this machine."""
    assert status(OPEN, host=host) == 200


def test_other_machines_ask_by_an_address_or_by_a_name_that_was_given() -> None:
    """A name that was not given may be anybody's."""
    anywhere = Demands(8431, {"bench"}, anywhere=True)
    assert [status(anywhere, host=f"{name}:8431") for name in ("10.0.0.5", "bench", "[fe80::1]")] == [200, 200, 200]
    assert status(anywhere, host="rebound.evil.com:8431") == 421


@pytest.mark.parametrize("origin", ["http://evil.com", "null", "https://127.0.0.1:8431", "http://127.0.0.1:9999"])
def test_another_origin_is_refused(origin: str) -> None:
    """Another port of this machine is another origin, too."""
    assert status(OPEN, origin=origin) == 403
    assert status(CLOSED, origin=origin, authorization=f"Bearer {TOKEN}") == 403
    assert status(OPEN, origin="http://127.0.0.1:8431") == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_may_link_to_a_page_and_to_nothing_else(site: str) -> None:
    """A page without its parts says nothing; parts are for pages of this server."""
    assert status(OPEN, "/study/wing/", sec_fetch_site=site, sec_fetch_mode="navigate") == 200
    assert status(OPEN, "/study/wing/parts", sec_fetch_site=site, sec_fetch_mode="navigate") == 403
    assert status(OPEN, "/assets/page.js", sec_fetch_site=site, sec_fetch_mode="no-cors") == 403


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer x", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer ÿ"])
def test_a_forged_token_is_refused(given: str) -> None:
    """Nothing but the token is the token."""
    assert status(CLOSED, authorization=given) == 401
    assert status(CLOSED, authorization=f"Bearer {TOKEN}") == 200


def test_a_token_in_the_query_is_none() -> None:
    """It would stand in logs and histories."""
    assert status(CLOSED, query=f"token={TOKEN}") == 401


def test_who_only_shows_takes_nothing() -> None:
    """Without a token nobody can write, whatever they send."""
    assert status(OPEN, method="POST", authorization="Bearer ") == 403
    assert [status(OPEN, method=method) for method in ("PUT", "DELETE", "TRACE", "CONNECT", "OPTIONS")] == [405] * 5


def test_a_long_query_is_refused() -> None:
    """No query of ours is."""
    assert status(OPEN, query="since=" + "1" * 1000) == 414


def test_tokens_are_long_and_never_the_same() -> None:
    """More than 128 bits."""
    assert TOKEN_BYTES * 8 >= 128
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 22
