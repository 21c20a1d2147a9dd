"""Counts of candidates and hits against exhaustion, and HPRS against exact arithmetic."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import loadmat

from propeval_lite import count_candidates, count_hits
from propeval_lite._checks.values import InputError
from propeval_lite.chance.lattice import _next_fraction, check_lattice, fit_threshold
from propeval_lite.chance.probability import chance_report, draws_needed, hit_probability

# The first call of a kernel compiles it.
unhurried = settings(deadline=None)
METHODS = ("exact", "algorithm1", "exhaustive")
KNOWN_BOX, KNOWN_SIZE = (100, 80, 300, 250), (500, 375)


def random_case(rng, largest):
    """Return a box on a random lattice; about half touch a border, some fill the image or are 1 wide."""
    sides = []
    for _ in range(2):
        points = int(rng.integers(2, largest + 1))
        low = int(rng.integers(1, points)) if rng.random() < 0.7 else 1
        kind = rng.random()
        high = low + 1 if kind < 0.2 else points if kind < 0.4 else int(rng.integers(low + 1, points + 1))
        sides.append((low, high, points))
    (x1, x2, width), (y1, y2, height) = sides
    return (x1, y1, x2, y2), (width, height)


def random_threshold(rng):
    if rng.random() < 0.1:
        return Fraction(1)
    q = int(rng.integers(1, 30))
    return Fraction(int(rng.integers(1, q + 1)), q)


def check_random_cases(n_thresholds, n_boxes, largest, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n_thresholds):
        tau = random_threshold(rng)
        boxes, sizes = zip(*[random_case(rng, largest) for _ in range(n_boxes)], strict=True)
        expected = [
            naive.count_lattice_hits(box, size, tau.numerator, tau.denominator)
            for box, size in zip(boxes, sizes, strict=True)
        ]
        for method in METHODS:
            assert count_hits(boxes, sizes, tau, method).tolist() == expected, (method, tau)


def test_counts_match_the_oracle():
    check_random_cases(8, 6, 6, seed=1)


@pytest.mark.jit
def test_counts_match_the_oracle_in_thousands_of_cases():
    check_random_cases(60, 60, 8, seed=2)


@pytest.mark.jit
def test_exact_matches_the_slow_methods_on_larger_images():
    rng = np.random.default_rng(3)
    for _ in range(12):
        tau = random_threshold(rng)
        boxes, sizes = zip(*[random_case(rng, 45) for _ in range(12)], strict=True)
        counts = [count_hits(boxes, sizes, tau, method).tolist() for method in METHODS]
        assert counts[0] == counts[1] == counts[2], tau


@pytest.mark.jit
@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(1, 90), st.integers(0, 60), st.integers(0, 60)),
    st.tuples(st.integers(1, 90), st.integers(0, 60), st.integers(0, 60)),
    st.fractions(Fraction(2, 5), 1, max_denominator=1000),
)
def test_exact_matches_algorithm1(x_axis, y_axis, tau):
    (w, left, right), (h, below, above) = x_axis, y_axis
    box = (left + 1, below + 1, left + 1 + w, below + 1 + h)
    size = (left + 1 + w + right, below + 1 + h + above)
    assert count_hits(box, size, tau) == count_hits(box, size, tau, "algorithm1")


@pytest.mark.jit
@pytest.mark.parametrize(("tau", "hits"), [("1/2", 234_760_484), ("4/5", 2_114_680)])
@pytest.mark.parametrize("method", ["exact", "algorithm1"])
def test_known_answers(method, tau, hits):
    assert count_hits(KNOWN_BOX, KNOWN_SIZE, tau, method).tolist() == [hits]


@pytest.mark.jit
def test_sides_of_thousands_and_tiny_thresholds():
    """A threshold of one over the image's area lets every overlapping candidate hit."""
    size, box = (4000, 3000), (1500, 700, 2600, 1400)
    beside_x = comb(1500, 2) + comb(size[0] - 2600 + 1, 2)
    beside_y = comb(700, 2) + comb(size[1] - 1400 + 1, 2)
    overlapping = (comb(size[0], 2) - beside_x) * (comb(size[1], 2) - beside_y)
    assert count_hits(box, size, Fraction(1, 4000 * 3000)).tolist() == [overlapping]
    full = (1, 1, *size)
    at_least_half = sum(
        (size[0] - a) * (size[1] - b)
        for a in range(1, size[0])
        for b in [max(1, -(-(size[0] - 1) * (size[1] - 1) // (2 * a)))]
        for b in range(b, size[1])
    )
    assert count_hits(full, size, 0.5).tolist() == [at_least_half]


@pytest.mark.jit
@pytest.mark.data
def test_real_objects(real_data):
    path = real_data / "hosang" / "pascal_voc07_test_annotations.mat"
    images = loadmat(path, squeeze_me=True, struct_as_record=False)["impos"][::150]
    boxes = [np.atleast_2d(image.boxes).astype(np.int64) for image in images]
    sizes = [np.tile(image.img_size, (len(part), 1)) for image, part in zip(images, boxes, strict=True)]
    boxes, sizes = np.concatenate(boxes), np.concatenate(sizes)
    np.testing.assert_array_equal(
        count_hits(boxes, sizes, 0.75), count_hits(boxes, sizes, 0.75, "algorithm1")
    )


def test_object_that_fills_the_image_and_threshold_one():
    assert count_hits((1, 1, 4, 3), (4, 3), 1, "exact").tolist() == [1]
    for method in METHODS:
        assert count_hits([(1, 1, 2, 2)], (2, 2), 0.5, method).tolist() == [1]
    rng = np.random.default_rng(4)
    cases = [random_case(rng, 9) for _ in range(20)]
    boxes, sizes = zip(*cases, strict=True)
    assert count_hits(boxes, sizes, 1).tolist() == [1] * 20


def test_many_objects_and_thresholds_at_once():
    rng = np.random.default_rng(5)
    cases = [random_case(rng, 7) for _ in range(12)]
    boxes, sizes = zip(*cases * 2, strict=True)
    taus = [0.5, "2/3", Fraction(4, 5)]
    table = count_hits(boxes, sizes, taus)
    assert table.shape == (24, 3)
    assert table.dtype == np.int64
    for i, (box, size) in enumerate(cases):
        singles = [count_hits(box, size, tau, "exhaustive")[0] for tau in taus]
        assert table[i].tolist() == table[i + 12].tolist() == singles
    assert count_hits([], (5, 5), 0.5).tolist() == []


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_counts_do_not_depend_on_reflection_or_transposition(seed):
    rng = np.random.default_rng(seed)
    (x1, y1, x2, y2), (width, height) = random_case(rng, 6)
    tau = random_threshold(rng)
    first = count_hits((x1, y1, x2, y2), (width, height), tau, "exhaustive")
    mirrored = (width + 1 - x2, y1, width + 1 - x1, y2)
    assert count_hits(mirrored, (width, height), tau, "exact") == first
    assert count_hits((y1, x1, y2, x2), (height, width), tau, "algorithm1") == first


def test_hits_fall_with_the_threshold():
    counts = count_hits((3, 3, 8, 7), (12, 11), [Fraction(k, 20) for k in range(1, 21)])[0]
    assert (np.diff(counts) <= 0).all()
    assert counts[-1] == 1


@pytest.mark.jit
def test_progress_bar_and_threads_change_nothing(capsys):
    import numba

    rng = np.random.default_rng(6)
    boxes, sizes = zip(*[random_case(rng, 80) for _ in range(40)], strict=True)
    expected = count_hits(boxes, sizes, [0.5, 0.7])
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        np.testing.assert_array_equal(count_hits(boxes, sizes, [0.5, 0.7], progress=True), expected)
    finally:
        numba.set_num_threads(threads)
    assert "hit counts" in capsys.readouterr().err


def test_ties_are_hits_and_floats_are_decimals():
    """IoU 3/10 of a 1 x 3 with a 1 x 10 object: the float 0.3 is just below 3/10, 0.1 + 0.2 just above."""
    box, size = (1, 1, 11, 2), (11, 2)
    inside = [count_hits(box, size, tau)[0] for tau in (0.3, "3/10", Fraction(3, 10), 0.1 + 0.2)]
    assert inside == [36, 36, 36, 28]


def test_long_thresholds_are_replaced_by_equivalent_short_ones():
    cases = check_lattice([(2, 2, 5, 4)], (7, 6))
    for digits in ("0.33333333333333331", "0.50000000000000000001", "0.7071067811865476"):
        tau = Fraction(digits)
        p, q = fit_threshold(tau, cases)
        assert q <= 6 * 5
        assert Fraction(p, q) >= tau
        between = [
            Fraction(a, b)
            for b in range(1, 31)
            for a in range(1, b + 1)
            if tau <= Fraction(a, b) < Fraction(p, q)
        ]
        assert between == []
        expected = naive.count_lattice_hits((2, 2, 5, 4), (7, 6), tau.numerator, tau.denominator)
        assert count_hits((2, 2, 5, 4), (7, 6), tau).tolist() == [expected]


@unhurried
@given(st.integers(1, 60))
def test_next_fraction_is_the_farey_neighbour(limit):
    farey = sorted({Fraction(a, b) for b in range(1, limit + 1) for a in range(b + 1)})
    for before, after in pairwise(farey):
        assert _next_fraction(before, limit) == after


def test_count_candidates():
    for width in range(2, 6):
        for height in range(2, 6):
            pairs = len(naive.lattice_intervals(width)) * len(naive.lattice_intervals(height))
            assert count_candidates((width, height)) == pairs
    assert count_candidates([(2, 2), (500, 375)]).tolist() == [1, comb(500, 2) * comb(375, 2)]


BAD_COUNTS = [
    (
        [(1.5, 1, 3, 3)],
        (5, 5),
        0.5,
        "expected whole coordinates, on the lattice, got box 1.5, 1, 3, 3 of row 0",
    ),
    ([(0, 1, 3, 3)], (5, 5), 0.5, "expected corners at 1 or above, got box 0, 1, 3, 3 of row 0"),
    (
        [(1, 1, 3, 3), (1, 1, 6, 3)],
        (5, 5),
        0.5,
        "at most W and H, got box 1, 1, 6, 3 of row 1 in an image of 5 x 5",
    ),
    ([(1, 2, 3, 2)], (5, 5), 0.5, "expected boxes with area, x1 < x2 and y1 < y2, got box 1, 2, 3, 2"),
    ([(3, 1, 1, 2)], (5, 5), 0.5, "expected x2 >= x1"),
    (
        [(1, 1, 2, 2)],
        (1, 5),
        0.5,
        r"expected whole widths and heights from 2 to 2\*\*31 - 1, got 1 x 5 in row 0",
    ),
    ([(1, 1, 2, 2)], (5.5, 5), 0.5, "expected whole widths and heights"),
    ([(1, 1, 2, 2)], (5, 5, 3), 0.5, r"expected shape \(2,\) or \(n, 2\), got shape \(3,\)"),
    ([(1, 1, 2, 2)], "big", 0.5, "expected numbers width, height"),
    ([(1, 1, 2, 2)] * 3, [(5, 5)] * 2, 0.5, "expected one size, or one for each of the 3 boxes, got 2 sizes"),
    (
        [(1, 1, 2, 2)],
        (10**6, 10**6),
        0.5,
        r"expected a number of candidates below 2\*\*63, got 24\d+ in an image",
    ),
    ([(1, 1, 2, 2)], (60000, 60000), "0.618033988749894848", r"4 \(p \+ q\)\(W - 1\)\(H - 1\) < 2\*\*63"),
    ([(1, 1, 2, 2)], (5, 5), 0, r"expected tau in \(0, 1\], got 0"),
    ([(1, 1, 2, 2)], (5, 5), 1.01, r"expected tau in \(0, 1\], got 1.01"),
    ([(1, 1, 2, 2)], (5, 5), [], "expected at least one threshold, got an empty sequence"),
]


@pytest.mark.parametrize(("boxes", "sizes", "tau", "message"), BAD_COUNTS)
def test_bad_counts(boxes, sizes, tau, message):
    with pytest.raises(InputError, match=message):
        count_hits(boxes, sizes, tau)


def test_bad_method():
    with pytest.raises(
        InputError, match="expected method to be one of exact, algorithm1, exhaustive, got 'fast'"
    ):
        count_hits([(1, 1, 2, 2)], (5, 5), 0.5, method="fast")


@unhurried
@given(st.integers(1, 60), st.data())
def test_hit_probability_of_small_numbers(total, data):
    n = data.draw(st.integers(0, total))
    k = data.draw(st.integers(0, total))
    expected = 1 - Fraction(comb(total - n, k), comb(total, k))
    assert hit_probability(n, total, k) == pytest.approx(float(expected), rel=1e-13, abs=0)


HUGE = [
    (1, 10**12, 1),
    (1, 10**12, 10**6),
    (3, 10**12, 10**6),
    (17, 10**9, 12345),
    (10**4, 10**12, 10**6),
    (10**6, 10**12, 10**6),
    (234_760_484, 8_748_093_750, 1000),
    (2_114_680, 8_748_093_750, 10**4),
    (50_000, 100_000, 3),
    (700, 1400, 690),
    (999_999, 2_000_000, 20),
    (40, 90, 33),
    (1, 10**12, 10**12 - 20),
    (5, 4 * 10**18, 10**6),
]


@pytest.mark.parametrize(("n", "total", "k"), HUGE)
def test_hit_probability_keeps_ten_digits(n, total, k):
    exact = Fraction(naive.hit_probability_scaled(n, total, k), 2**300)
    error = abs(Fraction(float(hit_probability(n, total, k))) / exact - 1)
    assert error < Fraction(1, 10**12)
    assert hit_probability(n, total, k) == hit_probability(k, total, n)


@settings(max_examples=150, deadline=None)
@given(st.floats(0.5, 12), st.floats(0, 1), st.floats(0, 3.5))
def test_hit_probability_of_any_size(size, share, draws):
    total = int(10**size)
    n = max(1, min(total, int(total**share)))
    k = min(total, int(10**draws))
    exact = Fraction(naive.hit_probability_scaled(n, total, k), 2**300)
    assert abs(Fraction(float(hit_probability(n, total, k))) / exact - 1) < Fraction(1, 10**12)


def test_hit_probability_limits_and_shapes():
    assert hit_probability(0, 10, 5) == 0
    assert hit_probability(5, 10, 0) == 0
    assert hit_probability(5, 10, 6) == 1
    assert hit_probability(10, 10, 1) == 1
    assert hit_probability(1, 10**12, 10**12) == 1
    table = hit_probability(np.array([[1], [2]]), 10, np.array([1, 2, 3]))
    np.testing.assert_allclose(table[0], [0.1, 0.2, 0.3])
    assert table.shape == (2, 3)
    assert hit_probability([], 10, 3).shape == (0,)
    assert hit_probability(3.0, 10, 2) == hit_probability(3, 10, 2)


@unhurried
@given(st.integers(2, 10**12), st.data())
def test_hit_probability_rises_with_draws_and_hits(total, data):
    n = data.draw(st.integers(1, total - 1))
    k = data.draw(st.integers(1, total - 1))
    here = hit_probability(n, total, k)
    slack = 1 - 1e-12
    assert hit_probability(n + 1, total, k) >= here * slack
    assert hit_probability(n, total, k + 1) >= here * slack
    assert here >= n / total * slack


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 10, 11), "expected k <= n_total, got 11 > 10. There cannot be more draws than candidates"),
        ((11, 10, 1), "expected n_hit <= n_total, got 11 > 10. There cannot be more hits than candidates"),
        ((3, 10, -1), "expected k in whole numbers >= 0, got -1"),
        ((3.5, 10, 1), "expected n_hit in whole numbers >= 0, got 3.5"),
        ((3, "ten", 1), "expected n_total in whole numbers >= 0, got 'ten'"),
        (([1, 2], 10, [1, 2, 3]), r"n_total and k that broadcast, got \(2,\), \(\), \(3,\)"),
    ],
)
def test_bad_probabilities(arguments, message):
    with pytest.raises(InputError, match=message):
        hit_probability(*arguments)


@unhurried
@given(st.integers(1, 40), st.data())
def test_draws_needed_is_the_smallest(total, data):
    n = data.draw(st.integers(1, total))
    target = data.draw(st.fractions(Fraction(1, 50), 1, max_denominator=50))
    k = draws_needed(n, total, target)
    assert 1 - Fraction(comb(total - n, k), comb(total, k)) >= target
    assert 1 - Fraction(comb(total - n, k - 1), comb(total, k - 1)) < target


def test_draws_needed_decides_close_cases_exactly():
    """One hit among N is found by k draws with probability k/N."""
    assert draws_needed(1, 10**12, Fraction(1, 2)) == 5 * 10**11
    assert draws_needed(1, 10**12, Fraction(5 * 10**11 + 1, 10**12)) == 5 * 10**11 + 1
    assert draws_needed(10**12, 10**12, 1) == 1
    with pytest.raises(InputError, match="expected n_hit to be a whole number >= 1, got 0"):
        draws_needed(0, 10, 0.5)
    with pytest.raises(InputError, match=r"expected probability in \(0, 1\], got 2"):
        draws_needed(1, 10, 2)
    with pytest.raises(InputError, match="expected n_hit <= n_total"):
        draws_needed(11, 10, 0.5)


def test_chance_report():
    report = chance_report(6, 5, (2, 2, 4, 4), "1/2", 3)
    assert report.candidates == 150
    assert report.hits == naive.count_lattice_hits((2, 2, 4, 4), (6, 5), 1, 2)
    assert report.probability == pytest.approx(1 - comb(150 - report.hits, 3) / comb(150, 3))
    assert report.draws_for_half == draws_needed(report.hits, 150, 0.5)
    assert report.draws_for_95 == draws_needed(report.hits, 150, 0.95)
    assert f"{report.hits} (1 in" in str(report)
    assert len(str(report).splitlines()) == 7
    with pytest.raises(InputError, match="expected k <= n_total, got 151 > 150"):
        chance_report(6, 5, (2, 2, 4, 4), 0.5, 151)
    with pytest.raises(InputError, match=r"expected one box x1, y1, x2, y2, got shape \(2, 4\)"):
        chance_report(6, 5, [(2, 2, 4, 4)] * 2, 0.5, 1)


def test_counts_that_no_int64_holds_are_refused():
    for total in (1e19, np.uint64(2**63 + 5)):
        with pytest.raises(InputError, match="n_total below 2\\*\\*63"):
            hit_probability(3, total, 1)
    with pytest.raises(InputError, match="numbers x1, y1, x2, y2, got"):
        count_hits((10**400, 1, 2, 2), (5, 5), 0.5)
    with pytest.raises(InputError, match="numbers x1, y1, x2, y2, got complex128 values"):
        count_hits(np.array([1, 1, 2, 2]) * 1j, (5, 5), 0.5)
    with pytest.raises(InputError, match="numbers width, height, got"):
        count_candidates((10**400, 2))
