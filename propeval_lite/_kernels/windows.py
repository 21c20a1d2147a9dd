"""Windows of a picture as short descriptions: gradients in cells, and mean colours.

A window is sampled through summed tables, so each of its points is the exact mean of the pixels below it, whatever the
size of the window.
"""

from __future__ import annotations

import math

import numpy as np
from numba import prange

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def summed_at(table, y, x):
    """Sum of the picture above and left of the point (y, x), from its summed table (height + 1, width + 1)."""
    i, j = min(int(y), table.shape[0] - 2), min(int(x), table.shape[1] - 2)
    v, u = y - i, x - j
    top = table[i, j] * (1 - u) + table[i, j + 1] * u
    low = table[i + 1, j] * (1 - u) + table[i + 1, j + 1] * u
    return top * (1 - v) + low * v


@njit(cache=True)
def sampled(table, box, side):
    """Mean of the picture in each of side x side equal parts of `box`; float64, (side, side)."""
    x1, y1, x2, y2 = box[0], box[1], box[2], box[3]
    corners = np.empty((side + 1, side + 1))
    for i in range(side + 1):
        for j in range(side + 1):
            corners[i, j] = summed_at(table, y1 + (y2 - y1) * i / side, x1 + (x2 - x1) * j / side)
    area = (x2 - x1) * (y2 - y1) / (side * side)
    means = np.empty((side, side))
    for i in range(side):
        for j in range(side):
            means[i, j] = (
                corners[i + 1, j + 1] - corners[i, j + 1] - corners[i + 1, j] + corners[i, j]
            ) / area
    return means


@njit(cache=True)
def oriented_gradients(window, cells, bins, out):
    """Write the histogram of oriented gradients of a square window: unsigned, blocks of 2 x 2 cells, L2-Hys.

    `out` takes ``(cells - 1)² · 4 · bins`` numbers: block by block, in it cell by cell, in it bin by bin.
    """
    side = window.shape[0]
    pixels = side // cells
    histogram = np.zeros((cells, cells, bins))
    for i in range(side):
        for j in range(side):
            down = window[i + 1, j] - window[i - 1, j] if 0 < i < side - 1 else 0.0
            right = window[i, j + 1] - window[i, j - 1] if 0 < j < side - 1 else 0.0
            size = math.hypot(down, right)
            if size > 0:
                angle = math.degrees(math.atan2(down, right)) % 180.0
                histogram[i // pixels, j // pixels, min(int(angle * bins / 180.0), bins - 1)] += size
    histogram /= pixels * pixels
    place, tiny = 0, 1e-10
    for i in range(cells - 1):
        for j in range(cells - 1):
            start = place
            for a in range(2):
                for b in range(2):
                    for k in range(bins):
                        out[place] = histogram[i + a, j + b, k]
                        place += 1
            for clip in (0.2, 2.0):
                norm = 0.0
                for k in range(start, place):
                    norm += out[k] * out[k]
                norm = math.sqrt(norm + tiny)
                for k in range(start, place):
                    out[k] = min(out[k] / norm, clip)


@njit(cache=True, parallel=True)
def window_features(tables, boxes, cells, pixels, bins):
    """Describe windows of one picture.

    Parameters
    ----------
    tables : float64 array, (channels, height + 1, width + 1)
        Summed tables; the first channel is the lightness, from which the gradients are taken.
    boxes : float64 array, (n, 4)
        Windows inside the picture, wider and higher than 0.
    cells, pixels, bins : int
        Cells along a side of a window, points along a side of a cell, directions.

    Returns
    -------
    float32 array, (n, (cells − 1)² · 4 · bins + cells² · channels)
        Gradients, then the mean of each channel in each cell.
    """
    channels, side = tables.shape[0], cells * pixels
    gradients = (cells - 1) ** 2 * 4 * bins
    found = np.zeros((boxes.shape[0], gradients + cells * cells * channels), dtype=np.float32)
    for n in prange(boxes.shape[0]):
        row = np.zeros(gradients)
        oriented_gradients(sampled(tables[0], boxes[n], side), cells, bins, row)
        found[n, :gradients] = row
        place = gradients
        for c in range(channels):
            means = sampled(tables[c], boxes[n], cells)
            for i in range(cells):
                for j in range(cells):
                    found[n, place] = means[i, j]
                    place += 1
    return found
