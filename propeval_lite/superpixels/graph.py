"""The graph of neighbouring regions of a picture, and the pairs of neighbouring pixels behind it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Slices of a picture that lay each pixel on its neighbour: by sides, and by corners.
SIDES = ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:]))
CORNERS = ((np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1]))


def both_ends(values: np.ndarray, steps=SIDES) -> tuple[np.ndarray, np.ndarray]:
    """Values at the two ends of each pair of neighbouring pixels.

    Parameters
    ----------
    values : array, shape (height, width, …)
    steps : tuple of pairs of slices
        `SIDES`, or with `CORNERS` the diagonals too.

    Returns
    -------
    one, other : array, shape (pairs, …)

    Examples
    --------
    >>> [end.tolist() for end in both_ends(np.array([[1, 2], [3, 4]]))]
    [[1, 3, 1, 2], [2, 4, 3, 4]]
    """
    one, other = (
        np.concatenate([values[step[end]].reshape(-1, *values.shape[2:]) for step in steps]) for end in (0, 1)
    )
    return one, other


class RegionGraph(NamedTuple):
    """Regions of a picture with their sizes and neighbours.

    Attributes
    ----------
    labels : int array, shape (height, width)
        Region of each pixel, 0 … n − 1.
    pixels : float64 array, shape (n,)
        Size of each region.
    first, second : int64 array, shape (pairs,)
        Neighbours, ``first < second``, sorted.
    border : int64 array, shape (pairs,)
        Number of pixel sides that a pair shares.

    Examples
    --------
    >>> graph = RegionGraph.of(np.array([[0, 0, 1], [2, 2, 1]]))
    >>> graph.first.tolist(), graph.second.tolist(), graph.border.tolist()
    ([0, 0, 1], [1, 2, 2], [1, 2, 1])
    >>> graph.along(np.eye(2, 3)).tolist()
    [0.0, 2.0, 1.0]
    """

    labels: np.ndarray
    pixels: np.ndarray
    first: np.ndarray
    second: np.ndarray
    border: np.ndarray

    @classmethod
    def of(cls, labels: np.ndarray) -> RegionGraph:
        """Graph of a label image 0 … n − 1; regions are neighbours where pixels share a side."""
        pixels = np.bincount(labels.ravel()).astype(np.float64)
        key, apart = _sides(labels, len(pixels))
        keys, border = np.unique(key[apart], return_counts=True)
        return cls(labels, pixels, keys // len(pixels), keys % len(pixels), border)

    def touches(self) -> np.ndarray:
        """Symmetric bool matrix of neighbours."""
        matrix = np.zeros((len(self.pixels), len(self.pixels)), dtype=np.bool_)
        matrix[self.first, self.second] = matrix[self.second, self.first] = True
        return matrix

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Mean of (height, width, channels) values in each region, float64 (n, channels)."""
        flat, n = self.labels.ravel(), len(self.pixels)
        sums = [np.bincount(flat, channel.ravel(), n) for channel in np.moveaxis(values, 2, 0)]
        return np.stack(sums, axis=1) / self.pixels[:, None]

    def along(self, values: np.ndarray) -> np.ndarray:
        """Sum along each border of the larger of the two (height, width) values that it separates."""
        n = len(self.pixels)
        key, apart = _sides(self.labels, n)
        row = np.searchsorted(self.first * n + self.second, key[apart])
        return np.bincount(row, np.maximum(*both_ends(values))[apart], len(self.first))


def _sides(labels: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of the pair of regions at each pixel side, and where the two differ."""
    a, b = both_ends(labels.astype(np.int64))
    return np.minimum(a, b) * n + np.maximum(a, b), a != b
