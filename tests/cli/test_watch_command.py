"""``ordbo watch`` on the command line: what it refuses before it listens."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

Call = Callable[..., Any]


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "segno", "matplotlib", "jinja2"])
def test_without_its_extra_it_says_what_to_install(
    ordbo: Call, study: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Whichever package is missing."""
    there = importlib.util.find_spec
    monkeypatch.setattr("ordbo_cli.cli.options.find_spec", lambda name: None if name == package else there(name))
    refused = ordbo("watch", study)
    assert refused.status == 2
    assert refused.err == f"error: 'ordbo watch' needs {package}\nhint: Install: pip install 'ordbo[watch]'\n"


def test_what_is_no_study_is_refused_at_once(ordbo: Call, tmp_path: Path) -> None:
    """No file, a wrong one, a folder without any: with the exit statuses of other commands."""
    assert ordbo("watch", tmp_path / "none.yaml").status == 66
    (tmp_path / "wrong.yaml").write_text("version: 1\n")
    assert ordbo("watch", tmp_path / "wrong.yaml").status == 78
    empty = ordbo("watch", tmp_path)
    assert empty.status == 66
    assert empty.err.endswith("there is no problem file in it\nhint: 'ordbo init' writes one\n")


def test_a_port_that_is_taken(ordbo: Call, study: Path) -> None:
    """One that was asked for is not exchanged for another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = ordbo("watch", study, "--port", port)
    assert refused.status == 74
    assert refused.err.startswith(f"error: port {port} is taken\n")


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host.invalid"])
def test_a_host_that_is_not_this_machine(ordbo: Call, study: Path, host: str) -> None:
    """It cannot be listened on."""
    refused = ordbo("watch", study, "--host", host, "--port", 0)
    assert refused.status == 2
    assert host in refused.err
