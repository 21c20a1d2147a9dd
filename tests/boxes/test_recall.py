"""Criteria as functions of the overlap table: slow oracles, identities, bounds and hand-made cases."""

from fractions import Fraction
from itertools import pairwise

import naive
import numpy as np
import pandas as pd
import pytest
from criteria import CRITERIA, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import Overlaps, abo, auc, average_recall, mabo, recall, vus

quick = settings(max_examples=60, deadline=None)


def per_image(table, function):
    """Mean over the images with objects of `function` of their column of IoUs, for each budget."""
    groups = [table.iou[table.image_row == i] for i in np.unique(table.image_row)]
    return [np.mean([function(group[:, b].tolist()) for group in groups]) for b in range(table.iou.shape[1])]


@given(tables(), st.sampled_from([0.05, 0.5, 0.55, 0.7, 0.95, 1.0]))
@quick
def test_recall_equals_the_oracle(table, tau):
    wanted = [naive.recall_at(column.tolist(), tau) for column in table.iou.T]
    np.testing.assert_allclose(recall(table, tau), wanted, rtol=0, atol=1e-12)
    by_image = per_image(table, lambda column: naive.recall_at(column, tau))
    np.testing.assert_allclose(recall(table, tau, average="image"), by_image, rtol=0, atol=1e-12)


@given(tables(), st.sampled_from([(0.5, 1.0), (0.0, 1.0), (0.6, 0.8)]))
@quick
def test_integral_equals_the_area_under_the_steps(table, ends):
    """Appendix A of Hosang et al.: the area under recall is the truncated mean overlap."""
    wanted = [naive.area_under_recall(column.tolist(), *ends) for column in table.iou.T]
    np.testing.assert_allclose(average_recall(table, low=ends[0], high=ends[1]), wanted, rtol=0, atol=1e-12)
    by_image = per_image(table, lambda column: naive.area_under_recall(column, *ends))
    found = average_recall(table, average="image", low=ends[0], high=ends[1])
    np.testing.assert_allclose(found, by_image, rtol=0, atol=1e-12)


@given(tables())
@quick
def test_integral_is_truncated_abo(table):
    np.testing.assert_allclose(
        average_recall(table), 2 * np.maximum(table.iou - 0.5, 0).mean(axis=0), rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(average_recall(table, low=0, high=1), abo(table), rtol=0, atol=1e-12)


def test_the_identity_of_appendix_a_in_exact_fractions():
    overlaps = [Fraction(k, 7) for k in (0, 1, 4, 5, 5, 6, 7)]
    half = Fraction(1, 2)
    steps = sorted({half, *(u for u in overlaps if u > half), Fraction(1)})
    area = sum((b - a) * Fraction(sum(u >= b for u in overlaps), len(overlaps)) for a, b in pairwise(steps))
    truncated = sum(max(u - half, 0) for u in overlaps) / len(overlaps)
    assert area == truncated
    table = Overlaps.from_iou([[float(u)] for u in overlaps], 1, image_row=np.zeros(7))
    assert float(average_recall(table)) == pytest.approx(float(2 * area), abs=1e-15)


@given(tables(), st.integers(1, 12), st.sampled_from(["object", "image"]))
@quick
def test_the_three_kinds_bracket_each_other(table, n_iou, average):
    coco, integral, wang = (
        average_recall(table, kind, average, n_iou).to_numpy() for kind in ("coco", "integral", "sum")
    )
    assert (coco >= integral - 1e-12).all()
    assert (integral >= wang - 1e-12).all()
    assert (coco - wang <= 1 / n_iou + 1e-12).all()


@given(tables(), st.sampled_from([3, 10]))
@quick
def test_point_means_equal_the_mean_of_recalls(table, n_iou):
    recalls = np.array([recall(table, Fraction(n_iou + k, 2 * n_iou)) for k in range(n_iou + 1)])
    np.testing.assert_allclose(
        average_recall(table, "coco", n_iou=n_iou), recalls[:-1].mean(axis=0), atol=1e-12
    )
    np.testing.assert_allclose(
        average_recall(table, "sum", n_iou=n_iou), recalls[1:].mean(axis=0), atol=1e-12
    )


@given(tables())
@quick
def test_criteria_lie_between_0_and_1(table):
    for name, criterion in CRITERIA.items():
        value = np.asarray(criterion(table))
        assert ((value >= 0) & (value <= 1 + 1e-12)).all(), name


@given(tables())
@quick
def test_mabo_is_the_mean_of_the_abo_of_categories(table):
    kinds = np.asarray(table.categories)[table.category_code]
    wanted = np.mean([table.iou[kinds == kind].mean(axis=0) for kind in np.unique(kinds)], axis=0)
    np.testing.assert_allclose(mabo(table), wanted, rtol=0, atol=1e-12)


def test_ties_with_the_threshold_are_hits_in_decimals():
    # 0.1 + 0.2 > 0.3 in floats; a threshold that prints as 0.3 is three tenths, as is 3 / 10.
    table = Overlaps.from_iou([[3 / 10], [7 / 10], [9 / 10]], 1, image_row=[0, 0, 0])
    assert recall(table, [0.3, 0.7, 0.9])[1].tolist() == [1.0, 2 / 3, 1 / 3]
    assert float(recall(table, Fraction(7, 10))) == 2 / 3


def test_the_shape_of_answers():
    table = Overlaps.from_iou([[0.5, 0.75], [0, 1]], [10, 100], image_row=[0, 0], method="theirs")
    curve = recall(table, 0.5, average="image")
    assert isinstance(curve, pd.Series)
    assert curve[100] == 1.0
    assert curve.name == "recall at IoU 0.5"
    assert curve.index.name == "budget"
    assert curve.attrs == {"dataset": "unknown", "method": "theirs", "average": "image"}
    both = recall(table, [0.5, 0.8])
    assert (both.index.name, both.columns.tolist()) == ("tau", [10, 100])
    assert both.to_numpy().tolist() == [[0.5, 1.0], [0.0, 0.5]]
    assert both.attrs["method"] == "theirs"
    assert recall(table, []).shape == (0, 2)
    assert np.asarray(average_recall(table)).shape == (2,)
    assert float(average_recall(table)[[100]]) == 0.75
    areas = auc(table, 0.5), auc(table, [0.5, 0.8]), auc(table, over="thresholds")
    assert [area.tolist() for area in areas] == [[0.75], [0.75, 0.25], [0.0, 0.75]]
    assert [area.index.name for area in areas] == ["tau", "tau", "budget"]
    assert {type(area) for area in areas} == {type(curve)}
    with pytest.raises(InputError, match="expected one value, got 2"):
        float(curve)


@pytest.mark.parametrize("name", CRITERIA)
def test_no_objects_is_undefined(name):
    empty = Overlaps.from_iou(np.zeros((0, 2)), [10, 100], image_row=[])
    assert np.isnan(np.asarray(CRITERIA[name](empty), dtype=float)).all()


def test_images_without_objects_are_left_out_of_the_mean():
    table = Overlaps.from_iou([[1], [0], [1]], 1, image_row=[0, 3, 3])
    assert float(recall(table, 0.5, average="image")) == 0.75


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: recall(t, 0), r"expected tau in \(0, 1\], got 0"),
        (lambda t: recall(t, 1.5), r"expected tau in \(0, 1\], got 1.5"),
        (lambda t: recall(t, "half"), "expected tau to be a number"),
        (lambda t: recall(t, 0.5, average="pixel"), "expected average to be one of object, image"),
        (lambda t: average_recall(t, "mean"), "expected kind to be one of integral, coco, sum"),
        (lambda t: average_recall(t, n_iou=0), "expected n_iou to be a whole number >= 1"),
        (lambda t: average_recall(t, low=0.8, high=0.6), "expected low < high, got low=0.8, high=0.6"),
        (lambda t: average_recall(t, low=-1), r"expected low in \(0, 1\], got -1"),
        (lambda t: average_recall(t, "coco", low=0), r"expected tau in \(0, 1\], got 0"),
        (lambda t: auc(t), 'expected tau with over="budgets"'),
        (lambda t: auc(t, 0.5, over="thresholds"), 'no tau with over="thresholds", got tau=0.5'),
        (lambda t: auc(t, 0.5, over="images"), "expected over to be one of budgets, thresholds"),
        (lambda t: auc(t, 0.5, budget_axis="root"), "expected budget_axis to be one of linear, log"),
        (lambda t: vus(t, budget_axis="root"), "expected budget_axis to be one of linear, log"),
    ],
)
def test_bad_options_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call(Overlaps.from_iou([[0.5, 0.7]], [1, 2], image_row=[0]))


def test_tiny_and_mixed_thresholds():
    table = Overlaps.from_iou([[0.8], [0.0]], budgets=[10], image_row=[0, 0])
    with pytest.raises(InputError, match=r"tau in \(0, 1\], got 1e-400"):
        recall(table, "1e-400")
    with pytest.raises(InputError, match=r"a number in \(0, 1\], got True"):
        recall(table, True)
    assert recall(table, [np.float32(0.8), 0.9])[10].tolist() == [0.5, 0.0]
    assert recall(table, np.float32(0.8)).name == "recall at IoU 0.8"
    with pytest.raises(InputError, match="low to be a number"):
        average_recall(table, low=np.array([0.5, 0.6]))
