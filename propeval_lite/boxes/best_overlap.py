"""Average best overlap: the mean IoU of the objects, over all or by category."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.values import fail
from propeval_lite.boxes.curves import Curve, make_curve, mean_over
from propeval_lite.boxes.table import Overlaps, check_overlaps


def abo(overlaps: Overlaps, average: str = "object") -> Curve:
    """Average best overlap: the mean IoU of the objects, for each budget.

    Parameters
    ----------
    overlaps : Overlaps
        Of ``matching="best"`` for the ABO of the literature; with a one-to-one matching the mean IoU
        assigned.
    average : {"object", "image"}
        As in :func:`recall`.

    Returns
    -------
    Curve
        Indexed by budget; NaN where there are no objects.

    Notes
    -----
    ``(1/n) Σ_i max_j IoU(o_i, b_j)``.

    References
    ----------
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3, eq. 3.

    Examples
    --------
    >>> table = Overlaps.from_iou([[1], [0.75], [0]], budgets=[100], image_row=[0, 1, 1])
    >>> round(float(abo(table)), 4)
    0.5833
    """
    iou = check_overlaps(overlaps).assigned_iou("abo")
    return make_curve(overlaps, mean_over(overlaps, iou, average), "ABO", average)


def mabo(overlaps: Overlaps) -> Curve:
    """Mean over the categories of their average best overlap, for each budget.

    Parameters
    ----------
    overlaps : Overlaps
        Of ``matching="best"`` for the MABO of the literature. Categories without objects are left out.

    Returns
    -------
    Curve
        Indexed by budget; NaN where there are no objects.

    References
    ----------
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3.

    Examples
    --------
    Category "cup" has the IoUs 1 and 0, "pot" has 0.75.

    >>> kinds = ["cup", "pot", "cup"]
    >>> table = Overlaps.from_iou([[1], [0.75], [0]], budgets=[100], image_row=[0, 1, 1], category=kinds)
    >>> float(mabo(table))
    0.625
    """
    iou = check_overlaps(overlaps).assigned_iou("mabo")
    codes = overlaps.category_code
    if (codes < 0).any():
        row = overlaps.object_row[np.argmax(codes < 0)]
        raise fail("a category for every object", f"none in row {row}", "Fill in the category.",
                   f"{overlaps.conventions['dataset']}: objects table")  # fmt: skip
    counts = np.bincount(codes)
    present = counts > 0
    if not present.any():
        return make_curve(overlaps, np.full(iou.shape[1], np.nan), "MABO", "category")
    sums = np.stack([np.bincount(codes, weights=column) for column in iou.T], axis=1)
    return make_curve(
        overlaps, (sums[present] / counts[present, np.newaxis]).mean(axis=0), "MABO", "category"
    )
