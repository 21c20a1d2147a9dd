"""Boxes of grouped superpixels: randomly grown trees, and nodes and pairs of merge hierarchies.

For the arguments `image`, `k` and `rng` and for the answer see :mod:`propeval_lite.methods`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._checks.traits import traits
from propeval_lite._kernels.growing import grow_trees
from propeval_lite.proposals.columns import first_of_each
from propeval_lite.superpixels.colours import COLOURS, label_boxes
from propeval_lite.superpixels.likeness import describe_superpixels

# A picture has only so many different groups; growing then ends after this many trees per box asked for.
MOST_TREES = 6


@traits()
def randomized_prims(
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    colours: Sequence[str] = COLOURS,
    sharpness: float = 4.0,
    stop: float = 0.2,
):
    """Boxes of randomly grown trees of similar superpixels, in the style of RandomizedPrim's.

    Parameters
    ----------
    colours : sequence of str
        Colour spaces of the superpixels; trees grow on each in turn.
    sharpness : float
        How strongly similarity decides which neighbour joins next.
    stop : float
        Probability that a tree ends at a border of full contrast.

    Notes
    -----
    A tree starts at a random superpixel. Of the edges that leave it one is drawn with probability proportional to
    exp(s (b + h - c - 1)): s the sharpness, c the mean contrast of the border, h the intersection of the Lab
    histograms, b the common border as a share of the shorter of the two outlines. The tree ends with probability
    stop · c, or when its area passes u² of the image with u uniform in (0, 1). The original learns its probabilities.

    References
    ----------
    Hosang et al., §2.1.
    """
    forests = []
    for looks, generator in zip(describe_superpixels(image, colours), rng.spawn(len(colours)), strict=True):
        graph, histogram = looks.graph, looks.histogram
        n = len(graph.pixels)
        contrast = looks.contrast / graph.border
        common = np.minimum(histogram[graph.first], histogram[graph.second]).sum(axis=1)
        outline = np.bincount(graph.first, graph.border, n) + np.bincount(graph.second, graph.border, n)
        share = graph.border / np.minimum(outline[graph.first], outline[graph.second])
        affinity = np.exp(sharpness * (share + common - contrast - 1))
        sources = np.concatenate([graph.first, graph.second])
        order = np.argsort(sources, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=n))))
        neighbours = np.concatenate([graph.second, graph.first])[order]
        edges = (np.tile(affinity, 2)[order], stop * np.tile(contrast, 2)[order])
        forests.append((starts, neighbours, *edges, label_boxes(graph.labels), graph.pixels, generator))
    boxes, grown = np.empty((0, 4)), 0
    while len(boxes) < k and grown < MOST_TREES * k:
        trees = np.empty((len(forests), 2 * k // len(forests) + 1, 4))
        for forest, rows in zip(forests, trees, strict=True):
            grow_trees(*forest, rows)
        grown += trees.shape[0] * trees.shape[1]
        boxes = np.concatenate([boxes, trees.swapaxes(0, 1).reshape(-1, 4)])
        boxes = boxes[first_of_each(boxes)]
    return boxes[:k], None


@traits()
def superpixel_grouping(
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    colours: Sequence[str] = COLOURS,
    weights: Sequence[float] = (1.0, 1.0, 1.0),
):
    """Boxes of single nodes and touching pairs of several merge hierarchies, those made late first; like a small MCG.

    Parameters
    ----------
    colours : sequence of str
        Colour spaces of the superpixels; one hierarchy for each.
    weights : sequence of 3 floats
        Of colour, contrast and size in the dissimilarity.

    Notes
    -----
    The two neighbours with the least dissimilarity w₁ (1 - h) + w₂ c + w₃ a are merged until one region is left: h
    the intersection of the Lab histograms, c the mean contrast of the border, a their share of the image. A node
    made as the i-th last is ranked by u · i with u uniform in (0, 1), a pair by the larger i of its two nodes. The
    original learns its ranking.

    References
    ----------
    Hosang et al., §2.1.
    """
    boxes, ranks = [], []
    for looks in describe_superpixels(image, colours):
        tree, touching = looks.tree(weights)
        leaves = label_boxes(tree.labels)
        n = len(leaves)
        nodes = np.concatenate([leaves, np.empty((len(tree.merges), 4))])
        for i, (a, b) in enumerate(tree.merges):
            nodes[n + i] = _enclosing(nodes[a], nodes[b])
        node, neighbour = touching.T
        place = np.arange(len(nodes), 0, -1)
        boxes += [nodes, _enclosing(nodes[node], nodes[neighbour])]
        ranks += [place, np.maximum(place[node], place[neighbour])]
    rank = np.concatenate(ranks)
    return np.concatenate(boxes)[np.argsort(rank * rng.random(len(rank)), kind="stable")], None


def _enclosing(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    return np.concatenate(
        [np.minimum(one[..., :2], two[..., :2]), np.maximum(one[..., 2:], two[..., 2:])], axis=-1
    )
