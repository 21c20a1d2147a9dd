"""Pictures of chance: which lines they hold, where, and under which names."""

import numpy as np
import pandas as pd
import pytest
from pictures import check_readable, line_labels

import propeval_lite as pe
from propeval_lite.figures import wang_hit_probability as figures
from propeval_lite.results import figure_svg


def drawn(axis):
    """Data of the lines of a panel that are more than a legend entry or a straight mark."""
    return [line.get_xydata().tolist() for line in axis.lines if len(line.get_xdata()) > 2]


@pytest.mark.parametrize(("omega", "own"), [(pe.omega_min, (70, 50)), (pe.omega_max, (20, 30))])
def test_spans_hold_the_region_and_the_corner_that_gives_it(omega, own):
    region = omega((20, 30, 70, 50), 0.5)
    spans = figures.region_spans(region, 11)
    assert (spans["x"].iloc[0], spans["x"].iloc[-1]) == region.x_range
    assert set(zip(spans["partner_x"], spans["partner_y"], strict=True)) == {own}
    assert region.contains(spans["x"], (spans["low"] + spans["high"]) / 2).all()


def test_examples_hit_in_green_and_miss_in_blue():
    photo = np.arange(80 * 110 * 3).reshape(80, 110, 3) % 256
    table = pd.DataFrame({"x1": [21, 50], "y1": [31, 35], "x2": [71, 90], "y2": [51, 60], "iou": [0.92, 0.2],
                          "hits": [True, False]})  # fmt: skip
    (axis,) = figures.draw_examples(photo, (20, 30, 70, 50), table).axes
    assert [text.get_text() for text in axis.texts] == ["object $o$", "0.92", "0.20"]
    assert [text.get_position() for text in axis.texts] == [
        (20, 30),
        (21, 51),
        (90, 35),
    ]  # three different corners
    assert [patch.get_linestyle() for patch in axis.patches] == ["-", "-", "--"]
    assert [patch.get_xy() for patch in axis.patches] == [(20, 30), (21, 31), (50, 35)]
    low, high = axis.get_xlim()
    assert low < 20 and high > 90


def test_regions_lie_on_the_photograph():
    box = (20, 30, 70, 50)
    spans = pd.concat(figures.region_spans(omega(box, 0.5)) for omega in (pe.omega_min, pe.omega_max))
    photo = np.arange(80 * 110 * 3).reshape(80, 110, 3) % 256
    figure = figures.draw_regions(photo, box, spans)
    assert len(figure.axes) == 2
    for axis in figure.axes:
        # Pixel (0, 0) of the photograph covers the lattice from 1 to 2.
        left, right, bottom, top = axis.images[0].get_extent()
        assert (left, right) == (1, 111)
        rows = axis.images[0].get_array()
        assert bottom - top == len(rows)
        assert rows[0, 0] == pytest.approx(photo[int(top) - 1, 0].mean(), abs=2)
        low, high = sorted(axis.get_ylim())
        assert low < spans["low"].min()
        assert high > spans["high"].max()
    assert line_labels(figure) == ["object $o$", "the object's own corner"]
    check_readable(figure)
    assert figure_svg(figure).startswith("<?xml")


def test_sliding_has_a_panel_per_side_and_marks_the_own_one():
    rows = [(side, corner, x, x / 10 if x < 5 else (10 - x) / 10) for side in ("right side", "lower side")
            for corner in ("above", "below") for x in range(11)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["side", "first_corner", "position", "iou"])
    table.loc[table["side"] == "lower side", "position"] += 100
    figure = figures.draw_sliding(table, {"right side": 5, "lower side": 105})
    assert [axis.get_title() for axis in figure.axes] == ["right side", "lower side"]
    assert line_labels(figure) == ["above", "below"]
    assert figure.legends[0].get_title().get_text() == "first corner of the candidate"
    for axis, start in zip(figure.axes, (0, 100), strict=True):
        assert len(drawn(axis)) == 2 and drawn(axis)[0][1] == [start + 1, 0.1]
        assert axis.get_xlim()[0] < start + 5 < axis.get_xlim()[1] < start + 20
        assert [start + 5] * 2 in [list(line.get_xdata()) for line in axis.lines]
    check_readable(figure)


def test_printed_and_derived_regions_stand_side_by_side():
    boxes = [[start, 0, start + 6, 4] for start in (0, 3)]
    spans = pd.DataFrame([(start, formula, start - x, -1.0, 2.0 + (formula == "as printed"))
                          for start in (0, 3) for formula in ("derived", "as printed") for x in (2, 0)],
                         columns=["place", "formula", "x", "low", "high"])  # fmt: skip
    figure = figures.draw_printed(spans, boxes)
    assert [axis.get_title() for axis in figure.axes] == ["$x_{\\min}^o = 0$", "$x_{\\min}^o = 3$"]
    assert line_labels(figure) == ["object $o$", "derived", "as printed"]
    for axis, start in zip(figure.axes, (0, 3), strict=True):
        derived, as_printed = (part.get_paths()[0].get_extents() for part in axis.collections)
        assert (derived.x0, derived.x1, derived.y0, derived.y1) == (start - 2, start, -1, 2)
        assert as_printed.y1 == 3
        assert axis.patches[0].get_xy() == (start, 0)
        low, high = axis.get_ylim()
        assert low > 4 and high < -1  # y grows downwards
    check_readable(figure)


def test_rounding_has_a_panel_per_way_and_puts_no_error_on_the_floor():
    rows = [(way, k, n, error) for way, error in (("log", 1e-3), ("ours", 0.0)) for k in (1, 1000)
            for n in (10**4, 10**6, 10**8)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["way", "k", "candidates", "relative_error"])
    figure = figures.draw_rounding(table, 1e-10)
    assert [axis.get_title() for axis in figure.axes] == ["log", "ours"]
    assert line_labels(figure) == ["1 draw", "1,000 draws"]
    assert drawn(figure.axes[0])[1] == [[1e4, 1e-3], [1e6, 1e-3], [1e8, 1e-3]]
    assert drawn(figure.axes[1])[0] == [[1e4, 1e-17], [1e6, 1e-17], [1e8, 1e-17]]
    assert all(axis.get_xscale() == axis.get_yscale() == "log" for axis in figure.axes)
    assert [text.get_text() for text in figure.axes[1].texts] == ["no digit right", "error of 1e-10"]
    check_readable(figure)


@pytest.mark.parametrize("n", [3, 3000])
def test_sizes_show_every_object_and_the_law(n):
    objects = pd.DataFrame(
        {"dataset": n * ["a"] + ["b"], "share": (n + 1) * [0.01], "hprs": n * [0.2] + [0.9]}
    )
    law = pd.DataFrame({"share": [0.001, 0.01, 1], "hprs": [0, 0.3, 1]})
    figure = figures.draw_sizes(objects, law, 1000)
    (axis,) = figure.axes
    assert sorted(line_labels(figure)) == [f"a, {n:,} objects", "b, 1 objects", "far from any border"]
    assert [len(points.get_offsets()) for points in axis.collections] == [n + 1]
    assert axis.collections[0].get_rasterized() == (n > 2000)
    assert drawn(axis) == [[[0.001, 0], [0.01, 0.3], [1, 1]]]
    assert axis.get_ylabel() == "HPRS for 1,000 draws"
    figure.canvas.draw()
    assert {"1 %", "10 %"} <= {label.get_text() for label in axis.get_xticklabels()}
    check_readable(figure)


def test_one_panel_per_budget_and_one_line_per_data_set():
    rows = [(name, tau, k, k / (100 * tau)) for name in "ab" for k in (10, 1) for tau in (0.5, 0.8, 0.9)]
    figure = figures.draw_chance_recall(pd.DataFrame(rows, columns=["dataset", "tau", "k", "mean"]))
    assert [axis.get_title() for axis in figure.axes] == ["1 draw", "10 draws"]
    assert line_labels(figure) == ["a", "b"]
    assert [len(drawn(axis)) for axis in figure.axes] == [2, 2]
    assert drawn(figure.axes[1])[0][0] == [0.5, 0.2]
    assert {axis.get_ylim() for axis in figure.axes} == {(-0.03, 1.03)}
    check_readable(figure)


def test_growth_along_the_width_and_the_threshold():
    rows = [(varied, value, method, seconds) for varied, values in (("width", (2, 4, 8)), ("tau", (0.5, 0.7, 0.9)))
            for method, seconds in (("slow", 1.0), ("fast", 1e-3)) for value in values]  # fmt: skip
    figure = figures.draw_growth(pd.DataFrame(rows, columns=["varied", "value", "method", "seconds"]))
    width, tau = figure.axes
    assert (width.get_xlabel(), tau.get_xlabel()) == ("width of the object", "IoU threshold")
    assert (width.get_xscale(), tau.get_xscale(), width.get_yscale()) == ("log", "linear", "log")
    assert [label.get_text() for label in width.get_xticklabels()] == ["2", "4", "8"]
    assert line_labels(figure) == ["slow", "fast"]
    assert drawn(tau) == [[[t, s] for t in (0.5, 0.7, 0.9)] for s in (1, 1e-3)]
    check_readable(figure)
