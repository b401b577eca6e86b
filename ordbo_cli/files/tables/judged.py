"""What somebody found of two points, or of more of them in a ranking: rows of the comparisons."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ordbo_cli.problem.sample_ranking import Groups, ranking_pairs, ranking_weight, ranking_words
from ordbo_cli.problem.spelling import some


class Judged(NamedTuple):
    """One comparison.

    Args:
        line: where it stands in the file, from 1.
        better, worse: ids of the points; of a tie in either order.
        tie: whether both were found to be alike.
        undone: whether such a comparison is taken back.
        judge: who said so; "" is nobody in particular.
        ranking: number of the ranking that it is a part of; 0 for none.
    """

    line: int
    better: int
    worse: int
    tie: bool = False
    undone: bool = False
    judge: str = ""
    ranking: int = 0

    @property
    def words(self) -> str:
        """What was found."""
        return f"{self.better} {'as good as' if self.tie else 'over'} {self.worse}"

    @property
    def ids(self) -> tuple[int, ...]:
        """The points."""
        return self.better, self.worse

    def says(self, other: Judged) -> bool:
        """Return whether another one found the same of the same points, whoever it was."""
        same_pair = {self.better, self.worse} == {other.better, other.worse}
        return self.tie == other.tie and (same_pair if self.tie else self[1:3] == other[1:3])

    def is_part_of(self, other: Judged) -> bool:
        """Return whether another one is by the same judge, and a part of the same ranking if of any."""
        return (self.judge, self.ranking) == (other.judge, other.ranking)


class JudgedRanking(NamedTuple):
    """A ranking.

    Args:
        groups: ids of the points.
        judge: who said so; "" is nobody in particular.
        number: that its rows share.
        rows: where it stands, in file order.
    """

    groups: Groups
    judge: str = ""
    number: int = 0
    rows: tuple[Judged, ...] = ()

    @property
    def words(self) -> str:
        """What was found."""
        return ranking_words(self.groups)

    @property
    def ids(self) -> tuple[int, ...]:
        """The points, the best first."""
        return tuple(id for group in self.groups for id in group)

    @property
    def neighbours(self) -> tuple[Judged, ...]:
        """The rows that it is written as: each point and the next one."""
        pairs = ranking_pairs(self.groups)
        return tuple(self._pair(*pair) for pair in pairs[len(pairs) + 1 - len(self.ids) :])

    @property
    def pairs(self) -> list[tuple[Judged, float]]:
        """All that it says of two points, each with what that counts."""
        number = len(self.ids)
        weight = ranking_weight(number) if number > 1 else 0.0
        return [(self._pair(*pair), weight) for pair in ranking_pairs(self.groups)]

    def within(self, known: Collection[int]) -> JudgedRanking:
        """Return what it says of some points."""
        groups = (tuple(id for id in group if id in known) for group in self.groups)
        return self._replace(groups=tuple(filter(None, groups)))

    def _pair(self, better: int, worse: int, tie: bool) -> Judged:
        line = self.rows[0].line if self.rows else 0
        return Judged(line, better, worse, tie, judge=self.judge, ranking=self.number)


Answer = Judged | JudgedRanking
"""What somebody said at one time."""


def answers_of(judged: Sequence[Judged]) -> tuple[list[Answer], list[tuple[int, str]]]:
    """Return what was said at a time, in file order, and where rows of one number are no ranking.

    Such rows count as comparisons of two: that is what each of them says, whatever has become of the others.

    Args:
        judged: the comparisons that count, in file order.

    Returns:
        Answers, each in the place of its first row; and lines with what is wrong with the rankings there.
    """
    rows: dict[int, list[Judged]] = {}
    for each in judged:
        rows.setdefault(each.ranking, []).append(each)
    found = {number: _chained(some_rows) for number, some_rows in rows.items() if number}
    answers: list[Answer] = []
    told: set[int] = set()
    for each in judged:
        groups = found.get(each.ranking, "")
        if isinstance(groups, str):
            answers.append(each)
        elif each.ranking not in told:
            answers.append(JudgedRanking(groups, each.judge, each.ranking, tuple(rows[each.ranking])))
        told.add(each.ranking)
    odd = [
        (rows[number][0].line, f"{_where(rows[number])} of ranking {number}: {why}")
        for number, why in found.items()
        if isinstance(why, str)
    ]
    return answers, odd


def _where(rows: Sequence[Judged]) -> str:
    return f"line{'s' * (len(rows) > 1)} {some([each.line for each in rows], 5, counted=False)}"


def _chained(rows: Sequence[Judged]) -> Groups | str:
    """Return the ranking that some rows are, in whatever order they stand; or why they are none."""
    if len({each.judge for each in rows}) > 1:
        return "they are of several judges"
    below = {each.better: each for each in rows}
    if len(below) < len(rows) or len({each.worse for each in rows}) < len(rows):
        return "a point stands twice on one side"
    begins = below.keys() - {each.worse for each in rows}
    if len(begins) > 1:
        return "a row between them is missing"
    if not begins:
        return "they go round in a circle"
    at = begins.pop()
    groups = [[at]]
    while each := below.pop(at, None):
        at = each.worse
        if each.tie:
            groups[-1].append(at)
        else:
            groups.append([at])
    return "some of them go round in a circle" if below else tuple(map(tuple, groups))
