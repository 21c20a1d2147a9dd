"""Foreground masks: precision, recall, F and Jaccard of pixels, and F of their boundaries (§2)."""

from __future__ import annotations

import math

import numpy as np

from propeval_lite._checks.values import check_choice, fail, unmasked
from propeval_lite._kernels.boundaries import dilate
from propeval_lite.partitions.boundaries import BoundaryCounts, contours, fb_counts, offsets_within


def precision(truth: object, mask: object) -> float:
    r"""Fraction of the mask's pixels that belong to the object.

    Parameters
    ----------
    truth, mask : bool array, the same shape
        Pixels of the object and of the mask to judge; the numbers 0 and 1 may stand for bool.

    Returns
    -------
    float
        In [0, 1]; NaN if the mask has no foreground.

    Notes
    -----
    :math:`|TP| / |P_m|` with the true positives :math:`TP = P_m \cap P_{gt}`.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.1.

    Examples
    --------
    >>> precision([1, 1, 1, 0], [0, 0, 1, 1]), round(recall([1, 1, 1, 0], [0, 0, 1, 1]), 4)
    (0.5, 0.3333)
    """
    shared, _, found = _counts(truth, mask)
    return shared / found if found else math.nan


def recall(truth: object, mask: object) -> float:
    r"""Fraction of the object's pixels that the mask holds.

    Parameters
    ----------
    truth, mask : bool array, the same shape
        See `precision`.

    Returns
    -------
    float
        In [0, 1]; NaN if the object has no pixel.

    Notes
    -----
    :math:`|TP| / |P_{gt}|`.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.1.

    Examples
    --------
    >>> recall([1, 1, 1, 1], [0, 0, 1, 1])
    0.5
    """
    shared, present, _ = _counts(truth, mask)
    return shared / present if present else math.nan


def f_measure(truth: object, mask: object) -> float:
    r"""F measure (Dice coefficient) of two masks.

    Parameters
    ----------
    truth, mask : bool array, the same shape
        See `precision`.

    Returns
    -------
    float
        In [0, 1]; symmetric. NaN if neither has foreground, 0 if only one has.

    Notes
    -----
    :math:`F = 2 |TP| / (2 |TP| + |FN| + |FP|)`, the harmonic mean of precision and recall.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.1, eq. (1).

    Examples
    --------
    >>> f_measure([1, 1, 1, 0], [0, 0, 1, 1])
    0.4
    """
    shared, present, found = _counts(truth, mask)
    return 2 * shared / (present + found) if present + found else math.nan


def jaccard(truth: object, mask: object) -> float:
    r"""Jaccard index (intersection over union) of two masks.

    Parameters
    ----------
    truth, mask : bool array, the same shape
        See `precision`.

    Returns
    -------
    float
        In [0, 1]; symmetric. NaN if neither has foreground, 0 if only one has.

    Notes
    -----
    :math:`J = |TP| / (|TP| + |FN| + |FP|) = F / (2 - F)`.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.2, eq. (2), and §2.1.3.

    Examples
    --------
    >>> jaccard([1, 1, 1, 0], [0, 0, 1, 1])
    0.25
    """
    shared, present, found = _counts(truth, mask)
    return shared / (present + found - shared) if present + found else math.nan


def j_from_f(f):
    """Jaccard index that belongs to an F measure.

    Parameters
    ----------
    f : float or array
        F measures in [0, 1].

    Returns
    -------
    float or array
        ``f / (2 - f)``.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.3 and fig. 2.

    Examples
    --------
    >>> j_from_f(0.4)
    0.25
    """
    f = _check_unit(f, "f")
    return f / (2 - f)


def f_from_j(j):
    """F measure that belongs to a Jaccard index, the inverse of `j_from_f`.

    Parameters
    ----------
    j : float or array
        Jaccard indices in [0, 1].

    Returns
    -------
    float or array
        ``2 j / (1 + j)``.

    References
    ----------
    Pont-Tuset & Marqués, §2.1.3.

    Examples
    --------
    >>> f_from_j(0.25)
    0.4
    """
    j = _check_unit(j, "j")
    return 2 * j / (1 + j)


def boundary_counts(
    truth: object, mask: object, tolerance: float = 0.0075, method: str = "matching"
) -> BoundaryCounts:
    """Count the contour pixels of two masks that agree.

    Parameters
    ----------
    truth, mask : bool array, shape (height, width)
        See `precision`.
    tolerance, method
        See `boundary_f`.

    Returns
    -------
    BoundaryCounts
        Call ``.scores()`` for F, precision and recall.

    Examples
    --------
    The left third of an image against its left half: the edges are one pixel apart.

    >>> truth, mask = np.zeros((3, 6), dtype=bool), np.zeros((3, 6), dtype=bool)
    >>> truth[:, :2] = mask[:, :3] = True
    >>> boundary_counts(truth, mask, tolerance=0.2, method="morphological")
    BoundaryCounts(matched_truth=3, truth=3, matched_partition=3, partition=3)
    >>> boundary_counts(truth, mask, tolerance=0.1, method="morphological").matched_truth
    0
    """
    check_choice(method, ("matching", "morphological"), "method")
    reference, found = (contours(side.astype(np.int64)) for side in _masks(truth, mask))
    if method == "matching":
        return fb_counts(found, [reference], tolerance)
    offsets = offsets_within(found.shape, tolerance)
    return BoundaryCounts(
        int((reference & dilate(found, offsets)).sum()),
        int(reference.sum()),
        int((found & dilate(reference, offsets)).sum()),
        int(found.sum()),
    )


def boundary_f(truth: object, mask: object, tolerance: float = 0.0075, method: str = "matching") -> float:
    r"""F measure of the boundaries of two masks.

    Parameters
    ----------
    truth, mask : bool array, shape (height, width)
        See `precision`. The border of the image is not part of a boundary.
    tolerance : float
        Distance within which boundaries agree, as a fraction of the image's diagonal, in [0, 1).
    method : {"matching", "morphological"}
        Match the thinned contour pixels one to one (exact), or count those that fall on the other contour
        dilated by a disk (fast; never smaller than the exact value).

    Returns
    -------
    float
        In [0, 1]; symmetric. NaN if neither mask has a contour, 0 if only one has.

    References
    ----------
    Pont-Tuset & Marqués, §2.2.

    Examples
    --------
    A square against itself shifted by one pixel agrees as soon as the tolerance spans that pixel:

    >>> square = np.zeros((10, 10), dtype=bool)
    >>> square[2:6, 2:6] = True
    >>> shifted = np.roll(square, 1, axis=0)
    >>> boundary_f(square, square, 0), boundary_f(square, shifted, 0.08)
    (1.0, 1.0)
    >>> boundary_f(square, shifted, 0) < 1
    True
    """
    return boundary_counts(truth, mask, tolerance, method).scores()[0]


def _counts(truth: object, mask: object) -> tuple[int, int, int]:
    """Pixels shared, of the truth and of the mask."""
    reference, found = _masks(truth, mask)
    return (
        int(np.count_nonzero(reference & found)),
        int(np.count_nonzero(reference)),
        int(np.count_nonzero(found)),
    )


def _masks(truth: object, mask: object) -> tuple[np.ndarray, np.ndarray]:
    reference, found = _mask(truth, "truth"), _mask(mask, "mask")
    if reference.shape != found.shape:
        raise fail(
            f"the truth's shape {reference.shape}",
            f"shape {found.shape}",
            "Give masks of the same image, not transposed or resized.",
            "mask",
        )
    return reference, found


def _mask(mask: object, where: str) -> np.ndarray:
    array = unmasked(mask, where)
    if array.size == 0:
        raise fail("at least one pixel", f"shape {array.shape}", "Give a value for every pixel.", where)
    if array.dtype == np.bool_:
        return array
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 1:
        span = f" from {array.min()} to {array.max()}" if array.dtype.kind in "iuf" else ""
        raise fail(
            "a mask of bool or of the whole numbers 0 and 1",
            f"{array.dtype.name} values{span}",
            "Threshold the values or compare them with one label.",
            where,
        )
    return array.astype(np.bool_)


def _check_unit(value: object, name: str):
    array = unmasked(value, name)
    if array.dtype.kind not in "fiu" or not ((array >= 0) & (array <= 1) | np.isnan(array)).all():
        raise fail(f"{name} in [0, 1]", repr(value), "F measures and Jaccard indices are fractions.")
    return value if array.ndim == 0 else array
