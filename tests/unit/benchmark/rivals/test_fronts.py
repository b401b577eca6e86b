"""Methods on several objectives: all values reach them, failures as the worst, and order alone counts for ours."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ordbo_cli.benchmark.records import RunRecord
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.registry import GROUPS
from ordbo_cli.benchmark.rivals.searchers import HistoryOfSeveral, Start
from ordbo_cli.benchmark.runs import Run, perform
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS
from ordbo_cli.benchmark.suites.suite import PROBLEMS
from ordbo_cli.errors import UsageError


def run_of(method: str, problem: str, iterations: int = 4) -> Run:
    one = contestant(method)
    if one.missing:
        pytest.skip(f"needs {', '.join(one.missing)}")
    return Run(FRONTS[problem], one, 3, 5, iterations)


@pytest.mark.parametrize("problem", ["cliff_3d", "crash_5d_3o"])
@pytest.mark.parametrize("method", GROUPS["fronts"])
def test_runs_of_several_objectives_repeat(method: str, problem: str) -> None:
    """Points are inside, records hold what was told, and a second run is the same."""
    run = run_of(method, problem)
    records = perform(run).records
    for record in records:
        assert all(low <= x <= high for x, (low, high) in zip(record.x, FRONTS[problem].bounds, strict=True))
        told = FRONTS[problem].function(record.x)
        assert (told or (None,)) == (record.y, *record.others)
    assert [RunRecord.read(record.line()) for record in records] == list(records)
    assert perform(run).records == records


@pytest.mark.parametrize("copy", ["zdt1_4d@exp", "crash_5d_3o@exp"])
def test_the_copies_give_the_search_the_same_points(copy: str) -> None:
    """To the digit, after the design as in it."""
    before, after = (perform(run_of("default", name, 6)).records for name in (copy.partition("@")[0], copy))
    assert [record.x for record in before] == [record.x for record in after]
    assert [record.y for record in before] != [record.y for record in after]


def test_failures_are_as_bad_as_the_worst_of_each_objective() -> None:
    """Those told before any success are zero, then as the successes have it."""
    cliff = FRONTS["cliff_3d"]
    history = HistoryOfSeveral(Start(cliff.problem(), 0, 2, 9))
    history.tell((0.5, 0.9, 0.5), None)
    assert history.Y.tolist() == [[0.0, 0.0]]
    history.tell_all((0.0, 0.1, 0.5), 1.0, (7.0,))
    history.tell_all((0.1, 0.1, 0.5), 3.0, (2.0,))
    np.testing.assert_array_equal(history.Y, [[3.0, 7.0], [1.0, 7.0], [3.0, 2.0]])


def test_the_judges_reference_point_is_told_as_a_method_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through exp it is the image of that of the problem as it is."""
    starts: list[Start] = []

    def begin(self: object, start: Start) -> _Nowhere:
        starts.append(start)
        return _Nowhere()

    random = contestant("random")
    monkeypatch.setattr(type(random), "begin", begin)
    for name in ("zdt1_4d", "zdt1_4d@exp"):
        perform(Run(FRONTS[name], random, 0, 2, 1))
    assert starts[0].reference == (1.1, 1.1)
    assert starts[1].reference == pytest.approx((np.expm1(7.7),) * 2)


class _Nowhere:
    def tell(self, values: object, loss: object) -> None:
        """Ignore it."""

    def ask(self) -> tuple[float, ...]:
        """Return a corner."""
        return (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("method", "question", "words"),
    [
        ("pycma", FRONTS["zdt1_4d"].problem(), "pycma takes one objective only"),
        ("optuna-nsga2", PROBLEMS["step_1d"].problem(contestant("default").method), "takes several objectives only"),
    ],
)
def test_a_method_says_how_many_objectives_it_takes(
    method: str, question: object, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first run, whatever is installed."""
    from ordbo_cli.benchmark.rivals import methods

    monkeypatch.setattr(methods, "find_spec", lambda name: name)
    with pytest.raises(UsageError, match=words):
        contestant(method).check(question)  # type: ignore[arg-type]  # both are problems


def test_records_of_one_objective_stay_as_they_were() -> None:
    """Their lines say nothing of others."""
    record = perform(Run(PROBLEMS["step_1d"], contestant("random"), 0, 2, 1)).records[0]
    assert '"others"' not in record.line()
    assert '"others": [2.0]' in dataclasses.replace(record, others=(2.0,)).line()
