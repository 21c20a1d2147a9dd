"""Greedy non-maximum suppression: boxes in order of rank, and which of them stay."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit
from propeval_lite._kernels.overlaps import LARGEST, SMALLEST, scaled_overlap


@njit(cache=True)
def kept_boxes(boxes, order, threshold, eta, floor, limit, extra):
    """Rows of the boxes that no better box suppresses, best first.

    A box is compared with those kept so far, newest first, because near-copies tend to follow one another. The
    smaller area over the larger bounds the IoU, so most pairs need no division.

    Parameters
    ----------
    boxes : float64 array, (n, 4)
    order : int64 array, (n,)
        Rows of `boxes`, best first.
    threshold : float
        A box goes when its IoU with a kept one exceeds it.
    eta, floor : float
        After each kept box the threshold is multiplied by `eta`, while it is larger than `floor`.
    limit : int
        Stop when so many are kept.
    extra : float
        0 where a box is ``x2 - x1`` wide, 1 where it is ``x2 - x1 + 1``.

    Returns
    -------
    int64 array, (kept,)
    """
    n = min(order.shape[0], limit)
    kept = np.empty(n, dtype=np.int64)
    corners = np.empty((n, 4))
    areas = np.empty(n)
    count = 0
    for i in range(order.shape[0]):
        if count == n:
            break
        row = order[i]
        x1, y1, x2, y2 = boxes[row, 0], boxes[row, 1], boxes[row, 2], boxes[row, 3]
        area = (x2 - x1 + extra) * (y2 - y1 + extra)
        stays = True
        for k in range(count - 1, -1, -1):
            width = min(x2, corners[k, 2]) - max(x1, corners[k, 0]) + extra
            if width <= 0:
                continue
            height = min(y2, corners[k, 3]) - max(y1, corners[k, 1]) + extra
            if height <= 0:
                continue
            shared = width * height
            either = area + areas[k] - shared
            if shared > SMALLEST and either < LARGEST:
                overlap = shared / either
            else:
                overlap = scaled_overlap(boxes[row], corners[k], extra)
            if overlap > threshold:
                stays = False
                break
        if stays:
            kept[count] = row
            corners[count, 0], corners[count, 1], corners[count, 2], corners[count, 3] = x1, y1, x2, y2
            areas[count] = area
            count += 1
            if threshold > floor:
                threshold *= eta
    return kept[:count]
