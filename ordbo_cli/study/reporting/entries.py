"""A study's answers as plain mappings, the shape in which every JSON output of ordbo gives them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ordbo_cli.files.values.levels import split_side
from ordbo_cli.files.values.numbers import objective_value
from ordbo_cli.problem import SIGNS
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.study.telling.compare import Compared, RankingTaken

if TYPE_CHECKING:
    from ordbo_cli.files.values.remark import Remark
    from ordbo_cli.problem import Problem, Suggestion
    from ordbo_cli.search.prediction import Prediction
    from ordbo_cli.study.reporting.campaign_standing import CampaignStanding
    from ordbo_cli.study.reporting.level_standing import LevelStanding
    from ordbo_cli.study.reporting.views import Best, Judge, Nearest, OnBound, Status, Upcoming
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.telling.recording import Told
    from ordbo_cli.study.telling.undoing import Undone

Entries = dict[str, object]

COUNTS: Final = ("ok", "failed", "pending", "retry", "abandoned", "expired")
ROWS: Final = 5  # of the ranking, where nobody says how many


def suggestion_entries(suggestion: Suggestion) -> Entries:
    """Return a suggestion: its id and all parameters that count by name."""
    return {"id": suggestion.id, "parameters": in_words(suggestion.parameters)}


def best_entries(best: Best, problem: Problem) -> Entries:
    """Return an evaluation, its result under the objective's name; by mean, with what there is to say on the point."""
    result = None
    if best.objective is not None:
        result = {problem.objective: problem.shown(best.objective, best.censored)}
    entries: Entries = {"id": best.id, "parameters": in_words(best.parameters)}
    aims, limited = _apart(best.outcomes, problem)
    entries |= {"objectives": {**(result or {}), **aims}} if problem.several else {"objective": result}
    if problem.is_limited:
        entries["outcomes"] = limited
    if best.by == "mean":
        entries |= {"by": best.by, "results": best.results}
        entries |= (
            {"expected_ranks": best.expected_ranks} if problem.has_front else {"expected_rank": best.expected_rank}
        )
    return entries


def told_entries(told: Told, problem: Problem) -> Entries:
    """Return an answer that was taken, its result as the exact number or the word; None where it has none."""
    value = None if told.objective is None else _number(told.objective, problem.grades)
    aims, limited = _apart(told.outcomes, problem)
    results: Entries = {"objective": value}
    if problem.several:
        results = {"objectives": {problem.objective: value, **aims} if value is not None else aims or None}
    others = {"outcomes": limited, "infeasible": told.infeasible} if problem.is_limited else {}
    return {
        "id": told.id,
        "status": told.status,
        "parameters": in_words(told.parameters),
        **results,
        **others,
        **({"judge": told.judge} if told.judge else {}),
        "new": told.new,
    }


def compared_entries(compared: Compared) -> Entries:
    """Return a comparison that was taken; who judged stands in it where somebody is named."""
    who: Entries = {"judge": compared.judge} if compared.judge else {}
    return {"better": compared.better, "worse": compared.worse, "tie": compared.tie, **who, "new": compared.new}


def ranking_entries(taken: RankingTaken) -> Entries:
    """Return a ranking that was taken: groups of ids, the best first; who judged where somebody is named."""
    who: Entries = {"judge": taken.judge} if taken.judge else {}
    return {"ranking": [list(group) for group in taken.groups], **who, "new": taken.new}


def undone_entries(undone: Undone, problem: Problem) -> Entries:
    """Return something that was taken back, with what stands of the point now; None where nothing does."""
    was, stands = undone.was, undone.stands
    if isinstance(was, Compared):
        return {**_without_new(compared_entries(was)), "line": undone.line}
    if isinstance(was, RankingTaken):
        return {**_without_new(ranking_entries(was)), "line": undone.line}

    standing = None if stands is None else _without_new(told_entries(stands, problem))
    return {**_without_new(told_entries(was, problem)), "line": undone.line, "stands": standing}


def prediction_entries(expected: Prediction) -> Entries:
    """Return what the model expects of a point, without the point."""
    return {
        "expected_rank": expected.rank,
        "rank_low": expected.rank_low,
        "rank_high": expected.rank_high,
        "chance_to_beat_best": expected.improvement,
        **({} if expected.failure is None else {"chance_to_fail": expected.failure}),
        "latent_mean": expected.mean,
        "latent_sd": expected.sd,
    }


def _without_new(entries: Entries) -> Entries:
    return {key: value for key, value in entries.items() if key != "new"}


def _aim_entries(problem: Problem, which: int) -> Entries:
    """Return an objective: its name, its goal, what is enough of it where anything is, and the words that it may be."""
    (name, goal), enough = problem.goals[which], problem.enoughs[which]
    more: Entries = {} if enough is None else {"enough": enough}
    return {"name": name, "goal": goal, **more, **({"values": problem.words[name]} if name in problem.words else {})}


def _apart(outcomes: Mapping[str, str], problem: Problem) -> tuple[dict[str, object], dict[str, object]]:
    """Return results beside the first objective as exact numbers: the other objectives, and what has limits."""
    aims = {aim.name for _, aim in problem.aims}
    numbers = _numbers(outcomes, problem)
    return {k: v for k, v in numbers.items() if k in aims}, {k: v for k, v in numbers.items() if k not in aims}


def _numbers(outcomes: Mapping[str, str], problem: Problem) -> dict[str, object]:
    """Return results beside the objective as exact numbers or words, None where the simulator could not give one."""
    return {name: _number(text, problem.words.get(name, ())) for name, text in outcomes.items()}


def _number(text: str, grades: Sequence[str]) -> object:
    """Return a result as an exact number or a word, behind the sign of a limit as text."""
    side, rest = split_side(text.strip(), grades)
    if side:
        return f"{SIGNS[side]}{rest}"
    return text if text in grades else objective_value(text)


def _nearest_entries(near: Nearest, problem: Problem) -> Entries:
    return {
        "id": near.id,
        "parameters": in_words(near.parameters),
        "outcomes": _numbers(near.outcomes, problem),
        "line": near.line,
    }


def remark_entries(remark: Remark) -> Entries:
    """Return what is kept of an evaluation beside its results, as far as there is any of it."""
    return {key: value for key, value in remark._asdict().items() if value not in ("", None)}


def upcoming_entries(upcoming: Upcoming) -> Entries:
    """Return where the search goes next: in words, what chose it, and the cell by parameter."""
    return {
        "words": upcoming.text,
        "kind": upcoming.kind,
        "id": upcoming.id,
        "cell": upcoming.cell,
        "error": upcoming.error or None,
    }


def campaign_entries(campaign: CampaignStanding) -> Entries:
    """Return what is known of a campaign; null is what was not computed, or is not known yet."""
    return {
        "name": campaign.name,
        "results": campaign.results,
        "compared": campaign.compared,
        "tau": campaign.tau,
        "heard": campaign.is_heard,
        "weighs_like": campaign.weighs,
        "words": campaign.text,
    }


def level_entries(level: LevelStanding) -> Entries:
    """Return what is known of a level of fidelity; its cost is null where nobody knows it yet."""
    counts = {word: getattr(level, word) for word in ("ok", "failed", "pending")}
    cost = None if math.isnan(level.cost) else level.cost
    return {level.name: level.level, **counts, "cost": cost, "spent": level.spent}


def judge_entries(judge: Judge) -> Entries:
    """Return what is known of a judge; ``agrees`` and ``noise`` are null where no model was fitted."""
    differs = [{"judge": name, "pairs": one, "of": of} for name, (one, of) in judge.differs.items()]
    agrees = None if judge.agreement is None else {"comparisons": judge.right, "of": judge.told}
    counts = {name: getattr(judge, name) for name in ("name", "comparisons", "ties", "rankings", "both_ways")}
    scores: Entries = {"scores": judge.scores, "unscored": list(judge.unscored)} if judge.scores else {}
    return {**counts, **scores, "agrees": agrees, "noise": judge.noise, "differs": differs}


def status_entries(study: Study, status: Status, rows: int = ROWS, best: Best | None = None) -> Entries:
    """Return where a study stands; ``next`` is null where it would have to be computed.

    Args:
        study: whose status it is.
        status: what the study answered.
        rows: how many of the best evaluations.
        best: the best point; None for the status's own, which is chosen by value.
    """
    problem = study.problem
    best = best or status.best

    def point(best: Best) -> Entries:
        return {**best_entries(best, problem), "line": best.line, **remark_entries(best.remark)}

    near, outcomes = status.nearest, Entries()
    if problem.is_limited:
        outcomes = {
            "infeasible": status.infeasible,
            "nearest": None if near is None else _nearest_entries(near, problem),
        }
    ranking: Sequence[Best] = status.ranking[:rows]
    aims: Entries = {"objective": problem.objective, "goal": problem.goal}
    if problem.several:
        aims = {"objectives": [_aim_entries(problem, k) for k in range(len(problem.goals))]}
    if problem.by_priority:
        aims["trade"] = problem.trade
    if problem.has_front:
        outcomes["front"] = [point(each) for each in status.front]
    if status.campaigns:
        outcomes["campaigns"] = [campaign_entries(each) for each in status.campaigns]
    if status.levels:
        outcomes["levels"] = [level_entries(each) for each in status.levels]
    return {
        "problem": str(study.problem_path),
        **aims,
        "counts": {word: getattr(status, word) for word in (*COUNTS, "outside", "aside", "comparisons")},
        **({"judges": [judge_entries(each) for each in status.judges]} if status.judges else {}),
        **outcomes,
        "step": status.step,
        "best": None if best is None else point(best),
        "ranking": [point(best) for best in ranking],
        "history": [each if each is None or problem.several else problem.shown(each) for each in status.history],
        **({"seconds": status.took} if any(each is not None for each in status.took) else {}),
        "pending": [
            {"id": waiting.id, "parameters": in_words(waiting.parameters), "age_seconds": waiting.age}
            for waiting in status.waiting
        ],
        "next": None if status.next is None else upcoming_entries(status.next),
        "on_bound": _on_bound_entries(status.on_bound),
        "failures": [
            {
                "id": each.id,
                "parameters": in_words(each.parameters),
                "line": each.line,
                "folder": each.folder,
                **remark_entries(each.remark),
            }
            for each in status.failures
        ],
        "retry": [{"id": point.id, "parameters": in_words(point.parameters)} for point in status.again],
        "diagnostics": status.steps[-1] if status.steps else None,
        "notes": list(study.notes),
        "warnings": list(status.warnings),
    }


def _on_bound_entries(found: OnBound) -> Entries:
    return {
        "points": found.points,
        "evaluated": found.evaluated,
        "best_results": found.best,
        "parameters": {
            side.name: {
                "lower": side.lower,
                "upper": side.upper,
                "best_lower": side.best_lower,
                "best_upper": side.best_upper,
            }
            for side in found.sides
        },
    }
