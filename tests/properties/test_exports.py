"""A copy that holds ranks alone is the same study to the search, whatever the table holds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ordbo_cli.exchange.export import export_ranks
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

_PROBLEM = """\
objective: {{name: y, goal: {goal}}}
parameters:
  a: {{min: 0, max: 9}}
  b: {{type: int, min: 0, max: 3}}
  c: {{value: 1}}
noise: {noise}
failed: {failed}
"""

results = st.sampled_from(["1", "1.0", "2", "-3e5", "1e400", "0.1", "0.10000000000000000000001", "nan", "failed"])
statuses = st.sampled_from(["ok", "ok", "ok", "failed", "pending", "abandoned", "expired", "retry"])
rows = st.tuples(
    st.one_of(st.none(), st.integers(1, 6)),
    st.sampled_from([0, 1, 2.5, 9, 11]),
    st.integers(0, 2),
    st.sampled_from(["", "1", "2"]),
    results,
    statuses,
)


def _seen(moment: StepInput) -> Any:
    """Return all that the next point follows from, but for the fit before."""
    failed = [e.objective is None for e in moment.evaluations]
    points, places = [e.values for e in moment.evaluations], ranks(moment.problem, moment.evaluations)
    return points, places, failed, moment.pending, moment.step, moment.avoid


@example(
    table=[(None, 0, 0, c, "1", "ok") for c in ("", "2", "")], goal="minimize", noise=False, failed="worst", names=True
)
@given(
    st.lists(rows, max_size=8),
    st.sampled_from(["minimize", "maximize"]),
    st.booleans(),
    st.sampled_from(["worst", "ignore"]),
    st.booleans(),
)
def test_the_copy_is_the_same_to_the_search(
    table: list[tuple[Any, ...]], goal: str, noise: bool, failed: str, names: bool
) -> None:
    """Evaluations in order of arrival, their ranks, what is out, what is given up, and the step."""
    # Where only some rows have ids, one without that is to be evaluated again is known by its place alone, which the
    # copy, in order of arrival, does not keep.
    assume(all(row[0] is None for row in table) or not any(row[0] is None and row[5] == "retry" for row in table))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.yaml"
        path.write_text(_PROBLEM.format(goal=goal, noise=str(noise).lower(), failed=failed))
        lines = ["id,a,b,c,y,status"]
        for id, a, b, c, y, status in table:
            told = y if status == "ok" else ""
            lines.append(f"{'' if id is None else id},{a},{b},{c},{told},{status}")
        path.with_suffix(".csv").write_text("\n".join([*lines, ""]))
        study = Study.open(path)
        copy = export_ranks(study, Path(folder) / "copy", names=names)
        assert _seen(Study.open(copy.problem).snapshot().given) == _seen(study.snapshot().given)
