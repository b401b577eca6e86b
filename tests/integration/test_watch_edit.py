"""``ordbo watch --edit``: results are entered by several people at once, each recorded once, whatever happens."""

from __future__ import annotations

import http.client
import json
import secrets
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from ordbo_cli.study.study import Study
from tests.watched import Server

PATIENCE = 60_000  # ms
PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  angle: {min: 0, max: 12, digits: 4}
  blades: {type: int, min: 3, max: 9}
method: {iterations: 20, initial: 400}
"""
Answer = tuple[int, dict[str, Any]]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A new study, whose points are all of the initial design: nothing is fitted while it is told."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM, encoding="utf-8")
    return Study.open(path)


@pytest.fixture
def server(study: Study) -> Iterator[Server]:
    """It takes results."""
    with Server(study.problem_path, "--edit") as running:
        yield running


def post(server: Server, what: object, **headers: str) -> Answer:
    """Send a request, with the token unless another one is given; return status and answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    given = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    body = what if isinstance(what, bytes) else json.dumps(what).encode()
    try:
        connection.request("POST", "/study/wing/bench/do", body, given)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def asked(do: str, **more: object) -> dict[str, object]:
    """Return a request with a key of its own."""
    return {"key": secrets.token_hex(16), "do": do, **more}


def rows(study: Study) -> Counter[tuple[int | None, str]]:
    """Return how many rows each id has with each status, as they stand in the table."""
    return Counter((row.id, row.status) for row in study.read().table.rows)


def test_a_request_that_comes_again_is_recorded_once(study: Study, server: Server) -> None:
    """At the same time or later: points, results and comparisons."""
    handing = asked("suggest", number=2)
    answers = [post(server, handing) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][1]["told"]["ids"] == [1, 2]
    telling = asked("tell", id=1, results={"drag": "3.5"}, note="by hand")
    together = [threading.Thread(target=post, args=(server, telling)) for _ in range(6)]
    for each in together:
        each.start()
    for each in together:
        each.join()
    assert post(server, telling)[1]["told"]["words"].startswith("recorded 1: drag 3.5")
    assert rows(study)[1, "ok"] == 1
    comparing = asked("prefer", pair=[1, 2], judge="anna")
    assert post(server, comparing) == post(server, comparing)
    assert study.status().comparisons == 1
    looked = post(server, asked("look"))[1]["told"]
    undoing = asked("undo", line=looked["line"])
    assert post(server, undoing) == post(server, undoing)
    assert study.status().comparisons == 0
    assert study.status().ok == 1


def test_undo_takes_back_what_was_looked_at_or_nothing(study: Study, server: Server) -> None:
    """Somebody else may have recorded meanwhile."""
    study.ask_batch(2)
    study.tell(1, id=1)
    looked = post(server, asked("look"))[1]["told"]
    study.tell(2, id=2)
    assert "meanwhile" in post(server, asked("undo", line=looked["line"]))[1]["error"]["message"]
    assert study.status().ok == 2


def test_two_pages_and_a_shell_lose_nothing(study: Study, server: Server) -> None:
    """Ninety results that are entered at once are ninety rows, each once, though each is sent twice by the pages."""
    ids = [each.id for each in study.ask_batch(90)]

    def page(mine: list[int]) -> None:
        for id in mine:
            what = asked("tell", id=id, results={"drag": str(id)})
            assert post(server, what)[0] == 200
            assert post(server, what)[0] == 200

    def shell(mine: list[int]) -> None:
        for id in mine:
            study.tell(id, id=id)

    work = [threading.Thread(target=page, args=(ids[k::3],)) for k in range(2)]
    work.append(threading.Thread(target=shell, args=(ids[2::3],)))
    for each in work:
        each.start()
    for each in work:
        each.join()
    standing = Counter(each.id for each in study.points() if each.status == "ok")
    assert standing == Counter(ids)
    assert {each.id: str(each.objective) for each in study.points()} == {id: str(id) for id in ids}


def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(study: Study, server: Server) -> None:
    """Requests come again with their keys; what was answered stands, and nothing stands twice."""
    ids = [each.id for each in study.ask_batch(40)]
    acknowledged: list[int] = []
    done = threading.Event()

    def enter() -> None:
        for id in ids:
            what = asked("tell", id=id, results={"drag": str(id)})
            while True:
                try:
                    if post(server, what)[0] == 200:
                        break
                except (OSError, http.client.HTTPException):
                    done.wait(0.05)
            acknowledged.append(id)
        done.set()

    entering = threading.Thread(target=enter)
    entering.start()
    for _ in range(5):
        before = len(acknowledged)
        while len(acknowledged) < min(before + 5, len(ids)) and not done.is_set():
            done.wait(0.002)
        server.end(signal.SIGKILL)
        server.start()
    entering.join()
    assert Counter(each.id for each in study.points() if each.status == "ok") == Counter(ids)
    assert all(number == 1 for (id, status), number in rows(study).items() if status == "ok" and id in ids)


@pytest.mark.parametrize(
    ("what", "status"),
    [
        (b"", 400), (b"[]", 400), (b"{", 400), (b"[" * 60000, 400), (b'{"do": "tell"}', 400), (b"x" * 70000, 413),
        (json.dumps({"key": "../../etc/passwd", "do": "tell"}).encode(), 400),
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(server: Server, what: bytes, status: int) -> None:
    """Neither JSON, nor a key, nor a body of some size."""
    assert post(server, what)[0] == status


@pytest.mark.parametrize(
    "what",
    [
        {"do": "tell", "id": True, "results": {"drag": "1"}}, {"do": "tell", "id": -1}, {"do": "tell", "id": 10**30},
        {"do": "tell", "id": 1, "results": "3"}, {"do": "tell", "id": 1, "results": {"drag": 3}},
        {"do": "tell", "id": 1, "results": {"drag": "x" * 300}}, {"do": "tell", "id": 1, "note": ["a"], "failed": True},
        {"do": "tell", "id": 99, "results": {"drag": "1"}}, {"do": "tell", "id": 1, "results": {"lift": "1"}},
        {"do": "tell", "id": 1}, {"do": "suggest", "number": 1000}, {"do": "suggest", "number": "1"},
        {"do": "prefer", "pair": [1]}, {"do": "prefer", "pair": [1, 1]}, {"do": "prefer", "pair": "12"},
        {"do": "__class__"}, {"do": None}, {"do": ["tell"]}, {"do": "undo", "line": None}, {"do": "undo"},
    ],
)  # fmt: skip
def test_what_the_command_would_refuse_is_refused(study: Study, what: dict[str, object]) -> None:
    """In words, by the same rules, and nothing is recorded."""
    from ordbo_cli.errors import OrdboError
    from ordbo_cli.watch.desk import Desk

    study.ask()
    before = {path.name: path.read_bytes() for path in study.problem_path.parent.glob("*.csv")}
    with pytest.raises(OrdboError):
        Desk(study.problem_path).act(what)
    assert {path.name: path.read_bytes() for path in study.problem_path.parent.glob("*.csv")} == before


def test_nobody_writes_without_the_token_or_from_elsewhere(study: Study, server: Server) -> None:
    """Forms of other sites, forged tokens, other names; reading on this machine needs none."""
    study.ask()
    what = asked("tell", id=1, results={"drag": "1"})
    attempts: list[tuple[dict[str, str], int]] = [
        ({"Authorization": ""}, 401),
        ({"Authorization": f"Bearer {server.token}x"}, 401),
        ({"Authorization": f"Bearer {server.token.swapcase()}"}, 401),
        ({"Origin": "http://evil.com"}, 403),
        ({"Origin": f"http://127.0.0.1:{server.port + 1}"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Host": f"evil.com:{server.port}"}, 421),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ]
    assert [post(server, what, **headers)[0] for headers, _ in attempts] == [status for _, status in attempts]
    assert study.status().ok == 0
    assert post(server, what)[0] == 200


def test_a_phone_is_given_the_token_by_a_code(study: Study) -> None:
    """To who has the token already, and in no part of a page; where no other machine comes, there is none."""
    import segno

    with Server(study.problem_path, "--edit", "--host", "0.0.0.0") as server:
        status, answer = post(server, asked("phone"))
        link = f"{server.address}/study/wing/bench/#token={server.token}"
        drawn = segno.make(link, micro=False, error="m").svg_inline(scale=4, border=4, dark="#000000", light="#ffffff")
        shape = drawn.partition(' d="')[2].partition('"')[0]
        assert (status, shape in answer["told"]["svg"]) == (200, True)
        assert post(server, asked("phone"), Authorization="Bearer x")[0] == 401
        parts = get(server, "/study/wing/bench/parts")
        assert "On a phone" in parts
        assert server.token not in parts
    with Server(study.problem_path, "--edit") as server:
        assert "On a phone" not in get(server, "/study/wing/bench/parts")


def get(server: Server, path: str) -> str:
    """Return what stands at a path."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def visit(browser: Browser, address: str, faults: list[str], **settings: Any) -> Tab:
    """Open an address on a new page."""
    tab = browser.new_context(**settings).new_page()
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.set_default_timeout(PATIENCE)
    tab.goto(address)
    return tab


def test_a_day_at_the_bench(study: Study, server: Server, browser: Browser) -> None:
    """On a phone: points, a result, a failure, a correction, a comparison, back again; a second page sees it all."""
    faults: list[str] = []
    phone = visit(browser, server.link, faults, viewport={"width": 390, "height": 844}, color_scheme="dark")
    phone.get_by_role("link", name="Enter results").click()
    desk = visit(browser, f"{server.address}/study/wing/bench/#token={server.token}", faults)

    def done(text: str) -> None:
        expect(phone.locator("#done")).to_contain_text(text, timeout=PATIENCE)

    phone.get_by_label("How many").fill("3")
    phone.get_by_role("button", name="Hand out").click()
    done("handed out 1:")
    expect(desk.locator("section[id^=point-]")).to_have_count(3, timeout=PATIENCE)
    desk.locator("#point-3").get_by_label("Note").fill("half a wor")
    desk.locator("#point-3").evaluate("each => { window.before = each }")
    one = phone.locator("#point-1")
    one.get_by_label("drag").fill("2.5")
    one.get_by_label("drag").press("Enter")
    done("recorded 1: drag 2.5")
    expect(desk.locator("#point-1")).to_have_count(0, timeout=PATIENCE)
    assert desk.evaluate("document.getElementById('point-3') === window.before")  # nothing of it changed
    desk.keyboard.type("d")
    assert desk.locator("#point-3").get_by_label("Note").input_value() == "half a word"
    phone.locator("#point-2").get_by_label("Note").fill("it <b>broke</b>")
    phone.locator("#point-2").get_by_role("button", name="It failed").click()
    done("recorded 2: failed")
    phone.locator("#correct").get_by_label("Point").fill("1")
    phone.locator("#correct").get_by_label("drag").fill("2.25")
    phone.get_by_role("button", name="Correct").click()
    done("recorded 1: drag 2.25")
    phone.locator("#compare").get_by_label("One", exact=True).fill("1")
    phone.locator("#compare").get_by_label("The other").fill("2")
    phone.get_by_role("button", name="One is better").click()
    done("recorded 1 over 2")
    phone.get_by_role("button", name="What was recorded last?").click()
    expect(phone.locator("#last")).to_have_text("1 over 2", timeout=PATIENCE)
    phone.get_by_role("button", name="Take it back").click()
    done("took back 1 over 2")
    phone.locator("#point-3").get_by_label("drag").fill("wet")
    phone.locator("#point-3").get_by_role("button", name="Record").click()
    expect(phone.locator("#done.wrong")).to_contain_text("wet", timeout=PATIENCE)
    assert phone.locator("#point-3").get_by_label("drag").input_value() == "wet"
    for tab in (phone, desk):
        found = Axe().run(tab)
        assert found.violations_count == 0, found.generate_report()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    status = study.status()
    assert (status.ok, status.failed, status.pending, status.comparisons) == (1, 1, 1, 0)
    assert status.best is not None
    assert str(status.best.objective) == "2.25"
    assert status.failures[0].remark.note == "it <b>broke</b>"
    phone.locator("#point-3").get_by_role("link", name="Print").click()
    sheet = phone.locator("#sheet")
    expect(sheet).to_contain_text("point 3", timeout=PATIENCE)
    expect(sheet.locator("svg path")).to_have_count(2)
    assert server.token not in phone.content()
    found = Axe().run(phone)
    assert found.violations_count == 0, found.generate_report()
    phone.get_by_role("link", name="Enter it").click()
    expect(phone.locator("#point-3")).to_be_in_viewport(timeout=PATIENCE)
    phone.close()
    desk.close()
    assert faults == []
