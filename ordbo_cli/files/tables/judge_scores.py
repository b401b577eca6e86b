"""Scores of judges: rows of the evaluations that name who judged, each on a scale of the judge's own.

The scores of one judge are compared with each other only, and by their order alone: they are one ranking of his
samples, in which equal scores are ties. The last score of a sample counts. To the study itself such a row says no more
than that there is the point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ordbo_cli.errors import UsageError
from ordbo_cli.files.tables.judged import Judged
from ordbo_cli.files.tables.table import Row
from ordbo_cli.files.values.answers import Outcome, outcome_of
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.sample_ranking import Groups, judge_name, score_groups, score_pairs, thinned_ranking
from ordbo_cli.problem.spelling import quoted

_MOST_PAIRS: Final = 10_000
_NOT_WITH_SEVERAL: Final = "Compare whole results with 'prefer' or 'rank', which take judges, too"


class Scores(NamedTuple):
    """What a judge's scores say, by their order alone.

    Args:
        judge: who gave them.
        groups: ids of the samples, the best first; those of one group have equal scores.
        lines: of the rows that count, by id.
    """

    judge: str
    groups: Groups
    lines: Mapping[int, int] = {}

    @property
    def ids(self) -> tuple[int, ...]:
        """The samples, the best first."""
        return tuple(id for group in self.groups for id in group)

    @property
    def pairs(self) -> list[Judged]:
        """What they say of two samples each; of more than 141 samples of some pairs alone."""
        if len(self.ids) < 2:
            return []
        return [self.judged(*pair) for pair in thinned_ranking(self.groups, _MOST_PAIRS)[0]]

    def judged(self, better: int, worse: int, tie: bool) -> Judged:
        """Return a pair as a comparison, in the line of the later one of its rows."""
        return Judged(max(self.lines[better], self.lines[worse]), better, worse, tie, judge=self.judge)

    def within(self, known: Collection[int]) -> Scores:
        """Return what they say of some samples."""
        groups = (tuple(id for id in group if id in known) for group in self.groups)
        return self._replace(groups=tuple(filter(None, groups)))


def scores_of(problem: Problem, rows: Sequence[Row]) -> tuple[Scores, ...]:
    """Return the scores of each judge, in order of their first ones.

    Args:
        problem: what the study asks.
        rows: that count, in the order in which they came.
    """
    said: dict[str, dict[int, Row]] = {}
    for row in rows:
        if row.judge and row.id is not None and not row.aside and row.level is None:
            said.setdefault(row.judge, {})[row.id] = row
    return tuple(
        Scores(
            judge,
            score_groups(
                {id: row.objective for id, row in of_id.items() if row.objective is not None},
                largest_first=problem.goal == "maximize",
            ),
            {id: row.line for id, row in of_id.items()},
        )
        for judge, of_id in said.items()
    )


def weighed_scores(scored: Sequence[Scores], others: int) -> Iterator[tuple[Judged, float]]:
    """Yield what scores say of two samples each, with what that counts: so many pairs as the model sees at most.

    Args:
        scored: of each judge.
        others: how many comparisons there are beside.
    """
    by_judge = {each.judge: each for each in scored}
    for judge, pair, weight in score_pairs({each.judge: each.groups for each in scored}, others):
        yield by_judge[judge].judged(*pair), weight


def score_fault(
    problem: Problem, judge: str, id: int | None, *, of_campaign: bool, others: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a score, and what to do about it.

    Args:
        problem: what the study asks.
        judge: who gave it.
        id: of the sample.
        of_campaign: whether its row is one of another source.
        others: outcomes that stand beside it.
    """
    try:
        judge_name(judge)
    except UsageError as error:
        yield error.message, error.hint
    if problem.several:
        yield f"{quoted(judge)} scores a sample of several objectives, which is not supported", _NOT_WITH_SEVERAL
    elif of_campaign:
        hint = "Leave the campaign or the judge out: each is a scale of its own"
        yield f"the row is a score of {quoted(judge)} and a result of another campaign", hint
    elif others:
        yield f"{others[0]} stands beside a score of {quoted(judge)}", "Give it in a row without a judge"
    if id is None:
        yield f"{quoted(judge)} scores a sample without an id", "Give the id of the sample in a column 'id'"


def score_outcome(problem: Problem, judge: str, id: int | None, score: Number | str | None) -> Outcome:
    """Return a score that is told as what became of a point.

    Raises:
        UsageError: it is none; there is no id; the problem has several objectives.
    """
    for message, hint in score_fault(problem, judge, id, of_campaign=False):
        raise UsageError(message, hint)
    found = outcome_of(replace(problem, outcomes=(), enough=None), "failed" if score is None else score)
    if found.status != "ok" or censored_value(problem, found.text)[1]:
        raise UsageError("a judge gives a score", f"Give {problem.objective}=VALUE: a failure or a limit is none")
    return found
