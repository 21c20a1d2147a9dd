"""Boundaries: contours of partitions, their matching within a tolerance, and precision-recall for boundaries (§3.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from propeval_lite._checks.values import check_flag, check_labels, check_number, check_truths, fail, unmasked
from propeval_lite._kernels import boundaries as kernels
from propeval_lite._kernels.bipartite import cheapest_maximum_matching
from propeval_lite.partitions.precision_recall import f_of_counts


class BoundaryCounts(NamedTuple):
    """Contour pixels matched and present; the counts of several images may be added.

    Attributes
    ----------
    matched_truth, truth : int
        Pixels of all truths' contours that are matched, and all of them (``cntR`` and ``sumR`` of BSDS).
    matched_partition, partition : int
        Pixels of the partition's contour matched in at least one truth, and all of them (``cntP``, ``sumP``).
    """

    matched_truth: int
    truth: int
    matched_partition: int
    partition: int

    def scores(self) -> tuple[float, float, float]:
        """Return F, precision and recall.

        Precision is NaN without partition contours, recall is NaN without truth contours. F is NaN only without
        either; with one of them it is 0, since nothing is matched.

        Examples
        --------
        >>> BoundaryCounts(3, 4, 1, 2).scores()
        (0.6, 0.5, 0.75)
        >>> BoundaryCounts(0, 4, 0, 0).scores()
        (0.0, nan, 0.0)
        """
        precision = self.matched_partition / self.partition if self.partition else math.nan
        recall = self.matched_truth / self.truth if self.truth else math.nan
        return f_of_counts(*self), precision, recall


def contours(labels: object, thin: bool = True) -> np.ndarray:
    """Contour pixels of a partition.

    Parameters
    ----------
    labels : int array, shape (height, width)
        Label of each pixel, >= 0.
    thin : bool
        Thin the contours to a width of one pixel, as the BSDS benchmark does.

    Returns
    -------
    bool array, shape (height, width)
        A pixel is on the contour if it differs from its neighbour to the east, south or south-east. The border
        of the image is no contour; a partition with one region has none.

    Examples
    --------
    >>> contours([[0, 0, 1], [0, 0, 1]]).astype(int).tolist()
    [[0, 1, 0], [0, 1, 0]]
    """
    check_flag(thin, "thin")
    found = kernels.contour_map(_image_of(check_labels(labels, "labels"), "labels"))
    return thinned(found) if thin else found


def thinned(contour: object) -> np.ndarray:
    """Thin a contour map until it is one pixel wide (Guo and Hall's two-step algorithm).

    Parameters
    ----------
    contour : bool array, shape (height, width)
        Contour map.

    Returns
    -------
    bool array, shape (height, width)
        A subset of `contour` with the same connected components.

    Examples
    --------
    >>> thinned(np.ones((3, 5), dtype=bool)).astype(int).tolist()
    [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    """
    return kernels.thin_map(_contour_map(contour, "contour"), kernels.FIRST_HALF, kernels.SECOND_HALF)


def match_contours(
    truth: object, contour: object, tolerance: float = 0.0075
) -> tuple[np.ndarray, np.ndarray]:
    r"""Match the pixels of two contour maps one to one.

    Parameters
    ----------
    truth, contour : bool array, shape (height, width)
        Contour maps, used as they are.
    tolerance : float
        Largest distance of a matched pair, as a fraction of the image's diagonal, in [0, 1).

    Returns
    -------
    truth_matched, contour_matched : bool array, shape (height, width)
        Pixels of each map that have a partner; equally many.

    Notes
    -----
    Pixels may be paired at Euclidean distances up to ``tolerance`` × :math:`\sqrt{h^2 + w^2}`. Of the matchings
    with the most pairs one of least total distance is taken; the search is exact and deterministic. The code in
    common use joins each pixel to a few *random* stand-ins for "no partner" and solves that assignment, so a few
    pairs are lost and the choice between equally good matchings changes from run to run: its counts vary slightly.

    Examples
    --------
    >>> a = np.zeros((3, 4), dtype=bool)
    >>> b = a.copy()
    >>> a[:, 1] = True
    >>> b[1:, 2] = True
    >>> [side.sum(axis=0).tolist() for side in match_contours(a, b, tolerance=0.2)]
    [[0, 2, 0, 0], [0, 0, 2, 0]]
    """
    reference, found = _contour_map(truth, "truth"), _contour_map(contour, "contour")
    _check_same_shape(found, reference, "truth")
    partner = _partners(found, reference, offsets_within(found.shape, tolerance))
    matched = partner >= 0
    return _subset(reference, partner[matched]), _subset(found, np.flatnonzero(matched))


def fb_counts(partition: object, truths: Iterable, tolerance: float = 0.0075) -> BoundaryCounts:
    """Count matched contour pixels as the BSDS benchmark does.

    Parameters
    ----------
    partition, truths, tolerance
        See `fb`.

    Returns
    -------
    BoundaryCounts
        Add the counts of the images of a data set (``BoundaryCounts(*map(sum, zip(*counts)))``) and call
        ``.scores()`` for its F measure.

    Examples
    --------
    The partition's contour is that of the first truth; the second truth has none.

    >>> fb_counts([[0, 1], [0, 1]], [[[0, 1], [0, 1]], [[0, 0], [0, 0]]])
    BoundaryCounts(matched_truth=2, truth=2, matched_partition=2, partition=2)
    """
    found = _contour_or_labels(partition, "partition")
    references = [_contour_or_labels(truth, f"truth {k}") for k, truth in enumerate(check_truths(truths))]
    if not references:
        raise fail("at least one truth", "none", "Give a list with one or more arrays.", "truths")
    offsets = offsets_within(found.shape, tolerance)
    matched_truth = 0
    matched = np.zeros(int(found.sum()), dtype=np.bool_)
    for k, reference in enumerate(references):
        _check_same_shape(found, reference, f"truth {k}")
        partner = _partners(found, reference, offsets)
        matched |= partner >= 0
        matched_truth += int((partner >= 0).sum())
    present = sum(int(reference.sum()) for reference in references)
    return BoundaryCounts(matched_truth, present, int(matched.sum()), len(matched))


def fb(partition: object, truths: Iterable, tolerance: float = 0.0075) -> tuple[float, float, float]:
    r"""F measure, precision and recall for boundaries.

    Parameters
    ----------
    partition : int or bool array, shape (height, width)
        Labels >= 0, whose contours are extracted and thinned (see `contours`), or a bool contour map, used as
        it is.
    truths : sequence of int or bool arrays, shape (height, width)
        At least one; labels or contour maps likewise.
    tolerance : float
        Largest distance of matched pixels as a fraction of the image's diagonal, in [0, 1).

    Returns
    -------
    f, precision, recall : float
        In [0, 1]. Precision is NaN if the partition has no contour, recall is NaN if no truth has one; F is 0
        if only one of them has contours and NaN if neither has.

    Notes
    -----
    The contour of the partition is matched to that of each truth (see `match_contours`). Recall divides the
    matched pixels of all truths by all their pixels; a pixel of the partition counts for precision if it is
    matched in at least one truth. Over a data set the paper averages precision and recall over the images; the BSDS
    benchmark adds the four counts of `fb_counts` (see `propeval_lite.meta.summaries.summarise`).

    References
    ----------
    Pont-Tuset & Marqués, §3.3; the tolerance of 0.75 % of the diagonal is that of the BSDS benchmark.

    Examples
    --------
    The truth's contour has one pixel more than the partition's:

    >>> truth = [[0, 0, 1], [0, 0, 1], [0, 0, 1]]
    >>> partition = np.zeros((3, 3), dtype=bool)
    >>> partition[:2, 1] = True
    >>> f, precision, recall = fb(partition, [truth])
    >>> round(f, 3), precision, round(recall, 3)
    (0.8, 1.0, 0.667)
    """
    return fb_counts(partition, truths, tolerance).scores()


def offsets_within(shape: tuple[int, int], tolerance: float) -> np.ndarray:
    """List the steps (rows, columns) not longer than a fraction of the diagonal of an image, shortest first.

    Examples
    --------
    >>> offsets_within((3, 4), 0.2).tolist()
    [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]]
    """
    remedy = "Give it as a fraction of the image's diagonal, not in pixels."
    check_number(tolerance, "a tolerance in [0, 1)", lambda share: 0 <= share < 1, remedy)
    longest = float(tolerance) * math.hypot(*shape)
    reach = int(longest)
    steps = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1).T
    squares = (steps**2).sum(axis=1)
    near = squares <= longest * longest
    return np.ascontiguousarray(steps[near][np.argsort(squares[near], kind="stable")])


def _partners(contour: np.ndarray, reference: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Partner of each contour pixel among the reference's pixels, both in row-major order; -1 for none."""
    start, edges, taken, n_reference = kernels.neighbours_within(contour, reference, offsets)
    # Distances in whole numbers, so that sums are exact and the answer does not depend on their order.
    lengths = np.rint(np.sqrt((offsets**2).sum(axis=1)) * (1 << 16)).astype(np.int64)
    return cheapest_maximum_matching(start, edges, lengths[taken], n_reference)


def _subset(contour: np.ndarray, kept: np.ndarray) -> np.ndarray:
    out = np.zeros(contour.shape, dtype=np.bool_)
    out.ravel()[np.flatnonzero(contour)[kept]] = True
    return out


def _contour_or_labels(array: object, where: str) -> np.ndarray:
    array = unmasked(array, where)
    if array.dtype == np.bool_:
        return _contour_map(array, where)
    return thinned(kernels.contour_map(_image_of(check_labels(array, where), where)))


def _contour_map(contour: object, where: str) -> np.ndarray:
    array = unmasked(contour, where)
    if array.dtype != np.bool_:
        raise fail("a bool contour map", f"{array.dtype.name} values", "Convert with .astype(bool).", where)
    return np.ascontiguousarray(_image_of(array, where))


def _image_of(array: np.ndarray, where: str) -> np.ndarray:
    if array.ndim != 2 or array.size == 0:
        raise fail("shape (height, width)", f"shape {array.shape}", "Boundaries need an image.", where)
    return array


def _check_same_shape(contour: np.ndarray, reference: np.ndarray, where: str) -> None:
    if contour.shape != reference.shape:
        remedy = "Give arrays of the same image, not transposed or resized."
        raise fail(f"the partition's shape {contour.shape}", f"shape {reference.shape}", remedy, where)
