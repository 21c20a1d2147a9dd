"""The detector: what it learns, what it refuses, and that it always does the same."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import toy

import propeval_lite as pe
from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset
from propeval_lite.detector import Described, describe, detect, train
from propeval_lite.detector.classifier import Scaling, best_objects, train_svm
from propeval_lite.detector.regression import corrected, corrections, fit_corrections

CATEGORIES = ["flamingo", "van"]


def scenes(n, seed):
    data = pe.load_dataset("scenes", n=n, seed=seed, width=96, height=72, categories=CATEGORIES)
    pictures = {name: data.image(name) for name in data.images["image_id"]}
    return replace(data, read_image=pictures.__getitem__)


@pytest.fixture(scope="module")
def trained():
    data = scenes(14, 1)
    described = describe(data, pe.propose("edge_boxes", data, 60))
    return described, train(described)


@pytest.mark.jit
def test_it_finds_objects_of_new_pictures_far_better_than_chance(trained):
    _, detector = trained
    test = scenes(14, 2)
    boxes = describe(test, pe.propose("edge_boxes", test, 60))
    found = detect(detector, boxes)
    ap = pe.average_precision(test, found)
    shuffled = found.assign(score=np.random.default_rng(0).permutation(found["score"].to_numpy()))
    assert ap.mean() > 3 * pe.average_precision(test, shuffled).mean()
    assert found.groupby(["image_id", "category"], sort=False)["score"].is_monotonic_decreasing.all()
    alone = pe.average_precision(test, detect(detector, test, boxes.proposals))
    pd.testing.assert_series_equal(ap, alone)


@pytest.mark.jit
def test_regression_moves_boxes_towards_objects(trained):
    described, detector = trained
    raw, moved = (detect(detector, described, regression=choice, nms=None) for choice in (False, True))
    both = raw.merge(moved, on=["image_id", "category", "proposal_row"], suffixes=("", "_moved"))
    assert len(both) == len(raw) == len(described) * 2
    assert (both["score"] == both["score_moved"]).all()
    gain = []
    for category in CATEGORIES:
        iou, row = best_objects(described, category)
        mine = both[both["category"] == category].sort_values("proposal_row")
        near = iou >= 0.5
        columns = [f"{name}_moved" for name in ("x1", "y1", "x2", "y2")]
        target = described.dataset.objects[["x1", "y1", "x2", "y2"]].to_numpy()[row]
        for box, truth, before in zip(mine[columns].to_numpy()[near], target[near], iou[near], strict=True):
            wide = max(0, min(box[2], truth[2]) - max(box[0], truth[0]))
            high = max(0, min(box[3], truth[3]) - max(box[1], truth[1]))
            areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (box, truth)]
            gain.append(wide * high / (sum(areas) - wide * high) - before)
    assert np.mean(gain) > 0.03


@pytest.mark.jit
def test_suppression_leaves_no_two_overlapping_boxes(trained):
    described, detector = trained
    found = detect(detector, described, nms=0.3)
    everything = detect(detector, described, nms=None)
    assert len(found) < len(everything)
    best = everything.groupby(["image_id", "category"])["score"].max()
    pd.testing.assert_series_equal(best, found.groupby(["image_id", "category"])["score"].max())


SCRIPT = """
import hashlib, sys
sys.path.insert(0, {folder!r})
from test_detector import scenes
import propeval_lite as pe
from propeval_lite.detector import describe, detect, train
data = scenes(6, 1)
boxes = describe(data, pe.propose("uniform", data, 40))
print(hashlib.sha256(detect(train(boxes), boxes).to_csv().encode()).hexdigest())
"""


@pytest.mark.jit
def test_the_number_of_threads_changes_nothing():
    found = set()
    folder = os.path.dirname(__file__)
    for threads in ("1", "2"):
        names = ("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
        path = os.pathsep.join([os.path.dirname(folder), os.environ.get("PYTHONPATH", "")])
        setting = os.environ | dict.fromkeys(names, threads) | {"PYTHONPATH": path}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(folder=folder)], env=setting, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        found.add(run.stdout)
    assert len(found) == 1


def described_toy(**changes):
    """Boxes of toy images whose features tell the categories apart."""
    dataset = toy(8, seed=3)
    objects = dataset.objects.assign(**changes)
    dataset = Dataset("toy", dataset.images, objects, read_image=textured)
    return describe(dataset, pe.propose("uniform", dataset, 12))


def textured(image_id):
    return np.random.default_rng(int(image_id[1:])).integers(0, 255, (40, 60, 3)).astype(np.uint8)


def test_report_counts_what_was_trained_on():
    described = described_toy()
    report = train(described).report.set_index("category")
    for category in "ab":
        iou, _ = best_objects(described, category)
        truth = (described.dataset.objects["category"] == category).sum()
        assert report.loc[category, "positives"] == truth + (iou >= 0.6).sum()
        assert report.loc[category, "corrections"] in (0, (iou >= 0.5).sum())


def test_ignored_objects_teach_nothing():
    plain = described_toy()
    ignore = np.zeros(len(plain.dataset.objects), dtype=bool)
    ignore[:2] = True
    marked = described_toy(ignore=ignore)
    counts = [train(d).report["positives"].sum() for d in (plain, marked)]
    assert counts[1] <= counts[0] - 2


def test_a_category_without_an_example_is_refused():
    described = described_toy()
    with pytest.raises(InputError, match="an example of every category, got no object of 'cow'"):
        train(described, ["a", "cow"])
    with pytest.raises(InputError, match="an example of every category"):
        train(described_toy(ignore=described.dataset.objects["category"] == "a"), ["a", "b"])
    with pytest.raises(InputError, match="at least one category"):
        train(described_toy(ignore=True))


def test_constant_features_are_refused_or_get_no_say():
    with pytest.raises(InputError, match="features that differ from box to box"):
        Scaling.of(np.ones((5, 3)))
    mixed = Scaling.of(np.array([[1.0, 2], [1, 4]]))
    assert mixed.constant == 1
    assert mixed(np.array([[9.0, 4]])).tolist() == [[0, 1]]
    dataset = toy(2)
    same = pe.Proposals(["i0", "i1"], [0, 1, 2], [[0, 0, 60, 40]] * 2)
    objects = dataset.objects.assign(x1=0.0, y1=0.0, x2=60.0, y2=40.0)
    flat = Dataset("flat", dataset.images, objects, read_image=lambda name: np.zeros((40, 60, 3), np.uint8))
    with pytest.raises(InputError, match="with the same features"):
        train(describe(flat, same))


def test_images_that_a_method_left_out_are_reported():
    def fails(image, k, rng):
        if image[0, 0, 0] == textured("i2")[0, 0, 0]:
            raise RuntimeError("broken")
        return np.array([[0.0, 0, 30, 20], [10, 10, 40, 30]]), None

    dataset = described_toy().dataset
    detector = train(described_toy())
    boxes = describe(dataset, pe.propose(fails, dataset, 5, on_error="skip"))
    found = detect(detector, boxes)
    assert [entry["image_id"] for entry in found.attrs["left_out"]] == ["i2"]
    assert "i2" not in set(found["image_id"])


def test_no_boxes_no_detections():
    described = described_toy()
    none = describe(described.dataset, pe.Proposals(["i0"], [0, 0], np.empty((0, 4))))
    found = detect(train(described), none)
    assert found.empty
    assert (pe.average_precision(described.dataset, found) == 0).all()


def test_equal_scores_are_told():
    described = described_toy()
    detector = train(described)
    blind = replace(detector, weights=np.zeros_like(detector.weights))
    ap = pe.average_precision(described.dataset, detect(blind, described))
    assert ap.attrs["tied"] == len(detect(blind, described))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positive": 0.3}, "negative <= positive"),
        ({"cost": 0}, "cost to be a number above 0"),
        ({"rounds": -1}, "rounds to be a whole number >= 0"),
        ({"categories": "a"}, "a list of categories"),
        ({"near": 2}, "near in"),
    ],
)
def test_bad_arguments_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        train(described_toy(), **change)


def test_bad_input_is_refused():
    described = described_toy()
    with pytest.raises(InputError, match="expected boxes with features"):
        train(described.proposals)
    with pytest.raises(InputError, match="expected finite features"):
        train(Described(described.dataset, described.proposals, described.features * np.nan))
    with pytest.raises(InputError, match="each category once"):
        train(described, ["a", "a"])
    with pytest.raises(InputError, match="nms to be None or a number from 0 to 1"):
        detect(train(described), described, nms=2)
    with pytest.raises(InputError, match="expected a detector"):
        detect(None, described)
    with pytest.raises(InputError, match="proposals beside a data set"):
        detect(train(described), described.dataset)


def test_the_machine_separates_what_can_be_separated():
    rng = np.random.default_rng(0)
    positives, negatives = rng.normal(2, 0.3, (20, 3)), rng.normal(-2, 0.3, (500, 3))
    weights, intercept, used = train_svm(positives, negatives, 1.0, 0, 20)
    assert (positives @ weights + intercept > 0).all()
    assert (negatives @ weights + intercept < 0).all()
    assert used == 20


def test_hard_negatives_are_added():
    rng = np.random.default_rng(0)
    positives, negatives = rng.normal(1, 1, (30, 2)), rng.normal(0, 1, (500, 2))
    used = [train_svm(positives, negatives, 1.0, rounds, 50)[2] for rounds in (0, 1, 2)]
    assert used[0] == 50 < used[1] <= 100
    assert used[1] < used[2] <= 150


@given(st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_corrections_lead_to_the_target(seed):
    rng = np.random.default_rng(seed)
    corner, size = rng.uniform(10, 40, (2, 6, 2)), rng.uniform(5, 20, (2, 6, 2))
    boxes, targets = (np.hstack([c, c + s]) for c, s in zip(corner, size, strict=True))
    change = corrections(boxes, targets)
    found = corrected(boxes, change, np.full((6, 2), 100.0))
    small = (np.abs(change[:, 2:]) <= 1).all(axis=1)
    np.testing.assert_allclose(found[small], targets[small], atol=1e-9)


def test_corrections_stay_in_the_image_or_do_nothing():
    boxes = np.array([[0.0, 0, 10, 10], [0, 0, 10, 10]])
    found = corrected(boxes, np.array([[0.5, 0, 0, 0], [5, 0, 0, 0]]), np.array([[12.0, 12], [12, 12]]))
    assert found.tolist() == [[5, 0, 12, 10], [0, 0, 10, 10]]


def test_linear_corrections_are_learnt():
    rng = np.random.default_rng(0)
    features, truth = rng.normal(size=(200, 5)), rng.normal(size=(5, 4))
    weights, shift = fit_corrections(features, features @ truth + 3, 1e-9)
    np.testing.assert_allclose(weights, truth, atol=1e-8)
    np.testing.assert_allclose(shift, 3, atol=1e-8)
