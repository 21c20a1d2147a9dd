"""The graph of neighbouring regions of a picture."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class RegionGraph(NamedTuple):
    """Regions of a picture with their sizes, mean colours and neighbours.

    Attributes
    ----------
    labels : int array, shape (height, width)
        Region of each pixel, 0 … n − 1, each connected by pixel sides.
    pixels : float64 array, shape (n,)
        Size of each region.
    colour : float64 array, shape (n, 3)
        Mean CIE Lab colour of each region.
    first, second : int64 array, shape (pairs,)
        Neighbours, ``first < second``, sorted.
    border : int64 array, shape (pairs,)
        Number of pixel sides that a pair shares.
    """

    labels: np.ndarray
    pixels: np.ndarray
    colour: np.ndarray
    first: np.ndarray
    second: np.ndarray
    border: np.ndarray

    def touches(self) -> np.ndarray:
        """Symmetric bool matrix of neighbours."""
        matrix = np.zeros((len(self.pixels), len(self.pixels)), dtype=np.bool_)
        matrix[self.first, self.second] = matrix[self.second, self.first] = True
        return matrix


def neighbour_pairs(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of regions that share pixel sides, and how many.

    Examples
    --------
    >>> [side.tolist() for side in neighbour_pairs(np.array([[0, 0, 1], [2, 2, 1]]))]
    [[0, 0, 1], [1, 2, 2], [1, 2, 1]]
    """
    sides = [(labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])]
    a = np.concatenate([one.ravel() for one, _ in sides]).astype(np.int64)
    b = np.concatenate([other.ravel() for _, other in sides]).astype(np.int64)
    apart = a != b
    a, b = a[apart], b[apart]
    n = int(labels.max()) + 1
    keys, border = np.unique(np.minimum(a, b) * n + np.maximum(a, b), return_counts=True)
    return keys // n, keys % n, border


def region_graph(labels: np.ndarray, lab: np.ndarray) -> RegionGraph:
    """Measure the regions of `labels` on a picture in CIE Lab and list their neighbours."""
    flat = labels.ravel()
    n = int(flat.max()) + 1
    pixels = np.bincount(flat, minlength=n).astype(np.float64)
    sums = [np.bincount(flat, weights=channel, minlength=n) for channel in lab.reshape(-1, 3).T]
    return RegionGraph(labels, pixels, np.stack(sums, axis=1) / pixels[:, None], *neighbour_pairs(labels))
