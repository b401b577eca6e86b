"""What is handed to the front of the Python interface in the place of a problem, a file or a study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Optimizer, Parameter, Problem, Study, UsageError, plot

PROBLEM = Problem([Parameter("a", 0, 1)], objective="y")


@pytest.mark.parametrize(
    ("call", "given", "message", "hint"),
    [
        (Optimizer, ("b.yaml",), "Optimizer takes a Problem, not 'b.yaml'", "Optimizer(Study.open('b.yaml').prob"),
        (Optimizer, (Path("b.yaml"),), "Optimizer takes a Problem, not ", "Study.open('b.yaml') is the study of"),
        (Optimizer, ({"a": 1},), "Optimizer takes a Problem, not {'a': 1}", "Make a Problem, or take that of a"),
        (Study.open, (PROBLEM,), "Study.open takes the path of a problem file, not Problem(", "Optimizer(problem)"),
        (Study.open, (None,), "Study.open takes the path of a problem file, not None", "Optimizer(problem)"),
        (Study, ("b.yaml",), "Study takes a file that was read, not 'b.yaml'", "Study.open(path) reads it"),
        (plot, ("b.yaml", "fit"), "plot takes a Study or an Optimizer, not 'b.yaml'", "Study.open(path) is one"),
        (plot, (PROBLEM, "fit"), "plot takes a Study or an Optimizer, not Problem(", "Study.open(path) is one"),
    ],
)
def test_something_else_is_refused_in_words(
    call: Callable[..., Any], given: tuple[Any, ...], message: str, hint: str
) -> None:
    """It says what came and what to write."""
    with pytest.raises(UsageError) as caught:
        call(*given)
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint
