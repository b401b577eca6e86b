"""Kill one command at every moment in one state of the files; print how many moments there were, as JSON.

Used as ``python -m tests.faults.kills COMMAND FILES FOLDER [SIGNAL]``. FILES that end with ``of-two`` are those of a
problem with two objectives: each lift is spelt as the drag beside it behind a 1, so that a pair that was parted shows.
"""

from __future__ import annotations

import csv
import json
import platform
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ordbo_cli.files.durable import atomic as putting
from tests.faults.harness import PROBLEM, Call, Command, Death, End, Preparation, light_search, read, run, without_flock

MANY = "id,drag\n" + "".join(f"{id},{id}.25\n" for id in range(2, 4)) + "\n"
TRIALS = "number,state,value,params_angle,params_blades\n0,COMPLETE,0.5,7.5,4\n1,FAIL,,8.5,5\n2,COMPLETE,0.25,9.5,6\n"
FOREIGN = "drag;blades;note;angle\n0,5;4;a;1,25\n0,25;5;b;2,5"
ONE, TWO = "objective: {name: drag, goal: minimize}", "objectives: {drag: minimize, lift: maximize}"
LONG = "angle,blades,drag\n" + "".join(f"{k / 40},5,{k}.123456789\n" for k in range(1, 301))

COMMANDS: dict[str, tuple[object, ...]] = {
    "init": ("init", "new.yaml", "--param", "x:0:1"),
    "suggest": ("suggest", "drag.yaml"),
    "append": ("suggest", "drag.yaml", "--append"),
    "batch": ("suggest", "drag.yaml", "-n", "4"),
    "batch-append": ("suggest", "drag.yaml", "-n", "4", "--append"),
    "template": ("suggest", "drag.yaml", "--template", "case.tpl", "-o", "case.in"),
    "id": ("observe", "drag.yaml", "--id", "2", "drag=0.31"),
    "own": ("observe", "drag.yaml", "angle=11.5", "blades=7", "drag=0.31"),
    "amend": ("observe", "drag.yaml", "--id", "1", "drag=0.31", "--amend"),
    "failed": ("observe", "drag.yaml", "--id", "2", "--failed"),
    "retry": ("observe", "drag.yaml", "--id", "2", "--retry"),
    "retry-all": ("pending", "retry", "drag.yaml", "--all"),
    "expire": ("pending", "expire", "drag.yaml", "--all"),
    "prefer": ("prefer", "drag.yaml", "2", "over", "3"),
    "tie": ("tie", "drag.yaml", "2", "3"),
    "rank": ("rank", "drag.yaml", "3", "2=1", "--judge", "anna"),
    "undo": ("undo", "drag.yaml", "--id", "3"),
    "serve": ("serve", "drag.yaml", "--stdio"),
    "table": ("observe", "drag.yaml", "--file", "many.csv"),
    "import": ("import", "drag.yaml", "trials.csv"),
    "long": ("observe", "drag.yaml", "--file", "long.csv"),
}
REPEATABLE = (
    "id",
    "amend",
    "failed",
    "retry",
    "retry-all",
    "expire",
    "prefer",
    "tie",
    "rank",
    "table",
    "import",
    "undo",
    "serve",
)
NEEDS_STATUS = ("append", "batch-append", "amend", "retry", "retry-all", "expire", "prefer", "tie", "rank", "undo")
FILES = ("new", "rows", "foreign", "cut", "lost", "no-flock", "stale-lock")
OF_TWO = "-of-two"
TELL = '{"tell": {"id": 2, "objective": 0.31}}\n'


def possible(name: str, files: str) -> bool:
    """Return whether a command can do anything with such files: a CSV without id and status cannot say everything."""
    if files.endswith(OF_TWO) and name in ("prefer", "tie", "rank"):
        return False  # what these say is read off the model, for which a stand-in is there
    files = files.removesuffix(OF_TWO)
    if name == "init":
        return files == "rows"
    return files != "foreign" or name not in NEEDS_STATUS


def with_lift(text: str, delimiter: str = ",") -> str:
    """Return a table with a column of lifts beside its drags, or beside the values of trials."""
    header, *rows = text.splitlines()
    names = header.split(delimiter)
    place = names.index("drag" if "drag" in names else "value")
    lines = [delimiter.join([*names, "lift"])]
    for row in rows:
        drag = row.split(delimiter)[place] if row else ""
        lines.append(f"{row}{delimiter}{'1' * bool(drag)}{drag}" if row else row)
    lines[0] = lines[0].replace("value", "values_drag").replace("lift", "values_lift") if "value" in names else lines[0]
    return "\n".join([*lines, ""] if text.endswith("\n") else lines)


def are_pairs(found: Iterable[tuple[str, str]]) -> bool:
    """Return whether every drag has its lift beside it, and where there is none there is no other one."""
    return all(lift == (f"1{drag}" if drag else "") for drag, lift in found)


@dataclass
class Scene:
    """A study in a folder.

    Args:
        folder: where it is.
        files: the state of its files, one of :data:`FILES`, with :data:`OF_TWO` behind for two objectives.
    """

    folder: Path
    files: str

    @property
    def state(self) -> str:
        """The state of its files alone."""
        return self.files.removesuffix(OF_TWO)

    @property
    def has_two(self) -> bool:
        """Whether the problem has two objectives."""
        return self.files.endswith(OF_TWO)

    def call(self, *command: object, death: Death | None = None, prepare: Preparation | None = None) -> End:
        """Run a command on this study, on a file system without ``flock`` where the scene says so."""

        def both() -> None:
            if self.state in ("no-flock", "stale-lock"):
                without_flock()
            if prepare is not None:
                prepare()

        tell = TELL.replace('e": 0.31', 'es": {"drag": 0.31, "lift": 10.31}') if self.has_two else TELL
        stdin = tell.encode() if command[0] == "serve" else b""
        return run(self._placed(command), death=death, prepare=both, stdin=stdin)

    def read(self, *command: object) -> End:
        """Run a command that changes nothing on this study."""
        return read(self._placed(command))

    def _placed(self, command: Command) -> list[object]:
        names = ("drag.yaml", "new.yaml", "case.tpl", "case.in", "many.csv", "long.csv", "trials.csv")
        placed: list[object] = []
        for word in command:
            placed.append(self.folder / str(word) if word in names else word)
            if self.has_two and str(word).startswith("drag="):
                placed.append(str(word).replace("drag=", "lift=1"))
        return placed

    def reset(self) -> None:
        """Put the files back to what they were when :meth:`keep` was called."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._model, self.folder)

    @property
    def _model(self) -> Path:
        return self.folder.with_name(self.folder.name + ".model")

    def build(self) -> None:
        """Make the files: suggestions 1 to 3 are out, and 1 has a result where there are rows."""
        self._make()
        self.keep()

    def keep(self) -> None:
        """Let :meth:`reset` come back to the files as they are now."""
        shutil.rmtree(self._model, ignore_errors=True)
        shutil.copytree(self.folder, self._model)

    def _make(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        problem = PROBLEM.replace(ONE, TWO) if self.has_two else PROBLEM
        for name, content in {"drag.yaml": problem, "case.tpl": "{angle} {blades}\n"}.items():
            (self.folder / name).write_text(content)
        for name, content in {"many.csv": MANY, "long.csv": LONG, "trials.csv": TRIALS}.items():
            (self.folder / name).write_text(with_lift(content) if self.has_two else content)
        append = () if self.state in ("new", "foreign") else ("--append",)
        for _ in range(3):
            self._sound(self.call("suggest", "drag.yaml", *append))
        if self.state == "foreign":  # after the suggestions, which have the ids 1 to 3 here as anywhere
            text = with_lift(FOREIGN, ";") if self.has_two else FOREIGN
            (self.folder / "drag.csv").write_bytes(text.replace("\n", "\r\n").encode())
        if append:
            self._sound(self.call("observe", "drag.yaml", "--id", 1, "drag=7"))
        if self.state == "cut":
            (self.folder / "drag.state.json").write_text('{"format": 1, "st')
        if self.state == "lost":
            (self.folder / "drag.state.json").unlink()
            (self.folder / "drag.state.json.bak").unlink()
        if self.state == "stale-lock":
            dead = {"pid": 2**22 - 1, "host": platform.node(), "since": "2026", "token": "0"}
            (self.folder / "drag.state.json.locked").write_text(json.dumps(dead))

    @staticmethod
    def _sound(end: End) -> None:
        assert end.status == 0, end

    def csv(self) -> bytes:
        path = self.folder / "drag.csv"
        return path.read_bytes() if path.exists() else b""

    def status(self) -> dict[str, Any]:
        end = self.read("status", "drag.yaml", "--json", "--rows", 1000, "--no-next")
        assert end.status == 0, end
        found: dict[str, Any] = json.loads(end.out)
        return found

    def results(self) -> dict[str, Any]:
        """Return everything that is recorded, what is out and what is to be repeated, as people see it."""
        found = self.status()
        return {key: found[key] for key in ("counts", "ranking")} | {
            key: [row["id"] for row in found[key]] for key in ("pending", "retry")
        }

    def pairs(self) -> list[tuple[str, str]]:
        """Return drag and lift of every point, as they are exported: two objectives of each result, none of others."""
        end = self.read("export", "drag.yaml", "--format", "csv")
        assert end.status == 0, end
        return [(row["drag"], row["lift"]) for row in csv.DictReader(end.out.splitlines())]

    def ids(self) -> set[int]:
        """Return the ids that are taken."""
        found = self.results()
        return {*found["pending"], *found["retry"], *(row["id"] for row in found["ranking"] if row["id"])}


def deaths(seen: tuple[Call, ...], by: int) -> Iterator[Death]:
    """Yield every moment: before and after each call, and, where nobody can see it coming, within each write."""
    for moment, call in enumerate(seen, 1):
        yield Death(moment, by=by)
        yield Death(moment, after=True, by=by)
        for cut in cuts(call) if by == signal.SIGKILL else []:
            yield Death(moment, cut=cut)


def cuts(call: Call) -> list[int]:
    """Return where a write is cut: at every byte of a row, and around page boundaries of a long write."""
    if call.target.endswith(".csv") and call.size <= 120:
        return list(range(1, call.size))
    pages = {page + more for page in range(0, call.size, 4096) for more in (-1, 0, 1)}
    return sorted(cut for cut in pages | {1, call.size // 2, call.size - 1} if 0 < cut < call.size)


def lost(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Return how many results that were there are there no more, by place in the file."""
    found = {row["id"] or row["line"] for row in after["ranking"]}
    return sum((row["id"] or row["line"]) not in found for row in before["ranking"])


def half_handed_out(results: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether all is old but for some of the new points, which are out for whoever has only the list of them."""
    old, now, new = ({*each["pending"]} for each in (before, results, after))
    counts = {**before["counts"], "pending": len(now)}
    return old <= now <= new and results == {**before, "counts": counts, "pending": results["pending"]}


def examine(scene: Scene, name: str, death: Death, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Raise where a kill has changed or invented anything, then go on as its user would."""
    where = f"{name} in {scene.files}, {death}"
    content = scene.csv()
    assert content.startswith(before["csv"]), f"{where}: a byte has changed"
    results = scene.results()
    sound = results in (before["results"], after["results"])
    if scene.state in ("cut", "lost"):
        sound = sound or half_handed_out(results, before["results"], after["results"])
    assert sound, f"{where}: neither old nor new: {results}"
    assert not scene.has_two or are_pairs(scene.pairs()), f"{where}: one objective without its other: {scene.pairs()}"
    check = scene.read("check", "drag.yaml")
    assert check.status == 0, f"{where}: {check}"
    again = scene.call(*COMMANDS[name])
    if name == "init":
        assert again.status in (0, 74), f"{where}: {again}"
        assert scene.read("check", scene.folder / "new.yaml").status == 0, f"{where}: half a problem file"
    else:
        done = (0, 65) if name == "undo" else (0,)  # of a point that is taken back nothing is left
        assert again.status in done, f"{where}: {again}"
    assert scene.csv().startswith(content), f"{where}: the next call has changed a byte"
    if name in REPEATABLE:
        assert scene.results() == after["results"], f"{where}: repeating it does not lead to the same end"
    queue, known = scene.results()["retry"], scene.ids()
    fresh = scene.call("suggest", "drag.yaml")
    assert fresh.status == 0, f"{where}: {fresh}"
    id = json.loads(fresh.out)["id"]
    assert id == queue[0] if queue else id > max(known | {3}), f"{where}: id {id} was given twice"
    left = [path.name for path in scene.folder.iterdir() if path.suffix in (".tmp", ".journal")]
    assert all(path.startswith((".case.in.", ".new.yaml.")) for path in left), f"{where}: left for good: {left}"


def load_everything() -> None:
    """Load what each process would load, with a stand-in for the search."""
    light_search()
    putting._WATCH = (0.0, 0.0)  # type: ignore[misc]  # nobody works on the files but at the moments that are chosen
    for name in (
        "cli.commands.suggest",
        "cli.commands.pending",
        "cli.commands.observe",
        "cli.commands.import_",
        "cli.commands.init",
        "cli.commands.prefer",
        "cli.commands.tie",
        "cli.commands.rank",
        "cli.commands.undo",
        "cli.commands.check",
        "cli.commands.serve",
        "cli.commands.export",
        "cli.commands.status",
        "study.study",
        "files.values.result_file",
    ):
        import_module(f"ordbo_cli.{name}")


def main(name: str, files: str, folder: Path, by: int) -> dict[str, int]:
    """End the command by a signal at every moment; return the counts."""
    load_everything()
    scene = Scene(folder, files)
    scene.build()
    before: dict[str, Any] = {"csv": scene.csv(), "results": scene.results()}
    whole = scene.call(*COMMANDS[name])
    assert whole.status == 0, whole
    after: dict[str, Any] = {"csv": scene.csv(), "results": scene.results()}
    counts = {"kill points": 0, "torn writes": 0, "results lost by a kill": 0}
    for death in deaths(whole.seen, by):
        scene.reset()
        end = scene.call(*COMMANDS[name], death=death)
        assert end.status == (130 if by == signal.SIGINT else -by), f"{name} in {files} did not die: {death}, {end}"
        counts["kill points" if death.cut is None else "torn writes"] += 1
        counts["results lost by a kill"] += lost(before["results"], scene.results())
        examine(scene, name, death, before, after)
    return counts


if __name__ == "__main__":
    given = int(sys.argv[4]) if len(sys.argv) > 4 else signal.SIGKILL
    print(json.dumps(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), given)))
