"""What others may try on a server of ``ordbo watch``: it gives nothing away, records nothing, and goes on."""

from __future__ import annotations

import hashlib
import http.client
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from ordbo_cli.study.study import Study
from tests.watched import Server, resident

PROBLEM = "version: 1\nobjective: {name: drag, goal: minimize}\nparameters:\n  angle: {min: 0, max: 12}\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of a folder that demands its token; beside the folder lies a secret."""
    place = tmp_path_factory.mktemp("watch")
    (place / "secret.yaml").write_text(PROBLEM.replace("drag", "treasure"))
    folder = place / "studies"
    folder.mkdir()
    (folder / "wing.yaml").write_text(PROBLEM)
    (folder / "notes.txt").write_text("treasure")
    Study.open(folder / "wing.yaml").ask_batch(2)
    with Server(folder, "--token") as running:
        yield running


def ask(server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, str]:
    """Return status and text of an answer; the path goes out as it is, with the token unless another one is given."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    given = {"Authorization": f"Bearer {server.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    connection.request(method, path, body=body, headers=given)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def digest(folder: Path) -> str:
    """Return a hash of all files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@pytest.mark.parametrize(
    "path",
    [
        "/study/../../secret.yaml/parts", "/study/..%2f..%2fsecret/parts", "/study/secret/parts", "/study/%2e%2e/parts",
        "/study/notes.txt/parts", "/study/wing.yaml/parts", "/study/wing%00/parts", "/assets/../page.py",
        "/assets/..%2f..%2fpage.py", "/assets/%2e%2e/%2e%2e/secret.yaml", "//etc/passwd", "/assets//etc/passwd",
        "/study/C:%5csecret/parts", "/study/" + "a" * 4000 + "/parts", "/wing.csv", "/docs", "/openapi.json",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_study(server: Server, path: str) -> None:
    """There is nothing, and the answer does not repeat what was asked for."""
    status, text = ask(server, path)
    assert status == 404
    assert "treasure" not in text
    assert "secret" not in text


@pytest.mark.parametrize("how", ["named", "linked"])
def test_a_study_whose_files_lie_elsewhere_is_not_shown(server: Server, how: str) -> None:
    """Who may write into the folder does not have the server read what they may not."""
    secret = server.place.parent / "secret.csv"
    secret.write_text("angle,treasure\n1.25,7.75\n")
    problem = server.place / f"{how}.yaml"
    problem.write_text(PROBLEM.replace("drag", "treasure") + ("evaluations: ../secret.csv\n" if how == "named" else ""))
    if how == "linked":
        problem.with_suffix(".csv").symlink_to(secret)
    status, text = ask(server, f"/study/{how}/parts")
    assert status == 200
    assert "outside the folder that is watched" in text
    assert "7.75" not in text + ask(server, "/parts")[1]
    problem.unlink()


@pytest.mark.parametrize("path", ["/parts", "/events", "/study/wing/parts", "/study/wing/events", "/study/none/parts"])
def test_without_the_token_nothing_is_told(server: Server, path: str) -> None:
    """Not even which studies there are."""
    for forged in ("", "Bearer", f"Bearer {server.token[:-1]}", f"Basic {server.token}", "Bearer " + "A" * 9000):
        status, text = ask(server, path, Authorization=forged)
        assert status == 401
        assert "wing" not in text


def test_what_is_public_says_nothing_of_a_study(server: Server) -> None:
    """Pages are alike, whatever they are asked for."""
    pages = {ask(server, path, Authorization="") for path in ("/", "/study/wing/", "/study/none/")}
    assert len(pages) == 1
    assert pages.pop()[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_is_written(server: Server, method: str) -> None:
    """Whatever the method, with the token and without."""
    before = digest(server.place)
    for path in ("/", "/parts", "/study/wing/", "/study/wing/parts"):
        for headers in ({}, {"Authorization": ""}, {"Origin": "http://evil.com"}):
            assert ask(server, path, method, b'{"ask": 1}', **headers)[0] in (401, 403, 405)
    assert digest(server.place) == before


def test_other_sites_and_other_names_are_refused(server: Server) -> None:
    """A page that is open in the same browser, and a name that was led here."""
    assert ask(server, "/study/wing/parts", Origin="http://evil.com")[0] == 403
    assert ask(server, "/study/wing/parts", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(server, "/study/wing/parts", Host=f"evil.com:{server.port}")[0] == 421
    assert ask(server, "/study/wing/parts")[0] == 200


def test_huge_requests_are_cut_off(server: Server) -> None:
    """Bodies, headers and queries without end take no memory, and the server goes on."""
    before = resident(server.process.pid)
    piece = b"x" * 65536
    for head in (
        b"POST /parts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 9999999999\r\n\r\n",
        b"GET /",
        b"GET / HTTP/1.1\r\nA: ",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as attack:
            attack.sendall(head)
            try:
                for _ in range(500):  # 32 MB
                    attack.sendall(piece)
            except OSError:
                pass
    assert ask(server, "/study/wing/parts?since=" + "9" * 400)[0] == 200
    assert ask(server, "/study/wing/parts?since=" + "9" * 4000)[0] == 414
    assert resident(server.process.pid) < before + 24e6


def test_what_is_no_http_is_refused(server: Server) -> None:
    """Broken lines and upgrades end their connection, not the server."""
    broken = (b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n")
    elsewhere = b"GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\n\r\n"
    for text in (*broken, elsewhere):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as attack:
            attack.sendall(text)
            attack.shutdown(socket.SHUT_WR)
            assert not attack.recv(65536).startswith(b"HTTP/1.1 200")
    assert ask(server, "/study/wing/parts")[0] == 200


def test_a_thousand_connections_are_let_go(server: Server) -> None:
    """Those that say nothing are dropped where there are too many, or after a while; then others come in again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    attacks = []
    for _ in range(1000):
        attack = socket.socket()
        attack.settimeout(30)
        attack.connect(("127.0.0.1", server.port))
        attack.sendall(b"GET /parts HTTP/1.1\r\n")
        attacks.append(attack)
    ended = 0
    for attack in attacks:  # all of them, the first ones when their time is over
        try:
            ended += attack.recv(1024) == b""
        except ConnectionError:
            ended += 1
        attack.close()
    assert ended == 1000
    assert ask(server, "/study/wing/parts")[0] == 200


def test_many_streams_are_refused_and_free_again(server: Server) -> None:
    """Beyond a number that no reader needs; when they go, others may come."""
    streams = []
    statuses = []
    for _ in range(70):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/study/wing/events", headers={"Authorization": f"Bearer {server.token}"})
        answer = connection.getresponse()
        statuses.append(answer.status)
        streams.append((connection, answer))
    assert statuses.count(200) == 64
    assert statuses.count(503) == 6
    for connection, answer in streams:
        answer.close()
        connection.close()
    for _ in range(100):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/study/wing/events", headers={"Authorization": f"Bearer {server.token}"})
        answer = connection.getresponse()
        line = answer.readline() if answer.status == 200 else b""
        answer.close()
        connection.close()
        if line:
            break
    assert line.startswith(b"data:")


def test_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    """Ctrl-C, while somebody looks and something is drawn: exit status 130, one word, and no process left."""
    (tmp_path / "wing.yaml").write_text(PROBLEM)
    with Server(tmp_path / "wing.yaml") as server:
        looking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        looking.request("GET", "/events")
        answer = looking.getresponse()
        assert answer.readline().startswith(b"data:")
        place, children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children"), ""
        while not children:  # the one that draws
            children = place.read_text(encoding="ascii")
        status, said = server.end()
        assert status == 130
        assert said.splitlines() == ["Ctrl-C ends it", "interrupted"]
        assert not any(Path(f"/proc/{each}").exists() for each in children.split())
        answer.close()
        looking.close()
