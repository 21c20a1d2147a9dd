"""Oracles of ground truth and of suppression: against a slow version, by what theory promises, and with bad input."""

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from toys import toy

import propeval_lite as pe
from propeval_lite.boxes import detection_errors, judge_detections, perfect_nms, with_truth
from propeval_lite.datasets.base import Dataset

CORNERS = ["x1", "y1", "x2", "y2"]
COLUMNS = ["image_id", "category", "score", *CORNERS]
quick = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)


def random_case(seed, n_images=3, pixels="edges"):
    """Objects of two categories, some ignored, and detections of three near them and elsewhere, with equal scores."""
    rng = np.random.default_rng(seed)
    images = pd.DataFrame({"image_id": np.arange(n_images), "width": 30, "height": 30})
    parts = []
    for most, kinds in ((5, "ab"), (15, "abc")):
        n = rng.integers(0, most, n_images)
        start = rng.integers(0, 15, (n.sum(), 2))
        table = pd.DataFrame(np.hstack([start, start + rng.integers(3, 12, start.shape)]), columns=CORNERS)
        table.insert(0, "image_id", np.repeat(np.arange(n_images), n))
        parts.append(table.assign(category=rng.choice(list(kinds), len(table))))
    objects, found = parts
    objects = objects.assign(object_id=np.arange(len(objects)), ignore=rng.random(len(objects)) < 0.2)
    found = found.assign(score=rng.integers(0, 6, len(found)) / 4)
    return Dataset("random", images, objects, pixels=pixels), found


def rows(table):
    return sorted(map(tuple, table[COLUMNS].to_numpy().tolist()))


@given(
    seeds,
    st.sampled_from(["voc", "coco"]),
    st.sampled_from([0, 0.1, 0.5]),
    st.sampled_from(["edges", "inclusive"]),
)
@quick
def test_the_oracle_keeps_the_same_detections(seed, matching, least, pixels):
    dataset, found = random_case(seed, pixels=pixels)
    judged, _ = judge_detections(dataset, found, 0.5, matching)
    expected = []
    for _, group in judged.groupby(["image_id", "category"]):
        marks = group["outcome"].map({"right": 1, "wrong": 0, "not judged": -1}).tolist()
        boxes = group[CORNERS].to_numpy().tolist()
        expected += rows(group.iloc[naive.without_touching(boxes, marks, least, int(pixels == "inclusive"))])
    left = perfect_nms(dataset, found, 0.5, least, matching=matching)
    assert rows(left) == sorted(expected)
    assert left.attrs["removed"] == len(found) - len(left)
    assert left.attrs["right"] + left.attrs["kept"] + left.attrs["not judged"] == len(left)


@given(seeds, st.sampled_from(["voc", "coco"]), st.sampled_from([0, 0.3]))
@quick
def test_perfect_suppression_keeps_what_is_right_and_never_lowers_precision(seed, matching, least):
    dataset, found = random_case(seed)
    left = perfect_nms(dataset, found, 0.5, least, matching=matching)
    before, after = (judge_detections(dataset, table, 0.5, matching)[0] for table in (found, left))
    for outcome in ("right", "not judged"):
        assert rows(before[before["outcome"] == outcome]) == rows(after[after["outcome"] == outcome])
    low, high = (pe.average_precision(dataset, table, matching=matching) for table in (found, left))
    high = high.reindex(low.index)
    assert (high >= low - 1e-12)[low.notna()].all()
    again = perfect_nms(dataset, left, 0.5, least, matching=matching)
    assert rows(again) == rows(left)


@given(seeds, st.sampled_from([0, 0.3]), st.sampled_from([0.1, 0.5]))
@quick
def test_thinning_the_background_is_suppression_among_the_wrong_ones(seed, least, background):
    dataset, found = random_case(seed)
    whole = perfect_nms(dataset, found, 0.5, least)
    thin = perfect_nms(dataset, found, 0.5, least, background)
    judged, _ = judge_detections(dataset, whole, 0.5)
    expected = rows(judged[judged["outcome"] != "wrong"])
    for _, group in judged[judged["outcome"] == "wrong"].groupby(["image_id", "category"]):
        boxes, scores = group[CORNERS].to_numpy().tolist(), group["score"].tolist()
        expected += rows(group.iloc[naive.suppress(boxes, scores, background)])
    assert rows(thin) == sorted(expected)
    assert thin.attrs["thinned"] == len(whole) - len(thin)
    assert thin.attrs["removed"] == whole.attrs["removed"]
    low, high = (pe.average_precision(dataset, table) for table in (whole, thin))
    assert (high.reindex(low.index) >= low - 1e-12)[low.notna()].all()


@given(seeds)
@quick
def test_with_truth_recall_is_perfect_and_the_proposals_follow(seed):
    dataset, found = random_case(seed)
    made = pe.Proposals.from_columns(
        found["image_id"], found[CORNERS].to_numpy(), found["score"], "made"
    ).aligned(dataset)
    full = with_truth(dataset, made)
    assert full.provenance["added"] == len(dataset.objects)
    for i, image in enumerate(dataset.images["image_id"]):
        objects = dataset.objects.loc[dataset.objects["image_id"] == image, CORNERS].to_numpy().tolist()
        expected = list(dict.fromkeys(map(tuple, objects + made.of(image)[0].tolist())))
        assert list(map(tuple, full.of(image)[0].tolist())) == expected, i
    if len(dataset.objects):
        table = pe.match(dataset, full, "all", matching="best", ignore="count")
        assert table.iou.min() == 1
        # One-to-one, copies of an object compete for one box: without copies AR is 1.
        if not dataset.objects.duplicated(["image_id", *CORNERS]).any():
            whole = pe.match(dataset, full, "all", ignore="count")
            assert float(pe.average_recall(whole).iloc[0]) == pytest.approx(1, abs=1e-12)


def test_truth_comes_in_the_frame_of_the_data_set_and_without_crowds():
    data = toy(3, pixels="inclusive", origin=1)
    objects = data.objects.assign(crowd=np.arange(len(data.objects)) == 0)
    data = Dataset("toy", data.images, objects, pixels="inclusive", origin=1)
    whole = pe.Proposals(["i0"], [0, 1], [[0, 0, 60, 40]], pixels="edges", origin=0, name="whole")
    full = with_truth(data, whole)
    assert (full.pixels, full.origin, len(full)) == ("inclusive", 1, len(objects))
    assert [1.0, 1.0, 60.0, 40.0] in full.of("i0")[0].tolist()
    none = pe.Proposals(data.images["image_id"], [0, 0, 0, 0], np.empty((0, 4)), name="silent")
    assert len(with_truth(data, none)) == len(objects) - 1


def test_copies_go_and_other_categories_and_the_background_stay():
    images = pd.DataFrame({"image_id": ["a", "b"], "width": 60, "height": 20})
    objects = pd.DataFrame(
        [("a", 1, "cup", 0, 0, 10, 10, False), ("a", 2, "pot", 20, 0, 30, 10, False)],
        columns=["image_id", "object_id", "category", *CORNERS, "ignore"],
    )
    found = pd.DataFrame(
        [
            ("a", "cup", 5, 0, 0, 10, 9),  # right
            ("a", "cup", 6, 0, 5, 10, 15),  # IoU 1/3 with the object, 4/15 with the right one
            ("a", "pot", 4, 0, 0, 10, 10),  # the cup taken for a pot
            ("a", "cup", 3, 40, 0, 50, 10),  # background
            ("b", "cup", 7, 0, 0, 10, 10),  # an image without objects
        ],
        columns=COLUMNS,
    )
    data = Dataset("kitchen", images, objects)
    assert perfect_nms(data, found)["score"].tolist() == [7, 5, 3, 4]
    assert perfect_nms(data, found, least=0.3)["score"].tolist() == [7, 6, 5, 3, 4]
    kinds = detection_errors(data, found).set_index("score")["kind"].to_dict()
    assert kinds == {
        7: "background", 6: "own category", 5: "right", 3: "background", 4: "other category",
    }  # fmt: skip
    # Without a category's detections there is nothing to remove, and its AP stays 0.
    cups = found[found["category"] == "cup"]
    assert pe.average_precision(data, perfect_nms(data, cups))["pot"] == 0


def test_no_detection_at_all():
    data, _ = random_case(1)
    nothing = pd.DataFrame(columns=COLUMNS)
    left = perfect_nms(data, nothing)
    assert (len(left), left.attrs["removed"]) == (0, 0)
    assert len(detection_errors(data, nothing)) == 0


def test_what_cannot_be_judged_is_refused():
    data, found = random_case(2)
    with refused("least"):
        perfect_nms(data, found, least=1.5)
    with refused("least"):
        detection_errors(data, found, least=True)
    with refused("threshold"):
        perfect_nms(data, found, background=2)
    with refused("a finite score"):
        perfect_nms(data, found.assign(score=np.nan))
    with refused("columns"):
        perfect_nms(data, found.drop(columns="score"))
    with refused("ranked boxes"):
        with_truth(data, found)
    with refused("a data set"):
        with_truth("scenes", found)
    with refused("unknown id"):
        with_truth(data, pe.Proposals([99], [0, 1], [[0, 0, 1, 1]]))
