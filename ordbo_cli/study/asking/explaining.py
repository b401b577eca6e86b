"""Why a point was chosen, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Evaluation, Fidelity, Problem
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import listed, ordinal
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.reading.known_ids import point_of
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.cell_words import cell_in_words, cell_of, name_in_words
from ordbo_cli.study.reporting.views import Chosen

if TYPE_CHECKING:
    from ordbo_cli.search.step_record import Explanation, LevelGain, Weighing

_AIMS: Final = {
    "exploit": "exploits the cell",
    "explore": "explores the cell",
    "refine": "follows a quadratic among the best points into the cell",
    "largest": "takes the turn to explore the largest cell:",
    "spread": "goes into the largest cell, as a result is awaited in every one:",
    "covering": "goes where most of the feasible set is far from every point, into the cell",
}
_AS_GOOD: Final = "as good to four decimals"
_NAMES: Final = {"lcb": "lcb", "hypervolume": "hypervolume gained"}
_DESIGN: Final = {"corner": "a corner of the box", "filling": "far from the points before it"}


def explained(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    id: int,
    record: StepRecord | None,
    orders: SettingOrders = NO_ORDERS,
) -> tuple[str, ...]:
    """Return why a point was chosen, the first line with its id, further ones indented.

    Args:
        problem: what the study asks.
        evaluations: results that the point was chosen from.
        id: of the suggestion.
        record: how the point was chosen; None for a point that is to be evaluated again.
        orders: of the settings of ranked parameters.
    """
    if record is None:
        return (f"{id}: is handed out again, as it is to be evaluated once more",)
    reasons = record.explanation
    if reasons is None:  # chosen before anybody asked why
        return (f"{id}: nothing is known of why it was chosen",)
    if reasons.aim in _DESIGN:
        place = f"point {reasons.place} of {reasons.of} of the initial design"
        return (f"{id}: is {place}, {_DESIGN[reasons.aim]}",)
    assert record.cell is not None  # a point that the model has chosen lies in one
    second, where = reasons.runner_up, ""
    if second is not None:
        where = f": {cell_in_words(problem, evaluations, second.cell, record.cell, orders)}"
    lines = [_comparison(record, reasons, where)]
    if reasons.trade:
        lines.append(_trade(reasons))
    if reasons.weights:
        lines.append("weighs on it: " + ", ".join(map(_weight, reasons.weights)))
    if reasons.expected_rank is not None:
        chance = 100.0 * (reasons.chance_to_beat_best or 0.0)
        expected = f"expected rank {reasons.expected_rank:.1f} of {reasons.distinct_results}"
        fails = "" if reasons.chance_to_fail is None else f", to fail {100.0 * reasons.chance_to_fail:.0f}%"
        lines.append(f"{expected}, chance to beat the best {chance:.0f}%{fails}")
    if reasons.campaigns:
        lines.append(f"with the results of {listed(reasons.campaigns)}")
    if reasons.levels and problem.fidelity is not None:
        lines.append(_levels(problem.fidelity, reasons.levels))
    first = f"{id}: {_AIMS[reasons.aim]} {cell_in_words(problem, evaluations, record.cell, orders=orders)}"
    return (first, *(f"    {line}" for line in lines))


def _levels(fidelity: Fidelity, levels: Sequence[LevelGain]) -> str:
    """Return at which level of fidelity the point is evaluated, and what the others would tell."""
    gains = {f"{fidelity.name} = {printed(fidelity.levels[each.level])}": each.gain for each in levels}
    chosen = next(name for name, each in zip(gains, levels, strict=True) if each.chosen)
    if gains[chosen] is None:
        return f"at {chosen}, of which there is no result yet"
    others = ", ".join(f"{name} {gain:.2g}" for name, gain in gains.items() if gain is not None and name != chosen)
    return f"at {chosen}, which tells {gains[chosen]:.2g} nats for the cost of one evaluation at the highest; {others}"


def why(files: StudyFiles, id: int | None) -> list[Chosen]:
    """Return why suggestions were chosen, as far as the state knows it.

    Args:
        files: the files as they are.
        id: of the suggestion; None for all that are out.

    Raises:
        DataError: the id is unknown.
    """
    if id is None:
        ids = [entry.id for entry in files.ledger.waiting]
    else:
        point_of(files, id)
        ids = [id]
    said = {each.get("id"): StepRecord.from_dict(each) for each in files.state.diagnostics}
    evaluations = files.ledger.evaluations()

    def chosen(id: int) -> Chosen:
        record = said.get(id)
        if record is None or (record.cell is not None and cell_of(files.problem, record) is None):
            return Chosen(id, None, (f"{id}: nothing is known of why it was chosen",))
        return Chosen(id, record, explained(files.problem, evaluations, id, record, files.orders))

    return [chosen(each) for each in ids]


def _trade(reasons: Explanation) -> str:
    """Return what is expected by each objective, and between which results of the front."""
    by_each = ", ".join(
        f"{each.expected_rank:.1f} of {each.distinct_results} by {name_in_words(each.objective)}"
        for each in reasons.trade
    )
    weights = [
        f"{each.weight:.0%} {name_in_words(each.objective)}" for each in reasons.trade if each.weight is not None
    ]
    by = f"; for the trade {', '.join(weights)}" if weights else ""
    ends = [f"id {each.id}" if each.id is not None else f"line {each.line}" for each in reasons.between]
    where = f"; on the front {'between' if len(ends) > 1 else 'at the end by'} {' and '.join(ends)}" if ends else ""
    fails = "" if reasons.chance_to_fail is None else f"; to fail {100.0 * reasons.chance_to_fail:.0f}%"
    return f"expected rank {by_each}{where}{by}{fails}"


def ranked(rank: int) -> str:
    """Return a rank as people write it: best, 2nd, 3rd, 11th, 22nd."""
    return "best" if rank == 1 else ordinal(rank)


def with_lines(record: StepRecord, lines: Sequence[int]) -> StepRecord:
    """Return a record whose explanation, if it has one, has the lines of the results that it names.

    Args:
        record: how a point was chosen.
        lines: of the results that the search was given, in order of arrival.
    """
    reasons = record.explanation
    if reasons is None:
        return record
    weights = tuple(replace(each, line=lines[each.place - 1]) for each in reasons.weights)
    between = tuple(replace(each, line=lines[each.place - 1]) for each in reasons.between)
    return replace(record, explanation=replace(reasons, weights=weights, between=between))


def _comparison(record: StepRecord, reasons: Explanation, where: str) -> str:
    """Return what the acquisition makes of the cell, and of the runner-up, of which it is said where it lies."""
    if reasons.trade and reasons.value is None:
        return f"sd {reasons.sd_left:.2f} of the prior's 1 by the objective that is known best there"
    moments = f"mean {record.mean:.2f}, sd {record.sd:.2f} of the prior's 1"
    second = reasons.runner_up
    if reasons.share is not None:
        other = "no other cell is open" if second is None else f"runner-up {second.share:.0%}{where}"
        if second is not None and (second.share or 0.0) > reasons.share:
            other = f"one of which was drawn at random; no runner-up, as another cell holds {second.share:.0%}"
        return f"holds the minimum of {reasons.share:.0%} of samples ({moments}), {other}"
    if reasons.value is None:
        return moments
    name = _NAMES.get(reasons.acquisition or "", "logarithm of the expected improvement")
    if reasons.acquisition == "hypervolume":
        moments = f"in the front's own extents, by lower bounds; least sd {reasons.sd_left:.2f} of the prior's 1"
    own, theirs = _told_apart(reasons.value, None if second is None else second.value)
    other = "no other cell is open" if second is None else f"runner-up {theirs}{where}"
    if theirs != _AS_GOOD and _is_outdone(reasons):
        other = "no runner-up: a second search, from other random places, has found a better cell"
    return f"{name} {own} ({moments}), {other}"


def _is_outdone(reasons: Explanation) -> bool:
    """Return whether another cell is found to be better than the chosen one, which the search for that has missed."""
    second = reasons.runner_up
    if second is None or second.value is None or reasons.value is None:
        return False
    return second.value < reasons.value if reasons.acquisition == "lcb" else second.value > reasons.value


def _told_apart(one: float, other: float | None) -> tuple[str, str]:
    """Return two values with two decimals, with up to four where they would look alike."""
    texts = [f"{one:.2f}", ""]
    for decimals in (2, 3, 4):
        texts = [f"{one:.{decimals}f}", "" if other is None else f"{other:.{decimals}f}"]
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1] if texts[0] != texts[1] else _AS_GOOD


def _weight(entry: Weighing) -> str:
    """Return a result that weighs on a point: its name, its rank and its weight."""
    name = f"id {entry.id}" if entry.id is not None else f"line {entry.line}"
    more = entry.results - 1
    also = f" and {more} more at its point" if more else ""
    standing = "failed" if entry.failed else "infeasible" if entry.infeasible else ranked(entry.rank)
    return f"{name}{also} ({standing}, {entry.weight:.2f})"
