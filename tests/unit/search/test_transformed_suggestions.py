"""The check of a study's own next suggestion: what stays, what is left out, and that it finds what values decide."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from ordbo_cli.errors import DataError, ExhaustedError
from ordbo_cli.insight import invariance
from ordbo_cli.insight.invariance import Invariance, invariance_of
from ordbo_cli.insight.transforms import INPUT_TRANSFORMS, OBJECTIVE_TRANSFORMS
from ordbo_cli.problem import Evaluation, Fixed, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, GapPrior, Method
from ordbo_cli.problem.order import Order
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import cell_of, evaluations, random_study, unit_problem

pytestmark = pytest.mark.slow

FREE = replace(PRESETS["metric-free"], iterations=30)
DEFAULT = replace(PRESETS["default"], iterations=30)


def study(method: Method, rows: int = 12, **settings: Any) -> StepInput:
    """Return a study of two parameters of the unit box, with a failure, a tie, and large and close results."""
    X, y = random_study(rows, 2, 4)
    results: list[object] = [*y]
    results[1:6] = [None, "1e400", "1.00000000000000000001", "1.00000000000000000002", results[0]]
    return StepInput(unit_problem(2, method, **settings), evaluations(X, results), step=rows)


def outcomes(found: Invariance, of: str | None) -> dict[str, str]:
    """Return what became of each transform of the objective, or of one parameter."""
    return {trial.how: trial.outcome for trial in found.trials if trial.of == of}


SAME = dict.fromkeys(OBJECTIVE_TRANSFORMS, "same")
CELL = dict.fromkeys(INPUT_TRANSFORMS, "same")
GRID = {**dict.fromkeys(INPUT_TRANSFORMS, "off the grid"), "affine": "same"}


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_nothing_but_order_counts_in_metric_free_settings(goal: str) -> None:
    """Every transform of the objective gives the same point, every one of an input the same cell."""
    found = invariance_of(study(FREE, goal=goal))
    assert outcomes(found, None) == SAME
    assert outcomes(found, "x0") == outcomes(found, "x1") == CELL
    assert found.distances is None
    assert found.holds
    plain = study(FREE, goal=goal)
    proposal = propose(StepInput(plain.problem, plain.evaluations, [], plain.step))
    assert found.values == proposal.values
    assert found.cell == proposal.record.cell
    assert {trial.values for trial in found.trials if trial.of is None} == {found.values}
    assert {trial.cell for trial in found.trials} == {found.cell}


@pytest.mark.parametrize(
    "prior", [None, GapPrior(centre="equal"), GapPrior(centre=0.0), GapPrior(centre="inherited")], ids=str
)
def test_priors_without_distances(prior: GapPrior | None) -> None:
    """Pending points, one that was given up, and a fit of the step before go through the transforms, too."""
    before = study(replace(FREE, prior=prior), rows=11)
    fit = propose(StepInput(before.problem, before.evaluations, [], 11)).fit
    out, gone = [(0.31, 0.62), (0.9, 0.11)], [(0.5, 0.5)]
    known = replace(study(replace(FREE, prior=prior)), pending=out, step=14, fit=fit, avoid=gone)
    found = invariance_of(known)
    assert outcomes(found, None) == SAME
    assert outcomes(found, "x0") == outcomes(found, "x1") == CELL


def test_everything_goes_through_a_transform(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is out and what was given up with the rows, and the knots of the fit that each step starts from."""
    known = study(FREE)
    (a, b), (c, d) = known.evaluations[2].values, known.evaluations[3].values
    known = replace(known, fit=propose(StepInput(known.problem, known.evaluations, [], 12)).fit, pending=[(a, d)])
    known = replace(known, avoid=[(c, b)], step=14)
    seen = []

    def watched(given: StepInput, *, threads: int) -> Proposal:
        rows = given.evaluations
        (a, b), (c, d) = rows[2].values, rows[3].values
        assert (given.pending, given.avoid) == ([(a, d)], [(c, b)])
        assert given.fit is not None
        for j, parameter in enumerate(given.problem.free):
            assert {*given.fit["knots"][j]} == {*(e.values[j] for e in rows), parameter.min, parameter.max}
        seen.append((a, b, c, d))
        return propose(given, threads=threads)

    monkeypatch.setattr(invariance, "propose", watched)
    assert invariance_of(known).holds
    assert len(seen) == 1 + 6 + 2 * 5
    assert len(set(seen)) == 1 + 2 * 5


@pytest.mark.parametrize("fit", [{}, {"knots": [[0.0, 1.0]]}, {"knots": 3}])
def test_a_fit_that_is_none(fit: dict[str, Any]) -> None:
    """As a step passes it over, so does the check."""
    assert invariance_of(replace(study(FREE), fit=fit)).holds


def test_each_kind_of_parameter() -> None:
    """A grid is kept under affine maps, a logarithmic scale is one of a float; what is fixed stays out of it."""
    parameters = (
        Parameter("angle", 0.0, 12.0),
        Parameter("blades", 3, 90, type="int", step=3),
        Fixed("span", 2.0),
        Parameter("mach", 1e-6, 1.0, scale="log"),
        Parameter("rough", 0.0, 1.0, digits=3),
        Parameter("stagger", 0.1, 2.3, step=0.01),
    )
    X, y = random_study(13, 5, 2)
    rows: list[tuple[Number, ...]] = [
        (12 * a, 3 + 3 * int(29 * b), 10 ** (-6 * c), round(d, 3), round(0.1 + 2.2 * e, 2)) for a, b, c, d, e in X
    ]
    data = [Evaluation(x, Decimal(repr(value))) for x, value in zip(rows, y, strict=True)]
    found = invariance_of(StepInput(Problem(parameters, method=FREE), data, step=13))
    assert outcomes(found, None) == SAME
    assert outcomes(found, "angle") == outcomes(found, "mach") == CELL
    assert outcomes(found, "blades") == outcomes(found, "rough") == outcomes(found, "stagger") == GRID
    assert found.holds


def test_distances_count_in_the_default() -> None:
    """So inputs are not transformed; the objective is."""
    found = invariance_of(study(DEFAULT))
    assert found.distances == "prior"
    assert [trial.of for trial in found.trials] == [None] * 6
    assert outcomes(found, None) == SAME


@pytest.mark.parametrize(
    ("rows", "method", "why"),
    [(4, FREE, "initial"), (4, DEFAULT, "prior"), (9, replace(FREE, explore_every=5), "explore")],
)
def test_what_goes_by_distances_by_design(rows: int, method: Method, why: str) -> None:
    """The initial design and the turns to explore: inputs are left out, and it is said why."""
    known = study(method)
    found = invariance_of(replace(known, evaluations=known.evaluations[:rows], step=rows))
    assert found.distances == why
    assert outcomes(found, None) == SAME
    assert {trial.of for trial in found.trials} == {None}
    assert (found.cell is None) == (rows == 4)


def test_no_result_yet() -> None:
    """There is nothing to transform; failures alone are none either."""
    known = StepInput(unit_problem(2, FREE), evaluations([(0.2, 0.3)], [None]), step=1)
    for rows in ([], known.evaluations):
        assert invariance_of(replace(known, evaluations=rows)).trials == ()


def test_what_cannot_be_told_apart_is_no_difference() -> None:
    """Results 3,000 orders of magnitude apart, and inputs on neighbouring doubles; the others are compared."""
    known = study(FREE)
    x = 0.7000000000000001
    rows = [*known.evaluations, Evaluation((x, 0.2), Decimal("1e-3000")), Evaluation((0.7, 0.9), Decimal(0))]
    found = invariance_of(replace(known, evaluations=rows, step=14))
    assert found.holds
    assert outcomes(found, None) == {how: "same" if how in ("cube", "rank") else "merged" for how in SAME}
    assert set(outcomes(found, "x0").values()) == {"merged"}
    assert outcomes(found, "x1") == CELL


@pytest.mark.parametrize(
    ("shift", "expected", "holds"), [(1e-9, "rounded", True), (1e-4, "different", False), (0.0, "same", True)]
)
def test_rounding_is_told_from_a_difference(
    monkeypatch: pytest.MonkeyPatch, shift: float, expected: str, holds: bool
) -> None:
    """In the same cell, by less than a millionth of the parameter's range: sums may be taken in another order."""
    plain = study(DEFAULT)

    def shifted(given: StepInput, *, threads: int) -> Proposal:
        found = propose(given, threads=threads)
        changed = given.evaluations is not plain.evaluations
        return replace(found, values=(found.values[0] + changed * shift, *found.values[1:]))

    monkeypatch.setattr(invariance, "propose", shifted)
    found = invariance_of(plain)
    assert set(outcomes(found, None).values()) == {expected}
    assert found.holds == holds


def test_the_same_place_in_another_cell_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little the point has moved."""
    plain = study(DEFAULT)

    def elsewhere(given: StepInput, *, threads: int) -> Proposal:
        found = propose(given, threads=threads)
        if given.evaluations is plain.evaluations:
            return found
        record = replace(found.record, cell=((0.0, 1.0), cell_of(found)[1]))
        return replace(found, values=(found.values[0] + 1e-12, *found.values[1:]), record=record)

    monkeypatch.setattr(invariance, "propose", elsewhere)
    assert set(outcomes(invariance_of(plain), None).values()) == {"different"}


def test_values_that_count_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks that are made of the values' sizes: transforms of the objective lead elsewhere."""

    def by_size(problem: Problem, evaluations: Sequence[Evaluation]) -> Order:
        results = [e.objective for e in evaluations]
        sizes = tuple(9 if y is None else int(min(max(y, Decimal(-3)), Decimal(5))) + 3 for y in results)
        return Order(sizes, sizes)

    monkeypatch.setattr("ordbo_cli.search.surrogate.order", by_size)
    found = invariance_of(study(DEFAULT))
    assert "different" in outcomes(found, None).values()
    assert not found.holds


def test_distances_that_count_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default settings taken for metric-free ones: transforms of inputs lead to other cells, affine ones do not."""
    monkeypatch.setattr(Method, "is_metric_free", True)
    found = invariance_of(study(DEFAULT))
    assert outcomes(found, None) == SAME
    for name in ("x0", "x1"):
        assert "different" in outcomes(found, name).values()
        assert outcomes(found, name)["affine"] == "same"
    assert not found.holds


def test_every_step_is_counted() -> None:
    """What shows the progress hears of as many steps as it was told of, also where some are left out."""
    for known in (study(FREE), study(DEFAULT), replace(study(FREE), evaluations=[])):
        told: list[int] = []

        @contextlib.contextmanager
        def shown(total: int, told: list[int] = told) -> Iterator[Callable[[int], object]]:
            told.append(-total)
            yield told.append

        invariance_of(known, progress=shown)
        assert sum(told) == 0
        assert len(told) > 2


def test_where_nothing_comes_next() -> None:
    """The check refuses what a suggestion refuses."""
    whole = Problem((Parameter("a", 1, 5, type="int"),), method=FREE)
    rows = [Evaluation((k,), Decimal(k)) for k in range(1, 6)]
    with pytest.raises(ExhaustedError):
        invariance_of(StepInput(whole, rows, step=5))
    with pytest.raises(DataError):
        invariance_of(study(FREE, failed="error"))
