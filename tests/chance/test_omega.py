"""Ω_min and Ω_max: the bounds against brute force, the printed equations, and bad input."""

from fractions import Fraction

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from propeval_lite import omega_max, omega_min
from propeval_lite._checks.values import InputError

BOXES = [(5, 6, 9, 9), (3, 3, 4, 4), (7, 2, 8, 12), (1, 1, 6, 3)]
TAUS = [Fraction(1, 3), Fraction(1, 2), Fraction(4, 7), Fraction(4, 5), Fraction(1)]


def corner_box(box, corner, x, y):
    """Candidate from (x, y) to the object's last corner, or from its first corner to (x, y)."""
    return (x, y, box[2], box[3]) if corner == "min" else (box[0], box[1], x, y)


@pytest.mark.parametrize("corner", ["min", "max"])
@pytest.mark.parametrize("tau", TAUS, ids=str)
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_region_is_where_the_best_partner_hits(box, tau, corner):
    region = (omega_min if corner == "min" else omega_max)(box, tau)
    seen = 0
    for x in range(-12, 32):
        low, high = region.bounds(x)
        for y in range(-12, 32):
            candidate = corner_box(box, corner, x, y)
            has_area = candidate[0] < candidate[2] and candidate[1] < candidate[3]
            expected = has_area and naive.hits_lattice_box(box, candidate, tau.numerator, tau.denominator)
            assert region.contains(x, y) == expected
            assert expected <= bool(low - 1e-9 <= y <= high + 1e-9)
            assert bool(low + 1e-9 < y < high - 1e-9) <= expected
            seen += expected
    assert seen >= 1


@pytest.mark.parametrize("tau", [Fraction(1, 4), Fraction(1, 2), Fraction(5, 7)], ids=str)
def test_no_hit_starts_or_ends_outside(tau):
    """All candidates of an image: the corners of the hits are the lattice points of the clipped regions."""
    box, size = (3, 2, 6, 5), (8, 7)
    starts, ends = set(), set()
    for x1, x2 in naive.lattice_intervals(size[0]):
        for y1, y2 in naive.lattice_intervals(size[1]):
            if naive.hits_lattice_box(box, (x1, y1, x2, y2), tau.numerator, tau.denominator):
                starts.add((x1, y1))
                ends.add((x2, y2))
    points = [(x, y) for x in range(1, size[0] + 1) for y in range(1, size[1] + 1)]
    assert starts == {point for point in points if omega_min(box, tau).contains(*point)}
    assert ends == {point for point in points if omega_max(box, tau).contains(*point)}


@given(
    st.tuples(*[st.integers(-50, 50)] * 2, *[st.integers(1, 60)] * 2),
    st.fractions(Fraction(1, 20), 1),
    st.lists(st.floats(-3, 3), min_size=1, max_size=5),
)
def test_omega_max_is_omega_min_turned_by_half_a_turn(place, tau, steps):
    x1, y1, w, h = place
    box = (x1, y1, x1 + w, y1 + h)
    turned = (-box[2], -box[3], -box[0], -box[1])
    x = np.array(steps) * w + box[2]
    low, high = omega_max(box, tau).bounds(x)
    other_low, other_high = omega_min(turned, tau).bounds(-x)
    np.testing.assert_allclose(low, -other_high, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(high, -other_low, rtol=1e-9, atol=1e-9)


@given(st.integers(1, 200), st.integers(1, 200), st.fractions(Fraction(1, 20), 1))
def test_tips_and_the_seam(w, h, tau):
    box = (10, 20, 10 + w, 20 + h)
    region = omega_min(box, tau)
    low, high = region.bounds(np.array(region.x_range))
    np.testing.assert_allclose(low, 20, atol=1e-6)
    np.testing.assert_allclose(high, 20, atol=1e-6)
    first, second = region.pieces
    assert first.x_high == second.x_low == 10
    np.testing.assert_allclose(first.lower(10), second.lower(10))
    np.testing.assert_allclose(first.upper(10), second.upper(10))
    np.testing.assert_allclose((first.lower(10), first.upper(10)), region.y_range)


def test_printed_omega_max_is_right_and_printed_omega_min_is_not():
    box, tau = (100, 80, 300, 250), Fraction(1, 2)
    x = np.arange(200, 501)
    np.testing.assert_allclose(omega_max(box, tau, printed=True).bounds(x), omega_max(box, tau).bounds(x))
    x = np.arange(-100, 201)
    wrong = np.array(omega_min(box, tau, printed=True).bounds(x))
    right = np.array(omega_min(box, tau).bounds(x))
    assert np.isfinite(right).all()
    assert np.nanmax(np.abs(wrong - right)) > 50
    at_zero = (0, 80, 200, 250)
    x = np.arange(-200, 101)
    np.testing.assert_allclose(
        omega_min(at_zero, tau, printed=True).bounds(x), omega_min(at_zero, tau).bounds(x)
    )


def test_printed_contains_uses_the_printed_bounds():
    region = omega_min((100, 80, 300, 250), 0.5, printed=True)
    low, high = region.bounds(100.0)
    assert region.contains(100.0, (low + high) / 2)
    assert not region.contains(100.0, high + 1)


def test_bounds_keep_the_shape_and_are_nan_outside():
    region = omega_min((10, 10, 14, 12), 0.5)
    low, high = region.bounds(np.array([[5.0, 10.0], [12.0, 13.0]]))
    assert low.shape == high.shape == (2, 2)
    assert np.isnan(low).tolist() == [[True, False], [False, True]]
    assert np.isscalar(region.bounds(10)[0])
    np.testing.assert_allclose(high[1, 0], 10)


def test_polygon_runs_around_the_region():
    region = omega_max((10, 10, 14, 12), 0.5)
    outline = region.polygon(50)
    assert outline.shape == (100, 2)
    assert np.isfinite(outline).all()
    x, y = outline.T
    area = abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2
    # ∫ over a in [½, 1] of 3 − 3/(2a), and over [1, 2] of 2/a − 1/(3 − a), times w h
    np.testing.assert_allclose(area, 8 * (1.5 - 0.5 * np.log(2)), rtol=2e-3)


@pytest.mark.parametrize(
    ("box", "tau", "message"),
    [
        (
            (1, 1, 1, 5),
            0.5,
            r"expected a box with area \(x1 < x2 and y1 < y2\), got 1, 1, 1, 5. Remove this box.",
        ),
        ([(1, 1, 2, 2)] * 2, 0.5, "expected one box x1, y1, x2, y2, got 2 boxes. Make one region"),
        ((1, 1, 2, 2), 0, r"expected tau in \(0, 1\], got 0"),
        ((1, 1, 2, 2), 1.2, r"expected tau in \(0, 1\], got 1.2"),
    ],
)
def test_bad_input(box, tau, message):
    for region in (omega_min, omega_max):
        with pytest.raises(InputError, match=message):
            region(box, tau)
    with pytest.raises(InputError, match="expected n to be a whole number >= 3"):
        omega_min((1, 1, 2, 2), 0.5).polygon(2)


def test_regions_that_floats_cannot_hold_are_refused():
    for box, tau in (((1e308, 1, 1.7e308, 2), 0.5), ((1, 1, 3, 3), 1e-300)):
        with pytest.raises(InputError, match="a region within"):
            omega_min(box, tau)
    region = omega_max((1, 1, 3, 3), 0.5)
    with pytest.raises(InputError, match="x: expected numbers x, got"):
        region.bounds("a")
    with pytest.raises(InputError, match="x and y that broadcast"):
        region.contains([1, 2], [1, 2, 3])
