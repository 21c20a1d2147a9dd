"""The lattice of box corners on which chance is counted: checks, and how a data set gets there."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from propeval_lite._checks.boxes import BOX_COLUMNS, check_boxes
from propeval_lite._checks.values import as_floats, check_choice, check_flag, fail, unmasked
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame

INT64_MAX = int(np.iinfo(np.int64).max)


def count_candidates(sizes) -> np.ndarray | np.int64:
    """Count the boxes of an image whose corners lie on the lattice 1..W, 1..H.

    Parameters
    ----------
    sizes : array_like of int, shape (2,) or (n, 2)
        Width W and height H of each image, at least 2 x 2.

    Returns
    -------
    int64 or ndarray of int64, shape (n,)
        ``C(W, 2) C(H, 2) = W (W - 1) H (H - 1) / 4``. A count of 2**63 or more is an error.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.1, eq. 4.

    Examples
    --------
    >>> int(count_candidates((3, 2)))
    3
    >>> count_candidates([(500, 375), (2, 2)])
    array([8748093750,          1])
    """
    checked = check_sizes(sizes).tolist()
    totals = [(w * (w - 1) // 2) * (h * (h - 1) // 2) for w, h in checked]
    for (w, h), total in zip(checked, totals, strict=True):
        if total > INT64_MAX:
            got, remedy = f"{total} in an image of {w} x {h}", "Scale the image and its boxes down."
            raise fail("a number of candidates below 2**63", got, remedy, "sizes")
    counts = np.array(totals, dtype=np.int64)
    return counts[0] if np.ndim(sizes) == 1 and len(counts) else counts


def object_lattice(
    dataset: Dataset, rows=None, lattice: str | None = None, round: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Put the objects of a data set on the lattice of corners of their images.

    Parameters
    ----------
    dataset : Dataset
    rows : array of int, optional
        Rows of ``dataset.objects``; all of them by default.
    lattice : {"pixels", "edges"}, optional
        "pixels": corners are the first and the last pixel of the box, W of them per row, and a box is as wide
        as the distance between the two, which is the paper's choice. "edges": corners are edges of pixels,
        W + 1 of them per row, and a box is as wide as the number of its pixels. By default "pixels" where
        the data set's boxes are "inclusive" (VOC), "edges" where they are "edges" (COCO).
    round : bool
        Allow boxes off the lattice: move each corner to the nearest point, or outward where that would leave
        no area, and into the image. Without it such a box is an error.

    Returns
    -------
    boxes : ndarray, shape (n, 4)
        Corners x1, y1, x2, y2 on the lattice 1..W, 1..H of `sizes`.
    sizes : ndarray of int64, shape (n, 2)
        Number of lattice points along x and y.

    Examples
    --------
    >>> import pandas as pd
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [20], "height": [10]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", "x1": 1, "y1": 1,
    ...                         "x2": 5, "y2": 10, "ignore": False})
    >>> voc = Dataset("cup", images, objects, pixels="inclusive", origin=1)
    >>> boxes, sizes = object_lattice(voc)
    >>> boxes.tolist(), sizes.tolist()
    ([[1.0, 1.0, 5.0, 10.0]], [[20, 10]])
    >>> boxes, sizes = object_lattice(voc, lattice="edges")
    >>> boxes.tolist(), sizes.tolist()
    ([[1.0, 1.0, 6.0, 11.0]], [[21, 11]])
    """
    lattice = choose_lattice(check_dataset(dataset), lattice)
    round = check_flag(round, "round")
    objects = (
        dataset.objects if rows is None else dataset.objects.iloc[_check_rows(rows, len(dataset.objects))]
    )
    corners = objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
    images = dataset.images[["width", "height"]].to_numpy(dtype=np.int64)
    sizes = images[dataset.image_rows(objects["image_id"])]
    # Points are counted from 1: the first and the last pixel of a box, or its edges, of which there is one more.
    points = Frame("inclusive" if lattice == "pixels" else "edges", 1)
    corners = Frame.of(dataset).convert(corners, points)
    sizes = sizes + int(1 - points.extra)
    if round:
        corners = _to_nearest(corners, sizes)
    check_lattice(corners, sizes, f"{dataset.name}: objects on the lattice {lattice!r}")
    return corners, sizes


def choose_lattice(dataset: Dataset, lattice: str | None) -> str:
    """Return the lattice asked for, or the one that goes with the data set's boxes."""
    if lattice is None:
        return "pixels" if dataset.pixels == "inclusive" else "edges"
    return check_choice(lattice, ("pixels", "edges"), "lattice")


def _check_rows(rows, n_objects: int) -> np.ndarray:
    array = unmasked(rows, "rows")
    if array.dtype.kind not in "iu" or array.ndim != 1 or ((array < 0) | (array >= n_objects)).any():
        remedy = "Give a list of rows of dataset.objects."
        raise fail(f"whole numbers from 0 to {n_objects - 1}", repr(rows), remedy, "rows")
    return array


def check_sizes(sizes, where: str = "sizes") -> np.ndarray:
    """Return image sizes as an (n, 2) int64 array of whole widths and heights >= 2."""
    array = np.atleast_2d(
        as_floats(sizes, "numbers width, height", "Give width and height of each image.", where)
    )
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        shape = f"shape {np.shape(sizes)}"
        raise fail("shape (2,) or (n, 2)", shape, "Give width and height of each image.", where)
    bad = ~((array >= 2) & (array < 2.0**31) & (array == np.floor(array))).all(axis=1)
    if bad.any():
        row = np.flatnonzero(bad)[0]
        got = f"{array[row, 0]:g} x {array[row, 1]:g} in row {row}"
        remedy = "A smaller image has no box with corners on its lattice."
        raise fail("whole widths and heights from 2 to 2**31 - 1", got, remedy, where)
    return array.astype(np.int64)


def check_lattice(boxes, sizes, where: str = "boxes") -> np.ndarray:
    """Return objects on their lattices as (n, 6) int64 rows x1, y1, x2, y2, W, H."""
    corners = check_boxes(boxes, where)
    extents = check_sizes(sizes)
    if len(extents) == 1:
        extents = np.repeat(extents, len(corners), axis=0)
    if len(extents) != len(corners):
        raise fail(
            f"one size, or one for each of the {len(corners)} boxes",
            f"{len(extents)} sizes",
            "Give sizes of shape (2,) or (n, 2).",
            where,
        )
    count_candidates(np.unique(extents, axis=0))
    checks = (
        (
            corners != np.floor(corners),
            "whole coordinates, on the lattice",
            "Round the boxes, in object_lattice, oma and average_oma with round=True.",
        ),
        (corners < 1, "corners at 1 or above", "The lattice starts at 1: add 1 to 0-based corners."),
        (
            corners > np.tile(extents, 2),
            "corners inside the image, at most W and H",
            "Clip the box, or check that sizes are width, height.",
        ),
        (
            corners[:, 2:] <= corners[:, :2],
            "boxes with area, x1 < x2 and y1 < y2",
            'Remove it; for boxes one pixel wide count on the lattice "edges".',
        ),
    )
    for bad, expected, remedy in checks:
        rows = np.flatnonzero(bad.any(axis=1))
        if rows.size:
            row = rows[0]
            box = ", ".join(f"{value:g}" for value in corners[row])
            size = f"{extents[row, 0]} x {extents[row, 1]}"
            raise fail(expected, f"box {box} of row {row} in an image of {size}", remedy, where)
    return np.column_stack([corners.astype(np.int64), extents])


def fit_threshold(tau: Fraction, cases: np.ndarray) -> tuple[int, int]:
    """Return p, q that decide every IoU of these images as `tau` does and keep all products within 63 bits.

    An IoU of the image is a fraction with a denominator of at most (W - 1)(H - 1), so a threshold with a
    larger denominator may be replaced by the next such fraction above it.
    """
    largest = int(np.max((cases[:, 4] - 1) * (cases[:, 5] - 1), initial=1))
    if tau.denominator > largest:
        nearest = tau.limit_denominator(largest)
        tau = nearest if nearest >= tau else _next_fraction(nearest, largest)
    p, q = tau.numerator, tau.denominator
    if 4 * (p + q) * largest > INT64_MAX:
        got = f"p/q = {p}/{q} and (W - 1)(H - 1) = {largest}"
        remedy = "Use a threshold with fewer digits or a smaller image."
        raise fail("an image and a threshold p/q with 4 (p + q)(W - 1)(H - 1) < 2**63", got, remedy)
    return p, q


def _next_fraction(value: Fraction, limit: int) -> Fraction:
    """Return the fraction after `value` among those with denominators up to `limit` (neighbours of Farey)."""
    a, b = value.numerator, value.denominator
    # c/d follows a/b when b c - a d = 1: that fixes d modulo b, and the largest d is the closest.
    remainder = -pow(a, -1, b) % b if b > 1 else 0
    d = limit - (limit - remainder) % b
    return Fraction(1 + a * d, b * d)


def _to_nearest(corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Move corners to lattice points of the image, keeping an area."""
    moved = np.floor(corners + 0.5)
    empty = moved[:, 2:] <= moved[:, :2]
    low = np.where(empty, np.floor(corners[:, :2]), moved[:, :2])
    high = np.where(empty, np.maximum(np.ceil(corners[:, 2:]), low + 1), moved[:, 2:])
    low = np.clip(low, 1, sizes - 1)
    return np.hstack([low, np.clip(high, low + 1, sizes)])
