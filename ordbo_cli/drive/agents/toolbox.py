"""What the tools of agents do: arguments in, the answers of a study out, in the words that all its JSON has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import quote, unquote

from ordbo_cli.drive.agents.agent_folder import AgentFolder
from ordbo_cli.drive.agents.tool_table import tool_of
from ordbo_cli.drive.protocol import best_of, recorded, refusal, status_of
from ordbo_cli.drive.request import Compare, Rank, Tell, decoded, request_of
from ordbo_cli.drive.simulation.folders import RunFolders
from ordbo_cli.errors import DataError, ExhaustedError, MissingFileError, OrdboError, UsageError
from ordbo_cli.files.durable.paths import read_bytes
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import listed, shown, some
from ordbo_cli.room import shortage
from ordbo_cli.study.reporting.entries import (
    Entries,
    compared_entries,
    prediction_entries,
    ranking_entries,
    suggestion_entries,
)

if TYPE_CHECKING:
    from ordbo_cli.problem import Suggestion
    from ordbo_cli.study.reporting.views import PendingPoint
    from ordbo_cli.study.returned import Answers
    from ordbo_cli.study.study import Study

Answer = tuple[Entries, Sequence[str]]
"""What a tool answers, and warnings of the study."""

SCHEMA_URI: Final = "ordbo://schema"
FILE_URIS: Final = {
    "ordbo://problem/": ("text/yaml", "the problem file"),
    "ordbo://table/": ("text/csv", "all evaluations"),
    "ordbo://comparisons/": ("text/csv", "all comparisons"),
}
LARGEST_TEXT: Final = 1 << 24  # bytes of a file that is handed over


class Drawing(Protocol):
    """Draws a picture of a study: returns its bytes and what it shows in words."""

    def __call__(self, study: Study, kind: str, form: str, **options: Any) -> tuple[bytes, str]:
        """Draw it; the options are those of :func:`ordbo_cli.plot`."""
        ...


@dataclass(frozen=True)
class ToolAnswer:
    """What comes of a call.

    Args:
        line: of JSON.
        refused: whether it is an error.
        image: bytes of a picture, and of which kind they are.
        fault: an internal error, for whoever wants to see its traceback.
    """

    line: str
    refused: bool = False
    image: tuple[bytes, str] | None = None
    fault: Exception | None = None


class Toolbox:
    """Carries out calls on the studies of a folder, one at a time.

    Args:
        folder: that one.
        render: from an answer to its line of JSON.
        draw: draws pictures.
        append: whether points that are handed out are appended to the evaluations as pending rows, too.
        engine: the implementation of the model, in place of the problem's.
    """

    def __init__(
        self,
        folder: AgentFolder,
        render: Callable[[Entries], str],
        draw: Drawing,
        *,
        append: bool = False,
        engine: EngineKind | None = None,
    ) -> None:
        self._folder = folder
        self._render = render
        self._draw = draw
        self._append = append
        self._engine = engine

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Return what comes of a call; nothing but an interrupt is raised."""
        try:
            spec = tool_of(name)
            given = spec.checked(arguments)
            problem = given.pop("problem", None)
            if name == "status" and problem is None and len(names := self._folder.problems()) != 1:
                return ToolAnswer(self._line(_names(names), ()))
            study = self._folder.study(problem, None if name == "observe" else given.pop("objective", None))
            if name == "plot":
                return self._plot(study, **given)
            entries, warnings = getattr(self, f"_{name}")(study, **given)
            return ToolAnswer(self._line({"problem": str(study.problem_path), **entries}, warnings))
        except Exception as caught:
            error = shortage(caught) or caught
            fault = None if isinstance(error, OrdboError | OSError) else error
            said = {name: _for_agents(text) for name, text in refusal(error).items()}
            return ToolAnswer(self._line({"error": said}, ()), refused=True, fault=fault)

    def resources(self) -> list[tuple[str, str, str]]:
        """Return what can be read: address, name and kind of each."""
        files = [
            (f"{start}{quote(name)}", f"{name}: {what}", kind)
            for name in self._folder.problems()
            for start, (kind, what) in FILE_URIS.items()
        ]
        return [(SCHEMA_URI, "JSON Schema of problem files", "application/schema+json"), *files]

    def read(self, uri: str) -> tuple[str, str]:
        """Return the text behind an address, and of which kind it is.

        Raises:
            OrdboError: there is no such address, or the file cannot be read.
        """
        if uri == SCHEMA_URI:
            from ordbo_cli.files.problem_file.schema import json_schema

            return json.dumps(json_schema(), indent=2, ensure_ascii=False), "application/schema+json"
        start = next((each for each in FILE_URIS if uri.startswith(each)), None)
        if start is None:
            raise UsageError(f"there is nothing at {shown(uri)}", f"There are {listed([SCHEMA_URI, *FILE_URIS])}NAME")
        study = self._folder.study(unquote(uri[len(start) :]))
        paths = dict(zip(FILE_URIS, (study.problem_path, study.evaluations_path, study.file.comparisons), strict=True))
        kind, what = FILE_URIS[start]
        if start != "ordbo://problem/" and not paths[start].exists():
            raise MissingFileError(f"{shown(str(paths[start]))}: there are none yet", "observe makes the first")
        content = read_bytes(paths[start], what, at_most=LARGEST_TEXT + 1)
        if len(content) > LARGEST_TEXT:
            raise DataError(f"{what} have more than {LARGEST_TEXT} bytes", "status and best tell what matters")
        return content.decode("utf-8-sig", "replace"), kind

    def _line(self, entries: Entries, warnings: Sequence[str]) -> str:
        more: Entries = {"warnings": list(warnings)} if warnings else {}
        return self._render({**entries, **more}).encode("utf-8", "backslashreplace").decode("utf-8").rstrip("\n")

    def _suggest(self, study: Study, number: int = 1, *, more: bool = False, duel: bool = False) -> Answer:
        out = _out(study)
        if duel:
            return self._duel(study, [] if more else out)
        handed = [] if more else out[:number]
        points: list[Entries] = [
            {"id": each.id, "parameters": in_words(each.parameters), "new": False, "age_seconds": each.age}
            for each in handed
        ]
        warnings: Sequence[str] = ()
        made: Sequence[Suggestion] = ()
        try:
            if len(handed) < number:
                asked = study.ask_batch(number - len(handed), append=self._append, engine=self._engine, explain=True)
                made, warnings = asked, asked.warnings
        except ExhaustedError as error:
            if not handed:
                raise
            warnings = [f"no new point: {error}"]
        points += [{**suggestion_entries(each), "new": True} for each in made]
        left = len(out) - len(handed)
        return {"points": points, "also_out": left, "did": _handed_out(handed, made, left)}, warnings

    def _duel(self, study: Study, out: Sequence[PendingPoint]) -> Answer:
        """Return two points to compare: a pair that nobody has compared yet, or a new one."""
        known: Entries | None = None
        if out and study.status().comparisons + study.status().ok:
            best = study.best("mean")
            known = {"id": best.id, "parameters": in_words(best.parameters)}
        waiting: list[Entries] = [{"id": each.id, "parameters": in_words(each.parameters)} for each in out]
        pair = ([known, *waiting] if known else waiting)[:2]
        if len(pair) == 2:
            did = "handed out again two points that nobody has compared yet: answer with prefer, or ask with more=true"
            return {"points": pair, "did": did}, ()
        asked: Answers[Suggestion] = study.ask_duel(engine=self._engine)
        ids = listed([str(each.id) for each in asked])
        did = f"handed out {ids} to be compared: answer with prefer"
        return {"points": [suggestion_entries(each) for each in asked], "did": did}, asked.warnings

    def _observe(self, study: Study, *, again: bool = False, **told: Any) -> Answer:
        if again and told.get("id") is not None:
            raise UsageError("again beside an id", "Give parameters in its place, or amend=true to replace its answer")
        request = request_of(decoded(json.dumps({"tell": told}).encode()))
        assert isinstance(request, Tell)
        entries, warnings = recorded(study, request, once=not again)
        said = entries["told"]
        assert isinstance(said, dict)
        if not said["new"]:
            return {**entries, "did": f"nothing: {said['id']} has this answer already"}, warnings
        if said["id"] is None:  # its row has none, but it is called by one from now on
            known = [each.id for each in study.points() if in_words(each.parameters) == said["parameters"]]
            said["id"] = known[-1] if known else None
        how = "replaced the answer of" if request.amend else "recorded"
        return {**entries, "did": f"{how} {said['id'] or 'the point'}: {said['status']}"}, warnings

    def _prefer(
        self,
        study: Study,
        better: int | None = None,
        worse: int | None = None,
        ranking: Sequence[Any] | None = None,
        judge: str | None = None,
        *,
        tie: bool = False,
    ) -> Answer:
        if (ranking is None) == (better is None and worse is None) or (ranking is not None and tie):
            raise UsageError("what is compared is not said, or said twice", "Give better and worse, or ranking")
        if ranking is None and (better is None or worse is None):
            raise UsageError(f"{'better' if better is None else 'worse'} is not said", "Give the ids of two points")
        said = {"rank": ranking} if ranking is not None else {"tie" if tie else "prefer": [better, worse]}
        request = request_of(decoded(json.dumps({**said, "judge": judge}).encode()))
        if isinstance(request, Rank):
            taken = study.rank(request.ranking, judge=request.judge)
            return {"ranked": ranking_entries(taken), "did": _took("the ranking", taken.new)}, taken.warnings
        assert isinstance(request, Compare)
        answer = study.tie if request.tie else study.prefer
        compared = answer(request.better, request.worse, judge=request.judge)
        which = f"{request.better} {'as good as' if tie else 'over'} {request.worse}"
        return {"compared": compared_entries(compared), "did": _took(which, compared.new)}, compared.warnings

    @staticmethod
    def _status(study: Study, rows: int = 5) -> Answer:
        return status_of(study, rows)

    @staticmethod
    def _best(study: Study, by: Any = None) -> Answer:
        return best_of(study, by)

    @staticmethod
    def _explain(study: Study, id: int | None = None) -> Answer:
        found = study.explain(id)
        return {"points": [{"id": each.id, "why": list(each.lines)} for each in found]}, found.warnings

    def _predict(self, study: Study, points: Sequence[Mapping[str, Any]] = (), ids: Sequence[int] = ()) -> Answer:
        if not points and not ids:
            raise UsageError("which points is not said", "Give points, or ids of suggestions or rows")
        given = [
            {name: str(x).lower() if isinstance(x, bool) else x for name, x in each.items() if x is not None}
            for each in points
        ]
        found = study.predict(given, ids=ids, engine=self._engine)
        names = [Entries() for _ in given] + [Entries(id=id) for id in ids]
        rows = [
            {**name, "parameters": in_words(each.parameters or {}), **prediction_entries(each)}
            for name, each in zip(names, found, strict=True)
        ]
        return {"predictions": rows}, found.warnings

    def _diagnose(self, study: Study, *, theory: bool = False) -> Answer:
        from ordbo_cli.study.reporting.diagnosis.diagnosis_words import entries

        found = study.diagnose(theory=theory, engine=self._engine)
        return {"diagnosis": entries(found, study.problem)}, found.warnings

    @staticmethod
    def _check(study: Study, *, invariance: bool = False) -> Answer:
        found = study.check()
        entries: Entries = {"lines": list(found)}
        if invariance:
            shown_invariance = study.invariance()
            entries["invariance"] = {"holds": shown_invariance.holds, "lines": list(shown_invariance.lines)}
        return entries, found.warnings

    def _plot(self, study: Study, kind: str, format: str = "png", **options: Any) -> ToolAnswer:
        content, alt = self._draw(study, kind, format, **options)
        entries: Entries = {"problem": str(study.problem_path), "kind": kind, "shows": alt}
        mime = "image/svg+xml" if format == "svg" else "image/png"
        return ToolAnswer(self._line(entries, ()), image=(content, mime))


def _names(names: Sequence[str]) -> Entries:
    """Return which problems there are, where none is named and there is not one alone.

    Raises:
        MissingFileError: there is none.
    """
    if not names:
        raise MissingFileError("there is no problem file in the folder", "'ordbo init' writes one to start from")
    return {"problems": list(names)}


def _out(study: Study) -> list[PendingPoint]:
    """Return the points that are out, oldest first, without those that an ``ordbo run`` evaluates."""
    found = [each for each in study.pending() if not each.again]
    claimed = RunFolders(study.file.runs).claimed() if found else set()
    return [each for each in found if each.id not in claimed]


def _handed_out(handed: Sequence[PendingPoint], made: Sequence[Suggestion], left: int) -> str:
    """Return in words what a suggestion did."""
    words = []
    if handed:
        ids = some(["a point without an id" if each.id is None else str(each.id) for each in handed])
        words.append(f"handed out {ids} again: no result {'of it' if len(handed) == 1 else 'of theirs'} is recorded")
    if made:
        words.append(f"handed out {some([str(each.id) for each in made])}, new: recorded as out")
    if left and handed:
        words.append(f"{left} more {'is' if left == 1 else 'are'} out; more=true makes a new point")
    elif handed and not made:
        words.append("no new point was made; more=true makes one")
    return "; ".join(words)


def _for_agents(text: object) -> object:
    """Return words of a refusal, in which options of commands are the arguments that agents have."""
    return text.replace("'observe --amend'", "amend=true") if isinstance(text, str) else text


def _took(what: str, new: bool) -> str:
    return f"recorded {what}" if new else f"nothing: {what} is recorded already"
