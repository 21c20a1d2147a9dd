"""The boxes of each method on one photograph."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from propeval_lite.figures.style import WIDTH, looks, new_figure, styled


@styled
def boxes_on_photo(photo: np.ndarray, truth: np.ndarray, boxes: pd.DataFrame, most: int, columns: int = 3):
    """Draw the first boxes of each method in its colour, a panel each, over one photograph.

    Parameters
    ----------
    photo : (height, width, 3) array
    truth : (n, 4) array
        Objects, drawn as dotted frames; edges of pixels, as are the boxes.
    boxes : DataFrame
        From :func:`propeval_lite.studies.hosang_overview.first_boxes`.
    most : int
        Boxes drawn per method.
    columns : int
        Panels in a row.
    """
    names = list(pd.unique(boxes["method"]))
    colours = looks(names)
    height, width = photo.shape[:2]
    columns = min(columns, len(names))
    rows = -(-len(names) // columns)
    figure, axes = new_figure(columns, rows, height=rows * (WIDTH / columns * height / width + 0.3))
    panels = np.ravel(axes)
    grey = photo.mean(axis=2)
    for axis, name in zip(panels, names, strict=False):
        axis.imshow(grey, cmap="gray", vmin=-80, vmax=300, extent=(0, width, height, 0), interpolation="none")
        first = boxes[(boxes["method"] == name) & (boxes["rank"] <= most)]
        for x1, y1, x2, y2 in first[["x1", "y1", "x2", "y2"]].to_numpy():
            _frame(axis, (x1, y1, x2, y2), colours[name].colour, "-", 1.2)
        for box in truth:
            _frame(axis, box, "white", ":", 1.4)
        axis.set_title(name.replace("_", " "))
        axis.set(xlim=(-2, width + 2), ylim=(height + 2, -2))
    for axis in panels:
        axis.axis("off")
    return figure


def _frame(axis, box, colour: str, line: str, thick: float) -> None:
    x1, y1, x2, y2 = box
    axis.add_patch(
        Rectangle((x1, y1), x2 - x1, y2 - y1, fill=False, edgecolor=colour, linestyle=line, linewidth=thick)
    )
