"""The parts of the space, one for each choice of the levels that have no order: in each, the box is searched.

A part fixes the level of every categorical parameter, and with them which parameters count. What does not count is
held at its lowest value, so that points which act alike are one point. A space without categorical parameters is one
part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Problem
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.cells.partition import Cell, Closed, Partition
from ordbo_cli.search.latent_axes import FittedWarp, LatentAxes
from ordbo_cli.search.minimise import blockwise
from ordbo_cli.search.space.feasible_space import ConstrainedSpace
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_record import Edges
from ordbo_cli.search.step_rows import Rows
from ordbo_cli.search.surrogate import Surrogate, partition_of
from ordbo_cli.search.threads import ThreadPool

Held = tuple[Number, ...]  # a value for each free parameter, of which levels and what does not count are held

MOST_PARTS: Final = 4096  # that are all looked at; of more, those near the best rows and some at random
_RANDOM: Final = 1000  # of these
_BEST: Final = 5  # rows whose levels are changed one by one
_LOOKS: Final = (4, 64)  # at each part before the leading ones are searched, fewest and most
_ALL_LOOKS: Final = 16_384


def full_cells(space: Space, warp: FittedWarp) -> Closed:
    """Close the cells whose every point was tried."""
    return lambda cell: None if space.has_room(*cell.edges(warp.knots)) else cell


def either(one: Closed, other: Closed) -> Closed:
    """Close what one of two closes."""
    return lambda cell: one(cell) or other(cell)


def awaited_cells(rows: Rows, space: Space, warp: FittedWarp) -> Closed | None:
    """Close the cells, as the evaluated rows make them, that hold a pending point; None where that is all of them.

    So the points of a batch, and those that are simulated at one time, lie in a cell each.
    """
    evaluated = partition_of(rows, [*rows.elsewhere, *rows.known], warp, space)
    X = space.inputs(rows.pending)
    inside = X[np.all((space.low <= X) & (space.high >= X), axis=1)]
    taken = {evaluated.cell_at(interval) for interval in warp.below(inside)}

    def closed(cell: Cell) -> Cell | None:
        around = evaluated.cell_at(np.array(cell.lower))
        return around if around in taken else None

    return closed if not taken or evaluated.size(len(taken)) > len(taken) else None


@dataclass(frozen=True)
class Part:
    """A part of the space, with what is known along its axes.

    Args:
        space: its axes, everything else held.
        surrogate: the fitted model along them.
        rows: that make its cells.
        partition: its cells.
    """

    space: Space
    surrogate: Surrogate
    rows: Rows
    partition: Partition

    @classmethod
    def of(cls, space: Space, latent_axes: LatentAxes, surrogate: Surrogate, rows: Rows, held: Held) -> Part:
        """Return a part.

        Args:
            space: of all parameters.
            latent_axes: of the model.
            surrogate: the fitted model.
            rows: that it is fitted to, and the pending ones.
            held: its levels.
        """
        here = at(space, held)
        if not latent_axes.aside:
            return cls(here, surrogate, rows, partition_of(rows, rows.points, surrogate.warp, here))
        along, some = surrogate.at(here, latent_axes), rows.at(here)
        return cls(here, along, some, partition_of(some, some.points, along.warp, here))

    def edges(self, cell: Cell) -> Edges:
        """Return a cell's lower and upper edge by free parameter, inside; equal ones where the parameter is held."""
        edges = [(float(x), float(x)) for x in self.space.held]
        for k, a, b in zip(self.space.columns, *cell.edges(self.surrogate.warp.knots), strict=True):
            edges[k] = (float(a), float(b))
        return tuple(edges)

    @property
    def full(self) -> Closed:
        """Closes the cells whose every point was tried."""
        return full_cells(self.space, self.surrogate.warp)

    @property
    def closed(self) -> Closed | None:
        """Closes these, and the cells in which a result is awaited; None where that is all of them."""
        awaited = awaited_cells(self.rows, self.space, self.surrogate.warp)
        return None if awaited is None else either(awaited, self.full)

    @cached_property
    def inside(self) -> Array:
        """The distinct rows that lie in this part, by their values on its axes [R, D]."""
        return np.unique(self.space.inputs([x for x in self.rows.points if self.space.contains(x)]), axis=0)


def at(space: Space, held: Held) -> Space:
    """Return the space of what counts and has an order at given levels."""
    problem = space.problem
    if not problem.categorical:
        return space
    counts = problem.active(held)
    return space.on([k for k, on in enumerate(counts) if on and k not in problem.categorical], held)


def held_at(problem: Problem, point: Sequence[Number]) -> Held:
    """Return the part that holds a point."""
    lowest = [parameter.low for parameter in problem.free]
    for k in problem.categorical:
        lowest[k] = int(point[k])
    return problem.canonical(lowest)


def every_part(problem: Problem) -> Iterator[Held]:
    """Yield every part once."""
    seen: set[Held] = set()
    for levels in product(*(range(len(problem.free[k].levels)) for k in problem.categorical)):
        point = [parameter.low for parameter in problem.free]
        for k, level in zip(problem.categorical, levels, strict=True):
            point[k] = level
        held = problem.canonical(point)
        if held not in seen:
            seen.add(held)
            yield held


def some_parts(problem: Problem, best_first: Iterable[Sequence[Number]], rng: np.random.Generator) -> list[Held]:
    """Return all parts; of very many, those of the rows, those a level away from the best rows, and some at random."""
    if not problem.categorical:
        return [tuple(parameter.low for parameter in problem.free)]
    found = list(islice(every_part(problem), MOST_PARTS + 1))
    if len(found) <= MOST_PARTS:
        return found
    counts = [len(problem.free[k].levels) for k in problem.categorical]
    points = list(best_first)
    near = [
        (*point[:k], level, *point[k + 1 :])
        for point in map(tuple, points[:_BEST])
        for k, count in zip(problem.categorical, counts, strict=True)
        for level in range(count)
    ]
    random = np.zeros((_RANDOM, len(problem.free)))
    random[:, problem.categorical] = rng.integers(0, counts, (_RANDOM, len(counts)))
    return list(dict.fromkeys(held_at(problem, point) for point in (*points, *near, *random.tolist())))


def has_room(space: Space) -> bool:
    """Return whether any point was not tried."""
    problem = space.problem
    if not problem.categorical:
        return not space.exhausted
    if isinstance(space, ConstrainedSpace):
        if any(tuple(map(float, problem.canonical(x))) not in space.tried for x in space.sample):
            return True  # parts may be more than anybody counts, the first of them all infeasible
        return any(not at(space, held).exhausted for held in every_part(problem))
    parts = list(islice(every_part(problem), len(space.tried) + 1))
    return len(parts) > len(space.tried) or any(not at(space, held).exhausted for held in parts)


def leading_first(
    parts: Sequence[Held],
    acquisition: Acquisition,
    latent_axes: LatentAxes,
    surrogate: Surrogate,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> list[Held]:
    """Return parts by the lowest value that a few looks into each find, the lowest first.

    Args:
        parts: at least one.
        acquisition: along all axes of the model.
        latent_axes: of the model.
        surrogate: the fitted model.
    """
    if len(parts) == 1:
        return list(parts)
    box = surrogate.warp.box
    low, high = box.edges(surrogate.warp.coordinates)
    looks = int(np.clip(_ALL_LOOKS // len(parts), *_LOOKS))
    best = surrogate.posterior.S[np.argsort(surrogate.means, kind="stable")[: looks // 2], : len(low)]
    along = np.vstack([np.clip(best, low, high), low + (high - low) * rng.random((looks - len(best), len(low)))])
    gaps = np.array([places[-1] for places in surrogate.fit.coordinates[len(low) :]])
    held = latent_axes.encoded(parts)[:, len(low) :] * gaps
    s = np.hstack([np.tile(along, (len(parts), 1)), np.repeat(held, len(along), axis=0)])
    _hold_what_does_not_count(s, parts, len(along), latent_axes, low)
    values = blockwise(acquisition, s, pool).reshape(len(parts), -1).min(axis=1)
    return [parts[k] for k in np.argsort(values, kind="stable")]


def _hold_what_does_not_count(s: Array, parts: Sequence[Held], looks: int, latent_axes: LatentAxes, low: Array) -> None:
    """Set the coordinates of parameters that do not count to those of their lowest values, in place."""
    problem = latent_axes.problem
    if not any(parameter.when for parameter in problem.free):
        return
    counts = np.array([problem.active(held) for held in parts])[:, latent_axes.ordered]
    idle = np.repeat(~counts, looks, axis=0)
    ordered = s[:, : len(low)]
    ordered[idle] = np.broadcast_to(low, ordered.shape)[idle]
