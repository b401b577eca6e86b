"""What does not go together among comparisons, by row: answers both ways, circles, answers against the results.

None of it is an error: who judges may err, and the model takes it as noise. But a wrong row may be mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Final

from ordbo_cli.files.tables.judged import Judged
from ordbo_cli.problem import Problem
from ordbo_cli.problem.order import order, places
from ordbo_cli.problem.several import dominates
from ordbo_cli.problem.spelling import listed, some
from ordbo_cli.study.reading.ledger import Ledger
from ordbo_cli.study.reporting.views import NOBODY

MOST_NAMED: Final = 5


def contradictions(judged: Sequence[Judged]) -> list[str]:
    """Return the pairs of which both were found to be better, in words, with who said so where anybody is named."""
    found: dict[tuple[int, int], list[Judged]] = {}
    for each in judged:
        if not each.tie:
            found.setdefault((each.better, each.worse), []).append(each)
    both = [pair for pair in found if pair[0] < pair[1] and pair[::-1] in found]
    return _some(
        f"{one} over {other} ({_lines(found[one, other])}) and {other} over {one} ({_lines(found[other, one])})"
        for one, other in both
    )


def _lines(rows: Sequence[Judged]) -> str:
    lines = f"line{'s' * (len(rows) > 1)} {some([each.line for each in rows], MOST_NAMED, counted=False)}"
    return f"{lines}{_by(rows)}"


def _by(rows: Iterable[Judged]) -> str:
    """Return who has said something, "" where nobody is named."""
    names = list(dict.fromkeys(each.judge for each in rows))
    return f" by {listed([name or NOBODY for name in names])}" if any(names) else ""


def circles(judged: Sequence[Judged]) -> list[str]:
    """Return circles of three or more points, in words: each is broken at its newest row to find the next.

    Pairs that contradict each other alone are left out: :func:`contradictions` has them.
    """
    row: dict[tuple[int, int], Judged] = {}
    for each in judged:
        if not each.tie:
            row.setdefault((each.better, each.worse), each)
    edges = {pair: each.line for pair, each in row.items() if pair[::-1] not in row}
    found: list[str] = []
    while circle := _circle(edges):
        pairs = list(pairwise(circle))
        oldest = pairs.index(min(pairs, key=lambda pair: edges[pair]))
        pairs = pairs[oldest:] + pairs[:oldest]
        circle = [pairs[0][0], *(worse for _, worse in pairs)]
        lines = listed([str(edges[pair]) for pair in pairs])
        by = _by(row[pair] for pair in pairs)
        found.append(f"lines {lines}{by} go round in a circle: {' over '.join(map(str, circle))}")
        if len(found) > MOST_NAMED:
            return [*found[:MOST_NAMED], "and more circles"]
        del edges[max(pairs, key=lambda pair: edges[pair])]
    return found


def _circle(edges: Iterable[tuple[int, int]]) -> list[int]:
    """Return the points of a circle, the first one at the end again; none where there is no circle."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for better, worse in edges:
        sorter.add(worse, better)
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def against_results(problem: Problem, ledger: Ledger, judged: Sequence[Judged]) -> list[str]:
    """Return the comparisons that contradict the results of their points, in words."""
    seen = [each for each in ledger.seen() if each.id is not None]
    if problem.has_front:
        by_each = places(problem, [each.row.evaluation() for each in seen])
        of = {each.id: found for each, found in zip(seen, by_each, strict=True)}
        known = (each for each in judged if not each.tie and each.better in of and each.worse in of)
        wrong = [each for each in known if dominates(of[each.worse], of[each.better])]
        return _some(f"{_said(each)} says {each.words}, but {each.worse} dominates {each.better}" for each in wrong)
    found = order(problem, [each.row.evaluation() for each in seen])
    span = {each.id: ends for each, *ends in zip(seen, found.low, found.high, strict=True)}
    wrong = [
        each
        for each in judged
        if not each.tie and each.better in span and each.worse in span and span[each.better][0] > span[each.worse][1]
    ]
    return _some(f"{_said(each)} says {each.words}, but the result of {each.better} is worse" for each in wrong)


def scores_against_each_other(pairs: Sequence[Judged]) -> list[str]:
    """Return of which two samples judges' scores say the opposite, in words: who has which above the other.

    Args:
        pairs: what the scores say.
    """
    above: dict[tuple[int, int], list[str]] = {}
    for each in pairs:
        if not each.tie:
            above.setdefault((each.better, each.worse), []).append(each.judge)
    both = [(one, other) for one, other in above if one < other and (other, one) in above]
    return _some(
        f"{listed(above[one, other])} scored {one} above {other}, {listed(above[other, one])} {other} above {one}"
        for one, other in both
    )


def scores_against_comparisons(pairs: Sequence[Judged], judged: Sequence[Judged]) -> list[str]:
    """Return the comparisons that contradict the scores of the same judge, in words.

    Args:
        pairs: what the scores say.
        judged: the comparisons.
    """
    above = {(each.judge, each.better, each.worse) for each in pairs if not each.tie}
    wrong = (each for each in judged if not each.tie and (each.judge, each.worse, each.better) in above)
    return _some(
        f"{each.judge} scored {each.worse} above {each.better}, and says {each.words} in a comparison ({_said(each)})"
        for each in wrong
    )


def _said(judged: Judged) -> str:
    where = f"the ranking in line {judged.line}" if judged.ranking else f"line {judged.line}"
    return f"{where}{_by([judged])}"


def _some(found: Iterable[str]) -> list[str]:
    """Return some of the findings, and how many others there are."""
    words = list(found)
    more = len(words) - MOST_NAMED
    return words if more <= 0 else [*words[:MOST_NAMED], f"and {more} more like {'this' if more == 1 else 'these'}"]
