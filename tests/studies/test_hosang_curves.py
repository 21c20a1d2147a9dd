"""Our recalls beside the published curves."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.studies import hosang_curves as beside
from propeval_lite.studies import hosang_findings as findings

NAMES = {"uniform": "Uniform", "gaussian": "Gaussian"}


def recalls(shift=0.0, dataset="voc2007-test"):
    """Ours are the published ones, shifted, with intervals of .02."""
    table = findings.curves().query("figure == '7c' and method in ['Uniform', 'Gaussian']")
    table = table.drop(columns=["paper", "figure", "proposals"])
    back = {theirs: ours for ours, theirs in NAMES.items()}
    value = table["value"] + shift
    return table.assign(dataset=dataset, method=table["method"].map(back), value=value, low=value - 0.01,
                        high=value + 0.01)  # fmt: skip


def test_points_are_those_of_the_same_data_set_method_and_budget():
    points = beside.compare(recalls(0.005), findings.curves(), "7c", NAMES)
    assert len(points) == 14
    assert points["difference"].to_numpy() == pytest.approx(0.005)
    assert beside.compare(recalls(dataset="voc2012"), findings.curves(), "7c", NAMES).empty
    assert beside.compare(recalls(), findings.curves(), "8c", NAMES).empty


@pytest.mark.parametrize(("shift", "inside"), [(0.009, True), (0.011, False)])
def test_a_figure_is_judged_by_the_largest_half_interval(shift, inside):
    points = beside.compare(recalls(shift), findings.curves(), "7c", NAMES)
    judged = beside.judge_figure(points)
    assert judged["tolerance"] == pytest.approx(0.01)
    assert judged["trend"] is True
    (row,) = beside.by_figure({"7c": points, "9c": points[:0]}).to_dict("records")
    assert (row["figure"], row["points"], row["same order"]) == ("7c", 14, 1)
    assert (row["largest difference"] <= row["tolerance"]) == inside
    assert list(beside.judge_figure(points[:0])) == ["because"]


def test_order_is_asked_point_by_point():
    points = beside.compare(recalls(), findings.curves(), "7c", NAMES)
    turned = points.assign(here=np.where(points["budget"] == 10, -points["here"], points["here"]))
    assert beside.same_order(turned) == pytest.approx(6 / 7)


def test_lines_are_data_sets_budgets_or_criteria():
    table = findings.curves()
    assert set(beside.drawn(table, ["7a", "7b", "7c"])["line"]) == {"AR", "recall at 0.5", "recall at 0.8"}
    assert set(beside.drawn(table, ["6a", "6b"])["line"]) == {"100 proposals", "1,000 proposals"}
    assert set(beside.drawn(table, ["7c", "8c"])["line"]) == {findings.VOC, findings.IMAGENET}
    ours = beside.compare(recalls(), table, "7c", NAMES)
    assert set(beside.drawn(pd.concat([ours]), [])["line"]) == {"AR"}
