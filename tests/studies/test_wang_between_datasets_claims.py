"""Tables of distances, by hand."""

import numpy as np
import pandas as pd

from propeval_lite.studies.wang_between_datasets import CURVES
from propeval_lite.studies.wang_between_datasets_claims import (
    beside,
    distance_table,
    drops,
    fit_lines,
    for_page,
    largest_differences,
    near_and_far,
    paper_distances,
    relative_distances,
    split_sizes,
    without_factor,
)


def made_up():
    """Distances of two methods: 0.1 under OMA, 0.25 under anything else; method a twice as high as b."""
    rows = [
        (method, axis, criterion, 3, 0.1 if criterion == "OMA" else 0.25, level)
        for method, level in (("b", 0.5), ("a", 1.0))
        for axis, criterion in CURVES
    ]
    return pd.DataFrame(rows, columns=["method", "axis", "criterion", "points", "distance", "level"])


def test_distances_as_the_paper_prints_them():
    distances = made_up()
    wide = distance_table(distances)
    assert wide.index.tolist() == ["b", "a"]
    assert wide.columns.tolist() == list(CURVES.values())
    assert np.allclose(wide["OMA vs IoU"], 10)
    assert np.allclose(wide["recall vs number"], 25)
    assert distance_table(distances[distances["axis"] == "IoU"]).shape == (2, 2)
    assert for_page(wide).columns.tolist()[:3] == ["method", "recall vs k", "OMA vs k"]


def test_distances_relative_to_the_height_of_the_curves():
    rows = relative_distances(made_up(), "few / multiple").set_index("replacing")
    row = rows.loc["recall → OMA vs IoU"]
    assert row["comparison"] == "few / multiple"
    assert np.allclose(row[["OMA", "recall"]].astype(float), [0.1, 0.25])
    assert np.allclose(row[["OMA, rel.", "recall, rel."]].astype(float), [0.15, 0.375])
    alone = relative_distances(made_up(), "", without=["b"])
    assert np.allclose(alone["recall, rel."], 0.25)
    chance = made_up().replace({"method": {"b": "random_boxes"}})
    assert relative_distances(chance, "").equals(alone)


def test_drops_leave_out_curves_that_are_missing():
    full = pd.DataFrame({"recall vs IoU": [10.0, 0], "OMA vs IoU": [12.0, 3]}, index=["a", "b"])
    counts, points = drops({"ours": full})
    assert counts.to_numpy().tolist() == [["ours", "recall → OMA vs IoU", "0 of 2", "0 of 2", -20.0]]
    assert points["recall"].tolist() == [10, 0]


def test_paper_beside_ours():
    paper = pd.DataFrame({"OMA vs IoU": [1.0, 2]}, index=["EB", "SS"])
    ours = pd.DataFrame({"OMA vs IoU": [1.5]}, index=["ebox"])
    assert beside(paper, ours, {"EB": "ebox"})["difference"].tolist() == [0.5]


def test_distances_of_the_paper_are_parted_from_its_text():
    rows = [("Table 2", "SS", "average distance of OMA vs IoU", 3.0), ("text", "", "images", 9.0),
            ("Table 2", "EB", "average distance of OMA vs IoU", 4.0),
            ("Table 3", "EB", "average distance of AR vs number", 5.0)]  # fmt: skip
    found = paper_distances(pd.DataFrame(rows, columns=["table", "method", "quantity", "value"]))
    assert list(found) == ["Table 2", "Table 3"]
    assert found["Table 2"]["OMA vs IoU"].to_dict() == {"SS": 3.0, "EB": 4.0}
    assert found["Table 3"].to_numpy().tolist() == [[5.0]]


def test_parts_stand_beside_those_of_the_paper():
    rows = [("VOC 2007 few", "images", 100), ("VOC 2007 multiple", "images", 50), ("VOC 2007", "objects", 1)]
    paper = pd.DataFrame(rows, columns=["dataset", "quantity", "value"])
    ours = pd.DataFrame({"part": ["few", "multiple"], "images": [90, 60]})
    table = split_sizes(paper, {"all": ours, "not difficult": ours.assign(images=[95, 55])})
    assert table["objects counted"].tolist() == ["all", "all", "not difficult", "not difficult"]
    assert table["paper"].tolist() == [100, 50, 100, 50]
    assert table["difference"].tolist() == [-10, 10, -5, 5]


def compared():
    return pd.DataFrame({
        "method": ["m", "m", "n", "n"], "stands for": ["EB", "EB", "SS", "SS"],
        "curve": ["recall vs number", "OMA vs number"] * 2,
        "paper": [10.0, 6, 20, 12], "here": [11.0, 10.5, 17, 25], "difference": [1.0, 4.5, -3, 13],
    })  # fmt: skip


def test_the_largest_difference_keeps_its_sign():
    assert largest_differences(compared()) == [
        "recall: mean difference -1.0, largest -3.0 (n, recall vs number)",
        "OMA: mean difference +8.8, largest +13.0 (n, OMA vs number)",
    ]  # fmt: skip


def test_a_line_is_found_and_what_leaves_it():
    x = np.array([1.0, 2, 3, 4])
    table = pd.DataFrame({"recall vs number": x, "OMA vs number": 0.6 * x + [1, 1, 1, 5]},
                         index=["EB", "GOP", "SS", "OBJ"])  # fmt: skip
    rows = fit_lines({"Table 2": table, "Table 3": table.drop(index="OBJ")})
    assert rows["methods"].tolist() == [3, 3]
    assert np.allclose(rows["slope"], 0.6)
    assert np.allclose(rows["intercept"], 1)
    assert np.allclose(rows["largest residual"], 0, atol=1e-9)
    assert np.allclose(rows[["ratio from", "ratio to"]], [[2.8 / 3, 1.6]] * 2)
    assert fit_lines({"Table 3": table})["largest residual"].iloc[0] > 1


def test_without_the_factor_some_come_near():
    scaled = without_factor(compared(), 0.6)
    assert scaled.columns.tolist() == ["stands for", "paper", "paper / slope", "here"]
    assert np.allclose(scaled["paper / slope"], [10, 20])
    assert near_and_far(scaled) == [
        "near ours without the factor: EB", "not near ours without the factor: SS"
    ]  # fmt: skip
