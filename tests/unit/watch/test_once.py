"""Requests that come again are carried out once."""

from __future__ import annotations

import asyncio

import pytest

from ordbo_cli.watch.once import KEY, Once


def test_the_same_key_is_carried_out_once() -> None:
    """At the same time and later; another key is another request."""

    async def run() -> tuple[list[int], int]:
        once, calls = Once[int](), 0

        async def act() -> int:
            nonlocal calls
            calls += 1
            await asyncio.sleep(0.01)
            return calls

        found = await asyncio.gather(*(once.answer("a", act) for _ in range(5)), once.answer("b", act))
        return [*found, await once.answer("a", act)], calls

    answers, calls = asyncio.run(run())
    assert calls == 2
    assert len({*answers[:5], answers[6]}) == 1


def test_what_raised_may_come_again() -> None:
    """A lock that was not free may be the next time."""

    async def run() -> str:
        once = Once[str]()

        async def fail() -> str:
            raise OSError

        async def act() -> str:
            return "done"

        with pytest.raises(OSError):
            await once.answer("a", fail)
        return await once.answer("a", act)

    assert asyncio.run(run()) == "done"


def test_who_goes_away_does_not_end_what_was_asked() -> None:
    """The answer is there when the request comes again."""

    async def run() -> tuple[str, int]:
        once, calls = Once[str](), 0

        async def act() -> str:
            nonlocal calls
            calls += 1
            await asyncio.sleep(0.01)
            return "done"

        gone = asyncio.create_task(once.answer("a", act))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        return await once.answer("a", act), calls

    assert asyncio.run(run()) == ("done", 1)


@pytest.mark.parametrize("key", ["", "short", "a" * 65, "a" * 15 + "/", "a" * 20 + "\n"])
def test_keys_are_long_and_plain(key: str) -> None:
    """Nothing that somebody else's request has by chance."""
    assert KEY.fullmatch(key) is None
