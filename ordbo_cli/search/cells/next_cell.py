"""The cell that comes next, out of all parts of the space, what chose it, and the point inside it.

The cell is chosen by order alone; the point is placed in it by the original distances, of which order says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.order import places, ranks
from ordbo_cli.search.cells.acquisition import Acquisition, function_sample
from ordbo_cli.search.cells.front_quadratics import front_point
from ordbo_cli.search.cells.local_quadratic import best_values, quadratic_point
from ordbo_cli.search.cells.partition import Cell, Closed, Partition
from ordbo_cli.search.cells.thompson import thompson_cell
from ordbo_cli.search.cells.worth import acquisition_of, anchors_of
from ordbo_cli.search.latent_axes import FittedWarp, LatentAxes
from ordbo_cli.search.minimise import Choice, best_open_cell
from ordbo_cli.search.space.covering import covering_point
from ordbo_cli.search.space.feasible_space import ConstrainedSpace, latent_of, lowest_feasible
from ordbo_cli.search.space.level_combinations import Held, Part, held_at, leading_first, some_parts
from ordbo_cli.search.space.on_grid import OnGrids, on_grids
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_rows import Rows
from ordbo_cli.search.surrogate import Surrogate
from ordbo_cli.search.threads import SINGLE, ThreadPool

_SEARCHED: Final = 8  # parts that are searched, those that a few looks liked best
_ON_VALUES: Final = 2  # every so many steps the acquisition is minimised between values too, which tries new levels
_COMPARED: Final = 64  # parts whose largest cells are compared


@dataclass(frozen=True)
class ChosenCell:
    """The cell that was chosen.

    Args:
        kind: what chose it: ``acquire``, ``explore`` or ``spread``.
        choice: the cell, with the latent point that speaks for it.
        part: that it is a cell of.
        closed: which cells of the part were passed over.
        elsewhere: the best choice of another part that was searched; None where none was.
        point: the point itself, of all free parameters, where the cell was chosen for it; else None.
    """

    kind: Literal["acquire", "refine", "explore", "spread"]
    choice: Choice
    part: Part
    closed: Closed
    elsewhere: tuple[Choice, Part] | None = None
    point: tuple[Number, ...] | None = None


def next_cell(
    rows: Rows,
    space: Space,
    latent_axes: LatentAxes,
    surrogate: Surrogate,
    rng: np.random.Generator,
    pool: ThreadPool,
    refined: Rows | None = None,
) -> ChosenCell:
    """Return an open cell, and what chose it: the acquisition, the turn to explore, or the want of cells.

    Args:
        rows: evaluated and pending.
        space: of all parameters, with room.
        latent_axes: of the model.
        surrogate: the fitted model.
        refined: that quadratics have the order of; None for the rows.
    """
    method, parts = rows.problem.method, _Parts(rows, space, latent_axes, surrogate)
    if _all_tied(rows):
        chosen = _largest("explore", parts, rng, latent=method.is_metric_free)
    elif is_turn_to_explore(method, rows.number, len(space.held)):
        chosen = _largest("explore", parts, rng, latent=False)
    else:
        chosen = _refining(parts, refined or rows, rng) or _preferred(parts, rng, pool)
    # More points are out than there are cells: nothing yet speaks for one place against another.
    chosen = chosen or _largest("spread", parts, rng, latent=True, awaited_too=True)
    if chosen is None:
        raise RuntimeError("the space has room but every cell is closed")
    return chosen


def _all_tied(rows: Rows) -> bool:
    """Return whether there are results and all are alike: failures, or one grade.

    No place is then better than another, and an acquisition would go by the variance alone, from corner to corner.
    """
    compared = bool(rows.comparisons) and not rows.problem.has_front
    if compared or len(rows.evaluations) < 2:
        return False
    seen = places(rows.problem, rows.ranked) if rows.problem.several else ranks(rows.problem, rows.ranked)
    return len(set(seen)) < 2


class _Parts:
    """The parts of a space, made when they are looked at."""

    def __init__(self, rows: Rows, space: Space, latent_axes: LatentAxes, surrogate: Surrogate) -> None:
        self.rows, self.space, self.latent_axes, self.surrogate = rows, space, latent_axes, surrogate

    def best_first(self) -> list[tuple[float, ...]]:
        """Return the evaluated points, that of the lowest mean first."""
        data = self.surrogate.fit.data.inputs
        by_column = np.empty((len(data), len(self.space.held)))
        by_column[:, self.latent_axes.ordered] = data[:, : len(self.latent_axes.ordered)]
        at = len(self.latent_axes.ordered)
        for k in self.latent_axes.nominal:
            count = len(self.rows.problem.free[k].levels)
            by_column[:, k] = np.argmax(data[:, at : at + count], axis=1)
            at += count
        order = np.argsort(self.surrogate.fit.mean, kind="stable")
        return [tuple(x) for x in by_column[order].tolist()]

    def held(self, rng: np.random.Generator) -> list[Held]:
        problem = self.rows.problem
        return some_parts(problem, self.best_first() if problem.categorical else (), rng)

    def part(self, held: Held) -> Part:
        return Part.of(self.space, self.latent_axes, self.surrogate, self.rows, held)

    def all(self, rng: np.random.Generator) -> Iterator[Part]:
        """Yield parts, at most so many, drawn at random where there are more."""
        held = self.held(rng)
        if len(held) > _COMPARED:
            held = [held[k] for k in rng.permutation(len(held))]
        yield from map(self.part, held)


def _refining(parts: _Parts, rows: Rows, rng: np.random.Generator) -> ChosenCell | None:
    """Return the cell of the point that quadratics among the best points prefer, None where there is none."""
    space = parts.space
    best = best_values(rows) if rows.problem.method.refine else None
    if best is None:
        return None
    part = parts.part(held_at(space.problem, best))
    closed = None if part.space.exhausted else part.closed
    if closed is None:
        return None
    values = (front_point if rows.problem.has_front else quadratic_point)(rows, part, rng)
    if values is None or (isinstance(part.space, ConstrainedSpace) and not part.space.is_open(values)):
        return None
    warp, X = part.surrogate.warp, np.array([values], dtype=np.float64)
    cell = part.partition.cell_at(warp.below(X)[0])
    if closed(cell) is not None:
        return None
    choice = Choice(cell, latent_of(warp, part.space, X)[0], float("nan"))
    return ChosenCell("refine", choice, part, closed, point=part.space.point(values))


def _preferred(parts: _Parts, rng: np.random.Generator, pool: ThreadPool) -> ChosenCell | None:
    """Return the open cell that the acquisition prefers, None where all cells are closed or awaited."""
    problem, latent_axes, surrogate = parts.rows.problem, parts.latent_axes, parts.surrogate
    method = problem.method
    if not latent_axes.nominal and not problem.constraints:
        part = parts.part(parts.held(rng)[0])
        closed = part.closed
        found = closed and _preferred_in(part, closed, method, rng, pool)
        return ChosenCell("acquire", found, part, closed) if found and closed else None
    whole: Acquisition
    if method.acquisition == "thompson":
        whole = sample = function_sample(surrogate.posterior, latent_axes.dimension, rng)
    else:
        whole, sample = acquisition_of(surrogate, method), None
    candidates: list[ChosenCell] = []
    for held in leading_first(parts.held(rng), whole, latent_axes, surrogate, rng, pool):
        if len(candidates) == _SEARCHED:
            break
        part = parts.part(held)
        closed = None if part.space.exhausted else part.closed
        if closed is None:
            continue
        here = acquisition_of(part.surrogate, method) if sample is None else sample.at(*part.surrogate.held)
        choice = _lowest(here, part, closed, rng, pool)
        if choice is not None:
            candidates.append(ChosenCell("acquire", choice, part, closed))
    if not candidates:
        return None
    best, *others = sorted(candidates, key=lambda each: each.choice.value)
    elsewhere = (others[0].choice, others[0].part) if others else None
    return ChosenCell("acquire", best.choice, best.part, best.closed, elsewhere)


def _preferred_in(
    part: Part, closed: Closed, method: Method, rng: np.random.Generator, pool: ThreadPool
) -> Choice | None:
    """Return the open cell that the acquisition prefers in a part that is the whole space."""
    if method.acquisition == "thompson":
        return preferred_cell(part.surrogate, part.partition, closed, method, rng, pool)
    return _lowest(acquisition_of(part.surrogate, method), part, closed, rng, pool)


def _lowest(
    acquisition: Acquisition, part: Part, closed: Closed, rng: np.random.Generator, pool: ThreadPool
) -> Choice | None:
    """Return the open cell of a part with the lowest minimum of an acquisition, among feasible points alone."""
    space = part.space
    if isinstance(space, ConstrainedSpace) and space.axes:
        return lowest_feasible(acquisition, part.surrogate.warp, space, part.partition, closed, part.inside, rng, pool)
    seen = seen_in(part, acquisition)
    choice = lowest_cell(seen, part.surrogate, part.partition, closed, rng, pool)
    if choice is None or not isinstance(seen, OnGrids):
        return choice
    return replace(choice, s=seen.on(choice.s[None, :])[0])


def seen_in(part: Part, acquisition: Acquisition) -> Acquisition:
    """Return an acquisition as the cells of a part without constraints are compared by it."""
    on_values = part.surrogate.rows % _ON_VALUES
    return on_grids(acquisition, part.space, part.surrogate.warp) if on_values else acquisition


def _largest(
    kind: Literal["explore", "spread"],
    parts: _Parts,
    rng: np.random.Generator,
    *,
    latent: bool,
    awaited_too: bool = False,
) -> ChosenCell | None:
    """Return the largest open cell of all parts; under constraints, that of the point which covers most.

    Args:
        kind: what it is chosen for.
        parts: that are looked at.
        latent: whether volumes are those of the latent space, or by shares of the box.
        awaited_too: whether a cell in which a result is awaited is open.
    """
    covering = _covering(kind, parts)
    if covering is not None:
        return covering
    best, widest = None, -np.inf
    looked = 0
    for part in parts.all(rng):
        closed = part.full if awaited_too else part.closed
        if closed is None or part.space.exhausted:
            continue
        warp = part.surrogate.warp
        positions = warp.coordinates if latent else part.space.shares(warp.knots)
        choice = largest_cell(part.surrogate, part.partition, closed, positions)
        if choice is None:
            continue
        low, high = choice.cell.edges(positions)
        size = float(np.sum(np.log(np.maximum(high - low, np.finfo(np.float64).tiny))))
        if size > widest:
            best, widest = ChosenCell(kind, choice, part, closed), size
        looked += 1
        if looked == _COMPARED:
            break
    return best


def _covering(kind: Literal["explore", "spread"], parts: _Parts) -> ChosenCell | None:
    """Return the cell of the feasible point that covers most, None without constraints or where no look finds one."""
    space = parts.space
    point = covering_point(space, parts.rows.points) if isinstance(space, ConstrainedSpace) else None
    if point is None:
        return None
    part = parts.part(held_at(space.problem, point))
    warp, X = part.surrogate.warp, part.space.inputs([point])
    cell = part.partition.cell_at(warp.below(X)[0])
    choice = Choice(cell, latent_of(warp, part.space, X)[0], float("nan"))
    return ChosenCell(kind, choice, part, part.full, point=point)


def is_turn_to_explore(method: Method, rows: int, dimension: int) -> bool:
    """Return whether the next point goes into the largest cell, given the number of rows, pending ones included."""
    after = rows - method.initial_rows(dimension) + 1
    return bool(method.explore_every) and after % method.explore_every == 0


def preferred_cell(
    surrogate: Surrogate,
    partition: Partition,
    closed: Closed,
    method: Method,
    rng: np.random.Generator,
    pool: ThreadPool = SINGLE,
) -> Choice | None:
    """Return the open cell that the acquisition prefers, or None where all are closed."""
    warp, posterior = surrogate.warp, surrogate.posterior
    if method.acquisition == "thompson":
        return thompson_cell(posterior, warp, partition, closed, method.samples, rng, pool)
    return lowest_cell(acquisition_of(surrogate, method), surrogate, partition, closed, rng, pool)


def lowest_cell(
    acquisition: Acquisition,
    surrogate: Surrogate,
    partition: Partition,
    closed: Closed,
    rng: np.random.Generator,
    pool: ThreadPool = SINGLE,
) -> Choice | None:
    """Return the open cell with the lowest minimum of an acquisition, or None where all are closed."""
    if surrogate.warp.knots:
        return best_open_cell(acquisition, surrogate.warp, partition, closed, anchors_of(surrogate), rng, pool)
    only, s = Cell((), ()), np.zeros(0)
    return Choice(only, s, float(acquisition.values(s[None, :])[0])) if closed(only) is None else None


def largest_cell(
    surrogate: Surrogate, partition: Partition, closed: Closed, positions: tuple[Array, ...]
) -> Choice | None:
    """Return the largest open cell; of the original volume (Section 5, on mixing with metric-based strategies) or any.

    Args:
        positions: of the knots of each dimension in the units that volumes are measured in [n_j].
    """
    for cell in partition.largest(positions) if positions else [Cell((), ())]:
        if closed(cell) is None:
            low, high = cell.edges(surrogate.warp.coordinates)
            return Choice(cell, 0.5 * (low + high), float("nan"))
    return None


def place(
    choice: Choice, warp: FittedWarp, space: Space, method: Method, rng: np.random.Generator
) -> tuple[Number, ...]:
    """Return the untried point of a cell that lies closest to where the placement puts it.

    Args:
        choice: an open cell and its winning latent point.
    """
    low, high = choice.cell.edges(warp.knots)
    share = _shares(choice, warp, method, rng)
    target = space.between(low, high, share)
    if tuple(target.tolist()) in space.tried:  # a bound's corner: the double beside it would be the same point again
        target = space.between(low, high, np.clip(share, method.margin, 1.0 - method.margin))
    for j in range(len(space.axes)):
        target[j] = _in_order(space.axes[j], low[j], high[j], share[j], target[j], method)
    point = space.untried(low, high, target, choice.start)
    if point is None:
        raise RuntimeError("an open cell holds no untried point")
    return point


def _in_order(axis: Axis, low: float, high: float, share: float, target: float, method: Method) -> float:
    """Return where a point goes along one axis: on a ranked one into the middle gap, whatever the placement.

    No place in a gap can be told from another one. Where the winning point lies as near to the upper edge as a point
    may, the setting there is taken once more: the cell owns it.
    """
    if axis.parameter.type != "ranked":
        return target
    gaps = axis.gaps(low, high)
    if not gaps or (share >= 1.0 - method.margin and high < axis.high):
        return high
    return gaps[len(gaps) // 2]


def _shares(choice: Choice, warp: FittedWarp, method: Method, rng: np.random.Generator) -> Array:
    """Return how far from its lower to its upper edge the point goes, in each dimension [D]."""
    D = len(warp.knots)
    if method.placement == "random":
        return rng.random(D)
    if method.placement == "midpoint":
        return np.full(D, 0.5)
    low, high = choice.cell.edges(warp.coordinates)
    width = high - low  # 0 between pending points whose latent places are one double
    share = np.where(width > 0.0, choice.s - low, 0.5) / np.where(width > 0.0, width, 1.0)
    own_low = np.array(choice.cell.lower) == warp.box.lower  # the point may lie on the parameter's own bound
    own_high = np.array(choice.cell.upper) == warp.box.upper
    return np.clip(share, np.where(own_low, 0.0, method.margin), np.where(own_high, 1.0, 1.0 - method.margin))
