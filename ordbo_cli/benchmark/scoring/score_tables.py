"""All that is told of an experiment, worked out once for whoever prints, writes or draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ordbo_cli.benchmark.scoring.profiles import Profile, profiles
from ordbo_cli.benchmark.scoring.rankings import MethodRanking, rankings
from ordbo_cli.benchmark.scoring.results import Results
from ordbo_cli.benchmark.scoring.scores import MethodStanding, group_standings, overall_standings, standings


@dataclass(frozen=True)
class ScoreTables:
    """The tables of an experiment.

    Args:
        found: what they are made from.
        problems: a row for each budget, problem and method.
        groups: a row for each budget, group of problems and method.
        overall: a row for each budget and method: all problems together.
        profiles: the data profile of each method over all problems.
        rankings: the order of the methods over all problems at each budget, by cumulative and by simple regret.
    """

    found: Results
    problems: Sequence[MethodStanding]
    groups: Sequence[MethodStanding]
    overall: Sequence[MethodStanding]
    profiles: Sequence[Profile]
    rankings: Sequence[MethodRanking]

    @classmethod
    def of(cls, found: Results) -> ScoreTables:
        """Work them out."""
        return cls(
            found, standings(found), group_standings(found), overall_standings(found), profiles(found), rankings(found)
        )
