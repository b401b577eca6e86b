"""A diagnosis as figures with a sentence each: what it is, and what it says of this study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from ordbo_cli.problem import Problem
from ordbo_cli.study.reporting.diagnosis.diagnosing import LITTLE_CHANCE

if TYPE_CHECKING:
    from ordbo_cli.insight.rank_checks import ChanceInterval, Checks
    from ordbo_cli.study.reporting.diagnosis.diagnosing import Diagnosis, TheoryOfStudy

_HOW: Final = {
    "refitted": "each point left out of a fit of its own",
    "folds": "a tenth of the points left out of a fit at a time",
    "held": "each point left out with the warp held, which flatters the model",
}
_WIDTHS: Final = {
    "too narrow": "fewer than chance allows: the model is surer than it may be",
    "too wide": "more than chance allows: the model is less sure than it could be",
    "as it should be": "as it should be",
}
_BIASES: Final = {
    "too optimistic": "results come out worse than predicted",
    "too pessimistic": "results come out better than predicted",
    "as it should be": "neither better nor worse than predicted",
}


class Figure(NamedTuple):
    """One figure.

    Args:
        name: as JSON has it.
        value: a number; None where there is none.
        sentence: what it is, and what it says here.
    """

    name: str
    value: float | None
    sentence: str


def figures(diagnosis: Diagnosis, problem: Problem) -> dict[str, list[Figure]]:
    """Return the figures of a diagnosis in groups: checks, next and, where that was asked for, theory.

    Args:
        problem: that the study asks.
    """
    groups = {"checks": list(_checked(diagnosis.checks)), "next": list(_next(diagnosis))}
    if (theory := diagnosis.theory) is not None:
        groups["theory"] = [*_gains(theory, problem), *_moves(theory, problem), *_bounds(theory, problem)]
    return groups


def _checked(checks: Checks) -> Iterator[Figure]:
    order, calibration = checks.order, checks.calibration
    if checks.how is None or order is None or calibration is None:
        yield Figure("kendall_tau", None, f"Nothing can be left out: {checks.why_not}.")
        return
    how = _HOW[checks.how]
    scale = "the figure is Kendall's tau: 1 the observed order, about 0 or below no better than guessing"
    if order.tau is None or order.right is None:
        yield Figure("kendall_tau", order.tau, f"With {how}, the model predicts the same everywhere.")
    else:
        right = f"the model puts {order.right:.0%} of the pairs of results in the right order"
        yield Figure("kendall_tau", order.tau, f"With {how}, {right}; {scale}.")
    for interval in calibration.intervals:
        yield _interval(interval)
    words = (
        f"On average results lie at the {calibration.mean:.2f} quantile of what was predicted of them, 0.5 expected,"
    )
    words += f" give or take {2.0 * calibration.error:.2f}: {_BIASES[calibration.bias]}."
    yield Figure("mean_transform", calibration.mean, words)


def _interval(interval: ChanceInterval) -> Figure:
    verdict = interval.verdict
    words = f"Of {interval.points} points, {interval.inside:.3g} have their results in the central {interval.level:.0%}"
    words += f" interval of the prediction (in part where a rank is coarse), {interval.expected:.3g} expected:"
    words += f" {_WIDTHS[verdict]} (p {interval.p:.2g})."
    return Figure(f"inside_{interval.level:.0%}".rstrip("%"), interval.share, words)


def _next(diagnosis: Diagnosis) -> Iterator[Figure]:
    expected = diagnosis.next
    if expected is None:
        yield Figure("improvement_probability", None, f"Nothing is expected of the next point: {diagnosis.why_not}.")
        return
    chance = f"The next point beats the best with a probability of {_percent(expected.improvement)}, by the model"
    chance += " and by what became of the points before it"
    ends = "would end the search here" if diagnosis.stops else "would go on"
    if diagnosis.explores:
        ends += ", as this is a turn to explore"
    rule = f"'ordbo suggest --stop-when \"{LITTLE_CHANCE}\"' {ends}"
    yield Figure("improvement_probability", expected.improvement, f"{chance}; {rule}.")
    different = diagnosis.distinct
    among = "beside the one result" if different == 1 else f"among the {different} different results"
    words = f"Its expected rank is {expected.rank:.1f} {among} so far."
    yield Figure("expected_rank", expected.rank, words)


def _gains(found: TheoryOfStudy, problem: Problem) -> Iterator[Figure]:
    from ordbo_cli.insight import theory

    history, D = found.history, len(problem.free)
    first, last = history.steps[0], history.steps[-1]
    n, sigma = last.rows, history.bound.sigma
    words = f"I_{n}, in nats, is what the results tell of the latent function at noise {sigma:.2g}"
    low, high = history.greedy[n - 1], theory.most_gain(history.greedy, sigma)[n - 1]
    words += f". Points chosen to tell most would have between {low:.3g} (a greedy choice) and {high:.3g}"
    words += " (the most that this allows): the realised gain is no substitute for that maximum, which the theory takes"
    yield Figure("information_gain", last.gain, f"{words}.")
    if 1 < first.rows < n and first.gain > 0.0 and math.isfinite(last.gain / first.gain):
        yield _growth(first.rows, n, last.gain / first.gain, theory.RATE_OF[problem.method.kernel], D)
    lemma = history.bound.gain_constant * (last.gain + history.gain_lost)
    words = f"V_{n} sums the variance of each point given those before it. By the gain, and what moves took from it, it"
    words += f" is at most {lemma:.3g} where noise and lengths stay as they are"
    yield Figure("cumulative_variance", last.variance, f"{words}.")


def _growth(first: int, n: int, grown: float, own: str, dimension: int) -> Figure:
    """Return by how much the gain grew, beside the rates of the maximal gain."""
    from ordbo_cli.insight import theory

    rates = {name: rate(n, dimension) / rate(first, dimension) for name, rate in theory.RATES.items()}
    others = [f"{name} by {rates[name]:.3g}" for name in ("finite spectrum", "squared exponential") if name != own]
    words = f"From {first} to {n} rows the gain grew by this factor, while noise and lengths were learnt. The rate of"
    words += f" the maximal gain of {own} grows by {rates[own]:.3g}, those of {' and '.join(others)}"
    return Figure("gain_growth", grown, f"{words}.")


def _moves(found: TheoryOfStudy, problem: Problem) -> Iterator[Figure]:
    history, D = found.history, len(problem.free)
    moves = [(step, allowed) for step, allowed in zip(history.steps, found.moves_allowed, strict=True) if step.moved]
    if not moves:
        yield Figure("largest_move", None, "No point has moved: there is one fit.")
        return
    step, allowed = max(moves, key=lambda each: each[0].moved or 0.0)
    words = f"The farthest move of a point in the unit box, to the fit of {step.rows} rows"
    if allowed is not None:
        words += f", where drift {problem.method.drift:g} allows {allowed:.3g}"
        kept = all(each.moved is None or bound is None or each.moved <= bound * (1.0 + 1e-9) for each, bound in moves)
        words += "; " + ("every move kept to its bound" if kept else "a move went beyond its bound")
    yield Figure("largest_move", step.moved, f"{words}.")
    words = f"The least C for which every move is within C D / n, D = {D}"
    words += "" if problem.method.drift is not None else ": no drift is set, so nothing holds later moves to it"
    yield Figure("drift_realised", history.drift, f"{words}.")
    claimed = history.gain_loss_claimed
    words = (
        "What all moves took from the gain, in nats (below 0: gave to it). The unproved step of A.2 allows the sum of"
    )
    words += f" n / 2 times the squared move, {claimed:.3g}: the step "
    broken = sum((step.gain_lost or 0.0) > (step.gain_loss_claimed or 0.0) + 1e-12 for step in history.steps)
    words += f"is broken in {broken} of {len(moves)} refits" if broken else "holds in each refit here"
    yield Figure("gain_lost_by_moves", history.gain_lost, f"{words}.")


def _bounds(found: TheoryOfStudy, problem: Problem) -> Iterator[Figure]:
    history = found.history
    last = history.steps[-1]
    words = "This multiplies the standard deviation in the next point's lower confidence bound where no other is out"
    yield Figure("beta", last.beta, f"{words}.")
    if history.smooth is None or not history.bounds:
        reason = f"draws of kernel {problem.method.kernel} have no slope, so the theory's assumption fails"
        yield Figure("beta_of_lemma_1", None, f"There is none: {reason}.")
        yield Figure("regret_bound", None, f"There is none: {reason}.")
        return
    beta, gain, regret = history.bounds[-1]
    smooth = history.smooth
    words = f"Lemma 1 asks for sqrt(beta_{last.rows}) with delta {found.schedule.delta:g}, c1 {smooth.c1:.3g},"
    words += f" c2 {smooth.c2:.3g} on the unit box"
    yield Figure("beta_of_lemma_1", beta, f"{words}.")
    bound, n = history.bound, last.rows
    words = f"Theorem 1 would hold the cumulative latent regret of {n} evaluations below this, with C1"
    words += (
        f" {bound.gain_constant:.3g}, C2 {bound.movement_constant:.3g}, C3 pi^2 / 6 and the gain at most {gain:.3g}."
    )
    words += f" Against the best of them, by the fitted latent values, {n} evaluations lose at most {n} times their"
    words += f" range {history.range:.3g}, {history.trivial:.3g}, however they are chosen:"
    words += f" {_compared(regret, history.trivial)}."
    words += " For this method it is a heuristic, as the warp is learnt: docs/theory.md says what is proved"
    yield Figure("regret_bound", regret, f"{words}.")


def _compared(bound: float, trivial: float) -> str:
    if not trivial > 0.0:
        return "the bound says nothing"
    if bound >= trivial:
        return f"the bound is vacuous, {bound / trivial:.3g} times that"
    return f"the bound says something, it is {bound / trivial:.2g} of that"


def _percent(share: float) -> str:
    """Return a probability in percent, to two digits, never rounded to 0 or 100 where it is neither."""
    if share in (0.0, 1.0) or not math.isfinite(share):
        return f"{share:.0%}"
    return f"{100.0 * share:.2g}%" if share < 0.995 else "over 99%"


Entries = Mapping[str, object]


def entries(diagnosis: Diagnosis, problem: Problem) -> Entries:
    """Return a diagnosis as a plain mapping for JSON: figures by name, their sentences, and the steps of the theory."""
    groups = figures(diagnosis, problem)
    checks, calibration = diagnosis.checks, diagnosis.checks.calibration
    return {
        "evaluations": diagnosis.evaluations,
        **{group: {each.name: each.value for each in found} for group, found in groups.items()},
        "left_out_by": checks.how,
        "calibration": None if calibration is None else {"width": calibration.width, "bias": calibration.bias},
        **({} if diagnosis.theory is None else _theory_entries(diagnosis.theory)),
        "sentences": {each.name: each.sentence for found in groups.values() for each in found},
    }


def _theory_entries(found: TheoryOfStudy) -> Entries:
    """Return the constants of the theory, and its figures at each fit."""
    history = found.history
    bounds = history.bounds or (None,) * len(history.steps)
    return {
        "constants": {
            "sigma": history.bound.sigma,
            "delta": found.schedule.delta,
            "c1": None if history.smooth is None else history.smooth.c1,
            "c2": None if history.smooth is None else history.smooth.c2,
            "C": history.bound.drift,
            "C1": history.bound.gain_constant,
            "C2": history.bound.movement_constant,
            "C3": math.pi**2 / 6.0,
        },
        "steps": [
            {
                "rows": step.rows,
                "information_gain": step.gain,
                "cumulative_variance": step.variance,
                "moved": step.moved,
                "move_allowed": allowed,
                "gain_lost": step.gain_lost,
                "gain_loss_claimed": step.gain_loss_claimed,
                "beta": step.beta,
                "beta_of_lemma_1": None if bound is None else bound.beta,
                "maximal_gain": None if bound is None else bound.gain,
                "regret_bound": None if bound is None else bound.regret,
            }
            for step, allowed, bound in zip(history.steps, found.moves_allowed, bounds, strict=True)
        ],
    }
