"""Boxes against boxes, image by image: the tables behind every recall criterion.

Boxes come as (n, 4) float64 arrays of x1, y1, x2, y2. `extra` is 0 where a box is ``x2 - x1`` wide and 1
where it is ``x2 - x1 + 1`` wide. Rows ``offsets[i]:offsets[i + 1]`` belong to image i. Every image writes
only its own rows, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from propeval_lite._kernels.compiled import njit

# Areas between these are as exact as floats are.
SMALLEST, LARGEST = 1e-290, 1e290


@njit(cache=True)
def scaled_overlap(a, b, extra):
    """IoU of two boxes whose areas leave the range of floats: each side is first divided by the longer of the two.

    Parameters
    ----------
    a, b : float64 array, (4,)
    extra : float

    Returns
    -------
    float
    """
    share, own, other = 1.0, 1.0, 1.0
    for axis in range(2):
        # Quarters, because the difference of two floats may be beyond all floats.
        first = a[axis + 2] / 4 - a[axis] / 4 + extra / 4
        second = b[axis + 2] / 4 - b[axis] / 4 + extra / 4
        common = min(a[axis + 2], b[axis + 2]) / 4 - max(a[axis], b[axis]) / 4 + extra / 4
        longer = max(first, second)
        if common <= 0:
            return 0.0
        share *= common / longer
        own *= first / longer
        other *= second / longer
    either = own + other - share
    return share / either if either > 0 else 0.0


@njit(cache=True)
def pair_overlaps(objects, crowds, boxes, extra):
    """IoU of each object with each box; 0 where a crowd region claims the box.

    A crowd region overlaps a box by the share of the box that lies in it. It takes the box away from every
    object whose IoU is smaller. Boxes without area overlap nothing.

    Parameters
    ----------
    objects, crowds, boxes : float64 array, (n, 4), (c, 4) and (m, 4)
    extra : float

    Returns
    -------
    float64 array, (n, m)
        |A ∩ B| / |A ∪ B|.
    """
    n_objects, n_boxes = objects.shape[0], boxes.shape[0]
    table = np.zeros((n_objects, n_boxes))
    for o in range(n_objects):
        x1, y1, x2, y2 = objects[o, 0], objects[o, 1], objects[o, 2], objects[o, 3]
        area = (x2 - x1 + extra) * (y2 - y1 + extra)
        for j in range(n_boxes):
            width = min(x2, boxes[j, 2]) - max(x1, boxes[j, 0]) + extra
            height = min(y2, boxes[j, 3]) - max(y1, boxes[j, 1]) + extra
            shared = max(width, 0.0) * max(height, 0.0)
            if shared > SMALLEST:
                own = (boxes[j, 2] - boxes[j, 0] + extra) * (boxes[j, 3] - boxes[j, 1] + extra)
                either = own + area - shared
                table[o, j] = (
                    shared / either if either < LARGEST else scaled_overlap(objects[o], boxes[j], extra)
                )
            elif width > 0 and height > 0:
                table[o, j] = scaled_overlap(objects[o], boxes[j], extra)
    for c in range(crowds.shape[0]):
        for j in range(n_boxes):
            width = min(crowds[c, 2], boxes[j, 2]) - max(crowds[c, 0], boxes[j, 0]) + extra
            height = min(crowds[c, 3], boxes[j, 3]) - max(crowds[c, 1], boxes[j, 1]) + extra
            shared = max(width, 0.0) * max(height, 0.0)
            if shared > 0:
                claim = shared / ((boxes[j, 2] - boxes[j, 0] + extra) * (boxes[j, 3] - boxes[j, 1] + extra))
                for o in range(n_objects):
                    if table[o, j] < claim:
                        table[o, j] = 0.0
    return table


@njit(cache=True)
def _assign_greedily(table, stop, top, pick):
    """Turn each object's best box into a one-to-one assignment, largest IoU first, in place.

    `top` and `pick` hold the best IoU and its box among the first `stop`. Equal IoUs go to the earlier
    object, then to the earlier box. Only an object that has just lost its best box looks again.
    """
    n_objects = table.shape[0]
    used = np.zeros(stop, dtype=np.bool_)
    waiting = np.ones(n_objects, dtype=np.bool_)
    for _ in range(n_objects):
        winner = -1
        for o in range(n_objects):
            if waiting[o] and pick[o] >= 0 and (winner < 0 or top[o] > top[winner]):
                winner = o
        if winner < 0:
            return
        waiting[winner] = False
        used[pick[winner]] = True
        for o in range(n_objects):
            if waiting[o] and pick[o] == pick[winner]:
                top[o], pick[o] = 0.0, -1
                for j in range(stop):
                    if table[o, j] > top[o] and not used[j]:
                        top[o], pick[o] = table[o, j], j


@njit(cache=True)
def _has_clash(pick):
    """Whether two objects want the same box."""
    for o in range(pick.shape[0]):
        if pick[o] >= 0:
            for other in range(o):
                if pick[other] == pick[o]:
                    return True
    return False


@njit(cache=True, parallel=True)
def assigned_overlaps(
    objects, object_offsets, crowds, crowd_offsets, boxes, box_offsets, budgets, extra, one_to_one
):
    """IoU and rank of the box that each object gets within each budget.

    Parameters
    ----------
    objects, crowds, boxes : float64 array, (n, 4), (c, 4) and (m, 4)
    object_offsets, crowd_offsets, box_offsets : int64 array, (images + 1,)
    budgets : int64 array, (b,)
        Rising.
    extra : float
    one_to_one : bool
        Hosang's greedy matching, or each object's best box.

    Returns
    -------
    iou : float64 array, (n, b)
    rank : int64 array, (n, b)
        Counted from 0 within the image; −1 where no box overlaps.
    """
    iou = np.zeros((objects.shape[0], budgets.shape[0]))
    rank = np.full((objects.shape[0], budgets.shape[0]), -1, dtype=np.int64)
    for i in prange(object_offsets.shape[0] - 1):
        first, last = object_offsets[i], object_offsets[i + 1]
        if first == last:
            continue
        n_boxes = min(box_offsets[i + 1] - box_offsets[i], budgets[-1])
        table = pair_overlaps(
            objects[first:last],
            crowds[crowd_offsets[i] : crowd_offsets[i + 1]],
            boxes[box_offsets[i] : box_offsets[i] + n_boxes],
            extra,
        )
        top = np.zeros(last - first)
        pick = np.full(last - first, -1, dtype=np.int64)
        start = 0
        for b in range(budgets.shape[0]):
            stop = min(budgets[b], n_boxes)
            for o in range(last - first):
                for j in range(start, stop):
                    if table[o, j] > top[o]:
                        top[o], pick[o] = table[o, j], j
            start = stop
            if one_to_one and _has_clash(pick):
                given, taken = top.copy(), pick.copy()
                _assign_greedily(table, stop, given, taken)
                iou[first:last, b] = given
                rank[first:last, b] = taken
            else:
                iou[first:last, b] = top
                rank[first:last, b] = pick
    return iou, rank


@njit(cache=True, parallel=True)
def coco_hit_ranks(objects, object_offsets, boxes, box_offsets, thresholds, limit, extra):
    """Rank of the box that hits each object at each threshold.

    Boxes come in order of rank and each takes the free object it overlaps most, if that reaches the
    threshold; the last of equals wins. A box keeps its object whatever follows, so one pass serves all budgets.

    Parameters
    ----------
    objects, boxes : float64 array, (n, 4) and (m, 4)
    object_offsets, box_offsets : int64 array, (images + 1,)
    thresholds : float64 array, (t,)
    limit : int
        Only the first boxes of an image take part.
    extra : float

    Returns
    -------
    int64 array, (t, n)
        −1 for a miss.
    """
    ranks = np.full((thresholds.shape[0], objects.shape[0]), -1, dtype=np.int64)
    nobody = np.zeros((0, 4))
    for i in prange(object_offsets.shape[0] - 1):
        first, last = object_offsets[i], object_offsets[i + 1]
        if first == last:
            continue
        n_boxes = min(box_offsets[i + 1] - box_offsets[i], limit)
        rows = boxes[box_offsets[i] : box_offsets[i] + n_boxes]
        table = pair_overlaps(objects[first:last], nobody, rows, extra)
        peak = np.zeros(n_boxes)
        for o in range(last - first):
            for j in range(n_boxes):
                peak[j] = max(peak[j], table[o, j])
        for t in range(thresholds.shape[0]):
            lowest = min(thresholds[t], 1 - 1e-10)
            for j in range(n_boxes):
                if peak[j] < lowest:
                    continue
                reached, winner = lowest, -1
                for o in range(last - first):
                    if ranks[t, first + o] < 0 and table[o, j] >= reached:
                        reached, winner = table[o, j], o
                if winner >= 0:
                    ranks[t, first + winner] = j
    return ranks
