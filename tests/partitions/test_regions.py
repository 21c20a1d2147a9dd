"""Contingency tables, region measures and hierarchies."""

import importlib
import math

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import ndimage
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import rand_score

from propeval_lite._checks.values import InputError
from propeval_lite._kernels.bipartite import heaviest_matching
from propeval_lite.partitions.contingency import contingency, contingency_tables
from propeval_lite.partitions.measures import MEASURES, REGION_MEASURES
from propeval_lite.partitions.regions import bipartite_matching, normalised_voi
from propeval_lite.partitions.scores import partition_scores, score_all
from propeval_lite.segmenters.contour_maps import ucm_tree

module = importlib.import_module("propeval_lite.partitions.contingency")
SYMMETRIC = {"van_dongen", "bgm", "bce", "voi", "nvoi", "pri", "region_f"}
EXCHANGED = {
    "hamming_partition": "hamming_truth",
    "covering_partition": "covering_truth",
    "region_precision": "region_recall",
}

label_images = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(0, 4)
)


@st.composite
def image_pairs(draw):
    truth = draw(label_images)
    return truth, draw(hnp.arrays(np.int64, truth.shape, elements=st.integers(0, 4)))


@settings(deadline=None, max_examples=60)
@given(image_pairs())
def test_every_measure_equals_the_naive_one(pair):
    truth, partition = pair
    expected = naive.region_measures(truth, partition)
    found = partition_scores(partition, [truth])
    assert set(expected) == set(REGION_MEASURES) == set(found.index)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name


@settings(deadline=None, max_examples=40)
@given(image_pairs(), st.permutations(range(5)))
def test_relabelling_and_transposition_change_nothing(pair, names):
    truth, partition = pair
    scores = partition_scores(partition, [truth])
    renamed = np.array(names)[partition] * 1000
    np.testing.assert_allclose(partition_scores(renamed, [truth]), scores, atol=1e-12)
    np.testing.assert_allclose(partition_scores(partition.T, [truth.T]), scores, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(image_pairs())
def test_exchanging_truth_and_partition(pair):
    truth, partition = pair
    there, back = partition_scores(partition, [truth]), partition_scores(truth, [partition])
    for name in SYMMETRIC:
        assert there[name] == pytest.approx(back[name], abs=1e-12, nan_ok=True), name
    for name, other in EXCHANGED.items():
        assert there[name] == pytest.approx(back[other], abs=1e-12, nan_ok=True), name
    assert SYMMETRIC | set(EXCHANGED) | set(EXCHANGED.values()) == set(REGION_MEASURES)


@settings(deadline=None, max_examples=40)
@given(image_pairs())
def test_ranges_and_identity(pair):
    truth, partition = pair
    scores, same = partition_scores(partition, [truth]), partition_scores(truth, [truth])
    for name, measure in REGION_MEASURES.items():
        if not math.isnan(scores[name]):
            assert measure.low <= scores[name] <= measure.high, name
        if not math.isnan(same[name]):
            assert same[name] == (1.0 if measure.higher_is_better else 0.0), name


def test_several_truths_are_averaged_and_measures_can_be_called():
    partition, truths = [0, 0, 1, 1, 2, 2], [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]]
    scores = partition_scores(partition, truths)
    for name, measure in REGION_MEASURES.items():
        each = [measure(partition, [truth]) for truth in truths]
        averaged = scores[name] == pytest.approx(np.mean(each), abs=1e-15)
        assert averaged == (name != "region_f")
        assert measure(partition, truths) == scores[name]
        assert measure.section.startswith("§3")


@settings(deadline=None, max_examples=60)
@given(image_pairs(), image_pairs())
def test_f_of_regions_over_several_truths_is_f_of_mean_precision_and_mean_recall(pair, other):
    partition, truths = pair[1], [pair[0], np.resize(other[0], pair[0].shape), pair[0] * 0]
    expected = naive.region_measures_of_truths(truths, partition)
    found = partition_scores(partition, truths)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name
    row = score_all([MEASURES["region_f"]], partition, truths)
    assert list(row) == ["region_f", "region_f_precision", "region_f_recall"]
    assert list(row.values()) == pytest.approx(
        [found[name] for name in ("region_f", "region_precision", "region_recall")], nan_ok=True
    )


def test_rand_index_equals_scikit_learn():
    rng = np.random.default_rng(0)
    truth, partition = rng.integers(0, 6, (2, 20, 30))
    assert partition_scores(partition, [truth])["pri"] == pytest.approx(
        rand_score(truth.ravel(), partition.ravel())
    )


@settings(deadline=None, max_examples=60)
@given(hnp.arrays(np.int64, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(0, 9)))
def test_heaviest_matching_is_optimal(weights):
    rows, columns = linear_sum_assignment(weights, maximize=True)
    row, column = np.nonzero(weights)
    assert (
        heaviest_matching(row, column, weights[row, column], *weights.shape) == weights[rows, columns].sum()
    )


def test_bipartite_matching_of_many_regions_is_optimal():
    rng = np.random.default_rng(1)
    table = contingency(rng.integers(0, 90, 3000), rng.integers(0, 120, 3000))
    dense = table.dense()
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    assert bipartite_matching(table) == pytest.approx(1 - best / 3000, abs=1e-15)


def test_table_has_rows_of_truth_and_keeps_labels():
    table = contingency([[5, 5], [2, 9]], [[1, 0], [0, 0]])
    assert table.truth_labels.tolist() == [5, 2, 9] and table.partition_labels.tolist() == [1, 0]
    assert table.dense().tolist() == [[1, 1], [0, 1], [0, 1]]
    assert table.truth_sizes.tolist() == [2, 1, 1] and table.partition_sizes.tolist() == [1, 3]
    assert table.swapped().dense().tolist() == table.dense().T.tolist()


def test_large_and_sparse_labels_count_alike(monkeypatch):
    rng = np.random.default_rng(2)
    truth, partition = rng.integers(0, 40, (2, 500))
    dense = contingency(truth, partition)
    far = contingency(truth.astype(np.uint64) * 10**9, partition)
    assert far.truth_labels.tolist() == (dense.truth_labels * 10**9).tolist()
    assert far.dense().tolist() == dense.dense().tolist()
    into = rng.permutation(len(dense.partition_labels)) // 3
    merged = dense.merged(into)
    monkeypatch.setattr(module, "_DENSE_CELLS", 0)
    assert contingency(truth, partition).dense().tolist() == dense.dense().tolist()
    assert dense.merged(into).dense().tolist() == merged.dense().tolist()
    numbers = np.searchsorted(np.sort(dense.partition_labels), partition)
    position = np.argsort(dense.partition_labels)
    again = contingency(truth, into[position[numbers]])
    order = again.partition_labels
    assert merged.dense()[:, order].tolist() == again.dense().tolist()


def test_void_pixels_are_left_out_only_on_request():
    truth, partition = [9, 0, 0, 1], [0, 0, 1, 1]
    assert contingency(truth, partition).n_pixels == 4
    expected = naive.region_measures(truth[1:], partition[1:])
    found = partition_scores(partition, [truth], void=9)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name
        assert REGION_MEASURES[name].score(partition, [truth], void=9) == found[name]


def test_extreme_partitions():
    one, all_ = np.zeros((4, 5), dtype=int), np.arange(20).reshape(4, 5)
    scores = partition_scores(one, [all_])
    assert scores["pri"] == 0 and scores["hamming_truth"] == 0 and scores["hamming_partition"] == 0.95
    assert (
        math.isnan(scores["region_recall"])
        and scores["region_precision"] == 0
        and scores["nvoi"] == pytest.approx(0.5)
    )
    assert math.isnan(partition_scores(all_, [one])["region_precision"])
    both = partition_scores(all_, [all_])
    assert math.isnan(both["region_f"]) and both["voi"] == 0 and both["bgm"] == 0
    single = partition_scores([[3]], [[[7]]])
    assert math.isnan(single["pri"]) and single["nvoi"] == 0 and single["covering_truth"] == 1


@pytest.mark.jit
def test_every_pixel_its_own_region_at_full_size():
    pixels = np.arange(321 * 481).reshape(321, 481)
    halves = (pixels % 481 > 240).astype(int)
    assert partition_scores(pixels, [pixels])["bgm"] == 0
    assert partition_scores(pixels, [halves])["hamming_partition"] == 0


def test_nvoi_is_normalised_by_the_number_of_regions_not_of_pixels():
    truth, partition = [0, 0, 0, 0], [0, 0, 1, 1]
    # One bit, two regions at most: 1 / (2 log2 2), however many pixels there are.
    assert normalised_voi(contingency(truth, partition)) == 0.5
    assert normalised_voi(contingency(truth * 4, partition * 4)) == 0.5
    assert normalised_voi(contingency([0, 0], [1, 1])) == 0
    independent = np.arange(16).reshape(4, 4)
    assert normalised_voi(contingency(independent // 4, independent % 4)) == 1


@pytest.mark.parametrize(
    ("partition", "truths", "message"),
    [
        ([0, 1], [[0, 1, 1]], r"truth 0: expected the partition's shape \(2,\), got shape \(3,\)"),
        ([0.0, 1.0], [[0, 1]], "partition: expected an array of whole-number labels, got float64 values"),
        ([0, 1], [[True, False]], "truth 0: expected an array of whole-number labels, got bool values"),
        ([0, 1], [[0, 1], [-1, 0]], "truth 1: expected labels >= 0, got the label -1"),
        ([0, 1], [], "truths: expected at least one truth, got none"),
        (np.zeros((0, 3), int), [np.zeros((0, 3), int)], "partition: expected at least one pixel"),
        (np.zeros((2, 2), int), np.zeros((2, 2), int), "Give truths as a list of label arrays"),
    ],
)
def test_bad_labels(partition, truths, message):
    with pytest.raises(InputError, match=message):
        partition_scores(partition, truths)


def test_bad_void():
    with pytest.raises(
        InputError, match=r"truth 0: expected a pixel that is not void \(3\), got only void pixels"
    ):
        contingency([3, 3], [0, 1], void=3)
    with pytest.raises(InputError, match="expected void_in to be one of each, any"):
        contingency_tables([0], [[0]], void_in="all")


def ucm_of_regions(labels, strength):
    """Doubled map with random strengths on the contours of `labels`, one strength per pair of regions."""
    height, width = labels.shape
    ucm2 = np.zeros((2 * height + 1, 2 * width + 1))
    for i in range(1, 2 * height):
        for j in range(1, 2 * width):
            seen = labels[(i - 1) // 2 : i // 2 + 1, (j - 1) // 2 : j // 2 + 1]
            if seen.min() != seen.max():
                ucm2[i, j] = strength[seen.min(), seen.max()]
    # The frame repeats its neighbours; without it regions would leak into each other around the image.
    ucm2[[0, -1]] = ucm2[[1, -2]]
    ucm2[:, [0, -1]] = ucm2[:, [1, -2]]
    return ucm2


def test_hierarchy_equals_components_at_each_threshold():
    rng = np.random.default_rng(3)
    labels = np.repeat(np.repeat(rng.permutation(30).reshape(5, 6), 3, axis=0), 4, axis=1)
    ucm2 = ucm_of_regions(labels, 0.06 + 0.9 * rng.random((30, 30)))
    thresholds = [0.05, 0.2, 0.4, 0.41, 0.8, 1.0]
    tree, counts = ucm_tree(ucm2, thresholds)
    for level, t in enumerate(thresholds):
        expected = ndimage.label(ucm2 <= t, np.ones((3, 3)))[0][1::2, 1::2]
        found = tree.after(counts[level])
        table = contingency(expected, found)
        assert table.shape == (found.max() + 1,) * 2 and len(table.count) == found.max() + 1
        assert list(dict.fromkeys(found.ravel().tolist())) == list(range(found.max() + 1))
    assert counts[0] == 0 and tree.n_leaves == 30 and counts[-1] == 29


@pytest.mark.parametrize(
    ("ucm2", "thresholds", "message"),
    [
        (np.zeros((4, 5)), [0.1], r"ucm2: expected shape \(2 h \+ 1, 2 w \+ 1\), got shape \(4, 5\)"),
        (np.zeros((3, 5)), [0.2, 0.1], "thresholds: expected rising thresholds"),
        (np.zeros((3, 5)), [], "thresholds: expected rising thresholds"),
        (np.ones((3, 5)), [0.1], "ucm2: expected pixels not above the lowest threshold 0.1, got 1.0"),
    ],
)
def test_bad_hierarchies(ucm2, thresholds, message):
    with pytest.raises(InputError, match=message):
        ucm_tree(ucm2, thresholds)


def test_labels_beyond_64_bits_masks_and_odd_void_are_refused():
    labels = np.array([[0, 1]])
    with pytest.raises(InputError, match="labels below 2\\*\\*63, got the label 18446744073709551615"):
        partition_scores(labels.astype(np.uint64) - np.uint64(1), [labels])
    with pytest.raises(InputError, match="a value for every pixel, got a masked array"):
        contingency(labels, np.ma.masked_array(labels, mask=[[True, False]]))
    for void in ("a", -1, np.nan, [0], True):
        with pytest.raises(InputError, match="void to be None or a label >= 0"):
            contingency(labels, labels, void=void)
    with pytest.raises(InputError, match="a list of truths, got NoneType"):
        partition_scores(labels, None)
    with pytest.raises(InputError, match="an array, got .* Give rows of equal length"):
        partition_scores([[0, 1], [1]], [labels])


@pytest.mark.parametrize("into", [[0, 0], [-1, 0, 0], [0.5, 0, 0], [0, 2, 2]])
def test_merged_needs_a_number_for_every_region(into):
    with pytest.raises(InputError, match="3 region numbers 0, 1, … without gaps"):
        contingency([0, 0, 1], [0, 1, 2]).merged(into)


def test_contour_maps_need_numbers_everywhere():
    ucm2 = np.zeros((3, 5))
    ucm2[1, 2] = np.nan
    with pytest.raises(InputError, match="a strength at every place, got NaN"):
        ucm_tree(ucm2, [0.5])
    with pytest.raises(InputError, match="expected rising thresholds"):
        ucm_tree(np.zeros((3, 5)), [np.nan])
    with pytest.raises(InputError, match="expected rising thresholds, got"):
        ucm_tree(np.zeros((3, 5)), ["a"])
    with pytest.raises(InputError, match="expected an array of numbers, got complex128 values"):
        ucm_tree(np.zeros((3, 5)) * 1j, [0.5])
