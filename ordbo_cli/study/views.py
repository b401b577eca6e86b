"""What a study answers: frozen values for people and programs to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ordbo_cli.problem import Number

Parameters = Mapping[str, Number | str]


@dataclass(frozen=True)
class Told:
    """An answer that was taken.

    Args:
        id: of the suggestion that it answers, if any.
        status: ok, failed, abandoned, expired or retry.
        parameters: all parameters by name.
        objective: the objective as it was written, or None.
        new: whether a row was added; the evaluations may have said the same already.
    """

    id: int | None
    status: str
    parameters: Parameters
    objective: str | None
    new: bool = True


@dataclass(frozen=True, slots=True)
class Best:
    """The best evaluation so far.

    Args:
        id: of its suggestion, if any.
        parameters: all parameters by name.
        objective: the exact value.
        line: its line in the evaluations.
    """

    id: int | None
    parameters: Parameters
    objective: Decimal
    line: int


@dataclass(frozen=True)
class PendingPoint:
    """A suggestion without a result.

    Args:
        id: its number; None where only a row of the CSV knows it.
        parameters: all parameters by name.
        age: seconds since it was made, if the state knows.
        line: of its row in the evaluations, if it has one.
        again: whether it waits to be evaluated again: the next suggestion hands it out.
    """

    id: int | None
    parameters: Parameters
    age: float | None
    line: int | None = None
    again: bool = False


@dataclass(frozen=True)
class Status:
    """Where a study stands.

    Args:
        ok, failed, abandoned, expired: evaluations by what became of them.
        pending: open suggestions.
        retry: points to evaluate again that nobody has been given since.
        outside: evaluations outside the current bounds, kept for their order.
        aside: evaluations with another value of a fixed parameter, kept out of the model.
        best: the best evaluation, if any succeeded.
        ranking: the successes inside the bounds, the best first; of equal ones the earlier first.
        history: the best objective after each ok or failed evaluation, None before the first success.
        waiting: the open suggestions.
        again: the points to evaluate again, the next one first.
        warnings: what people should know.
        step: suggestions so far.
        diagnostics: the search's words on the last step, if the state has any.
        steps: its words on all steps that the state has.
    """

    ok: int
    failed: int
    abandoned: int
    expired: int
    pending: int
    retry: int
    outside: int
    aside: int
    best: Best | None
    ranking: tuple[Best, ...]
    history: tuple[Decimal | None, ...]
    waiting: tuple[PendingPoint, ...]
    again: tuple[PendingPoint, ...]
    warnings: tuple[str, ...]
    step: int
    diagnostics: Mapping[str, Any] | None
    steps: tuple[Mapping[str, Any], ...] = ()
