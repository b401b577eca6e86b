"""What is entered at the bench: from a request to the call of the study that the command would make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import quoted
from ordbo_cli.study.study import NotGiven, Study
from ordbo_cli.study.telling.compare import Compared, RankingTaken
from ordbo_cli.study.telling.recording import Told
from ordbo_cli.study.telling.undoing import Undone
from ordbo_cli.watch.watched_files import opened

MOST_POINTS: Final = 50  # of one request
_LONGEST: Final = 200  # characters of a value or a name
_WAIT: Final = 10.0  # seconds for the lock

Answer = dict[str, Any]


class Desk:
    """Takes what is entered for one study; every rule is the study's own.

    Args:
        path: of the problem file.
        root: the folder that its files have to lie in; None for anywhere.
    """

    def __init__(self, path: Path, root: Path | None = None) -> None:
        self._path, self._root = path, root
        self._acts: dict[str, Callable[[Study, Mapping[str, Any]], Answer]] = {
            "suggest": _suggest,
            "tell": _tell,
            "prefer": _compare,
            "tie": _compare,
            "duel": _duel,
            "look": _look,
            "undo": _undo,
        }

    def act(self, request: Mapping[str, Any]) -> Answer:
        """Carry a request out, and return what was done, in words and as the page needs it.

        Raises:
            OrdboError: it is refused, as the command would refuse it.
        """
        act = self._acts.get(str(request.get("do")))
        if act is None:
            raise UsageError("there is no such request")
        return act(opened(self._path, self._root, _WAIT), request)


def _suggest(study: Study, request: Mapping[str, Any]) -> Answer:
    number = _number(request, "number")
    if number > MOST_POINTS:
        raise UsageError(f"{number} points are asked for at once", f"Ask for {MOST_POINTS} at most")
    asked = study.ask_batch(number, append=None)
    said = "; ".join(f"{each.id}: {_point(each.parameters)}" for each in asked)
    return _answer(f"handed out {said}", asked.warnings, ids=[each.id for each in asked])


def _tell(study: Study, request: Mapping[str, Any]) -> Answer:
    results = request.get("results") or NotGiven.NOT_GIVEN
    if isinstance(results, Mapping):
        results = {_text(name): _text(value) for name, value in results.items()}
    elif results is not NotGiven.NOT_GIVEN:
        raise UsageError("results have to stand by their names")
    failed, abandon, amend = (request.get(word) is True for word in ("failed", "abandon", "amend"))
    id, note = _number(request, "id"), _text(request.get("note", ""))
    told = study.tell(results, id=id, note=note, failed=failed, abandon=abandon, amend=amend)
    what = f"{told.id}: {_result(study, told)}"
    return _answer(f"recorded {what}" if told.new else f"{what} is recorded already", told.warnings)


def _compare(study: Study, request: Mapping[str, Any]) -> Answer:
    pair = request.get("pair")
    if not (isinstance(pair, Sequence) and len(pair) == 2 and all(type(each) is int for each in pair)):
        raise UsageError("two points are compared", "Give the ids of both")
    judge = _text(request["judge"]) if request.get("judge") else None
    compare = study.tie if request["do"] == "tie" else study.prefer
    told = compare(pair[0], pair[1], judge=judge)
    return _answer(f"recorded {told.words}" if told.new else f"{told.words} is recorded already", told.warnings)


def _duel(study: Study, request: Mapping[str, Any]) -> Answer:
    points = study.ask_duel()
    said = "; ".join(f"{each.id}: {_point(each.parameters)}" for each in points)
    return _answer(said, points.warnings, ids=[each.id for each in points])


def _look(study: Study, request: Mapping[str, Any]) -> Answer:
    last = study.undo(dry_run=True)
    return _answer(_undone(study, last[0]), last.warnings, line=_mark(last[0]))


def _undo(study: Study, request: Mapping[str, Any]) -> Answer:
    """Take the last thing back, if it is still the one that was looked at."""
    last = study.undo(dry_run=True)[0]
    if request.get("line") != _mark(last):
        raise UsageError("something else was recorded meanwhile", "Look again what was recorded last")
    was = last.was  # named as closely as can be, as others record meanwhile
    undone = study.undo(id=was.id) if isinstance(was, Told) else study.undo(comparisons=True)
    return _answer(f"took back {_undone(study, undone[0])}", undone.warnings)


def _mark(undone: Undone) -> list[Any]:
    """Return what tells something that can be taken back from all else."""
    return [type(undone.was).__name__, undone.line, undone.was.id if isinstance(undone.was, Told) else None]


def _undone(study: Study, undone: Undone) -> str:
    was = undone.was
    if isinstance(was, Compared | RankingTaken):
        return was.words
    if was.status == "pending":
        return f"suggestion {was.id}"
    return f"{_result(study, was)} of {was.id}" if was.id is not None else f"{_result(study, was)} of a point"


def _result(study: Study, told: Told) -> str:
    if told.status != "ok":
        return told.status
    results = {study.problem.objective: told.objective} if told.objective is not None else {}
    infeasible = " (infeasible)" if told.infeasible else ""
    return ", ".join(f"{name} {value}" for name, value in {**results, **told.outcomes}.items()) + infeasible


def _point(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in in_words(parameters).items())


def _answer(words: str, warnings: Sequence[str], **more: Any) -> Answer:
    return {"words": ". ".join((words, *map(str, warnings))), **more}


def _number(request: Mapping[str, Any], name: str) -> int:
    """Return a whole number of a request, at least 1.

    Raises:
        UsageError: it is none.
    """
    value = request.get(name)
    if type(value) is not int or not 1 <= value < 10**15:
        raise UsageError(f"{name} has to be a whole number from 1 on")
    return value


def _text(value: object) -> str:
    """Return a text of a request.

    Raises:
        UsageError: it is none, or too long.
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise UsageError(f"{quoted(str(value)[:_LONGEST])} is no text of at most {_LONGEST} characters")
    return value
