"""Merge and grow regions on a superpixel graph."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def merge_regions(first, second, border, contrast, histogram, size, weights):
    """Merge the two most alike neighbours again and again, until one region is left or none touch.

    Edge e joins regions ``first[e]`` and ``second[e]``; `border` and `contrast` are sums along it. `histogram` and
    `size` have room for the 2 n - 1 nodes of the tree. All six are overwritten. Returns the merged pairs (node
    n + i is made of ``pairs[i]``) and the list of (node, neighbour) that touched when the node was made.
    """
    n = (len(size) + 1) // 2
    edges = len(first)
    total = size[:n].sum()
    cost = np.empty(edges)
    for e in range(edges):
        cost[e] = _dissimilarity(
            first[e], second[e], contrast[e] / border[e], histogram, size, total, weights
        )
    alive = np.ones(edges, np.bool_)
    edge_to = np.full(2 * n - 1, -1, np.int64)
    pairs = np.empty((n - 1, 2), np.int64)
    touching = [(np.int64(0), np.int64(0)) for _ in range(0)]
    merged = 0
    while merged < n - 1:
        best = -1
        for e in range(edges):
            if alive[e] and (best < 0 or cost[e] < cost[best]):
                best = e
        if best < 0:
            break
        a, b, node = first[best], second[best], n + merged
        pairs[merged, 0], pairs[merged, 1] = a, b
        size[node] = size[a] + size[b]
        for c in range(histogram.shape[1]):
            histogram[node, c] = (histogram[a, c] * size[a] + histogram[b, c] * size[b]) / size[node]
        alive[best] = False
        for e in range(edges):
            from_pair = first[e] == a or first[e] == b
            if not alive[e] or not (from_pair or second[e] == a or second[e] == b):
                continue
            other = second[e] if from_pair else first[e]
            if edge_to[other] >= 0:
                border[edge_to[other]] += border[e]
                contrast[edge_to[other]] += contrast[e]
                alive[e] = False
            else:
                edge_to[other] = e
                first[e], second[e] = node, other
        for e in range(edges):
            if alive[e] and first[e] == node:
                edge_to[second[e]] = -1
                touching.append((np.int64(node), np.int64(second[e])))
                cost[e] = _dissimilarity(
                    node, second[e], contrast[e] / border[e], histogram, size, total, weights
                )
        merged += 1
    return pairs[:merged], touching


@njit(cache=True)
def _dissimilarity(a, b, contrast, histogram, size, total, weights):
    common = 0.0
    for c in range(histogram.shape[1]):
        common += min(histogram[a, c], histogram[b, c])
    return weights[0] * (1 - common) + weights[1] * contrast + weights[2] * (size[a] + size[b]) / total


@njit(cache=True)
def grow_trees(starts, neighbours, affinity, stop, boxes, size, rng, trees):
    """Grow random trees of superpixels and write their bounding boxes into the rows of `trees`.

    The edges of superpixel i are the rows ``starts[i]:starts[i + 1]`` of `neighbours`, `affinity` (how likely the
    edge is followed) and `stop` (probability that the tree ends there instead).
    """
    n = len(size)
    total = size.sum()
    joined = np.full(n, -1, np.int64)
    frontier = np.empty(len(neighbours), np.int64)
    for t in range(len(trees)):
        largest = rng.random() ** 2 * total
        current = min(int(rng.random() * n), n - 1)
        trees[t] = boxes[current]
        area, count = 0.0, 0
        while True:
            joined[current] = t
            area += size[current]
            trees[t, 0] = min(trees[t, 0], boxes[current, 0])
            trees[t, 1] = min(trees[t, 1], boxes[current, 1])
            trees[t, 2] = max(trees[t, 2], boxes[current, 2])
            trees[t, 3] = max(trees[t, 3], boxes[current, 3])
            for e in range(starts[current], starts[current + 1]):
                frontier[count] = e
                count += 1
            # Edges whose far end has joined leave the frontier.
            kept, weight = 0, 0.0
            for i in range(count):
                if joined[neighbours[frontier[i]]] != t:
                    frontier[kept] = frontier[i]
                    weight += affinity[frontier[i]]
                    kept += 1
            count = kept
            if count == 0 or area > largest:
                break
            aim = rng.random() * weight
            pick = 0
            reached = affinity[frontier[0]]
            while reached < aim and pick < count - 1:
                pick += 1
                reached += affinity[frontier[pick]]
            if rng.random() < stop[frontier[pick]]:
                break
            current = neighbours[frontier[pick]]
