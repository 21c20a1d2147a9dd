"""Pictures of figure 11 from files and of the three ways to see a partition: what is drawn, and where."""

import numpy as np
import pandas as pd
from pictures import check_readable, line_labels

from propeval_lite.figures import ponttuset_files as figures


def test_each_group_is_drawn_in_colour_before_the_others_in_grey():
    rows = [(name, swapped, measure, recall, 0.5, recall) for name in ("MCG-UCM", "EGB") for swapped in (False, True)
            for measure in ("fb", "fop") for recall in (0.2, 0.6)]  # fmt: skip
    curves = pd.DataFrame(rows, columns=["method", "swapped", "measure", "recall", "precision", "f"])
    people = pd.DataFrame(
        {"same": [True, False] * 2, "measure": ["fb", "fb", "fop", "fop"], "precision": 0.9, "recall": 0.7}
    )
    figure = figures.draw_files(curves, people, (("MCG-UCM",), ("EGB",)))
    check_readable(figure)
    assert len(figure.axes) == 4
    for axis in figure.axes:
        # Lines of equal F have labels that no legend shows.
        lines = [line for line in axis.lines if line.get_label() != "_f"]
        assert sum(line.get_color() == "0.8" for line in lines) == 1
        assert sum(line.get_linestyle() == ":" for line in lines) == 2
        # The larger mark stands where F is best.
        assert any(line.get_xydata().tolist() == [[0.6, 0.5]] for line in lines)
    assert line_labels(figure)[:2] == ["MCG-UCM", "EGB"]


def test_three_ways_to_see_a_partition():
    labels = np.array([[0, 0, 1], [0, 0, 1]])
    together = labels.reshape(-1, 1) == labels.reshape(1, -1)
    figure = figures.draw_interpretations(labels, together, "ab")
    regions, pairs, contour = figure.axes
    assert [text.get_text() for text in regions.texts] == list("aabaab"[:3] * 2)
    assert pairs.images[0].get_array().shape == (6, 6)
    assert [line.get_xydata().tolist() for line in contour.lines] == [
        [[1.5, -0.5], [1.5, 0.5]],
        [[1.5, 0.5], [1.5, 1.5]],
    ]
