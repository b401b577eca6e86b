"""How far the model of a study can be trusted, and what Section 4 of the paper says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import DataError, OrdboError, UsageError
from ordbo_cli.problem.method import BetaSchedule, EngineKind
from ordbo_cli.study.asking.stopping import CHANCE, StopRule
from ordbo_cli.study.asking.suggest import Wish, results_left_out, stopping, with_engine
from ordbo_cli.study.reading.ledger import refuse_failures
from ordbo_cli.study.reading.study_files import StudyFiles

if TYPE_CHECKING:
    from ordbo_cli.insight.inspection import Inspection
    from ordbo_cli.insight.rank_checks import Checks
    from ordbo_cli.insight.theory_history import TheoryHistory
    from ordbo_cli.problem import Problem
    from ordbo_cli.search.prediction import Prediction
    from ordbo_cli.search.step_input import StepInput

LITTLE_CHANCE: Final = StopRule(CHANCE, "<", 0.01)  # a search may well end where it holds


@dataclass(frozen=True)
class TheoryOfStudy:
    """What Section 4 of the paper says of a study.

    Args:
        history: its figures over the fits of the study.
        schedule: of beta, with which the bounds are computed.
        moves_allowed: ``Delta_n`` at each of these fits; None without a bound on movement.
    """

    history: TheoryHistory
    schedule: BetaSchedule
    moves_allowed: tuple[float | None, ...]


@dataclass(frozen=True)
class Diagnosis:
    """What there is to say of a study's model.

    Args:
        evaluations: number of results that are ranked.
        distinct: number of different results among them.
        checks: what leaving points out shows.
        next: what the model expects of the next point; None where nothing is, which ``why_not`` says.
        theory: what the paper's theory says of the study, where that is asked for.
        warnings: what people should know.
        explores: whether the next point is a turn to explore, at which no rule stops.
        stops: whether ``LITTLE_CHANCE`` ends the search at the next point.
        why_not: why nothing is expected of the next point, or "".
    """

    evaluations: int
    distinct: int
    checks: Checks
    next: Prediction | None
    theory: TheoryOfStudy | None
    warnings: tuple[str, ...]
    explores: bool = False
    stops: bool = False
    why_not: str = ""


def schedule_of(problem: Problem, delta: float | None, c1: float | None, c2: float | None) -> BetaSchedule:
    """Return the schedule of beta that the bounds are computed with: the problem's, or the lemma's, with changes.

    Args:
        delta, c1, c2: in place of the schedule's own; None for these.

    Raises:
        UsageError: one of them cannot be.
    """
    beta = problem.method.beta
    own = beta if isinstance(beta, BetaSchedule) else BetaSchedule()
    given = {name: value for name, value in (("delta", delta), ("c1", c1), ("c2", c2)) if value is not None}
    try:
        return replace(own, **given)
    except OrdboError as error:
        raise UsageError(error.message.removeprefix("beta "), error.hint) from None


def diagnosed(
    files: StudyFiles, engine: EngineKind | None, schedule: BetaSchedule | None, progress: Callable[[int, int], None]
) -> Diagnosis:
    """Return what there is to say of the model, which is fitted to all results as for the next suggestion.

    Args:
        files: the files as they are.
        engine: the implementation of the model, in place of the problem's.
        schedule: of beta, for the bounds of the theory; None where the theory is not asked for.
        progress: is told after each fit how many of how many are made, for the theory and then for the checks.

    Raises:
        DataError: there is no evaluation to learn from, or a failure that the problem forbids.
    """
    from ordbo_cli.insight.inspection import Inspection
    from ordbo_cli.insight.rank_checks import checks

    files.problem.demand_one_order("a diagnosis")
    refuse_failures(files.problem, files.ledger, files.table)
    problem = with_engine(files.problem, engine)
    given = files.step_input(problem)
    if not given.rows.ranked:
        raise DataError("there is no evaluation to learn from", "Record some results first")
    inspection = Inspection.of(given)
    proposal, surrogate = inspection.proposal, inspection.surrogate
    theory = None if schedule is None else _theory(given, schedule, progress)
    expected, why_not = _expected(inspection)
    return Diagnosis(
        evaluations=len(given.rows.ranked) + given.rows.left_out,
        distinct=surrogate.fit.data.bins,
        checks=checks(given, surrogate.fit, progress=progress),
        next=expected,
        theory=theory,
        warnings=(*files.warnings, *results_left_out(given)),
        explores=proposal is not None and proposal.record.kind == "explore",
        stops=stopping(files, Wish(1, engine=engine, stop_when=(LITTLE_CHANCE,)), proposal) is not None,
        why_not=why_not,
    )


def _theory(given: StepInput, schedule: BetaSchedule, progress: Callable[[int, int], None]) -> TheoryOfStudy:
    from ordbo_cli.insight.theory_history import allowed_move, theory_history

    history, problem = theory_history(given, schedule, progress), given.problem
    allowed = tuple(allowed_move(problem.method, len(problem.free), step.rows) for step in history.steps)
    return TheoryOfStudy(history, schedule, allowed)


def _expected(inspection: Inspection) -> tuple[Prediction | None, str]:
    """Return what the model expects of the next point, or why nothing."""
    from ordbo_cli.search.prediction import expected_at

    proposal = inspection.proposal
    if proposal is None:
        return None, inspection.why_not
    if proposal.fit is None:
        return None, "it belongs to the initial design, which follows from no result"
    expected = expected_at(inspection.given, proposal)
    return expected, "" if expected is not None else "the model has no result"
