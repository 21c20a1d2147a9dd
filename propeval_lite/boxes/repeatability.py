"""Repeatability: how well the boxes of a changed picture lie on those of the picture as it was."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from propeval_lite._checks.boxes import check_boxes
from propeval_lite._checks.values import (
    as_floats,
    check_positive_int,
    check_threshold,
    fail,
)
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite._kernels.repeats import greedy_overlaps
from propeval_lite.boxes.repeated_areas import GROUPS
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.homographies import check_size

#: Of the boxes below: both end pixels belong to a box, and the first pixel is 1.
FRAME = Frame("inclusive", 1)
FLAT = 1e-12  # a homography whose determinant is smaller, compared with its entries, flattens the plane


class Repeats(NamedTuple):
    """What became of the reference boxes of one picture.

    Attributes
    ----------
    iou : float64 array, (n,)
        IoU of each reference box with the box that it was given; 0 if none was left, NaN if the box was not compared.
    n_compared, n_projected : int
        Numbers of boxes compared: of the reference, and of the perturbed picture.
    """

    iou: np.ndarray
    n_compared: int
    n_projected: int


def check_homography(matrix: object, where: str = "homography") -> np.ndarray:
    """Return a 3 x 3 matrix that can be inverted; one that flattens the plane is an error."""
    remedy = "Give a matrix that takes points of the reference picture to the perturbed one."
    h = as_floats(matrix, "a 3 x 3 matrix of numbers", remedy, where)
    if h.shape != (3, 3) or not np.isfinite(h).all():
        got = f"shape {h.shape}" if h.shape != (3, 3) else "nan or inf"
        raise fail("a 3 x 3 matrix of finite numbers", got, remedy, where)
    sizes = np.linalg.norm(h, axis=1).prod()
    if abs(np.linalg.det(h)) <= FLAT * sizes or sizes == 0:
        raise fail("a homography that can be inverted", "one that flattens the plane", remedy, where)
    return h


def project(boxes, homography, where: str = "boxes") -> np.ndarray:
    """Take boxes through a homography: its four corners, and from them an upright box again.

    Parameters
    ----------
    boxes : array, (n, 4)
        First and last pixel, x1, y1, x2, y2.
    homography : array, (3, 3)

    Returns
    -------
    float64 array, (n, 4)

    Notes
    -----
    Of the four projected corners x1 is the mean of the two smallest x and x2 that of the two largest, the same for y.
    A turned box so keeps about its area, where the box around it would grow.

    References
    ----------
    Hosang et al., §3.1.

    Examples
    --------
    >>> turned = [[0, -1, 10], [1, 0, 0], [0, 0, 1]]
    >>> project([[1, 2, 5, 4]], turned)
    array([[6., 1., 8., 5.]])
    """
    h = check_homography(homography)
    return _projected(check_boxes(boxes, where), h, where)


def _projected(boxes: np.ndarray, h: np.ndarray, where: str) -> np.ndarray:
    x, y = boxes[:, [0, 2, 2, 0]], boxes[:, [1, 1, 3, 3]]
    depth = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    if depth.size and not (depth > 0).all() and not (depth < 0).all():
        remedy = "Its horizon cuts a box: use a weaker perspective."
        raise fail("boxes on one side of the homography's horizon", "boxes on both", remedy, where)
    new_x = np.sort((h[0, 0] * x + h[0, 1] * y + h[0, 2]) / depth, axis=1)
    new_y = np.sort((h[1, 0] * x + h[1, 1] * y + h[1, 2]) / depth, axis=1)
    pairs = [new[:, ends].mean(axis=1) for ends in ([0, 1], [2, 3]) for new in (new_x, new_y)]
    return np.stack(pairs, axis=1) if len(boxes) else np.empty((0, 4))


def centre_inside(boxes: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Whether the centre of each box lies between the centres of the first and the last pixel; bool, (n,).

    Examples
    --------
    >>> centre_inside(np.array([[1, 1, 3, 3], [-4, 1, 3, 3]]), (10, 8)).tolist()
    [True, False]
    """
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    return ((middle >= 1) & (middle <= np.asarray(size))).all(axis=1)


def repeats(reference, boxes, homography, reference_size, size) -> Repeats:
    """Match the boxes of a perturbed picture, projected back, to those of the reference picture.

    Parameters
    ----------
    reference, boxes : array, (n, 4) and (m, 4)
        Boxes in the reference picture and in the perturbed one, first and last pixel, counted from 1.
    homography : array, (3, 3)
        From the reference picture to the perturbed one.
    reference_size, size : (int, int)
        Width and height of either picture.

    Returns
    -------
    Repeats

    Notes
    -----
    A box of the perturbed picture whose centre, projected back, lies outside the reference takes no part, and neither
    does a reference box whose projected centre lies outside the perturbed picture. The rest is matched one to one,
    the pair of the largest IoU first. Of equal IoUs the earlier reference box goes first, then the earlier box; with
    fewer boxes than reference boxes the other way round, as in the authors' program.

    References
    ----------
    Hosang et al., §3.1.

    Examples
    --------
    >>> found = repeats([[1, 1, 4, 4], [5, 5, 8, 8]], [[1, 1, 2, 2]], np.diag([0.5, 0.5, 1]), (8, 8), (4, 4))
    >>> found.iou.tolist()
    [0.5625, 0.0]
    """
    h = check_homography(homography)
    reference, boxes = check_boxes(reference, "reference"), check_boxes(boxes, "boxes")
    back = _projected(boxes, np.linalg.inv(h), "boxes")
    there = centre_inside(_projected(reference, h, "reference"), check_size(size))
    back = back[centre_inside(back, check_size(reference_size, "reference_size"))]
    iou = np.full(len(reference), np.nan)
    iou[there] = match_greedily(reference[there], back)
    return Repeats(iou, int(there.sum()), len(back))


def match_greedily(reference: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """IoU of each reference box with its partner of the greedy one-to-one matching, 0 where it has none; (n,).

    Examples
    --------
    >>> match_greedily(np.array([[1, 1, 2, 2], [1, 1, 2, 1.0]]), np.array([[1, 1, 2, 1.0]])).tolist()
    [0.0, 1.0]
    """
    if len(reference) <= len(boxes):
        return greedy_overlaps(reference, boxes, FRAME.extra)[0]
    iou, match = greedy_overlaps(boxes, reference, FRAME.extra)
    given = np.zeros(len(reference))
    given[match[match >= 0]] = iou[match >= 0]
    return given


def size_groups(boxes, size: tuple[int, int], n: int = GROUPS) -> np.ndarray:
    """Group of each box by the square root of its share of the picture; int64 from 0, (n_boxes,).

    Parameters
    ----------
    boxes : array, (n_boxes, 4)
    size : (int, int)
        Of the picture.
    n : int
        Groups of equal width 1 / n; the last one has no upper end.

    Examples
    --------
    >>> size_groups([[1, 1, 10, 10], [1, 1, 100, 100]], (100, 100)).tolist()
    [1, 9]
    """
    n = check_positive_int(n, "groups")
    width, height = check_size(size)
    share = np.sqrt(FRAME.areas(check_boxes(boxes, "boxes")) / (width * height))
    ends = np.arange(1, n) / n
    return np.searchsorted(ends, share, side="right").astype(np.int64)


def touches(boxes, objects, tau: float = 0.5) -> np.ndarray:
    """Whether each box overlaps some object with at least `tau`; bool, (n,).

    Examples
    --------
    >>> touches([[1, 1, 10, 10], [1, 1, 4, 10]], [[1, 1, 10, 9]]).tolist()
    [True, False]
    """
    nobody = np.empty((0, 4))
    table = pair_overlaps(check_boxes(objects, "objects"), nobody, check_boxes(boxes, "boxes"), FRAME.extra)
    return table.max(axis=0, initial=0) >= float(check_threshold(tau))
