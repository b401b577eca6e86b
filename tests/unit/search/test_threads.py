"""Threads change the time of a step and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import Method
from ordbo_cli.search import step
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.threads import SINGLE, Part, Result, ThreadPool, thread_pool
from tests.unit.search.conftest import evaluations, random_study, unit_problem


class Backwards(ThreadPool):
    """Threads of which the one with the last part is always the first."""

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        return [work(part) for part in reversed(parts)][::-1]


@contextmanager
def backwards(threads: int) -> Iterator[ThreadPool]:
    """Offer them, linear algebra kept at one thread as ever."""
    with thread_pool(1):
        yield Backwards()


def test_results_come_in_the_order_of_the_parts() -> None:
    """Whoever is ready first."""
    late = threading.Event()

    def work(part: int) -> int:
        if part:
            late.set()
        else:
            assert late.wait(20)
        return 10 * part

    with thread_pool(2) as pool:
        assert pool.map(work, range(5)) == [0, 10, 20, 30, 40]
    assert SINGLE.map(lambda part: 10 * part, range(5)) == [0, 10, 20, 30, 40]


def test_one_thread_is_the_callers_own() -> None:
    """No other is started, and a part alone needs none."""
    with thread_pool(1) as pool:
        assert pool.map(lambda _: threading.get_ident(), range(3)) == [threading.get_ident()] * 3
    with thread_pool(4) as pool:
        assert pool.map(lambda _: threading.get_ident(), [0]) == [threading.get_ident()]


def test_an_error_in_a_thread_is_the_callers() -> None:
    """It is raised, and the threads end."""
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError), thread_pool(3) as pool:
        pool.map(lambda part: 1 / part, [1, 0, 2])
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 3])
def test_linear_algebra_keeps_to_one_thread(threads: int) -> None:
    """In each of the threads, until the work is done."""

    def most(_: int) -> int:
        return max(int(each["num_threads"]) for each in threadpool_info() if each["user_api"] == "blas")

    with threadpool_limits(limits=2):
        before = most(0)
        with thread_pool(threads) as pool:
            assert pool.map(most, range(6)) == [1] * 6
            assert most(0) == 1
        assert most(0) == before


def test_the_first_to_leave_does_not_lift_the_limit_of_the_others() -> None:
    """A run makes proposals in one thread while another one asks."""

    def most() -> int:
        return max(int(each["num_threads"]) for each in threadpool_info() if each["user_api"] == "blas")

    with threadpool_limits(limits=2), ExitStack() as later:
        before = most()
        with thread_pool(1):
            later.enter_context(thread_pool(2))
        assert most() == 1
        later.close()
        assert most() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "pending"),
    [({}, 0), ({}, 40), ({"acquisition": "ei"}, 0), ({"acquisition": "thompson"}, 0), ({"explore_every": 1}, 0)],
    ids=str,
)
def test_the_point_does_not_depend_on_the_number_of_threads(
    settings: dict[str, Any], pending: int, quick: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit for bit, nor on who is ready first: several blocks of candidates, and cells that are passed over."""
    problem = unit_problem(3, replace(quick, iterations=8, **settings))
    X, y = random_study(160, 3, seed=6)
    rows, out = evaluations(X, y), [tuple(x) for x in random_study(pending, 3, seed=7)[0]]
    fit = propose(StepInput(problem, rows, [], 160)).fit
    answers = [propose(StepInput(problem, rows, out, 160 + pending, fit), threads=threads) for threads in (1, 2, 5)]
    monkeypatch.setattr(step, "thread_pool", backwards)
    answers.append(propose(StepInput(problem, rows, out, 160 + pending, fit)))
    assert all(answer == answers[0] for answer in answers)


def test_candidates_are_valued_in_the_same_blocks_by_any_number_of_threads(
    quick: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread takes the blocks one after the other, several share them."""
    values = LowerConfidenceBound.values
    blocks: list[tuple[int, int]] = []

    def noted(acquisition: LowerConfidenceBound, s: Array) -> Array:
        blocks.append((len(s), threading.get_ident()))
        return values(acquisition, s)

    monkeypatch.setattr(LowerConfidenceBound, "values", noted)
    problem = unit_problem(3, replace(quick, iterations=8))
    rows = evaluations(*random_study(160, 3, seed=6))
    fit = propose(StepInput(problem, rows, [], 160)).fit
    sizes, threads = [], []
    for number in (1, 3):
        blocks.clear()
        propose(StepInput(problem, rows, [], 160, fit), threads=number)
        sizes.append(sorted(size for size, _ in blocks))
        threads.append({thread for _, thread in blocks})
    assert sizes[0] == sizes[1]
    assert sizes[0][-2] > 100  # at least two blocks of candidates
    assert threads[0] == {threading.get_ident()}
    assert len(threads[1]) > 1


@pytest.mark.parametrize("samples", [3, 50])
def test_joint_samples_do_not_depend_on_the_number_of_threads(
    samples: int, quick: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their random numbers are drawn before they are shared out."""
    method = replace(quick, iterations=8, acquisition="thompson", samples=samples, partition="exhaustive")
    rows = evaluations(*random_study(30, 1, seed=6))
    problem = unit_problem(1, method)
    points = {propose(StepInput(problem, rows, [], 30), threads=threads).values for threads in (1, 2, 5)}
    monkeypatch.setattr(step, "thread_pool", backwards)
    points.add(propose(StepInput(problem, rows, [], 30)).values)
    assert len(points) == 1
