"""Kill a command in its append, let another program add a sound row, and go on; print what became of it, as JSON.

Used as ``python -m tests.faults.behind COMMAND FILES FOLDER [EVERY]``: each case, or one of every so many. The row
shares its first bytes with the one that was to be written: none of them, some, or all.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.faults.harness import Call, Death
from tests.faults.kills import COMMANDS, Scene, load_everything

OWN = ("observe", "drag.yaml", "angle=10.75", "blades=8", "drag=3")


def table_of(name: str) -> str:
    """Return the table that a command appends to last."""
    return "drag.comparisons.csv" if name in ("prefer", "tie", "rank") else "drag.csv"


def deaths(seen: tuple[Call, ...], table: str) -> Iterator[tuple[Death, bool]]:
    """Yield every moment while an append is noted, each byte of it among them, and whether the row is in parts then."""
    (written,) = (moment for moment, call in enumerate(seen, 1) if (call.name, call.target) == ("write", table))
    noted = max(k for k in range(written) if seen[k].target == f"{table}.journal" and seen[k].name == "fsync")
    for moment in range(noted + 1, written + 1):
        yield Death(moment, after=moment < written), False
    for cut in range(1, seen[written - 1].size):
        yield Death(written, cut=cut), True
    yield Death(written, after=True), False
    yield Death(written + 1), False


def alike(row: bytes) -> Iterator[bytes]:
    """Yield rows that share their first bytes with one, that one among them."""
    yield row
    for k in range(len(row)):
        if row[k : k + 1].isdigit():
            yield row[:k] + (b"%d" % ((int(row[k : k + 1]) + 4) % 10)) + row[k + 1 :]
            yield row[:k] + (b"%d" % ((int(row[k : k + 1]) + 1) % 10)) + row[k : k + 1] + row[k + 1 :]


def sound_rows(scene: Scene, table: str, row: bytes) -> list[bytes]:
    """Return those of the rows that the study takes while nothing is noted."""
    found = []
    for each in dict.fromkeys(alike(row)):
        scene.reset()
        add(scene, table, each + b"\n")
        if scene.read("check", "drag.yaml").status == 0:
            found.append(each)
    return found


def add(scene: Scene, table: str, text: bytes, *, mend: bool = True) -> None:
    """Append as a script does; a careful one ends the last line first where that has no end."""
    path = scene.folder / table
    begin = b"\n" if mend and not path.read_bytes().endswith((b"\n", b"\r")) else b""
    with path.open("ab") as file:
        file.write(begin + text)


def ends(row: bytes, newline: bytes) -> Iterator[bytes]:
    """Yield a row as programs write it: with a line end of either kind, without, and on a line that they begin."""
    yield row + newline
    yield row + (b"\n" if newline == b"\r\n" else b"\r\n")
    yield row
    yield newline + row + newline


def go_on(scene: Scene, table: str, row: bytes, parts: bool, counts: Counter[str], where: str) -> None:
    """Read and write as the study's user would."""
    steps = [scene.read("check", "drag.yaml"), scene.call(*OWN), scene.read("check", "drag.yaml")]
    blocked = any(step.status for step in steps)
    assert all(step.status in (0, 65) for step in steps), f"{where}: {steps}"
    lines = (scene.folder / table).read_bytes().splitlines()
    if parts:
        counts["rows broken by a kill and refused"] += blocked
        told = blocked or any(f"{table}:" in step.err for step in steps)
        counts["rows of scripts that were misread in silence"] += not told and row not in lines
        return
    counts["kills with a sound row behind"] += 1
    counts["studies blocked"] += blocked
    counts["rows of scripts that were misread in silence"] += row not in lines
    left = (scene.folder / f"{table}.journal").exists()
    counts["notes left for good"] += left
    if blocked or left or row not in lines:
        print(where, *steps, lines, sep="\n", file=sys.stderr)


def main(name: str, files: str, folder: Path, every: int) -> dict[str, int]:
    """Kill the command in every way, with every row behind; return the counts."""
    load_everything()
    scene = Scene(folder, files)
    scene.build()
    table = table_of(name)
    if table != "drag.csv":
        assert scene.call("prefer", "drag.yaml", 3, "over", 1).status == 0
        scene.keep()
    before = (folder / table).read_bytes()
    whole = scene.call(*COMMANDS[name])
    assert whole.status == 0, whole
    more = (folder / table).read_bytes()[len(before) :].lstrip(b"\r\n")
    newline = b"\r\n" if more.endswith(b"\r\n") else b"\n"
    rows = sound_rows(scene, table, more.splitlines()[0])
    counts = Counter({"kills with a sound row behind": 0, "studies blocked": 0})
    cases = [
        (death, parts, row, text)
        for death, parts in deaths(whole.seen, table)
        for row in (rows[:: max(len(rows) // 2, 1)] if parts else rows)
        for text in ends(row, newline)
    ]
    for death, parts, row, text in cases[::every]:
        scene.reset()
        scene.call(*COMMANDS[name], death=death)
        add(scene, table, text, mend=not parts)
        go_on(scene, table, row, parts, counts, f"{name} in {files}: {text!r} behind {death}")
    return counts


if __name__ == "__main__":
    given = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), given)))
