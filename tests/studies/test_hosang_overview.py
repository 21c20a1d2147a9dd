"""Methods at a glance, and the paper's stars beside their numbers."""

import numpy as np
import pandas as pd
import pytest
from toys import toy

from propeval_lite.results.published import published
from propeval_lite.studies import hosang_findings as findings
from propeval_lite.studies import hosang_overview as overview


@pytest.fixture(scope="module")
def photo():
    data = toy()
    return data.subset([data.images["image_id"].iloc[0]])


def test_first_boxes_are_those_of_the_method_in_its_order(photo):
    boxes = overview.first_boxes(["uniform", "mine=sliding_window"], photo, 9, seed=2)
    assert pd.unique(boxes["method"]).tolist() == ["uniform", "mine"]
    for name, part in boxes.groupby("method"):
        spec = "sliding_window" if name == "mine" else name
        wanted = overview.propose(spec, photo, 9, 2, duplicates="hosang").converted("edges", 0).boxes
        np.testing.assert_array_equal(part[["x1", "y1", "x2", "y2"]], wanted)
        assert part["rank"].tolist() == list(range(1, len(part) + 1))


def test_a_glance_counts_what_is_found(photo):
    table = overview.glance(["uniform", "mine=gaussian"], photo, 300, seed=1).set_index("method")
    loose = overview.glance(["uniform", "mine=gaussian"], photo, 300, seed=1, tau=0.01)
    assert table["of"].unique().tolist() == [len(photo.objects)]
    assert (loose["found"] == len(photo.objects)).all() and (table["found"] <= len(photo.objects)).all()
    assert table.loc["uniform", "in a line"].startswith("Boxes whose centre")
    assert table.loc["mine", "in a line"] == "", "a name of the user's own says nothing of the library's"
    assert not table.loc["uniform", "reads pictures"]


def test_pairs_against_the_stars_by_hand():
    stars = pd.DataFrame({"method": list("abcd"), "recall": [0, 1, 3, np.nan]})
    values = pd.Series({"a": 0.5, "b": 0.4, "c": 0.45, "d": 9.0})
    (row,) = overview.stars_against(stars, {"recall": values}).to_dict("records")
    assert (row["methods"], row["pairs"], row["against"]) == (3, 3, 2)
    agreeing = overview.stars_against(stars, {"recall": pd.Series({"a": 0.1, "b": 0.2, "c": 0.3})})
    assert overview.judge_stars(agreeing)["here"] is True
    assert overview.judge_stars(agreeing.assign(against=1))["here"] is False


def test_the_stars_of_the_paper_name_the_methods_of_its_curves():
    stars = published("hosang_table1")
    assert set(stars["method"]) == set(findings.curves()["method"])
    assert stars[["repeatability", "recall", "detection"]].max().tolist() == [3, 3, 3]
    assert set(stars.loc[stars["approach"] == "baseline", "method"]) == set(findings.BASELINES)
    numbers = overview.behind_stars(findings.curves())
    table = overview.stars_against(stars, numbers)
    assert (table["against"] <= table["pairs"] / 4).all() and (table["rank correlation"] > 0).all()
