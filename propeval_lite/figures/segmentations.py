"""Pictures and their partitions in a grid, for the chapters that show segmentations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import to_rgb

from propeval_lite.figures.style import TEXT, WIDTH, new_figure, styled
from propeval_lite.partitions.boundaries import contours


@styled
def draw_pictures(panels: Sequence[dict], columns: int):
    """Draw pictures and partitions in a grid; partitions are filled with the mean colour of each region.

    Parameters
    ----------
    panels : sequence of dict
        Each with ``title`` and ``image``, and for a partition ``labels``.
    columns : int
    """
    figure, axes = picture_grid(panels, columns)
    for axis, panel in zip(axes, panels, strict=False):
        shown = panel["image"]
        if "labels" in panel:
            shown = mean_colours(panel["image"], panel["labels"])
        axis.imshow(shown, interpolation="none")
        # Narrow panels have narrow titles.
        axis.set_title(panel["title"], fontsize=TEXT if columns < 3 else TEXT - 1)
    return figure


def picture_grid(panels: Sequence[dict], columns: int):
    """Return a figure and axes without ticks for pictures of one shape (``image`` or ``labels`` of the first)."""
    shape = np.shape(panels[0]["image"] if "image" in panels[0] else panels[0]["labels"])
    lines = max(panel["title"].count("\n") + 1 for panel in panels)
    rows = -(-len(panels) // columns)
    height = rows * (WIDTH / columns * shape[0] / shape[1] + 0.1 + 0.17 * lines) + 0.3
    figure, axes = new_figure(columns, rows, height=height, squeeze=False)
    for axis in axes.ravel():
        axis.axis("off")
    return figure, axes.ravel()


def mean_colours(image: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Fill every region with its mean colour (in [0, 1]) and draw the contours, white on dark and black on bright."""
    labels = np.asarray(labels)
    pixels = np.bincount(labels.ravel())
    sums = [np.bincount(labels.ravel(), image[..., channel].ravel()) for channel in range(3)]
    means = np.stack(sums, axis=1) / np.maximum(pixels, 1)[:, None] / 255
    shown = means[labels]
    shown[contours(labels)] = to_rgb("white") if shown.mean() < 0.5 else to_rgb("black")
    return shown
