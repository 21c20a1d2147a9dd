"""Mask proposals: unions of nodes of merge trees, ranked without learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from propeval_lite._checks.values import check_list, check_positive_int, check_type, fail, unmasked
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

    def __post_init__(self):
        remedy = "Give a tuple of them."
        trees = check_list(self.hierarchies, "merge trees", remedy, "hierarchies")
        if not trees:
            raise fail("at least one merge tree", "none", remedy, "hierarchies")
        for number, tree in enumerate(trees):
            where = f"hierarchies: tree {number}"
            check_type(tree, MergeTree, "a MergeTree", "Make it of labels and merges.", where).check(where)
            if tree.labels.shape != trees[0].labels.shape:
                got = f"{tree.labels.shape}, and {trees[0].labels.shape} before"
                raise fail("trees of one picture", got, "Keep each picture apart.", where)
        # Copies: the caller may use his arrays again.
        tree = np.array(unmasked(self.tree, "tree"))
        nodes = np.array(unmasked(self.nodes, "nodes"))
        nodes = nodes.reshape(-1, 2) if nodes.size == 0 else nodes
        if tree.ndim != 1 or (tree.size and tree.dtype.kind not in "iu"):
            got = f"{tree.dtype} of shape {tree.shape}"
            raise fail("one whole number per mask", got, "Number the hierarchies from 0.", "tree")
        if ((tree < 0) | (tree >= len(trees))).any():
            row = int(np.argmax((tree < 0) | (tree >= len(trees))))
            expected, got = f"numbers from 0 to {len(trees) - 1}", f"{tree[row]} in row {row}"
            raise fail(expected, got, "Number the hierarchies from 0.", "tree")
        if nodes.shape != (len(tree), 2) or (nodes.size and nodes.dtype.kind not in "iu"):
            got = f"{nodes.dtype} of shape {nodes.shape}"
            raise fail(
                f"whole numbers of shape ({len(tree)}, 2)", got, "Write -1 for no second node.", "nodes"
            )
        fields = {"hierarchies": tuple(trees), "tree": tree.astype(np.int64), "nodes": nodes.astype(np.int64)}
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._check_nodes()

    def _check_nodes(self) -> None:
        """Refuse nodes that are not there, and unions of a node with a part of itself: its pixels would count twice."""
        for number, tree in enumerate(self.hierarchies):
            rows = np.flatnonzero(self.tree == number)
            first, second = self.nodes[rows].T
            total = tree.n_leaves + len(tree.merges)
            absent = (first < 0) | (first >= total) | (second < -1) | (second >= total)
            if absent.any():
                row = rows[np.argmax(absent)]
                expected = f"nodes from 0 to {total - 1}, or -1 for no second one"
                got = f"{self.nodes[row].tolist()} in row {row}"
                raise fail(expected, got, "Count leaves, then merges.", "nodes")
            low, high = tree.spans()
            nested = (second >= 0) & (low[first] < high[second]) & (low[second] < high[first])
            if nested.any():
                row = rows[np.argmax(nested)]
                got = f"{self.nodes[row].tolist()} in row {row}, one inside the other"
                raise fail("two nodes without a common pixel", got, "Name the larger one alone.", "nodes")

    def __len__(self) -> int:
        return len(self.tree)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the picture."""
        return self.hierarchies[0].labels.shape

    def mask(self, rank: int) -> np.ndarray:
        """Pixels of the mask at `rank` (from 0), bool of shape (height, width)."""
        if check_positive_int(rank, "rank", minimum=0) >= len(self):
            raise fail(f"a rank from 0 to {len(self) - 1}", rank, "Ranks count from 0.", "rank")
        chosen = self.nodes[rank]
        return self.hierarchies[self.tree[rank]].mask(*chosen[chosen >= 0])


def check_mask_proposals(proposals: object) -> MaskProposals:
    """Return `proposals` if they are masks."""
    remedy = "Make them with propose_masks."
    return check_type(proposals, MaskProposals, "ranked masks (MaskProposals)", remedy, "proposals")


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
