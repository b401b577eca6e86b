"""From the settings of a problem file to its parameters: what is wrong between settings goes to the report."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ordbo_cli.errors import ProblemError
from ordbo_cli.files.problem_file.level_kinds import Stated
from ordbo_cli.files.problem_file.schema_records import Settings
from ordbo_cli.files.problem_file.yaml_tree import ProblemFaults
from ordbo_cli.files.values.levels import checked_value, place_of
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Condition, Fixed, Level, Number, Parameter
from ordbo_cli.problem.parameter import BOOL
from ordbo_cli.problem.spelling import meant, quoted

_WITH_LEVELS: Final = ("ordinal", "categorical", "bool")
_OF_NUMBERS: Final = ("min", "max", "scale", "step", "digits")


class ParameterMaker:
    """Makes the parameters of a file, one after the other.

    Args:
        report: takes the errors.
        names: of all parameters in the file.
    """

    def __init__(self, report: ProblemFaults, names: tuple[str, ...]) -> None:
        self.notes: list[str] = []
        """What people should know although it is no error."""
        self._report = report
        self._names = names
        self._made: dict[str, Parameter | Fixed | None] = {}

    def make(self, name: str, given: Settings) -> Parameter | Fixed | None:
        """Return a parameter; None where an error was reported."""
        made = self._parameter(name, given) if given.sound else None
        made = self._with_past(made, given) if made is not None else None
        self._made[name] = made
        return made

    def _with_past(self, made: Parameter | Fixed, given: Settings) -> Parameter | Fixed | None:
        """Return a parameter with what it was in older rows; None where an error was reported."""
        was = given.get("was", "")
        if was in self._names:
            message = f"{quoted(made.name)} was {quoted(was)}, and there is {quoted(was)} still"
            self._report.add(given.where("was"), message, "Take one of the two out")
            return None
        if "past" not in given or isinstance(made, Fixed):
            return replace(made, was=was) if was else made
        try:
            return replace(made, was=was, past=checked_value(made, given.get("past")))
        except ValueError as error:
            said = f"{quoted(made.name)} was never {quoted(str(given.get('past')))}"
            self._report.add(given.where("past"), said, str(error))
            return None

    def _parameter(self, name: str, given: Settings) -> Parameter | Fixed | None:
        if "value" in given:
            return self._fixed(name, given)
        if given.get("type") == "ranked":
            return self._of_rank(name, given)
        if "values" in given or given.get("type") in _WITH_LEVELS:
            return self._of_levels(name, given)
        if "min" not in given or "max" not in given:
            return None  # reported by the record
        whole = given.get("type") == "int"
        bounds = [self._whole(given, key) if whole else float(given.get(key)) for key in ("min", "max")]
        low, high = bounds
        if low is None or high is None:
            return None
        if low == high:
            return self._only_one(name, low, given, "min and max are equal")
        when = self._when(name, given)
        if when is None:
            return None
        try:
            made = Parameter(
                name, low, high, given.get("type", "float"), given.get("scale", "linear"), given.get("step"),
                given.get("digits"), given.get("unit", ""), when=when,
            )  # fmt: skip
        except ProblemError as error:
            self._misfit(name, given, error)
            return None
        self._note_values(made, given)
        return made

    def _note_values(self, made: Parameter, given: Settings) -> None:
        """Note which bounds are no values, so that nothing is suggested at them."""
        if made.step is not None and made.high != made.max:
            last = printed(made.high)
            steps = f"steps of {printed(made.step)} from {printed(made.min)} end at {last}"
            right = f"write max: {last}, or a step that divides the range"
            self.notes.append(f"{made.name}: {steps}, and max {printed(made.max)} is never suggested; {right}")
        for key in ("min", "max"):
            text, bound = str(given.get(key)), getattr(made, key)
            if isinstance(given.get(key), int) and given.get(key) != bound:
                self.notes.append(f"{made.name}: {key} {text} is read as {bound:.0f}: it has more than 53 bits")

    def _of_levels(self, name: str, given: Settings) -> Parameter | Fixed | None:
        kind, levels = self._kind(name, given), given.get("values", tuple(BOOL))
        if kind is None or ("values" not in given and kind != "bool"):  # the latter is reported by the record
            return None
        if kind == "bool" and "values" in given:
            message = f"{quoted(name)} has a list of values and the type bool"
            self._report.add(given.where("values"), message, "Its values are false and true: take them out")
            return None
        if others := [key for key in given.by_key if key in _OF_NUMBERS]:
            message = f"{quoted(name)} has a list of values and {' and '.join(others)}"
            self._report.add(given.where(others[0]), message, "Keep one of the two: a list, or bounds")
            return None
        if len(levels) == 1:
            return self._only_one(name, levels[0], given, "there is one value")
        when = self._when(name, given)
        if when is None:
            return None
        ordered = "ordinal" if kind == "ordinal" else "categorical"
        return Parameter.of_levels(name, levels, ordered, given.get("unit", ""), when)  # type: ignore[arg-type]

    def _of_rank(self, name: str, given: Settings) -> Parameter | None:
        if others := [key for key in given.by_key if key not in ("type", "unit", "was")]:
            message = f"{quoted(name)} has the type ranked and {' and '.join(others)}"
            hint = "Its settings have nothing but an order: take the rest out, or choose type: float or ordinal"
            if others == ["when"]:
                message, hint = f"when: on the type ranked ({quoted(name)}) is not supported", "Take when: out"
            self._report.add(given.where(others[0]), message, hint)
            return None
        return Parameter.of_rank(name, given.get("unit", ""))

    def _kind(self, name: str, given: Settings) -> str | None:
        """Return the type of a parameter with levels, which numbers in order need not state."""
        kind: str | None = given.get("type")
        if kind in _WITH_LEVELS:
            return kind
        if kind is not None:
            message = f"{quoted(name)} has a list of values and the type {kind}"
            hint = "Write type: ordinal where they are in order, type: categorical where they have none"
            self._report.add(given.where("type"), message, hint)
            return None
        levels: tuple[Level, ...] = given.get("values")
        if len(levels) == 1 or _in_order(levels):
            return "ordinal"
        message = f"{quoted(name)} does not say whether its values have an order"
        hint = "Write type: ordinal if they stand in their order, type: categorical if they have none"
        self._report.add(given.where("values"), message, hint)
        return None

    def _only_one(self, name: str, value: Level, given: Settings, why: str) -> Fixed | None:
        if "when" in given:
            self._report.add(given.where("when"), f"{quoted(name)} is fixed, as {why}, and has when", _ALWAYS)
            return None
        self.notes.append(f"{name}: {why}, taken as fixed")
        return Fixed(name, value, given.get("unit", ""))

    def _fixed(self, name: str, given: Settings) -> Fixed | None:
        others = [key for key in given.by_key if key not in ("value", "type", "unit", "was")]
        if others:
            message = f"{quoted(name)} has a value and {' and '.join(others)}"
            hint = _ALWAYS if others == ["when"] else "A fixed parameter has value: alone, and perhaps a unit"
            self._report.add(given.where(others[0]), message, hint)
            return None
        value, kind = given.get("value"), given.get("type")
        if kind == "bool" and value not in BOOL:
            self._report.add(given.where("value"), f"{quoted(str(value))} stands where true or false is expected")
            return None
        if kind in ("float", "int") and isinstance(value, str):
            self._report.add(given.where("value"), f"{quoted(value)} stands where a number is expected")
            return None
        fixed = self._whole(given, "value") or 0 if kind == "int" else value
        return Fixed(name, fixed, given.get("unit", ""))

    def _whole(self, given: Settings, key: str) -> int | None:
        value: Number = given.get(key)
        if value == int(value):
            return int(value)
        self._report.add(given.where(key), f"{key} is {value} but the type is int", "Write a whole number")
        return None

    def _misfit(self, name: str, given: Settings, error: ProblemError) -> None:
        """Report what the parameter's own checks found, at the setting that the message speaks of first."""
        said = error.message.removeprefix(f"parameter {name!r}: ")
        keys = [key for key in re.findall(r"[a-z]+", said) if key in given]
        self._report.add(given.where(keys[0]) if keys else given.node, f"{quoted(name)}: {said}", error.hint)

    def _when(self, name: str, given: Settings) -> tuple[Condition, ...] | None:
        """Return the conditions of a parameter, without those that always hold; None after an error."""
        found: list[Condition] = []
        errors = len(self._report.errors)
        for stated in given.get("when", ()):
            parent = self._parent(name, stated)
            if isinstance(parent, Parameter):
                found += self._condition(parent, stated)
            elif parent is not None:
                self._check_fixed_parent(name, parent, stated)
        return tuple(found) if len(self._report.errors) == errors else None

    def _parent(self, name: str, stated: Stated) -> Parameter | Fixed | None:
        """Return the parameter that a condition is on; None where it cannot be one, or has an error of its own."""
        parent, who = self._made.get(stated.parent), quoted(stated.parent)
        if stated.parent in self._made:
            if isinstance(parent, Parameter) and parent.type != "categorical":
                hint = "A condition is on the values of a categorical parameter, or a bool"
                self._report.add(stated.key, f"when: {who} is {_A[parent.type]} parameter", hint)
                return None
            return parent
        if stated.parent == name:
            self._report.add(stated.key, f"when: {who} is the parameter itself", "Name another one, above it")
        elif stated.parent in self._names:
            self._report.add(stated.key, f"when: {who} stands below {quoted(name)}", "Move it above")
        else:
            hint = meant(stated.parent, self._made) if self._made else "There is none above this one"
            self._report.add(stated.key, f"when: there is no parameter {who}", hint)
        return None

    def _condition(self, parent: Parameter, stated: Stated) -> list[Condition]:
        places = set()
        for level, node in stated.levels:
            try:
                place = place_of(parent.levels, level)
            except ValueError as error:
                message = f"when: {quoted(str(level))} is no value of {quoted(parent.name)}"
                self._report.add(node, message, str(error))
                continue
            if place in places:
                self._report.add(node, f"when: {quoted(str(level))} stands twice", "Keep it once")
            places.add(place)
        words = tuple(parent.levels[k] for k in sorted(places))
        return [Condition(parent.name, tuple(sorted(places)), words)] if places else []

    def _check_fixed_parent(self, name: str, parent: Fixed, stated: Stated) -> None:
        try:
            place_of([level for level, _ in stated.levels], parent.value)
        except ValueError:
            message = f"{quoted(name)} never counts: {quoted(parent.name)} is fixed at {parent.value}"
            self._report.add(stated.key, message, "Take the parameter out, or its when:")


_ALWAYS: Final = "A fixed parameter always counts: take when: out"
_A: Final = {"float": "a float", "int": "an int", "ordinal": "an ordinal"}


def _in_order(levels: tuple[Level, ...]) -> bool:
    """Return whether levels are numbers that rise or fall."""
    numbers = [level for level in levels if not isinstance(level, str)]
    steps = [float(b) - float(a) for a, b in pairwise(numbers)]
    return len(numbers) == len(levels) and (all(step > 0 for step in steps) or all(step < 0 for step in steps))
