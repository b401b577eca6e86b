"""Prints what is left of results that browsers and a shell enter at once by ``ordbo watch --edit``, and under kills.

Usage: ``PYTHONPATH=. python tests/bench/entering.py [--results 300] [--kills 100]``.

It needs the extras ``ordbo[watch]`` and ``ordbo[test]``, and Debian's Chromium. The browsers type a result and press
Enter, the shell calls ``ordbo observe``; then a program sends results while the server is killed again and again, and
sends what was not acknowledged once more.
"""

from __future__ import annotations

import argparse
import http.client
import json
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from ordbo_cli.study.study import Study
from tests.watched import Server

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
method: {initial: 1000}
"""


def new_study(folder: Path, points: int) -> tuple[Study, list[int]]:
    """Return a study in a folder, and the ids of so many points that are out."""
    folder.mkdir()
    (folder / "wing.yaml").write_text(PROBLEM, encoding="utf-8")
    study = Study.open(folder / "wing.yaml")
    return study, [each.id for each in study.ask_batch(points)]


def browse(link: str, token: str, ids: Sequence[int], messages: list[str]) -> None:
    """Enter a result for each id on a page of a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("console", lambda message: messages.append(message.text))
        tab.goto(f"{link}/study/wing/bench/#token={token}")
        for id in ids:
            tab.locator(f"#point-{id} [data-result]").fill(str(id))
            tab.locator(f"#point-{id} [data-result]").press("Enter")
            expect(tab.locator("#done")).to_contain_text(f"recorded {id}: ", timeout=120_000)
        browser.close()


def observe(study: Study, ids: Sequence[int]) -> None:
    """Enter a result for each id in a shell."""
    for id in ids:
        words = ["observe", str(study.problem_path), "--quiet", "--id", str(id), f"drag={id}"]
        subprocess.run([sys.executable, "-m", "ordbo_cli", *words], check=True)


def told(study: Study, ids: Sequence[int]) -> str:
    """Return how many of the results are there once, more than once and not at all."""
    rows = Counter(
        row.id for row in study.read().table.rows if row.status == "ok" and str(row.objective) == str(row.id)
    )
    once = sum(rows[id] == 1 for id in ids)
    more = sum(rows[id] > 1 for id in ids)
    return f"of {len(ids)} results {once} are recorded once, {more} more than once, {len(ids) - once - more} are lost"


def together(folder: Path, results: int) -> None:
    """Enter results by two browsers and a shell at once, and print what is there."""
    study, ids = new_study(folder, results)
    messages: list[str] = []
    with Server(study.problem_path, "--edit") as server:
        work = [
            threading.Thread(target=browse, args=(server.address, server.token, ids[k::3], messages)) for k in range(2)
        ]
        work.append(threading.Thread(target=observe, args=(study, ids[2::3])))
        start = time.monotonic()
        for each in work:
            each.start()
        for each in work:
            each.join()
        print(f"two browsers and a shell, {time.monotonic() - start:.0f} s: {told(study, ids)}; console: {messages}")


def killed(folder: Path, kills: int) -> None:
    """Enter results while the server is killed, and print what is there."""
    study, ids = new_study(folder, 3 * kills)
    ended, again = threading.Event(), 0
    with Server(study.problem_path, "--edit") as server:

        def enter() -> None:
            nonlocal again
            for id in ids:
                what = json.dumps({"key": secrets.token_hex(16), "do": "tell", "id": id, "results": {"drag": str(id)}})
                while not _sent(server, what):
                    again += 1
                    time.sleep(0.02)
            ended.set()

        entering = threading.Thread(target=enter)
        entering.start()
        done = 0
        while done < kills and not ended.is_set():
            time.sleep(secrets.randbelow(150) / 1000)
            server.end(signal.SIGKILL)
            server.start()
            done += 1
        entering.join()
    print(f"{done} kills, {again} requests that came again: {told(study, ids)}")


def _sent(server: Server, what: str) -> bool:
    """Return whether a request was answered."""
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request("POST", "/study/wing/bench/do", what, headers)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=300)
    parser.add_argument("--kills", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if given.results:
            together(Path(name) / "together", given.results)
        if given.kills:
            killed(Path(name) / "killed", given.kills)


if __name__ == "__main__":
    main()
