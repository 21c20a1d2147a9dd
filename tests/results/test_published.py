"""Numbers of methods that other people ran: how they are found, and that they fit their data set."""

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from propeval_lite import load_dataset
from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.transforms import counted_only
from propeval_lite.results.published import Published, find_published, load_best_iou, load_recalls


@pytest.fixture
def tiny():
    images = pd.DataFrame({"image_id": ["a", "b"], "width": 12, "height": 10})
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2", "ignore"]
    rows = [(image, i, "cup", 0, 0, 2 + i, 5, False) for i, image in enumerate("aaabbb")]
    return Dataset("tiny", images, pd.DataFrame(rows, columns=columns), provenance={"spec": "tiny"})


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


def write_candidates(path, iou, numbers):
    """Lay out a file like those of Chavali et al.: a struct per budget, with boxes, IoUs and numbers of proposals."""
    fields = ["candidates_threshold", "best_candidates", "image_statistics"]
    entries = np.empty((1, len(iou)), dtype=[(name, object) for name in fields])
    for i, (values, counts) in enumerate(zip(iou, numbers, strict=True)):
        inner = np.empty((1, 1), dtype=[("candidates", object), ("iou", object)])
        inner[0, 0] = (np.zeros((len(values), 4)), np.reshape(values, (-1, 1)))
        images = np.empty((1, len(counts)), dtype=[("num_candidates", object)])
        images["num_candidates"][0] = [np.array([[n]]) for n in counts]
        entries[0, i] = (np.array([[10**i]]), inner, images)
    savemat(path, {"best_candidates": entries})


def test_overlaps_of_a_mat_file_are_greedy_and_numbers_are_means(tmp_path, tiny):
    iou = np.random.default_rng(0).uniform(size=(3, 6))
    write_candidates(tmp_path / "EB.mat", iou, [(1, 1), (9, 10), (11, 70)])
    overlaps = load_best_iou(tmp_path / "EB.mat", tiny)
    assert overlaps.budgets.tolist() == [1, 10, 40]  # 9.5 rounds to the even neighbour
    assert np.array_equal(overlaps.iou, iou.T)
    assert overlaps.conventions == {
        "dataset": "tiny", "method": "EB", "matching": "greedy", "pixels": "inclusive",
        "numbers": "mean over images, rounded",
    }  # fmt: skip


def test_a_mat_file_of_other_objects_is_refused(tmp_path, tiny):
    write_candidates(tmp_path / "other.mat", np.zeros((2, 6)), [(1, 1), (3, 3, 3)])
    with pytest.raises(
        InputError,
        match=r"other.mat: best_candidates\(2\): expected 6 IoUs and 2 numbers of proposals of tiny, got 6 and 3",
    ):
        load_best_iou(tmp_path / "other.mat", tiny)
    savemat(tmp_path / "flat.mat", {"best_candidates": {"iou": [1.0]}})
    with pytest.raises(InputError, match=r"flat.mat: expected a struct array best_candidates .* got fields"):
        load_best_iou(tmp_path / "flat.mat", tiny)
    savemat(tmp_path / "none.mat", {"x": [1]})
    with pytest.raises(InputError, match="image_statistics.num_candidates, got none"):
        load_best_iou(tmp_path / "none.mat", tiny)
    broken = np.empty((1, 1), dtype=[("best_candidates", object), ("image_statistics", object)])
    broken[0, 0] = (np.zeros((1, 1)), np.zeros((1, 1)))
    savemat(tmp_path / "broken.mat", {"best_candidates": broken})
    with pytest.raises(InputError, match=r"broken.mat: best_candidates\(1\): expected a struct"):
        load_best_iou(tmp_path / "broken.mat", tiny)


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


CHAVALI = ("edgebox", "selective_search", "objectness", "MCG", "endres", "Rantalankila")


@pytest.mark.data
@pytest.mark.jit
@pytest.mark.parametrize("method", CHAVALI)
def test_overlaps_of_chavali_fit_voc2007(real_data, method):
    voc07 = load_dataset(f"voc2007:{real_data}/hosang")
    table = load_best_iou(real_data / "chavali" / f"{method}.mat", voc07)
    assert table.iou.shape[0] == 14976
    assert table.budgets[:4].tolist() == [1, 3, 10, 32]
    assert (np.diff(table.budgets) > 0).all()
    # More boxes can only help: a box taken away from one object goes to another, so the mean rises.
    assert (np.diff(table.iou.mean(axis=0)) > 0).all()
