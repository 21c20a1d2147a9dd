"""Precision and recall for objects and parts."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.io import loadmat

from propeval_lite._checks.values import InputError
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.measures import FOP
from propeval_lite.partitions.objects_parts import KINDS, classify_regions, fop, fop_of_tables
from propeval_lite.segmenters.contour_maps import ucm_tree


@st.composite
def judged_images(draw):
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=7))
    labels = hnp.arrays(np.int64, shape, elements=st.integers(0, 3))
    return draw(labels), draw(st.lists(labels, min_size=1, max_size=3))


@settings(deadline=None, max_examples=80)
@given(
    judged_images(), st.sampled_from([0.6, 0.9]), st.sampled_from([0.25, 0.5]), st.sampled_from([0.1, 1.0]),
    st.sampled_from([0.8, 0.99, 1.0]),
)  # fmt: skip
def test_fop_equals_the_naive_one(images, gamma_object, gamma_part, beta, coverage):
    partition, truths = images
    expected = naive.objects_and_parts(partition, truths, gamma_object, gamma_part, beta, coverage)
    assert fop(partition, truths, gamma_object, gamma_part, beta, coverage) == pytest.approx(
        expected, abs=1e-12
    )


@settings(deadline=None, max_examples=60)
@given(judged_images())
def test_classes_add_up_to_precision_and_recall(images):
    partition, truths = images
    f, precision, recall = fop(partition, truths)
    for frame, value in zip(classify_regions(partition, truths), (precision, recall), strict=True):
        assert set(frame["kind"]) <= set(KINDS)
        assert frame["credit"].sum() / (frame["kind"] != "ignored").sum() == pytest.approx(value, abs=1e-12)
        assert (frame.loc[frame["kind"].isin(["noise", "ignored"]), "credit"] == 0).all()
        assert frame["pixels"].sum() in (partition.size, partition.size * len(truths))
    assert FOP(partition, truths) == f


@settings(deadline=None, max_examples=40)
@given(judged_images())
def test_one_truth_exchanged_with_the_partition_exchanges_precision_and_recall(images):
    partition, truths = images
    f, precision, recall = fop(partition, truths[:1])
    assert fop(truths[0], [partition]) == pytest.approx((f, recall, precision), abs=1e-12)
    assert fop(partition, [partition]) == (1.0, 1.0, 1.0)
    # Ties of area are broken by position, so only a rule without them ignores transposition.
    transposed = fop(partition.T, [truth.T for truth in truths], coverage=1)
    assert transposed == pytest.approx(fop(partition, truths, coverage=1), abs=1e-12)


def test_four_kinds_of_regions():
    truth = np.repeat([0, 1, 2, 3, 4], [20, 20, 20, 20, 20])
    partition = np.repeat([0, 1, 2, 3, 4, 5], [20, 10, 10, 40, 10, 10])
    partition[95:] = 3
    classes = classify_regions(partition, [truth])
    assert classes.partition["kind"].tolist() == ["object", "part", "part", "fragment", "part", "part"]
    assert classes.truth["kind"].tolist() == ["object", "fragment", "part", "part", "fragment"]
    assert classes.truth["truth"].tolist() == [0] * 5
    noise = classify_regions([0, 1, 0, 1], [[0, 0, 1, 1]])
    assert set(noise.partition["kind"]) == set(noise.truth["kind"]) == {"noise"}
    assert fop([0, 1, 0, 1], [[0, 0, 1, 1]]) == (0.0, 0.0, 0.0)


def test_extreme_partitions_stay_in_range():
    pixels = np.arange(35 * 50).reshape(35, 50)
    assert fop(pixels, [pixels]) == (1.0, 1.0, 1.0)
    assert fop(np.zeros_like(pixels), [pixels, pixels]) == (0.0, 1.0, 0.0)
    assert fop(pixels, [np.zeros_like(pixels)]) == (0.0, 0.0, 1.0)


def test_small_regions_are_ignored_and_ties_go_to_the_later():
    labels = np.repeat([0, 1, 2], [98, 1, 1])
    assert classify_regions(labels, [labels]).partition["kind"].tolist() == ["object", "ignored", "object"]
    everything = classify_regions(labels, [labels], coverage=1).partition["kind"]
    assert everything.tolist() == ["object"] * 3


def test_thresholds_are_reached_from_equality():
    truth = np.repeat([0, 1], [10, 10])
    partition = np.repeat([0, 1, 2], [9, 1, 10])
    assert classify_regions(partition, [truth], coverage=1).partition["kind"].tolist() == [
        "object",
        "noise",
        "object",
    ]
    assert fop(partition, [truth], gamma_object=0.91) != fop(partition, [truth])


def test_void_in_one_truth_is_void_for_all():
    partition, truths = [0, 0, 0, 1, 1, 1], [[9, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]]
    assert fop(partition, truths, void=9) == fop(partition[1:], [truth[1:] for truth in truths])
    assert len(classify_regions(partition, truths, void=9).truth) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"gamma_object": 0.2},
            "expected 0 < gamma_part < gamma_object <= 1, got gamma_part=0.25, gamma_object=0.2",
        ),
        ({"gamma_object": 1.1}, "expected 0 < gamma_part < gamma_object <= 1"),
        ({"beta": 1.5}, r"expected beta in \[0, 1\], got 1.5"),
        ({"coverage": 0}, r"expected coverage in \(0, 1\], got 0"),
        ({"coverage": 99}, r"expected coverage in \(0, 1\], got 99"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        fop([0, 1], [[0, 1]], **options)
    with pytest.raises(InputError, match="expected at least one truth"):
        fop([0, 1], [])


@pytest.mark.data
@pytest.mark.jit
def test_published_values_of_gpb_ucm(real_data):
    ids = (real_data / "seism/gt_sets/BSDS500/test.txt").read_text().split()
    thresholds = [k / 100 for k in range(1, 100)]
    published = np.stack(
        [np.loadtxt(real_data / f"seism/BSDS500/gPb-UCM/test_fop_{t:.2f}.txt") for t in thresholds], axis=1
    )
    for k in (0, 47, 101, 199):
        ucm2 = loadmat(real_data / f"bsds500/ucm2/test/{ids[k]}.mat")["ucm2"]
        truth = loadmat(real_data / f"bsds500/data/groundTruth/test/{ids[k]}.mat")["groundTruth"]
        truths = [truth[0, n]["Segmentation"][0, 0] for n in range(truth.shape[1])]
        tree, counts = ucm_tree(ucm2, thresholds)
        tables = contingency_tables(tree.labels, truths)
        found = [fop_of_tables([table.merged(tree.regions(count)) for table in tables]) for count in counts]
        np.testing.assert_allclose(found, published[k], atol=1e-6)


def test_coverage_with_many_digits_does_not_overflow():
    labels = np.repeat(np.arange(4), 100_000).reshape(400, 1000)
    assert fop(labels, [labels], coverage=0.2500000000000001)[1:] == (1.0, 1.0)
    kinds = classify_regions(labels, [labels], coverage=0.2500000000000001).partition["kind"]
    assert (kinds == "object").sum() == 2


@pytest.mark.parametrize("name", ["gamma_object", "gamma_part", "beta", "coverage"])
def test_parameters_are_numbers(name):
    for value in ("0.5", None, True):
        with pytest.raises(InputError, match=f"{name} to be a number"):
            fop([0, 1], [[0, 1]], **{name: value})
