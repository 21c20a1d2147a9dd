"""Areas under recall curves, and the volume."""

import numpy as np
import pytest
from criteria import tables
from hypothesis import given, settings

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import Overlaps, auc, vus


@given(tables())
@settings(max_examples=60, deadline=None)
def test_volume_is_the_mean_of_areas_in_either_order(table):
    levels = 0.5 + (np.arange(200) + 0.5) / 400
    for axis in ("linear", "log"):
        slices = auc(table, levels, budget_axis=axis)
        assert vus(table, budget_axis=axis) == pytest.approx(slices.mean(), abs=1 / 400)
    assert vus(table, kind="coco") == pytest.approx(auc(table, np.arange(10, 20) / 20).mean(), abs=1e-12)


def test_the_axis_of_budgets():
    table = Overlaps.from_iou([[0, 1, 1]], [1, 10, 1000], image_row=[0])
    assert float(auc(table, 0.5)) == pytest.approx((9 / 2 + 990) / 999)
    assert float(auc(table, 0.5, budget_axis="log")) == pytest.approx((1 / 2 + 2) / 3)
    assert vus(table, budget_axis="log") == pytest.approx((1 / 2 + 2) / 3)


@pytest.mark.parametrize("budgets", [[5], [5, "all"]])
def test_areas_need_an_axis(budgets):
    table = Overlaps.from_iou([[0.5] * len(budgets)], budgets, image_row=[0])
    with pytest.raises(InputError, match="expected at least two finite budgets"):
        auc(table, 0.5)
    with pytest.raises(InputError, match="expected at least two finite budgets"):
        vus(table)
