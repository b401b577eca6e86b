"""The problem as a Python program says it: with the keys of a problem file, checked by the reader of these files."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any, ClassVar, Literal, TypeAlias

from ordbo_cli.errors import ProblemError
from ordbo_cli.files.problem_file.python_values import PythonFaults
from ordbo_cli.problem import FailurePolicy, Fidelity, Fixed, Goal, Level, Limit, Number, Trade, problem
from ordbo_cli.problem import Parameter as Free
from ordbo_cli.problem.constraints.constraint import Constraint
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.parameter import call_of

Settings: TypeAlias = Mapping[str, Any]
Type: TypeAlias = Literal["float", "int", "ordinal", "categorical", "bool", "ranked"]
Preset: TypeAlias = Literal["default", "metric-free", "paper"]


@dataclass(frozen=True, init=False, repr=False)
class Parameter:
    """What a problem varies: a name, and the settings that it has in a problem file, by the same keys.

    None leaves a setting out. Other spellings that a problem file takes are taken here, too (``bounds=(0, 1)``,
    ``choices=[...]``, ``log=True``).

    Args:
        name: its name, not empty.
        min, max: bounds in the user's units, both included.
        type: ``float`` (the default), ``int``, ``ordinal`` (values in order), ``categorical`` (values without one),
            ``bool``, or ``ranked`` (no values: a setting is known by those it lies between).
        scale: ``linear`` (the default), or ``log`` where ratios matter rather.
        step: distance between values, counted from min.
        digits: significant digits of a float, 1 to 15.
        values: all that an ordinal parameter (in order) or a categorical one can be: words, numbers, bools.
        value: of a fixed parameter, in place of bounds.
        when: where it counts: levels by the names of categorical parameters above it.
        unit: in pictures and reports.
        was: the name that it had before, under which older rows know it.
        past: the value that it had before it was added: that of rows without.
        **more: other spellings.

    Raises:
        ProblemErrors: every setting that is unknown or cannot be, and ones that do not go together. What depends on
            other parameters (``when``) is checked by the :class:`Problem`.

    Examples:
        >>> Parameter("alloy", type="categorical", values=["steel", "brass"])
        Parameter('alloy', type='categorical', values=['steel', 'brass'])
    """

    name: str
    settings: Settings = field(hash=False)

    # As they were before there were keys: each makes the parameter that a problem has.
    of_levels: ClassVar = Free.of_levels
    of_rank: ClassVar = Free.of_rank

    def __init__(
        self,
        name: str,
        min: Number | None = None,
        max: Number | None = None,
        type: Type | None = None,
        scale: Literal["linear", "log"] | None = None,
        step: Number | None = None,
        digits: int | None = None,
        unit: str | None = None,
        *,
        values: Sequence[Level] | None = None,
        value: Level | None = None,
        when: Mapping[str, Level | Sequence[Level]] | None = None,
        was: str | None = None,
        past: Level | None = None,
        **more: Any,
    ) -> None:
        from ordbo_cli.files.problem_file.problem_file import check_parameter

        said: dict[str, Any] = {"type": type, "min": min, "max": max, "scale": scale, "step": step, "digits": digits}
        before = more.pop("settings", {})  # as dataclasses.replace hands them on
        said |= {"values": values, "value": value, "when": when, "unit": unit, "was": was, "past": past, **more}
        settings = {**before, **_given(said)}
        faults = PythonFaults()
        check_parameter(faults.tree({name: settings}), faults)
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "settings", settings)

    def __repr__(self) -> str:
        return call_of(self.name, self.settings)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Problem(problem.Problem):
    """What is optimised: the keys of a problem file by the same names, checked by the same reader.

    Notes that ``ordbo`` prints about a problem file (bounds that are equal fix a parameter) are warnings here.

    Args:
        parameters: in the order in which they are printed: of :class:`Parameter`, mappings with a ``name``, or one
            mapping from names to settings.
        objective: ``{"name": ..., "goal": ..., "unit": ..., "values": [...]}``, or the name alone; then the goal is to
            minimize where ``goal`` says nothing else.
        goal: ``minimize`` or ``maximize``.
        failed: what a failed evaluation means: ``worst`` (the default), ``ignore`` or ``error``.
        noise: whether a point may be suggested again.
        seed: of every random choice, a whole number from 0 on.
        method: a preset (``default``, ``metric-free``, ``paper``), a mapping that changes single settings of one, or a
            :class:`~ordbo_cli.problem.method.Method`.
        unit: the objective's.
        grades: the objective's ``values``: the words that results are, in rising order.
        constraints: what every point has to satisfy: expressions such as ``"x + 2*y <= 25"``.
        objectives: in place of ``objective`` where several are traded off: ``{"drag": {"goal": "minimize"}, ...}``, or
            ``{"drag": "minimize", ...}`` where a goal is all there is to say.
        outcomes: results beside the objective that have to keep within limits: ``{"stress": {"max": 250}}``, or
            :class:`~ordbo_cli.problem.limit.Limit`.
        columns: what tables call the columns of parameters and results where that is not their name, by these names.
        enough: as :func:`dataclasses.replace` hands it on; it is a key of ``objectives``.
        trade: what is sought of several objectives: their ``front`` (the default), or by ``lexicographic`` order.
        fidelity: levels at which a point may be evaluated: ``{"name": "mesh", "levels": ["coarse", "fine"], "cost":
            [1, 20]}``, or a :class:`~ordbo_cli.problem.fidelity.Fidelity`.
        **more: the other keys of a problem file; the names of files mean nothing here.

    Raises:
        ProblemErrors: every mistake, each beginning with the setting that is wrong, such as ``parameters.angle.min``.

    Examples:
        >>> Problem([Parameter("angle", 0, 45)], objective={"name": "drag", "goal": "minimize"})
        Problem(parameters=(Parameter('angle', min=0.0, max=45.0),), objective='drag')
    """

    def __init__(
        self,
        parameters: Mapping[str, Settings] | Iterable[Parameter | Free | Fixed | Settings],
        objective: str | Settings = "objective",
        goal: Goal | None = None,
        failed: FailurePolicy | None = None,
        noise: bool | None = None,
        seed: int | None = None,
        method: Method | Preset | Settings | None = None,
        unit: str = "",
        grades: Sequence[str] = (),
        constraints: str | Sequence[str | Constraint] = (),
        outcomes: Mapping[str, Settings] | Sequence[Limit | Settings] = (),
        columns: Mapping[str, str] | Sequence[tuple[str, str]] = (),
        objectives: Mapping[str, Settings | str] | Sequence[Settings] = (),
        enough: Decimal | None = None,
        trade: Trade | None = None,
        fidelity: Fidelity | Settings | None = None,
        **more: Any,
    ) -> None:
        choices = _given({"goal": goal, "failed": failed, "noise": noise, "seed": seed, "trade": trade, **more})
        parts = _listed(parameters), _listed(constraints), _listed(outcomes)
        as_a_file = more or objectives or isinstance(columns, Mapping) or isinstance(fidelity, Mapping)
        read_before = not as_a_file and _was_read(*parts, method)
        if isinstance(objective, str) and read_before:
            choices |= _given({"method": method, "columns": tuple(columns)})
            names = dict(zip(("parameters", "constraints", "outcomes"), parts, strict=True))
            choices |= {"enough": enough, "fidelity": fidelity}
            super().__init__(objective=objective, unit=unit, grades=tuple(grades), **names, **choices)
            return
        aims: Any = {"name": objective, "goal": "minimize"} if isinstance(objective, str) else objective
        if isinstance(aims, Mapping):
            beside = _given({"goal": choices.pop("goal", None), "unit": unit or None, "values": grades or None})
            if isinstance(objective, Mapping) and (twice := beside.keys() & objective.keys()):
                raise ProblemError(f"{' and '.join(sorted(twice))} stands in objective and beside it", "Keep it once")
            aims = {**aims, **beside}
        choices |= {"columns": dict(columns)} if columns else {}
        choices |= _given({"enough": enough})  # no key there: it is refused
        choices |= _given({"fidelity": _plain_fidelity(fidelity)})
        if objectives:
            if objective != "objective":
                raise ProblemError("objective and objectives stand side by side", "Keep one of them")
            if goal is not None or unit or grades:
                raise ProblemError(
                    "goal, unit and grades are those of one objective", "Give each of objectives its own"
                )
            choices, aims = {**choices, "objectives": objectives}, None
        read, notes = _read(_given({"objective": aims, **_settings(*parts, method), **choices}))
        for each in fields(problem.Problem):
            object.__setattr__(self, each.name, getattr(read, each.name))
        for note in notes:
            warnings.warn(note, stacklevel=2)


def _plain_fidelity(given: Fidelity | Settings | None) -> Settings | None:
    """Return levels of fidelity as a problem file has them."""
    from ordbo_cli.files.problem_file.problem_text import fidelity_settings

    return fidelity_settings(given) if isinstance(given, Fidelity) else given


def _listed(part: Any) -> Any:
    """Return a part as a tuple, but a mapping, a text, and what is no list as it is."""
    return tuple(part) if isinstance(part, Iterable) and not isinstance(part, Mapping | str) else part


def _given(settings: Settings) -> dict[str, Any]:
    """Return the settings that somebody gave."""
    return {key: value for key, value in settings.items() if value is not None}


def _was_read(parameters: Any, constraints: Any, outcomes: Any, method: Any) -> bool:
    """Return whether all parts are what the reader makes: they are not read again."""
    kinds = ((parameters, Free | Fixed), (constraints, Constraint), (outcomes, Limit))
    if not all(isinstance(part, tuple) and all(isinstance(each, kind) for each in part) for part, kind in kinds):
        return False
    return method is None or isinstance(method, Method)


def _settings(parameters: Any, constraints: Any, outcomes: Any, method: Any) -> dict[str, Any]:
    """Return parts as a problem file has them."""
    from ordbo_cli.files.problem_file.problem_text import limits_of, method_settings

    several = parameters if isinstance(parameters, tuple) else ()
    parents = {each.name: each for each in several if isinstance(each, Free)}

    def plain(part: Any) -> Any:
        if isinstance(part, Free):
            return {"name": part.name, **part.settings(parents)}
        if isinstance(part, Fixed):
            return {"name": part.name, **part.settings()}
        if isinstance(part, Parameter):
            return {"name": part.name, **part.settings}
        if isinstance(part, Limit):
            return {"name": part.name, **limits_of(part), **_given({"unit": part.unit or None})}
        return part.text if isinstance(part, Constraint) else part

    parts = {"parameters": parameters, "constraints": constraints, "outcomes": outcomes}
    said = {key: list(map(plain, part)) if isinstance(part, tuple) else part for key, part in parts.items()}
    empty = {"constraints", "outcomes"} - {key for key, part in said.items() if part}
    said["method"] = method_settings(method) if isinstance(method, Method) else method
    return _given({key: part for key, part in said.items() if key not in empty})


def _read(settings: Settings) -> tuple[problem.Problem, tuple[str, ...]]:
    """Return the problem that settings say, and the notes on it."""
    from ordbo_cli.files.problem_file.problem_file import problem_of

    faults = PythonFaults()
    return problem_of(faults.tree(settings), faults)
