"""Recall on one data set: the tables that the page shows, each against numbers by hand."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite.boxes.cover import cover
from propeval_lite.cli import main
from propeval_lite.studies import hosang_recall as study

ROOT = Path(__file__).parents[2]


def test_summary_holds_the_criteria_and_their_intervals():
    (table,) = cover("uniform", toy(), [5, 60])
    summary = study.summarise({"a": table, "b": table}, taus=[0.5, 0.8], n=30)
    assert summary.columns.tolist() == [
        "dataset", "method", "budget", "criterion", "tau", "low", "value", "high",
    ]  # fmt: skip
    assert len(summary) == 2 * 2 * 3
    part = summary[summary["method"] == "b"].set_index(["criterion", "budget"])
    np.testing.assert_array_equal(part.loc["AR", "value"], pe.average_recall(table))
    np.testing.assert_array_equal(part[part["tau"] == 0.8]["value"], pe.recall(table, 0.8))
    assert part.loc["AR", "tau"].isna().all()
    assert ((summary["low"] <= summary["value"]) & (summary["value"] <= summary["high"])).all()


def test_evaluation_covers_what_can_run_and_compares_the_matchings():
    data, made = toy(pictures=False), {}
    methods = ["uniform", "edge_boxes?dataset=photos", "sliding_window"]
    tables, rivals, left_out = study.evaluate(methods, data, [5, 60], "best", 3, made=made)
    assert (list(tables), left_out) == (["uniform", "sliding_window"], ["edge_boxes?dataset=photos"])
    assert tables["uniform"].conventions["matching"] == "best"
    assert [key[0] for key in made] == ["uniform", "sliding_window", "sliding_window"]
    assert rivals.columns.tolist() == ["budget", "greedy", "best", "dataset", "method"]
    boxes = pe.propose("uniform", data, 60, 3)
    for row in rivals[rivals["method"] == "uniform"].itertuples():
        for way in ("greedy", "best"):
            assert getattr(row, way) == float(pe.average_recall(pe.match(data, boxes, [row.budget], way)))


def test_boxes_of_a_file_stay_out_of_other_data_sets(tmp_path):
    path = tmp_path / "mine.csv"
    toy().objects[["image_id", "x1", "y1", "x2", "y2"]].to_csv(path, index=False)
    here, there = (
        study.evaluate(["uniform", f"file:{path}"], toy(), [5], files=own) for own in (True, False)
    )
    assert list(here.tables) == ["uniform", "mine"]
    assert (list(there.tables), there.left_out) == (["uniform"], [f"file:{path}"])


def summary(rows):
    columns = ["method", "budget", "criterion", "tau", "value"]
    return pd.DataFrame(rows, columns=columns).assign(dataset="d", low=0.0, high=1.0)


def test_left_over_is_the_ratio_of_two_recalls():
    rows = [("a", 10, "recall", 0.5, 0.8), ("a", 10, "recall", 0.8, 0.2), ("b", 10, "recall", 0.5, 0.4),
            ("b", 10, "recall", 0.8, 0.3), ("a", 20, "recall", 0.5, 1.0), ("a", 10, "AR", np.nan, 0.6)]  # fmt: skip
    table = study.left_over(summary(rows), 10, [0.5, 0.8])
    assert table.columns.tolist() == ["method", "recall at 0.5", "recall at 0.8", "left over"]
    assert table["method"].tolist() == ["b", "a"]
    np.testing.assert_allclose(table.iloc[:, 1:], [[0.4, 0.3, 0.75], [0.8, 0.2, 0.25]])


def test_gain_is_the_best_that_looks_over_the_best_blind():
    ars = {"eyes": (0.4, 0.6), "glasses": (0.3, 0.9), "dice": (0.2, 0.3), "grid": (0.1, 0.45)}
    rows = [(name, k, "AR", np.nan, v) for name, ar in ars.items() for k, v in zip((1, 5), ar, strict=True)]
    rows.append(("dice", 1, "recall", 0.5, 1.0))
    table = study.gain_of_looking(summary(rows), {"eyes", "glasses"})
    assert table.iloc[:, :5].to_numpy().tolist() == [
        [1, "eyes", 0.4, "dice", 0.2],
        [5, "glasses", 0.9, "grid", 0.45],
    ]
    np.testing.assert_allclose(table["ratio"], 2)
    blind = study.gain_of_looking(summary(rows), set())
    assert blind["best blind"].tolist() == ["eyes", "glasses"]
    assert blind[["best that looks", "its AR", "ratio"]].isna().all(axis=None)


def overlaps():
    one = pe.Overlaps.from_iou([[0.0, 0.72], [1.0, 1.0]], budgets=[1, 10], image_row=[0, 0])
    two = pe.Overlaps.from_iou([[0.0, 0.95], [0.0, 1.0]], budgets=[1, 10], image_row=[0, 0])
    return {"one": one, "two": two}


def test_kinds_of_ar_and_the_distance_foretold():
    table = study.ar_kinds(overlaps(), 10)
    assert table["method"].tolist() == ["two", "one"]
    # 0.72: 4 right ends and 5 left ends of ten; 0.95: 9 and 10; 1: 10 and 10.
    np.testing.assert_allclose(table["sum"], [(0.9 + 1) / 2, (0.4 + 1) / 2])
    np.testing.assert_allclose(table["coco"], [1, (0.5 + 1) / 2])
    np.testing.assert_allclose(table["integral"], [(0.9 + 1) / 2, (0.44 + 1) / 2])
    np.testing.assert_allclose(table["coco − sum"], table["coco"] - table["sum"])
    np.testing.assert_allclose(table["in %"], [5 / 0.95, 5 / 0.72])


def test_partial_ranges_are_named_by_their_ends():
    table = study.partial_ranges(overlaps(), 10, 0.7)
    assert table.columns.tolist() == ["method", ".5 to 1", ".5 to .7", ".7 to 1"]
    np.testing.assert_allclose(table.iloc[0, 1:].astype(float), [0.72, 1, (0.02 / 0.3 + 1) / 2])


def test_methods_of_the_user_may_look_too(tmp_path, monkeypatch):
    (tmp_path / "own_boxes.py").write_text("def fast(image, k, rng):\n    return None\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = study.looking(["own_boxes:fast", "gaussian"])
    assert {"fast", "selective_search", "bing"} <= found
    assert not found & {"gaussian", "uniform", "sliding_window"}


@pytest.mark.data
def test_published_table_is_the_authors_file(real_data):
    from scipy.io import loadmat

    table = pd.read_csv(ROOT / "data" / "published" / "hosang_recall.csv")
    content = loadmat(real_data / "hosang" / "pascal_voc07_test_recall.mat", squeeze_me=True)
    levels, curves, ars = content["iou_thresholds"], content["recalls"], content["ARs"]
    assert len(table) == 3 * len(ars) == 75
    for i, entry in enumerate(content["methods"]):
        rows = table[table["method"] == entry["name"]].set_index("tau")["value"]
        expected = [ars[i], curves[i, levels == 0.5][0], curves[i, levels == 0.8][0]]
        np.testing.assert_allclose(rows, expected, atol=5e-7)
    # The published AR is the integral: it lies between the sums at the left and the right ends.
    assert (curves[:, 1:].mean(axis=1) <= ars).all()
    assert (ars <= curves[:, :-1].mean(axis=1)).all()


@pytest.mark.site
def test_the_recipe_of_the_page_runs(tmp_path, monkeypatch, capsys):
    annotations = [
        {"id": i, "image_id": 7, "category_id": 1, "bbox": [20 * i, 20, 60, 50], "area": 3000, "iscrowd": 0}
        for i in range(1, 4)
    ]
    content = {"images": [{"id": 7, "width": 200, "height": 150}], "annotations": annotations,
               "categories": [{"id": 1, "name": "thing"}]}  # fmt: skip
    (tmp_path / "instances.json").write_text(json.dumps(content))
    (tmp_path / "my_boxes.csv").write_text("image_id,x1,y1,x2,y2,score\n7,20,20,80,70,0.9\n")
    monkeypatch.setenv("PROPEVAL_HOME", str(ROOT))
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "notebooks" / "hosang_recall.ipynb").read_text()
    command = re.search(r"propeval (run hosang_recall --method file:my_boxes.csv[^\\\"]*)", text)[1].split()
    assert command[-2:] == ["--dataset", "coco:instances.json"]
    assert main([*command, "--profile", "smoke", "--output", str(tmp_path / "runs"), "--quiet"]) == 0
    kinds = pd.read_csv(tmp_path / "runs" / "hosang_recall" / "smoke" / "ar_kinds.csv").set_index("method")
    assert np.isclose(kinds.loc["my_boxes", "integral"], 1 / 3)
