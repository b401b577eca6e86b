"""What keeps ``make quick`` quick, as far as a test can hold it without a clock."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import is_slow

TESTS = Path(__file__).resolve().parents[1]
# Each takes from half a second to seven, in either process of the lane.
HEAVY = re.compile(
    r"^(?:from|import) (?:tensorflow|gpflow|ordbo_cli\.ordinal\.gpflow_engine|distributed|(?:axe_)?playwright)",
    re.MULTILINE,
)


def test_no_module_of_the_quick_lane_imports_what_is_heavy() -> None:
    """TensorFlow, Dask and browsers load inside a slow test, or in a module that is slow as a whole."""
    modules = {path for path in TESTS.rglob("*.py") if not any(map(is_slow, (path, *path.parents)))}
    heavy = {path for path in TESTS.rglob("*.py") if HEAVY.search(path.read_text(encoding="utf-8"))}
    assert TESTS / "unit" / "ordinal" / "test_elbo.py" in heavy
    assert heavy & modules == set()
