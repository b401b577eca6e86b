"""Scores of judges in a search without files: what they say of two samples each, as the files of a study have it."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ordbo_cli.errors import UsageError
from ordbo_cli.files.tables.judge_scores import score_outcome
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.sample_ranking import score_groups, score_pairs
from ordbo_cli.study.told_values import exact

Values = tuple[Number, ...]
_Sample = int | Values
"""The id of a point, or where it has none its values."""


class ScoresInMemory:
    """The scores of each judge.

    Args:
        problem: what is asked.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._said: dict[str, dict[_Sample, Decimal]] = {}
        self._points: dict[_Sample, Values] = {}

    def tell(
        self, judge: str, id: int | None, values: Values, score: object, outcomes: object, level: int | None
    ) -> None:
        """Take a score, in place of an earlier one of the judge.

        Args:
            judge: who gave it.
            id: of the sample, if it has one.
            values: of the sample.
            score: as it was told.
            outcomes: that were told beside it.
            level: of fidelity below the highest; None for the highest.

        Raises:
            UsageError: it is no score, or stands beside what a judge does not say.
        """
        if outcomes:
            raise UsageError("outcomes stand beside a judge's score", "Give them without a judge")
        if level is not None:
            raise UsageError("a point at a lower level of fidelity", "Judges score samples of the highest level")
        told = None if score is None or not isinstance(score, str | int | float | Decimal) else exact(score)
        found = score_outcome(self._problem, judge, id or 1, told)  # in memory nobody needs an id
        value = censored_value(self._problem, found.text)[0]
        assert value is not None  # it is a score
        sample: _Sample = values if id is None else id
        self._said.setdefault(judge, {})[sample] = value
        self._points[sample] = values

    def comparisons(self, others: int) -> list[Comparison]:
        """Return what the scores say.

        Args:
            others: how many comparisons there are beside.
        """
        largest_first = self._problem.goal == "maximize"
        rankings = {judge: score_groups(said, largest_first=largest_first) for judge, said in self._said.items()}
        pairs = (
            (self._points[better], self._points[worse], tie, judge, weight)
            for judge, (better, worse, tie), weight in score_pairs(rankings, others)
        )
        return [Comparison(*pair) for pair in pairs if pair[0] != pair[1]]

    def alone(self, comparisons: Iterable[Comparison], evaluations: Iterable[Evaluation]) -> list[Values]:
        """Return the samples that judges have scored who have scored no other: of these nothing is known.

        Args:
            comparisons: all that there are.
            evaluations: results, which tell something of their points.
        """
        if not self._points:
            return []
        said = {each.values for each in evaluations} | {
            point for each in comparisons for point in (each.better, each.worse)
        }
        numbered = sorted(sample for sample in self._points if isinstance(sample, int))
        points = [*(self._points[id] for id in numbered), *self._points.values()]
        return [point for point in dict.fromkeys(points) if point not in said]
