"""The figures of tuning and oracles: what each line, point, cell and tick shows, from tables made up here."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from pictures import check_readable, line_labels, texts

from propeval_lite.figures import hosang_tuning_and_oracles as figures
from propeval_lite.studies.hosang_tuning import ORACLES

VARIANTS = ["0.50", "0.70", "0.90", "AR"]
TAUS = np.round(np.linspace(0.5, 1, 21), 3)


def recall_table(datasets=("VOC", "mine")):
    rows = [
        (data, variant, tau, (1 - tau) * (1 + k) / 4 + 0.1 * d)
        for d, data in enumerate(datasets)
        for k, variant in enumerate(VARIANTS)
        for tau in TAUS
    ]
    return pd.DataFrame(rows, columns=["dataset", "variant", "tau", "value"])


def test_a_line_per_variant_with_a_dot_where_it_is_tuned_for():
    table = recall_table()
    figure = figures.recall_of_variants(table)
    check_readable(figure)
    assert line_labels(figure) == [".50", ".70", ".90", "AR"]
    assert [axis.get_title() for axis in figure.axes] == ["VOC", "mine"]
    second = table[table["dataset"] == "mine"].set_index("variant")
    lines = [line for line in figure.axes[1].lines if len(line.get_xdata()) == len(TAUS)]
    assert [line.get_ydata().tolist() for line in lines] == [
        second.loc[v, "value"].tolist() for v in VARIANTS
    ]
    assert [line.get_linestyle() for line in lines] == ["-", "-", "-", "--"]
    dots = {
        tuple(np.ravel(line.get_data())) for line in figure.axes[1].lines if np.size(line.get_xdata()) == 1
    }
    wanted = {(float(v), float(np.interp(float(v), TAUS, second.loc[v, "value"]))) for v in VARIANTS[:3]}
    assert dots == wanted


def test_an_odd_number_of_panels_leaves_no_empty_axis():
    figure = figures.recall_of_variants(recall_table(("a", "b", "c")))
    check_readable(figure)
    assert [axis.axison for axis in figure.axes] == [True, True, True, False]


def test_variants_get_darker_to_lighter_and_the_adaptive_one_is_black():
    colours = figures.variant_colours(VARIANTS)
    light = [sum(to_rgb(colours[name])) for name in VARIANTS[:3]]
    assert light == sorted(light)
    assert to_rgb(colours["AR"]) == (0, 0, 0)


def points(detectors=("net", "net with more"), band=False):
    rows = [
        {"detector": name, "variant": v, "AR": 0.3 + 0.1 * k, "mAP": 40 + k + d}
        for d, name in enumerate(detectors)
        for k, v in enumerate(VARIANTS)
    ]
    table = pd.DataFrame(rows)
    return table.assign(low=table["mAP"] - 2, high=table["mAP"] + 3) if band else table


@pytest.mark.parametrize("band", [False, True])
def test_a_path_through_the_variants_and_the_correlation(band):
    table = points(band=band)
    figure = figures.ar_against_map(table, {"net": 0.9511, "net with more": float("nan")})
    check_readable(figure)
    assert line_labels(figure) == [".50", ".70", ".90", "AR"]
    said = [text.get_text() for text in texts(figure)]
    assert "r = 0.951" in said
    assert "r undefined" in said
    first = figure.axes[0]
    path = next(line for line in first.lines if len(np.atleast_1d(line.get_xdata())) == 3)
    assert path.get_ydata().tolist() == [40, 41, 42]  # in order of Δ, without the adaptive one
    marks = [
        (line.get_marker(), *np.ravel(line.get_data()))
        for line in first.lines
        if np.size(line.get_xdata()) == 1
    ]
    assert [mark[0] for mark in marks] == ["o", "o", "o", "D"]
    assert [mark[2] for mark in marks] == [40, 41, 42, 43]
    spans = [line.get_ydata() for line in first.lines if np.size(line.get_xdata()) == 2]
    assert [tuple(span) for span in spans] == ([(38, 43), (39, 44), (40, 45), (41, 46)] if band else [])


def test_the_grid_shows_each_value_in_its_cell():
    grid = pd.DataFrame({"beta": [0.8, 0.8, 0.9, 0.9], "eta": [0.99, 1.0] * 2, "AR": [0.1, 0.2, 0.3, 0.4]})
    figure = figures.falling_thresholds(grid)
    check_readable(figure)
    (axis,) = figure.axes
    assert [text.get_text() for text in axis.texts] == ["0.300", "0.400", "0.100", "0.200"]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["0.9", "0.8"]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["0.99", "1.0"]


def test_a_tick_per_category_and_a_diamond_for_the_mean():
    rows = [
        (source, oracle, kind, 10.0 * k + n)
        for source in ("theirs", "ours")
        for n, oracle in enumerate(ORACLES)
        for k, kind in enumerate("abc")
    ]
    figure = figures.oracles(pd.DataFrame(rows, columns=["source", "oracle", "category", "AP"]), ORACLES)
    check_readable(figure)
    assert [axis.get_title() for axis in figure.axes] == ["theirs", "ours"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == list(ORACLES)
    ours = figure.axes[1]
    ticks = [line.get_xdata().tolist() for line in ours.lines if line.get_marker() == "|"]
    assert ticks == [[n, 10 + n, 20 + n] for n in range(4)]
    assert [float(np.ravel(line.get_xdata())[0]) for line in ours.lines if line.get_marker() == "D"] == [
        10,
        11,
        12,
        13,
    ]
    assert [text.get_text() for text in ours.texts] == ["10.0", "11.0", "12.0", "13.0"]
