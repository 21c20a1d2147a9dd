"""Studies of OMA: published tables, curves of a criterion, distances between curves."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import savemat

from propeval_lite import average_oma, average_recall, chance_recall, load_dataset, oma, propose, recall
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.table import Overlaps
from propeval_lite.chance.sampler import random_boxes
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.transforms import counted_only
from propeval_lite.results.published import Published, find_published, load_best_iou, load_recalls
from propeval_lite.studies.wang_between_datasets import (
    CURVES,
    beside,
    best_thresholds,
    distance_table,
    drops,
    fresh_or_kept,
    relative_distances,
    split_counts,
    steadiness,
    stretches_below,
)
from propeval_lite.studies.wang_criteria import (
    at_budget,
    average_distance,
    below_chance,
    criteria_curves,
    evaluate,
    nearest_budget,
    pooled_oma,
    split_by_count,
)

CHANCE = "random_boxes"
BOXES = {
    "a": [(0, 0, 6, 5)],
    "b": [(2, 1, 9, 7), (0, 0, 3, 3)],
    "c": [(1, 1, 4, 6), (5, 2, 12, 9), (0, 3, 7, 10)],
    "d": [],
}


@pytest.fixture(scope="module")
def tiny():
    rows = [
        (image, i, "cup", *box, False)
        for image, boxes in BOXES.items()
        for i, box in enumerate(boxes, start=1)
    ]
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2", "ignore"]
    images = pd.DataFrame({"image_id": list(BOXES), "width": 12, "height": 10})
    return Dataset("tiny", images, pd.DataFrame(rows, columns=columns), provenance={"spec": "tiny"})


@pytest.fixture(scope="module")
def table(tiny):
    iou = np.random.default_rng(3).uniform(0.3, 1, (6, 3))
    return Overlaps.from_iou(np.sort(iou, axis=1), [1, 10, 100], dataset=tiny)


def test_random_boxes_are_different_inside_and_nested():
    image = np.zeros((9, 13, 3), np.uint8)
    boxes, scores = random_boxes(image, 500, np.random.default_rng(0))
    assert scores is None
    assert boxes.shape == (500, 4)
    assert len(np.unique(boxes, axis=0)) == 500
    assert (boxes[:, :2] < boxes[:, 2:]).all()
    assert boxes.min() >= 0
    assert (boxes.max(axis=0)[2:] == (13, 9)).all()


def test_random_boxes_can_be_all_boxes():
    image = np.zeros((2, 3, 3), np.uint8)
    boxes, _ = random_boxes(image, 99, np.random.default_rng(0))
    assert len(np.unique(boxes, axis=0)) == len(boxes) == 6 * 3


def test_random_boxes_are_equally_likely():
    image = np.zeros((2, 3, 3), np.uint8)
    rng = np.random.default_rng(1)
    drawn = np.concatenate([random_boxes(image, 3, rng)[0] for _ in range(3000)])
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(counts) == 18
    # 500 of each are expected; the standard deviation of a count is about 20.
    assert (np.abs(counts - 500) < 100).all()


def test_a_small_request_is_the_beginning_of_a_large_one(tiny):
    few, many = (propose(CHANCE, tiny, k, seed=4) for k in (20, 50))
    assert np.array_equal(many.top(20).boxes, few.boxes)


@pytest.mark.jit
def test_random_boxes_have_no_ability_on_average(tiny):
    values = []
    for seed in range(150):
        overlaps = evaluate([CHANCE], tiny, [20], seed)[0]["random_boxes"]
        values.append([float(oma(overlaps, tau)) for tau in (0.5, 0.8)])
    error = np.std(values, axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(np.mean(values, axis=0)) < 4 * error).all()
    assert (error < 0.02).all()


def test_counted_only_drops_ignored_and_crowds(tiny):
    objects = tiny.objects.assign(ignore=[True] + [False] * 5, crowd=[False] * 5 + [True])
    left = counted_only(Dataset("flagged", tiny.images, objects))
    assert len(left.objects) == 4
    assert len(left.images) == 4
    assert len(counted_only(tiny).objects) == 6


def test_published_tables_are_found(tmp_path, monkeypatch):
    (tmp_path / "lpo").mkdir()
    np.savez(tmp_path / "lpo" / "ours.npz", [1], [[0.5]])
    spec = "best:lpo/ours.npz?dataset=voc2012"
    with pytest.raises(InputError, match=r"expected the file of 'best:lpo/ours.npz.*set PROPEVAL_DATA"):
        find_published(spec)
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    assert find_published(spec) == Published("best", tmp_path / "lpo" / "ours.npz", "voc2012")
    assert find_published(f"recall:{tmp_path}/lpo/ours.npz?dataset=coco").kind == "recall"
    with pytest.raises(InputError, match=r"expected best:FILE\?dataset=NAME, got 'best:lpo/ours.npz'"):
        find_published("best:lpo/ours.npz")
    assert find_published("file:boxes.csv") is None


def test_best_iou_is_sorted_and_rounded(tmp_path, tiny):
    iou = np.random.default_rng(0).uniform(size=(4, 6))
    np.savez(tmp_path / "gop.npz", [8.8, 0.2, 9.1, 30.4], iou)
    overlaps = load_best_iou(tmp_path / "gop.npz", tiny)
    assert overlaps.budgets.tolist() == [1, 9, 30]
    assert np.array_equal(overlaps.iou, iou[[1, 0, 3]].T)
    assert overlaps.conventions["method"] == "gop"
    assert overlaps.conventions["numbers"] == "mean over images, rounded"
    np.savez(tmp_path / "ebox.npz", [1, 10], iou[:2])
    assert load_best_iou(tmp_path / "ebox.npz", tiny, "EB").conventions["numbers"] == "given"


def test_best_iou_of_other_objects_is_refused(tmp_path, tiny):
    np.savez(tmp_path / "other.npz", [1, 10], np.zeros((2, 7)))
    with pytest.raises(
        InputError, match=r"other.npz: expected arr_1 of shape \(2 budgets, 6 objects of tiny\)"
    ):
        load_best_iou(tmp_path / "other.npz", tiny)
    np.savez(tmp_path / "named.npz", budgets=[1])
    with pytest.raises(InputError, match="expected arrays arr_0 and arr_1, got budgets"):
        load_best_iou(tmp_path / "named.npz", tiny)


def write_recalls(path, recalls, **more):
    methods = np.array([[(np.array(["A"]),), (np.array(["B"]),)]], dtype=[("name", object)])
    savemat(path, {"methods": methods, "iou_thresholds": [[0.5, 0.8]], "recalls": recalls, **more})


def test_recalls_are_read(tmp_path):
    write_recalls(tmp_path / "r.mat", [[0.9, 0.2], [0.5, 0.4]])
    table = load_recalls(tmp_path / "r.mat")
    assert table.to_numpy().tolist() == [["A", 0.5, 0.9], ["A", 0.8, 0.2], ["B", 0.5, 0.5], ["B", 0.8, 0.4]]
    write_recalls(tmp_path / "r.mat", [[0.9], [0.5]])
    with pytest.raises(InputError, match=r"expected recalls of shape \(2 methods, 2 thresholds\)"):
        load_recalls(tmp_path / "r.mat")
    savemat(tmp_path / "r.mat", {"recalls": [[1]]})
    with pytest.raises(InputError, match="got none called methods, iou_thresholds"):
        load_recalls(tmp_path / "r.mat")


def test_pooled_oma_needs_only_pooled_recall(tiny, table):
    taus = [0.5, 0.65, 0.8]
    pooled = recall(table, taus)[100]
    rows = pd.DataFrame({"method": "m", "tau": taus, "recall": pooled.to_numpy()})
    found = pooled_oma(rows, tiny, 100)
    assert np.allclose(found["OMA"], oma(table, taus, average="object")[100], rtol=0, atol=1e-12)
    assert np.allclose(found["chance"], chance_recall(table, taus, average="object")[100], rtol=0, atol=1e-12)


def test_evaluate_runs_reads_and_leaves_out(tmp_path, tiny):
    np.savez(tmp_path / "theirs.npz", [1, 10], np.zeros((2, 6)))
    theirs = f"best:{tmp_path}/theirs.npz?dataset="
    methods = ["uniform", "selective_search", theirs + "tiny", theirs + "voc2012"]
    tables, left_out = evaluate(methods, tiny, [1, 5])
    assert list(tables) == ["uniform", "theirs"]
    assert left_out == ["selective_search", theirs + "voc2012"]
    assert tables["uniform"].conventions["matching"] == "best"


@pytest.mark.parametrize("average", ["image", "object"])
def test_curves_are_the_criteria(table, average):
    curves = criteria_curves({"m": table}, 10, [0.6], levels=[0.5, 0.9], average=average)
    curves = curves.set_index(["axis", "criterion"])["value"]
    chance = {"average": average, "round": True}
    for key, expected in {
        ("number", "recall"): recall(table, 0.6, average=average),
        ("number", "OMA"): oma(table, 0.6, **chance),
        ("number", "AR"): average_recall(table, kind="sum", average=average),
        ("number", "AO"): average_oma(table, **chance),
        ("IoU", "recall"): recall(table, [0.5, 0.9], average=average)[10],
        ("IoU", "OMA"): oma(table, [0.5, 0.9], **chance)[10],
    }.items():
        assert np.allclose(curves.loc[key], expected, rtol=0, atol=1e-12), key


def test_summary_at_a_budget(table):
    rows = at_budget({"m": table}, 100, [0.5, 0.8], n=20)
    assert np.allclose(rows["recall"] - rows["chance"], rows["OMA"], rtol=0, atol=1e-12)
    assert np.allclose(rows["OMA"], oma(table, [0.5, 0.8])[100], rtol=0, atol=1e-12)
    assert np.allclose(rows["of possible"] * (1 - rows["chance"]), rows["OMA"], rtol=0, atol=1e-12)
    assert ((rows["low"] <= rows["OMA"]) & (rows["OMA"] <= rows["high"])).all()


def test_nearest_budget_is_nearest_in_ratio(table):
    assert [nearest_budget(table, k).budgets.tolist() for k in (3, 4, 31, 32)] == [[1], [10], [10], [100]]
    assert np.array_equal(nearest_budget(table, 90).iou, table.iou[:, 2:])


def test_split_keeps_every_object_once(table):
    few, multiple = split_by_count(table, 2)
    assert (len(few), len(multiple)) == (3, 3)
    assert few.conventions["dataset"] == "tiny-few"
    assert np.array_equal(np.vstack([few.iou, multiple.iou]), table.iou)
    # Means over images separate: two images have few objects, one has several.
    parts = 2 * oma(few, 0.5) + oma(multiple, 0.5)
    assert np.allclose(parts / 3, oma(table, 0.5), rtol=0, atol=1e-12)
    assert len(split_by_count(table, 9)[1]) == 0


def test_distance_is_zero_symmetric_and_shifts(table):
    first = criteria_curves({"m": table}, 10, [0.6], levels=[0.5, 0.9])
    assert (average_distance(first, first)["distance"] == 0).all()
    second = first.assign(value=first["value"] + 0.25)
    there, back = average_distance(first, second), average_distance(second, first)
    assert np.allclose(there["distance"], 0.25, rtol=0, atol=1e-12)
    pd.testing.assert_frame_equal(there, back)
    assert there["points"].tolist() == [3, 3, 3, 3, 2, 2]
    assert average_distance(first, second.assign(method="other")).empty


def test_distance_over_iou_allows_other_budgets(table):
    first, second = (criteria_curves({"m": table}, k, [0.6], levels=[0.5, 0.9]) for k in (10, 100))
    found = average_distance(first, second).set_index(["axis", "criterion"])
    expected = (
        recall(table, [0.5, 0.9], average="image")[10] - recall(table, [0.5, 0.9], average="image")[100]
    ).abs()
    assert np.isclose(found.loc[("IoU", "recall"), "distance"], expected.mean(), rtol=0, atol=1e-12)


def test_distance_needs_one_threshold(table):
    curves = criteria_curves({"m": table}, 10, [0.6, 0.7], levels=[0.5])
    with pytest.raises(
        InputError, match="expected one threshold for the curves against the number, got several"
    ):
        average_distance(curves, curves)


def test_stretches_below_chance():
    x = [1, 10, 100, 1000]
    assert below_chance(x, [1, -1, 1, 1], log=True) == [(pytest.approx(10**0.5), pytest.approx(10**1.5))]
    assert below_chance(x, [-1, -1, 1, -1]) == [(1, 55), (550, 1000)]
    assert below_chance(x, [1, 1, 1, -1e-7]) == []
    assert below_chance(x, [1, 1, 0, 0]) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1, 1).filter(lambda value: abs(value) > 0.01), min_size=1, max_size=12))
def test_stretches_hold_exactly_the_negative_points(values):
    x = np.arange(len(values), dtype=float)
    inside = np.zeros(len(values), dtype=bool)
    for low, high in below_chance(x, values):
        inside |= (x >= low) & (x <= high)
    assert np.array_equal(inside, np.array(values) < 0)


@pytest.mark.data
@pytest.mark.jit
def test_published_tables_fit_the_data_sets(real_data):
    voc12 = counted_only(load_dataset(f"voc2012:{real_data}/voc2012"))
    assert len(voc12.objects) == 13841
    for path in sorted((real_data / "lpo").glob("*.npz")):
        assert len(load_best_iou(path, voc12)) == 13841
    voc07 = load_dataset(f"voc2007:{real_data}/hosang")
    recalls = load_recalls(real_data / "hosang" / "pascal_voc07_test_recall.mat")
    assert recalls["method"].nunique() == 25
    hits = recalls["recall"] * len(voc07.objects)
    assert np.allclose(hits, hits.round(), rtol=0, atol=1e-6)
    few, multiple = split_by_count(Overlaps.from_iou(np.zeros((14976, 1)), [1], dataset=voc07))
    assert (len(np.unique(few.image_row)), len(np.unique(multiple.image_row))) == (3060, 1892)


def test_distances_as_the_paper_prints_them(table):
    first = criteria_curves({"b": table, "a": table}, 10, [0.6], levels=[0.5, 0.9])
    second = first.assign(value=first["value"] + np.where(first["criterion"] == "OMA", 0.1, 0.25))
    distances = average_distance(first, second)
    wide = distance_table(distances)
    assert wide.index.tolist() == ["b", "a"]
    assert wide.columns.tolist() == list(CURVES.values())
    assert np.allclose(wide["OMA vs IoU"], 10)
    assert np.allclose(wide["recall vs number"], 25)
    assert distance_table(distances[distances["axis"] == "IoU"]).shape == (2, 2)
    rows = relative_distances(distances).set_index("replacing").loc["recall → OMA vs IoU"]
    level = distances.set_index(["method", "axis", "criterion"]).loc[("a", "IoU", "OMA"), "level"]
    assert np.isclose(rows["OMA"], 0.1)
    assert np.isclose(rows["OMA, rel."], 0.1 / level)


def test_drops_leave_out_curves_that_are_missing():
    full = pd.DataFrame({"recall vs IoU": [10.0, 0], "OMA vs IoU": [12.0, 3]}, index=["a", "b"])
    counts, points = drops({"ours": full})
    assert counts.to_numpy().tolist() == [["ours", "recall → OMA vs IoU", "0 of 2", "0 of 2", -20.0]]
    assert points["recall"].tolist() == [10, 0]


def test_paper_beside_ours():
    paper = pd.DataFrame({"OMA vs IoU": [1.0, 2]}, index=["EB", "SS"])
    ours = pd.DataFrame({"OMA vs IoU": [1.5]}, index=["ebox"])
    assert beside(paper, ours, {"EB": "ebox"})["difference"].tolist() == [0.5]


def test_steadiness_by_hand():
    curves = pd.DataFrame(
        [
            ("m", "number", name, tau, budget, value)
            for name, tau, values in (
                ("recall", 0.5, (0.1, 0.5, 0.9)),
                ("OMA", 0.5, (0.1, 0.4, 0.3)),
                ("AR", np.nan, (0.1, 0.2, 0.3)),
                ("AO", np.nan, (0.1, 0.3, 0.0)),
            )
            for budget, value in zip((1, 100, 1000), values, strict=True)
        ],
        columns=["method", "axis", "criterion", "tau", "budget", "value"],
    )
    rows = steadiness(curves, 100, 1000, [0.5])
    assert rows["holds for"].tolist() == ["1 of 1", "0 of 1"]
    assert np.allclose(rows[["spread, recall", "spread, OMA"]], [[0.4, 0.1], [0.1, 0.3]])


def test_stretches_and_best_thresholds():
    curve = pd.DataFrame({"method": "m", "tau": [0.5, 0.6, 0.7], "OMA": [0.2, -0.2, -0.1]})
    rows = stretches_below(curve, "OMA", "here")
    assert rows.to_numpy().tolist() == [["here", "m", 0.55, 0.7, -0.2]]
    assert best_thresholds(curve, "OMA", "here", 0.6, 0.7).iloc[0].tolist() == ["here", 0.5, "0 of 1", "m"]


def test_split_counts(table):
    rows = split_counts(table, 2, 100, 0.5, None)
    assert rows[["part", "images", "objects"]].to_numpy().tolist() == [["few", 2, 3], ["multiple", 1, 3]]
    few = split_by_count(table)[0]
    assert np.isclose(rows["recall of chance"][0], chance_recall(few, 0.5)[100])


def test_fresh_tables_are_kept_and_kept_ones_found(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "propeval_lite.studies.wang_between_datasets.kept", lambda dataset, name: f"{dataset}/{name}"
    )
    offered = []
    monkeypatch.setattr(
        "propeval_lite.studies.wang_between_datasets.keep", lambda *arguments: offered.append(arguments)
    )
    mine = pd.DataFrame({"a": [1]})
    assert fresh_or_kept(None, "voc2007", "x", "source") == "voc2007/x"
    assert not offered
    assert fresh_or_kept(mine, "voc2007", "x", "source") is mine
    assert offered[0][1:] == ("voc2007", "x", "source")
