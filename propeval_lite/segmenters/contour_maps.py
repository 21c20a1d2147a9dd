"""Contour maps (gPb-OWT-UCM and others in its format): read, and cut into partitions at every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from propeval_lite._checks.values import as_floats, fail
from propeval_lite._kernels.joining import sweep
from propeval_lite.datasets.files import read_mat
from propeval_lite.superpixels.tree import MergeTree


def ucm_tree(ucm2: object, thresholds: Sequence[float] | np.ndarray) -> tuple[MergeTree, np.ndarray]:
    """Merge the regions of an ultrametric contour map in the order of rising thresholds.

    Parameters
    ----------
    ucm2 : float array, shape (2 h + 1, 2 w + 1)
        Contour strengths on the doubled grid: pixels at odd rows and columns (0 there), contours between them.
    thresholds : sequence of float
        Rising. At t the regions are the 8-connected components of ``ucm2 <= t``.

    Returns
    -------
    tree : MergeTree
        Leaves are the regions at the lowest threshold, numbered row by row; from one sweep over the map.
    counts : int64 array, shape (levels,)
        Merges up to each threshold: ``tree.after(counts[level])`` is the partition there.

    Examples
    --------
    Two pixels with a contour of strength 0.5 between them:

    >>> ucm2 = np.zeros((3, 5))
    >>> ucm2[:, 2] = 0.5
    >>> tree, counts = ucm_tree(ucm2, [0.1, 0.5])
    >>> [tree.after(count).tolist() for count in counts]
    [[[0, 1]], [[0, 0]]]
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
    labels, pairs, counts = sweep(opened, len(levels))
    return MergeTree.of_pairs(labels.reshape(pixels.shape), pairs), counts


def ucm_partitions(ucm2: object, thresholds: Sequence[float]) -> list[np.ndarray]:
    """Cut an ultrametric contour map; the partition at each threshold.

    Parameters
    ----------
    ucm2 : float array, shape (2 h + 1, 2 w + 1)
        Contour strengths on the doubled grid, see `ucm_tree`.
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
    tree, counts = ucm_tree(ucm2, wanted)
    return [tree.after(count) for count in counts[place]]


def read_ucm2(folder: str | Path, image_id: object) -> np.ndarray:
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
    return np.asarray(read_mat(ucm2_file(folder, image_id), ("ucm2",))["ucm2"], dtype=np.float64)


def ucm2_file(folder: str | Path, image_id: object) -> Path:
    """Return the file of an image's map; one that is not there is an error."""
    file = Path(folder) / f"{image_id}.mat"
    if not file.is_file():
        raise fail(
            f"a contour map {file.name}", "no such file", "Give the folder of this split.", str(folder)
        )
    return file
