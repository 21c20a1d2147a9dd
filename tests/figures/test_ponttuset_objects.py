"""Pictures of masks: which lines and panels they hold, and under which names."""

import numpy as np
import pandas as pd
import pytest
from pictures import check_readable, line_labels, texts

from propeval_lite.figures import ponttuset_objects as figures
from propeval_lite.figures.style import looks

CURVE = pd.DataFrame({"f": [0, 0.5, 1], "j": [0, 1 / 3, 1]})
TRUTH = np.zeros((60, 80), dtype=bool)
TRUTH[20:40, 30:60] = True


def lines(axis):
    """Data of the lines of a panel, those of the legend and straight marks left out."""
    return [line.get_xydata().tolist() for line in axis.lines if len(line.get_xdata()) > 2]


def panels(figure):
    return {axis.get_title(): axis for axis in figure.axes}


def test_equivalence():
    figure = figures.draw_equivalence(CURVE, pd.DataFrame({"f": [0.5, 0.8, 0.9], "j": [0.3, 0.6, 0.8]}))
    (axis,) = figure.axes
    assert lines(axis) == [CURVE.to_numpy().tolist(), [[0.5, 0.3], [0.8, 0.6], [0.9, 0.8]]]
    assert line_labels(figure) == ["identity", "$J = F / (2 - F)$", "measured masks"]
    assert (axis.get_xlim(), axis.get_ylim(), axis.get_aspect()) == ((0, 1), (0, 1), 1)
    check_readable(figure)


def test_averages_lie_where_the_means_are():
    scores = pd.DataFrame(
        {"method": ["x", "x", "y", "y"], "f": [0.2, 0.4, 0.1, 0.9], "j": [0.1, 0.3, 0, 0.8]}
    )
    figure = figures.draw_averages(CURVE, scores)
    assert line_labels(figure) == [
        "$J = F / (2 - F)$",
        "objects of x",
        "mean of x",
        "objects of y",
        "mean of y",
    ]
    hollow = [
        line.get_xydata().ravel().tolist() for line in figure.axes[0].lines if len(line.get_xdata()) == 1
    ]
    assert hollow == [pytest.approx([0.3, 0.2]), pytest.approx([0.5, 0.4])]
    check_readable(figure)


def test_situations_show_the_object_and_every_mask_with_its_scores():
    masks = {name: np.roll(TRUTH, shift, axis=1) for name, shift in (("(a)", 1), ("(b)", 3), ("(c)", 9))}
    scores = pd.DataFrame({"situation": list(masks), "J": 0.5, "matching": 0.25, "morphological": 0.75})
    figure = figures.draw_situations(TRUTH, masks, scores)
    titles = list(panels(figure))
    assert titles == ["the object", *(f"{name}\n$J$ = 0.50, $F_b$ = 0.25 (0.75)" for name in masks)]
    # The window holds all masks and a margin of 12 pixels.
    assert [int(axis.images[0].get_array().sum()) for axis in figure.axes] == 4 * [TRUTH.sum()]
    assert figure.axes[0].images[0].get_array().shape == (20 + 24 - 1, 30 + 9 + 24 - 1)
    assert all(axis.collections for axis in figure.axes)
    check_readable(figure)


def test_an_odd_number_of_panels_leaves_none_empty():
    masks = {"(a)": TRUTH, "(b)": TRUTH}
    scores = pd.DataFrame({"situation": list(masks), "J": 1.0, "matching": 1.0, "morphological": 1.0})
    check_readable(figures.draw_situations(TRUTH, masks, scores))


@pytest.mark.parametrize("n", [1, 3])
def test_best_masks_are_light_on_dark(n):
    image = np.full((60, 80, 3), 200, dtype=np.uint8)
    figure = figures.draw_best(image, TRUTH, [(f"method {i}", TRUTH) for i in range(n)])
    assert [text.get_text() for text in texts(figure)] == [f"method {i}" for i in range(n)]
    shown = figure.axes[0].images[0].get_array()
    assert (shown[TRUTH] == 200).all() and (shown[~TRUTH] == 50).all()
    check_readable(figure)


def summary():
    rows = []
    for method, height in (("grouping", 0.5), ("quadtree", 0.2)):
        for measure in ("jaccard", "boundary"):
            for k in (10, 100, 1000):
                head = (method, measure, k)
                rows += [(*head, what, np.nan, height, 0.1) for what in ("mean", "median")]
                rows += [(*head, "recall", level, height / 2, 0.1) for level in (0.7, 0.5)]
    return pd.DataFrame(
        rows, columns=["method", "measure", "proposals", "statistic", "level", "value", "error"]
    )


def test_quality_has_a_row_per_statistic_and_bands_of_an_error():
    figure = figures.draw_quality(summary())
    names = ["mean", "median", "recall at 0.5", "recall at 0.7"]
    assert list(panels(figure)) == [f"{name}: {on}" for name in names for on in figures.LABELS.values()]
    axis = panels(figure)["recall at 0.7: pixels ($J$)"]
    assert lines(axis) == [[[k, height] for k in (10, 100, 1000)] for height in (0.25, 0.1)]
    bands = [part.get_paths()[0].get_extents().intervaly.tolist() for part in axis.collections]
    assert bands == [pytest.approx([0.15, 0.35]), pytest.approx([0, 0.2])]
    assert axis.get_xscale() == "log" and axis.get_ylim() == (0, 1)
    assert line_labels(figure) == ["grouping", "quadtree"]
    check_readable(figure)


def test_published_methods_are_grey_but_for_the_quadtree():
    rows = summary().query("measure == 'jaccard' and statistic != 'median'")
    published = pd.concat([rows.assign(method="QT"), rows.assign(method="MCG"), rows.assign(method="GOP")])
    figure = figures.draw_published(published, rows.assign(method=rows["method"] + " (here)"))
    assert list(panels(figure)) == ["mean $J$", "recall at $J$ = 0.5", "recall at $J$ = 0.7"]
    assert line_labels(figure) == ["grouping", "quadtree", "QT (published)", "others (published)"]
    for axis in figure.axes:
        grey = [line for line in axis.lines if line.get_label() == "_published"]
        assert len(grey) == 2 and {line.get_color() for line in grey} == {figures.GREY}
        assert looks(["grouping"])["grouping"].colour in [line.get_color() for line in axis.lines]
    check_readable(figure)


def test_scores_at_budgets_are_dots_in_the_order_of_the_rows():
    table = pd.DataFrame({"method": ["best", "worst"], "1,000: mean J": [0.8, 0.4], "1,000: recall 0.5": [0.9, 0.3],
                          "100: mean J": [0.6, np.nan], "100: recall 0.5": [0.7, np.nan]})  # fmt: skip
    figure = figures.draw_at_budgets(table)
    assert list(panels(figure)) == ["100 masks", "1,000 masks"]
    axis = panels(figure)["1,000 masks"]
    figure.canvas.draw()
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["best", "worst"]
    dots = sorted(line.get_xdata().tolist() for line in axis.lines if len(line.get_xdata()) == 2)
    assert dots == [[0.8, 0.4], [0.9, 0.3]]
    assert line_labels(figure) == ["mean J", "recall 0.5"]
    check_readable(figure)


def test_tolerances_have_a_panel_per_situation():
    rows = [(name, way, t, t * 10 + (way == "matching")) for name in ("(a)", "(b)", "(c)")
            for t in (0.002, 0.0075, 0.08) for way in ("matching", "morphological")]  # fmt: skip
    table = pd.DataFrame(rows, columns=["situation", "method", "tolerance", "value"])
    figure = figures.draw_tolerances(table, (0.0075, 0.08))
    assert list(panels(figure)) == ["(a)", "(b)", "(c)"]
    axis = figure.axes[-1]
    assert lines(axis)[1] == [pytest.approx([100 * t, 10 * t]) for t in (0.002, 0.0075, 0.08)]
    marks = [line.get_xdata()[0] for line in axis.lines if len(line.get_xdata()) == 2]
    assert marks == pytest.approx([0.75, 8])
    assert [label.get_text() for label in axis.get_xticklabels()] == ["0.2", "0.75", "8"]
    assert line_labels(figure) == ["matching", "morphological"]
    check_readable(figure)
