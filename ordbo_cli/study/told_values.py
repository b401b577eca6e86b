"""What a Python program tells a search in memory: results as numbers or text, those of other sources among them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from os import PathLike
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.answers import apart, evaluation_of, outcome_of
from ordbo_cli.problem import Evaluation, Level, Number, Parameter, Problem
from ordbo_cli.problem.setting_order import HIGHEST, LOWEST, NoPlace, Placed, SettingOrders
from ordbo_cli.problem.spelling import shown

Told = Number | Decimal | str | None
"""A result as it is told."""
Result = Evaluation | tuple[Sequence[Number] | Mapping[str, Level], Told | Mapping[str, Told]]
"""A result of a campaign: a point with what was observed there."""
NO_PLACES: Final = "Its settings are known by their order among the study's own alone"


def result_elsewhere(problem: Problem, values: tuple[Number, ...], result: Told | Mapping[str, Told]) -> Evaluation:
    """Return a result of a campaign; outcomes with limits that are not there count as kept.

    Args:
        problem: what the study asks.
        values: of the point.
        result: as :meth:`.Optimizer.tell` takes it.

    Raises:
        UsageError: it is none.
    """
    given = result if isinstance(result, Mapping) else {problem.objective: result}
    kept = {limit.name: limit.kept for limit in problem.outcomes if limit.is_limited}
    first, others = apart(problem, all_exact({**kept, **given}), {})
    return evaluation_of(problem, values, outcome_of(problem, first, outcomes=others), None)


def value_inside(parameter: Parameter, given: Any) -> Number:
    """Return a value of a parameter, levels by their places, as it is inside; not of a ranked one.

    Raises:
        UsageError: it is no finite number, no whole one where that is asked for, or no level.
    """
    whole, number = parameter.is_whole, given
    if not isinstance(given, Real) or not math.isfinite(given) or (whole and number != int(number)):
        raise UsageError(f"{parameter.name} is {given!r}", f"It has to be a {'whole' if whole else 'finite'} number")
    if parameter.levels and not 0 <= number < len(parameter.levels):
        raise UsageError(f"{parameter.name} has no level {given!r}", f"It has {len(parameter.levels)}, from 0 on")
    return int(number) if whole else float(number)


def all_exact(given: Mapping[str, Told]) -> dict[str, Number | str | None]:
    """Return results by name as :func:`exact` has them."""
    return {name: exact(value) for name, value in given.items()}


def exact(given: Told) -> Number | str | None:
    """Return a number as text where a double would round it."""
    return str(given) if isinstance(given, Decimal) else given


def searchable(given: object) -> Problem:
    """Return a problem that a search in memory can take.

    Raises:
        UsageError: it is none, with what to write for it; or its levels of fidelity cost the time they take.
    """
    if isinstance(given, Problem):
        if given.fidelity is not None and not given.fidelity.costs:
            message = f"nobody times evaluations here, and the levels of {given.fidelity.name!r} cost what they take"
            raise UsageError(message, "Give costs for all levels")
        return given
    hint = "Make a Problem, or take that of a file: Optimizer(Study.open(path).problem)"
    if isinstance(given, str | PathLike):
        opened = f"Study.open({str(given)!r})"
        hint = f"{opened} is the study of that file, Optimizer({opened}.problem) the search without files"
    raise UsageError(f"Optimizer takes a Problem, not {shown(repr(given))}", hint)


def new_place(problem: Problem, orders: SettingOrders, values: Sequence[Number]) -> tuple[Number, ...]:
    """Return the values of a point of the user's own: words that have placed a setting name no other.

    Raises:
        UsageError: they name no place.
    """
    for k in problem.ranked:
        name, setting = problem.free[k].name, values[k]
        assert isinstance(setting, Placed)  # it was read
        try:
            orders.of(name).label(setting.words)
        except NoPlace as error:
            raise UsageError(f"{name}: {setting.words!r} names no place", str(error)) from None
    return tuple(values)


def setting_of(orders: SettingOrders, name: str, given: Any) -> Placed:
    """Return the setting that words or a label tell.

    Raises:
        UsageError: they name no place, or it is none.
    """
    try:
        setting = orders.of(name).named(given)
    except NoPlace as error:
        raise UsageError(f"{name}: {given!r} names no place", str(error)) from None
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {given!r}", "Tell its place in words, as suggestions have it") from None
    if not LOWEST < setting < HIGHEST:
        raise UsageError(f"{name} is {given!r}", "Tell its place in words; labels lie between 0 and 1")
    return setting
