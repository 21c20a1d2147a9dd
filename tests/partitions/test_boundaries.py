"""Contours, their matching, and precision-recall for boundaries."""

import math

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.io import loadmat
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from skimage import morphology

from propeval_lite._checks.values import InputError
from propeval_lite._kernels.bipartite import cheapest_maximum_matching
from propeval_lite.partitions.boundaries import (
    BoundaryCounts,
    contours,
    fb,
    fb_counts,
    match_contours,
    offsets_within,
    thinned,
)
from propeval_lite.partitions.measures import FB
from propeval_lite.segmenters.contour_maps import ucm_tree

shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=12)
maps = hnp.arrays(np.bool_, shapes)


@st.composite
def map_pairs(draw, side=8):
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=side))
    maps_of_shape = hnp.arrays(np.bool_, shape)
    return draw(maps_of_shape), draw(maps_of_shape)


@settings(deadline=None, max_examples=50)
@given(hnp.arrays(np.int64, shapes, elements=st.integers(0, 3)))
def test_contours_are_where_neighbours_differ(labels):
    found = contours(labels, thin=False)
    assert (found == naive.contour(labels)).all()
    assert (contours(labels) == thinned(found)).all()


@settings(deadline=None, max_examples=80)
@given(maps)
def test_thinning_equals_scikit_image(contour):
    found = thinned(contour)
    assert (found == morphology.thin(contour)).all()
    assert (thinned(found) == found).all()


@settings(deadline=None, max_examples=60)
@given(map_pairs(), st.sampled_from([0, 0.1, 0.2, 0.4]))
def test_matching_has_the_most_pairs(pair, tolerance):
    a, b = pair
    matched_a, matched_b = match_contours(a, b, tolerance)
    pairs = naive.contour_pairs(a, b, tolerance * math.hypot(*a.shape))
    assert matched_a.sum() == matched_b.sum() == naive.most_pairs(pairs)
    assert not (matched_a & ~a).any() and not (matched_b & ~b).any()


@settings(deadline=None, max_examples=80)
@given(
    hnp.arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(-6, 9)),
)
def test_matching_is_the_cheapest_of_those_with_the_most_pairs(costs):
    allowed = costs >= 0
    start = np.r_[0, np.cumsum(allowed.sum(axis=1))]
    rows, columns = np.nonzero(allowed)
    found = cheapest_maximum_matching(start, columns.astype(np.int32), costs[rows, columns], costs.shape[1])
    matched = found >= 0
    assert len(set(found[matched])) == matched.sum() and allowed[matched, found[matched]].all()
    pairs = {(r, c): costs[r, c] for r, c in zip(rows.tolist(), columns.tolist(), strict=True)}
    assert (matched.sum(), costs[matched, found[matched]].sum()) == naive.cheapest_pairs(pairs)


def test_large_sparse_matching_has_the_most_pairs():
    rng = np.random.default_rng(0)
    for n, m, edges in ((300, 200, 700), (200, 300, 700), (250, 250, 500)):
        graph = csr_matrix(
            (np.ones(edges), (rng.integers(0, n, edges), rng.integers(0, m, edges))), shape=(n, m)
        )
        graph.sum_duplicates()
        cost = rng.integers(0, 1000, graph.nnz)
        found = cheapest_maximum_matching(graph.indptr.astype(np.int64), graph.indices, cost, m)
        best = maximum_bipartite_matching(graph, perm_type="column")
        assert (found >= 0).sum() == (best >= 0).sum()


@settings(deadline=None, max_examples=40)
@given(map_pairs(), st.sampled_from([0, 0.15, 0.3]))
def test_counts_of_one_truth(pair, tolerance):
    truth, found = pair
    counts = fb_counts(found, [truth], tolerance)
    assert counts.matched_truth == counts.matched_partition
    assert (counts.truth, counts.partition) == (truth.sum(), found.sum())
    back = fb_counts(truth, [found], tolerance)
    assert (back.matched_truth, back.truth, back.partition) == (
        counts.matched_truth,
        counts.partition,
        counts.truth,
    )
    assert fb_counts(found.T, [truth.T], tolerance) == counts
    wider = fb_counts(found, [truth], tolerance + 0.1)
    assert wider.matched_truth >= counts.matched_truth
    assert fb_counts(found, [found], tolerance)[0::2] == (found.sum(), found.sum())


@settings(deadline=None, max_examples=30)
@given(map_pairs())
def test_repeating_a_truth_changes_neither_precision_nor_recall(pair):
    truth, found = pair
    once, twice = fb(found, [truth], 0.2), fb(found, [truth, truth], 0.2)
    assert twice == pytest.approx(once, nan_ok=True)


def test_precision_takes_any_truth_and_recall_all():
    left, right, both = (np.zeros((5, 9), dtype=bool) for _ in range(3))
    left[:, 1] = right[:, 7] = both[:, 1] = both[:, 7] = True
    assert fb_counts(both, [left, right]) == BoundaryCounts(10, 10, 10, 10)
    assert fb_counts(left, [left, right]) == BoundaryCounts(5, 10, 5, 5)
    assert fb(left, [left, right]) == pytest.approx((2 / 3, 1, 0.5))
    assert fb(left, [both]) != fb(both, [left])


def test_labels_and_their_contours_give_the_same():
    rng = np.random.default_rng(5)
    truth, partition = (np.kron(rng.integers(0, 4, (4, 5)), np.ones((6, 6), dtype=int)) for _ in range(2))
    expected = fb_counts(partition, [truth])
    assert fb_counts(contours(partition), [contours(truth)]) == expected
    assert fb_counts(partition + 7, [truth * 3], 0.0075) == expected
    assert FB(partition, [truth]) == expected.scores()[0]


def test_the_nearest_of_equal_matchings_is_taken():
    truth, found = np.zeros((1, 9), dtype=bool), np.zeros((1, 9), dtype=bool)
    truth[0, 4] = found[0, 3] = found[0, 6] = True
    assert match_contours(truth, found, 0.3)[1].nonzero()[1].tolist() == [3]
    assert match_contours(truth[:, ::-1], found[:, ::-1], 0.3)[1].nonzero()[1].tolist() == [5]


def test_tolerance_is_a_fraction_of_the_diagonal():
    truth, found = np.zeros((30, 40), dtype=bool), np.zeros((30, 40), dtype=bool)
    truth[10, 10] = found[13, 14] = True
    assert fb(found, [truth], 0.1) == (1.0, 1.0, 1.0)
    assert fb(found, [truth], 0.0999) == (0.0, 0.0, 0.0)
    assert len(offsets_within((321, 481), 0.0075)) == 61


def test_empty_boundaries():
    one, two = np.zeros((4, 4), dtype=int), np.repeat([[0, 0, 1, 1]], 4, axis=0)
    f, precision, recall = fb(one, [two])
    assert f == 0 and math.isnan(precision) and recall == 0
    f, precision, recall = fb(two, [one])
    assert f == 0 and precision == 0 and math.isnan(recall)
    assert all(math.isnan(value) for value in fb(one, [one]))
    assert fb(np.zeros((1, 1), dtype=int), [np.zeros((1, 1), dtype=int)])[0] != 0


def test_disconnected_and_single_pixel_regions():
    stripes = np.tile([[0, 1]], (3, 4))
    assert fb(stripes, [stripes]) == (1.0, 1.0, 1.0)
    pixels = np.arange(12).reshape(3, 4)
    assert fb(pixels, [pixels]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("partition", "truths", "message"),
    [
        ([[0, 1]], [[[0, 1, 1]]], r"truth 0: expected the partition's shape \(1, 2\), got shape \(1, 3\)"),
        ([[0, 1]], [], "truths: expected at least one truth, got none"),
        ([0, 1], [[0, 1]], r"partition: expected shape \(height, width\), got shape \(2,\)"),
        ([[0.5, 1]], [[[0, 1]]], "partition: expected an array of whole-number labels, got float64"),
        ([[0, 1]], [[[0, -1]]], "truth 0: expected labels >= 0, got the label -1"),
        ([True, False], [[[0, 1]]], r"partition: expected shape \(height, width\), got shape \(2,\)"),
    ],
)
def test_bad_input(partition, truths, message):
    with pytest.raises(InputError, match=message):
        fb(partition, truths)


@pytest.mark.parametrize("tolerance", [-0.1, 1, 3.5, "a", True, float("nan")])
def test_bad_tolerance(tolerance):
    with pytest.raises(InputError, match=r"expected a tolerance in \[0, 1\), got .*not in pixels"):
        fb([[0, 1]], [[[0, 1]]], tolerance)


def test_contour_maps_must_be_bool():
    with pytest.raises(InputError, match="contour: expected a bool contour map, got int64 values"):
        thinned(np.zeros((2, 2), dtype=np.int64))
    with pytest.raises(InputError, match="truth: expected the partition's shape"):
        match_contours(np.zeros((2, 2), dtype=bool), np.zeros((2, 3), dtype=bool))


@pytest.mark.data
@pytest.mark.jit
def test_published_counts_of_gpb_ucm(real_data):
    ids = (real_data / "seism/gt_sets/BSDS500/test.txt").read_text().split()
    thresholds = [0.1, 0.3]
    totals = np.zeros((2, 2, 4))
    for k in (3, 60, 122, 180):
        ucm2 = loadmat(real_data / f"bsds500/ucm2/test/{ids[k]}.mat")["ucm2"]
        truth = loadmat(real_data / f"bsds500/data/groundTruth/test/{ids[k]}.mat")["groundTruth"]
        drawn = [truth[0, n]["Boundaries"][0, 0] > 0 for n in range(truth.shape[1])]
        labels = [truth[0, n]["Segmentation"][0, 0] for n in range(truth.shape[1])]
        assert all((contours(a) == b).all() for a, b in zip(labels, drawn, strict=True))
        tree, counts = ucm_tree(ucm2, thresholds)
        for level, t in enumerate(thresholds):
            published = np.loadtxt(real_data / f"seism/BSDS500/gPb-UCM/test_fb_{t:.2f}.txt")[k, 3:]
            found = np.array(fb_counts(tree.after(counts[level]), drawn))
            assert (found[1::2] == published[1::2]).all()
            np.testing.assert_allclose(found, published, rtol=5e-3)
            totals[level] += published, found
    for published, found in totals:
        ours, theirs = (BoundaryCounts(*counts.tolist()).scores()[0] for counts in (found, published))
        assert ours == pytest.approx(theirs, abs=1e-3)
