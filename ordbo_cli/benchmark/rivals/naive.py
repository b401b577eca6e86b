"""The naive batch: the best cells of one acquisition, as if none of them said anything about another."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.searchers import Ordinal
from ordbo_cli.errors import ExhaustedError
from ordbo_cli.problem import Number
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.next_cell import is_turn_to_explore, largest_cell, place, preferred_cell
from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.space.level_combinations import full_cells
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate, partition_of


class NaiveBatch(Ordinal):
    """Ordinal Bayesian optimisation whose batches are the cells that its acquisition ranks first."""

    def choose(self, number: int) -> list[tuple[Number, ...]]:
        """Return the points of a batch, fewer where fewer cells are open.

        Raises:
            ExhaustedError: none is.
        """
        problem = self.problem
        given = StepInput(problem, self.evaluations, fit=self.fit)
        rows = given.rows
        space = Space(problem, [evaluation.values for evaluation in self.evaluations])
        rng = np.random.default_rng([problem.seed, len(self.evaluations), Stream.NAIVE])
        with threadpool_limits(limits=1):
            surrogate = fit_surrogate(given)
            partition = partition_of(rows, rows.points, surrogate.warp, space)
            full, taken = full_cells(space, surrogate.warp), set[Cell]()
            points: list[tuple[Number, ...]] = []

            def closed(cell: Cell) -> Cell | None:
                return cell if cell in taken else full(cell)

            for after in range(len(rows.points), len(rows.points) + number):
                if is_turn_to_explore(problem.method, after, space.dimension):
                    choice = largest_cell(surrogate, partition, closed, space.shares(surrogate.warp.knots))
                else:
                    choice = preferred_cell(surrogate, partition, closed, problem.method, rng)
                if choice is None:
                    break
                taken.add(choice.cell)
                points.append(place(choice, surrogate.warp, space, problem.method, rng))
        if not points:
            raise ExhaustedError("every point of the space was tried")
        self.fit = surrogate.fit.to_dict()
        return points
