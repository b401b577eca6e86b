"""``ordbo mcp``: a study that an agent drives by tools alone, however forgetful it is and whatever is killed."""

from __future__ import annotations

import base64
import csv
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
from mcp.shared.exceptions import MCPError

from ordbo_cli.drive.agents.tool_table import PICTURES, TOOLS
from ordbo_cli.pictures.kinds import KINDS
from tests.cli.agent import Agent, Refused, connected
from tests.cli.bowl import PROBLEM
from tests.cli.conftest import ROOT

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
Visit = Callable[[Agent], Awaitable[Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one problem."""
    path = tmp_path / "studies"
    path.mkdir()
    (path / "bowl.yaml").write_text(PROBLEM)
    return path


def visit(folder: Path, act: Visit, *options: str, mode: str = "auto") -> Any:
    """Let an agent do something in a folder."""

    async def go() -> Any:
        async with connected(folder, *options, mode=mode) as agent:
            return await act(agent)

    return anyio.run(go)


def rows(folder: Path) -> list[dict[str, str]]:
    """Return the rows of the evaluations."""
    return list(csv.DictReader((folder / "bowl.csv").read_text().splitlines()))


def simulated(parameters: dict[str, float]) -> float:
    return (parameters["a"] - 1) ** 2 + 10 * (parameters["b"] + 2) ** 2


async def one_round(call: Call, chance: random.Random) -> None:
    """Evaluate what is suggested, with calls that are repeated now and then, as by somebody who forgets."""
    for _ in range(chance.choice((1, 1, 2))):
        found = await call("suggest")
    (point,) = found["points"]
    for _ in range(chance.choice((1, 1, 2))):
        await call("observe", id=point["id"], objective=simulated(point["parameters"]))


async def evaluations(call: Call) -> int:
    counts = (await call("status"))["status"]["counts"]
    return int(counts["ok"] + counts["failed"])


def test_a_study_by_tools_alone_with_kills(folder: Path) -> None:
    """Servers are killed at any moment until 25 evaluations are recorded: each once, and no further point is out."""
    chance = random.Random(7)
    kills = 0

    async def session() -> bool:
        """Work until the server is killed; return whether the study is done."""
        nonlocal kills
        last = chance.randint(2, 14)

        async with connected(folder) as agent, anyio.create_task_group() as group:

            async def murder() -> None:
                nonlocal kills
                await anyio.sleep(chance.uniform(0.0, 0.2))
                kills += 1
                agent.kill()

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                nonlocal last
                last -= 1
                if last == 0:
                    group.start_soon(murder)
                return await agent.call(tool, **arguments)

            while await evaluations(call) < 25:
                await one_round(call, chance)
            group.cancel_scope.cancel()
        return True

    done = False
    while not done:
        assert kills < 200
        before = kills
        try:
            done = anyio.run(session)
        except Exception:  # the library has many for a server that is gone
            if kills == before:
                raise
    assert kills >= 5
    found = rows(folder)
    assert [row["status"] for row in found] == ["ok"] * 25
    assert len({row["id"] for row in found}) == 25
    assert all(float(row["y"]) == simulated({name: float(row[name]) for name in "ab"}) for row in found)
    counts = visit(folder, lambda agent: agent.call("status"))["status"]["counts"]
    assert (counts["ok"], counts["pending"], counts["aside"]) == (25, 0, 0)
    assert not list(folder.glob("*.journal"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_its_points_are_those_of_the_commands(folder: Path, tmp_path: Path, ordbo: Call, mode: str) -> None:
    """Ten rounds by tools, and ten by suggest and observe, come to the same points and results; by either handshake."""

    async def act(agent: Agent) -> None:
        for _ in range(10):
            await one_round(agent.call, random.Random(1))

    visit(folder, act, mode=mode)
    other = tmp_path / "bowl.yaml"
    other.write_text(PROBLEM)
    for _ in range(10):
        point = json.loads(ordbo("suggest", other).out)
        ordbo("observe", other, "--id", point["id"], f"y={simulated(point['parameters'])!r}")
    assert (folder / "bowl.csv").read_text() == other.with_suffix(".csv").read_text()


def test_every_tool_says_what_it_is(folder: Path) -> None:
    """All tools that were promised, each argument with a description, whether it writes, and no others are taken."""

    async def act(agent: Agent) -> tuple[Any, str | None]:
        return (await agent.client.list_tools()).tools, agent.client.instructions

    tools, instructions = visit(folder, act)
    assert {tool.name for tool in tools} == set(TOOLS)
    promised = "suggest observe prefer status best explain predict diagnose check plot"
    assert set(promised.split()) == set(TOOLS)
    for tool in tools:
        assert len(tool.description) > 40
        assert tool.input_schema["additionalProperties"] is False
        for argument in tool.input_schema["properties"].values():
            assert len(argument["description"]) > 10
        assert tool.annotations.read_only_hint is (tool.name not in ("suggest", "observe", "prefer"))
        assert not tool.annotations.destructive_hint
    assert "observe" in instructions
    assert PICTURES == KINDS


def test_looking_records_nothing(folder: Path, digest: Callable[[Path], str]) -> None:
    """The tools that say so leave every byte as it is; a picture is an image of its kind."""

    async def act(agent: Agent) -> tuple[dict[str, Any], dict[str, Any]]:
        for _ in range(7):
            await one_round(agent.call, random.Random(1))
        before = digest(folder)
        found = {name: await agent.call(name) for name in ("status", "best", "explain", "diagnose", "check")}
        found["predict"] = await agent.call("predict", points=[{"a": 1, "b": -2}], ids=[1])
        images: dict[str, Any] = {}
        for kind in ("png", "svg"):
            answer = await agent.client.call_tool("plot", {"kind": "convergence", "format": kind})
            images[kind] = answer.content[1]
        assert digest(folder) == before
        return found, images

    found, images = visit(folder, act)
    assert found["best"]["best"]["objective"]["y"] == min(float(row["y"]) for row in rows(folder))
    assert found["explain"]["points"][0]["id"] == 8
    assert [each.get("id") for each in found["predict"]["predictions"]] == [None, 1]
    assert "kendall_tau" in found["diagnose"]["diagnosis"]["checks"]
    assert found["check"]["lines"][1].startswith("bowl.csv: 7 ok")
    assert (images["png"].mime_type, images["svg"].mime_type) == ("image/png", "image/svg+xml")
    assert base64.b64decode(images["png"].data).startswith(b"\x89PNG")
    assert b"<svg" in base64.b64decode(images["svg"].data)


def test_what_can_be_read(folder: Path) -> None:
    """The schema, and each problem with its table, under names that stand in addresses."""
    name = "a b<i>#1?.yaml"
    (folder / name).write_text(PROBLEM)

    async def act(agent: Agent) -> dict[str, str]:
        point = (await agent.call("suggest", problem=name))["points"][0]
        await agent.call("observe", problem=name, id=point["id"], objective=3)
        found = {}
        for each in (await agent.client.list_resources()).resources:
            try:
                found[each.uri] = (await agent.client.read_resource(each.uri)).contents[0].model_dump()["text"]
            except MCPError as error:
                found[each.uri] = f"refused: {error}"
        return found

    found = visit(folder, act)
    assert json.loads(found["ordbo://schema"])["title"] == "ordbo problem"
    assert found["ordbo://problem/bowl.yaml"] == PROBLEM
    assert found["ordbo://table/bowl.yaml"].startswith("refused: bowl.csv: there are none yet")
    assert found["ordbo://table/a%20b%3Ci%3E%231%3F.yaml"] == (folder / name).with_suffix(".csv").read_text()


@pytest.mark.parametrize(
    "uri",
    [
        "ordbo://table/../bowl.yaml",
        "ordbo://table/%2e%2e/bowl.yaml",
        "ordbo://table/%2Fetc%2Fpasswd",
        "ordbo://problem/link.yaml",
        "ordbo://problem/a%00.yaml",
        "ordbo://nothing/bowl.yaml",
        "file:///etc/passwd",
    ],
)
def test_what_cannot_be_read(folder: Path, uri: str) -> None:
    """Nothing outside the folder, however it is spelt."""
    (folder.parent / "bowl.yaml").write_text(PROBLEM)
    (folder / "link.yaml").symlink_to(folder.parent / "bowl.yaml")

    async def act(agent: Agent) -> None:
        with pytest.raises(MCPError):
            await agent.client.read_resource(uri)

    visit(folder, act)


def test_calls_at_once_take_turns(folder: Path) -> None:
    """Eight suggestions that are asked for side by side are one point, and as many results of it one row."""

    async def act(agent: Agent) -> set[int]:
        ids: set[int] = set()

        async def work() -> None:
            point = (await agent.call("suggest"))["points"][0]
            ids.add(point["id"])
            await agent.call("observe", id=1, objective=3)

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(work)
        return ids

    visit(folder, act)
    assert [(row["id"], row["status"]) for row in rows(folder) if row["id"] == "1"] == [("1", "ok")]


def test_an_error_has_the_words_of_the_commands(folder: Path, ordbo: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Message, hint and exit status are theirs."""
    (folder / "bowl.yaml").write_text(PROBLEM.replace("float", "flot"))

    async def act(agent: Agent) -> Refused:
        with pytest.raises(Refused) as caught:
            await agent.call("suggest")
        return caught.value

    refused = visit(folder, act)
    monkeypatch.chdir(folder)
    said = ordbo("suggest", "bowl.yaml")
    assert refused.status == said.status == 78
    assert "Did you mean float?" in str(refused)
    assert str(refused).rstrip(". ") == said.err.rstrip("\n. ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(folder: Path, environment: dict[str, str], number: int) -> None:
    """With the exit status of every command that is interrupted, though it waits for a line that never comes."""
    words = [sys.executable, "-m", "ordbo_cli", "mcp", str(folder)]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "ordbo"
        server.send_signal(number)
        assert server.wait(60) == 130
        assert server.stderr.read() == b"interrupted\n"


def test_garbage_ends_nothing(folder: Path, process: Call) -> None:
    """What is no request is passed over, or answered by an error; the next one is answered, and the end is an end."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": []}},
        {"jsonrpc": "2.0", "id": 3, "method": "nothing/nowhere", "params": {}},
        {"jsonrpc": "2.0", "id": 4, "method": "ping"},
    ]
    garbage = [b"{]", b"", b"\xff\xfe", b"null", b"[" * 10_000, b'{"a":' * 10_000, b'"' + b"x" * 10**6 + b'"']
    lines = [line for each in requests for line in (*garbage, json.dumps(each).encode())]
    said = process("mcp", folder, stdin=b"\n".join(lines) + b"\n")
    assert (said.status, said.err) == (0, "")
    answers = {answer["id"]: answer for answer in map(json.loads, said.out.splitlines()) if answer.get("id")}
    assert answers[1]["result"]["serverInfo"]["name"] == "ordbo"
    assert "error" in answers[2]
    assert "error" in answers[3]
    assert answers[4]["result"] == {}


def test_without_the_library(folder: Path, tmp_path: Path) -> None:
    """The command says what to install, and every other one works."""
    (tmp_path / "blocked").mkdir()
    code = "import sys; sys.modules['mcp'] = None; from ordbo_cli.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, "mcp", str(folder)], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == "error: 'ordbo mcp' needs mcp\nhint: Install: pip install 'ordbo[mcp]'\n"


@pytest.mark.parametrize(("place", "status"), [("nowhere", 66), ("studies/bowl.yaml", 74)])
def test_a_folder_that_is_none(folder: Path, ordbo: Call, place: str, status: int) -> None:
    """It is refused at the start."""
    assert ordbo("mcp", folder.parent / place).status == status
