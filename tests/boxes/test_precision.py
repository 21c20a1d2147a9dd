"""Average precision against a slow oracle, against pycocotools, and by hand."""

import contextlib
import io
import json
from dataclasses import replace

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import toy

import propeval_lite as pe
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.match import COCO_THRESHOLDS
from propeval_lite.boxes.precision import KINDS
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.coco import load_coco

CORNERS = ["x1", "y1", "x2", "y2"]
seeds = st.integers(0, 10**6)
quick = settings(max_examples=60, deadline=None)


def lattice_boxes(rng, n, side=10):
    a, b = rng.integers(0, side + 1, (2, n, 2))
    return np.concatenate((np.minimum(a, b), np.maximum(a, b) + 1), axis=1).astype(float)


def random_case(seed, n_images=4):
    """Objects and detections of three categories on a coarse lattice, with equal scores, ignored ones and crowds."""
    rng = np.random.default_rng(seed)
    images = pd.DataFrame({"image_id": np.arange(n_images) + 1, "width": 300, "height": 300})
    parts = []
    for most in (6, 14):
        sizes = rng.integers(0, most, n_images)
        table = pd.DataFrame(lattice_boxes(rng, sizes.sum()), columns=CORNERS)
        table.insert(0, "image_id", np.repeat(images["image_id"].to_numpy(), sizes))
        parts.append(table.assign(category_id=rng.integers(1, 4, len(table))))
    objects, found = parts
    objects = objects.assign(
        object_id=np.arange(len(objects)) + 1,
        crowd=rng.random(len(objects)) < 0.2,
        category=objects["category_id"].astype(str),
    )
    objects["ignore"] = objects["crowd"]
    found = found.assign(score=rng.integers(0, 5, len(found)) / 2, category=found["category_id"].astype(str))
    return Dataset("random", images, objects), found


def by_hand(dataset, found, tau, kind, free_only, extra=0):
    """AP of each category by the oracle."""
    answer = {}
    for category in sorted(set(dataset.objects["category"]) | set(found["category"])):
        objects = dataset.objects[dataset.objects["category"] == category]
        mine = found[found["category"] == category]
        marks = []
        for image in dataset.images["image_id"]:
            here = objects[objects["image_id"] == image]
            boxes = mine[mine["image_id"] == image].sort_values("score", ascending=False, kind="stable")
            outcome = naive.detection_outcomes(
                here[CORNERS].to_numpy().tolist(), here["ignore"].tolist(), here["crowd"].tolist(),
                boxes[CORNERS].to_numpy().tolist(), tau, free_only, extra,
            )  # fmt: skip
            marks += zip(boxes["score"], outcome, strict=True)
        outcomes = [outcome for _, outcome in sorted(marks, key=lambda pair: -pair[0])]
        n = int((~objects["ignore"]).sum())
        answer[category] = naive.average_precision(outcomes, n, kind) if n else np.nan
    return pd.Series(answer)


@given(seeds, st.sampled_from(KINDS), st.sampled_from(["voc", "coco"]), st.sampled_from([0.2, 0.5, 1.0]))
@quick
def test_equals_the_oracle(seed, kind, matching, tau):
    dataset, found = random_case(seed)
    ours = pe.average_precision(dataset, found, tau, kind, matching)
    theirs = by_hand(dataset, found, tau, kind, matching == "coco")
    pd.testing.assert_series_equal(ours, theirs, check_names=False, rtol=0, atol=1e-12)


@given(seeds)
@quick
def test_inclusive_pixels_equal_the_oracle(seed):
    dataset, found = random_case(seed)
    ours = pe.average_precision(dataset, found, 0.5, "area", pixels="inclusive")
    theirs = by_hand(dataset, found, 0.5, "area", False, extra=1)
    pd.testing.assert_series_equal(ours, theirs, check_names=False, rtol=0, atol=1e-12)


def pycocotools_precision(truth, detections):
    """AP by category (rising id) and threshold as pycocotools has it; NaN for its -1."""
    coco = pytest.importorskip("pycocotools.coco")
    evaluation = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        gt = coco.COCO()
        gt.dataset = truth
        gt.createIndex()
        judge = evaluation.COCOeval(gt, gt.loadRes(detections), "bbox")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    levels = judge.eval["precision"][:, :, :, 0, -1]
    return np.where(levels < 0, np.nan, levels).mean(axis=1).T, judge.stats[0]


def as_coco(dataset, found):
    def box(row):
        return [row.x1, row.y1, row.x2 - row.x1, row.y2 - row.y1]

    truth = {
        "info": {},
        "images": [{"id": int(i), "width": 300, "height": 300} for i in dataset.images["image_id"]],
        "categories": [{"id": i, "name": str(i)} for i in (1, 2, 3)],
        "annotations": [
            {"id": int(row.object_id), "image_id": int(row.image_id), "category_id": int(row.category_id),
             "bbox": box(row), "area": 100.0, "iscrowd": int(row.crowd)}
            for row in dataset.objects.itertuples()
        ],
    }  # fmt: skip
    results = [
        {
            "image_id": int(row.image_id),
            "category_id": int(row.category_id),
            "bbox": box(row),
            "score": row.score,
        }
        for row in found.itertuples()
    ]
    return truth, results


@pytest.mark.parametrize("seed", range(25))
def test_equals_pycocotools(seed):
    dataset, found = random_case(seed, n_images=8)
    theirs, mean = pycocotools_precision(*as_coco(dataset, found))
    ours = pe.average_precision(dataset, found, COCO_THRESHOLDS, "coco", limit=100)
    ours = ours.reindex(["1", "2", "3"])
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    assert np.nanmean(ours) == pytest.approx(mean, abs=1e-12)


@pytest.mark.data
def test_equals_pycocotools_on_coco100(real_data):
    folder = real_data / "coco100"
    file = folder / "instances_val2014_100.json"
    results = json.loads((folder / "instances_val2014_fakebbox100_results.json").read_text())
    truth = json.loads(file.read_text())
    theirs, mean = pycocotools_precision(truth, results)
    names = {category["id"]: category["name"] for category in truth["categories"]}
    found = pd.DataFrame(results)
    boxes = np.array(found["bbox"].tolist())
    boxes[:, 2:] += boxes[:, :2]
    found = found.assign(category=found["category_id"].map(names), **dict(zip(CORNERS, boxes.T, strict=True)))
    dataset = load_coco(file)
    # Of equal scores pycocotools takes the smaller image id first, we the earlier image.
    dataset = replace(dataset, images=dataset.images.sort_values("image_id"))
    ours = pe.average_precision(dataset, found, COCO_THRESHOLDS, "coco", limit=100)
    ours = ours.reindex([names[key] for key in sorted(names)])
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    assert np.nanmean(ours) == pytest.approx(mean, abs=1e-12)
    assert len(np.unique(ours)) > 50


def detections(*rows):
    return pd.DataFrame(rows, columns=["image_id", "category", "score", *CORNERS])


def one_object(ignore=False):
    images = pd.DataFrame({"image_id": ["i"], "width": 100, "height": 100})
    objects = pd.DataFrame([("i", 1, "cat", 0, 0, 10, 10, ignore), ("i", 2, "cat", 50, 50, 60, 60, False)],
                           columns=["image_id", "object_id", "category", *CORNERS, "ignore"])  # fmt: skip
    return Dataset("one", images, objects)


def test_a_second_detection_of_an_object_is_wrong():
    twice = detections(
        ("i", "cat", 3, 0, 0, 10, 10), ("i", "cat", 2, 0, 0, 10, 10), ("i", "cat", 1, 50, 50, 60, 60)
    )
    assert pe.average_precision(one_object(), twice)["cat"] == pytest.approx((1 + 2 / 3) / 2)
    assert pe.average_precision(one_object(), twice.iloc[[0, 2, 1]])["cat"] == pytest.approx((1 + 2 / 3) / 2)


def test_ignored_objects_absorb_are_missing_or_count():
    data = one_object(ignore=True)
    found = detections(
        ("i", "cat", 3, 0, 0, 10, 10), ("i", "cat", 2, 0, 0, 10, 10), ("i", "cat", 1, 50, 50, 60, 60)
    )
    results = {
        ignore: pe.average_precision(data, found, ignore=ignore)["cat"] for ignore in ("absorb", "exclude")
    }
    assert results == {"absorb": 1, "exclude": pytest.approx(1 / 3)}
    assert pe.average_precision(data, found, ignore="count")["cat"] == pytest.approx((1 + 2 / 3) / 2)
    coco = pe.average_precision(data, found, kind="coco")["cat"]
    assert coco == pytest.approx(1 / 2)  # an ignored object takes one detection only; the second is wrong


def test_undefined_and_empty():
    found = detections(("i", "dog", 1, 0, 0, 10, 10))
    ap = pe.average_precision(one_object(), found)
    assert np.isnan(ap["dog"]) and ap["cat"] == 0
    empty = pe.average_precision(one_object(), detections())
    assert empty.to_dict() == {"cat": 0}


def test_equal_scores_are_counted():
    found = detections(
        ("i", "cat", 1, 0, 0, 10, 10), ("i", "cat", 1, 20, 0, 30, 10), ("i", "cat", 0, 0, 0, 5, 5)
    )
    assert pe.average_precision(one_object(), found).attrs["tied"] == 2


def test_limit_keeps_the_best_of_each_image_and_category():
    found = detections(
        ("i", "cat", 1, 0, 0, 10, 10), ("i", "cat", 2, 20, 0, 30, 10), ("i", "dog", 0, 0, 0, 5, 5)
    )
    judged, counts = pe.boxes.judge_detections(one_object(), found, limit=1)
    assert judged["score"].tolist() == [2, 0]
    assert counts.to_dict() == {"cat": 2, "dog": 0}
    assert judged["outcome"].tolist() == ["wrong", "wrong"]


@given(seeds)
@quick
def test_bounds_order_and_perfection(seed):
    dataset = toy(3, seed=seed)
    rng = np.random.default_rng(seed)
    perfect = dataset.objects.assign(score=rng.random(len(dataset.objects)))
    kinds = [pe.average_precision(dataset, perfect, kind=kind) for kind in KINDS]
    for ap in kinds:
        assert (ap == 1).all()
    other = perfect.assign(x1=perfect["x1"] - rng.integers(0, 20, len(perfect)))
    table = pe.average_precision(dataset, other, [0.3, 0.5, 0.9])
    assert ((table >= 0) & (table <= 1)).all(axis=None)
    assert (table.diff(axis=1).iloc[:, 1:] <= 1e-12).all(axis=None)


def test_precision_and_recall_after_each_detection():
    twice = detections(
        ("i", "cat", 3, 0, 0, 10, 10), ("i", "cat", 2, 0, 0, 10, 10), ("i", "cat", 1, 50, 50, 60, 60)
    )
    judged, counts = pe.boxes.judge_detections(one_object(), twice)
    curve = pe.boxes.precision_recall(judged, counts, "cat")
    assert curve["recall"].tolist() == [0.5, 0.5, 1]
    np.testing.assert_allclose(curve["precision"], [1, 1 / 2, 2 / 3])
    assert judged["object_row"].tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [np.nan]}, "finite score"),
        ({"score": ["high"]}, "expected a number"),
        ({"category": [None]}, "a category for every detection"),
        ({"image_id": ["nowhere"]}, "unknown id 'nowhere'"),
        ({"x2": [-5]}, "x2 >= x1"),
        ({"x1": [np.inf]}, "a finite x1"),
    ],
)
def test_bad_rows_are_refused(change, message):
    found = detections(("i", "cat", 1, 0, 0, 10, 10)).astype({"score": object}).assign(**change)
    with pytest.raises(InputError, match=message):
        pe.average_precision(one_object(), found)


def test_bad_arguments_are_refused():
    found = detections(("i", "cat", 1, 0, 0, 10, 10))
    with pytest.raises(InputError, match="kind to be one of voc11, area, coco"):
        pe.average_precision(one_object(), found, kind="voc")
    with pytest.raises(InputError, match="none called score"):
        pe.average_precision(one_object(), found.drop(columns="score"))
    with pytest.raises(InputError, match="expected a table"):
        pe.average_precision(one_object(), found.to_dict())
    with pytest.raises(InputError, match="limit to be a whole number >= 1"):
        pe.average_precision(one_object(), found, limit=0)
    for levels in ([], [0.5, 0.5]):
        with pytest.raises(InputError, match="at least one threshold, each once"):
            pe.average_precision(one_object(), found, levels)
    with pytest.raises(InputError, match="each column once"):
        pe.average_precision(one_object(), pd.concat([found, found[["score"]]], axis=1))
    nameless = one_object()
    nameless = Dataset("nameless", nameless.images, nameless.objects.assign(category=None))
    with pytest.raises(InputError, match="a category for every object"):
        pe.average_precision(nameless, found)


@pytest.mark.parametrize("tau", [0.7, np.float32(0.7), "7/10"])
def test_an_overlap_equal_to_the_threshold_is_enough(tau):
    found = detections(("i", "cat", 1, 0, 0, 10, 7), ("i", "cat", 0, 50, 50, 60, 56.9))
    assert pe.average_precision(one_object(), found, tau)["cat"] == 0.5
    judged, _ = pe.boxes.judge_detections(one_object(), found, tau)
    assert judged["outcome"].tolist() == ["right", "wrong"]
