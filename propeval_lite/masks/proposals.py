"""Mask proposals: unions of superpixels taken from merge hierarchies, best guesses first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from propeval_lite._checks.values import check_choice, check_positive_int, fail
from propeval_lite._kernels.grouping import merge_regions
from propeval_lite._kernels.masks import leaf_ranges, touching_pairs
from propeval_lite._kernels.merging import merge_alike, merge_at_random
from propeval_lite.methods.grouping import region_graph
from propeval_lite.segmenters.gradients import superpixel_graph
from propeval_lite.superpixels.colours import COLOURS, segment, to_colour
from propeval_lite.superpixels.edges import edge_map
from propeval_lite.superpixels.graph import RegionGraph, neighbour_pairs
from propeval_lite.superpixels.graph import region_graph as colour_graph
from propeval_lite.superpixels.labels import check_image, connected

#: The finest grid of the quadtree has at most 2 ** QUADTREE_LEVELS rows and columns.
QUADTREE_LEVELS = 6


class Hierarchy(NamedTuple):
    """Superpixels and the order in which they are merged.

    Attributes
    ----------
    labels : int array, shape (height, width)
        Superpixel of each pixel, 0 … n − 1; these are the leaves of the tree.
    merges : int64 array, shape (m, 2)
        Node n + i is the union of the nodes ``merges[i]``; each node is merged at most once.
    """

    labels: np.ndarray
    merges: np.ndarray

    @property
    def n_leaves(self) -> int:
        """Number of superpixels."""
        return int(self.labels.max()) + 1


@dataclass(frozen=True, eq=False)
class MaskProposals:
    """Masks of one picture, best guess first, each the union of one or two nodes of a hierarchy.

    Attributes
    ----------
    hierarchies : tuple of Hierarchy
    tree : int64 array, shape (k,)
        Hierarchy that each mask comes from.
    nodes : int64 array, shape (k, 2)
        Nodes that it unites; −1 in the second column for a single node.

    Examples
    --------
    >>> halves = Hierarchy(np.array([[0, 0, 1, 2]]), np.array([[0, 1]]))
    >>> proposals = MaskProposals((halves,), np.array([0, 0]), np.array([[3, -1], [0, 2]]))
    >>> [proposals.mask(i).astype(int).tolist() for i in range(len(proposals))]
    [[[1, 1, 1, 0]], [[1, 1, 0, 1]]]
    """

    hierarchies: tuple[Hierarchy, ...]
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
        labels, merges = self.hierarchies[self.tree[rank]]
        n = int(labels.max()) + 1
        low, high = leaf_ranges(n, merges)
        chosen = [node for node in self.nodes[rank] if node >= 0]
        inside = np.zeros(n, dtype=np.bool_)
        for node in chosen:
            inside |= (low[:n] >= low[node]) & (low[:n] < high[node])
        return inside[labels]


def propose_masks(
    method: str | Callable, image: object, seed: int | np.random.Generator = 0
) -> MaskProposals:
    """Propose masks for the objects of a picture.

    Parameters
    ----------
    method : str or callable
        A name of `MASK_METHODS`, or your own ``function(image, rng) -> MaskProposals``.
    image : uint8 array, shape (height, width, 3) or (height, width)
        RGB or grey picture.
    seed : int or Generator
        For the random baseline; the others do not use it.

    Returns
    -------
    MaskProposals
        All masks that the method has; a budget of k takes the first k.

    Notes
    -----
    ``grouping`` merges superpixels in each of four colour spaces by colour, contrast and size; ``grouping_lab``
    in one only; ``merged_superpixels`` merges compact superpixels by colour. Their masks are all nodes and all
    pairs of nodes that touch (in the spirit of multiscale combinatorial grouping). Two baselines do not look at
    the picture when they merge: ``random_merging`` and ``quadtree``; the last has single nodes only.

    A node is ranked by the number of regions in the coarsest partition that shows it, a pair by the product of its
    two numbers: masks that appear early on the way from one region to many come first. Nothing is learnt.

    References
    ----------
    Pont-Tuset & Marqués, §2.3 (the setting) and §5.2 (the baselines).

    Examples
    --------
    >>> proposals = propose_masks("quadtree", np.zeros((2, 4), dtype=np.uint8))
    >>> [proposals.mask(i).sum().tolist() for i in range(3)], len(proposals)
    ([8, 4, 4], 15)
    """
    if not callable(method):
        method = MASK_METHODS[check_choice(method, tuple(MASK_METHODS), "method")]
    if not isinstance(seed, np.random.Generator):
        seed = check_positive_int(seed, "seed", minimum=0)
    proposals = method(check_image(image), np.random.default_rng(seed))
    if not isinstance(proposals, MaskProposals):
        raise fail("MaskProposals", type(proposals).__name__, "Return pe.MaskProposals.", "method")
    return proposals


def grouping(image: np.ndarray, rng=None, colours: Sequence[str] = COLOURS) -> MaskProposals:
    """Nodes and touching pairs of one hierarchy per colour space (see `propose_masks`)."""
    strength = ndimage.maximum_filter(edge_map(image)[0], 3)
    lab = to_colour(image, "lab")
    hierarchies = []
    for colour in colours:
        labels = segment(image, colour)
        graph = region_graph(labels, lab, strength)
        n = len(graph.size)
        merges, _ = merge_regions(
            graph.first.copy(),
            graph.second.copy(),
            graph.border.copy(),
            graph.contrast.copy(),
            np.concatenate([graph.histogram, np.empty((n - 1, graph.histogram.shape[1]))]),
            np.concatenate([graph.size, np.empty(n - 1)]),
            np.ones(3),
        )
        hierarchies.append(Hierarchy(labels, merges))
    return nodes_and_pairs(hierarchies)


def grouping_lab(image: np.ndarray, rng=None) -> MaskProposals:
    """Like `grouping`, in the Lab colour space alone."""
    return grouping(image, rng, ("lab",))


def merged_superpixels(image: np.ndarray, rng=None, n_superpixels: int = 300) -> MaskProposals:
    """Nodes and touching pairs of compact superpixels merged by colour (see `propose_masks`)."""
    graph = compact_graph(image, n_superpixels)
    pairs = merge_alike(graph.touches(), graph.pixels.copy(), graph.colour.copy())
    return nodes_and_pairs([Hierarchy(graph.labels, as_nodes(len(graph.pixels), pairs))])


def random_merging(image: np.ndarray, rng: np.random.Generator, n_superpixels: int = 300) -> MaskProposals:
    """Nodes and touching pairs of compact superpixels merged at random."""
    graph = compact_graph(image, n_superpixels)
    pairs = merge_at_random(graph.touches(), rng.random(len(graph.pixels)))
    return nodes_and_pairs([Hierarchy(graph.labels, as_nodes(len(graph.pixels), pairs))])


def compact_graph(image: np.ndarray, n_superpixels: int) -> RegionGraph:
    """Cut a picture into about so many SLIC superpixels that follow its colours, and list their neighbours.

    Notes
    -----
    SLIC is given the RGB picture and converts it to Lab by itself: it scales whatever it gets to 0 … 1 first, so
    a Lab picture would lose nearly all weight against position. A picture with few pixels keeps each apart.
    """
    from skimage.color import rgb2lab
    from skimage.segmentation import slic

    height, width = image.shape[:2]
    if height * width <= 4 * n_superpixels or min(height, width) < 4:
        return superpixel_graph(image, n_superpixels)
    labels = slic(image, n_superpixels, compactness=10.0, max_num_iter=5, start_label=0)
    return colour_graph(connected(labels, neighbours=4), rgb2lab(image))


def quadtree(
    image: np.ndarray, rng=None, levels: int = QUADTREE_LEVELS, first: str = "longer"
) -> MaskProposals:
    """Rectangles from halving both sides of the picture in turn; large ones come first, row by row.

    Parameters
    ----------
    image, rng
        See `propose_masks`; only the size of the picture is used.
    levels : int
        Each side is halved at most so often.
    first : {"longer", "shorter"}
        Side that is halved first.

    Examples
    --------
    >>> [quadtree(np.zeros((2, 4, 3)), first=side).mask(1).astype(int).tolist() for side in ("longer", "shorter")]
    [[[1, 1, 0, 0], [1, 1, 0, 0]], [[1, 1, 1, 1], [0, 0, 0, 0]]]
    """
    check_choice(first, ("longer", "shorter"), "first")
    height, width = image.shape[:2]
    depth = [min(levels, side.bit_length() - 1) for side in (height, width)]
    # Each part keeps a pixel.
    cuts, left = [], depth.copy()
    axis = int((height > width) == (first == "shorter"))
    while any(left):
        if left[axis]:
            cuts.append(axis)
            left[axis] -= 1
        axis = 1 - axis
    rows, columns = (
        np.arange(side) * (1 << d) // side for side, d in zip((height, width), depth, strict=True)
    )
    labels = rows[:, None] * (1 << depth[1]) + columns[None]
    free = n = int(labels.max()) + 1
    grid, merges = np.arange(n).reshape(1 << depth[0], 1 << depth[1]), []
    for axis in reversed(cuts):
        one, two = (grid[::2], grid[1::2]) if axis == 0 else (grid[:, ::2], grid[:, 1::2])
        merges.append(np.stack([one.ravel(), two.ravel()], axis=1)[::-1])
        grid = (free + np.arange(one.size))[::-1].reshape(one.shape)
        free += one.size
    merges = np.concatenate(merges) if merges else np.empty((0, 2), dtype=np.int64)
    order = np.arange(free)[::-1]
    leaves = order < n
    order[leaves] = order[leaves][::-1]
    nodes = np.stack([order, np.full(free, -1)], axis=1)
    return MaskProposals((Hierarchy(labels, merges),), np.zeros(free, dtype=np.int64), nodes)


#: Built-in methods of `propose_masks`.
MASK_METHODS: dict[str, Callable] = {
    "grouping": grouping,
    "grouping_lab": grouping_lab,
    "merged_superpixels": merged_superpixels,
    "random_merging": random_merging,
    "quadtree": quadtree,
}


def as_nodes(n: int, pairs: np.ndarray) -> np.ndarray:
    """Turn merges of leaves (the second joins the first) into merges of nodes.

    Examples
    --------
    >>> as_nodes(3, np.array([[0, 2], [1, 0]])).tolist()
    [[0, 2], [1, 3]]
    """
    node, merges = np.arange(n), np.empty((len(pairs), 2), dtype=np.int64)
    for i, (kept, gone) in enumerate(pairs):
        merges[i] = node[kept], node[gone]
        node[kept] = n + i
    return merges


def nodes_and_pairs(hierarchies: Sequence[Hierarchy]) -> MaskProposals:
    """Rank all nodes and touching pairs of some hierarchies (see `propose_masks`).

    Pairs that make up a node are left out, since the node is there.

    Examples
    --------
    >>> tree = Hierarchy(np.array([[0, 1, 2]]), np.array([[0, 1], [3, 2]]))
    >>> nodes_and_pairs([tree]).nodes.tolist()
    [[4, -1], [2, -1], [3, -1], [0, -1], [1, -1], [1, 2]]
    """
    trees, nodes, ranks = [], [], []
    for number, (labels, merges) in enumerate(hierarchies):
        n = int(labels.max()) + 1
        total = n + len(merges)
        # The union i is split when total - n - i regions are there, which makes one more.
        shown_at = np.ones(total, dtype=np.int64)
        shown_at[merges] = (len(merges) - np.arange(len(merges)))[:, None] + 1
        touches = np.zeros((n, n), dtype=np.bool_)
        first, second, _ = neighbour_pairs(labels)
        touches[first, second] = touches[second, first] = True
        pairs = np.array(touching_pairs(touches, merges), dtype=np.int64).reshape(-1, 2)
        parent = -1 - np.arange(total)  # roots have no parent and no sibling
        parent[merges] = np.arange(len(merges))[:, None]
        pairs = pairs[parent[pairs[:, 0]] != parent[pairs[:, 1]]]
        single = np.stack([np.arange(total), np.full(total, -1)], axis=1)
        nodes += [single, pairs]
        ranks += [shown_at, shown_at[pairs].prod(axis=1)]
        trees.append(np.full(total + len(pairs), number))
    nodes = np.concatenate(nodes)
    # Singles stand before pairs of the same rank, and hierarchies take turns.
    order = np.lexsort((nodes[:, 1] >= 0, np.concatenate(ranks)))
    return MaskProposals(tuple(hierarchies), np.concatenate(trees)[order], nodes[order])
