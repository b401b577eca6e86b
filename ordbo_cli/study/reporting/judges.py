"""Who has judged: how much, how often the model agrees, and who contradicts whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ordbo_cli.files.tables.comparisons import Judgements
from ordbo_cli.files.tables.judged import Judged, JudgedRanking
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.views import Judge


def judges_of(files: StudyFiles, *, fitted: bool = True) -> tuple[Judge, ...]:
    """Return who has judged, in order of their first answers; none where nobody is named.

    Args:
        files: as they are.
        fitted: whether a model is fitted for how often it agrees; with a front there is none of comparisons.
    """
    if not files.judgements.judges:
        return ()
    judges = counted_judges(files.judgements)
    if not fitted or files.problem.has_front:
        return judges
    from ordbo_cli.search.prediction import judged_by_model

    found = judged_by_model(files.step_input())
    return tuple(replace(each, **found[each.name]._asdict()) if each.name in found else each for each in judges)


def next_judge(judges: Sequence[Judge]) -> str | None:
    """Return who should judge next; None where there are not two to choose from.

    It is who has given the fewest comparisons among those with whom the model agrees in more than half of theirs, or of
    whom that is not known; of equals who has answered first. Where it agrees with nobody so often, all are meant.

    Args:
        judges: with what the model agrees with.
    """
    named = [each for each in judges if each.name]
    if len(named) < 2:
        return None
    sound = [each for each in named if each.agreement is None or each.agreement > 0.5]
    return min(sound or named, key=lambda each: each.comparisons).name


def counted_judges(judgements: Judgements) -> tuple[Judge, ...]:
    """Return who has judged, by what the answers say alone."""
    said: dict[str, list[Judged]] = defaultdict(list, {each.judge: [] for each in judgements.scored})
    for each, _ in judgements.weighed():
        said[each.judge].append(each)
    scored = {each.judge: {*each.ids} for each in judgements.scored}
    everything = {id for ids in scored.values() for id in ids}
    views = {name: _views(answers) for name, answers in said.items()}
    for scores in judgements.scored:
        for pair, better in _views(scores.pairs).items():
            views[scores.judge][pair] |= better
    rankings = [each.judge for each in judgements.answers if isinstance(each, JudgedRanking)]
    return tuple(
        Judge(
            name,
            len(answers),
            sum(each.tie for each in answers),
            rankings.count(name),
            sum(len(view) > 1 for view in views[name].values()),
            {other: found for other in views if other != name and (found := _differing(views[name], views[other]))[1]},
            scores=len(scored.get(name, ())),
            unscored=tuple(sorted(everything - scored[name])) if name in scored else (),
        )
        for name, answers in said.items()
    )


_View = dict[frozenset[int], set[int]]
"""Which points of each pair somebody has found to be the better one."""


def _views(answers: Sequence[Judged]) -> _View:
    found: _View = defaultdict(set)
    for each in answers:
        if not each.tie:
            found[frozenset(each.ids)].add(each.better)
    return found


def _differing(one: _View, other: _View) -> tuple[int, int]:
    """Return on how many pairs two people say the opposite, and how many both have told apart."""
    both = one.keys() & other.keys()
    return sum(len(one[pair] | other[pair]) > 1 for pair in both), len(both)
