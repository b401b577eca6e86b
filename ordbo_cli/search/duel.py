"""The next two points to compare, where somebody can only say which of two is better.

The first is the one that is held to be the best, the second what the search would evaluate next. So what is good is
compared again and again, which a judge who errs calls for, and each comparison says something of a new point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Number
from ordbo_cli.search.prediction import incumbent
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class Duel:
    """Two points to compare.

    Args:
        first: values of the free parameters of the point that is held to be the best; a new point where none is.
        challenger: a new point but for noise and where all points were tried, with what led to it.
    """

    first: tuple[Number, ...]
    challenger: Proposal


def propose_duel(given: StepInput, *, threads: int = 1) -> Duel:
    """Return the next two points to compare; for arguments and errors see :func:`~ordbo_cli.search.step.propose`."""
    found = propose(given, threads=threads)
    try:
        first = incumbent(replace(given, fit=found.fit or given.fit)).values
    except DataError:  # nothing is known to be good yet
        after = replace(given, pending=[*given.pending, found.values], step=given.step + 1)
        return Duel(found.values, propose(after, threads=threads))
    if first == tuple(found.values):  # which noise allows
        found = propose(replace(given, fit=found.fit, avoid=[*given.avoid, first]), threads=threads)
    return Duel(first, found)
