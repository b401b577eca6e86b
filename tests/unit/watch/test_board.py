"""What a browser is sent of a page: what changed since it asked last, and no more."""

from __future__ import annotations

import asyncio

from ordbo_cli.watch.board import Board


def sent(board: Board, version: int, epoch: str = "") -> set[str]:
    """Return the ids of the parts that are sent to who knows a version."""
    parts = board.since(epoch or board.epoch, version)["parts"]
    assert isinstance(parts, dict)
    return set(parts)


def test_only_what_changed_is_sent() -> None:
    """A part whose text stays is sent once; one that is gone stands in no order."""
    board = Board()
    board.publish({"a": "1", "b": "1"}, ("a", "b"))
    assert sent(board, 0) == {"a", "b"}
    board.publish({"a": "1", "b": "2", "c": "1"}, ("a", "b", "c"))
    assert sent(board, 1) == {"b", "c"}
    board.publish({"b": "2"}, ("b",))
    assert sent(board, 2) == set()
    assert board.since(board.epoch, 2)["order"] == ("b",)


def test_the_same_again_is_no_new_version() -> None:
    """Nobody is woken for nothing."""
    board = Board()
    board.publish({"a": "1"}, ("a",))
    board.publish({"a": "1"}, ("a",))
    assert board.version == 1


def test_a_version_of_another_process_says_nothing() -> None:
    """After the server was started again a browser gets everything."""
    board = Board()
    board.publish({"a": "1"}, ("a",))
    assert sent(board, 7, "another") == {"a"}
    assert sent(board, 7) == set()


def test_news_are_told_once_and_not_to_who_comes() -> None:
    """Who opens the page is not told what happened before."""
    board = Board()
    board.publish({"a": "1"}, ("a",))
    board.publish({"a": "1"}, ("a",), "id 3 failed")
    assert board.since(board.epoch, 0)["news"] == ""
    assert board.since(board.epoch, 1)["news"] == "id 3 failed"
    assert board.since(board.epoch, 2)["news"] == ""


def test_all_who_wait_are_woken() -> None:
    """Two browsers wait for one change, and a later one for none."""

    async def waited() -> list[int]:
        board = Board()
        waiting = [asyncio.create_task(board.changed(0)) for _ in range(2)]
        await asyncio.sleep(0)
        board.publish({"a": "1"}, ("a",))
        return [*await asyncio.gather(*waiting), await board.changed(0)]

    assert asyncio.run(waited()) == [1, 1, 1]
