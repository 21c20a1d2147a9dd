"""The picture of each method's boxes."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba
from pictures import check_readable

from propeval_lite.figures.hosang_overview import boxes_on_photo
from propeval_lite.figures.style import looks


def test_a_panel_per_method_with_its_first_boxes_and_all_objects():
    photo = np.zeros((40, 60, 3), np.uint8)
    truth = np.array([[1, 2, 20, 30], [5, 5, 50, 35]], float)
    rows = [(name, rank, rank, rank, rank + 9, rank + 8) for name in ("uniform", "edge_boxes", "mine", "bing")
            for rank in range(1, 6)]  # fmt: skip
    boxes = pd.DataFrame(rows, columns=["method", "rank", "x1", "y1", "x2", "y2"])
    figure = boxes_on_photo(photo, truth, boxes, most=3)
    shown = [axis for axis in figure.axes if axis.get_title()]
    assert [axis.get_title() for axis in shown] == ["uniform", "edge boxes", "mine", "bing"]
    for axis, name in zip(shown, pd.unique(boxes["method"]), strict=True):
        own = [
            patch
            for patch in axis.patches
            if patch.get_edgecolor() == to_rgba(looks([*pd.unique(boxes["method"])])[name].colour)
        ]
        assert [patch.get_bbox().extents.tolist() for patch in own] == [
            [r, r, r + 9, r + 8] for r in (1, 2, 3)
        ]
        assert len(axis.patches) == 3 + len(truth)
        assert len(axis.images) == 1
    check_readable(figure)
