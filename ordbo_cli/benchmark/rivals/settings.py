"""Methods with changed settings, as they are typed: ``default:beta=1.5,prior.spread=0.5``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ordbo_cli.errors import ProblemError, UsageError
from ordbo_cli.problem.method import BetaSchedule, GapPrior, Method
from ordbo_cli.problem.spelling import meant, nearest

_WORDS: Final[dict[str, bool | None]] = {"none": None, "true": True, "false": False}

T = TypeVar("T", Method, GapPrior, BetaSchedule)


def parse_settings(text: str) -> dict[str, Any]:
    """Return settings by name from ``beta=1.5,prior.spread=0.5``; values are numbers, ``true``, ``none`` or words.

    Raises:
        UsageError: a piece is not ``name=value``, or a name stands twice.
    """
    settings: dict[str, Any] = {}
    for piece in text.split(","):
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not (name and equals and value):
            raise UsageError(f"{piece.strip()!r} is not a setting", "Write it as name=value, such as beta=1.5")
        if name in settings:
            raise UsageError(f"the setting {name!r} stands twice")
        settings[name] = _value(value)
    return settings


def with_settings(method: Method, settings: Mapping[str, Any]) -> Method:
    """Return a method with some settings changed.

    ``prior.NAME`` changes one of its prior, which is made where there is none; ``prior=WORD`` changes its centre.
    ``beta=theory`` stands for the schedule, and ``beta.NAME`` changes one of its settings.

    Raises:
        UsageError: there is no such setting, or it does not take such a value.
    """
    own = {name: value for name, value in settings.items() if not name.startswith(("prior.", "beta."))}
    of_prior, of_beta = _within(settings, "prior."), _within(settings, "beta.")
    if isinstance(own.get("prior"), str):
        of_prior = {"centre": own.pop("prior"), **of_prior}
    if own.get("beta") == "theory":
        own["beta"] = BetaSchedule()
    changed = _replaced(method, own, "")
    if of_prior:
        prior = _replaced(changed.prior or GapPrior(), of_prior, "prior.")
        changed = dataclasses.replace(changed, prior=prior)
    if of_beta:
        if "beta" in own and not isinstance(changed.beta, BetaSchedule):
            raise UsageError(
                "beta is a number, and beta.NAME is of its schedule", "Leave one out, or write beta=theory"
            )
        start = changed.beta if isinstance(changed.beta, BetaSchedule) else BetaSchedule()
        changed = _replaced(changed, {"beta": _replaced(start, of_beta, "beta.")}, "")
    return changed


def _within(settings: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the settings of a part of the method, by their names in it."""
    return {name.removeprefix(prefix): value for name, value in settings.items() if name.startswith(prefix)}


def _replaced(record: T, settings: Mapping[str, Any], prefix: str) -> T:
    hints = {name: hint for name, hint in get_type_hints(type(record)).items() if name != "preset"}
    for name, value in settings.items():
        if name not in hints:
            raise UsageError(f"there is no setting {prefix + name!r}", meant(name, sorted(hints)))
        if not _fits(value, hints[name]):
            near = nearest(str(value), _words_of(hints[name]))
            hint = f"It takes {_spoken(hints[name])}" if near is None else f"Did you mean {near}?"
            raise UsageError(f"{prefix}{name} is {value!r}", hint)
    try:
        return dataclasses.replace(record, **settings)
    except ProblemError as error:
        raise UsageError(error.message, error.hint) from None


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of an annotated type; an int is a float, a bool is neither."""
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, (int, float) if hint is float else hint)


def _words_of(hint: Any) -> tuple[str, ...]:
    """Return the words that an annotated type knows."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(word for each in parts if get_origin(each) is Literal for word in get_args(each))


def _spoken(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_spoken(each) for each in get_args(hint))
    if get_origin(hint) is Literal:
        return ", ".join(get_args(hint))
    words = {bool: "true or false", int: "a whole number", float: "a number", NoneType: "none", BetaSchedule: "theory"}
    return words.get(hint, hint.__name__)
