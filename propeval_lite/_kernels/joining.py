"""Union-find: regions that grow together along edges in a given order."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit
from propeval_lite._kernels.contingency import renumber


@njit(cache=True)
def find(parent, node):
    """Root of `node` in the int array `parent` (a root is its own parent); halves the path to it."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@njit(cache=True)
def graph_based(n, first, second, cost, scale, minimum):
    """Join nodes along rising edges where both sides allow the cost, then sides smaller than `minimum`.

    A side of s nodes whose dearest joined edge cost c allows c + scale / s.

    Parameters
    ----------
    n : int
        Number of nodes.
    first, second : int array, (edges,)
        Nodes that each edge joins.
    cost : float64 array, (edges,)
        Rising.
    scale : float
    minimum : int

    Returns
    -------
    int32 array, (n,)
        Root of each node: equal for nodes of one region.
    """
    parent = np.arange(n, dtype=np.int32)
    size = np.ones(n, dtype=np.int32)
    allowed = np.full(n, scale, dtype=np.float64)
    left_over = np.empty(len(cost), dtype=np.int32)
    n_left = 0
    for e in range(len(cost)):
        a = find(parent, first[e])
        b = find(parent, second[e])
        if a == b:
            continue
        if cost[e] <= min(allowed[a], allowed[b]):
            if size[a] < size[b]:
                a, b = b, a
            parent[b] = a
            size[a] += size[b]
            allowed[a] = cost[e] + scale / size[a]
        else:
            left_over[n_left] = e
            n_left += 1
    for i in range(n_left):
        a = find(parent, first[left_over[i]])
        b = find(parent, second[left_over[i]])
        if a != b and min(size[a], size[b]) < minimum:
            if size[a] < size[b]:
                a, b = b, a
            parent[b] = a
            size[a] += size[b]
    for i in range(n):
        parent[i] = find(parent, i)
    return parent


@njit(cache=True)
def absorb_small(first, second, pixels, minima):
    """Join regions along the given edge order where one side is smaller than each minimum in turn.

    Parameters
    ----------
    first, second : int64 array, (edges,)
        Regions that each edge joins.
    pixels : float64 array, (n,)
        Size of each region.
    minima : float64 array, (levels,)
        Rising.

    Returns
    -------
    pairs : int64 array, (joins, 2)
        A region of each of the two sides, join by join.
    counts : int64 array, (levels,)
        Joins made up to each minimum.
    """
    parent = np.arange(len(pixels))
    size = pixels.copy()
    pairs = np.empty((len(pixels) - 1, 2), dtype=np.int64)
    counts = np.empty(len(minima), dtype=np.int64)
    done = 0
    for level in range(len(minima)):
        for e in range(len(first)):
            a = find(parent, first[e])
            b = find(parent, second[e])
            if a != b and min(size[a], size[b]) < minima[level]:
                parent[b] = a
                size[a] += size[b]
                pairs[done] = a, b
                done += 1
        counts[level] = done
    return pairs[:done], counts


@njit(cache=True)
def join_order(n, first, second, heights):
    """Join nodes along rising edges and tell how much each join destroys.

    A side of s nodes with the sum of heights t has the volume h s − t below the height h of the edge that joins it;
    the loss is the smaller of the two volumes.

    Parameters
    ----------
    n : int
        Number of nodes.
    first, second : int array, (edges,)
        Nodes that each edge joins, in rising order of height.
    heights : float64 array, (n + edges,)
        Of the nodes, then of the edges.

    Returns
    -------
    edges : int64 array, (joins,)
        Edges that joined two sides, in their order.
    loss : float64 array, (joins,)
    """
    parent = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    total = heights[:n].copy()
    edges = np.empty(n - 1, dtype=np.int64)
    loss = np.empty(n - 1)
    done = 0
    for e in range(len(first)):
        a = find(parent, first[e])
        b = find(parent, second[e])
        if a == b:
            continue
        height = heights[n + e]
        edges[done] = e
        loss[done] = min(height * size[a] - total[a], height * size[b] - total[b])
        done += 1
        parent[b] = a
        size[a] += size[b]
        total[a] += total[b]
    return edges[:done], loss[:done]


@njit(cache=True)
def sweep(level, n_levels):
    """Join the 8-connected cells of a contour map level by level.

    Parameters
    ----------
    level : int array, (2 h + 1, 2 w + 1)
        First level that opens each cell, `n_levels` for none; pixels (odd rows and columns) open at level 0.
    n_levels : int

    Returns
    -------
    labels : int32 array, (h w,)
        Region of each pixel at level 0, numbered by first appearance.
    pairs : int64 array, (joins, 2)
        A region of each of the two sides that become one, join by join.
    counts : int64 array, (n_levels,)
        Joins made up to each level.
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
    roots = np.empty((height // 2) * (width // 2), dtype=np.int32)
    labels = roots
    # A region of level 0 that each root holds; −1 for contours that have met none.
    holds = np.full(len(parent), -1, dtype=np.int32)
    pairs = np.empty((len(roots), 2), dtype=np.int64)
    counts = np.zeros(n_levels, dtype=np.int64)
    done = 0
    for k in range(n_levels):
        for c in range(start[k], start[k + 1]):
            at = cells[c]
            parent[at] = at
            for step in around:
                if parent[at + step] >= 0:
                    other = find(parent, at + step)
                    if other != at:
                        parent[other] = at
                        if holds[at] >= 0 and holds[other] >= 0:
                            pairs[done] = holds[at], holds[other]
                            done += 1
                        holds[at] = max(holds[at], holds[other])
        if k == 0:
            for p in range(len(roots)):
                i, j = p // (width // 2), p % (width // 2)
                roots[p] = find(parent, (2 * i + 2) * stride + 2 * j + 2)
            labels, order = renumber(roots, len(parent) - 1)
            for region in range(len(order)):
                holds[order[region]] = region
        counts[k] = done
    return labels, pairs[:done], counts
