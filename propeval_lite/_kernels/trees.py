"""Merge trees: leaves 0 … n − 1, and node n + i that is the union of the nodes ``merges[i]``."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit
from propeval_lite._kernels.contingency import renumber
from propeval_lite._kernels.joining import find


@njit(cache=True)
def as_nodes(n, pairs):
    """Turn merges that name leaves into merges of nodes.

    Parameters
    ----------
    n : int
        Number of leaves.
    pairs : int array, (m, 2)
        Any leaf of each of the two sides that are merged.

    Returns
    -------
    int64 array, (m, 2)
    """
    parent, node = np.arange(n), np.arange(n)
    merges = np.empty((len(pairs), 2), dtype=np.int64)
    for i in range(len(pairs)):
        kept, gone = find(parent, pairs[i, 0]), find(parent, pairs[i, 1])
        merges[i] = node[kept], node[gone]
        parent[gone] = kept
        node[kept] = n + i
    return merges


@njit(cache=True)
def regions_after(n, merges):
    """Region of each leaf after all merges: int32 (n,), numbered by first appearance.

    Parameters
    ----------
    n : int
        Number of leaves.
    merges : int64 array, (m, 2)
        The first m merges of the tree.
    """
    root = np.arange(n + len(merges))
    for m in range(len(merges)):
        root[merges[m, 0]] = root[merges[m, 1]] = n + m
    for node in range(len(root) - 1, -1, -1):
        root[node] = root[root[node]]
    return renumber(root[:n], len(root) - 1)[0]


@njit(cache=True)
def leaf_ranges(n, merges):
    """Renumber the leaves so that every node holds the numbers ``low[node] … high[node] - 1``.

    Parameters
    ----------
    n : int
        Number of leaves.
    merges : int64 array, (m, 2)

    Returns
    -------
    low, high : int64 array, (n + m,)
        The new number of leaf i is ``low[i]``.
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
def node_sums(leaves, merges):
    """Sum the rows of the leaves up the tree: s[n + i] = s[merges[i, 0]] + s[merges[i, 1]].

    Parameters
    ----------
    leaves : int64 array, (n, columns)
    merges : int64 array, (m, 2)

    Returns
    -------
    int64 array, (n + m, columns)
    """
    n, columns = leaves.shape
    sums = np.empty((n + len(merges), columns), np.int64)
    sums[:n] = leaves
    for m in range(len(merges)):
        for c in range(columns):
            sums[n + m, c] = sums[merges[m, 0], c] + sums[merges[m, 1], c]
    return sums


@njit(cache=True)
def touching_pairs(touches, merges):
    """List the nodes that touch, leaves first, then each new node with the nodes alive when it was made.

    Parameters
    ----------
    touches : bool array, (n, n), overwritten
        Symmetric matrix of touching leaves.
    merges : int64 array, (m, 2)

    Returns
    -------
    list of (int64, int64)
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
