"""Figures of partitions: what stands in every panel, and that it can be read."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color, to_rgb
from pictures import check_readable, line_labels, texts

from propeval_lite.figures import ponttuset_partitions as figures
from propeval_lite.figures.style import COLOURS, looks
from propeval_lite.partitions.boundaries import BoundaryCounts

TRUTH = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 2, 2], [0, 0, 2, 2]])
CUT = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [2, 2, 3, 3], [2, 2, 3, 3]])
TABLE = np.array([[4, 0, 4, 0], [2, 2, 0, 0], [0, 0, 0, 4]])


def written(axis):
    return [text.get_text() for text in axis.texts]


def test_a_truth_a_partition_and_their_table():
    figure = figures.draw_table(TRUTH, CUT, TABLE, "abc", "xyzw")
    check_readable(figure)
    truth, partition, shared = figure.axes
    assert "".join(written(truth)) == "aabbaabbaaccaacc"
    assert "".join(written(partition)) == "xxxyxxxyzzwwzzww"
    assert written(shared) == ["4", "0", "4", "0", "8", "2", "2", "0", "0", "4", "0", "0", "0", "4", "4",
                               "6", "2", "4", "4", "16"]  # fmt: skip
    assert [tick.get_text() for tick in shared.get_xticklabels()] == [*"xyzw", "sum"]
    assert [tick.get_text() for tick in shared.get_yticklabels()] == [*"abc", "sum"]
    # Between b and c, and between a and the others: 2 + 4 pieces of border.
    assert len(truth.lines) == 6
    # Sums are not shaded.
    shade = shared.images[0].get_array()
    assert shade[0, 0] == 1
    assert (shade[-1] == 0).all()
    assert (shade[:, -1] == 0).all()


def test_matchings_join_the_pixels_that_were_chosen():
    ours = np.array([[True, False, True], [False, False, False]])
    drawn = [np.array([[False, True, False], [False, False, False]]),
             np.array([[False, False, False], [False, True, False]])]  # fmt: skip
    choices = pd.DataFrame(
        {"truth_1_takes": [0, 0], "truth_2_takes": [0, 1], "P": [0.5, 1.0], "R": [1.0, 1.0]}
    )
    figure = figures.draw_matchings(ours, drawn, choices)
    check_readable(figure)
    joined = [axis.lines[0].get_xydata().tolist() for axis in figure.axes]
    assert joined == [[[0, 0], [1, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 0]], [[2, 0], [1, 1]]]
    assert figure.axes[1].get_title() == "P = 0.5, R = 1, truth 2"
    assert line_labels(figure) == ["partition's contour", "truth's contour", "matched"]


def test_spread_counts_trials_and_marks_the_nearest():
    spread = pd.DataFrame({"trial": range(4), "matched_truth": 20, "matched_partition": [10, 12, 12, 15]})
    figure = figures.draw_spread(spread, BoundaryCounts(20, 30, 9, 16))
    check_readable(figure)
    recall, precision = figure.axes
    assert [bar.get_height() for bar in recall.patches] == [4]
    assert [bar.get_height() for bar in precision.patches] == [1, 2, 1]
    assert [bar.get_x() + bar.get_width() / 2 for bar in precision.patches] == pytest.approx([10, 12, 15])
    assert precision.lines[0].get_xdata() == [9, 9]
    for axis in figure.axes:
        low, high = axis.get_xlim()
        assert high - low == pytest.approx(12)
    assert precision.get_xlim()[0] < 9 < 15 < precision.get_xlim()[1]
    assert line_labels(figure) == ["picked blindly", "nearest pairs (here)"]


def test_kinds_have_a_colour_and_a_letter():
    labels = np.repeat(np.repeat(CUT, 6, axis=0), 6, axis=1)
    kinds = {0: "object", 1: "noise", 2: "part", 3: "ignored"}
    image = np.full((24, 24, 3), 255, dtype=np.uint8)
    panels = [{"title": "picture", "image": image}, {"title": "kinds", "labels": labels, "kinds": kinds},
              {"title": "both", "labels": labels, "kinds": kinds, "image": image // 2}]  # fmt: skip
    figure = figures.draw_kinds(panels)
    check_readable(figure)
    plain, bare, shaded, empty = figure.axes
    assert plain.images[0].get_array()[0, 0].tolist() == [255, 255, 255]
    shown = np.asarray(bare.images[0].get_array())
    assert shown[0, 0] == pytest.approx(to_rgb(figures.KIND_COLOURS["object"]))
    assert shown[0, -1] == pytest.approx(to_rgb(figures.KIND_COLOURS["noise"]))
    assert shown[5, 17] == pytest.approx([0.1] * 3)
    assert (shaded.images[0].get_array() <= shown + 1e-9).all()
    assert written(bare) == ["O", "N", "P", ""]
    # Each letter stands inside its region.
    for text, label in zip(bare.texts, kinds, strict=True):
        column, row = text.get_position()
        assert labels[int(row), int(column)] == label
    assert not empty.has_data()
    assert line_labels(figure) == ["O  object", "P  part", "N  noise", "ignored"]
    few = figures.draw_kinds(panels[1:2], columns=1, letters_from=0.2)
    assert written(few.axes[0]) == ["O", "P", ""]


def made_curves():
    rows = [(dataset, method, swapped, measure, recall, 1 - recall * (2 if swapped else 1))
            for dataset in ("scenes", "photos") for method in ("egb", "quadtree") for swapped in (False, True)
            for measure in ("fb", "fop") for recall in (0.4, 0.1, 0.3)]  # fmt: skip
    columns = ["dataset", "method", "swapped", "measure", "recall", "precision"]
    return pd.DataFrame(rows, columns=columns)


def drawn_lines(axis):
    """Lines with data that are not lines of equal F."""
    return [line for line in axis.lines if len(line.get_xdata()) and line.get_label() != "_f"]


def test_curves_have_a_panel_per_data_set_and_measure():
    curves = made_curves()
    points = pd.DataFrame({"dataset": ["scenes", "scenes", "photos", "photos"], "same": [True, False] * 2,
                           "measure": "fb", "precision": [0.9, 0.2, 0.8, 0.1], "recall": 0.5})  # fmt: skip
    points = pd.concat([points, points.assign(measure="fop")])
    chosen = curves[~curves["swapped"] & (curves["recall"] == 0.3)]
    figure = figures.draw_curves(curves, points, chosen)
    check_readable(figure)
    assert [axis.get_title().split("\n") for axis in figure.axes] == [
        [dataset, title] for dataset in ("scenes", "photos") for title in figures.TITLES.values()
    ]
    for axis in figure.axes:
        lines = drawn_lines(axis)
        # Of the swapped curves none stands out; curves go in the order of the sweep.
        grey = [line for line in lines if line.get_linestyle() == ":"]
        assert len(lines) == 4
        assert len(grey) == 2
        assert all(same_color(line.get_color(), "0.45") for line in grey)
        own = [line for line in lines if line not in grey]
        assert [line.get_color() for line in own] == [
            look.colour for look in looks(["egb", "quadtree"]).values()
        ]
        assert own[0].get_xdata().tolist() == [0.4, 0.1, 0.3]
        assert own[0].get_ydata() == pytest.approx([0.6, 0.9, 0.7])
        marks, human, swapped = (collection.get_offsets() for collection in axis.collections)
        assert np.asarray(marks) == pytest.approx(np.array([[0.3, 0.7]] * 2))
        assert human[0][1] > swapped[0][1]
        assert (axis.get_xlim(), axis.get_ylim()) == ((0, 1), (0, 1))
    assert line_labels(figure) == ["egb", "quadtree", "human", "human, swapped", "any method, swapped"]


def test_scales_are_dots_with_the_number_of_regions():
    rows = [("scenes", "fb", "egb", 20.4, 0.5, 0.6, 0.7), ("scenes", "fb", "quadtree", 4, 0.2, 0.2, 0.3),
            ("scenes", "fop", "egb", 9, 0.3, 0.3, 0.4), ("scenes", "fop", "quadtree", 2, 0.1, 0.15, 0.2)]  # fmt: skip
    columns = ["dataset", "measure", "method", "regions (mean)", "test", "best", "OIS"]
    figure = figures.draw_scales(pd.DataFrame(rows, columns=columns))
    check_readable(figure)
    assert len(figure.axes) == 2
    left, right = figure.axes
    assert [line.get_xdata().tolist() for line in left.lines] == [[0.5, 0.2], [0.6, 0.2], [0.7, 0.3]]
    assert right.lines[0].get_xdata().tolist() == [0.3, 0.1]
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["egb", "quadtree"]
    assert left.get_ylim()[0] > left.get_ylim()[1]
    assert written(left) == ["20", "4", "regions"]
    assert left.get_title(loc="left") == "scenes, $F_b$"
    assert line_labels(figure) == list(figures.CHOICES.values())


def test_published_curves_lie_over_ours():
    here = made_curves().query("dataset == 'scenes'")
    published = pd.DataFrame(
        [
            ("EGB", measure, image, "curve", 0.6, 0.4)
            for measure in ("fb", "fop")
            for image in ("same", "swapped")
        ]
        + [("EGB", "fb", "same", "legend", 0.1, 0.1)],
        columns=["method", "measure", "image", "kind", "precision", "recall"],
    )
    names = {"egb": "EGB", "quadtree": "QuadTree", "gPb-UCM": "gPb-UCM"}
    figure = figures.draw_against_published(here, published, names)
    check_readable(figure)
    egb, quadtree, ucm, empty = figure.axes
    assert [axis.get_title() for axis in figure.axes] == ["egb (paper: EGB)", "quadtree (paper: QuadTree)",
                                                         "gPb-UCM", ""]  # fmt: skip
    assert not empty.axison
    lines = drawn_lines(egb)
    ours = [line for line in lines if line.get_linestyle() in ("-", ":")]
    assert [(line.get_linestyle(), line.get_color()) for line in ours] == [
        ("-", COLOURS[0]), (":", COLOURS[0]), ("-", COLOURS[1]), (":", COLOURS[1])
    ]  # fmt: skip
    assert ours[1].get_ydata() == pytest.approx([0.2, 0.8, 0.4])
    theirs = [line for line in lines if line not in ours]
    assert [line.get_xydata().tolist() for line in theirs] == [[[0.4, 0.6]]] * 4
    assert len(drawn_lines(quadtree)) == 4
    assert len(drawn_lines(ucm)) == 0
    assert line_labels(figure) == [*figures.TITLES.values(), "here", "here, image swapped", "published"]
    assert any(text.get_text() == "recall" for text in texts(figure))
