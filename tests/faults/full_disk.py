"""Run one command on disks that are full at every size of its files; print how many there were, as JSON.

Used as ``python -m tests.faults.full_disk COMMAND FILES FOLDER``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.faults.harness import limit_files
from tests.faults.kills import COMMANDS, REPEATABLE, Scene, load_everything, lost


def sizes(scene: Scene, before: int) -> list[int]:
    """Return the sizes at which the disk is full: at every byte of a row of the CSV, else now and then."""
    biggest = max(path.stat().st_size for path in scene.folder.iterdir())
    return sorted({*range(before, min(before + 60, len(scene.csv()))), *range(0, biggest, 97)})


def main(name: str, files: str, folder: Path) -> dict[str, int]:
    """Fill the disk at every size; return the counts."""
    load_everything()
    scene = Scene(folder, files)
    scene.build()
    before, csv = scene.results(), scene.csv()
    sound = scene.call(*COMMANDS[name])
    assert sound.status == 0, sound
    after = scene.results()
    counts = {"full disks": 0, "results lost by a full disk": 0}
    for size in sizes(scene, len(csv)):
        scene.reset()
        end = scene.call(*COMMANDS[name], prepare=limit_files(size))
        where = f"{name} in {files} at {size}: {end}"
        results = scene.results()
        assert scene.csv().startswith(csv), where
        assert end.status in (0, 74), where
        assert end.err.count("\n") <= 2 or end.status == 0, where
        counts["full disks"] += end.status == 74
        counts["results lost by a full disk"] += lost(after if end.status == 0 else before, results)
        if end.status == 74 and name != "append":  # an appended suggestion may stand without its state
            assert results == before, where
        again = scene.call(*COMMANDS[name])
        assert again.status == 0, f"{where}, then {again}"
        if name in REPEATABLE:
            assert scene.results() == after, where
        left = [path.name for path in scene.folder.iterdir() if path.suffix in (".tmp", ".journal")]
        assert not left, f"{where}: left for good: {left}"
    return counts


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
