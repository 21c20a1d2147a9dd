"""Sentences on repeatability: they say what their numbers say."""

import numpy as np
import pandas as pd

from propeval_lite.studies import hosang_repeatability_words as words


def curve(rows):
    table = pd.DataFrame(rows, columns=["method", "perturbation", "value", "repeatability", "empty groups"])
    return table.assign(of="all", dataset="toy", low=0.0, high=1.0, boxes=10)


def test_who_gives_the_same_boxes_again():
    rows = [
        ("steady", "scale", 1, 0.8, 2), ("steady", "blur", 0, 1.0, 0), ("steady", "blur", 1, 0.5, 0),
        ("random", "scale", 1, 0.6, 0), ("random", "blur", 0, 0.7, 0),
    ]  # fmt: skip
    text = words.unchanged(curve(rows))
    assert text.startswith("Where nothing changes, steady gives the same boxes again")
    assert text.endswith("reach random 0.650.")
    assert words.unchanged(curve(rows[:2])).endswith("has boxes. ")
    assert "no method give" in words.unchanged(curve(rows[3:]))


def test_empty_groups_are_named_with_the_rule():
    rows = [("a", "scale", 1, 0.8, 2), ("a", "blur", 0, 0.9, 1), ("b", "blur", 0, 1, 0)]
    text = words.empty_groups(curve(rows), "zero")
    assert "any box: a (up to 2)" in text and "loses a tenth for each" in text
    assert "left out of the mean" in words.empty_groups(curve(rows), "leave_out")
    assert words.empty_groups(curve(rows[2:]), "zero").startswith("No group of sizes is empty")


def test_problems_are_counted_by_method_and_kind():
    table = pd.DataFrame(
        [("x", "RuntimeError: no: 3"), ("x", "RuntimeError: no: 4"), ("y", "no boxes")],
        columns=["method", "problem"],
    )
    text = words.problems(table)
    assert "x: RuntimeError: no (2 times); y: no boxes (1 times)" in text
    assert words.problems(table.iloc[:0]).startswith("Every method answered")


def test_one_percent_of_scale():
    rows = [(m, "scale", v, r, 0) for m, r in (("a", 0.7), ("b", 0.9)) for v in (0.99, 1.01)]
    rows += [(m, "scale", 1, 1.0, 0) for m in "ab"]
    assert "costs a most (0.300) and b least (+0.100)" in words.subtle(curve(rows))


def test_sizes_and_how_far_apart():
    rows = [("small", 0.05, 1.0), ("small", 0.95, 0.0), ("large", 0.05, 0.25), ("large", 0.95, 0.75)]
    table = pd.DataFrame(
        [*rows, ("annotations", 0.05, 0.0), ("annotations", 0.95, 1.0)], columns=["method", "size", "share"]
    )
    assert np.isclose(words.furthest_apart(table), 0.75)
    text = words.sizes(table)
    assert "from 0.05 of the picture's side (small) to 0.95 (annotations)" in text and "share only 0%" in text


def groups(levels):
    rows = [(f"{g}", x, level, 5) for g, level in enumerate(levels) for x in (0.0, 1.0)]
    return pd.DataFrame(rows, columns=["size", "iou", "recall", "boxes"])


def test_area_by_size():
    assert words.rises(groups([0.2, 0.4, 0.9])) == 1 and words.rises(groups([0.9, 0.4, 0.2])) == -1
    assert np.isnan(words.rises(groups([0.2, 0.4])))
    text = words.by_size(groups([0.2, 0.9, 0.4]), "mine")
    assert "of mine is 0.20 for sizes 0 and 0.40 for 2; it rises at 1 of 2 steps" in text
    assert "too few sizes" in words.by_size(groups([0.2]), "mine")


def test_tables_of_ends():
    rows = [("a", "scale", v, r, 0) for v, r in ((0.5, 0.3), (0.99, 0.8), (1, 1.0), (2, 0.4))]
    rows += [("a", "salt_and_pepper", v, r, 0) for v, r in ((0, 1.0), (1, 0.9), (1000, 0.2))]
    table = words.ends(curve(rows))
    assert table.to_dict("records") == [
        {"dataset": "toy", "method": "a", "scale 0.99": 0.8, "salt and pepper 1": 0.9}
    ]
    same = words.unchanged_table(curve([("a", "scale", 1, 0.8, 2), ("a", "scale", 2, 0.1, 0)]), "zero")
    assert np.isclose(same["of groups with boxes"].item(), 1)
    left = words.unchanged_table(curve([("a", "scale", 1, 0.8, 2)]), "leave_out")
    assert np.isclose(left["of groups with boxes"].item(), 0.8)


def test_gaps():
    table = pd.DataFrame(
        {
            "method": "Uniform", "perturbation": "scale", "value": [1.0, 2.0], "paper": [0.65, 0.6],
            "here": [0.66, 0.65], "difference": [0.01, 0.05],
        }
    )  # fmt: skip
    assert (
        words.gaps(table)
        == "Uniform is 0.660 where nothing changes (published 0.650) and at most 0.050 off (scale 2)."
    )
    assert words.gaps(table.iloc[:0]).startswith("There are no results")
