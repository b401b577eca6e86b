"""Replace a file of a study at every step of one command; print what was lost, as JSON.

Used as ``python -m tests.faults.replaced COMMAND FILES FOLDER [EVERY]``: each case, or one of every so many. The
other program takes no lock: it reads, writes a copy and renames it over the file as ``sed -i`` does, or writes the file
anew in its place, or deletes it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.faults.harness import End, Meanwhile
from tests.faults.kills import COMMANDS, Scene, load_everything

TABLES = ("drag.csv", "drag.comparisons.csv")
OTHERS = ("drag.state.json", "drag.state.json.bak", "drag.state.json.lock", "drag.csv.journal")


def renamed_over(path: Path, content: bytes) -> None:
    """Replace a file by another one in a single step."""
    copy = path.with_name("sedXqZ1pW")
    copy.write_bytes(content)
    copy.replace(path)


def copied(path: Path, old: bytes) -> None:
    """Read and rename at once."""
    renamed_over(path, path.read_bytes())


def stale(path: Path, old: bytes) -> None:
    """Rename what was read before the command began."""
    renamed_over(path, old)


def edited(path: Path, old: bytes) -> None:
    """Write a line more than was read."""
    renamed_over(path, b"# edited\n" + path.read_bytes())


def sorted_by_value(path: Path, old: bytes) -> None:
    """Sort the rows below the header."""
    header, *rows = path.read_bytes().splitlines()
    renamed_over(path, b"\n".join([header, *sorted(rows), b""]))


def respelt(path: Path, old: bytes) -> None:
    """Save a table with other line ends and more digits."""
    renamed_over(path, path.read_bytes().replace(b"\r", b"").replace(b".5,", b".50,").replace(b"\n", b"\r\n"))


def torn(path: Path, old: bytes) -> None:
    """Rename a copy that holds a part of what has been appended."""
    more = path.read_bytes()[len(old) :]
    renamed_over(path, old + more[: 2 * len(more) // 3])


def rewritten(path: Path, old: bytes) -> None:
    """Write what was read before the command began into the file itself."""
    path.write_bytes(old)


def removed(path: Path, old: bytes) -> None:
    """Delete the file."""
    path.unlink()


Act = Callable[[Path, bytes], None]
ACTS: dict[str, tuple[Act, ...]] = {
    **dict.fromkeys(TABLES, (copied, stale, edited, sorted_by_value, respelt, torn, rewritten, removed)),
    **dict.fromkeys(OTHERS, (copied, stale, rewritten, removed)),
}


def act_on(act: Act, path: Path, old: bytes | None) -> None:
    """Let another program do something to a file, if that is there, and was there before."""
    if path.exists() and (old is not None or act in (copied, removed)):
        act(path, old or b"")


def moments(number: int, act: Act, path: Path, old: bytes | None) -> Iterator[Meanwhile]:
    """Yield every step: before and after each call."""
    for moment in range(1, number + 1):
        for after in (False, True):
            yield Meanwhile(moment, after=after, act=partial(act_on, act, path, old))


def lines(scene: Scene) -> Counter[bytes]:
    """Return the rows of both tables, as they are told apart when a program has spelt them anew."""
    found: Counter[bytes] = Counter()
    for name in TABLES:
        path = scene.folder / name
        text = path.read_bytes() if path.exists() else b""
        found.update(line.replace(b".50,", b".5,") for line in text.splitlines())
    return found


def says(end: End, whole: End) -> bool:
    """Return whether a command acknowledged all that it acknowledges undisturbed."""
    said, words = (end.out + end.err).splitlines(), (whole.out + whole.err).splitlines()
    return end.status == 0 and not Counter(words) - Counter(said)


class Counts(Counter[str]):
    """What was tried and what became of it."""

    def judge(self, scene: Scene, end: End, whole: End, rows: Counter[bytes], where: str) -> None:
        """Look for what a command acknowledged, and go on as its user would."""
        self["files replaced while a row was appended"] += 1
        known = says(end, whole)
        found = lines(scene)
        missing = rows - found if known else Counter[bytes]()
        self["acknowledged results"] += sum(rows.values()) if known else 0
        self["acknowledged results lost"] += sum(missing.values())
        self["results that stand twice"] += sum((found - rows)[row] for row in rows if known)
        told = {json.loads(line)["id"] for line in end.out.splitlines() if known and line.startswith('{"id"')}
        next_ones = [scene.read("check", "drag.yaml")]
        if next_ones[0].status == 0:
            self["acknowledged results lost"] += len(told - scene.ids()) if told else 0
            next_ones.append(scene.call("observe", "drag.yaml", "angle=10.75", "blades=8", "drag=3"))
        blocked = [each.err for each in next_ones if each.status]
        self["studies blocked"] += len(blocked)
        if missing or blocked:
            print(where, end.err, *blocked, scene.csv(), sep="\n", file=sys.stderr)


def main(name: str, files: str, folder: Path, every: int) -> dict[str, int]:
    """Disturb a command at every step in every way; return the counts."""
    load_everything()
    scene = Scene(folder, files)
    scene.build()
    compares = name in ("prefer", "tie", "rank")
    if compares:
        begun = ("rank", "drag.yaml", 3, 1) if name == "rank" else ("prefer", "drag.yaml", 3, "over", 1)
        assert scene.call(*begun).status == 0
        scene.keep()
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    before = lines(scene)
    whole = scene.call(*COMMANDS[name], death=Meanwhile())
    assert whole.status == 0, whole
    rows = lines(scene) - before
    counts = Counts({"acknowledged results lost": 0, "results that stand twice": 0, "studies blocked": 0})
    # Comparisons of points that nobody knows any more are refused, and rightly; a table begun anew is spelt anew.
    spared = compares or scene.state == "foreign"
    cases = [
        (act, target, moment)
        for target, acts in ACTS.items()
        for act in acts
        for moment in moments(len(whole.seen), act, folder / target, old.get(target))
        if not (act is removed and target == "drag.csv" and spared)
    ]
    for act, target, moment in cases[::every]:
        scene.reset()
        end = scene.call(*COMMANDS[name], death=moment)
        counts.judge(scene, end, whole, rows, f"{name} in {files}: {act.__name__} {target} at {moment.moment}")
    return counts


if __name__ == "__main__":
    given = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), given)))
