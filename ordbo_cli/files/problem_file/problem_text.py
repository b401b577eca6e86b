"""A problem as the text of a problem file: settings alone, no comment and no unit, and the same problem when read."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import OrdboError, ProblemError
from ordbo_cli.files.problem_file.problem_file import read_problem
from ordbo_cli.files.values.remark import SECONDS
from ordbo_cli.problem import Fidelity, Fixed, Parameter, Problem
from ordbo_cli.problem.limit import Limit
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_TEXT: Final = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}  # to one YAML reader or another
_DEFAULTS: Final[dict[str, Any]] = {"trade": "front", "failed": "worst", "noise": False, "seed": 0}


def problem_text(problem: Problem, path: Path) -> str:
    """Return the text of a problem file.

    Args:
        problem: without units.
        path: that the file will have; its evaluations and its state will be those beside it.

    Raises:
        ProblemError: the text would be another problem when it is read: this knows not all of its settings.
    """
    lines = ["version: 1", _objectives(problem)]
    lines.append("parameters:")
    lines += [f"  {flow(each.name)}: {flow(_parameter(problem, each))}" for each in problem.parameters]
    if problem.fidelity is not None:
        lines.append(f"fidelity: {flow(fidelity_settings(problem.fidelity))}")
    if problem.constraints:
        lines.append(f"constraints: {flow([constraint.text for constraint in problem.constraints])}")
    if limited := [limit for limit in problem.outcomes if limit.is_limited]:
        lines += ["outcomes:", *(f"  {flow(limit.name)}: {flow(limits_of(limit))}" for limit in limited)]
    lines += [f"{key}: {flow(getattr(problem, key))}" for key in _DEFAULTS if getattr(problem, key) != _DEFAULTS[key]]
    if problem.method != PRESETS["default"]:
        lines.append(f"method: {flow(method_settings(problem.method))}")
    text = "".join(f"{line}\n" for line in lines)
    try:
        again = read_problem(text.encode(), path).problem
    except OrdboError as error:
        raise ProblemError(f"the problem cannot be written: {error.message}", error.hint) from None
    if again != problem:
        raise ProblemError("the problem has settings that cannot be written yet", "Copy the problem file by hand")
    return text


def _objectives(problem: Problem) -> str:
    aims: list[dict[str, Any]] = []
    for (name, goal), enough in zip(problem.goals, problem.enoughs, strict=True):
        aims.append({"name": name, "goal": goal, **({} if enough is None else {"enough": enough})})
    is_one = len(aims) == 1 and problem.enough is None
    return f"objective: {flow(aims[0])}" if is_one else f"objectives: {flow(aims)}"


def _parameter(problem: Problem, parameter: Parameter | Fixed) -> dict[str, Any]:
    parents = {each.name: each for each in problem.free}
    said = parameter.settings() if isinstance(parameter, Fixed) else parameter.settings(parents)
    return {key: value for key, value in said.items() if key not in ("unit", "was", "past")}


def fidelity_settings(fidelity: Fidelity) -> dict[str, Any]:
    """Return levels of fidelity as a problem file has them."""
    given = fidelity.costs if fidelity.costs and not fidelity.is_timed else SECONDS
    return {"name": fidelity.name, "levels": fidelity.levels, "cost": given}


def limits_of(limit: Limit) -> dict[str, Decimal]:
    """Return the limits of an outcome as a problem file has them."""
    return {key: end for key, end in (("min", limit.min), ("max", limit.max)) if end is not None}


def method_settings(method: Method) -> str | dict[str, Any]:
    """Return the settings of the method as a problem file has them: a preset, or what differs from one."""
    preset = PRESETS[method.preset]
    changed = {
        each.name: _setting(getattr(method, each.name))
        for each in dataclasses.fields(method)
        if getattr(method, each.name) != getattr(preset, each.name)
    }
    return {"preset": method.preset, **changed} if changed else method.preset


def _setting(value: Any) -> Any:
    """Return a setting of the method as a problem file has it."""
    if isinstance(value, BetaSchedule | GapPrior):
        return {key: each for key, each in dataclasses.asdict(value).items() if each is not None}
    return "none" if value is None else value


def flow(value: object) -> str:
    """Return a value in YAML's flow style; texts that a reader could take for anything else as JSON strings."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Decimal):
        return str(value)
    plain = isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT
    return str(value) if plain else json.dumps(value, ensure_ascii=False)
