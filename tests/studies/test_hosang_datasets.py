"""Recall on several data sets: what is fresh, what is stored, and how they compare."""

import json

import numpy as np
import pandas as pd
from toys import toy

from propeval_lite.datasets.base import Dataset
from propeval_lite.results import published
from propeval_lite.studies import hosang_datasets as datasets


def test_object_sizes_are_in_pixels_and_leave_out_what_is_ignored():
    data = toy()
    table = datasets.size_histogram(data)
    assert table["low"].tolist() == list(range(0, 600, 10))
    assert table["objects"].sum() == len(data.objects)
    assert np.isclose(table["share"].sum(), 1)
    boxes = data.objects[["x1", "y1", "x2", "y2"]].to_numpy(float)
    sides = np.sqrt((boxes[:, 2:] - boxes[:, :2]).prod(axis=1))
    assert table["objects"].tolist() == [((sides >= low) & (sides < low + 10)).sum() for low in table["low"]]
    marked = data.objects.assign(ignore=data.objects["object_id"] > 0, crowd=data.objects["x1"] > 15)
    fewer = Dataset("fewer", data.images, marked)
    kept = (~marked["ignore"] & ~marked["crowd"]).sum()
    assert 0 < datasets.size_histogram(fewer)["objects"].sum() == kept < len(marked)
    none = Dataset("none", data.images, data.objects[:0])
    assert datasets.size_histogram(none)["share"].isna().all()


def test_an_object_larger_than_600_pixels_is_in_the_last_interval():
    images = pd.DataFrame({"image_id": ["a"], "width": [900], "height": [900]})
    box = {"image_id": "a", "object_id": [1], "category": "cup", "x1": 0, "y1": 0, "x2": 899, "y2": 899}
    data = Dataset("large", images, pd.DataFrame({**box, "ignore": False}), pixels="inclusive")
    assert datasets.size_histogram(data).query("objects > 0")["low"].tolist() == [590]


def test_mean_size_takes_the_middles_of_the_bins():
    bins = {"low": [0.0, 0.5], "high": [0.5, 1.0]}
    table = pd.concat(pd.DataFrame({"dataset": name, **bins, "share": share})
                      for name, share in (("b", [0.5, 0.5]), ("a", [1.0, 0.0])))  # fmt: skip
    assert datasets.mean_sizes(table).to_dict() == {"b": 0.5, "a": 0.25}


def test_data_sets_of_one_name_are_told_apart():
    specs = ["scenes?n=2&seed=3&width=60&height=40", "scenes?n=2&seed=4&width=60&height=40", "photos?part=:2"]
    loaded = datasets.load_others(specs, toy(), 30)
    assert list(loaded) == specs
    assert [data.name for data in loaded.values()] == ["scenes", specs[1], "photos"]
    assert max(loaded["photos?part=:2"].images[["width", "height"]].max()) == 30
    again = datasets.load_others(specs[:1], loaded[specs[0]], 0)
    assert again[specs[0]].name == specs[0]


def judged(spec, name):
    recall = pd.DataFrame({"dataset": [name], "method": "uniform", "budget": 7, "criterion": "AR",
                           "tau": np.nan, "low": 0.1, "value": 0.2, "high": 0.3})  # fmt: skip
    rivals = pd.DataFrame({"budget": [7], "greedy": 0.2, "best": 0.25, "dataset": name, "method": "uniform"})
    data = toy()
    return datasets.Judged(spec, Dataset(name, data.images, data.objects), f"{name}, by hand", recall, rivals)


def test_what_this_run_found_replaces_what_is_stored(tmp_path, monkeypatch):
    known = ("notebook", "profile", "parameters", "started", "commit", "python", "versions", "digests")
    record = dict.fromkeys(known, "x")
    (tmp_path / "run.json").write_text(json.dumps(record))
    monkeypatch.setenv("PROPEVAL_RUN_FOLDER", str(tmp_path))
    found = datasets.everywhere([judged("scenes", "toy"), judged("voc2007?part=:9", "voc2007-test")])
    names = ["toy", "voc2007-test", "voc2012-val_subset", "ilsvrc2013-val", "instances_val2014_100"]
    for table in (found.recall, found.rivals):
        assert pd.unique(table["dataset"]).tolist() == names
        assert table.index.is_unique
    assert pd.unique(found.sizes["dataset"]).tolist()[:2] == names[:2]
    assert found.recall.loc[found.recall["dataset"] == "voc2007-test", "value"].tolist() == [0.2]
    assert [found.origins[name].stored for name in datasets.REAL] == [False, True, True, True]
    assert found.origins["voc2007"].origin == "voc2007-test, by hand"
    offered = {path.relative_to(tmp_path / "results").as_posix() for path in tmp_path.glob("results/*/*.csv")}
    assert offered == {f"voc2007/hosang_recall{end}.csv" for end in ("", "_sides", "_matching")}


def ar(rows):
    table = pd.DataFrame(rows, columns=["dataset", "method", "value"])
    return table.assign(criterion="AR", budget=10, tau=np.nan, low=0.0, high=1.0)


def test_average_recalls_are_of_one_budget():
    rows = ar([("d", "a", 0.1), ("d", "b", 0.2)])
    others = [rows.assign(budget=20), rows.assign(criterion="recall", tau=0.5)]
    assert datasets.average_recalls(pd.concat([*others, rows]), 10).equals(rows)


def test_rank_correlation_takes_methods_that_both_have():
    values = {
        "one": (1, 2, 3, 4),
        "two": (4, 3, 2, 1),
        "three": (1, 3, 2, np.nan),
        "few": (1, 2, np.nan, np.nan),
    }
    rows = ar([(name, m, v) for name, row in values.items() for m, v in zip("abcd", row, strict=True)])
    table = datasets.rank_correlations(rows.dropna(subset=["value"]))
    found = {frozenset(row[:2]): (row[2], round(row[3], 12)) for row in table.to_numpy().tolist()}
    assert found == {
        frozenset({"one", "two"}): (4, -1),
        frozenset({"one", "three"}): (3, 0.5),
        frozenset({"two", "three"}): (3, -0.5),
    }


def test_a_rank_correlation_says_on_how_many_methods_it_rests():
    rows = ar([(name, m, i) for name in ("one", "two") for i, m in enumerate("abc")])
    (row,) = datasets.rank_correlations(rows).to_dict("records")
    assert row == {"one": "one", "other": "two", "methods": 3, "correlation": 1, "by chance": 1 / 6}


def test_largest_gain_of_each_data_set():
    rows = [(1, 0.2, 0.25, "x", "a"), (5, 0.2, 0.4, "x", "a"), (5, 0.1, 0.1, "w", "b")]
    table = datasets.largest_gain(
        pd.DataFrame(rows, columns=["budget", "greedy", "best", "dataset", "method"])
    )
    assert table.to_numpy().tolist() == [["x", 5, "a", 0.2, 0.4, 0.2], ["w", 5, "b", 0.1, 0.1, 0.0]]


def test_published_values_stand_beside_ours():
    theirs = pd.DataFrame([("Uniform", 10, "AR", np.nan, 0.5), ("Uniform", 10, "recall", 0.8, 0.25),
                           ("Rahtu", 10, "AR", np.nan, 0.9)],
                          columns=["method", "budget", "criterion", "tau", "value"])  # fmt: skip
    ours = ar([("d", "uniform", 0.75), ("d", "own", 0.9), ("e", "uniform", 0.1)])
    ours = pd.concat([ours.assign(criterion="recall", tau=0.8), ours, ours.assign(budget=20)])
    table = datasets.beside_published(ours, theirs, "d")
    assert table.drop(columns=["low", "high"]).to_numpy().tolist() == [
        ["recall at 0.8", "Uniform", 0.25, 0.75, 0.5],
        ["AR", "Uniform", 0.5, 0.75, 0.25],
    ]
    assert datasets.beside_published(ours, theirs, "f").empty


def test_every_method_has_its_published_name():
    assert set(datasets.PAPER_NAMES.values()) <= set(published("hosang_recall")["method"])


def test_data_sets_are_compared_where_a_method_ran_on_all():
    rows = ar([("x-test", "a", 0.5), ("y", "a", 0.75), ("x-test", "b", 0.25), ("z", "a", 1.0)])
    table = datasets.between_datasets(rows, ["x-test", "y", "not run"])
    assert table["data set"].tolist() == ["x-test", "y", "y − x"]
    assert table.drop(columns="data set").to_dict("list") == {"a": [0.5, 0.75, 0.25]}
    alone = datasets.between_datasets(rows, ["not run", "y"])
    assert alone.to_dict("list") == {"data set": ["y"], "a": [0.75]}


def test_sizes_are_judged_by_the_order_of_their_means():
    names = ["voc2007-test", "ilsvrc2013-val", "instances_val2014_100"]
    assert datasets.judge_sizes(pd.Series([150.0, 160, 90], names))["trend"] is True
    assert datasets.judge_sizes(pd.Series([150.0, 90, 140], names))["trend"] is False
    assert "here" not in datasets.judge_sizes(pd.Series([150.0], names[:1]))


def test_superpixels_are_judged_by_their_place_among_the_baselines():
    ours = [("voc2012-val_subset", name, value) for name, value in
            (("uniform", 0.3), ("gaussian", 0.3), ("sliding_window", 0.2), ("superpixels", 0.1))]  # fmt: skip
    theirs = published("hosang_recall")
    judged_ar = datasets.judge_superpixels(ar(ours).assign(budget=1000), theirs)
    assert (judged_ar["here"], judged_ar["trend"]) == (0.1, True)
    ours[3] = (*ours[3][:2], 0.5)
    assert datasets.judge_superpixels(ar(ours).assign(budget=1000), theirs)["trend"] is False
    assert list(datasets.judge_superpixels(ar(ours[:3]).assign(budget=1000), theirs)) == ["because"]


def test_two_data_sets_of_one_name_do_not_meet_in_stored_results(tmp_path, monkeypatch):
    """The same real data under a path of one's own: `cannot reindex on an axis with duplicate labels`."""
    record = dict.fromkeys(
        ("notebook", "profile", "parameters", "started", "commit", "python", "versions", "digests"), "x"
    )
    (tmp_path / "run.json").write_text(json.dumps(record))
    monkeypatch.setenv("PROPEVAL_RUN_FOLDER", str(tmp_path))
    found = datasets.everywhere([judged("voc2007:somewhere/else", "voc2007-test")])
    rows = found.recall[found.recall["dataset"] == "voc2007-test"]
    assert rows["value"].tolist() == [0.2]
    assert len(datasets.rank_correlations(datasets.average_recalls(found.recall, 7))) >= 0
