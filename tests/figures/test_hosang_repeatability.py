"""The figures of repeatability: pictures, panels, lines and legends, from tables made up here."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from pictures import check_readable, line_labels

from propeval_lite.datasets.homographies import rotation_crop
from propeval_lite.datasets.perturbations import PERTURBATIONS, perturb
from propeval_lite.figures import hosang_repeatability as figures

METHODS = ("Uniform", "EdgeBoxes", "mine")


def picture():
    rng = np.random.default_rng(0)
    return np.repeat(np.repeat(rng.integers(0, 256, (6, 8, 3), dtype=np.uint8), 10, axis=0), 10, axis=1)


def worth(method, kind, value):
    away = abs(figures.place(kind, [value])[0] - figures.place(kind, [PERTURBATIONS[kind].identity])[0])
    return 1 / (1 + away) - 0.05 * METHODS.index(method)


def curves():
    rows = [
        (source, method, kind, value, worth(method, kind, value))
        for source, method, kind in product(("published", "here"), METHODS, PERTURBATIONS)
        for value in PERTURBATIONS[kind].strengths
    ]
    return pd.DataFrame(rows, columns=["source", "method", "perturbation", "value", "repeatability"])


def test_examples_show_each_kind_and_the_unchanged_picture_last():
    figure = figures.examples(picture())
    axes = np.array(figure.axes).reshape(6, 3)
    for row, (kind, values) in zip(axes, figures.EXAMPLES.items(), strict=True):
        assert row[0].get_ylabel() == figures.NAMES[kind]
        for axis, value in zip(row, values, strict=True):
            assert np.array_equal(axis.images[0].get_array(), perturb(picture(), kind, value))
            assert axis.get_title() == figures.label(kind, value)
        assert values[-1] == PERTURBATIONS[kind].identity
    check_readable(figure)


def test_the_frame_drawn_is_the_crop():
    figure = figures.crops(picture(), [20, -5])
    for row, angle in zip(np.array(figure.axes).reshape(2, 2), (20, -5), strict=True):
        crop, first = rotation_crop((80, 60), angle)
        corners = row[0].patches[0].get_xy()
        assert corners.min(axis=0).tolist() == (first - 1.5).tolist()
        assert np.ptp(corners, axis=0).tolist() == [crop.width, crop.height]
        assert np.array_equal(row[1].images[0].get_array(), perturb(picture(), "rotation", angle))
        framed = row[0].images[0].get_array()[first[1] - 1 :, first[0] - 1 :][: crop.height, : crop.width]
        apart = np.abs(framed.astype(int) - perturb(picture(), "rotation", angle)).mean()
        assert apart < 12  # the nearest pixel there, interpolated here
    check_readable(figure)


def test_a_picture_turned_by_nothing_is_itself():
    assert np.array_equal(figures.turned(picture(), 0), picture())
    assert (figures.turned(picture(), 30)[0, 0] == 255).all()


def test_sizes_have_a_line_per_method():
    table = pd.DataFrame(
        [(m, s, 10 * i, 0.1 * i) for i, m in enumerate(("uniform", "annotations")) for s in (0.05, 0.15)],
        columns=["method", "size", "boxes", "share"],
    )
    figure = figures.sizes(table)
    assert sorted(line_labels(figure)) == ["annotations", "uniform"]
    check_readable(figure)


def test_groups_of_sizes_go_from_light_to_dark():
    rows = [(f"{g}", x, 1 - x, 5 + g) for g in range(3) for x in (0, 0.5, 1)]
    figure = figures.recall_by_size(pd.DataFrame(rows, columns=["size", "iou", "recall", "boxes"]))
    assert line_labels(figure) == ["0 (5 boxes)", "1 (6 boxes)", "2 (7 boxes)"]
    shades = [sum(line.get_color()[:3]) for line in figure.axes[0].lines]
    assert shades == sorted(shades, reverse=True)
    check_readable(figure)


def test_a_row_per_kind_published_beside_here():
    table = curves()
    figure = figures.all_curves(table)
    axes = np.array(figure.axes).reshape(6, 2)
    for row, kind in zip(axes, figures.NAMES, strict=True):
        assert [axis.get_title() for axis in row] == [
            f"{figures.NAMES[kind]}: {s}" for s in ("published", "here")
        ]
        x = figures.place(kind, PERTURBATIONS[kind].strengths)
        for axis in row:
            drawn = {line.get_label(): line for line in axis.lines if line.get_label() in METHODS}
            assert set(drawn) == set(METHODS)
            for name, line in drawn.items():
                assert np.allclose(line.get_xdata(), x)
                assert np.allclose(
                    line.get_ydata(), [worth(name, kind, v) for v in PERTURBATIONS[kind].strengths]
                )
    colours = [{line.get_label(): line.get_color() for line in axis.lines} for axis in axes[0]]
    assert all(colours[0][name] == colours[1][name] for name in METHODS)
    assert axes[1, 0].xaxis_inverted() and not axes[0, 0].xaxis_inverted()
    assert line_labels(figure) == list(METHODS)
    check_readable(figure)


@pytest.mark.parametrize("kinds", [["scale"], ["scale", "rotation"]])
def test_published_values_are_marks_and_ours_lines(kinds):
    table = (
        curves()
        .query("source == 'here' and perturbation in @kinds")
        .rename(columns={"repeatability": "paper"})
    )
    figure = figures.against(table.assign(here=table["paper"] - 0.01))
    assert [axis.get_title() for axis in figure.axes] == kinds
    for axis in figure.axes:
        ours, theirs = axis.lines[::2], axis.lines[1::2]
        for line, marks in zip(ours, theirs, strict=True):
            assert line.get_linestyle() != "None" and marks.get_linestyle() == "None"
            assert np.allclose(line.get_ydata(), np.array(marks.get_ydata()) - 0.01)
    check_readable(figure)


def test_boxes_that_touch_objects_against_all():
    rows = [
        (s, m, 0.5 + 0.1 * i, 0.4 + 0.1 * i) for s in ("published", "here") for i, m in enumerate(METHODS)
    ]
    figure = figures.touching(pd.DataFrame(rows, columns=["source", "method", "all", "touching"]))
    assert [axis.get_title() for axis in figure.axes] == ["published", "here"]
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in figure.axes[0].lines[1:]]
    assert np.allclose(points, [(0.5 + 0.1 * i, 0.4 + 0.1 * i) for i in range(3)])
    assert line_labels(figure) == list(METHODS)
    check_readable(figure)
