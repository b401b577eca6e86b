"""The state: derived, replaceable, strict JSON. Losing it loses the warm start and the diagnostics, nothing else."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import ordbo_cli
from ordbo_cli.errors import DataError, FileError, MissingFileError, OrdboError
from ordbo_cli.files.durable.atomic import Replacement, backup_path, put
from ordbo_cli.files.durable.paths import read_bytes
from ordbo_cli.files.handed import Pending, handed_out, is_count, newest_ids
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.seen import Mark, marks_from, marks_text
from ordbo_cli.files.tables.table import LARGEST_ID
from ordbo_cli.problem import Fixed, Parameter, Problem
from ordbo_cli.problem.spelling import quoted, shown_path

FORMAT: Final = 2
_BEGINNING: Final = b'{\n "format": '
_ASIDE: Final = "unreadable-"
_STAMP: Final = r"[0-9]{8}T[0-9]{6}\.[0-9]{6}Z"
MOST_STEPS: Final = 10_000  # whose diagnostics are kept, the newest: a state of 10 MB, which takes a second


@dataclass(frozen=True)
class State:
    """What the last step left.

    Args:
        settings: digest of everything that the fit depends on beside the data.
        seed: of the problem.
        step: suggestions so far.
        next_id: the next suggestion's number.
        pending: suggestions without a result, oldest first.
        fit: the search's own warm start, or None.
        diagnostics: the search's own words on each step, on the last ``MOST_STEPS`` of them.
        seen: the marks of the evaluations' rows, in the order in which they came.
        gone: ids of suggestions that had an answer of which the evaluations hold nothing any more.
    """

    settings: str
    seed: int
    step: int = 0
    next_id: int = 1
    pending: tuple[Pending, ...] = ()
    fit: dict[str, Any] | None = None
    diagnostics: tuple[dict[str, Any], ...] = ()
    seen: tuple[Mark, ...] = ()
    gone: tuple[int, ...] = ()


class Loaded(NamedTuple):
    """A state as it was found.

    Args:
        state: to go on from.
        warnings: what people should know about it.
        whole: whether the file itself was readable; an unreadable one is set aside when the next is written.
        rebuilt: whether nothing of it was, and it knows only what was handed out.
        first: the lowest id of which it knows nothing, 0 where that is ``state.next_id``.
        unsaved: those above that were handed out by a call that was stopped before it wrote the state.
        former: free parameters that it knows and the problem does not, quoted.
        objectives: names of those that it knows, where the problem has others; empty where they are the same.
    """

    state: State
    warnings: tuple[str, ...] = ()
    whole: bool = True
    rebuilt: bool = False
    first: int = 0
    unsaved: frozenset[int] = frozenset()
    former: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()


class _Unreadable(Exception):
    """A state file that is cut, or holds something else."""


def _identity(problem: Problem) -> dict[str, Any]:
    """Return what makes a state belong to a problem: whatever else changes, its points are still points of it."""
    free = [parameter.name for parameter in problem.free]
    several = {"objectives": [name for name, _ in problem.goals]} if problem.several else {}
    return {
        "objective": problem.objective,
        **several,
        "free": free,
        "fixed": [n for n in problem.names if n not in free],
    }


class _Unlike(NamedTuple):
    """What a state's problem and the problem of now do not share, and nothing explains: names, quoted.

    Args:
        objective: that of the state, if it is another.
        former: parameters that the state alone knows.
        new: parameters that the problem of now alone knows.
    """

    objective: str = ""
    former: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @classmethod
    def of(cls, identity: Any, problem: Problem) -> _Unlike:
        """Compare a state's identity with a problem, whose parameters may have been renamed, added, freed or fixed.

        Raises:
            KeyError, TypeError: this is no identity.
        """
        free, fixed = set(identity["free"]), set(identity["fixed"])
        names = {name for parameter in problem.parameters for name in (parameter.name, parameter.was)}
        new = [each for each in problem.free if each.past is None and not {each.name, each.was} & (free | fixed)]
        known = {identity["objective"], *identity.get("objectives", ())} & {name for name, _ in problem.goals}
        objective = "" if known else quoted(str(identity["objective"]))
        former = tuple(quoted(str(name)) for name in identity["free"] if name not in names)
        return cls(objective, former, tuple(quoted(each.name) for each in new))

    def refusal(self, state: Path, problem: Path) -> DataError:
        """Return the error that tells it, with the ways out."""
        known = [*([f"the objective {self.objective}"] if self.objective else ()), *self.former]
        words = [f"it knows {', '.join(known)}"] if known else []
        words += [f"it does not know {', '.join(self.new)}"] if self.new else []
        hint = (
            "Name other files with evaluations: and state:; or say in the problem file what became of a parameter, with"
            " was: its old name, or past: its value in older rows"
        )
        if self.former and not (self.objective or self.new):
            hint = (
                f"Put it back, as {{value: ...}} if it is constant now, or say which parameter it was with was:. If it"
                f" never was one, 'ordbo clean {shown_path(problem)}' deletes the state; results and suggestions stay"
            )
        return DataError(f"{shown_path(state)}: the state belongs to another problem: {' and '.join(words)}", hint)


def settings_digest(problem: Problem) -> str:
    """Return the digest of bounds, settings and seed: what makes a fit belong to a problem."""
    parameters = [[type(p).__name__, _fitted_settings(p)] for p in problem.parameters]
    # The engine computes the same model, so a fit outlives a change of it.
    method = {**dataclasses.asdict(problem.method), "engine": None}
    limits = [[limit.name, *map(_normal, (limit.min, limit.max))] for limit in problem.outcomes]
    limits += [[aim.name, aim.goal] for _, aim in problem.aims]
    limits += [["enough", *map(_normal, problem.enoughs)]] if any(end is not None for end in problem.enoughs) else []
    limits += [[aim.name, *aim.grades] for _, aim in problem.aims if aim.grades]
    limits += [[problem.trade]] if problem.by_priority else []
    content: list[Any] = [parameters, method, problem.failed, problem.noise, problem.seed, problem.goal]
    columns = [sorted(problem.columns)] if problem.columns else []  # of other columns, rows are others
    return _digest([*content, problem.grades, limits, *columns])


def _normal(end: Decimal | None) -> str | None:
    """Return a limit in one spelling for all that are equal."""
    return None if end is None else str(Decimal(0) if end == 0 else end.normalize())


def _fitted_settings(parameter: Parameter | Fixed) -> dict[str, Any]:
    """Return all of a parameter that a fit depends on."""
    settings = dataclasses.asdict(parameter)
    for condition in settings.get("when", ()):
        del condition["words"]  # they are for people
    return {key: value for key, value in settings.items() if key not in ("unit", "order", "was", "past")}


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def load_state(file: ProblemFile, *, to_delete: bool = False) -> Loaded:
    """Read the state, its backup where it is unreadable, or begin a new one; all that is out is known all the same.

    Args:
        file: the problem file.
        to_delete: whether it may be of a problem with more parameters: it says what would be lost with it.

    Raises:
        DataError: the state is of a newer format or of another problem.
        FileError: the system refused to read it.
    """
    fresh = _fresh(file)
    try:
        state, unlike, objectives = _read_any(file.state, file)
        if unlike != _Unlike(former=unlike.former if to_delete else ()):
            raise unlike.refusal(file.state, file.path)
        loaded = _current(state, fresh)._replace(former=unlike.former, objectives=objectives)
    except MissingFileError:
        return rebuilt_state(file)
    except _Unreadable as error:
        fault = f"{shown_path(file.state)}: the state is unreadable ({error})"
    else:
        state = loaded.state
        first = state.next_id
        unsaved = frozenset(id for id in newest_ids(file.handed) if id >= first)
        state = dataclasses.replace(state, next_id=max([first, *(id + 1 for id in unsaved)]))
        return loaded._replace(state=state, first=first if unsaved else 0, unsaved=unsaved)
    try:
        older = _current(_read(backup_path(file.state), file), fresh)
    except (MissingFileError, FileError, DataError, _Unreadable):
        rebuilt = f"{fault}; it is rebuilt from the evaluations"
        return Loaded(_rebuilt(fresh, file), (rebuilt,), whole=False, rebuilt=True)
    used = f"{fault}; the copy before it is used"
    return Loaded(_rebuilt(older.state, file), (used, *older.warnings), whole=False)


def rebuilt_state(file: ProblemFile) -> Loaded:
    """Return the state as it is where there is none: it knows what was handed out, and no more."""
    return Loaded(_rebuilt(_fresh(file), file), rebuilt=True)


def _fresh(file: ProblemFile) -> State:
    return State(settings_digest(file.problem), file.problem.seed)


def _rebuilt(state: State, file: ProblemFile) -> State:
    """Return a state that knows all that was handed out; what the evaluations answer of that is seen later."""
    points = handed_out(file.handed)
    known = points | {each.id: each for each in state.pending}
    return dataclasses.replace(
        state,
        step=max(state.step, len(points)),
        next_id=max(state.next_id, 1 + max(points, default=0)),
        pending=tuple(known[id] for id in sorted(known)),
    )


def _current(state: State, fresh: State) -> Loaded:
    """Return a state for the problem as it is now: a fit under other bounds or settings is dropped."""
    if state.settings == fresh.settings:
        return Loaded(state)
    state = dataclasses.replace(state, settings=fresh.settings, seed=fresh.seed, fit=None)
    return Loaded(state, ("the problem's bounds or settings have changed: the model is rebuilt from the evaluations",))


def fit_before(file: ProblemFile, state: State, id: int) -> dict[str, Any] | None:
    """Return the fit that a suggestion's step began with, if that was the first one since the copy of the state.

    Args:
        file: the problem file.
        state: of now, whose fit is returned where nothing is known.
        id: of the suggestion.
    """
    try:
        before = _read(backup_path(file.state), file)
    except (OrdboError, _Unreadable):
        return state.fit
    since = min((each for each in handed_out(file.handed) if each >= before.next_id), default=0)
    return before.fit if (since, before.settings) == (id, state.settings) else state.fit


def save_state(file: ProblemFile, loaded: Loaded, state: State, *, back_up: bool = True) -> list[str]:
    """Write a state; return warnings. The caller holds the lock.

    Args:
        file: the problem file.
        loaded: the state as it was found.
        state: to write.
        back_up: whether the one that is there becomes the copy of the last good one; else that stays as it is.

    Raises:
        FileError: the system refused; the old state is untouched.
        ValueError: a number in ``fit`` or ``diagnostics`` is not finite.
    """
    content = {
        "format": FORMAT,
        "ordbo": getattr(ordbo_cli, "__version__", "unknown"),
        "problem": _identity(file.problem),
        **vars(state),
        "pending": [dataclasses.asdict(each) for each in state.pending],
        "seen": marks_text(state.seen),
    }
    encoded = _encoded(content)
    if loaded.whole:
        put(Replacement(file.state, encoded, backup_path(file.state) if back_up else None))
        return []
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = file.state.with_name(f"{file.state.name}.{_ASIDE}{stamp}")
    put(Replacement(file.state, encoded, aside))
    return [f"the unreadable state was set aside as {shown_path(aside)}"]


def set_aside(state: Path) -> list[Path]:
    """Return the unreadable states that were set aside."""
    name = re.compile(re.escape(f"{state.name}.{_ASIDE}") + _STAMP)
    return sorted(path for path in state.parent.iterdir() if name.fullmatch(path.name))


def is_state(path: Path) -> bool:
    """Return whether a file begins as a state that this program writes."""
    try:
        return read_bytes(path, "state", at_most=len(_BEGINNING)) == _BEGINNING
    except OrdboError:
        return False


def _encoded(content: Mapping[str, object]) -> bytes:
    """Return the state as JSON, a line for each of its parts and each entry of a long one.

    ``json.dumps`` with an indent is written in Python, and takes as long as a step after a thousand of them.
    """
    encode = partial(json.dumps, allow_nan=False)

    def part(value: object) -> str:
        if isinstance(value, list | tuple) and value:
            return "[\n  " + ",\n  ".join(map(encode, value)) + "\n ]"
        return encode(value)

    return ("{\n" + ",\n".join(f" {encode(name)}: {part(value)}" for name, value in content.items()) + "\n}\n").encode()


def _read(path: Path, file: ProblemFile) -> State:
    state, unlike, _ = _read_any(path, file)
    if any(unlike):
        raise unlike.refusal(path, file.path)
    return state


def _read_any(path: Path, file: ProblemFile) -> tuple[State, _Unlike, tuple[str, ...]]:
    """Return a state, what sets its problem apart from that of now, and the names of its objectives if they are others.

    Raises:
        _Unreadable: it is none.
        DataError: it is of a newer format.
    """
    try:
        content = json.loads(read_bytes(path, "state").decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _Unreadable(str(error) or type(error).__name__) from None
    if not isinstance(content, dict) or not is_count(content.get("format"), 1):
        raise _Unreadable("it is no state of ordbo")
    if content["format"] > FORMAT:
        made = f"format {content['format']}, this version writes {FORMAT}"
        raise DataError(f"{shown_path(path)}: the state is of a newer ordbo ({made})", "Update ordbo")
    if content["format"] < FORMAT:
        raise _Unreadable(f"it is of format {content['format']}, which no released version has written")
    try:
        state, unlike = _decoded(content), _Unlike.of(content["problem"], file.problem)
        known = tuple(map(str, content["problem"].get("objectives", [content["problem"]["objective"]])))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _Unreadable(f"{type(error).__name__}: {error}") from None
    if state.next_id > LARGEST_ID + 1:
        raise _Unreadable("the next id cannot be")
    same = set(known) == {name for name, _ in file.problem.goals}
    return state, unlike, () if same else known


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _decoded(content: dict[str, Any]) -> State:
    fit, diagnostics, gone = content["fit"], content["diagnostics"], content["gone"]
    _demand(isinstance(content["settings"], str), "settings")
    _demand(fit is None or isinstance(fit, dict), "fit")
    _demand(isinstance(diagnostics, list) and all(isinstance(entry, dict) for entry in diagnostics), "diagnostics")
    _demand(is_count(content["step"], 0) and is_count(content["next_id"], 1) and is_count(content["seed"], 0), "counts")
    _demand(isinstance(gone, list) and all(is_count(id, 1) for id in gone), "gone")
    return State(
        content["settings"], content["seed"], content["step"], content["next_id"],
        tuple(map(Pending.of, content["pending"])), fit, tuple(diagnostics), marks_from(content["seen"]), tuple(gone),
    )  # fmt: skip


def _demand(sound: bool, what: str) -> None:
    if not sound:
        raise TypeError(f"{what} is not what it should be")
