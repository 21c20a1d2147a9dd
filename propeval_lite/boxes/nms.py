"""Greedy non-maximum suppression, with a threshold that stays or that falls with each box kept."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.boxes import as_boxes, as_scores, check_boxes
from propeval_lite._checks.values import check_number, check_positive_int, check_threshold
from propeval_lite._kernels.suppression import kept_boxes
from propeval_lite.datasets.frame import Frame

#: A falling threshold falls no further than this (EdgeBoxes' rule).
FLOOR = 0.5


def nms(
    boxes,
    scores,
    threshold: float,
    eta: float | None = None,
    pixels: str = "edges",
    limit: int | None = None,
) -> np.ndarray:
    """Rows of the boxes that are left when each box removes the lower-ranked ones it overlaps too much.

    Use it on the boxes of one picture, or of one picture and category.

    Parameters
    ----------
    boxes : array of float, (n, 4)
        x1, y1, x2, y2.
    scores : array of float, (n,), or None
        Higher is better; equal scores keep the order of their rows. None: the rows are in order of rank.
    threshold : float
        β₀, from 0 to 1: a box goes when its IoU with a kept box is *larger*.
    eta : float, optional
        η, above 0 and at most 1: the threshold is multiplied by it after each box kept, as long as it is larger
        than 1/2. Without it the threshold stays.
    pixels : {"edges", "inclusive"}
        A box is ``x2 - x1`` or ``x2 - x1 + 1`` wide.
    limit : int, optional
        Stop when so many boxes are kept.

    Returns
    -------
    int64 array, (kept,)
        Rows of `boxes`, best first.

    Notes
    -----
    With the k boxes kept so far, ``β_k = β_{k−1} · η if β_{k−1} > 1/2 else β_{k−1}``, and the next box b in order of
    rank is kept if ``IoU(b, c) ≤ β_k`` for each kept box c. A box without area overlaps nothing and is kept.
    With ``pixels="edges"`` and whole-number coordinates this is the rule of OpenCV's ``cv2.dnn.NMSBoxes``, which takes
    x, y, width and height, rounds IoU and threshold to single precision, and suppresses one of two boxes without area.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5.5.

    Examples
    --------
    The second box overlaps the first by 9/11, the third the first by 8/12 and the second by 9/11:

    >>> boxes = [[0, 0, 10, 10], [0, 1, 10, 11], [0, 2, 10, 12]]
    >>> nms(boxes, [0.9, 0.8, 0.7], 0.7).tolist()
    [0, 2]

    A threshold of 0.9 keeps all; falling by a quarter with each box it is 0.675 for the second and third:

    >>> nms(boxes, None, 0.9).tolist(), nms(boxes, None, 0.9, eta=0.75).tolist()
    ([0, 1, 2], [0, 2])
    """
    check_number(
        threshold, "threshold to be a number from 0 to 1", lambda beta: 0 <= beta <= 1, "It is an IoU."
    )
    if eta is not None:
        remedy = "It multiplies the threshold; leave it out for a threshold that stays."
        check_number(eta, "eta to be a number above 0 and at most 1", lambda factor: 0 < factor <= 1, remedy)
    extra = Frame(pixels).checked().extra
    corners = as_boxes(boxes, "boxes", one=True)
    n = len(corners)
    ranking = None if scores is None else as_scores(scores, n, "scores")
    corners = np.ascontiguousarray(check_boxes(corners, scores=ranking))
    order = np.arange(n) if ranking is None else np.argsort(-ranking, kind="stable")
    most = n if limit is None else check_positive_int(limit, "limit")
    beta = float(check_threshold(threshold, "threshold")) if threshold > 0 else 0.0
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return kept_boxes(corners, order, beta, 1.0 if eta is None else float(eta), FLOOR, most, extra)
