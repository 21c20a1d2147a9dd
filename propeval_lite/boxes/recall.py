"""Recall and what is made of it: each criterion is a short function of the overlap table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from propeval_lite._checks.values import (
    check_choice,
    check_positive_int,
    check_threshold,
    fail,
    threshold_list,
)
from propeval_lite.boxes.match import Overlaps


class Curve(pd.Series):
    """A value for each budget (or threshold): a Series that converts to a number where it holds one."""

    @property
    def _constructor(self):
        return Curve

    def __float__(self) -> float:
        if len(self) != 1:
            raise fail("one value", f"{len(self)}", "Choose one, for example curve[1000].", self.name)
        return float(self.iloc[0])


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
    curves = [mean_over(overlaps, overlaps.hits(level), average) for level in threshold_list(tau)]
    if np.ndim(tau) == 0:
        return make_curve(overlaps, curves[0], f"recall at IoU {tau!s}", average)
    table = pd.DataFrame(
        np.reshape(curves, (len(curves), len(overlaps.budgets))),
        index=pd.Index(tau, name="tau"),
        columns=budget_index(overlaps),
    )
    table.attrs = overlaps.conventions | {"average": average}
    return table


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
    return make_curve(overlaps, mean_over(overlaps, overlaps.assigned_iou("abo"), average), "ABO", average)


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
    iou = overlaps.assigned_iou("mabo")
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


def auc(
    overlaps: Overlaps,
    tau=None,
    over: str = "budgets",
    budget_axis: str = "linear",
    average: str = "object",
    low: float = 0.5,
    high: float = 1.0,
) -> Curve:
    """Area under a recall curve, divided by the width of its axis.

    Parameters
    ----------
    overlaps : Overlaps
        For an area over budgets: with at least two, all finite. The area runs from the first to the last.
    tau : float or sequence of float
        Thresholds as in :func:`recall`, for an area over budgets.
    over : {"budgets", "thresholds"}
        The axis: number of proposals at threshold `tau`, or threshold from `low` to `high` at each budget.
    budget_axis : {"linear", "log"}
        Whether the axis of budgets shows k or log k.
    average : {"object", "image"}
        As in :func:`recall`.
    low, high : float
        Ends of the axis of thresholds.

    Returns
    -------
    Curve
        In [0, 1], NaN where there are no objects. Indexed by `tau` (over budgets) or by budget (over thresholds).

    Notes
    -----
    Over budgets by trapezoids: ``Σ (x_{i+1} − x_i)(r_i + r_{i+1})/2 / (x_m − x_1)``, r_i the
    recall at the i-th of m budgets and x_i that budget or its logarithm (of any base). Over thresholds
    recall is a step function and the area is exact: it is the integral of :func:`average_recall`.

    References
    ----------
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3.

    Examples
    --------
    >>> table = Overlaps.from_iou([[1, 1, 1], [0.25, 0.75, 0.75]], budgets=[1, 2, 3], image_row=[0, 1])
    >>> recall(table, 0.5).tolist()
    [0.5, 1.0, 1.0]
    >>> float(auc(table, 0.5))
    0.875
    >>> auc(table, over="thresholds").tolist()
    [0.5, 0.75, 0.75]
    """
    check_choice(over, ("budgets", "thresholds"), "over")
    if (tau is None) != (over == "thresholds"):
        raise fail('tau with over="budgets" and no tau with over="thresholds"', f"tau={tau!r}, over={over!r}",
                   "Give the threshold at which recall is followed along the budgets.")  # fmt: skip
    if over == "thresholds":
        return average_recall(overlaps, "integral", average, low=low, high=high).rename("AUC")
    curves = recall(overlaps, threshold_list(tau), average)
    areas = _area_over_budgets(overlaps, curves.to_numpy(), budget_axis)
    return make_curve(overlaps, areas, "AUC", average, curves.index)


def vus(
    overlaps: Overlaps,
    budget_axis: str = "linear",
    kind: str = "integral",
    average: str = "object",
    n_iou: int = 10,
    low: float = 0.5,
    high: float = 1.0,
) -> float:
    """Volume under recall over thresholds and numbers of proposals, divided by the area of its base.

    Parameters
    ----------
    overlaps : Overlaps
        With at least two budgets, all finite.
    budget_axis : {"linear", "log"}
        As in :func:`auc`. The threshold axis is linear.
    kind, average, n_iou, low, high
        As in :func:`average_recall`.

    Returns
    -------
    float
        In [0, 1]; NaN where there are no objects.

    Notes
    -----
    The area under :func:`average_recall` versus number of proposals, by the trapezoids of :func:`auc`.

    References
    ----------
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3; Hosang et al., appendix A.

    Examples
    --------
    >>> table = Overlaps.from_iou([[1, 1], [0.5, 1]], budgets=[1, 100], image_row=[0, 1])
    >>> vus(table), vus(table, budget_axis="log")
    (0.75, 0.75)
    """
    curve = average_recall(overlaps, kind, average, n_iou, low, high)
    return float(_area_over_budgets(overlaps, curve.to_numpy(), budget_axis))


def mean_over(overlaps: Overlaps, values: np.ndarray, average: str) -> np.ndarray:
    """Mean of the (n_objects, n_budgets) `values` over objects, or over the means of images; (n_budgets,)."""
    check_choice(average, ("object", "image"), "average")
    if not len(values):
        return np.full(len(overlaps.budgets), np.nan)
    if average == "object":
        return values.mean(axis=0)
    first = np.flatnonzero(np.diff(overlaps.image_row, prepend=-1))
    sums = np.add.reduceat(values, first, axis=0, dtype=np.float64)
    counts = np.diff(first, append=len(values))
    return (sums / counts[:, np.newaxis]).mean(axis=0)


def _area_over_budgets(overlaps: Overlaps, curves: np.ndarray, budget_axis: str) -> np.ndarray:
    """Area under `curves` (…, n_budgets) divided by the width of the axis."""
    check_choice(budget_axis, ("linear", "log"), "budget_axis")
    budgets = overlaps.budgets.astype(np.float64)
    if len(budgets) < 2 or not np.isfinite(budgets).all():
        raise fail(
            "at least two finite budgets", budgets.tolist(), "Name the budgets that span the axis in match."
        )
    axis = budgets if budget_axis == "linear" else np.log(budgets)
    return np.trapezoid(curves, axis, axis=-1) / (axis[-1] - axis[0])


def _check_range(low, high) -> tuple[Fraction, Fraction]:
    a = Fraction(0) if np.ndim(low) == 0 and low == 0 else check_threshold(low, "low")
    b = check_threshold(high, "high")
    if a >= b:
        raise fail("low < high", f"low={low}, high={high}", "Give a range of thresholds.")
    return a, b


def budget_index(overlaps: Overlaps) -> pd.Index:
    """Budgets of the table as the index of a curve."""
    return pd.Index(overlaps.budgets, name="budget")


def make_curve(
    overlaps: Overlaps, values: np.ndarray, name: str, average: str, index: pd.Index | None = None
) -> Curve:
    """One value per budget (or per entry of `index`), with the conventions that made it."""
    curve = Curve(values, index=budget_index(overlaps) if index is None else index, name=name)
    curve.attrs = overlaps.conventions | {"average": average}
    return curve
