"""Pixels and boundaries of foreground masks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import ndimage

from propeval_lite._checks.values import InputError
from propeval_lite.masks.foreground import (
    boundary_counts,
    boundary_f,
    f_from_j,
    f_measure,
    j_from_f,
    jaccard,
    precision,
    recall,
)
from propeval_lite.partitions.boundaries import contours, fb


@st.composite
def mask_pairs(draw):
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=9))
    masks = hnp.arrays(np.bool_, shape)
    return draw(masks), draw(masks)


@settings(deadline=None, max_examples=60)
@given(mask_pairs())
def test_pixel_measures_count_sets(pair):
    truth, mask = pair
    a, b = (set(np.flatnonzero(side).tolist()) for side in pair)
    nan = math.nan
    assert precision(truth, mask) == pytest.approx(len(a & b) / len(b) if b else nan, nan_ok=True)
    assert recall(truth, mask) == pytest.approx(len(a & b) / len(a) if a else nan, nan_ok=True)
    assert jaccard(truth, mask) == pytest.approx(len(a & b) / len(a | b) if a | b else nan, nan_ok=True)
    assert recall(truth, mask) == pytest.approx(precision(mask, truth), nan_ok=True)
    p, r, f = precision(truth, mask), recall(truth, mask), f_measure(truth, mask)
    if a & b:
        assert f == pytest.approx(2 * p * r / (p + r))
        assert jaccard(truth, mask) == pytest.approx(f / (2 - f))
    assert j_from_f(f) == pytest.approx(jaccard(truth, mask), nan_ok=True)
    assert f_from_j(jaccard(truth, mask)) == pytest.approx(f, nan_ok=True)


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_two_measures_rank_alike(a, b):
    assert f_from_j(j_from_f(a)) == pytest.approx(a, abs=1e-15)
    if a < b:
        assert j_from_f(a) <= j_from_f(b)


def test_conversions_take_arrays():
    grid = np.linspace(0, 1, 5)
    np.testing.assert_allclose(f_from_j(j_from_f(grid)), grid)
    assert j_from_f(1) == f_from_j(1) == 1 and j_from_f(0) == f_from_j(0) == 0


def test_means_can_rank_two_methods_differently():
    first, second = np.array([0.9, 0.1]), np.array([0.51, 0.51])
    assert f_from_j(first).mean() < f_from_j(second).mean()
    steady, uneven = np.array([0.45, 0.45]), np.array([0.0, 0.92])
    assert steady.mean() < uneven.mean() and f_from_j(steady).mean() > f_from_j(uneven).mean()


def test_masks_without_foreground():
    empty, full = np.zeros((3, 3), dtype=bool), np.ones((3, 3), dtype=bool)
    for measure in (precision, recall, f_measure, jaccard, boundary_f):
        assert math.isnan(measure(empty, empty)), measure
    assert jaccard(empty, full) == f_measure(full, empty) == 0
    assert math.isnan(precision(full, empty)) and recall(full, empty) == 0
    assert math.isnan(recall(empty, full)) and precision(empty, full) == 0
    half = full.copy()
    half[:, 1:] = False
    assert boundary_f(half, empty) == boundary_f(empty, half, method="morphological") == 0


@settings(deadline=None, max_examples=50)
@given(mask_pairs(), st.sampled_from([0, 0.1, 0.25]))
def test_boundary_f_by_matching_and_by_dilation(pair, tolerance):
    truth, mask = pair
    exact = boundary_counts(truth, mask, tolerance)
    quick = boundary_counts(truth, mask, tolerance, method="morphological")
    assert (quick.truth, quick.partition) == (exact.truth, exact.partition)
    assert quick.matched_truth >= exact.matched_truth and quick.matched_partition >= exact.matched_partition
    assert boundary_f(truth, mask, tolerance) == pytest.approx(
        boundary_f(mask, truth, tolerance), nan_ok=True
    )
    assert boundary_f(truth, mask, tolerance) == pytest.approx(
        fb(mask.astype(int), [truth.astype(int)], tolerance)[0], nan_ok=True
    )
    outline, other = contours(truth.astype(int)), contours(mask.astype(int))
    if outline.any() and other.any():
        near = ndimage.distance_transform_edt(~other) <= tolerance * math.hypot(*truth.shape)
        assert quick.matched_truth == (outline & near).sum()


def test_shape_decides_the_boundary_and_area_the_pixels():
    truth = np.zeros((60, 60), dtype=bool)
    truth[10:50, 10:50] = True
    ring = truth.copy()
    ring[13:47, 13:47] = False
    assert jaccard(truth, ring) < 0.4 < 0.5 < boundary_f(truth, ring, 0.01)
    dented = truth.copy()
    dented[10:14:2, 10:50] = False
    assert jaccard(truth, dented) > 0.9


@pytest.mark.parametrize(
    ("truth", "mask", "message"),
    [
        ([1, 0], [1, 0, 0], r"mask: expected the truth's shape \(2,\), got shape \(3,\)"),
        (
            [0.5, 1],
            [1, 0],
            "truth: expected a mask of bool or of the whole numbers 0 and 1, got float64 values",
        ),
        ([1, 0], [2, 0], "mask: expected a mask of bool .* got int64 values from 0 to 2"),
        ([], [], r"truth: expected at least one pixel, got shape \(0,\)"),
    ],
)
def test_bad_masks(truth, mask, message):
    with pytest.raises(InputError, match=message):
        jaccard(truth, mask)


def test_bad_options():
    with pytest.raises(InputError, match="expected method to be one of matching, morphological, got 'fast'"):
        boundary_f([[1, 0]], [[1, 0]], method="fast")
    with pytest.raises(InputError, match=r"expected f in \[0, 1\], got 1.2"):
        j_from_f(1.2)
    with pytest.raises(InputError, match=r"expected j in \[0, 1\], got -1"):
        f_from_j(-1)


def test_odd_masks_are_refused():
    mask = np.ones((2, 2), dtype=bool)
    with pytest.raises(InputError, match="0 and 1, got str.* values"):
        jaccard(mask.astype(str), mask)
    with pytest.raises(InputError, match="a value for every pixel, got a masked array"):
        jaccard(mask, np.ma.masked_array(mask, mask=mask))
    with pytest.raises(InputError, match="Give rows of equal length"):
        jaccard([[1, 0], [1]], mask)
    assert j_from_f([0.4, 1.0]).tolist() == [0.25, 1.0]
