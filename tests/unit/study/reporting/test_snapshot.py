"""A study at one moment: where it stands, what its next point follows from, and every point."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.reporting.listing import Listed
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"
ROWS = (
    ",1,3,2,5,\n,2,3,2,,failed\n9,3,3,2,3,\n,4,3,2,inf,\n,5,3,2,3.0,\n,-1,3,2,1,\n,6,3,9,1,\n,7,3,2,,abandoned\n"
    "10,8,4,2,,pending\n11,9,4,2,,retry\n"
)


def test_every_point_is_listed_with_what_became_of_it(study: Study, csv: Writer) -> None:
    """Ranks as the model has them: an infinity before failures, rows outside count, set-aside ones do not."""
    csv(HEAD + ROWS)

    def point(angle: float, blades: int = 3, span: float = 2.0) -> dict[str, float]:
        return {"angle": angle, "blades": blades, "span": span}

    assert study.snapshot().points == (
        Listed(12, 2, "ok", point(1), Decimal(5), 3, order=1, numbered=False),
        Listed(13, 3, "failed", point(2), None, 5, order=2, numbered=False),
        Listed(9, 4, "ok", point(3), Decimal(3), 2, order=3),
        Listed(14, 5, "ok", point(4), Decimal("Infinity"), 4, order=4, numbered=False),
        Listed(15, 6, "ok", point(5), Decimal("3.0"), 2, order=5, numbered=False),
        Listed(16, 7, "ok", point(-1), Decimal(1), 1, outside=True, order=6, numbered=False),
        Listed(17, 8, "ok", point(6, span=9), Decimal(1), None, aside="span is 9, not 2.0", numbered=False),
        Listed(18, 9, "abandoned", point(7), numbered=False),
        Listed(10, 10, "pending", point(8, 4)),
        Listed(11, 11, "retry", point(9, 4)),
    )


def test_failures_without_a_rank(problem_path: Path, csv: Writer) -> None:
    """Under failed: ignore they have none, as the model does not see them."""
    problem_path.write_text(problem_path.read_text() + "failed: ignore\n")
    csv(HEAD + ",1,3,2,5,\n,2,3,2,,failed\n,3,3,2,3,\n")
    assert [each.rank for each in Study.open(problem_path).snapshot().points] == [2, None, 1]


def test_the_next_point_follows_from_the_moment(study: Study, csv: Writer) -> None:
    """What is proposed from it is what the study suggests, with what is out, given up and asked for."""
    csv(HEAD + ROWS.replace(",9,4,2,,retry\n", ",9,4,2,8,\n"))  # a point to be done again would come first
    given = study.snapshot().given
    expected = propose(
        StepInput(given.problem, given.evaluations, given.pending, given.step, given.fit, avoid=given.avoid)
    )
    assert expected.values == study.ask(dry_run=True).values
    assert (given.pending, given.avoid) == ([(8.0, 4)], [(7.0, 3)])


def test_the_moment_after_some_results(study: Study, csv: Writer) -> None:
    """The first ones alone, nothing out; more than there are is refused."""
    csv(HEAD + ROWS)
    given = study.snapshot(2).given
    assert [each.objective for each in given.evaluations] == [Decimal(5), None]
    assert (given.pending, given.step, given.fit, given.avoid) == ((), 2, None, ())
    with pytest.raises(UsageError, match="7 evaluations are asked for"):
        study.snapshot(7)
