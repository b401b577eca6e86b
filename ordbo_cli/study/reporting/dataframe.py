"""The points of a study as a table of pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.problem import Censored, Fixed, Parameter, Problem
from ordbo_cli.problem.limit import Limit, grades_of
from ordbo_cli.problem.parameter import BOOL
from ordbo_cli.study.reporting.listing import Listed

_WHOLE: Final = "Int64"  # pandas's own, in which a value may be missing


def dataframe(problem: Problem, points: Sequence[Listed]) -> Any:
    """Return a ``pandas.DataFrame`` of points, as ``Study.to_dataframe`` describes it.

    Raises:
        UsageError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        hint = "Install it: pip install pandas; points() returns the same without it"
        raise UsageError("to_dataframe needs pandas, which is not installed", hint) from None
    results = [_result(problem, each) for each in points]
    columns: dict[str, list[Any]] = {
        "id": [each.id for each in points],
        **{name: [each.parameters.get(name) for each in points] for name in problem.names},
        problem.objective: [value for value, _ in results],
        **{limit.name: [_outcome(each, k, limit) for each in points] for k, limit in enumerate(problem.outcomes)},
        "status": [each.status for each in points],
    }
    kinds = {"id": _WHOLE, **{each.name: _kind(each) for each in problem.parameters}}
    # The user's own names come first.
    if "rank" not in columns:
        columns, kinds = {**columns, "rank": [each.rank for each in points]}, {**kinds, "rank": _WHOLE}
    if problem.is_limited:
        columns.setdefault("feasible", [not each.infeasible if each.status == "ok" else None for each in points])
    if any(side for _, side in results):
        columns.setdefault("limit", [side for _, side in results])
    for k, aim in problem.aims:
        if any(each.side(k) for each in points):
            columns.setdefault(f"limit of {aim.name}", [each.side(k) for each in points])
    return pd.DataFrame(columns).astype({name: kind for name, kind in kinds.items() if kind})


def _result(problem: Problem, point: Listed) -> tuple[float | str | None, Censored]:
    """Return a result as pandas has it, and on which side of that it lies where only a limit is known."""
    value, side = point.objective, point.censored
    if point.text:
        value, side = censored_value(problem, point.text)
    if value is None or problem.grades:
        return problem.shown(value) if value is not None else None, side  # type: ignore[return-value]  # a word
    return float(value), side


def _outcome(point: Listed, k: int, limit: Limit) -> float | str | None:
    value, grades = point.outcomes[k] if point.outcomes else None, grades_of(limit)
    return None if value is None else grades[int(value)] if grades else float(value)


def _kind(parameter: Parameter | Fixed) -> str:
    """Return pandas's type for values of which some may be missing, "" for the one that it sees in them."""
    if isinstance(parameter, Fixed):
        return ""
    if parameter.levels:
        return "boolean" if set(parameter.levels) == BOOL.keys() else ""
    return {"int": _WHOLE, "float": "float64"}.get(parameter.type, "")
