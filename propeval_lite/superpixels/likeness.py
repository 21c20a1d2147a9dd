"""Superpixels with what makes two of them alike, and the tree of merging the most alike first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from propeval_lite._kernels.merging import merge_regions
from propeval_lite.superpixels.colours import segment, to_colour
from propeval_lite.superpixels.edges import edge_map
from propeval_lite.superpixels.graph import RegionGraph
from propeval_lite.superpixels.tree import MergeTree

BINS = 12


class Likeness(NamedTuple):
    """Regions with their colours and the contrast of their borders.

    Attributes
    ----------
    graph : RegionGraph
    histogram : float64 array, shape (n, 3 · BINS)
        Lab histograms of the three channels; each row sums to 1.
    contrast : float64 array, shape (pairs,)
        Edge strength summed along each border.
    """

    graph: RegionGraph
    histogram: np.ndarray
    contrast: np.ndarray

    @classmethod
    def of(cls, labels: np.ndarray, lab: np.ndarray, strength: np.ndarray) -> Likeness:
        """Describe a label image 0 … n − 1.

        Parameters
        ----------
        labels : int array, shape (height, width)
        lab : float array, shape (height, width, 3)
            Colours in 0 … 1.
        strength : float array, shape (height, width)
            Edge strength in 0 … 1; a border is as strong as the stronger of the two pixels that it separates.
        """
        graph = RegionGraph.of(labels)
        n = len(graph.pixels)
        cells = labels[:, :, None] * BINS + np.clip((lab * BINS).astype(np.int64), 0, BINS - 1)
        counts = [np.bincount(cells[:, :, c].ravel(), minlength=n * BINS).reshape(n, BINS) for c in range(3)]
        histogram = np.concatenate(counts, axis=1) / (3 * graph.pixels[:, None])
        return cls(graph, histogram, graph.along(strength))

    def tree(self, weights: Sequence[float] = (1.0, 1.0, 1.0)) -> tuple[MergeTree, np.ndarray]:
        r"""Merge the two neighbours with the least dissimilarity until one region is left.

        Parameters
        ----------
        weights : sequence of 3 floats
            Of colour, contrast and size in the dissimilarity.

        Returns
        -------
        tree : MergeTree
        touching : int64 array, shape (pairs, 2)
            Each new node with each neighbour that it had when it was made.

        Notes
        -----
        The dissimilarity is :math:`w_1 (1 - h) + w_2 c + w_3 a` with the intersection :math:`h` of the histograms,
        the mean contrast :math:`c` of the border and the share :math:`a` of the picture that the two fill.
        """
        graph = self.graph
        n = len(graph.pixels)
        merges, touching = merge_regions(
            graph.first.copy(),
            graph.second.copy(),
            graph.border.astype(np.float64),
            self.contrast.copy(),
            np.concatenate([self.histogram, np.empty((n - 1, 3 * BINS))]),
            np.concatenate([graph.pixels, np.empty(n - 1)]),
            np.asarray(weights, dtype=np.float64),
        )
        return MergeTree(graph.labels, merges), np.array(touching, dtype=np.int64).reshape(-1, 2)


def describe_superpixels(image: np.ndarray, colours: Sequence[str]) -> list[Likeness]:
    """Segment a picture in each colour space and describe its superpixels and their borders."""
    strength = ndimage.maximum_filter(edge_map(image)[0], 3)
    lab = to_colour(image, "lab")
    return [Likeness.of(segment(image, colour), lab, strength) for colour in colours]
