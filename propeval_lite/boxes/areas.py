"""Areas under recall curves and the volume under recall over budgets and thresholds."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.values import check_choice, fail, threshold_list
from propeval_lite.boxes.curves import Curve, make_curve
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps, check_overlaps


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
    check_overlaps(overlaps)
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
