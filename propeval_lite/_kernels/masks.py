"""Boundaries of unions of superpixels, without pixel masks."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def kinds_near(contour, kind, n_kinds, offsets):
    """List, for each contour pixel in row-major order, the different kinds at the given offsets from it.

    Parameters
    ----------
    contour : bool array, (height, width)
    kind : int64 array, (height, width)
        Kind of each pixel, −1 for none.
    n_kinds : int
    offsets : int64 array, (offsets, 2)
        Steps down and right.

    Returns
    -------
    start, found : list of int64
        Contour pixel r is near the kinds ``found[start[r]:start[r + 1]]``.
    """
    height, width = contour.shape
    start = [np.int64(0)]
    found = [np.int64(0) for _ in range(0)]
    seen = np.full(n_kinds, -1, np.int64)
    row = 0
    for i in range(height):
        for j in range(width):
            if not contour[i, j]:
                continue
            for k in range(len(offsets)):
                y, x = i + offsets[k, 0], j + offsets[k, 1]
                if 0 <= y < height and 0 <= x < width:
                    t = kind[y, x]
                    if t >= 0 and seen[t] != row:
                        seen[t] = row
                        found.append(np.int64(t))
            start.append(np.int64(len(found)))
            row += 1
    return start, found


@njit(cache=True)
def boundary_counts(low, high, nodes, kinds, pixels, near, leaf_start, leaf_kinds, row_start, rows, owner):
    """Count the contour pixels of each union of nodes and those that agree with each object's contour.

    Pixels of one kind see the same leaves at their four corners. They lie on the contour of a mask that holds some
    but not all of these leaves, so the counts need no pixel mask.

    Parameters
    ----------
    low, high : int64 array, (nodes,)
        See `propeval_lite._kernels.trees.leaf_ranges`.
    nodes : int64 array, (masks, 2)
        Nodes that each mask unites, −1 for none in the second column.
    kinds : int64 array, (kinds, 4)
        Leaves that each kind sees, numbered as in `low`.
    pixels : int64 array, (kinds,)
        Pixels of each kind.
    near : int64 array, (kinds, objects)
        Of these, the pixels near each object's contour.
    leaf_start, leaf_kinds : int64 array
        Leaf i is seen by the kinds ``leaf_kinds[leaf_start[i]:leaf_start[i + 1]]``.
    row_start, rows : int64 array
        Near kind t lie the pixels ``rows[row_start[t]:row_start[t + 1]]`` of the objects' contours.
    owner : int64 array, (rows,)
        Object of each of these pixels.

    Returns
    -------
    contour : int64 array, (masks,)
        Contour pixels of each mask.
    found : int64 array, (masks, objects)
        Of these, the pixels near the object's contour.
    covered : int64 array, (masks, objects)
        Contour pixels of the object near the mask's contour.
    """
    n_masks, n_objects = len(nodes), near.shape[1]
    contour = np.zeros(n_masks, np.int64)
    found = np.zeros((n_masks, n_objects), np.int64)
    covered = np.zeros((n_masks, n_objects), np.int64)
    kind_seen = np.full(len(kinds), -1, np.int64)
    row_seen = np.full(len(owner), -1, np.int64)
    for p in range(n_masks):
        low_1, high_1 = low[nodes[p, 0]], high[nodes[p, 0]]
        low_2, high_2 = 0, 0
        if nodes[p, 1] >= 0:
            low_2, high_2 = low[nodes[p, 1]], high[nodes[p, 1]]
        for i in range(high_1 - low_1 + high_2 - low_2):
            leaf = low_1 + i if i < high_1 - low_1 else low_2 + i - (high_1 - low_1)
            for e in range(leaf_start[leaf], leaf_start[leaf + 1]):
                t = leaf_kinds[e]
                if kind_seen[t] == p:
                    continue
                kind_seen[t] = p
                inside = 0
                for c in range(4):
                    other = kinds[t, c]
                    inside += low_1 <= other < high_1 or low_2 <= other < high_2
                if inside == 4:
                    continue
                contour[p] += pixels[t]
                for o in range(n_objects):
                    found[p, o] += near[t, o]
                for r in range(row_start[t], row_start[t + 1]):
                    if row_seen[rows[r]] != p:
                        row_seen[rows[r]] = p
                        covered[p, owner[rows[r]]] += 1
    return contour, found, covered
