"""Regions of an ultrametric contour map at rising thresholds, found in one sweep."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def _find(parent, node):
    root = node
    while parent[root] != root:
        root = parent[root]
    while parent[node] != root:
        parent[node], node = root, parent[node]
    return root


@njit(cache=True)
def sweep(level, n_levels):
    """Join 8-connected cells level by level.

    `level` is the first threshold that opens each cell of the doubled grid (`n_levels`: none). Returns the
    region of each pixel (odd rows and columns) at level 0, and for each level the region that each of these
    belongs to; both numbered by first appearance.
    """
    height, width = level.shape
    stride = width + 2
    parent = np.full((height + 2) * stride, -1, dtype=np.int32)
    start = np.zeros(n_levels + 2, dtype=np.int64)
    for i in range(height):
        for j in range(width):
            start[level[i, j] + 1] += 1
    for k in range(n_levels + 1):
        start[k + 1] += start[k]
    fill = start[: n_levels + 1].copy()
    cells = np.empty(height * width, dtype=np.int32)
    for i in range(height):
        for j in range(width):
            cells[fill[level[i, j]]] = (i + 1) * stride + j + 1
            fill[level[i, j]] += 1
    around = np.array([-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1])
    labels = np.empty((height // 2, width // 2), dtype=np.int64)
    first_cell = np.empty(labels.size, dtype=np.int64)
    number = np.full(len(parent), -1, dtype=np.int32)
    n_base = 0
    into = np.empty((0, 0), dtype=np.int64)
    for k in range(n_levels):
        for c in range(start[k], start[k + 1]):
            at = cells[c]
            parent[at] = at
            root = at
            for step in around:
                if parent[at + step] >= 0:
                    other = _find(parent, at + step)
                    if other != root:
                        parent[other] = root
        if k == 0:
            for i in range(labels.shape[0]):
                for j in range(labels.shape[1]):
                    at = (2 * i + 2) * stride + 2 * j + 2
                    root = _find(parent, at)
                    if number[root] < 0:
                        number[root] = n_base
                        first_cell[n_base] = at
                        n_base += 1
                    labels[i, j] = number[root]
            for b in range(n_base):
                number[_find(parent, first_cell[b])] = -1
            into = np.empty((n_levels, n_base), dtype=np.int64)
            into[0] = np.arange(n_base)
            continue
        n = 0
        for b in range(n_base):
            root = _find(parent, first_cell[b])
            if number[root] < 0:
                number[root] = n
                n += 1
            into[k, b] = number[root]
        for b in range(n_base):
            number[_find(parent, first_cell[b])] = -1
    return labels, into
