"""Recall, and its average over the thresholds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from propeval_lite._checks.values import (
    check_choice,
    check_positive_int,
    check_threshold,
    fail,
    is_number,
    threshold_list,
)
from propeval_lite.boxes.curves import Curve, curve_per_threshold, make_curve, mean_over
from propeval_lite.boxes.table import Overlaps, check_overlaps


def recall(overlaps: Overlaps, tau, average: str = "object") -> Curve | pd.DataFrame:
    """Share of objects that are hit at IoU threshold `tau`, for each budget.

    Parameters
    ----------
    overlaps : Overlaps
    tau : float or sequence of float
        Thresholds in (0, 1]. An IoU equal to `tau` is a hit.
    average : {"object", "image"}
        Over all objects at once (Hosang, Chavali, COCO) or over the recalls of the images (Wang). Images
        without objects have no recall and are left out.

    Returns
    -------
    Curve or DataFrame
        Indexed by budget; for several thresholds one row per threshold and one column per budget. NaN where
        there are no objects. ``.attrs`` holds the conventions.

    Notes
    -----
    With H_i the objects hit and O_i the objects of image i: per object ``Σ|H_i| / Σ|O_i|``, per image
    ``(1/N) Σ |H_i| / |O_i|`` over the N images with objects. Chavali et al. ask for an IoU *greater* than the
    threshold; the two differ only where an IoU equals it.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §2, eq. 2.
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3, eq. 2.

    Examples
    --------
    Image 0 has one object, found; image 1 has two, one of them found at IoU 0.75.

    >>> table = Overlaps.from_iou([[1], [0.75], [0]], budgets=[100], image_row=[0, 1, 1])
    >>> round(float(recall(table, 0.5)), 4), float(recall(table, 0.5, average="image"))
    (0.6667, 0.75)
    """
    check_overlaps(overlaps)
    curves = [mean_over(overlaps, overlaps.hits(level), average) for level in threshold_list(tau)]
    return curve_per_threshold(overlaps, tau, curves, "recall", average)


def average_recall(
    overlaps: Overlaps,
    kind: str = "integral",
    average: str = "object",
    n_iou: int = 10,
    low: float = 0.5,
    high: float = 1.0,
) -> Curve:
    """Recall averaged over the IoU thresholds from `low` to `high`, for each budget.

    Parameters
    ----------
    overlaps : Overlaps
    kind : {"integral", "coco", "sum"}
        "integral": the area under the whole curve (Hosang). "coco": the mean at the left ends of `n_iou`
        intervals, .50, .55, … .95. "sum": the mean at their right ends, .55, .60, … 1 (Wang). Since recall
        falls with the threshold, "coco" is never below and "sum" never above "integral"; they lie at most
        ``1/n_iou`` apart.
    average : {"object", "image"}
        As in :func:`recall`.
    n_iou : int
        Number of intervals of "coco" and "sum".
    low, high : float
        Range of thresholds. A part of [.5, 1] gives a partial-range AR, [0, 1] the average best overlap.

    Returns
    -------
    Curve
        Indexed by budget; NaN where there are no objects.

    Notes
    -----
    With n objects, a = `low`, b = `high` and u_i the IoU assigned to object i:

    - integral: ``1/(b−a) ∫ recall(t) dt = (1/n) Σ (min(max(u_i, a), b) − a) / (b − a)``, which for [½, 1] is
      ``(2/n) Σ max(u_i − ½, 0)``;
    - coco: ``(1/N) Σ recall(a + (b−a) k/N)``, k = 0 … N−1;
    - sum: the same with k = 1 … N.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §4.2 and appendix A.
    Wang et al., Insights of Object Proposal Evaluation, eq. 3.

    Examples
    --------
    >>> table = Overlaps.from_iou([[1], [0.75], [0]], budgets=[100], image_row=[0, 1, 1])
    >>> [round(float(average_recall(table, kind)), 4) for kind in ("integral", "coco", "sum")]
    [0.5, 0.5333, 0.5]
    """
    check_overlaps(overlaps)
    check_choice(kind, ("integral", "coco", "sum"), "kind")
    n_iou = check_positive_int(n_iou, "n_iou")
    a, b = _check_range(low, high)
    if kind == "integral":
        iou = overlaps.assigned_iou('average_recall(kind="integral")')
        low, high = float(a), float(b)
        share = (np.clip(iou, low, high) - low) / (high - low)
    else:
        steps = range(n_iou) if kind == "coco" else range(1, n_iou + 1)
        share = np.zeros((len(overlaps), len(overlaps.budgets)))
        for k in steps:
            share += overlaps.hits(a + (b - a) * Fraction(k, n_iou))
        share /= n_iou
    return make_curve(overlaps, mean_over(overlaps, share, average), f"AR ({kind})", average)


def _check_range(low, high) -> tuple[Fraction, Fraction]:
    a = Fraction(0) if is_number(low) and low == 0 else check_threshold(low, "low")
    b = check_threshold(high, "high")
    if a >= b:
        raise fail("low < high", f"low={low}, high={high}", "Give a range of thresholds.")
    return a, b
