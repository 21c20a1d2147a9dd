"""Unions of superpixels: pairs of touching nodes, counts up a merge tree, and boundaries without pixel masks."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def touching_pairs(touches, merges):
    """List the nodes that touch, leaves first, then each new node with the nodes alive when it was made.

    `touches` is the symmetric matrix of touching leaves, overwritten. Node n + i is made of ``merges[i]``.
    """
    n = len(touches)
    holder = np.arange(n)
    slot = np.empty(n + len(merges), np.int64)
    slot[:n] = holder
    pairs = [(np.int64(0), np.int64(0)) for _ in range(0)]
    for i in range(n):
        for j in range(i + 1, n):
            if touches[i, j]:
                pairs.append((np.int64(i), np.int64(j)))
    for m in range(len(merges)):
        kept, gone = slot[merges[m, 0]], slot[merges[m, 1]]
        slot[n + m] = kept
        holder[kept] = n + m
        touches[kept, gone] = touches[gone, kept] = False
        for j in range(n):
            if touches[gone, j]:
                touches[gone, j] = touches[j, gone] = False
                touches[kept, j] = touches[j, kept] = True
            if touches[kept, j]:
                pairs.append((np.int64(n + m), np.int64(holder[j])))
    return pairs


@njit(cache=True)
def node_sums(leaves, merges):
    """Sum the rows of `leaves` up the merge tree; node n + i is made of ``merges[i]``."""
    n, columns = leaves.shape
    sums = np.empty((n + len(merges), columns), np.int64)
    sums[:n] = leaves
    for m in range(len(merges)):
        for c in range(columns):
            sums[n + m, c] = sums[merges[m, 0], c] + sums[merges[m, 1], c]
    return sums


@njit(cache=True)
def leaf_ranges(n, merges):
    """Renumber the leaves so that every node holds the numbers ``low[node] … high[node] - 1``.

    Returns `low` and `high`; the new number of leaf i is ``low[i]``.
    """
    total = n + len(merges)
    size = np.ones(total, np.int64)
    root = np.ones(total, np.bool_)
    for m in range(len(merges)):
        a, b = merges[m, 0], merges[m, 1]
        size[n + m] = size[a] + size[b]
        root[a] = root[b] = False
    low = np.zeros(total, np.int64)
    used = 0
    for node in range(total - 1, -1, -1):
        if root[node]:
            low[node] = used
            used += size[node]
        if node >= n:
            a, b = merges[node - n, 0], merges[node - n, 1]
            low[a] = low[node]
            low[b] = low[node] + size[a]
    return low, low + size


@njit(cache=True)
def kinds_near(contour, kind, n_kinds, offsets):
    """List, for each contour pixel in row-major order, the different kinds at the given offsets from it."""
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

    Pixels of kind t see the leaves ``kinds[t]`` (numbered as in `leaf_ranges`); there are ``pixels[t]`` of them,
    ``near[t, o]`` of those near the contour of object o. They lie on the contour of a mask that holds some but
    not all of these leaves. Leaf i is seen by the kinds ``leaf_kinds[leaf_start[i]:leaf_start[i + 1]]``. Near
    kind t lie the contour pixels ``rows[row_start[t]:row_start[t + 1]]`` of the truth; pixel r belongs to object
    ``owner[r]``. Returns per mask the number of contour pixels, and per mask and object the mask's pixels near the
    object's contour and the object's near the mask's.
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
