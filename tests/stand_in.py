"""What tests of files put in the place of the search: no numpy is loaded for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from ordbo_cli.search.step_record import StepRecord

CHOSEN: Final = StepRecord("acquire")


@dataclass(frozen=True)
class StepInput:
    """What a step follows from, as the search has it, without what the model makes of it."""

    problem: Any
    evaluations: Sequence[Any] = ()
    pending: Sequence[Any] = ()
    step: int = 0
    fit: Any = None
    avoid: Sequence[Any] = ()
    comparisons: Sequence[Any] = ()
    orders: Any = None
    campaigns: Sequence[Any] = ()
    spent: float = 0.0


@dataclass(frozen=True)
class Proposed:
    """A point as the search proposes it."""

    values: tuple[Any, ...]
    fit: dict[str, Any] | None
    record: StepRecord = CHOSEN
    level: int | None = None

    def is_taken_by(self, point: Sequence[Any]) -> bool:
        """Return whether a point is this one: it has no cell."""
        return tuple(point) == self.values


def step_module(propose: Callable[..., Any]) -> ModuleType:
    """Return a module that proposes, for ``ordbo_cli.search.step``."""
    module = ModuleType("ordbo_cli.search.step")
    module.propose = propose  # type: ignore[attr-defined]  # a module made of one function
    return module


def search_modules(propose: Callable[..., Any]) -> dict[str, ModuleType]:
    """Return the modules by name that stand in for the search: nothing of the model is loaded."""
    step_input = ModuleType("ordbo_cli.search.step_input")
    step_input.StepInput = StepInput  # type: ignore[attr-defined]  # a module made of one class
    return {"ordbo_cli.search.step": step_module(propose), "ordbo_cli.search.step_input": step_input}
