"""Boxes of grouped superpixels: randomly grown trees, and nodes and pairs of merge hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from propeval_lite._checks.traits import traits
from propeval_lite._kernels.grouping import grow_trees, merge_regions
from propeval_lite.methods.run import first_of_each
from propeval_lite.superpixels.colours import COLOURS, label_boxes, segment, to_colour
from propeval_lite.superpixels.edges import edge_map

BINS = 12
# A picture has only so many different groups; growing then ends after this many trees per box asked for.
MOST_TREES = 6


@dataclass(frozen=True)
class RegionGraph:
    """Superpixels and which of them touch.

    Attributes
    ----------
    boxes : float array, (n, 4)
    size : float array, (n,)
        Pixels.
    histogram : float array, (n, 3 · BINS)
        Lab histograms of the three channels; each row sums to 1.
    first, second : int64 arrays, (m,)
        Touching superpixels, first < second.
    border, contrast : float arrays, (m,)
        Length of the common border, and the edge strength summed along it.
    """

    boxes: np.ndarray
    size: np.ndarray
    histogram: np.ndarray
    first: np.ndarray
    second: np.ndarray
    border: np.ndarray
    contrast: np.ndarray


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
    image : uint8 array, (height, width, 3)
        RGB picture.
    k : int
        Number of different boxes.
    rng : Generator
        Source of randomness.
    colours : sequence of str
        Colour spaces of the superpixels; trees grow on each in turn.
    sharpness : float
        How strongly similarity decides which neighbour joins next.
    stop : float
        Probability that a tree ends at a border of full contrast.

    Returns
    -------
    boxes : float array, (n, 4) with n <= k
    scores : None
        The order is random.

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
    for graph, generator in zip(region_graphs(image, colours), rng.spawn(len(colours)), strict=True):
        contrast = graph.contrast / graph.border
        common = np.minimum(graph.histogram[graph.first], graph.histogram[graph.second]).sum(axis=1)
        outline = np.bincount(graph.first, graph.border, len(graph.size))
        outline += np.bincount(graph.second, graph.border, len(graph.size))
        share = graph.border / np.minimum(outline[graph.first], outline[graph.second])
        affinity = np.exp(sharpness * (share + common - contrast - 1))
        sources = np.concatenate([graph.first, graph.second])
        order = np.argsort(sources, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=len(graph.size)))))
        neighbours = np.concatenate([graph.second, graph.first])[order]
        edges = (np.tile(affinity, 2)[order], stop * np.tile(contrast, 2)[order])
        forests.append((starts, neighbours, *edges, graph.boxes, graph.size, generator))
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
    """Boxes of single nodes and touching pairs of several merge hierarchies, like a small MCG.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
        RGB picture.
    k : int
        Not used: every node and pair is returned.
    rng : Generator
        Source of the random part of the ranking.
    colours : sequence of str
        Colour spaces of the superpixels; one hierarchy for each.
    weights : sequence of 3 floats
        Of colour, contrast and size in the dissimilarity.

    Returns
    -------
    boxes : float array, (n, 4)
        Groups made late tend to come first.
    scores : None

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
    for graph in region_graphs(image, colours):
        n = len(graph.size)
        pairs, touching = merge_regions(
            graph.first.copy(),
            graph.second.copy(),
            graph.border.copy(),
            graph.contrast.copy(),
            np.concatenate([graph.histogram, np.empty((n - 1, graph.histogram.shape[1]))]),
            np.concatenate([graph.size, np.empty(n - 1)]),
            np.asarray(weights, dtype=np.float64),
        )
        nodes = np.concatenate([graph.boxes, np.empty((len(pairs), 4))])
        for i, (a, b) in enumerate(pairs):
            nodes[n + i] = _enclosing(nodes[a], nodes[b])
        node, neighbour = np.array(touching, dtype=np.int64).reshape(-1, 2).T
        place = np.arange(len(nodes), 0, -1)
        boxes += [nodes, _enclosing(nodes[node], nodes[neighbour])]
        ranks += [place, np.maximum(place[node], place[neighbour])]
    ranks = np.concatenate(ranks)
    return np.concatenate(boxes)[np.argsort(ranks * rng.random(len(ranks)), kind="stable")], None


def region_graphs(image: np.ndarray, colours: Sequence[str]) -> list[RegionGraph]:
    """Segment a picture in each colour space and describe its superpixels and their borders."""
    strength = ndimage.maximum_filter(edge_map(image)[0], 3)
    lab = to_colour(image, "lab")
    return [region_graph(segment(image, colour), lab, strength) for colour in colours]


def region_graph(labels: np.ndarray, lab: np.ndarray, strength: np.ndarray) -> RegionGraph:
    """Describe a label image 0 … n-1.

    Parameters
    ----------
    labels : int array, (height, width)
    lab : float array, (height, width, 3)
        Colours in 0 … 1.
    strength : float array, (height, width)
        Edge strength in 0 … 1; a border is as strong as the stronger of the two pixels that it separates.

    Examples
    --------
    >>> graph = region_graph(np.array([[0, 0, 1], [2, 2, 1]]), np.zeros((2, 3, 3)), np.eye(2, 3))
    >>> np.stack([graph.first, graph.second]).T.tolist(), graph.border.tolist(), graph.contrast.tolist()
    ([[0, 1], [0, 2], [1, 2]], [1.0, 2.0, 1.0], [0.0, 2.0, 1.0])
    """
    n = int(labels.max()) + 1
    size = np.bincount(labels.ravel(), minlength=n).astype(np.float64)
    cells = labels[:, :, None] * BINS + np.clip((lab * BINS).astype(np.int64), 0, BINS - 1)
    counts = [np.bincount(cells[:, :, c].ravel(), minlength=n * BINS).reshape(n, BINS) for c in range(3)]
    one = np.concatenate([labels[:, :-1].ravel(), labels[:-1].ravel()]).astype(np.int64)
    two = np.concatenate([labels[:, 1:].ravel(), labels[1:].ravel()]).astype(np.int64)
    strong = np.concatenate(
        [
            np.maximum(strength[:, :-1], strength[:, 1:]).ravel(),
            np.maximum(strength[:-1], strength[1:]).ravel(),
        ]
    )
    apart = one != two
    edges, row = np.unique((np.minimum(one, two) * n + np.maximum(one, two))[apart], return_inverse=True)
    return RegionGraph(
        boxes=label_boxes(labels),
        size=size,
        histogram=np.concatenate(counts, axis=1) / (3 * size[:, None]),
        first=edges // n,
        second=edges % n,
        border=np.bincount(row, minlength=len(edges)).astype(np.float64),
        contrast=np.bincount(row, strong[apart], len(edges)),
    )


def _enclosing(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    return np.concatenate(
        [np.minimum(one[..., :2], two[..., :2]), np.maximum(one[..., 2:], two[..., 2:])], axis=-1
    )
