"""How much each method changes when it sees the same problems through a distortion.

Ratios are those of :mod:`ordbo_cli.benchmark.scoring.scores`, of a method's regret to its own on the problems as they
are: geometric means over problems, bootstrap intervals over seeds. Points are compared where the problem is as it is,
those of a run with those of the run with the same seed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.benchmark.distortions.distorted import AT, Distorted, twin_of
from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.scoring.results import Results
from ordbo_cli.benchmark.scoring.scores import Ratio, ratio
from ordbo_cli.problem.method import Method

ROUNDING: Final = 1e-6  # of the box: what a distortion of the parameters may leave of a point


@dataclass(frozen=True)
class Change:
    """What became of one method under one distortion.

    Args:
        distortion: its name, several joined by @.
        method: the method.
        cumulative, simple: ratios of its regret to its own without the distortion.
        runs: how many there are.
        same: those of them all of whose points are the same, bit for bit.
        rounded: those of them all of whose points are the same but for rounding.
    """

    distortion: str
    method: str
    cumulative: Ratio
    simple: Ratio
    runs: int
    same: int
    rounded: int


@dataclass(frozen=True)
class _Pair:
    """A distorted problem, and what it is compared with."""

    subject: Distorted
    twin: str


def changes(subjects: Sequence[object], found: Results, runs: Mapping[RunKey, Sequence[RunRecord]]) -> list[Change]:
    """Return how much each method changes: by distortion, then the one that changes least first.

    Args:
        subjects: what was minimised; a distorted one counts if what it is compared with is among them.
        found: the regrets of the experiment.
        runs: its records.
    """
    there = set(found.problems)
    pairs: dict[str, list[_Pair]] = {}
    for subject in subjects:
        if isinstance(subject, Distorted) and (twin := twin_of(subject).name) in there - {subject.name}:
            pairs.setdefault(AT.join(subject.chain), []).append(_Pair(subject, twin))
    return [
        change
        for label, of_it in pairs.items()
        for change in sorted((_change(label, of_it, method, found, runs) for method in found.methods), key=_size)
    ]


def _size(change: Change) -> float:
    return abs(math.log(change.cumulative.value))


def _change(
    label: str, pairs: Sequence[_Pair], method: str, found: Results, runs: Mapping[RunKey, Sequence[RunRecord]]
) -> Change:
    names = [(pair.subject.name, pair.twin) for pair in pairs]
    cumulative = [(found.cumulative(mine, method), found.cumulative(twin, method)) for mine, twin in names]
    simple = [(found.simple(mine, method), found.simple(twin, method)) for mine, twin in names]
    away = [
        _away(pair, runs[key], runs[key._replace(problem=pair.twin)])
        for pair in pairs
        for key in _keys(pair, method, runs)
    ]
    return Change(
        distortion=label,
        method=method,
        cumulative=ratio(cumulative, geometric=False),
        simple=ratio(simple, geometric=True),
        runs=len(away),
        same=sum(distance == 0 for distance in away),
        rounded=sum(0 < distance < ROUNDING for distance in away),
    )


def _keys(pair: _Pair, method: str, runs: Mapping[RunKey, Sequence[RunRecord]]) -> list[RunKey]:
    return [key for key in runs if (key.problem, key.method) == (pair.subject.name, method)]


def _away(pair: _Pair, mine: Sequence[RunRecord], twins: Sequence[RunRecord]) -> float:
    """Return the largest distance along an axis of the box between points of two runs, 0 only if all are the same."""
    here, there = [pair.subject.true(record.x) for record in mine], [record.x for record in twins]
    if here == there:
        return 0.0
    box = Box(pair.subject.origin.problem(Method(), 0))
    gap = float(np.max(np.abs(np.array([box.shares(a) - box.shares(b) for a, b in zip(here, there, strict=True)]))))
    return max(gap, math.ulp(0.0))
