"""Merging regions: union-find sweeps and orders of merging behind the segmenters."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def find(parent, node):
    """Root of `node`; halves the path to it."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@njit(cache=True)
def number_by_appearance(roots):
    """Give values below len(roots) the numbers 0, 1, … by first appearance (int32)."""
    number = np.full(len(roots), -1, dtype=np.int32)
    out = np.empty(len(roots), dtype=np.int32)
    n = 0
    for i in range(len(roots)):
        if number[roots[i]] < 0:
            number[roots[i]] = n
            n += 1
        out[i] = number[roots[i]]
    return out


@njit(cache=True)
def graph_based(n, first, second, cost, scale, minimum):
    """Join nodes along rising edges where both sides allow the cost, then sides smaller than `minimum`.

    A side of s nodes whose dearest joined edge cost c allows c + scale / s. Returns the root of each node.
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
    """Join regions along the given edge order where one side is smaller than each rising minimum in turn.

    Returns the root of each region at each minimum.
    """
    n = len(pixels)
    parent = np.arange(n)
    size = pixels.copy()
    roots = np.empty((len(minima), n), dtype=np.int64)
    for level in range(len(minima)):
        for e in range(len(first)):
            a = find(parent, first[e])
            b = find(parent, second[e])
            if a != b and min(size[a], size[b]) < minima[level]:
                parent[b] = a
                size[a] += size[b]
        for i in range(n):
            roots[level, i] = find(parent, i)
    return roots


@njit(cache=True)
def join_order(n, first, second, volume_at):
    """Join nodes along rising edges and tell how much each join destroys.

    `volume_at` holds the height of each node and, behind them, that of each edge. The volume of a side below
    the height h of the joining edge is h × nodes − sum of their heights; the loss is the smaller of the two
    volumes. Returns the joining edges and their losses, in the order of joining.
    """
    parent = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    total = volume_at[:n].copy()
    edges = np.empty(n - 1, dtype=np.int64)
    loss = np.empty(n - 1)
    done = 0
    for e in range(len(first)):
        a = find(parent, first[e])
        b = find(parent, second[e])
        if a == b:
            continue
        height = volume_at[n + e]
        edges[done] = e
        loss[done] = min(height * size[a] - total[a], height * size[b] - total[b])
        done += 1
        parent[b] = a
        size[a] += size[b]
        total[a] += total[b]
    return edges[:done], loss[:done]


@njit(cache=True)
def cut_merges(n, first, second, regions):
    """Apply merges in their order and stop at each falling number of regions; the root of each node there."""
    parent = np.arange(n)
    roots = np.empty((len(regions), n), dtype=np.int64)
    left = n
    at = 0
    for level in range(len(regions)):
        while left > regions[level] and at < len(first):
            a = find(parent, first[at])
            b = find(parent, second[at])
            at += 1
            if a != b:
                parent[b] = a
                left -= 1
        for i in range(n):
            roots[level, i] = find(parent, i)
    return roots


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
    """Merge neighbours until one region is left, always the pair that adds least squared colour error.

    `touches` is the symmetric matrix of neighbours. All three arrays are overwritten. Returns the merged pairs.
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
    """Merge neighbours until one region is left; `draws` in [0, 1) picks a pair of neighbours at each step.

    `touches` is the symmetric matrix of neighbours and is overwritten. Returns the merged pairs.
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
