"""A run of ordinal Bayesian optimisation on a test problem, stopped after some evaluations to be looked at."""

from __future__ import annotations

import dataclasses

from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.searchers import Ordinal, Start
from ordbo_cli.benchmark.runs import Subject, initial_points
from ordbo_cli.problem.method import Method
from ordbo_cli.search.step_input import StepInput


def step_input_of(subject: Subject, method: Method, seed: int, evaluations: int, initial: int = 5) -> StepInput:
    """Return what is known after some evaluations of a benchmark's run with the same settings.

    Args:
        subject: what is minimised.
        method: the settings of ordinal Bayesian optimisation.
        seed: of every random choice.
        evaluations: how many, the initial ones included.
        initial: number of initial points, the two extreme corners among them.
    """
    problem = subject.problem(dataclasses.replace(method, initial=initial), seed)
    searcher = Ordinal(Start(problem, seed, initial, evaluations))
    with threadpool_limits(limits=1):
        points = initial_points(problem, initial)[:evaluations]
        for number in range(evaluations):
            values = points[number] if number < initial else searcher.ask()
            searcher.tell(values, subject.observe(values, seed, number + 1).y)
    return StepInput(problem, tuple(searcher.evaluations), step=evaluations, fit=searcher.fit)
