"""OMA: curves of the criteria, one budget with intervals, methods run here and published ones."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from propeval_lite import average_oma, average_recall, chance_recall, oma, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.studies.wang_criteria import (
    at_budget,
    chance_test,
    count,
    criteria_curves,
    describe,
    evaluate,
    load_all,
    nearest_budget,
    pooled_oma,
    published_recalls,
    tiny_dataset,
)

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


@pytest.mark.jit
def test_random_boxes_have_no_ability_on_average(tiny):
    values = []
    for seed in range(150):
        overlaps = evaluate(["random_boxes"], tiny, [20], seed)[0]["random_boxes"]
        values.append([float(oma(overlaps, tau, "image")) for tau in (0.5, 0.8)])
    error = np.std(values, axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(np.mean(values, axis=0)) < 4 * error).all()
    assert (error < 0.02).all()


def test_data_sets_lose_what_is_not_counted_and_keep_their_names_apart():
    loaded = load_all(["scenes?n=2&seed=1", "photos?part=:1", "scenes?n=3&seed=1"], longest=100)
    assert list(loaded) == ["scenes", "photos", "scenes?n=3&seed=1"]
    assert [data.name for data in loaded.values()] == ["scenes", "photos", "scenes?n=3&seed=1"]
    assert not any(data.objects["ignore"].any() for data in loaded.values())
    assert loaded["photos"].images[["width", "height"]].to_numpy().max() == 100


def test_a_data_set_is_described_and_counted(tiny, table):
    assert describe(tiny, "edges", 3) == (
        "tiny: 4 images, 6 objects, best box per object, lattice edges, seed 3"
    )
    theirs = replace(table, conventions=table.conventions | {"matching": "greedy"})
    assert describe(
        tiny, "edges", 3, {"EB": theirs, "uniform": replace(table, conventions={"matching": "best"})}
    ) == ("tiny: 4 images, 6 objects, best box per object (EB: one-to-one), lattice edges, seed 3")
    assert count(tiny).to_dict("records") == [{"dataset": "tiny", "images": 4, "objects": 6}]


def test_made_up_boxes_lie_inside_and_are_two_wide():
    tiny = tiny_dataset(seed=2)
    low, high = tiny.objects[["x1", "y1"]].to_numpy(), tiny.objects[["x2", "y2"]].to_numpy()
    assert (low >= 0).all()
    assert (high - low >= 2).all()
    assert (high <= (16, 12)).all()
    assert not tiny_dataset(seed=3).objects.equals(tiny.objects)


@pytest.mark.jit
def test_chance_is_charged_for_what_it_drew(tiny):
    rows = chance_test(tiny, [0.5], trials=8)
    assert rows[["drawn", "charged", "IoU"]].to_numpy().tolist() == [[20, 20, 0.5], [60, 20, 0.5]]
    for row, drawn in zip(rows.itertuples(index=False), (20, 60), strict=True):
        runs = [evaluate(["random_boxes"], tiny, [drawn], seed)[0]["random_boxes"] for seed in range(8)]
        luck = float(chance_recall(Overlaps.from_iou(runs[0].iou, [20], dataset=tiny), 0.5, "image"))
        values = [float(recall(run, 0.5, average="image")) - luck for run in runs]
        error = np.std(values, ddof=1) / np.sqrt(8)
        assert np.allclose(row[3:], [np.mean(values), error, np.mean(values) / error])


def test_recalls_that_a_method_names_are_read_for_their_data_set(tmp_path):
    names = np.array([[(np.array(["A"]),)]], dtype=[("name", object)])
    savemat(tmp_path / "r.mat", {"methods": names, "iou_thresholds": [[0.5, 0.8]], "recalls": [[0.9, 0.2]]})
    methods = ["uniform", f"recall:{tmp_path}/r.mat?dataset=voc2007"]
    assert published_recalls(methods, "voc2007")["recall"].tolist() == [0.9, 0.2]
    assert published_recalls(methods, "voc2012") is None
    assert published_recalls(methods[:1], "voc2007") is None


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
    methods = ["uniform", "selective_search?dataset=photos", theirs + "tiny", theirs + "voc2012"]
    tables, left_out = evaluate(methods, tiny, [1, 5])
    assert list(tables) == ["uniform", "theirs"]
    assert left_out == ["selective_search?dataset=photos", theirs + "voc2012"]
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
    assert np.allclose(rows["OMA"], oma(table, [0.5, 0.8], "image")[100], rtol=0, atol=1e-12)
    assert np.allclose(rows["of possible"] * (1 - rows["chance"]), rows["OMA"], rtol=0, atol=1e-12)
    assert ((rows["low"] <= rows["OMA"]) & (rows["OMA"] <= rows["high"])).all()


def test_nearest_budget_is_nearest_in_ratio(table):
    assert [nearest_budget(table, k).budgets.tolist() for k in (3, 4, 31, 32)] == [[1], [10], [10], [100]]
    assert np.array_equal(nearest_budget(table, 90).iou, table.iou[:, 2:])
