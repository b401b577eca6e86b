"""The state: derived, replaceable, strict JSON. Losing it loses the warm start and the diagnostics, no result."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

import ordbo_cli
from ordbo_cli.errors import DataError, FileError, MissingFileError
from ordbo_cli.problem import Fixed, Number, Parameter, Problem
from ordbo_cli.study.atomic import Replacement, backup_path
from ordbo_cli.study.paths import read_bytes
from ordbo_cli.study.problem_file import ProblemFile
from ordbo_cli.study.putting import put
from ordbo_cli.study.table import LARGEST_ID
from ordbo_cli.study.text import shown_path

FORMAT: Final = 1
MOST_STEPS: Final = 10_000  # whose diagnostics are kept, the newest: a state of 10 MB, which takes a second
_HEAD: Final = 1000  # bytes, in which the counts stand
_COUNT: Final = re.compile(r'^ "(step|next_id)": ([0-9]{1,15}),$', re.MULTILINE)


@dataclass(frozen=True)
class Pending:
    """A suggestion without a result, as the state keeps it.

    Args:
        id: its number.
        parameters: all parameters by name.
        time: when it was made, ISO 8601 in UTC.
        rows: rows of evaluations that the CSV had then; only later ones can answer it without its id.
    """

    id: int
    parameters: Mapping[str, Number | str]
    time: str
    rows: int


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
        lost: suggestions that only a state knew that became unreadable.
    """

    settings: str
    seed: int
    step: int = 0
    next_id: int = 1
    pending: tuple[Pending, ...] = ()
    fit: dict[str, Any] | None = None
    diagnostics: tuple[dict[str, Any], ...] = ()
    lost: int = 0


class Loaded(NamedTuple):
    """A state as it was found.

    Args:
        state: to go on from.
        warnings: what people should know about it.
        whole: whether the file itself was readable; an unreadable one is set aside when the next is written.
    """

    state: State
    warnings: tuple[str, ...] = ()
    whole: bool = True


class _Unreadable(Exception):
    """A state file that is cut, or holds something else."""


def problem_digest(file: ProblemFile) -> str:
    """Return the digest of names, types, levels and objective: what makes a state belong to a problem."""
    problem = file.problem
    content: list[Any] = [sorted([name, file.types[name]] for name in problem.names), problem.objective, problem.goal]
    # What the places inside mean; problems without any keep the digest that they had before there were levels.
    meanings = {p.name: [p.levels, list(map(dataclasses.astuple, p.when))] for p in problem.free if p.levels or p.when}
    return _digest(content + ([meanings, problem.grades] if meanings or problem.grades else []))


def settings_digest(problem: Problem) -> str:
    """Return the digest of bounds, settings and seed: what makes a fit belong to a problem."""
    parameters = [[type(p).__name__, _without_unit(p)] for p in problem.parameters]
    # The engine computes the same model, so a fit outlives a change of it.
    method = {**dataclasses.asdict(problem.method), "engine": None}
    limits = [[limit.name, *map(_normal, (limit.min, limit.max))] for limit in problem.outcomes]
    content = [parameters, method, problem.failed, problem.noise, problem.seed]
    return _digest(content + ([limits] if limits else []))


def _normal(end: Decimal | None) -> str | None:
    """Return a limit in one spelling for all that are equal."""
    return None if end is None else str(Decimal(0) if end == 0 else end.normalize())


def _without_unit(parameter: Parameter | Fixed) -> dict[str, Any]:
    """Return all of a parameter that a fit depends on; what came later than the digest counts where it is used."""
    entries = dataclasses.asdict(parameter).items()
    return {
        key: value
        for key, value in entries
        if key not in ("unit", "order") and (value or key not in ("levels", "when"))
    }


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def load_state(file: ProblemFile) -> Loaded:
    """Read the state, its backup where it is unreadable, or begin a new one.

    Raises:
        DataError: the state is of a newer format or of another problem.
        FileError: the system refused to read it.
    """
    fresh = State(settings_digest(file.problem), file.problem.seed)
    try:
        return _current(_read(file.state, file), fresh)
    except MissingFileError:
        return Loaded(fresh)
    except _Unreadable as error:
        fault = f"{shown_path(file.state)}: the state is unreadable ({error})"
    try:
        older = _read(backup_path(file.state), file)
    except (MissingFileError, FileError, DataError, _Unreadable):
        rebuilt = _past(fresh, *_counts(file), least=0)
        return Loaded(rebuilt, (f"{fault}; it is rebuilt from the evaluations",), whole=False)
    # Also where its counts are lost, it may have handed out one suggestion that its backup does not know.
    loaded = _current(_past(older, *_counts(file), least=1), fresh)
    return Loaded(loaded.state, (f"{fault}; the copy before it is used", *loaded.warnings), whole=False)


def _past(state: State, step: int, next_id: int, *, least: int) -> State:
    """Return a state that goes on behind a lost one, whose suggestions since nobody knows.

    Args:
        state: what is known.
        step, next_id: counts of the lost one, 0 where they are lost, too.
        least: suggestions that it may have handed out at least.
    """
    lost = max(least, step - state.step)
    number = max(state.next_id + (least if next_id else lost), next_id)
    return dataclasses.replace(state, step=state.step + lost, next_id=number, lost=state.lost + lost)


def _counts(file: ProblemFile) -> tuple[int, int]:
    """Return step and next id of an unreadable state of this problem, 0 where they cannot be read any more.

    They stand at its head, where a file that was cut still has them.
    """
    head = read_bytes(file.state, "state", at_most=_HEAD).decode("utf-8", "replace")
    if f'\n "problem": "{problem_digest(file)}",\n' not in head:
        return 0, 0
    found = {match[1]: int(match[2]) for match in _COUNT.finditer(head)}
    return found.get("step", 0), found.get("next_id", 0)


def _current(state: State, fresh: State) -> Loaded:
    """Return a state for the problem as it is now: a fit under other bounds or settings is dropped."""
    if state.settings == fresh.settings:
        return Loaded(state)
    state = dataclasses.replace(state, settings=fresh.settings, seed=fresh.seed, fit=None)
    return Loaded(state, ("the problem's bounds or settings have changed: the model is rebuilt from the evaluations",))


def save_state(file: ProblemFile, loaded: Loaded, state: State) -> list[str]:
    """Write a state; return warnings. The caller holds the lock.

    Raises:
        FileError: the system refused; the old state is untouched.
        ValueError: a number in ``fit`` or ``diagnostics`` is not finite.
    """
    content = {
        "format": FORMAT,
        "ordbo": getattr(ordbo_cli, "__version__", "unknown"),
        "problem": problem_digest(file),
        **vars(state),
        "pending": [dataclasses.asdict(each) for each in state.pending],
    }
    encoded = json.dumps(content, allow_nan=False, indent=1).encode() + b"\n"
    if loaded.whole:
        put(Replacement(file.state, encoded, backup_path(file.state)))
        return []
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = file.state.with_name(f"{file.state.name}.unreadable-{stamp}")
    put(Replacement(file.state, encoded, aside))
    return [f"the unreadable state was set aside as {shown_path(aside)}"]


def _read(path: Path, file: ProblemFile) -> State:
    try:
        content = json.loads(read_bytes(path, "state").decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _Unreadable(str(error) or type(error).__name__) from None
    if not isinstance(content, dict) or not _count(content.get("format"), 1):
        raise _Unreadable("it is no state of ordbo")
    if content["format"] > FORMAT:
        made = f"format {content['format']}, this version writes {FORMAT}"
        raise DataError(f"{shown_path(path)}: the state is of a newer ordbo ({made})", "Update ordbo")
    try:
        state = _decoded(content)
    except (KeyError, TypeError, AttributeError) as error:
        raise _Unreadable(f"{type(error).__name__}: {error}") from None
    if content.get("problem") != problem_digest(file):
        hint = "Names, types, values or the objective were changed: name another file with state:, or delete this one"
        raise DataError(f"{shown_path(path)}: the state belongs to another problem", hint)
    if state.next_id > LARGEST_ID + 1 or not all(_fits(pending, file.problem) for pending in state.pending):
        raise _Unreadable("a pending suggestion, or the next id, cannot be")
    return state


def _fits(pending: Pending, problem: Problem) -> bool:
    """Return whether a suggestion has a value of its type for each parameter that counts, and for no other."""
    ranked = {problem.free[k].name for k in problem.ranked}  # whose words the evaluations explain, not the problem
    unread = {name: 0.5 if name in ranked and isinstance(x, str) else x for name, x in pending.parameters.items()}
    try:
        counting = set(problem.mapping(problem.values(unread)))
    except (KeyError, ValueError, TypeError):
        return False
    levels = {each.name for each in problem.free if each.levels}  # which are known ones by now
    if set(pending.parameters) != counting or pending.id > LARGEST_ID:
        return False
    plain = [(unread[each.name], each.type) for each in problem.free if each.name in counting - levels]
    return all(isinstance(value, int if kind == "int" else (int, float)) for value, kind in plain)


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _decoded(content: dict[str, Any]) -> State:
    fit, diagnostics = content["fit"], content["diagnostics"]
    _demand(isinstance(content["settings"], str), "settings")
    _demand(fit is None or isinstance(fit, dict), "fit")
    _demand(isinstance(diagnostics, list) and all(isinstance(entry, dict) for entry in diagnostics), "diagnostics")
    lost = content.get("lost", 0)  # which states of the first weeks do not have
    _demand(_count(content["step"], 0) and _count(content["next_id"], 1) and _count(content["seed"], 0), "counts")
    _demand(_count(lost, 0), "lost")
    return State(
        content["settings"], content["seed"], content["step"], content["next_id"],
        tuple(_pending(entry) for entry in content["pending"]), fit, tuple(diagnostics), lost,
    )  # fmt: skip


def _pending(entry: dict[str, Any]) -> Pending:
    parameters = entry["parameters"]
    _demand(_count(entry["id"], 1) and _count(entry["rows"], 0) and isinstance(entry["time"], str), "pending")
    for value in parameters.values():
        sound = isinstance(value, str | int | float) and not isinstance(value, bool)
        _demand(sound and (isinstance(value, str) or abs(value) <= sys.float_info.max), "pending")
    return Pending(entry["id"], dict(parameters), entry["time"], entry["rows"])


def _count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value


def _demand(sound: bool, what: str) -> None:
    if not sound:
        raise TypeError(f"{what} is not what it should be")
