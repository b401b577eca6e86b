"""Prints how soon results of ``ordbo run`` stand on the page of ``ordbo watch``, and what memory that takes.

Usage: ``PYTHONPATH=. python tests/bench/watch.py [--budget 200] [--workers 8] [--sleep 1]``.

It needs the extras ``ordbo[watch]`` and ``ordbo[test]``, and Debian's Chromium. A result's delay is from the moment at
which the table has its row to the moment at which the page counts it; the table is looked at a hundred times a second.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.bench.figures import table
from tests.watched import Server, resident

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  angle: {min: 0, max: 12}
  reynolds: {min: 1e5, max: 1e7, scale: log}
  blades: {type: int, min: 3, max: 9}
"""
SIMULATOR = """\
import random, sys, time
angle, reynolds, blades = map(float, sys.argv[1:])
time.sleep(SLEEP * random.uniform(0.5, 1.5))
if random.random() < 0.1:
    sys.exit("the mesh broke")
print("drag =", (angle - 4) ** 2 + abs(blades - 5) + (reynolds > 5e5))
"""
COUNT = """
window.counts = [];
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  for (const each of document.querySelectorAll("#summary .facts > div")) {
    if (each.querySelector("dt").textContent !== "Evaluations") continue;
    const count = Number(each.querySelector("dd span").textContent);
    if (!window.counts.length || window.counts.at(-1)[0] !== count) window.counts.push([count, Date.now() / 1000]);
  }
}).observe(document.body, { childList: true, subtree: true }));
"""


class Rows(threading.Thread):
    """Notes when the table got each of its results."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self.path, self.times = path, {0: time.time()}

    def run(self) -> None:
        """Look until the process ends."""
        while True:
            if self.path.exists():
                rows = self.path.read_text(encoding="utf-8").splitlines()[1:]
                done = sum(row.split(",")[-1] != "pending" for row in rows if row.count(",") >= 4)
                self.times.setdefault(done, time.time())
            time.sleep(0.01)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--sleep", type=float, default=1.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        study = Path(name) / "wing.yaml"
        study.write_text(PROBLEM, encoding="utf-8")
        (Path(name) / "simulate.py").write_text(SIMULATOR.replace("SLEEP", str(given.sleep)), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with Server(study) as server:
            tab = browser.new_page()
            faults: list[str] = []
            tab.on("console", lambda message: faults.append(message.text))
            tab.on("pageerror", lambda error: faults.append(str(error)))
            tab.add_init_script(COUNT)
            tab.goto(server.link)
            session = tab.context.new_cdp_session(tab)
            rows = Rows(study.with_suffix(".csv"))
            rows.start()
            command = ["run", study, "--budget", given.budget, "--workers", given.workers, "--keep-going", "--"]
            command += [sys.executable, Path(name) / "simulate.py", "{angle}", "{reynolds}", "{blades}"]
            run = subprocess.Popen([sys.executable, "-m", "ordbo_cli", *map(str, command)], stderr=subprocess.DEVNULL)
            memory = []
            while run.poll() is None:
                tab.wait_for_timeout(5000)
                session.send("HeapProfiler.collectGarbage")
                heap = tab.evaluate("performance.memory.usedJSHeapSize")
                nodes = session.send("Memory.getDOMCounters")["nodes"]
                memory.append((len(rows.times), heap / 1e6, nodes, resident(server.process.pid) / 1e6))
            tab.wait_for_timeout(3000)
            shown = dict(json.loads(tab.evaluate("JSON.stringify(window.counts)")))
        delays = []
        for count, at in sorted(rows.times.items()):
            later = [seen for number, seen in shown.items() if number >= count]
            if count:
                delays.append(min(later, default=float("inf")) - at)
        delays.sort()
        print(f"{given.budget} evaluations, {given.workers} workers; console: {faults or 'nothing'}")
        late = delays[int(0.95 * len(delays))]
        figures = f"{median(delays):.2f} s (median), {late:.2f} s (95 of 100), {delays[-1]:.2f} s (all)"
        print(f"a result is on the page after {figures}")
        head = ("results", "browser's heap, MB", "nodes", "server, MB")
        print(
            table(
                head, [(str(n), f"{a:.1f}", str(b), f"{c:.0f}") for n, a, b, c in memory[:: max(1, len(memory) // 8)]]
            )
        )
        browser.close()


if __name__ == "__main__":
    main()
