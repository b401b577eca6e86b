"""Kill the call that mends what another kill has left, at every moment; print how many there were, as JSON.

Used as ``python -m tests.faults.recovery COMMAND FILES FOLDER``. The first kill cuts an append to the evaluations.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from tests.faults.harness import Call, Death
from tests.faults.kills import COMMANDS, Scene, deaths, load_everything, lost


def torn(seen: tuple[Call, ...]) -> list[Death]:
    """Return the cuts of the append: after its first byte, in the middle, and before its last byte."""
    (moment,) = (moment for moment, call in enumerate(seen, 1) if call.target == "drag.csv" and call.name == "write")
    size = seen[moment - 1].size
    return [Death(moment, cut=cut) for cut in sorted({1, size // 2, size - 1})]


def main(name: str, files: str, folder: Path) -> dict[str, int]:
    """Kill a command in its append, and its repetition at every moment; return the counts."""
    load_everything()
    scene = Scene(folder, files)
    scene.build()
    csv, before = scene.csv(), scene.results()
    whole = scene.call(*COMMANDS[name])
    assert whole.status == 0, whole
    complete, after = scene.csv(), scene.results()
    counts = {"kills of the mending call": 0, "results lost by a kill": 0}
    for first in torn(whole.seen):
        scene.build()
        assert scene.call(*COMMANDS[name], death=first).status == -signal.SIGKILL
        assert scene.csv() not in (csv, complete), "nothing to mend"
        scene.keep()
        repeated = scene.call(*COMMANDS[name])
        assert repeated.status == 0, repeated
        assert (scene.csv(), scene.results()) == (complete, after), f"{first}: not completed"
        for second in deaths(repeated.seen, signal.SIGKILL):
            scene.reset()
            where = f"{name} in {files}, {first}, then {second}"
            assert scene.call(*COMMANDS[name], death=second).status == -signal.SIGKILL, where
            now: dict[str, Any] = scene.results()
            assert now in (before, after), f"{where}: neither old nor new: {now}"
            counts["kills of the mending call"] += 1
            counts["results lost by a kill"] += lost(before, now)
            assert scene.call(*COMMANDS[name]).status == 0, where
            assert (scene.csv(), scene.results()) == (complete, after), f"{where}: not completed"
            assert not list(scene.folder.glob("*.journal")), f"{where}: a note was left"
    return counts


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
