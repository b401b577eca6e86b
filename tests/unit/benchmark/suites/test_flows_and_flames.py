"""Simulators of flows, flames, cycles, kinetics and films: their answers, their failures, and the physics in them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.suites.engineering.aerofoil import LAMINAR_AEROFOIL, PanelFlow, kulfan_outline
from ordbo_cli.benchmark.suites.engineering.boundary_layer import Separated, Surface, drag_of
from ordbo_cli.benchmark.suites.engineering.chemical_clock import CHEMICAL_CLOCK, TRUTH, Rates
from ordbo_cli.benchmark.suites.engineering.combustor import AMMONIA_COMBUSTOR
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.heat_pump import HEAT_PUMP
from ordbo_cli.benchmark.suites.engineering.laser_filter import FILMS, LASER_FILTER, transmission
from ordbo_cli.problem import Level, Number
from ordbo_cli.problem.method import Method

MINE = (LAMINAR_AEROFOIL, AMMONIA_COMBUSTOR, HEAT_PUMP, CHEMICAL_CLOCK, LASER_FILTER)
EACH = pytest.mark.parametrize("problem", MINE, ids=lambda problem: problem.name)


def ready(problem: EngineeringProblem) -> EngineeringProblem:
    """The problem, where what it needs is installed."""
    if problem.missing:
        pytest.skip(f"{problem.name} needs {', '.join(problem.missing)}: {problem.install}")
    return problem


def values_of(problem: EngineeringProblem, point: Mapping[str, Level]) -> tuple[Number, ...]:
    return problem.problem(Method()).values(point)


def some_points(problem: EngineeringProblem, count: int) -> list[tuple[Number, ...]]:
    """Points all over the box."""
    box = Box(problem.problem(Method()))
    return [box.values(u) for u in np.random.default_rng(5).random((count, box.dimension))]


def at_best(problem: EngineeringProblem, **changed: Any) -> float:
    """The value at the minimiser with some parameters changed."""
    return ready(problem)(values_of(problem, {**problem.minimiser, **changed}))


@EACH
def test_the_minimiser_has_the_optimum(problem: EngineeringProblem) -> None:
    """The stated minimiser can be suggested, and has the stated value to what the simulator resolves."""
    best = values_of(problem, problem.minimiser)
    assert problem.problem(Method()).mapping(best) == dict(problem.minimiser)
    assert ready(problem)(best) == pytest.approx(problem.optimum, abs=problem.precision)
    assert problem.observe(best, 0, 1).regret == problem.precision


@EACH
def test_failures_are_nan_and_nothing_is_said(
    problem: EngineeringProblem, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    """All over the box and in its corners: numbers and NaN, no warning, no word, nothing below the best."""
    box = Box(ready(problem).problem(Method()))
    corners = map(np.array, itertools.islice(itertools.product((0.0, 1.0), repeat=box.dimension), 0, None, 7))
    values = [problem(point) for point in (*some_points(problem, 60), *map(box.values, corners))]
    successes = [value for value in values if not math.isnan(value)]
    assert 0 < len(successes) < len(values)
    assert all(math.isfinite(value) and value >= problem.optimum - problem.precision for value in successes)
    assert list(recwarn) == []
    assert capfd.readouterr() == ("", "")


@EACH
def test_an_evaluation_knows_nothing_of_those_before(problem: EngineeringProblem) -> None:
    """The same points in another order have the same values, to the last bit."""
    points = [values_of(ready(problem), problem.minimiser), *some_points(problem, 12)]
    forward, backward = [problem(point) for point in points], [problem(point) for point in reversed(points)]
    np.testing.assert_array_equal(forward, backward[::-1])


def test_the_panels_have_the_lift_of_theory() -> None:
    """A symmetrical aerofoil has no lift at no angle, and a slope of 2 pi (1 + 0.77 t)."""
    weights = [0.17, 0.16, 0.14]
    flow = PanelFlow(kulfan_outline(weights, weights))
    at_rest, slope = flow.lifts
    assert at_rest == pytest.approx(0.0, abs=1e-9)
    assert slope == pytest.approx(2 * math.pi * (1 + 0.77 * 0.12), rel=0.02)
    with pytest.raises(Separated):
        flow.surfaces(8.0)


def plate(speeds: tuple[float, float] = (1.0, 1.0)) -> Surface:
    s = np.linspace(0.01, 1.0, 100)
    return Surface(s, s, np.linspace(*speeds, 100))


def test_layers_on_a_flat_plate() -> None:
    """Laminar they have the drag of Blasius to 2%, turbulent that of Prandtl and Schlichting to 8%."""
    assert drag_of(plate(), 1e5, trip=2.0) == pytest.approx(1.328 / math.sqrt(1e5), rel=0.02)
    assert drag_of(plate(), 5e6, trip=0.0) == pytest.approx(0.455 / math.log10(5e6) ** 2.58, rel=0.08)


def test_a_layer_against_pressure_separates() -> None:
    """A laminar one bursts at a small Reynolds number, and is only tripped at a large one; a steep one always parts."""
    assert drag_of(plate((1.0, 0.8)), 5e6, trip=0.0) > 0
    with pytest.raises(Separated):
        drag_of(plate((1.0, 0.8)), 2e4, trip=2.0)
    with pytest.raises(Separated):
        drag_of(plate((1.0, 0.2)), 5e6, trip=0.0)


def test_a_flame_goes_out() -> None:
    """Too short a time in the rich stage blows it out, a leaner one melts the liner, more fuel in all the blades."""
    assert at_best(AMMONIA_COMBUSTOR, primary=0.1) > 100 * AMMONIA_COMBUSTOR.optimum
    assert math.isnan(at_best(AMMONIA_COMBUSTOR, primary=0.02))
    assert math.isnan(at_best(AMMONIA_COMBUSTOR, rich=1.35))
    assert math.isnan(at_best(AMMONIA_COMBUSTOR, lean=0.45))


def test_a_heat_pump_has_a_pinch() -> None:
    """It fails where it boils above its source, condenses below its sink or sucks in drops."""
    assert math.isnan(at_best(HEAT_PUMP, boiling=35.0))
    assert math.isnan(at_best(HEAT_PUMP, ratio=2.0))
    assert math.isnan(at_best(HEAT_PUMP, superheat=2.9))
    assert math.isnan(at_best(HEAT_PUMP, refrigerant="carbon_dioxide"))


def test_a_heat_pump_is_dearer_in_the_next_pressure_class() -> None:
    """The best one is at the end of its class: a hundredth of a degree more costs nine thousand EUR a year."""
    assert at_best(HEAT_PUMP, boiling=28.36) - HEAT_PUMP.optimum == pytest.approx(9.6, abs=0.3)


def test_the_clock_runs_by_its_rates() -> None:
    """The Jacobian is that of the rates; the truth is off by the rounding, another period by far more."""
    rates, state = Rates(2.4e6, 33.6, 2.4e3, 1.0, 1.4), np.array([2e-6, 3e-6, 4e-4])
    steps = np.diag(state * 1e-6)
    slopes = [(np.array(rates(state + step)) - rates(state - step)) / (2 * step.sum()) for step in steps]
    np.testing.assert_allclose(rates.jacobian(0.0, state), np.transpose(slopes), rtol=1e-6, atol=1e-12)
    assert CHEMICAL_CLOCK.function(TRUTH) == pytest.approx(1 / math.sqrt(12), rel=0.15)
    assert CHEMICAL_CLOCK.function({**TRUTH, "kc": 1.3}) > 30
    assert CHEMICAL_CLOCK.optimum <= CHEMICAL_CLOCK.function(TRUTH)


def test_a_stack_of_quarter_waves_has_the_formula_of_the_textbook() -> None:
    """Its transmission is 4 Y / (1 + Y)^2 with the admittance Y = 1.52 (n_high / n_low)^(2 N); no film, no change."""
    high, low = FILMS["titania"], FILMS["silica"]
    wave, pairs = np.array([0.6]), 5
    n_high, n_low = float(high.index(0.6)), float(low.index(0.6))
    quarters = [0.15 / n_high, 0.15 / n_low] * pairs
    admittance = 1.52 * (n_high / n_low) ** (2 * pairs)
    for s in (True, False):
        (got,) = transmission([high, low] * pairs, quarters, wave, 0.0, s)
        assert got == pytest.approx(4 * admittance / (1 + admittance) ** 2, rel=1e-9)
        assert transmission([low], [0.0], wave, 0.0, s)[0] == pytest.approx(4 * 1.52 / 2.52**2)


def test_a_filter_cracks() -> None:
    """Layers under tension crack: magnesium fluoride upon titania cannot be thick."""
    assert math.isnan(at_best(LASER_FILTER, high="titania", low="magnesium_fluoride"))
