"""The line protocol of ``ordbo serve``: a JSON object a line comes in, a JSON object a line goes out, in order.

A request has one of these keys:

=====================================================  =======================================================
request                                                answer
=====================================================  =======================================================
``{"ask": 2}``                                         ``{"points": [{"id": 17, "parameters": {"angle": 3.1}},
                                                       {"id": 18, "parameters": {"angle": 9.4}}]}``
``{"tell": {"id": 17, "objective": 0.31}}``            ``{"told": {"id": 17, "status": "ok", "parameters":
                                                       {"angle": 3.1}, "objective": 0.31, "new": true}}``
``{"duel": true}``                                     ``{"points": [...]}``, two of them to compare
``{"prefer": [12, 17]}``, ``{"tie": [3, 4]}``          ``{"compared": {"better": 12, "worse": 17, "tie": false,
                                                       "new": true}}``
``{"rank": [4, [7, 2], 9]}``                           ``{"ranked": {"ranking": [[4], [7, 2], [9]], "new": true}}``
``{"status": true}``                                   ``{"status": {...}}``, what ``ordbo status --json`` prints
``{"best": true}``                                     ``{"best": {...}}``, what ``ordbo best`` prints; of
                                                      several objectives its ``--knee``, and ``"front": [...]``
=====================================================  =======================================================

What is told is a result (``"objective"``: a number, or one of the objective's words, or a text such as ``"1e400"`` or
``"inf"`` where the client's JSON has no such number; ``null``, ``NaN`` and ``"failed"`` are failures), or one of
``"failed": true``, ``"abandon": true`` and ``"retry": true``. ``"amend": true`` beside one of them replaces an answer
that is there. Results that the problem limits stand in ``"outcomes": {"stress": 240}``, ``null`` where there is none;
a result that is only known by a limit is a text, ``">1e6"``. Several objectives stand in
``"objectives": {"drag": 0.31, "lift": ">2"}`` in place of ``"objective"``. The point is named by its ``"id"``, or by
``"parameters"`` where it was never suggested. Telling the same
again changes nothing, and ``"new"`` is then false. Fields that are ``null`` or ``false`` are as good as left out.
Parameters that do not count at a point (``when:``) are left out of it.

``"judge": "anna"`` beside ``prefer``, ``tie`` and ``rank`` says who judged, and stands in the answer then. A ranking
has the best first, those in a list of their own tied. Where two or more have judged, the answer to ``duel`` has
``"judge"``, too: who should compare these two, by few answers so far and a model that agrees with most of them. Beside
``tell``, or in it, the objective is that judge's score of the point with this id, on a scale of the judge's own.

``"tag"`` beside the request, any JSON value, is handed back in the answer. ``"warnings"`` stands in an answer where the
study has any. Fewer points than were asked for come with a warning when no more are left.

Whatever goes wrong is an answer, too, and the next line is read: ``{"error": {"message": "...", "hint": "...",
"status": 65}}``. The status is the exit status that a command would have had: 1 internal error, 2 the request is wrong,
3 exhausted, 65 bad CSV or state (or an id that is not open, or no best yet), 66 file missing, 74 input/output error,
75 lock time-out, 78 bad problem file. Nothing is recorded then.

An empty line has no answer. Every request reads the study's files anew, the problem file included, so that other
processes may work on the study at the same time. The output is strict JSON: no NaN and no Infinity (an infinite
objective is the text ``"inf"``), and results stand in it digit by digit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ordbo_cli.drive.request import Ask, Compare, Query, Rank, Request, Tell, decoded, request_of, tag_of
from ordbo_cli.errors import FileError, ManyErrors, OrdboError, UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.problem.spelling import meant, quoted
from ordbo_cli.room import shortage
from ordbo_cli.study.reporting.entries import (
    ROWS,
    Entries,
    best_entries,
    compared_entries,
    ranking_entries,
    status_entries,
    suggestion_entries,
    told_entries,
)

if TYPE_CHECKING:
    from ordbo_cli.study.reporting.views import By
    from ordbo_cli.study.study import Study

_INTERNAL = 1


@dataclass(frozen=True)
class Reply:
    """What goes back for one line.

    Args:
        line: the answer, with its line end.
        warnings: of the study; they stand in the line, too.
        fault: an internal error, for whoever wants to see its traceback.
    """

    line: str
    warnings: tuple[str, ...] = ()
    fault: Exception | None = None


class Protocol:
    """Answers requests on one study, one after the other.

    Args:
        open_study: reads the problem file; called for every request.
        render: from an answer to its line of JSON.
        append: whether points that are asked for are appended to the evaluations as pending rows, too.
        engine: the implementation of the model, in place of the problem's.
    """

    def __init__(
        self,
        open_study: Callable[[], Study],
        render: Callable[[Entries], str],
        *,
        append: bool = False,
        engine: EngineKind | None = None,
    ) -> None:
        self._open = open_study
        self._render = render
        self._append = append
        self._engine = engine

    def warm(self) -> None:
        """Import what answers need, so that the first one does not wait for it."""
        import ordbo_cli.search.step

        if (self._engine or self._open().problem.method.engine) == "gpflow" and find_spec("gpflow"):
            import ordbo_cli.ordinal.gpflow_engine  # noqa: F401

    def answer(self, line: bytes) -> Reply:
        """Return the answer to one line; nothing but an interrupt is raised."""
        tag: Entries = {}
        try:
            content = decoded(line)
            tag = tag_of(content)
            entries, warnings = self._carry_out(request_of(content))
            if warnings:
                entries["warnings"] = list(warnings)
            return Reply(self._line({**tag, **entries}), tuple(warnings))
        except Exception as caught:
            error = shortage(caught) or caught
            fault = None if isinstance(error, OrdboError | OSError) else error
            return Reply(self._line({**tag, "error": refusal(error)}), fault=fault)

    def _line(self, entries: Entries) -> str:
        # Half a character, from a tag or a path, has no UTF-8; its backslash escape is what JSON has for it.
        return self._render(entries).encode("utf-8", "backslashreplace").decode("utf-8")

    def _carry_out(self, request: Request) -> tuple[Entries, Sequence[str]]:
        """Return what a request asks for, and the study's warnings."""
        study = self._open()
        if isinstance(request, Ask):
            points = study.ask_batch(request.number, append=self._append, engine=self._engine)
            return {"points": [suggestion_entries(point) for point in points]}, points.warnings
        if isinstance(request, Compare):
            answer = study.tie if request.tie else study.prefer
            compared = answer(request.better, request.worse, judge=request.judge)
            return {"compared": compared_entries(compared)}, compared.warnings
        if isinstance(request, Rank):
            taken = study.rank(request.ranking, judge=request.judge)
            return {"ranked": ranking_entries(taken)}, taken.warnings
        return self._look(study, request) if isinstance(request, Query) else recorded(study, request)

    def _look(self, study: Study, request: Query) -> tuple[Entries, Sequence[str]]:
        if request.at == "duel":
            points = study.ask_duel(engine=self._engine)
            who = study.next_judge()
            judge: Entries = {} if who is None else {"judge": who}
            return {"points": [suggestion_entries(point) for point in points], **judge}, points.warnings
        return best_of(study) if request.at == "best" else status_of(study)


def recorded(study: Study, request: Tell, *, once: bool = False) -> tuple[Entries, Sequence[str]]:
    """Record what became of a point, and return the answer with the study's warnings.

    Args:
        study: whose point it is.
        request: what is told.
        once: whether a point without an id may have one result alone, see :meth:`.Study.tell`.
    """
    words = {field.name: getattr(request, field.name) for field in dataclasses.fields(request)}
    words |= _by_name(study.problem, words.pop("objectives"), request)
    if words["objective"] is None:  # whether that is a failure, the request has said
        del words["objective"]
    told = study.tell(**words, once=once)
    return {"told": told_entries(told, study.problem)}, told.warnings


def status_of(study: Study, rows: int = ROWS) -> tuple[Entries, Sequence[str]]:
    """Return where a study stands, with all that takes about a second, and its warnings.

    Args:
        study: that one.
        rows: how many of the best evaluations.
    """
    status = study.status()
    quick = status.is_quick(study.problem)
    if status.leads_by_mean and quick:
        status = study.status("mean")
    if status.campaigns and quick:
        status = dataclasses.replace(status, campaigns=tuple(study.campaigns()))
    if status.judges and quick:
        status = dataclasses.replace(status, judges=study.judges())
    return {"status": status_entries(study, status, rows)}, status.warnings


def best_of(study: Study, by: By | None = None) -> tuple[Entries, Sequence[str]]:
    """Return the best point, and its warnings; of a front the knee beside the front, by mean from the same models.

    Args:
        study: whose best point it is.
        by: what it is chosen by; None for what the problem says.
    """
    problem = study.problem
    means = problem.has_front and (by == "mean" or (by is None and problem.noise))
    status = study.status("mean") if means else None
    choice: Any = {} if by is None else {"by": by}
    best = study.best(**choice) if status is None or status.best is None else status.best
    front = () if not problem.has_front else study.front(**choice) if status is None else status.front
    warnings = best.warnings if status is None else status.warnings
    return {
        "best": best_entries(best, problem),
        **({"front": [best_entries(each, problem) for each in front]} if front else {}),
    }, warnings


def _by_name(problem: Problem, given: Mapping[str, str | None] | None, request: Tell) -> Entries:
    """Return objectives that are given by name as ``Study.tell`` takes them.

    Raises:
        UsageError: one is unknown, or the first one is not there.
    """
    if given is None:
        return {}
    names = [name for name, _ in problem.goals]
    if unknown := [name for name in given if name not in names]:
        raise UsageError(f"there is no objective {quoted(unknown[0])}", meant(unknown[0], names))
    if problem.objective not in given:
        raise UsageError(f"there is no value of {problem.objective}", "Give it among objectives, or null")
    return {"objective": given, "outcomes": request.outcomes}


def refusal(error: Exception) -> Entries:
    """Return the words for an error, and the exit status that a command would have had."""
    if isinstance(error, ManyErrors) and len(error.errors) == 1:
        error = error.errors[0]
    if isinstance(error, OrdboError):
        return {"message": error.message, "hint": error.hint, "status": error.exit_status}
    if isinstance(error, OSError):
        where = "" if error.filename is None else f"{error.filename}: "
        return {"message": f"{where}{error.strerror or error}", "hint": "", "status": FileError.exit_status}
    message = f"internal error: {type(error).__name__}: {error}"
    return {"message": message, "hint": "please report it with the traceback that --verbose shows", "status": _INTERNAL}
