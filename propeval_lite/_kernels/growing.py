"""Random trees on a graph of superpixels."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def grow_trees(starts, neighbours, affinity, stop, boxes, size, rng, trees):
    """Grow random trees of superpixels and write their bounding boxes.

    Parameters
    ----------
    starts : int64 array, (n + 1,)
        The edges of superpixel i are the rows ``starts[i]:starts[i + 1]`` of the next three arrays.
    neighbours : int64 array, (edges,)
    affinity, stop : float64 array, (edges,)
        How likely an edge is followed, and the probability that the tree ends there instead.
    boxes : float64 array, (n, 4)
        x1, y1, x2, y2 of each superpixel.
    size : float64 array, (n,)
        Pixels of each superpixel; a tree ends when it passes a share u² of them all, u uniform in (0, 1).
    rng : numpy Generator
    trees : float64 array, (trees, 4), overwritten
        Receives the boxes.
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
