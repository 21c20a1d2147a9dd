"""Mask proposals: unions of nodes of merge trees, ranked without learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from propeval_lite._checks.values import fail
from propeval_lite.superpixels.tree import MergeTree


@dataclass(frozen=True, eq=False)
class MaskProposals:
    """Masks of one picture, best guess first, each the union of one or two nodes of a hierarchy.

    Attributes
    ----------
    hierarchies : tuple of MergeTree
    tree : int64 array, shape (k,)
        Hierarchy that each mask comes from.
    nodes : int64 array, shape (k, 2)
        Nodes that it unites; −1 in the second column for a single node.

    Examples
    --------
    >>> halves = MergeTree(np.array([[0, 0, 1, 2]]), np.array([[0, 1]]))
    >>> proposals = MaskProposals((halves,), np.array([0, 0]), np.array([[3, -1], [0, 2]]))
    >>> [proposals.mask(i).astype(int).tolist() for i in range(len(proposals))]
    [[[1, 1, 1, 0]], [[1, 1, 0, 1]]]
    """

    hierarchies: tuple[MergeTree, ...]
    tree: np.ndarray
    nodes: np.ndarray

    def __len__(self) -> int:
        return len(self.tree)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the picture."""
        return self.hierarchies[0].labels.shape

    def mask(self, rank: int) -> np.ndarray:
        """Pixels of the mask at `rank` (from 0), bool of shape (height, width)."""
        if not 0 <= rank < len(self):
            raise fail(f"a rank from 0 to {len(self) - 1}", rank, "Ranks count from 0.")
        chosen = self.nodes[rank]
        return self.hierarchies[self.tree[rank]].mask(*chosen[chosen >= 0])


def nodes_and_pairs(hierarchies: Sequence[MergeTree]) -> MaskProposals:
    """Rank all nodes and touching pairs of some hierarchies (see `propeval_lite.masks.methods.propose_masks`).

    Pairs that make up a node are left out, since the node is there.

    Examples
    --------
    >>> tree = MergeTree(np.array([[0, 1, 2]]), np.array([[0, 1], [3, 2]]))
    >>> nodes_and_pairs([tree]).nodes.tolist()
    [[4, -1], [2, -1], [3, -1], [0, -1], [1, -1], [1, 2]]
    """
    trees, parts, ranks = [], [], []
    for number, hierarchy in enumerate(hierarchies):
        merges = hierarchy.merges
        total = hierarchy.n_leaves + len(merges)
        # The union i is split when total - n - i regions are there, which makes one more.
        shown_at = np.ones(total, dtype=np.int64)
        shown_at[merges] = (len(merges) - np.arange(len(merges)))[:, None] + 1
        parent = -1 - np.arange(total)  # roots have no parent and no sibling
        parent[merges] = np.arange(len(merges))[:, None]
        pairs = hierarchy.touching()
        pairs = pairs[parent[pairs[:, 0]] != parent[pairs[:, 1]]]
        single = np.stack([np.arange(total), np.full(total, -1)], axis=1)
        parts += [single, pairs]
        ranks += [shown_at, shown_at[pairs].prod(axis=1)]
        trees.append(np.full(total + len(pairs), number))
    nodes = np.concatenate(parts)
    # Singles stand before pairs of the same rank, and hierarchies take turns.
    order = np.lexsort((nodes[:, 1] >= 0, np.concatenate(ranks)))
    return MaskProposals(tuple(hierarchies), np.concatenate(trees)[order], nodes[order])
