"""Contour maps (gPb-OWT-UCM and others in its format): read, and cut into partitions at every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from propeval_lite._checks.values import as_floats, fail
from propeval_lite._kernels.trees import sweep
from propeval_lite.datasets.files import read_mat


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Partitions of one image at rising thresholds, each a merging of the one before.

    Attributes
    ----------
    base : int64 array, shape (height, width)
        Partition at the lowest threshold, regions numbered 0, 1, … in row-by-row order.
    thresholds : float64 array, shape (levels,)
        Rising.
    into : int64 array, shape (levels, regions of base)
        Region that each base region belongs to at each threshold, numbered in row-by-row order.
    """

    base: np.ndarray
    thresholds: np.ndarray
    into: np.ndarray

    def partition(self, level: int) -> np.ndarray:
        """Label array at ``thresholds[level]``."""
        return self.into[level][self.base]

    @property
    def n_regions(self) -> np.ndarray:
        """Number of regions at each threshold."""
        return self.into.max(axis=1) + 1


def ucm_hierarchy(ucm2: object, thresholds: Sequence[float]) -> Hierarchy:
    """Cut an ultrametric contour map at several thresholds.

    Parameters
    ----------
    ucm2 : float array, shape (2 h + 1, 2 w + 1)
        Contour strengths on the doubled grid: pixels at odd rows and columns (0 there), contours between them.
    thresholds : sequence of float
        Rising. At t the regions are the 8-connected components of ``ucm2 <= t``.

    Returns
    -------
    Hierarchy
        All thresholds from one sweep over the map.

    Examples
    --------
    Two pixels with a contour of strength 0.5 between them:

    >>> ucm2 = np.zeros((3, 5))
    >>> ucm2[:, 2] = 0.5
    >>> hierarchy = ucm_hierarchy(ucm2, [0.1, 0.5])
    >>> hierarchy.partition(0).tolist(), hierarchy.partition(1).tolist()
    ([[0, 1]], [[0, 0]])
    """
    strengths = as_floats(ucm2, "an array of numbers", "Pass the doubled map ucm2.", "ucm2")
    levels = as_floats(thresholds, "rising thresholds", "Give numbers.", "thresholds")
    if strengths.ndim != 2 or any(side < 3 or side % 2 == 0 for side in strengths.shape):
        raise fail(
            "shape (2 h + 1, 2 w + 1)",
            f"shape {strengths.shape}",
            "Pass the doubled map ucm2, not the one of the image's size.",
            "ucm2",
        )
    if np.isnan(strengths).any():
        raise fail("a strength at every place", "NaN", "Repair the map.", "ucm2")
    if levels.ndim != 1 or not len(levels) or np.isnan(levels).any() or not (np.diff(levels) > 0).all():
        raise fail("rising thresholds", thresholds, "Sort them and remove repeats.", "thresholds")
    pixels = strengths[1::2, 1::2]
    if not (pixels <= levels[0]).all():
        raise fail(
            f"pixels not above the lowest threshold {levels[0]}",
            f"{pixels.max()} at an odd row and column",
            "Pixels hold 0 in a ucm2; check that the map is not shifted by one.",
            "ucm2",
        )
    opened = np.searchsorted(levels, strengths.ravel(), side="left").reshape(strengths.shape)
    base, into = sweep(opened, len(levels))
    return Hierarchy(base, levels, into)


def ucm_partitions(ucm2: object, thresholds: Sequence[float]) -> list[np.ndarray]:
    """Cut an ultrametric contour map; the partition at each threshold.

    Parameters
    ----------
    ucm2 : float array, shape (2 h + 1, 2 w + 1)
        Contour strengths on the doubled grid, see `ucm_hierarchy`.
    thresholds : sequence of float
        In any order; larger ones give fewer regions.

    Returns
    -------
    list of int32 array, shape (h, w)

    Examples
    --------
    >>> ucm2 = np.zeros((3, 5))
    >>> ucm2[:, 2] = 0.5
    >>> [cut.tolist() for cut in ucm_partitions(ucm2, [0.5, 0.1])]
    [[[0, 0]], [[0, 1]]]
    """
    wanted, place = np.unique(np.asarray(thresholds, dtype=np.float64), return_inverse=True)
    hierarchy = ucm_hierarchy(ucm2, wanted)
    return [hierarchy.partition(level).astype(np.int32) for level in place]


def read_ucm2(folder: object, image_id: object) -> np.ndarray:
    """Read the map ``ucm2`` of one image from ``FOLDER/IMAGE_ID.mat``.

    Parameters
    ----------
    folder : str or Path
        Folder of one split, as published.
    image_id : str
        Name of the file without ending.

    Returns
    -------
    float64 array, shape (2 h + 1, 2 w + 1)
    """
    file = Path(folder) / f"{image_id}.mat"
    if not file.is_file():
        raise fail(
            f"a contour map {file.name}", "no such file", "Give the folder of this split.", str(folder)
        )
    return np.asarray(read_mat(file, ("ucm2",))["ucm2"], dtype=np.float64)
