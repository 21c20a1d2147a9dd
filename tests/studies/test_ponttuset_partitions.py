"""Studies of segmenters: parts of data sets, curves, scales, disagreements and the freedom of matchings."""

import math

import numpy as np
import pandas as pd
import pytest

from propeval_lite import InputError, load_dataset
from propeval_lite.meta.scales import SUMMARY, sweep_methods
from propeval_lite.partitions.boundaries import BoundaryCounts, fb_counts
from propeval_lite.segmenters.registry import find_segmenter
from propeval_lite.studies import ponttuset_authors as seism_study
from propeval_lite.studies import ponttuset_partitions as study

SPEC = "scenes?n=4&seed=3&width=64&height=48"


@pytest.fixture(scope="module")
def swept():
    dataset = load_dataset(SPEC)
    train, test = (
        dataset.subset(["scene-00000", "scene-00001"]),
        dataset.subset(["scene-00002", "scene-00003"]),
    )
    return sweep_methods(SUMMARY, ["quadtree?sweep=2,4,16", "watershed?sweep=2,6"], train, test, seed=5), test


def test_sweeps_cover_both_splits_and_swap_only_test(swept):
    scores, _ = swept
    sizes = scores.groupby(["split", "method", "swapped"]).size().to_dict()
    assert sizes == {("train", "quadtree", False): 6, ("train", "watershed", False): 4,
                     ("test", "quadtree", False): 6, ("test", "quadtree", True): 6,
                     ("test", "watershed", False): 4, ("test", "watershed", True): 4}  # fmt: skip


def test_points_add_counts_and_average_overlaps(swept):
    scores, test = swept
    points = study.precision_recall(scores[scores["split"] == "test"], ["method", "swapped", "parameter"])
    row = points.set_index(["method", "swapped", "parameter", "measure"])
    cuts = [find_segmenter("watershed?sweep=6").partitions(test, i)[0] for i in test.images["image_id"]]
    truths = [test.partitions(i) for i in test.images["image_id"]]
    counts = [fb_counts(cut, truth) for cut, truth in zip(cuts, truths, strict=True)]
    summed = BoundaryCounts(*map(sum, zip(*counts, strict=True))).scores()
    found = row.loc[("watershed", False, 6, "fb"), ["f", "precision", "recall"]]
    assert found.tolist() == pytest.approx(summed)
    rows = scores.query("split == 'test' and method == 'watershed' and parameter == 6 and not swapped")
    p, r = rows["fop_precision"].mean(), rows["fop_recall"].mean()
    found = row.loc[("watershed", False, 6, "fop"), ["f", "precision", "recall"]]
    assert found.tolist() == pytest.approx([2 * p * r / (p + r) if p + r else 0.0, p, r])
    assert (points["images"] == 2).all()


def test_objects_and_parts_without_any_credit_score_zero():
    counts = {"matched_truth": [0], "truth": [1], "matched_partition": [0], "partition": [1]}
    table = pd.DataFrame({"method": ["a"], **counts, "fop_precision": [0.0], "fop_recall": [0.0]})
    assert study.precision_recall(table, ["method"])["f"].tolist() == [0.0, 0.0]


def test_scales_are_chosen_on_train_and_reported_on_test(swept):
    scores, _ = swept
    table = study.best_scales(scores)
    assert len(table) == 4
    points = study.precision_recall(scores[~scores["swapped"]], ["split", "method", "parameter"])
    for row in table.itertuples():
        curve = points[(points["method"] == row.method) & (points["measure"] == row.measure)]
        train, test = (
            curve[curve["split"] == split].set_index("parameter")["f"] for split in ("train", "test")
        )
        assert row.train == pytest.approx(train.max()) and train[row.parameter] == pytest.approx(train.max())
        assert row.test == pytest.approx(test[row.parameter]) and row.best == pytest.approx(test.max())
        used = scores.query(f"split == 'test' and method == {row.method!r} and parameter == {row.parameter}")
        assert row.regions == pytest.approx(used.loc[~used["swapped"], "regions"].mean())


def test_disagreements_put_what_only_boundaries_like_first():
    table = pd.DataFrame({"name": list("abc"), "fb": [0.5, 0.9, 0.1], "fop": [0.5, 0.0, 0.9]})
    ranked = study.disagreements(table)
    assert ranked["name"].tolist() == ["b", "a", "c"]
    assert ranked["gap"].tolist() == pytest.approx([2 / 3, 0, -2 / 3])
    tied = study.disagreements(pd.DataFrame({"fb": [0.5, 0.5], "fop": [0.0, 0.1]}))
    assert tied["fb_rank"].tolist() == [0.5, 0.5]


def test_blind_matchings_keep_recall_and_move_precision():
    rng = np.random.default_rng(2)
    truths = [np.kron(rng.integers(0, 3, (4, 4)), np.ones((5, 5), dtype=int)) for _ in range(3)]
    partition = np.kron(rng.integers(0, 3, (5, 5)), np.ones((4, 4), dtype=int))
    counts = fb_counts(partition, truths, tolerance=0.1)
    spread = study.matching_spread(partition, truths, trials=25, tolerance=0.1, seed=1)
    assert (spread["matched_truth"] == counts.matched_truth).all()
    assert spread["matched_partition"].min() < spread["matched_partition"].max()
    assert spread["matched_partition"].max() <= counts.partition
    again = study.matching_spread(partition, truths, trials=25, tolerance=0.1, seed=1)
    pd.testing.assert_frame_equal(spread, again)


def test_at_least_one_trial():
    with pytest.raises(InputError, match="trials"):
        study.matching_spread(np.zeros((2, 2), dtype=int), [np.zeros((2, 2), dtype=int)], 0)


def made_scores():
    keys = {"image_id": ["a", "b"], "parameter": ["0.10", "0.10"]}
    counts = {
        "matched_truth": [10, 20],
        "truth": [20, 40],
        "matched_partition": [5, 8],
        "partition": [10, 10],
    }
    overlaps = {"fop": [0.5, 0.4], "fop_precision": [0.5, 0.4], "fop_recall": [0.5, 0.4]}
    own = {"fb": [0.5, 0.6], "fb_precision": [0.5, 0.8], "fb_recall": [0.5, 0.5]}
    return tuple(pd.DataFrame(keys | part) for part in (counts | overlaps, overlaps, own | counts))


def test_equal_scores_have_no_difference_to_the_authors():
    row = seism_study.compare_with_authors(*made_scores()).iloc[0]
    assert row[["fop", "lengths_differ", "matched_truth", "matched_partition", "surplus"]].tolist() == [0] * 5
    assert row["fb_here"] == row["fb_file"] and row["fop_here"] == row["fop_file"] == pytest.approx(0.45)


def test_differences_to_the_authors_are_found():
    ours, fop, fb = made_scores()
    ours.loc[1, ["matched_truth", "fop_recall"]] = 18, 0.45
    ours.loc[0, "partition"] = 11
    ours[["fop@0.95", "fop@0.95_precision", "fop@0.95_recall"]] = 0.1
    table = seism_study.compare_with_authors(ours, fop, fb)
    row = table.iloc[0]
    assert row["fop"] == pytest.approx(0.05) and row["fop@0.95"] == pytest.approx(0.4)
    assert row["lengths_differ"] == 1 and row["surplus"] == -2
    assert row["matched_truth"] == pytest.approx(0.1) and row["matched_truth_all"] == pytest.approx(-2 / 30)
    assert row["fb_here"] != row["fb_file"]
    summary = seism_study.largest_differences(table).set_index("compared")["value"]
    assert summary["the same with γ = 0.95"] == pytest.approx(0.4)
    assert summary["boundaries: pairs here minus theirs in one picture, least"] == -2
    assert not summary.map(math.isnan).any()


def test_images_that_the_authors_lack():
    ours, fop, fb = made_scores()
    with pytest.raises(InputError, match=r"expected the authors' scores of all 2 partitions, got 1"):
        seism_study.compare_with_authors(ours, fop.iloc[:1], fb)


@pytest.mark.data
@pytest.mark.jit
def test_contour_maps_score_as_published(real_data):
    from propeval_lite.meta.scales import read_seism_scores

    ids = (real_data / "seism/gt_sets/BSDS500/test.txt").read_text().split()
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}").subset(ids[5:7])
    thresholds = [0.08, 0.2, 0.5]
    scores = seism_study.score_contour_maps(dataset, real_data / "bsds500/ucm2/test", thresholds, (0.9, 0.95))
    files = [read_seism_scores(real_data / "seism/BSDS500/gPb-UCM", name, ids) for name in ("fop", "fb")]
    table = seism_study.compare_with_authors(scores, *files)
    assert table["parameter"].tolist() == thresholds
    assert (table["fop"] < 1e-6).all() and (table["fop@0.95"] > 1e-3).all()
    assert (table["lengths_differ"] == 0).all() and (table["surplus"] >= 0).all()
    assert ((table["fb_here"] - table["fb_file"]).abs() < 2e-3).all()


def test_human_points_weigh_images_alike():
    counts = {
        "matched_truth": [2, 4, 0],
        "truth": [4, 4, 4],
        "matched_partition": [1, 2, 0],
        "partition": [2, 2, 0],
    }
    overlaps = {"fop_precision": [0.2, 0.4, 0.9], "fop_recall": [0.0, 0.0, 0.0]}
    table = pd.DataFrame({"image_id": ["a", "a", "b"], "same": True, "dataset": "made", **counts, **overlaps})
    points = study.human_points(table, ["dataset", "same"]).set_index("measure")
    assert points.loc["fop", ["precision", "recall", "f"]].tolist() == pytest.approx([0.6, 0.0, 0.0])
    assert points.loc["fb", ["precision", "recall"]].tolist() == pytest.approx([0.75, 0.375])
    assert points["images"].tolist() == [2, 2] and points["dataset"].tolist() == ["made", "made"]
