"""Greedy one-to-one matching of two long lists of boxes, without a table of all pairs.

Boxes come as (n, 4) float64 arrays of x1, y1, x2, y2, `extra` as in :mod:`propeval_lite._kernels.overlaps`.
"""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit

# IoU is at most the ratio of the areas; rounding may lift it this much above.
SLACK = 1 + 1e-12


@njit(cache=True)
def _best_free(x1, y1, x2, y2, area, columns, areas, names, used, extra):
    """Largest IoU of a box with the unused of `columns`, which are sorted by area, and the place of that column.

    The search starts at the box's own area and goes both ways until the ratio of areas rules the rest out. Of equal
    IoUs the column of the smallest name wins; the place is −1 where nothing overlaps.
    """
    n = areas.shape[0]
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if areas[middle] < area:
            low = middle + 1
        else:
            high = middle
    best, place = 0.0, -1
    for way in (-1, 1):
        j = low - 1 if way < 0 else low
        while 0 <= j < n:
            if (way < 0 and areas[j] * SLACK < best * area) or (way > 0 and area * SLACK < best * areas[j]):
                break
            if not used[j]:
                width = min(x2, columns[2, j]) - max(x1, columns[0, j]) + extra
                height = min(y2, columns[3, j]) - max(y1, columns[1, j]) + extra
                if width > 0 and height > 0:
                    shared = width * height
                    either = areas[j] + area - shared
                    if shared * SLACK >= best * either:
                        iou = shared / either
                        if iou > best or (iou == best and place >= 0 and names[j] < names[place]):
                            best, place = iou, j
            j += way
    return best, place


@njit(cache=True)
def _sink(heap, size, value):
    """Let the first entry of a heap sink to where it belongs: largest value on top, of equals the smallest entry."""
    i, moved = 0, heap[0]
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size:
            a, b = heap[child], heap[child + 1]
            if value[b] > value[a] or (value[b] == value[a] and b < a):
                child += 1
        c = heap[child]
        if value[c] > value[moved] or (value[c] == value[moved] and c < moved):
            heap[i] = c
            i = child
        else:
            break
    heap[i] = moved


@njit(cache=True)
def _sorted_columns(boxes, areas, keep):
    """Coordinates (4, n), areas and names of the boxes `keep`, which are sorted by area."""
    columns = np.empty((4, keep.shape[0]))
    for j in range(keep.shape[0]):
        for axis in range(4):
            columns[axis, j] = boxes[keep[j], axis]
    return columns, areas[keep], keep


@njit(cache=True)
def greedy_overlaps(rows, others, extra):
    """IoU of each row with the box that the greedy matching gives it, 0 where it gets none.

    The pair of the largest IoU is matched first and both leave; of equal IoUs the earlier row goes first, then the
    earlier box. Each row keeps its best free box in a heap and looks again only after that box has been taken.

    Parameters
    ----------
    rows, others : float64 array, (n, 4) and (m, 4)
        With positive areas.
    extra : float

    Returns
    -------
    iou : float64 array, (n,)
    match : int64 array, (n,)
        Number of the box; −1 where there is none.
    """
    n, m = rows.shape[0], others.shape[0]
    iou, match = np.zeros(n), np.full(n, -1, dtype=np.int64)
    if n == 0 or m == 0:
        return iou, match
    own = (rows[:, 2] - rows[:, 0] + extra) * (rows[:, 3] - rows[:, 1] + extra)
    areas = (others[:, 2] - others[:, 0] + extra) * (others[:, 3] - others[:, 1] + extra)
    columns, sizes, names = _sorted_columns(others, areas, np.argsort(areas))
    used, n_used = np.zeros(m, dtype=np.bool_), 0
    where = np.empty(m, dtype=np.int64)
    where[names] = np.arange(m)
    value, wanted = np.zeros(n), np.full(n, -1, dtype=np.int64)
    for i in range(n):
        value[i], j = _best_free(
            rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], own[i], columns, sizes, names, used, extra
        )
        wanted[i] = names[j] if j >= 0 else -1
    taken = np.zeros(m, dtype=np.bool_)
    heap, size = np.argsort(-value, kind="mergesort"), n
    while size > 0:
        i = heap[0]
        if value[i] <= 0:
            break
        if taken[wanted[i]]:
            if 4 * n_used > used.shape[0]:
                keep = names[~used]
                columns, sizes, names = _sorted_columns(others, areas, keep)
                used, n_used = np.zeros(keep.shape[0], dtype=np.bool_), 0
                where[names] = np.arange(keep.shape[0])
            value[i], j = _best_free(
                rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], own[i], columns, sizes, names, used, extra
            )
            wanted[i] = names[j] if j >= 0 else -1
        else:
            iou[i], match[i] = value[i], wanted[i]
            taken[wanted[i]] = used[where[wanted[i]]] = True
            n_used += 1
            size -= 1
            heap[0] = heap[size]
        if size > 0:
            _sink(heap, size, value)
    return iou, match
