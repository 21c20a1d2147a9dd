"""What curves of OMA say, by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from propeval_lite.studies.wang_criteria_claims import (
    against_chance,
    at_budget_table,
    below_chance,
    best_thresholds,
    data_counts,
    objectness,
    peaks,
    steadiness,
    stretches_below,
    where_recall_falls,
)

CURVES = ["method", "axis", "criterion", "tau", "budget", "value"]


def test_peaks_are_the_budgets_of_the_largest_values():
    rows = [
        (method, "number", criterion, tau, budget, value)
        for method, criterion, tau, values in (
            ("b", "OMA", 0.5, (0.1, 0.3, 0.2)),
            ("b", "AO", np.nan, (0.1, 0.2, 0.3)),
            ("a", "OMA", 0.5, (0.3, 0.1, 0.2)),
            ("a", "AO", np.nan, (0.1, 0.3, 0.2)),
            ("a", "recall", 0.5, (0.1, 0.5, 0.9)),
        )
        for budget, value in zip((1, 10, 100), values, strict=True)
    ]
    table = pd.DataFrame([*rows, ("a", "IoU", "OMA", 0.5, 1000, 0.9)], columns=CURVES)
    found = peaks(table)
    assert found.columns.tolist() == ["method", "OMA at 0.5", "average OMA"]
    assert found.to_numpy().tolist() == [["b", 10, 100], ["a", 1, 10]]
    assert found.dtypes.iloc[1] == np.int64


def test_tables_at_a_budget_are_joined_under_short_names():
    first = pd.DataFrame({"dataset": ["voc2012-val"], "method": "m", "average": "image", "tau": 0.5,
                          "budget": 10, "of possible": 0.2})  # fmt: skip
    found = at_budget_table(first, first.assign(dataset="voc2007-test"))
    assert found.columns.tolist() == ["data", "method", "IoU", "k", "share"]
    assert found["data"].tolist() == ["voc2012", "voc2007"]


def test_counts_stand_beside_the_annotated_images_of_the_paper():
    rows = [("A", "images", 100), ("A", "annotated images", 50), ("A", "objects", 200), ("B", "images", 10),
            ("B", "objects", 20)]  # fmt: skip
    paper = pd.DataFrame(rows, columns=["dataset", "quantity", "value"])
    ours = pd.DataFrame([{"dataset": "a", "images": 60, "objects": 180}])
    table = data_counts(paper, {"A": ours, "B": None})
    assert table.iloc[:3, 1:].to_numpy().tolist() == [
        ["images", 50, 60, 10], ["objects", 200, 180, -20], ["objects per image", 4, 3, -1]
    ]  # fmt: skip
    assert table["paper"].tolist()[3:] == [10, 20, 2]
    assert table.iloc[3:][["here", "difference"]].isna().all(axis=None)


def test_objectness_is_read_off_its_curves():
    pooled = pd.DataFrame({"method": ["x", "Objectness", "Objectness", "Objectness"],
                           "tau": [0.5, 0.5, 0.6, 0.7], "OMA": [9, 0.1, -0.1, 0.1]})  # fmt: skip
    rows = [("objectness", "number", "OMA", tau, k, value)
            for tau, values in ((0.5, (0.3, 0.2, -0.4)), (0.8, (0.1, -0.1, -0.1)))
            for k, value in zip((10, 1000, 10_000), values, strict=True)]  # fmt: skip
    rows += [("objectness", "IoU", "OMA", tau, 1000, value) for tau, value in ((0.5, -0.2), (0.75, 0.2))]
    rows += [("objectness", "number", "recall", 0.5, 10, -9), ("other", "number", "OMA", 0.5, 10, -9)]
    one = against_chance(pd.DataFrame(rows, columns=CURVES), "objectness")
    assert one.between == (10, 1000)
    assert one.numbers.to_dict() == {10: 0.3, 1000: 0.2, 10_000: -0.4}
    found = objectness(pooled, {"here": one})
    assert found.iloc[:, 2:].to_numpy().tolist() == [
        ["+0.200 to +0.300", "+0.100"], ["k to 100", "–"], ["0.50 to 0.62", "0.55 to 0.65"]
    ]  # fmt: skip
    assert found["paper"].tolist() == ["below 0", "k to 500", "IoU 0.5 to 0.8"]


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
    assert rows[["holds for", "of"]].to_numpy().tolist() == [[1, 1], [0, 1]]
    assert np.allclose(rows[["spread, recall", "spread, OMA"]], [[0.4, 0.1], [0.1, 0.3]])


def test_stretches_and_best_thresholds():
    curve = pd.DataFrame({"method": "m", "tau": [0.5, 0.6, 0.7], "OMA": [0.2, -0.2, -0.1]})
    rows = stretches_below(curve, "OMA", "here")
    assert rows.to_numpy().tolist() == [["here", "m", 0.55, 0.7, -0.2]]
    assert best_thresholds(curve, "OMA", "here", 0.6, 0.7).iloc[0].tolist() == ["here", 0.5, 0, 1, "m"]


def test_where_recall_falls_is_per_unit_of_iou():
    rows = [("m", "IoU", name, tau, 1000, value)
            for name, values in (("recall", (1.0, 0.9, 0.1)), ("OMA", (0.1, 0.6, 0.1)))
            for tau, value in zip((0.5, 0.8, 1.0), values, strict=True)]  # fmt: skip
    chance, methods = where_recall_falls(pd.DataFrame(rows, columns=CURVES))
    assert np.allclose(chance, [0.6 / 0.3, 0.3 / 0.2])
    assert np.allclose(methods.loc["m"], [0.1 / 0.3, 0.8 / 0.2])


def test_objectness_that_never_falls_below_chance_has_no_crossing():
    rows = [("x", axis, "OMA", tau, 10, 0.1) for axis in ("number", "IoU") for tau in (0.5, 0.8)]
    one = against_chance(pd.DataFrame(rows, columns=CURVES), "x")
    assert np.isnan(one.crossing)
    assert one.below == []
