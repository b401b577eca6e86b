"""Whether the next suggestion stays the same when results, or values of an input, go through a monotone transform.

The choice of the cell uses order and arrival alone where the settings are metric-free; the place inside the cell never
does, and neither do the initial design and the turns to explore, so that of inputs only the cell is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from ordbo_cli.insight.transforms import (
    INPUT_TRANSFORMS,
    OBJECTIVE_TRANSFORMS,
    TURNING,
    Mapped,
    mapped_parameter,
    objective_images,
)
from ordbo_cli.problem import Campaign, Evaluation, Goal, Number, Problem
from ordbo_cli.problem.censored import TURNED
from ordbo_cli.problem.several import alone_in
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import FITS_OF_CAMPAIGNS, StepInput
from ordbo_cli.search.step_record import Edges

Outcome: TypeAlias = Literal["same", "rounded", "different", "merged", "off the grid"]
Distances: TypeAlias = Literal["prior", "constraints", "initial", "explore"]
Progress: TypeAlias = Callable[[int], AbstractContextManager[Callable[[int], object]]]
"""Takes the number of suggestions to come, and gives what takes the number of those just made, while that is shown."""

_ROUNDING: Final = 1e-6  # of the box: sums may be taken in another order in another call


@dataclass(frozen=True)
class Trial:
    """One transform, and what became of the suggestion.

    Args:
        of: the parameter that was transformed; None for the objective.
        how: the transform.
        outcome: the suggestion (of an input: its cell) is the ``same``, or but for what was ``rounded``, or
            ``different``; or there is none, as the transform ``merged`` values, or put them ``off the grid``.
        values: of the free parameters, that came out for the objective.
        cell: edges by free parameter, in the user's units; None in the initial design.
        objective: which one was transformed, where no parameter was.
        campaign: whose results were transformed; "" for the study's own.
    """

    of: str | None
    how: str
    outcome: Outcome
    values: tuple[Number, ...] | None = None
    cell: Edges | None = None
    objective: str = ""
    campaign: str = ""


@dataclass(frozen=True)
class Invariance:
    """What transforms make of the next suggestion.

    Args:
        values: of the free parameters, without any transform.
        cell: its edges by free parameter; None in the initial design.
        trials: the transforms, of the objective first, then of each campaign's results, then parameter by parameter.
        distances: why no input was transformed, if none was: the ``prior`` of the gaps counts distances, and so do
            the ``initial`` design and the turn to ``explore``; ``constraints`` are meant for values as they are.
    """

    values: tuple[Number, ...]
    cell: Edges | None
    trials: tuple[Trial, ...]
    distances: Distances | None = None

    @property
    def holds(self) -> bool:
        """Whether no transform led to another suggestion."""
        return all(trial.outcome != "different" for trial in self.trials)


def invariance_of(given: StepInput, *, threads: int = 1, progress: Progress | None = None) -> Invariance:
    """Return what transforms make of the suggestion that comes next.

    Each transform costs a step, from the fit that the moment has. Of several objectives each goes through another one
    at the same time; where that changes the suggestion, they are tried one by one.

    Args:
        given: what the suggestion follows from.
        threads: that each step is spread over.
        progress: shows how many of the steps are done.

    Raises:
        ExhaustedError: nothing comes next.
        DataError: an evaluation failed where ``failed: error`` forbids it.
    """
    problem = given.problem
    results = any(each.objective is not None for each in given.evaluations)
    objectives = range(len(problem.goals))
    together = [_one_each(objectives, shift) for shift in range(len(OBJECTIVE_TRANSFORMS))] if results else []
    of_campaigns = [
        (place, which, how)
        for place, which, how in product(range(len(given.campaigns)), objectives, OBJECTIVE_TRANSFORMS)
        if how != TURNING
    ]
    of_inputs = len(problem.free) * len(INPUT_TRANSFORMS) if problem.method.is_metric_free else 0
    with (progress or _unseen)(1 + len(together) + len(of_campaigns) + of_inputs) as advance:
        advance(0)  # the time that is left follows from the steps after the first call
        plain = propose(given, threads=threads)
        advance(1)
        trials = []
        for hows in together:
            trials += _objective_trials(given, plain, hows, threads)
            advance(1)
        trials.sort(key=lambda trial: _order(problem, trial))
        for place, which, how in of_campaigns:
            trials.append(_campaign_trial(given, plain, place, which, how, threads))
            advance(1)
        distances = _distances(problem, plain)
        if distances is None:
            for trial in _input_trials(given, plain, threads):
                trials.append(trial)
                advance(1)
        else:
            advance(of_inputs)
    return Invariance(given.orders.in_words(problem, plain.values), plain.record.cell, tuple(trials), distances)


def _unseen(_: int) -> AbstractContextManager[Callable[[int], object]]:
    return nullcontext(lambda _: None)


def _distances(problem: Problem, plain: Proposal) -> Distances | None:
    """Return what lets the original values of the inputs into the choice of the cell, if anything does."""
    if not problem.method.is_metric_free:
        return "prior"
    if problem.constraints:  # they close cells, and decide where in a cell its points are
        return "constraints"
    kind = plain.record.kind
    return kind if kind in ("initial", "explore") else None


def _one_each(objectives: range, shift: int) -> dict[int, str]:
    """Return a transform for each objective; over all shifts each goes through all of them."""
    return {k: OBJECTIVE_TRANSFORMS[(k + shift) % len(OBJECTIVE_TRANSFORMS)] for k in objectives}


def _order(problem: Problem, trial: Trial) -> tuple[int, int]:
    names = [name for name, _ in problem.goals]
    return names.index(trial.objective), OBJECTIVE_TRANSFORMS.index(trial.how)


def _objective_trials(given: StepInput, plain: Proposal, hows: Mapping[int, str], threads: int) -> list[Trial]:
    """Return what transforms of objectives, each of another one and all at once, make of the suggestion."""
    seen, done, trials = given, {}, []
    for which, how in hows.items():
        after = _with_images(seen, which, how)
        if after is None:
            trials.append(Trial(None, how, "merged", objective=given.problem.goals[which][0]))
        else:
            seen, done[which] = after, how
    if not done:
        return trials
    found = propose(seen, threads=threads)
    outcome = _compared(given.problem, plain, found)
    if outcome != "same" and len(done) > 1:
        alone = (_objective_trials(given, plain, {which: how}, threads) for which, how in done.items())
        return [*trials, *(trial for each in alone for trial in each)]
    values = given.orders.in_words(given.problem, found.values)
    names = [given.problem.goals[which][0] for which in done]
    how_of = zip(done.values(), names, strict=True)
    return [*trials, *(Trial(None, how, outcome, values, found.record.cell, name) for how, name in how_of)]


def _with_images(given: StepInput, which: int, how: str) -> StepInput | None:
    """Return a moment whose results by one objective have gone through a transform; None where that merges some."""
    problem, goal = given.problem, given.problem.goals[which][1]
    results = [alone_in(problem, each, which).objective for each in given.evaluations]
    enough = problem.enoughs[which]
    images = objective_images((each for each in (*results, enough) if each is not None), how)
    if images is None:
        return None
    turned = how == TURNING
    rows = [
        each if result is None else _with_result(problem, each, which, images[result], turned=turned)
        for each, result in zip(given.evaluations, results, strict=True)
    ]
    if turned:
        goal = "minimize" if goal == "maximize" else "maximize"
    asked = _aiming(problem, which, goal, None if enough is None else images[enough])
    campaigns = [_turned(problem, each, which) for each in given.campaigns] if turned else given.campaigns
    return replace(given, problem=asked, evaluations=rows, campaigns=campaigns)


def _campaign_trial(given: StepInput, plain: Proposal, place: int, which: int, how: str, threads: int) -> Trial:
    """Return what a transform of a campaign's results of one objective makes of the suggestion."""
    campaign, (name, _) = given.campaigns[place], given.problem.goals[which]
    results = [alone_in(given.problem, each, which).objective for each in campaign.evaluations]
    images = objective_images((each for each in results if each is not None), how)
    if images is None:
        return Trial(None, how, "merged", objective=name, campaign=campaign.name)
    campaigns = list(given.campaigns)
    campaigns[place] = _campaign_with(given.problem, campaign, which, images, turned=False)
    found = propose(replace(given, campaigns=campaigns), threads=threads)
    outcome = _compared(given.problem, plain, found)
    values = given.orders.in_words(given.problem, found.values)
    return Trial(None, how, outcome, values, found.record.cell, name, campaign.name)


def _turned(problem: Problem, campaign: Campaign, which: int) -> Campaign:
    """Return a campaign with the results of an objective turned round, as its goal is."""
    results = (alone_in(problem, each, which).objective for each in campaign.evaluations)
    images = {each: each.copy_negate() for each in results if each is not None}
    return _campaign_with(problem, campaign, which, images, turned=True)


def _campaign_with(
    problem: Problem, campaign: Campaign, which: int, images: Mapping[Decimal, Decimal], *, turned: bool
) -> Campaign:
    """Return a campaign with other results by one of the objectives."""
    results = ((each, alone_in(problem, each, which).objective) for each in campaign.evaluations)
    evaluations = tuple(
        each if result is None else _with_result(problem, each, which, images[result], turned=turned)
        for each, result in results
    )
    return replace(campaign, evaluations=evaluations)


def _with_result(problem: Problem, evaluation: Evaluation, which: int, result: Decimal, *, turned: bool) -> Evaluation:
    """Return an evaluation with another result by one of the objectives; where the axis is turned, a limit is, too."""
    if which:
        place, _ = problem.aims[which - 1]
        outcomes, sides = list(evaluation.outcomes), list(evaluation.sides)
        outcomes[place] = result
        if turned and sides:
            sides[place] = TURNED[sides[place]]
        return replace(evaluation, outcomes=tuple(outcomes), sides=tuple(sides))
    side = TURNED[evaluation.censored] if turned else evaluation.censored
    return replace(evaluation, objective=result, censored=side)


def _aiming(problem: Problem, which: int, goal: Goal, enough: Decimal | None) -> Problem:
    """Return a problem with another goal for one of its objectives, and another value that is enough."""
    if not which:
        return replace(problem, goal=goal, enough=enough)
    place, aim = problem.aims[which - 1]
    return replace(
        problem,
        outcomes=(*problem.outcomes[:place], replace(aim, goal=goal, enough=enough), *problem.outcomes[place + 1 :]),
    )


def _compared(problem: Problem, plain: Proposal, found: Proposal) -> Outcome:
    """Return whether two suggestions are one, at one level of fidelity."""
    if found.level != plain.level:
        return "different"
    if found.values == plain.values:
        return "same"
    space = Space(problem, ())
    here, there = space.unit(space.inputs([plain.values, found.values]))
    near = found.record.cell == plain.record.cell and bool(np.all(np.abs(here - there) < _ROUNDING))
    return "rounded" if near else "different"


def _input_trials(given: StepInput, plain: Proposal, threads: int) -> Iterator[Trial]:
    """Yield what transforms of one input after the other make of the cell."""
    if given.fit is not None and given.previous is None:  # nothing that a step could start from
        given = replace(given, fit=None)
    cell = plain.record.cell
    for j, parameter in enumerate(given.problem.free):
        if parameter.levels or parameter.type == "ranked":  # there are no distances between them
            continue
        axis = given.latent_axes.ordered.index(j)
        known = _known(given, j, axis)
        tried = len(given.evaluations) + len(given.pending) + len(given.avoid)
        for how in INPUT_TRANSFORMS:
            mapped = mapped_parameter(parameter, known, how, tried)
            if not isinstance(mapped, Mapped):
                yield Trial(parameter.name, how, mapped)
                continue
            found = _back(propose(_transformed(given, j, axis, mapped), threads=threads).record.cell, j, mapped)
            yield Trial(parameter.name, how, "same" if found == cell else "different", cell=found)


def _known(given: StepInput, j: int, axis: int) -> list[Number]:
    """Return every value of a free parameter that a step looks at beside its bounds."""
    compared = [x for each in given.comparisons for x in (each.better, each.worse)]
    elsewhere = [e.values for campaign in given.campaigns for e in campaign.evaluations]
    points = [*(e.values for e in given.evaluations), *given.pending, *given.avoid, *compared, *elsewhere]
    return [*(point[j] for point in points), *(given.fit["knots"][axis] if given.fit else ())]


def _transformed(given: StepInput, j: int, axis: int, mapped: Mapped) -> StepInput:
    """Return a moment whose j-th free parameter has gone through a transform, in the fit of the step before as well."""

    def point(values: Any) -> tuple[Number, ...]:
        return (*values[:j], mapped.images[float(values[j])], *values[j + 1 :])

    problem = given.problem
    plain = problem.free[j]
    parameters = tuple(mapped.parameter if each is plain else each for each in problem.parameters)
    return replace(
        given,
        problem=replace(problem, parameters=parameters),
        evaluations=[replace(e, values=point(e.values)) for e in given.evaluations],
        pending=[point(x) for x in given.pending],
        avoid=[point(x) for x in given.avoid],
        comparisons=[replace(c, better=point(c.better), worse=point(c.worse)) for c in given.comparisons],
        campaigns=[
            replace(c, evaluations=tuple(replace(e, values=point(e.values)) for e in c.evaluations))
            for c in given.campaigns
        ],
        fit=None if given.fit is None else _fit_after(given.fit, axis, mapped),
    )


def _fit_after(fit: Mapping[str, Any], axis: int, mapped: Mapped) -> dict[str, Any]:
    after = _knots_after(fit, axis, mapped)
    if FITS_OF_CAMPAIGNS in fit:
        alone = fit[FITS_OF_CAMPAIGNS].items()
        after[FITS_OF_CAMPAIGNS] = {name: [_knots_after(each, axis, mapped) for each in fits] for name, fits in alone}
    return after


def _knots_after(fit: Mapping[str, Any], axis: int, mapped: Mapped) -> dict[str, Any]:
    knots = list(fit["knots"])
    if any(float(x) not in mapped.images for x in knots[axis]):
        return {**fit}  # of rows that are there no more
    knots[axis] = [float(mapped.images[float(x)]) for x in knots[axis]]
    return {**fit, "knots": knots}


def _back(cell: Edges | None, j: int, mapped: Mapped) -> Edges | None:
    """Return a cell with the edges in a transformed parameter as they were before it: edges are known values."""
    if cell is None:
        return None
    before = {float(y): x for x, y in mapped.images.items()}
    low, high = cell[j]
    return (*cell[:j], (before[low], before[high]), *cell[j + 1 :])
