"""Meta-measures: the classifiers against slow oracles, measures of one's own, and the published numbers."""

from inspect import signature

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from propeval_lite import load_dataset, meta
from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.meta.discrimination import defined_scores
from propeval_lite.meta.scales import ods
from propeval_lite.meta.seism import read_seism_scores
from propeval_lite.partitions.boundaries import fb
from propeval_lite.partitions.measures import MEASURES, TABLE_2, find_measure
from propeval_lite.partitions.objects_parts import fop
from propeval_lite.partitions.scores import score_all
from propeval_lite.segmenters.registry import SEGMENTERS

samples = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=1, max_size=12)


def stripes(n=6, height=8, width=12, annotators=3):
    """Images of upright stripes; annotators draw more or fewer of them."""
    images = pd.DataFrame({"image_id": np.arange(n), "width": width, "height": height})

    def truth(i, detail=0):
        labels = np.zeros((height, width), dtype=np.int32)
        labels[:, 3 + i % 7 :] = 1
        if detail:
            labels[height // 2 + detail - 1 :, : 3 + i % 7] = 2
        return labels

    def picture(i):
        return np.repeat((50 + 90 * truth(i)).astype(np.uint8)[:, :, None], 3, axis=2)

    return Dataset(
        "stripes",
        images,
        no_objects(),
        read_image=picture,
        read_partitions=lambda i: [truth(i, k) for k in range(annotators)],
    )


def agreement(partition, truths):
    """Share of neighbouring pixel pairs, left and right, that both join or both divide."""
    return float(np.mean([(np.diff(partition) != 0) == (np.diff(truth) != 0) for truth in truths]))


agreement.higher_is_better = True


def disagreement(partition, truths):
    return -agreement(partition, truths)


def constant(partition, truths):
    return 1


@given(samples, samples)
def test_best_threshold_equals_the_oracle(same, different):
    value, at = meta.classify_scores(same, different, True, "threshold")
    assert value == pytest.approx(1 - naive.best_division(same, different))
    wrong = np.mean(np.array(same) <= at) + np.mean(np.array(different) > at)
    assert value == pytest.approx(1 - wrong)


@given(samples, samples, st.sampled_from([3, 7, 50]))
def test_density_classifier_equals_the_oracle(same, different, bins):
    # Scores between the bins' edges, where rounding cannot decide.
    same, different = ([(int(s * 1000) + 0.5) / 1001 for s in scores] for scores in (same, different))
    value, at = meta.classify_scores(same, different, True, bins=bins)
    assert at == pytest.approx(naive.crossing(same, different, 0, 1, bins))
    assert value == pytest.approx(1 - np.mean(np.array(same) <= at) - np.mean(np.array(different) > at))


@given(samples, samples, st.sampled_from(["density", "threshold"]))
def test_no_classifier_beats_the_best_threshold(same, different, classifier):
    best = meta.classify_scores(same, different, True, "threshold")[0]
    assert meta.classify_scores(same, different, True, classifier)[0] <= best + 1e-12
    assert 0 <= best <= 1


@given(samples, samples)
def test_direction_only_mirrors(same, different):
    value, at = meta.classify_scores(same, different, True, "threshold")
    mirrored = meta.classify_scores([-s for s in same], [-d for d in different], False, "threshold")
    assert mirrored == (value, -at)


def test_perfect_and_useless_scores():
    for classifier in ("density", "threshold"):
        assert meta.classify_scores([0.9, 0.95], [0.1, 0.11], True, classifier, bins=5)[0] == 1
        assert meta.classify_scores([0.1, 0.11], [0.9, 0.95], False, classifier, bins=5)[0] == 1
        assert meta.classify_scores([2.0, 2.0], [2.0], True, classifier)[0] == 0
    assert meta.classify_scores([0.9, 0.1], [0.1], True, "threshold", errors="sum")[0] == 0.5
    assert meta.classify_scores([0.9, 0.1], [0.1], True, "threshold", errors="mean")[0] == 0.75


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=n, max_size=n),
            st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=n, max_size=n),
        )
    ),
    st.sampled_from([("half", 0.5), ("correct", 1.0), ("wrong", 0.0)]),
)
def test_baseline_discrimination_equals_the_oracle(tables, ties):
    good, bad = tables
    found = meta.sabd_of_scores(pd.DataFrame(good), pd.DataFrame(bad), True, ties=ties[0]).value
    assert found == pytest.approx(naive.right_judgements(good, bad, ties[1]))
    mirrored = meta.sabd_of_scores(-pd.DataFrame(good), -pd.DataFrame(bad), False, ties=ties[0]).value
    assert mirrored == found


def test_against_each_baseline():
    good, bad = pd.DataFrame({"a": [2.0, 2.0]}), pd.DataFrame({"q": [1.0, 3.0], "r": [3.0, 1.0]})
    assert meta.sabd_of_scores(good, bad, True).value == 0
    assert meta.sabd_of_scores(good, bad, True, against="each").value == 0.5


def test_human_scores_leave_one_out_and_swap():
    dataset = stripes(3)
    scores = meta.human_scores(["voi", agreement], dataset, swaps=2)
    assert scores["same"].sum() == 9
    assert (~scores["same"]).sum() == 18
    row = scores[(scores["image_id"] == 1) & (scores["annotator"] == 0) & scores["same"]].iloc[0]
    own = dataset.partitions(1)
    assert row["voi"] == score_all([MEASURES["voi"]], own[0], own[1:])["voi"]
    row = scores[(scores["image_id"] == 1) & (scores["annotator"] == 2) & (scores["other_id"] == 0)].iloc[0]
    assert row["agreement"] == agreement(own[2], dataset.partitions(0))


def test_counts_of_contours_do_not_stand_for_the_annotator():
    dataset = stripes(3)
    scores = meta.human_scores(["fb"], dataset)
    assert scores.groupby("image_id")["annotator"].agg(set).tolist() == [{0, 1, 2}] * 3
    assert set(meta.sihd_of_scores(scores, "fb").good["annotator"]) == {0, 1, 2}
    assert scores["partition"].max() > 3, "pixels of contours keep their column"


def test_human_scores_one_by_one():
    dataset = stripes(3)
    together = meta.human_scores(["voi", "fop"], dataset)
    alone = meta.human_scores(["voi", "fop"], dataset, truths="one by one")
    keys = ["image_id", "annotator", "same"]
    assert alone.groupby(keys).size().tolist() == [3, 2] * 9
    # A mean over the truths is the same either way; objects and parts pool the truths and is not.
    means = alone.groupby(keys)[["voi", "fop"]].mean()
    pooled = together.set_index(keys).sort_index()
    assert np.allclose(means["voi"], pooled["voi"])
    assert not np.allclose(means["fop"], pooled["fop"])
    with pytest.raises(InputError, match="expected truths to be one of together, one by one"):
        meta.human_scores(["voi"], dataset, truths="pairs")


def test_discrimination_of_a_function():
    dataset = stripes()
    found = meta.sihd(agreement, dataset, classifier="threshold", swaps=3)
    assert found.value == 1
    assert len(found.good) == 18
    assert len(found.bad) == 54
    assert found.good["score"].min() > found.threshold >= found.bad["score"].max()
    assert found.conventions["swaps"] == 3
    assert "classifier='threshold'" in repr(found)
    assert (
        meta.sihd(disagreement, dataset, higher_is_better=False, classifier="threshold", swaps=3).value == 1
    )
    assert meta.sihd(constant, dataset, higher_is_better=True).value == 0


def test_public_functions_stand_for_their_f():
    assert find_measure(fop) is MEASURES["fop"]
    assert find_measure(fb) is MEASURES["fb"]
    assert find_measure(MEASURES["pri"]) is MEASURES["pri"]
    assert set(TABLE_2) <= set(MEASURES)
    assert len(TABLE_2) == 12


@pytest.mark.parametrize("name", ["voi", "truth", "regions"])
def test_own_names_do_not_hide_columns(name):
    def mine(partition, truths):
        return agreement(partition, truths)

    mine.__name__ = name
    scores = meta.human_scores(["voi", find_measure(mine, True)], stripes(3))
    assert {"voi", f"own:{name}"} <= set(scores.columns)


def test_shared_tables_change_no_score():
    own, others = stripes().partitions(0)[0], stripes().partitions(1)
    together = score_all(list(MEASURES.values()), own, others)
    for name, measure in MEASURES.items():
        assert together[name] == measure(own, others)


def test_methods_against_baselines_and_swapped_images():
    dataset = stripes()
    right = {"truth": {i: dataset.partitions(i)[0] for i in range(6)}}
    wrong = {"one region": lambda i: np.zeros((8, 12), dtype=int)}
    assert meta.sabd("covering_truth", dataset, right, wrong).value == 1
    assert meta.sabd("covering_truth", dataset, wrong, right).value == 0
    assert meta.sabd(constant, dataset, right, wrong, higher_is_better=False, ties="half").value == 0.5
    found = meta.sisd("voi", dataset, right, ties="half")
    assert found.value == 1 - 0.5 * (found.good == found.bad).to_numpy().mean()
    assert found.good.shape == (6, 1)


def test_undefined_scores():
    dataset = stripes()

    def sometimes(partition, truths):
        return float("nan") if partition.max() == 2 else agreement(partition, truths)

    with pytest.raises(
        InputError, match=r"sometimes: expected a number for every pair, got NaN for images 0, 0 \(\d+"
    ):
        meta.sihd(sometimes, dataset, higher_is_better=True)
    assert meta.sihd(sometimes, dataset, higher_is_better=True, nan="worst").value < 1
    cuts = {"m": lambda i: dataset.partitions(i)[1]}
    base = {"b": lambda i: dataset.partitions(i)[0]}
    with pytest.raises(InputError, match="sometimes: .* got NaN for image 0 of m"):
        meta.sabd(sometimes, dataset, cuts, base, higher_is_better=True)
    worst = meta.sabd(sometimes, dataset, cuts, base, higher_is_better=True, ties="half", nan="worst")
    assert worst.value <= 0.5
    with pytest.raises(InputError, match="expected at least one number, got only NaN"):
        defined_scores([np.nan], "mine", True, "worst", str)
    with pytest.raises(InputError, match="expected nan to be one of error, worst, got 'drop'"):
        defined_scores([1.0], "mine", True, "drop", str)


@pytest.mark.jit
def test_report_ranks_ones_own_measure_among_others():
    methods = [SEGMENTERS["watershed"], SEGMENTERS["merged_superpixels"]]
    sweep = {"methods": methods, "baselines": ["quadtree", "random_slic"]}
    table = meta.report(f"{__name__}:agreement", stripes(), built_in=("fop", "pri", "voi"), **sweep)
    assert set(table.index) == {f"{__name__}:agreement", "fop", "pri", "voi"}
    assert table["own"].sum() == 1
    assert table.loc[f"{__name__}:agreement", "own"]
    np.testing.assert_allclose(table["global"], table[["sihd", "sabd", "sisd"]].mean(axis=1))
    assert table["global"].is_monotonic_decreasing
    assert not table.loc["voi", "higher_is_better"]
    assert table.attrs["conventions"]["ties"] == "correct"
    assert table.attrs["conventions"]["scales"] == "the images reported"
    alone = meta.report(
        "pri", stripes(), train=stripes(), built_in=(), methods=methods[:1], baselines=["quadtree"]
    )
    assert alone["own"].tolist() == [False] and alone.attrs["conventions"]["scales"] == "train"
    useless = meta.report(constant, stripes(), higher_is_better=True, built_in=(), ties="half", **sweep)
    assert useless.loc["constant", ["sihd", "sabd", "sisd"]].tolist() == [0, 0.5, 0.5]


def test_ties_are_right_and_the_best_baseline_counts_by_default_as_in_the_authors_program():
    scores = pd.DataFrame({"a": [0.5, 0.5]})
    baselines = pd.DataFrame({"q": [0.5, 0.4], "r": [0.1, 0.6]})
    assert meta.sabd_of_scores(scores, baselines, True).value == 0.5  # a tie, and below the better of two
    assert meta.sabd_of_scores(scores, baselines, True).conventions == {"ties": "correct", "against": "best"}
    assert meta.sisd_of_scores(scores, baselines[["q"]].set_axis(["a"], axis=1), True).value == 1
    for function in (meta.sabd, meta.sisd, meta.sabd_of_scores, meta.sisd_of_scores, meta.report):
        assert signature(function).parameters["ties"].default == "correct"


@pytest.mark.jit
def test_scales_are_chosen_on_the_images_reported_by_default_as_in_the_authors_program():
    sweep = {"methods": [SEGMENTERS["watershed"]], "baselines": ["quadtree"], "built_in": ()}
    given = meta.report("pri", stripes(), train=stripes(), **sweep)
    pd.testing.assert_frame_equal(meta.report("pri", stripes(), **sweep), given)


@pytest.mark.data
def test_published_baseline_discrimination_of_fop(real_data):
    ids = (real_data / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    chosen = {
        name: ods(
            read_seism_scores(real_data / "seism" / "BSDS500" / name, "fop", ids),
            measure="fop",
            summary="f_of_means",
        ).scores
        for name in ("gPb-UCM", "EGB", "NCut", "MShift", "NWMC", "IIDKL", "QuadTree")
    }
    baseline = pd.DataFrame({"QuadTree": chosen.pop("QuadTree")})
    # The CVPR paper prints 94.2.
    as_authors = meta.sabd_of_scores(pd.DataFrame(chosen), baseline, True).value
    assert round(100 * as_authors, 1) == 94.2


@pytest.mark.data
@pytest.mark.jit
def test_human_discrimination_on_part_of_bsds(real_data):
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}", split="test")
    part = dataset.subset(dataset.images["image_id"].iloc[::8])
    scores = meta.human_scores(["fop", "nvoi", "hamming_truth"], part, shapes="rotate")
    values = {name: meta.sihd_of_scores(scores, name).value for name in ("fop", "nvoi", "hamming_truth")}
    # Table 2 prints 98.4, 96.7 and 73.8 for all 200 images.
    assert values["fop"] > 0.95
    assert values["fop"] > values["hamming_truth"] + 0.1
    assert values["nvoi"] > values["hamming_truth"]


def pair(partition, truths):
    return (0.5, 0.5)


def broken(partition, truths):
    return partition["labels"]


def missing_truths(partition):
    return 1.0


ONE = pd.DataFrame({"a": [1.0]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: meta.sihd("fops", stripes()),
            "measure: expected a measure of hamming_partition, .* got 'fops'",
        ),
        (
            lambda: meta.sihd("no_such_module:f", stripes()),
            "no_such_module:f: expected a module that imports, got ModuleNotFoundError: No",
        ),
        (
            lambda: meta.sihd(f"{__name__}:nothing", stripes()),
            f"expected a function 'nothing' in {__name__}, got none. It has:",
        ),
        (
            lambda: meta.sihd(f"{__name__}:ONE", stripes()),
            f"expected a function 'ONE' in {__name__}, got DataFrame",
        ),
        (lambda: meta.sihd(3, stripes()), "expected a measure's name or a function, got 3"),
        (
            lambda: meta.sihd(constant, stripes()),
            "constant: expected the direction of a measure of your own, got none",
        ),
        (
            lambda: meta.sihd(constant, stripes(), higher_is_better="up"),
            "higher_is_better to be True or False, got 'up'",
        ),
        (
            lambda: meta.sihd("voi", stripes(), higher_is_better=True),
            "expected higher_is_better=False for voi, got True",
        ),
        (
            lambda: meta.sihd(pair, stripes(), higher_is_better=True),
            "pair on image 0: expected one number, got tuple of 2. Return a single float",
        ),
        (
            lambda: meta.sihd(lambda p, t: "high", stripes(), higher_is_better=True),
            "expected one number, got 'high'",
        ),
        (
            lambda: meta.sihd(broken, stripes(), higher_is_better=True),
            "broken on image 0: expected a score, got IndexError",
        ),
        (
            lambda: meta.sihd(missing_truths, stripes(), higher_is_better=True),
            "expected a score, got TypeError: .* takes 1 positional",
        ),
        (lambda: meta.sihd("voi", stripes(1)), "number of images to be a whole number >= 2"),
        (
            lambda: meta.sihd("voi", stripes(annotators=1)),
            "stripes: expected an image with at least two partitions",
        ),
        (
            lambda: meta.sihd("voi", stripes(), classifier="svm"),
            "classifier to be one of density, threshold, got 'svm'",
        ),
        (lambda: meta.sihd("voi", stripes(), bins=1), "bins to be a whole number >= 3, got 1"),
        (lambda: meta.sihd("voi", stripes(), errors="max"), "errors to be one of sum, mean, got 'max'"),
        (lambda: meta.classify_scores([], [1.0], True), "same: expected at least one score, got none"),
        (
            lambda: meta.classify_scores([1.0], [2.0, np.inf], True),
            "different: expected finite scores, got inf at position 1",
        ),
        (
            lambda: meta.sabd_of_scores(ONE, ONE, True, ties="lucky"),
            "ties to be one of correct, half, wrong, got 'lucky'",
        ),
        (
            lambda: meta.sabd_of_scores(ONE, ONE, True, against="all"),
            "against to be one of best, each, got 'all'",
        ),
        (
            lambda: meta.sabd_of_scores(ONE, ONE.set_axis([7]), True),
            "expected the same images in both tables",
        ),
        (
            lambda: meta.sabd_of_scores(ONE.head(0), ONE, True),
            "methods: expected at least one image and one method",
        ),
        (
            lambda: meta.sabd_of_scores(ONE, ONE * np.nan, True),
            "baselines: expected a score for every image and method, got NaN for image 0, method 'a'",
        ),
        (
            lambda: meta.sisd_of_scores(ONE, ONE.rename(columns={"a": "b"}), True),
            "swapped: expected the same images and methods in both tables",
        ),
        (
            lambda: meta.sabd("voi", stripes(), {"m": {}}, {"b": {}}),
            "methods: m: expected a partition of image 0, got none",
        ),
        (
            lambda: meta.sisd("voi", stripes(), {"m": 3}),
            "methods: m: expected a mapping from image id to partition",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_measure_cannot_change_what_others_see():
    def careless(partition, truths):
        truths[0][:] = 0
        return 0.5

    with pytest.raises(
        InputError, match="expected a score, got ValueError: assignment destination is read-only"
    ):
        meta.human_scores([find_measure(careless, True), "voi"], stripes(3))
