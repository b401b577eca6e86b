"""Draws of the latent prior as test problems: their distribution, their warp, their noise and their optimum."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from ordbo_cli.benchmark.suites import latent
from ordbo_cli.benchmark.suites.latent import LATENT_PROBLEMS, SIGMA, LatentProblem, prior_draw
from ordbo_cli.benchmark.suites.suite import GROUPS, problem, problems
from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.method import PRESETS, GapPrior

pytestmark = pytest.mark.slow

EACH = pytest.mark.parametrize("subject", LATENT_PROBLEMS, ids=lambda subject: subject.name)
ONE, TWO, FOUR = LATENT_PROBLEMS


@pytest.mark.parametrize("dimension", [1, 2, 4])
def test_draws_have_the_covariance_of_the_prior(dimension: int) -> None:
    """Over 2000 draws: zero mean, unit variance, and Matern 3/2 between points near and far."""
    direction = np.ones(dimension) / math.sqrt(dimension)
    S = np.array([0.0, 0.3, 1.0, 3.0])[:, None] * direction
    rng = np.random.default_rng(1)
    values = np.array([prior_draw(dimension, rng).values(S) for _ in range(2000)])
    error = 4.0 * math.sqrt(2.0 / 2000)
    np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=error)
    np.testing.assert_allclose(values.T @ values / 2000, KERNELS["matern32"].value(distances(S, S)), atol=error)


@EACH
def test_the_latent_box_is_the_one_that_the_method_expects(subject: LatentProblem) -> None:
    """Its lengths are T = 5 sqrt(2 / D), and the warp maps the bounds of the parameters to its ends."""
    draw = subject.draw(0)
    np.testing.assert_allclose(draw.lengths, np.full(subject.dimension, 5 * math.sqrt(2 / subject.dimension)))
    assert draw.lengths[0] == GapPrior().latent_length(subject.dimension)
    ends = draw.latent(np.array([[0.0] * subject.dimension, [1.0] * subject.dimension]))
    np.testing.assert_array_equal(ends, [np.zeros(subject.dimension), draw.lengths])


@EACH
def test_the_warp_is_increasing_bent_and_inverted(subject: LatentProblem) -> None:
    """On every axis and for several seeds, and far from a line: by eight hundredths of the length somewhere."""
    x = np.linspace(0.0, 1.0, 401)[:, None] * np.ones(subject.dimension)
    for seed in range(6):
        draw = subject.draw(seed)
        s = draw.latent(x)
        assert np.all(np.diff(s, axis=0) > 0.0)
        assert np.all(np.abs(s / draw.lengths - x).max(axis=0) > 0.08)
        sizes = np.exp(np.abs(np.log(draw.powers)))
        assert np.all((sizes >= 1.75) & (sizes <= 2.5))  # a power nearer to 1 may bend an axis too little
        np.testing.assert_allclose(draw.parameters(s), x, atol=1e-12)


def test_seeds_differ_and_repeat() -> None:
    """Function, warp and optimum are others for another seed, and the same for the same one in another process."""
    first, second = TWO.draw(0), TWO.draw(1)
    assert np.all(first.powers != second.powers)
    assert first.lowest != second.lowest
    assert first.value((0.3, 0.6)) != second.value((0.3, 0.6))
    latent._drawn.cache_clear()
    again = TWO.draw(0)
    assert again is not first
    assert again is TWO.draw(0)
    np.testing.assert_array_equal(again.powers, first.powers)
    assert (again.lowest, again.value((0.3, 0.6))) == (first.lowest, first.value((0.3, 0.6)))


@pytest.mark.parametrize(("subject", "side"), [(ONE, 20_001), (TWO, 181), (FOUR, 13)], ids=["1d", "2d", "4d"])
def test_no_look_of_a_dense_grid_is_beyond_the_extremes(subject: LatentProblem, side: int) -> None:
    """Neither below the optimum nor above the highest value, for several seeds; the optimum is inside the box."""
    axis = np.linspace(0.0, 1.0, side)
    grid = np.array(list(itertools.product(axis, repeat=subject.dimension))) * subject.lengths
    for seed in range(2):
        draw = subject.draw(seed)
        values = np.concatenate([draw.function.values(block) for block in np.array_split(grid, 40)])
        assert draw.lowest <= values.min() + 1e-9
        assert draw.highest >= values.max() - 1e-9
        assert np.all((draw.minimiser >= 0.0) & (draw.minimiser <= draw.lengths))
        assert values.min() - draw.lowest < 0.3 * (draw.highest - draw.lowest)


@EACH
def test_an_evaluation_by_hand(subject: LatentProblem) -> None:
    """What is told is the warped value with its noise; regret is that of the latent value without it."""
    x = np.linspace(0.2, 0.9, subject.dimension)
    draw = subject.draw(2)
    seen = [subject.observe(x.tolist(), 2, number) for number in range(1, 400)]
    f = draw.function.values(draw.latent(x)[None, :])[0]
    assert {one.regret for one in seen} == {f - draw.lowest}
    noise = np.array([math.asinh(one.y) for one in seen if one.y is not None]) / 3.0 - f
    assert len(noise) == 399
    assert noise.mean() == pytest.approx(0.0, abs=4.0 * SIGMA / math.sqrt(399))
    assert noise.std() == pytest.approx(SIGMA, rel=4.0 / math.sqrt(2 * 399))


def test_noise_follows_from_seed_and_number() -> None:
    """The same evaluation gives the same number, another one another."""
    x = (0.4, 0.7)
    assert TWO.observe(x, 3, 7) == TWO.observe(x, 3, 7)
    assert TWO.observe(x, 3, 7).y != TWO.observe(x, 3, 8).y
    shift = [math.asinh(TWO.observe(x, seed, 7).y or 0.0) / 3.0 - TWO.draw(seed).value(x) for seed in (3, 4)]
    assert abs(shift[0] - shift[1]) > 1e-3


@EACH
def test_the_regret_of_the_optimum_is_the_precision(subject: LatentProblem) -> None:
    """Its parameters, by the inverse of the warp, have the lowest value."""
    draw = subject.draw(1)
    x = draw.parameters(draw.minimiser)
    assert draw.value(x) == pytest.approx(draw.lowest, abs=1e-9)
    assert subject.observe(x.tolist(), 1, 1).regret == pytest.approx(subject.precision, abs=1e-9)
    high = dataclasses.replace(subject, precision=100.0)
    assert high.observe(x.tolist(), 1, 1).regret == 100.0


def test_the_question_to_an_optimiser() -> None:
    """Parameters from 0 to 1, noise, a minimum; nothing of the warp."""
    question = TWO.problem(PRESETS["metric-free"], 5)
    assert question.parameters == (Parameter("x1", 0.0, 1.0), Parameter("x2", 0.0, 1.0))
    assert (question.noise, question.goal, question.seed) == (True, "minimize", 5)
    assert question.method == PRESETS["metric-free"]


def test_the_group_of_the_suite() -> None:
    """They have names and a group, and are no part of all; a picture of one function cannot be asked for."""
    assert problems(["latent"]) == LATENT_PROBLEMS
    assert problems(["latent_4d,latent_1d"]) == (FOUR, ONE)
    assert not set(GROUPS["latent"]) & set(GROUPS["all"])
    with pytest.raises(UsageError, match="latent_4d"):
        problems(["latent_3d"])
    with pytest.raises(UsageError, match="no problem 'latent_1d'"):
        problem("latent_1d")
