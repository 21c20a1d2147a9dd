"""Greedy non-maximum suppression: boxes in order of rank, and which of them stay."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit
from propeval_lite._kernels.overlaps import LARGEST, SMALLEST, pair_overlaps, scaled_overlap

#: Kept boxes that are looked at together.
BLOCK = 32
# Where coordinates are 0 or between these, products of two sides neither vanish nor overflow.
TINY, HUGE = 1e-120, 1e140


@njit(cache=True)
def _is_plain(boxes):
    """Whether areas can be computed without leaving the range of floats."""
    for row in range(boxes.shape[0]):
        for column in range(4):
            size = abs(boxes[row, column])
            if size != 0 and not TINY < size < HUGE:
                return False
    return True


@njit(cache=True)
def _may_exceed(box, area, corners, areas, start, stop, threshold, extra):
    """Whether a box overlaps one of a block by more than the threshold, or as good as; without branches, so vectorised.

    `corners` is (4, n): each coordinate lies in one piece of memory.
    """
    x1, y1, x2, y2 = box[0], box[1], box[2], box[3]
    level = threshold * (1 - 1e-12)
    found = 0
    for k in range(start, stop):
        left = x1 if x1 > corners[0, k] else corners[0, k]
        top = y1 if y1 > corners[1, k] else corners[1, k]
        right = x2 if x2 < corners[2, k] else corners[2, k]
        bottom = y2 if y2 < corners[3, k] else corners[3, k]
        width = right - left + extra
        height = bottom - top + extra
        shared = (width if width > 0 else 0.0) * (height if height > 0 else 0.0)
        found += 1 if shared > level * (area + areas[k] - shared) else 0
    return found > 0


@njit(cache=True)
def _exceeds(box, area, corners, areas, start, stop, threshold, extra):
    """Whether the IoU of a box with one of a block is larger than the threshold."""
    for k in range(start, stop):
        width = min(box[2], corners[2, k]) - max(box[0], corners[0, k]) + extra
        height = min(box[3], corners[3, k]) - max(box[1], corners[1, k]) + extra
        if width > 0 and height > 0:
            shared = width * height
            either = area + areas[k] - shared
            if shared > SMALLEST and either < LARGEST:
                overlap = shared / either
            else:
                overlap = scaled_overlap(box, corners[:, k], extra)
            if overlap > threshold:
                return True
    return False


@njit(cache=True)
def kept_boxes(boxes, order, threshold, eta, floor, limit, extra):
    """Rows of the boxes that no better box suppresses, best first.

    A box is compared with those kept so far, newest first, because near-copies tend to follow one another.

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
    plain = _is_plain(boxes)
    kept = np.empty(n, dtype=np.int64)
    corners = np.empty((4, n))
    areas = np.empty(n)
    count = 0
    for i in range(order.shape[0]):
        if count == n:
            break
        box = boxes[order[i]]
        area = (box[2] - box[0] + extra) * (box[3] - box[1] + extra)
        stays = True
        stop = count
        while stays and stop > 0:
            start = max(0, stop - BLOCK)
            if not plain or _may_exceed(box, area, corners, areas, start, stop, threshold, extra):
                stays = not _exceeds(box, area, corners, areas, start, stop, threshold, extra)
            stop = start
        if stays:
            kept[count] = order[i]
            corners[:, count] = box
            areas[count] = area
            count += 1
            if threshold > floor:
                threshold *= eta
    return kept[:count]


@njit(cache=True)
def touches_chosen(boxes, chosen, offsets, least, extra):
    """Whether each box overlaps a chosen one of its group by an IoU larger than `least`; chosen ones with themselves.

    Parameters
    ----------
    boxes : float64 array, (n, 4)
    chosen : bool array, (n,)
    offsets : int64 array, (groups + 1,)
        Group g has the rows ``offsets[g]:offsets[g + 1]``.
    least, extra : float

    Returns
    -------
    bool array, (n,)
    """
    found = np.zeros(boxes.shape[0], dtype=np.bool_)
    nobody = np.zeros((0, 4))
    for g in range(offsets.shape[0] - 1):
        group = boxes[offsets[g] : offsets[g + 1]]
        best = group[chosen[offsets[g] : offsets[g + 1]]]
        table = pair_overlaps(best, nobody, group, extra)
        for b in range(best.shape[0]):
            for j in range(group.shape[0]):
                if table[b, j] > least:
                    found[offsets[g] + j] = True
    return found
