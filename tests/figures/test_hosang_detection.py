"""Pictures of detection: every number that they are given is there, in its place."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from pictures import check_readable, line_labels, texts

from propeval_lite.figures import hosang_detection as figures
from propeval_lite.studies import hosang_detection as study
from propeval_lite.studies import hosang_detection_predictors as telling


def test_score_maps_have_a_panel_each_with_the_place_marked():
    maps = {"one": np.arange(9.0).reshape(3, 3), "two": np.eye(3), "three": np.ones((3, 3))}
    figure = figures.score_maps(maps)
    shown = [axis for axis in figure.axes if axis.axison]
    assert [axis.get_title() for axis in shown] == list(maps)
    for axis, one in zip(shown, maps.values(), strict=True):
        np.testing.assert_array_equal(axis.images[0].get_array(), one)
        assert axis.lines[0].get_xydata().tolist() == [[0, 0]]
    check_readable(figure)


def test_scores_have_a_line_per_detector_and_the_range_is_shaded():
    iou = np.linspace(0.225, 0.975, 16)
    table = pd.concat(
        pd.DataFrame({"detector": name, "iou": iou, "score": iou * scale, "group": group})
        for name, scale, group in (("R-CNN", 1, "published"), ("ours", 0.5, "ours"))
    )
    figure = figures.scores_by_overlap(table, 0.4, 0.8)
    first, second = figure.axes
    assert first.get_title() == "published" and second.get_title() == "ours"
    assert np.allclose(first.lines[0].get_ydata(), iou)
    assert np.allclose(second.lines[0].get_ydata(), iou / 2)
    assert first.patches[0].get_x() == pytest.approx(0.4)
    assert line_labels(figure) == ["R-CNN", "ours"]
    check_readable(figure)


def test_differences_are_red_where_proposals_cost():
    table = pd.DataFrame({"cat": [5.0, -5], "dog": [0.0, 2]}, index=["good", "bad"])
    figure = figures.differences(table)
    colours = figure.axes[0].collections[0].get_facecolors()
    assert colours[0][2] > colours[0][0]  # blue
    assert colours[2][0] > colours[2][2]  # red
    assert {"good", "bad", "cat", "dog"} <= {text.get_text() for text in texts(figure)}
    check_readable(figure)


def links():
    table = telling.correlations(telling.predictors(), telling.targets(), 30, 0)
    return table.assign(tau=table["predictor"].map({telling.at(t): t for t in telling.recalls().columns}))


def test_correlation_by_threshold_has_a_panel_per_detector():
    table = links()
    figure = figures.correlation_by_threshold(table, ["AR"])
    assert [axis.get_title() for axis in figure.axes] == list(study.PANELS)
    for axis, name in zip(figure.axes, study.PANELS, strict=True):
        part = table[table["detector"] == name]
        curve, level = axis.lines
        np.testing.assert_allclose(curve.get_ydata(), part[part["tau"].notna()].sort_values("tau")["r"])
        assert set(level.get_ydata()) == set(part.loc[part["predictor"] == "AR", "r"])
    assert line_labels(figure) == ["recall at the threshold", "AR"]
    check_readable(figure)


def pairs():
    ar = telling.average_recalls()["all"]
    table = telling.targets().reset_index().melt("method", None, "detector", "mAP")
    return table.assign(AR=table["method"].map(ar))


def test_against_ar_has_a_mark_per_method_and_the_line_that_fits():
    table = pairs()
    figure = figures.against_ar(table)
    for axis, name in zip(figure.axes, study.PANELS, strict=True):
        part = table[table["detector"] == name]
        line, *marked = axis.lines
        slope = np.polyfit(part["AR"], part["mAP"], 1)[0]
        x, y = line.get_data()
        assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(slope)
        seen = {mark.get_label(): (mark.get_xdata()[0], mark.get_ydata()[0]) for mark in marked}
        assert seen == {m: (a, v) for m, a, v in zip(part["method"], part["AR"], part["mAP"], strict=True)}
        looks = [(to_hex(mark.get_color()), mark.get_marker()) for mark in marked]
        assert len(set(looks)) == 16
    assert sorted(line_labels(figure)) == sorted(study.compared())
    check_readable(figure)


def test_one_method_alone_has_no_line():
    one = pairs().query("method == 'MCG'")
    assert all(len(axis.lines) == 1 for axis in figures.against_ar(one).axes)


def test_which_survive_fills_marks():
    table = pd.DataFrame(
        {"detector": ["A", "B"], "first": "AR", "second": "recall", "difference": [0.1, 0.2], "low": [-0.1, 0.1],
         "high": [0.2, 0.3], "survives": [False, True]}
    )  # fmt: skip
    figure = figures.which_survive(table)
    marked = [
        line for line in figure.axes[0].lines if line.get_marker() in "os" and len(line.get_xdata()) == 1
    ]
    assert [line.get_xdata()[0] for line in marked] == [0.1, 0.2]
    assert [to_hex(line.get_markerfacecolor()) == "#ffffff" for line in marked] == [True, False]
    assert line_labels(figure) == ["A", "B"]
    check_readable(figure)


def test_categories_come_by_rising_correlation():
    each, _ = telling.by_category(10, 0)
    figure = figures.by_category(each)
    order = each.groupby("category")["r"].mean().sort_values().index.tolist()
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == order
    check_readable(figure)


def test_gains_name_the_methods_that_gain_most():
    table = pd.DataFrame(
        {
            "method": list("abcdef"),
            "localisation": np.linspace(0, 1, 6),
            "gain": [1, 6, 3, 2, 5, 4],
            "group": "ours",
        }
    )
    figure = figures.gains(table, named=3)
    (axis,) = figure.axes
    assert [text.get_text() for text in axis.texts] == ["b", "e", "f"]
    assert sorted(axis.lines[0].get_ydata()) == [1, 2, 3, 4, 5, 6]
    check_readable(figure)
