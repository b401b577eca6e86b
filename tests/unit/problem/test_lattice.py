"""The finite sets of values: exact counts, order, bounds, and look-ups that invert each other."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ordbo_cli.problem.axis import (
    DigitsLattice,
    FloatLattice,
    Lattice,
    StepLattice,
    exact,
    floor_index,
    nearest,
    nearest_index,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SHORT = st.decimals(min_value=-1000, max_value=1000, places=3).map(float)


@st.composite
def bounds(draw: st.DrawFn, numbers: st.SearchStrategy[float] = FINITE) -> tuple[float, float]:
    """Two numbers, the lower one first."""
    low, high = sorted((draw(numbers), draw(numbers)))
    return low, high


@st.composite
def step_lattices(draw: st.DrawFn) -> StepLattice:
    low, high = draw(bounds(SHORT))
    return StepLattice(low, high, float(draw(st.decimals(min_value="0.001", max_value=500, places=3))))


@st.composite
def whole_lattices(draw: st.DrawFn) -> StepLattice:
    low, high = sorted((draw(st.integers(-(10**12), 10**12)), draw(st.integers(-(10**12), 10**12))))
    return StepLattice(low, high, draw(st.integers(1, 10**6)), whole=True)


@st.composite
def digits_lattices(draw: st.DrawFn) -> DigitsLattice:
    low, high = draw(bounds())
    lattice = DigitsLattice(low, high, draw(st.integers(1, 15)))
    assume(lattice.count > 0)
    return lattice


FLOAT_LATTICES = bounds().map(lambda pair: FloatLattice(*pair))
LATTICES: st.SearchStrategy[Lattice] = st.one_of(step_lattices(), whole_lattices(), digits_lattices(), FLOAT_LATTICES)


@st.composite
def lattice_and_index(draw: st.DrawFn) -> tuple[Lattice, int]:
    lattice = draw(LATTICES)
    last = lattice.count - 1
    return lattice, draw(st.one_of(st.integers(0, last), st.sampled_from(sorted({0, last // 2, last}))))


@pytest.mark.slow
@given(lattice_and_index())
def test_values_lie_inside_the_bounds(case: tuple[Lattice, int]) -> None:
    """Every value is inside the bounds, as a double and as printed."""
    lattice, index = case
    value = lattice.value(index)
    assert lattice.low <= value <= lattice.high  # type: ignore[attr-defined]  # all three kinds have bounds
    assert exact(lattice.low) <= exact(value) <= exact(lattice.high)  # type: ignore[attr-defined]


@pytest.mark.slow
@given(lattice_and_index())
def test_values_rise_with_the_index(case: tuple[Lattice, int]) -> None:
    """A larger index is a larger value, strictly."""
    lattice, index = case
    if index + 1 < lattice.count:
        assert lattice.value(index) < lattice.value(index + 1)
    if index > 0:
        assert lattice.value(index - 1) < lattice.value(index)


@given(lattice_and_index())
def test_look_ups_invert_value(case: tuple[Lattice, int]) -> None:
    """The value of an index is found again under that index, by both look-ups."""
    lattice, index = case
    value = lattice.value(index)
    assert floor_index(lattice, value) == index
    assert nearest_index(lattice, value) == index


@given(LATTICES, FINITE)
def test_floor_is_the_largest_value_below(lattice: Lattice, x: float) -> None:
    """floor_index names the last value that is at most x, and -1 stands for none."""
    index = floor_index(lattice, x)
    assert -1 <= index < lattice.count
    assert index == -1 or lattice.value(index) <= x
    assert index == lattice.count - 1 or lattice.value(index + 1) > x


@pytest.mark.slow
@given(LATTICES, FINITE)
def test_no_neighbour_is_nearer(lattice: Lattice, x: float) -> None:
    """Neither neighbour of the nearest value is nearer, in exact arithmetic up to the rounding of a difference."""
    index = nearest_index(lattice, x)
    distance = abs(Fraction(lattice.value(index)) - Fraction(x))
    rounding = Fraction(math.ulp(max(abs(x), abs(lattice.value(index)))))
    for neighbour in (index - 1, index + 1):
        if 0 <= neighbour < lattice.count:
            assert abs(Fraction(lattice.value(neighbour)) - Fraction(x)) >= distance - rounding


@given(step_lattices())
def test_a_step_lattice_counts_in_exact_fractions(lattice: StepLattice) -> None:
    """The number of multiples is that of rational arithmetic: none is lost or invented by rounding."""
    low, high, step = (Fraction(repr(x)) for x in (lattice.low, lattice.high, lattice.step))
    assert lattice.count == (high - low) // step + 1


@pytest.mark.slow
@given(step_lattices(), st.integers(0, 50))
def test_a_step_lattice_prints_short_decimals(lattice: StepLattice, index: int) -> None:
    """A multiple of a three-place step is printed with at most three places."""
    assume(index < lattice.count)
    places = -int(exact(lattice.value(index)).normalize().as_tuple().exponent)
    assert places <= 3


@pytest.mark.slow
@given(digits_lattices(), FINITE)
def test_digits_lattices_hold_every_short_decimal_and_no_other(lattice: DigitsLattice, x: float) -> None:
    """A number between the bounds is a value exactly where it has no more digits than allowed."""
    assume(lattice.low <= x <= lattice.high and (x == 0 or abs(x) >= 1e-299))
    rounded = float(f"{x:.{lattice.digits - 1}e}")
    index = floor_index(lattice, x)
    found = index >= 0 and lattice.value(index) == x
    assert found == (rounded == x)


@pytest.mark.parametrize(("digits", "count"), [(1, 9 + 9 + 1), (2, 90 + 90 + 1), (3, 900 + 900 + 1)])
def test_two_decades_of_digits_are_counted(digits: int, count: int) -> None:
    """From 1 to 100 there are two decades of 9 * 10^(digits - 1) decimals each, and 100 itself."""
    assert DigitsLattice(1.0, 100.0, digits).count == count


def test_digits_lattices_pass_through_zero_once() -> None:
    """Around zero the values are negative ones, one zero, and as many positive ones."""
    lattice = DigitsLattice(-1.0, 1.0, 2)
    assert lattice.count % 2 == 1
    assert lattice.value(lattice.count // 2) == 0.0
    assert lattice.value(lattice.count // 2 - 1) == -lattice.value(lattice.count // 2 + 1)


@pytest.mark.parametrize("digits", range(1, 16))
def test_digits_lattices_miss_bounds_with_more_digits(digits: int) -> None:
    """A bound with more digits is left out, towards the inside, for either sign."""
    lattice = DigitsLattice(-math.pi, math.e, digits)
    assert -math.pi < lattice.value(0) <= -math.pi + 4 * 10.0**-digits * 10
    assert math.e - 3 * 10.0**-digits * 10 <= lattice.value(lattice.count - 1) < math.e


@given(bounds(st.floats(-1e3, 1e3)))
def test_float_lattices_are_all_doubles(pair: tuple[float, float]) -> None:
    """The bounds are the first and the last value, and neighbours are neighbouring doubles."""
    low, high = pair
    lattice = FloatLattice(low, high)
    assert lattice.value(0) == low
    assert lattice.value(lattice.count - 1) == high
    if lattice.count > 1:
        assert lattice.value(1) == math.nextafter(low, math.inf)


def test_float_lattices_have_one_zero() -> None:
    """Both signs of zero are one value."""
    tiny = math.ulp(0.0)
    assert [FloatLattice(-tiny, tiny).value(k) for k in range(3)] == [-tiny, 0.0, tiny]
    assert FloatLattice(-tiny, tiny).count == 3
    assert FloatLattice(-0.0, tiny).count == 2


def test_a_step_that_nearly_reaches_the_bound_does_not_pass_it() -> None:
    """A span of 1 - 1e-30 holds ten steps of 0.1 and not eleven, though 28 digits would round it up."""
    lattice = StepLattice(-1.0, -1e-30, 0.1)
    assert lattice.count == 10
    assert lattice.value(9) == -0.1


@pytest.mark.parametrize(
    "lattice",
    [StepLattice(2.0, 1.0, 0.5), DigitsLattice(1.01, 1.04, 2), FloatLattice(1.0, 0.0)],
    ids=["step", "digits", "float"],
)
def test_an_empty_lattice_has_no_nearest_value(lattice: Lattice) -> None:
    """Where no value lies between the bounds the count is 0, floor says -1 and nearest refuses."""
    assert lattice.count == 0
    assert floor_index(lattice, 1.5) == -1
    with pytest.raises(ValueError, match="empty lattice"):
        nearest_index(lattice, 1.5)


@given(LATTICES, FINITE)
def test_the_nearest_value_is_that_of_its_index(lattice: Lattice, x: float) -> None:
    """Bit for bit, minus nought among them."""
    for target in (x, -0.0):
        assert repr(nearest(lattice, target)) == repr(lattice.value(nearest_index(lattice, target)))


def test_nearest_takes_the_lower_of_two() -> None:
    """Half-way between two values the lower one is taken."""
    assert nearest_index(StepLattice(0, 10, 1, whole=True), 4.5) == 4


def test_whole_lattices_return_int() -> None:
    """An int parameter's values are Python ints, not floats."""
    value = StepLattice(-3, 9, 4, whole=True).value(2)
    assert (value, type(value)) == (5, int)


@pytest.mark.parametrize(
    ("number", "decimal"), [(0.1, "0.1"), (5e-324, "5e-324"), (10**30 + 1, str(10**30 + 1)), (1e22, "1e22")]
)
def test_exact_is_what_is_printed(number: float, decimal: str) -> None:
    """exact() is the printed decimal, with no binary tail, and all digits of an int."""
    assert exact(number) == Decimal(decimal)


@given(st.one_of(FLOAT_LATTICES, digits_lattices()), st.floats(allow_nan=False))
def test_the_floor_among_doubles_and_digits_is_that_of_halving(lattice: Lattice, x: float) -> None:
    """It is told from the number itself, the same as by halving the indices, also beyond both ends."""

    class Plain:
        def __init__(self, lattice: Lattice) -> None:
            self.count, self.value = lattice.count, lattice.value

    assert floor_index(lattice, x) == floor_index(Plain(lattice), x)
