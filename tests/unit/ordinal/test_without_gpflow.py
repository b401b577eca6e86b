"""Where the extra is not installed, whoever asks for the gpflow engine is told how to get it."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal import tensorflow_setup
from ordbo_cli.ordinal.engine import make_engine
from ordbo_cli.problem.method import Method
from ordbo_cli.study.asking.suggest import with_engine
from tests.unit.ordinal.cases import make_data, make_model
from tests.unit.search.conftest import unit_problem


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide gpflow."""

    def found(name: str, *more: Any) -> Any:
        return None if name == "gpflow" else importlib.util.find_spec(name, *more)

    monkeypatch.setattr(tensorflow_setup, "find_spec", found)


@pytest.mark.usefixtures("nothing")
def test_the_engine_says_how_to_get_it() -> None:
    """Before anything is imported or computed; the default needs nothing."""
    model = make_model(make_data(3, 1))
    with pytest.raises(UsageError, match=r"engine gpflow is not installed") as error:
        make_engine("gpflow", model)
    assert error.value.hint == "Install it: pip install 'ordbo[gpflow]'"
    make_engine("numpy", model)


@pytest.mark.usefixtures("nothing")
def test_a_call_says_so_at_once() -> None:
    """Also where the next point is one of the initial design, for which nothing is fitted."""
    problem = unit_problem(1, Method())
    with pytest.raises(UsageError, match="not installed"):
        with_engine(problem, "gpflow")
    assert with_engine(problem, None) is problem
