"""Partitions cut from published contour hierarchies (gPb-OWT-UCM and others in its format)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from propeval_lite._checks.values import fail
from propeval_lite.datasets.files import read_mat
from propeval_lite.segmenters.hierarchies import ucm_hierarchy


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
