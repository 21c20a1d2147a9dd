"""Figures of meta-measures: heaps, thresholds, duels and rows of dots, and that they can be read."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from pictures import check_readable, line_labels

from propeval_lite.figures import ponttuset_meta_measures as figures
from propeval_lite.figures import segmentations
from propeval_lite.figures.style import COLOURS, looks


def test_the_page_shows_segmentations_as_its_neighbour_does():
    assert figures.draw_pictures is segmentations.draw_pictures


def test_sihd_has_the_range_of_its_draws():
    table = pd.DataFrame({"measure": ["fb", "pri"], "sihd": [99.0, 70.0], "lowest draw": [98.0, 60.0],
                          "highest draw": [99.5, 75.0], "best threshold": [99.2, 80.0]})  # fmt: skip
    figure = figures.draw_sihd(table)
    check_readable(figure)
    (axis,) = figure.axes
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["fb", "pri"]
    dots = [line for line in axis.lines if line.get_marker() not in ("|", "_")]
    values = {tuple(line.get_xdata()) for line in dots}
    assert {(99.0, 70.0), (99.2, 80.0)} <= values
    spans = [[piece for piece in bar.get_segments() if np.ndim(piece) == 2] for bar in axis.collections]
    assert [[(piece[0, 0], piece[1, 0]) for piece in bars] for bars in spans] == [
        [(98.0, 99.5), (60.0, 75.0)], []
    ]  # fmt: skip
    assert line_labels(figure) == ["densities cross (line: single draws)", "best threshold"]


def heaps():
    rows = [
        ("fb", "same", 0.0, 0.5, 0.4),
        ("fb", "same", 0.5, 1.0, 1.6),
        ("fb", "different", 0.5, 1.0, 0.0),
        ("fb", "different", 0.0, 0.5, 2.0),
        ("pri", "same", 0.0, 1.0, 1.0),
        ("pri", "different", 0.0, 1.0, 1.0),
    ]
    return pd.DataFrame(rows, columns=["measure", "side", "low", "high", "density"])


def test_densities_and_thresholds_of_each_measure():
    limits = pd.DataFrame({"measure": ["fb", "fb", "pri", "bce"], "classifier": ["density", "threshold", "density",
                           "density"], "threshold": [0.5, 0.4, 0.9, 0.1]})  # fmt: skip
    figure = figures.draw_densities(heaps(), limits, {"fb": "first", "pri": "second"})
    check_readable(figure)
    assert [axis.get_title() for axis in figure.axes] == ["first", "second"]
    axis = figure.axes[0]
    stairs = [patch.get_data() for patch in axis.patches]
    # Each heap is filled and outlined, its bins in order.
    assert [step[0].tolist() for step in stairs] == [[0.4, 1.6]] * 2 + [[2.0, 0.0]] * 2
    assert stairs[0][1].tolist() == [0, 0.5, 1]
    assert [(line.get_xdata()[0], line.get_linestyle()) for line in axis.lines] == [(0.5, "--"), (0.4, ":")]
    assert len(figure.axes[1].lines) == 1
    assert axis.get_ylim()[0] == 0
    assert axis.get_xlim() == pytest.approx((-0.04, 1.04))
    assert line_labels(figure) == ["pairs of same image", "pairs of two images", "where the densities cross",
                                   "best threshold"]  # fmt: skip


def test_duels_stand_on_the_side_of_the_better():
    rows = [
        ("fb", "egb", 0.9, 0.5),
        ("fb", "mine", 0.3, 0.4),
        ("bce", "egb", 0.2, 0.2),
        ("bce", "mine", 0.6, 0.1),
    ]
    duels = pd.DataFrame(rows, columns=["measure", "method", "good", "bad"])
    better = {"fb": True, "bce": False}
    figure = figures.draw_duels(duels, {"fb": "up", "bce": "down"}, better, ("worse", "better"))
    check_readable(figure)
    up, down = figure.axes
    dots = [collection for collection in up.collections if len(collection.get_offsets()) == 2]
    assert np.asarray(dots[-1].get_offsets()) == pytest.approx(np.array([[0.5, 0.9], [0.4, 0.3]]))
    found = looks(["egb", "mine"])
    assert dots[-1].get_facecolor().tolist() == [list(to_rgba(look.colour)) for look in found.values()]
    for axis, below in ((up, True), (down, False)):
        assert axis.get_xlim() == axis.get_ylim()
        corners = axis.collections[0].get_paths()[0].vertices
        # The grey half is the one of wrong judgements.
        assert (
            (corners[:, 1] <= corners[:, 0] + 1e-9) if below else (corners[:, 1] >= corners[:, 0] - 1e-9)
        ).all()
        (text,) = axis.texts
        assert text.get_text() == "misjudged"
        assert (text.get_position()[0] > text.get_position()[1]) == below
    assert (up.get_xlabel(), up.get_ylabel(), down.get_ylabel()) == ("worse", "better", "")
    assert line_labels(figure) == ["egb", "mine"]


def test_rows_of_dots_per_meta_measure():
    rows = [("fb", "sihd", "paper", 99, np.nan, np.nan), ("pri", "sihd", "paper", 70, np.nan, np.nan),
            ("fb", "sihd", "here", 98, 97, 99), ("pri", "sihd", "here", 71, 60, 75), ("pri", "sabd", "paper", 50,
            np.nan, np.nan)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["measure", "meta_measure", "source", "value", "low", "high"])
    figure = figures.draw_rows(table, {"sihd": "SIHD", "sabd": "SABD"})
    check_readable(figure)
    sihd, sabd = figure.axes
    assert [tick.get_text() for tick in sihd.get_yticklabels()] == ["fb", "pri"]
    assert sihd.get_ylim() == (1.5, -0.5)
    assert [line.get_xydata().tolist() for line in sihd.lines] == [[[99, 0], [70, 1]], [[98, 0], [71, 1]]]
    assert sabd.lines[0].get_xydata().tolist() == [[50, 1]]
    spans = [piece[:, 0].tolist() for piece in sihd.collections[1].get_segments()]
    assert spans == [[97, 99], [60, 75]]
    assert line_labels(figure) == ["paper", "here"]
    assert sihd.lines[0].get_markerfacecolor() == COLOURS[0]
    assert sihd.lines[1].get_markerfacecolor() == "white"
