"""Results with limits, and results that are limits: only their order counts, in memory, in files and in a copy."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.exchange.export import export_ranks
from ordbo_cli.problem import Censored, Evaluation, Limit, Problem
from ordbo_cli.problem.order import order
from ordbo_cli.problem.parameter import Parameter
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

PROBLEM = Problem((Parameter("x", 0, 1),), outcomes=(Limit("s", max=Decimal(3)), Limit("t", Decimal(2), Decimal(4))))

figures = st.one_of(st.none(), st.integers(0, 7).map(Decimal))
sides: st.SearchStrategy[Censored] = st.sampled_from(["", "", "above", "below"])
rows = st.lists(st.tuples(figures, sides, figures, figures), max_size=9)


def evaluations_of(problem: Problem, table: list[tuple[Any, ...]]) -> list[Evaluation]:
    """Return rows as evaluations, each where it is."""
    return [problem.evaluation((k / 10,), y, None, side if y is not None else "", (s, t))
            for k, (y, side, s, t) in enumerate(table)]  # fmt: skip


@given(rows, st.sampled_from(["minimize", "maximize"]))
def test_failures_come_last_and_infeasible_ones_before_them(table: list[tuple[Any, ...]], goal: Any) -> None:
    """Every feasible result, censored or not, is better than every infeasible one, and that than every failure."""
    problem = replace(PROBLEM, goal=goal)
    evaluations = evaluations_of(problem, table)
    found = order(problem, evaluations)

    def ends(kind: Any) -> list[tuple[int, int]]:
        places = zip(evaluations, found.low, found.high, strict=True)
        return [(low, high) for each, low, high in places if kind(each)]

    feasible = ends(lambda e: e.objective is not None)
    infeasible, failed = ends(problem.is_infeasible), ends(problem.is_failure)
    assert len(feasible) + len(infeasible) + len(failed) == len(table)
    assert all(low == high for low, high in (*infeasible, *failed))
    worst = max((high for _, high in feasible), default=-1)
    assert all(low > worst for low, _ in infeasible)
    assert all(low > max(high for _, high in (*feasible, *infeasible, (-1, -1))) for low, _ in failed)
    assert len(set(failed)) <= 1


@given(rows)
def test_rising_transforms_of_an_outcome_change_nothing(table: list[tuple[Any, ...]]) -> None:
    """An outcome and its limits on another scale give the same order, and so does another objective."""

    def image(value: Decimal | None) -> Decimal | None:
        return None if value is None else value**3 * 1000 - 7

    bent = replace(
        PROBLEM, outcomes=tuple(replace(each, min=image(each.min), max=image(each.max)) for each in PROBLEM.outcomes)
    )
    moved = [(image(y), side, image(s), image(t)) for y, side, s, t in table]
    assert order(PROBLEM, evaluations_of(PROBLEM, table)) == order(bent, evaluations_of(bent, moved))


@given(rows)
def test_the_objective_of_an_infeasible_result_has_no_say(table: list[tuple[Any, ...]]) -> None:
    """It may be missing, or anything."""
    bare = [(None if s is not None and s > 3 else y, side, s, t) for y, side, s, t in table]
    assert order(PROBLEM, evaluations_of(PROBLEM, table)) == order(PROBLEM, evaluations_of(PROBLEM, bare))


@given(rows, st.sampled_from(["minimize", "maximize"]), st.booleans())
def test_a_copy_with_ranks_alone_has_the_same_order(table: list[tuple[Any, ...]], goal: str, names: bool) -> None:
    """Through the table of evaluations, and through export --ranks-only, the ranks that results may have stay."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.yaml"
        outcomes = "outcomes: {s: {max: 3}, t: {min: 2, max: 4}}"
        path.write_text(f"objective: {{name: y, goal: {goal}}}\nparameters: {{x: {{min: 0, max: 1}}}}\n{outcomes}\n")
        signs = {"above": ">", "below": "<", "": ""}
        lines = ["id,x,y,s,t"]
        for k, (y, side, s, t) in enumerate(table):
            result, *others = ["nan" if value is None else str(value) for value in (y, s, t)]
            lines.append(f"{k + 1},{k / 10},{signs[side] if y is not None else ''}{result},{others[0]},{others[1]}")
        path.with_suffix(".csv").write_text("\n".join(lines) + "\n")
        study = Study.open(path)
        problem = study.problem
        own = study.snapshot().given.evaluations
        assert order(problem, own) == order(problem, evaluations_of(problem, table))
        copy = Study.open(export_ranks(study, Path(folder) / "copy", names=names).problem)
        theirs = copy.snapshot().given.evaluations
        assert order(copy.problem, theirs) == order(problem, own)
        assert [each.values for each in theirs] == [each.values for each in own]
