"""Two parts of a data set: how they are parted, how far their curves lie apart, and what chance has to do with it."""

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from propeval_lite import chance_recall, load_dataset, oma, recall
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.table import Overlaps
from propeval_lite.studies.wang_between_datasets import (
    SAME,
    average_distance,
    counted_split,
    gaps,
    halves,
    pooled_between,
    split_by_count,
    split_counts,
)
from propeval_lite.studies.wang_criteria import criteria_curves, pooled_oma, tiny_dataset


def overlaps(seed):
    """IoUs out of thin air for three images: one, three and two objects."""
    whole = tiny_dataset(seed=1)
    counts = whole.objects["image_id"].value_counts()
    chosen = [counts.index[counts == n][0] for n in (1, 3, 2)]
    data = whole.subset(chosen)
    iou = np.random.default_rng(seed).uniform(0.3, 1, (6, 3))
    return Overlaps.from_iou(np.sort(iou, axis=1), [1, 10, 100], dataset=data)


@pytest.fixture(scope="module")
def table():
    return overlaps(seed=3)


def test_split_keeps_every_object_once(table):
    few, multiple = split_by_count(table, 2)
    assert (len(few), len(multiple)) == (3, 3)
    assert few.conventions["dataset"] == "tiny-few"
    assert sorted(np.vstack([few.iou, multiple.iou]).tolist()) == sorted(table.iou.tolist())
    # Means over images separate: two images have few objects, one has several.
    parts = 2 * oma(few, 0.5, "image") + oma(multiple, 0.5, "image")
    assert np.allclose(parts / 3, oma(table, 0.5, "image"), rtol=0, atol=1e-12)
    assert len(split_by_count(table, 9)[1]) == 0


def test_split_counts(table):
    rows = split_counts(table, 2, 100, 0.5, None)
    assert rows[["part", "images", "objects"]].to_numpy().tolist() == [["few", 2, 3], ["multiple", 1, 3]]
    few = split_by_count(table)[0]
    assert np.isclose(rows["recall of chance"][0], chance_recall(few, 0.5, "image")[100])


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


def test_halves_are_the_curves_of_the_parts(table):
    few, multiple = halves({"m": table}, 2, 10, 0.6)
    assert set(few["dataset"]) == {"tiny-few"}
    assert set(multiple["dataset"]) == {"tiny-multiple"}
    part = split_by_count(table, 2)[1]
    found = multiple[(multiple["axis"] == "number") & (multiple["criterion"] == "recall")]
    assert np.allclose(found["value"], recall(part, 0.6, average="image"), rtol=0, atol=1e-12)
    pooled = halves({"m": table}, 2, 10, 0.6, "object")[1]
    assert set(pooled["average"]) == {"object"}


def test_what_oma_does_not_see_of_a_gap_is_chance(table):
    parts = split_by_count(table, 2)
    found = gaps(*halves({"m": table}, 2, 10, 0.6)).loc[("m", "number", 0.6)]
    luck = [chance_recall(part, 0.6, "image", round=True) for part in parts]
    assert np.allclose(found["chance"], luck[0] - luck[1], rtol=0, atol=1e-12)
    gained = [oma(part, 0.6, "image") for part in parts]
    assert np.allclose(found["OMA"], gained[0] - gained[1], rtol=0, atol=1e-12)
    assert (found["recall"].abs() > 0.01).any()


def test_difficult_objects_are_not_counted(table):
    objects = table.dataset.objects
    first = objects.groupby("image_id").cumcount() == 0
    data = table.dataset.__class__("d", table.dataset.images, objects.assign(difficult=first))
    # One object becomes none, which is in neither part; three become two.
    assert counted_split(data, 2)["images"].tolist() == [2, 0]
    assert counted_split(data, 1)["images"].tolist() == [1, 1]


def test_pooled_curves_are_compared_with_published_recalls(tmp_path, table):
    names = np.array([[(np.array([name]),) for name in ("EdgeBoxes", "Unknown")]], dtype=[("name", object)])
    taus = [[0.5, 0.75]]
    savemat(tmp_path / "r.mat", {"methods": names, "iou_thresholds": taus, "recalls": [[0.9, 0.2], [1, 1]]})
    method = f"recall:{tmp_path}/r.mat?dataset=voc2007"
    tables = dict.fromkeys(SAME.values(), table)
    found = pooled_between([method], table.dataset, tables, 0.8, 100, "edges").set_index("criterion")
    assert found["method"].tolist() == ["EB", "EB"]
    assert found["points"].tolist() == [2, 2]
    gap = np.array([0.9, 0.2]) - recall(table, [0.5, 0.75])[100].to_numpy()
    assert np.isclose(found.loc["recall", "distance"], np.abs(gap).mean(), rtol=0, atol=1e-12)
    here = oma(table, [0.5, 0.75], average="object", lattice="edges", round=True)[100].to_numpy()
    read = pd.DataFrame({"method": "EdgeBoxes", "tau": taus[0], "recall": [0.9, 0.2]})
    there = pooled_oma(read, table.dataset, 1000, "edges")["OMA"].to_numpy()
    assert np.isclose(found.loc["OMA", "distance"], np.abs(here - there).mean(), rtol=0, atol=1e-12)
    assert pooled_between(["uniform"], table.dataset, tables, 0.8, 100, "edges") is None


@pytest.mark.data
def test_images_of_voc_2007_with_few_and_multiple_objects(real_data):
    voc07 = load_dataset(f"voc2007:{real_data}/hosang")
    few, multiple = split_by_count(Overlaps.from_iou(np.zeros((14976, 1)), [1], dataset=voc07))
    assert (len(np.unique(few.image_row)), len(np.unique(multiple.image_row))) == (3060, 1892)
