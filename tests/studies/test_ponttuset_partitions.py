"""Studies of segmenters: pools of data sets, curves, scales, ranges of values and disagreements."""

import naive
import pandas as pd
import pytest

from propeval_lite import load_dataset
from propeval_lite.meta import human_scores
from propeval_lite.meta.scales import sweep_methods
from propeval_lite.meta.summaries import SUMMARY
from propeval_lite.partitions.boundaries import BoundaryCounts, fb_counts
from propeval_lite.segmenters.registry import find_segmenter
from propeval_lite.studies import ponttuset_partitions as study

SPEC = "scenes?n=4&seed=3&width=64&height=48"


@pytest.fixture(scope="module")
def swept():
    dataset = load_dataset(SPEC)
    train, test = (
        dataset.subset(["scene-00000", "scene-00001"]),
        dataset.subset(["scene-00002", "scene-00003"]),
    )
    return sweep_methods(
        list(SUMMARY), ["quadtree?sweep=2,4,16", "watershed?sweep=2,6"], train, test, seed=5
    ), test


def test_sweeps_cover_both_splits_and_swap_only_test(swept):
    scores, _ = swept
    sizes = scores.groupby(["split", "method", "swapped"]).size().to_dict()
    assert sizes == {("train", "quadtree", False): 6, ("train", "watershed", False): 4,
                     ("test", "quadtree", False): 6, ("test", "quadtree", True): 6,
                     ("test", "watershed", False): 4, ("test", "watershed", True): 4}  # fmt: skip


def test_points_are_means_over_pictures_by_both_measures(swept):
    scores, test = swept
    points = study.precision_recall(scores[scores["split"] == "test"], ["method", "swapped", "parameter"])
    row = points.set_index(["method", "swapped", "parameter", "measure"])
    cuts = [find_segmenter("watershed?sweep=6").partitions(test, i)[0] for i in test.images["image_id"]]
    truths = [test.partitions(i) for i in test.images["image_id"]]
    counts = [fb_counts(cut, truth) for cut, truth in zip(cuts, truths, strict=True)]
    found = row.loc[("watershed", False, 6, "fb"), ["precision", "recall", "f"]]
    assert found.tolist() == pytest.approx(naive.mean_boundary_sides(counts))
    added = study.precision_recall(scores, ["split", "method", "swapped", "parameter"], boundaries="counts")
    summed = BoundaryCounts(*map(sum, zip(*counts, strict=True))).scores()
    row_added = added.set_index(["split", "method", "swapped", "parameter", "measure"])
    found = row_added.loc[("test", "watershed", False, 6, "fb"), ["f", "precision", "recall"]]
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
    # The person of picture b drew no contour: precision 1, as in the authors' files.
    assert points.loc["fb", ["precision", "recall"]].tolist() == pytest.approx([0.875, 0.375])
    assert points["images"].tolist() == [2, 2] and points["dataset"].tolist() == ["made", "made"]


@pytest.fixture(scope="module")
def pools():
    specs = [SPEC, "scenes?n=2&seed=4&width=32&height=48"]
    return study.load_pools(specs[:1], specs[1:], shrink=2)


def test_pools_are_known_by_the_name_of_what_is_reported(pools):
    ((name, (_, test)),) = pools.items()
    assert name == test.name
    sizes = study.pool_sizes(pools)
    assert sizes.to_numpy().tolist() == [[name, "train", 4, 32, 24], [name, "test", 2, 16, 24]]
    with pytest.raises(ValueError, match="got 1 and 0"):
        study.load_pools([SPEC], [])


def test_pools_are_swept_and_their_humans_judged(pools):
    ((train, test),) = pools.values()
    both = {"one": (train, test), "two": (test, test)}
    methods = ["quadtree?sweep=2,4"]
    swept = study.sweep_pools(methods, both, seed=3)
    assert swept["dataset"].drop_duplicates().tolist() == ["one", "two"]
    alone = sweep_methods(list(SUMMARY), methods, test, test, seed=3)
    second = swept[swept["dataset"] == "two"].drop(columns="dataset").reset_index(drop=True)
    pd.testing.assert_frame_equal(second, alone)
    people = study.judge_humans(both, seed=3)
    expected = human_scores(list(SUMMARY), test, seed=3)
    assert people["dataset"].value_counts().to_dict() == {"one": len(expected), "two": len(expected)}
    assert people.loc[people["dataset"] == "one", "fb"].tolist() == expected["fb"].tolist()
    scales = study.scales_of_pools(swept)
    assert scales.columns[-1] == "dataset"
    assert scales["dataset"].tolist() == ["one", "one", "two", "two"]
    assert scales.iloc[2]["train"] == study.best_scales(alone).iloc[0]["train"]


def made_scales():
    rows = [("m", "fb", 2, 0.5), ("m", "fop", 1, 0.2), ("n", "fb", 2, 0.6), ("n", "fop", 1, 0.1)]
    table = pd.DataFrame(rows, columns=["method", "measure", "parameter", "test"])
    return table.assign(dataset="d", regions=4.0, train=0.7, best=0.7, ois=0.8)


def made_points():
    rows = [(True, "fb", 0.8), (True, "fop", 0.5), (False, "fb", 0.3), (False, "fop", 0.05)]
    return pd.DataFrame(rows, columns=["same", "measure", "f"]).assign(dataset="d", precision=0.5, recall=0.5)


def made_curves():
    rows = [(method, swapped, measure, parameter, f) for method in "mn" for measure in ("fb", "fop")
            for swapped, f in ((False, 0.5), (True, 0.1)) for parameter, f in ((1, f), (2, f + 0.1))]  # fmt: skip
    table = pd.DataFrame(rows, columns=["method", "swapped", "measure", "parameter", "f"])
    return table.assign(dataset="d", precision=0.5, recall=0.5)


def test_marks_stand_on_the_own_curve_at_the_chosen_scale():
    marks = study.points_of_scales(made_scales(), made_curves())
    assert marks[["method", "measure", "f"]].to_numpy().tolist() == [
        ["m", "fb", 0.6], ["m", "fop", 0.5], ["n", "fb", 0.6], ["n", "fop", 0.5]
    ]  # fmt: skip


def test_ranges_hold_the_best_of_each_kind():
    ranges = study.value_ranges(made_points(), made_curves(), made_scales())
    assert ranges.columns.tolist()[2:] == ["human", "best segmenter (ODS)", "human, swapped",
                                           "best segmenter, swapped"]  # fmt: skip
    assert ranges.to_numpy().tolist() == [["d", "fb", 0.8, 0.6, 0.3, 0.2], ["d", "fop", 0.5, 0.2, 0.05, 0.2]]


def test_humans_join_the_curves_as_a_method():
    joined = study.with_humans(made_curves(), made_points())
    people = joined[joined["method"] == "human"]
    assert people[["measure", "swapped", "f"]].to_numpy().tolist() == [
        ["fb", False, 0.8], ["fop", False, 0.5], ["fb", True, 0.3], ["fop", True, 0.05]
    ]  # fmt: skip
    assert len(joined) == len(made_curves()) + 4
    assert "same" not in joined


def test_scales_are_listed_best_first():
    listing = study.list_scales(made_scales())
    assert listing["method"].tolist() == ["n", "m", "m", "n"]
    assert listing.columns[-1] == "OIS"
    assert "regions (mean)" in listing
    ranks = study.rank_methods(made_scales()).set_index("method")
    assert ranks["place by fb"].to_dict() == {"m": 2, "n": 1}
    assert ranks["place by fop"].to_dict() == {"m": 1, "n": 2}
