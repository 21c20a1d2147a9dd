"""Which two neighbouring regions merge next: the most alike, or a random pair."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def _nearest(region, touches, alive, size, mean):
    best = -1
    least = np.inf
    for other in range(len(size)):
        if alive[other] and touches[region, other]:
            square = 0.0
            for c in range(mean.shape[1]):
                square += (mean[region, c] - mean[other, c]) ** 2
            cost = square * size[region] * size[other] / (size[region] + size[other])
            if cost < least:
                least = cost
                best = other
    return best, least


@njit(cache=True)
def merge_alike(touches, size, mean):
    """Merge neighbours until none are left, always the pair that adds least squared colour error.

    Sides of a and b pixels with mean colours u and v add a b / (a + b) · |u − v|².

    Parameters
    ----------
    touches : bool array, (n, n), overwritten
        Symmetric matrix of neighbours.
    size : float64 array, (n,), overwritten
        Pixels of each region.
    mean : float64 array, (n, channels), overwritten
        Mean colour of each region.

    Returns
    -------
    int64 array, (merges, 2)
        Region that stays and region that joins it, merge by merge.
    """
    n = len(size)
    alive = np.ones(n, dtype=np.bool_)
    nearest = np.empty(n, dtype=np.int64)
    cost = np.empty(n)
    for i in range(n):
        nearest[i], cost[i] = _nearest(i, touches, alive, size, mean)
    pairs = np.empty((max(n - 1, 0), 2), dtype=np.int64)
    for step in range(n - 1):
        kept = -1
        for i in range(n):
            if alive[i] and nearest[i] >= 0 and (kept < 0 or cost[i] < cost[kept]):
                kept = i
        if kept < 0:
            return pairs[:step]
        gone = nearest[kept]
        pairs[step, 0] = kept
        pairs[step, 1] = gone
        alive[gone] = False
        for c in range(mean.shape[1]):
            mean[kept, c] = (mean[kept, c] * size[kept] + mean[gone, c] * size[gone]) / (
                size[kept] + size[gone]
            )
        size[kept] += size[gone]
        for i in range(n):
            if alive[i] and i != kept and (touches[gone, i] or touches[kept, i]):
                touches[kept, i] = True
                touches[i, kept] = True
        for i in range(n):
            if alive[i] and (i == kept or touches[kept, i] or nearest[i] == gone):
                nearest[i], cost[i] = _nearest(i, touches, alive, size, mean)
    return pairs


@njit(cache=True)
def merge_at_random(touches, draws):
    """Merge neighbours until none are left, each time a pair drawn from all.

    Parameters
    ----------
    touches : bool array, (n, n), overwritten
        Symmetric matrix of neighbours.
    draws : float64 array, (n,)
        Numbers in [0, 1) that pick the pairs.

    Returns
    -------
    int64 array, (merges, 2)
        Region that stays and region that joins it, merge by merge.
    """
    n = len(touches)
    degree = np.zeros(n, dtype=np.int64)
    for i in range(n):
        for j in range(n):
            degree[i] += touches[i, j]
    pairs = np.empty((max(n - 1, 0), 2), dtype=np.int64)
    for step in range(n - 1):
        total = degree.sum()
        if total == 0:
            return pairs[:step]
        target = int(draws[step] * total)
        kept = 0
        while target >= degree[kept]:
            target -= degree[kept]
            kept += 1
        gone = 0
        while True:
            if touches[kept, gone]:
                if target == 0:
                    break
                target -= 1
            gone += 1
        pairs[step, 0] = kept
        pairs[step, 1] = gone
        for i in range(n):
            if touches[gone, i]:
                touches[gone, i] = False
                touches[i, gone] = False
                degree[i] -= 1
                if i != kept and not touches[kept, i]:
                    touches[kept, i] = True
                    touches[i, kept] = True
                    degree[i] += 1
                    degree[kept] += 1
        degree[gone] = 0
    return pairs


@njit(cache=True)
def merge_regions(first, second, border, contrast, histogram, size, weights):
    """Merge the two most alike neighbours again and again, until one region is left or none touch.

    The dissimilarity is w₀ (1 − h) + w₁ c + w₂ a: h the intersection of the histograms, c the mean contrast of the
    border, a the share of the picture that the two fill. All arrays but `weights` are overwritten.

    Parameters
    ----------
    first, second : int64 array, (edges,)
        Neighbours.
    border, contrast : float64 array, (edges,)
        Length of the common border, and the edge strength summed along it.
    histogram : float64 array, (2 n − 1, bins)
        Of the n regions, with room for the nodes of the tree; rows sum to 1.
    size : float64 array, (2 n − 1,)
        Pixels, with the same room.
    weights : float64 array, (3,)

    Returns
    -------
    merges : int64 array, (merges, 2)
        Node n + i is the union of the nodes ``merges[i]``.
    touching : list of (int64, int64)
        Each new node with each neighbour that it had when it was made.
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
