"""One merge tree: regions, the order in which they are joined, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from propeval_lite._checks.values import check_labels, fail, unmasked
from propeval_lite._kernels import trees as kernels
from propeval_lite._kernels.merging import merge_alike, merge_at_random
from propeval_lite.superpixels.graph import RegionGraph


class MergeTree(NamedTuple):
    """Regions and the order in which they are merged.

    Attributes
    ----------
    labels : int array, shape (height, width)
        Region of each pixel, 0 … n − 1; these are the leaves of the tree.
    merges : int64 array, shape (m, 2)
        Node n + i is the union of the nodes ``merges[i]``; each node is merged at most once.

    Examples
    --------
    >>> tree = MergeTree.of_pairs(np.array([[0, 1, 2]]), np.array([[0, 2], [1, 0]]))
    >>> tree.merges.tolist(), tree.mask(3).astype(int).tolist()
    ([[0, 2], [1, 3]], [[1, 0, 1]])
    >>> [cut.tolist() for cut in tree.cut([1, 2])]
    [[[0, 0, 0]], [[0, 1, 0]]]
    """

    labels: np.ndarray
    merges: np.ndarray

    def check(self, where: str) -> None:
        """Refuse labels with gaps, and merges of nodes that are not there yet or are merged already."""
        labels = check_labels(self.labels, f"{where}, labels")
        if labels.ndim != 2 or labels.max() >= labels.size or not np.bincount(labels.ravel()).all():
            got = f"labels up to {labels.max()} of shape {labels.shape}"
            raise fail(
                "a picture of regions 0, 1, … without gaps", got, "Number them anew.", f"{where}, labels"
            )
        merges = unmasked(self.merges, f"{where}, merges")
        if merges.ndim != 2 or merges.shape[1] != 2 or merges.dtype.kind not in "iu":
            got = f"{merges.dtype} of shape {merges.shape}"
            raise fail("whole numbers of shape (m, 2)", got, "Name two nodes per merge.", f"{where}, merges")
        free = self.n_leaves + np.arange(len(merges))
        wrong = np.asarray(((merges < 0) | (merges >= free[:, None])).any(axis=1))
        _, first, counts = np.unique(merges, return_index=True, return_counts=True)
        wrong[first[counts > 1] // 2] = True
        if wrong.any():
            row = int(np.argmax(wrong))
            expected = "merges of two nodes that are there, each merged once"
            got = f"{merges[row].tolist()} in row {row}"
            raise fail(expected, got, "Node n + i is the union that row i makes.", f"{where}, merges")

    @classmethod
    def of_pairs(cls, labels: np.ndarray, pairs: np.ndarray) -> MergeTree:
        """Tree of merges that name any leaf of each of the two sides, int (m, 2)."""
        return cls(labels, kernels.as_nodes(int(labels.max()) + 1, pairs))

    @property
    def n_leaves(self) -> int:
        """Number of regions before any merge."""
        return int(self.labels.max()) + 1

    def regions(self, count: int) -> np.ndarray:
        """Region of each leaf after the first `count` merges, int32 (n,), numbered by their first leaf."""
        return kernels.regions_after(self.n_leaves, self.merges[: max(count, 0)])

    def after(self, count: int) -> np.ndarray:
        """Partition after the first `count` merges, int32 (height, width)."""
        return self.regions(count)[self.labels]

    def cut(self, regions: Sequence[int]) -> list[np.ndarray]:
        """Partitions into so many regions each, or as near as the merges go."""
        n = self.n_leaves
        return [self.after(n - count) for count in regions]

    def spans(self) -> tuple[np.ndarray, np.ndarray]:
        """Renumber the leaves so that each node holds the numbers ``low[node] … high[node] - 1``."""
        return kernels.leaf_ranges(self.n_leaves, self.merges)

    def mask(self, *nodes: int) -> np.ndarray:
        """Pixels of the union of some nodes, bool (height, width)."""
        low, high = self.spans()
        leaf = low[: self.n_leaves]
        return np.any([(leaf >= low[node]) & (leaf < high[node]) for node in nodes], axis=0)[self.labels]

    def sums(self, leaves: np.ndarray) -> np.ndarray:
        """Sum int (n, columns) counts of the leaves up the tree, for every node: (n + m, columns)."""
        return kernels.node_sums(leaves, self.merges)

    def touching(self) -> np.ndarray:
        """Pairs of nodes that exist together at some time and share a pixel side, int64 (pairs, 2)."""
        pairs = kernels.touching_pairs(RegionGraph.of(self.labels).touches(), self.merges)
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def least_error_tree(graph: RegionGraph, image: np.ndarray) -> MergeTree:
    r"""Merge regions of a picture by colour: neighbours whose union adds least squared error go first.

    Notes
    -----
    The cost of joining neighbours with sizes :math:`a, b` and mean Lab colours :math:`u, v` is
    :math:`\frac{a b}{a + b} \lVert u - v \rVert^2`.
    """
    from skimage.color import rgb2lab

    pairs = merge_alike(graph.touches(), graph.pixels.copy(), graph.mean(rgb2lab(image)))
    return MergeTree.of_pairs(graph.labels, pairs)


def random_tree(graph: RegionGraph, rng: np.random.Generator) -> MergeTree:
    """Merge regions at random: each step joins a pair of neighbours drawn from all such pairs."""
    return MergeTree.of_pairs(graph.labels, merge_at_random(graph.touches(), rng.random(len(graph.pixels))))
