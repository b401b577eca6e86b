"""What is on file of a method or a problem that cannot take part in ``ordbo benchmark``, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ordbo_cli.benchmark.records import RunKey
    from ordbo_cli.benchmark.runs import Run


def held(runs: Sequence[Run], known: Iterable[RunKey], lacking: int) -> str:
    """Return which seeds and lengths are on file of what cannot take part, and how much of it is not.

    Args:
        runs: all of a method, or all on a problem.
        known: all that is on file.
        lacking: how many of the runs are not.
    """
    pairs = {(run.key.problem, run.key.method) for run in runs}
    alike: dict[tuple[int, int], list[RunKey]] = defaultdict(list)
    for key in known:
        if (key.problem, key.method) in pairs:
            alike[key.total, key.initial].append(key)
    lengths = [
        _seeds_in_words({key.seed for key in keys})
        + f" of {total} evaluations"
        + (f" ({initial} of them initial)" if initial != runs[0].initial else "")
        + _part({(key.problem, key.method) for key in keys}, pairs)
        for (total, initial), keys in sorted(alike.items())
    ]
    told = f"The records hold {' and '.join(lengths)}" if lengths else ""
    some = f"{lacking} of its {len(runs)} runs are not on file" if lacking < len(runs) else ""
    return "; ".join(filter(None, (told, some)))


def _part(some: Collection[tuple[str, str]], pairs: Collection[tuple[str, str]]) -> str:
    """Return on how many of a method's problems, or by how many of a problem's methods; nothing if on all."""
    if len(some) == len(pairs):
        return ""
    one_problem = len({problem for problem, _ in pairs}) == 1
    return f" {'by' if one_problem else 'on'} {len(some)} of {len(pairs)} {'methods' if one_problem else 'problems'}"


def _seeds_in_words(seeds: Collection[int]) -> str:
    """Return seeds as "seed 3" or "seeds 0 to 9, 12"."""
    rows = groupby(enumerate(sorted(seeds)), key=lambda placed: placed[1] - placed[0])
    runs = [[seed for _, seed in row] for _, row in rows]
    pieces = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(pieces)}"
