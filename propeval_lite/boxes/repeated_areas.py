"""From overlaps of boxes to one number of repeatability: area under recall by group of sizes, and their mean."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.values import as_floats, check_choice, check_positive_int, fail, unmasked

GROUPS = 10
THIN = 500
STEP = 0.001  # beyond the largest IoU, where recall is 0


def thinned(values: np.ndarray, thin: int | None = THIN) -> np.ndarray:
    """Sorted values, and of more than `thin` every so manieth, so that about `thin` are left.

    Notes
    -----
    Of n sorted values those at the places ``1, 1 + s, 1 + 2s, …`` up to n, rounded, with s = n / `thin`.
    """
    ordered = np.sort(values)
    if thin is None or len(ordered) <= thin:
        return ordered
    step = len(ordered) / thin
    places = 1 + step * np.arange(int(np.floor((len(ordered) - 1) / step)) + 1)
    return ordered[np.floor(places + 0.5).astype(np.int64) - 1]


def recall_curve(iou, thin: int | None = THIN) -> tuple[np.ndarray, np.ndarray]:
    """Thresholds and recall: the share of boxes whose IoU reaches each threshold.

    Parameters
    ----------
    iou : array, (n,)
        NaN, which is not compared, is left out.
    thin : int, optional
        As in `thinned`.

    Returns
    -------
    thresholds, recall : float64 arrays
        From (0, 1) to the largest IoU, and to recall 0 behind it unless that is 1. Both empty without boxes.
    """
    values = np.asarray(iou, dtype=np.float64)
    values = thinned(values[~np.isnan(values)], thin)
    n = len(values)
    if not n:
        return np.empty(0), np.empty(0)
    left = np.arange(n, 0, -1) / n
    if values[-1] < 1:
        return np.concatenate([[0], values, [values[-1] + STEP]]), np.concatenate([[1], left, [0]])
    return np.concatenate([[0], values]), np.concatenate([[1], left])


def area_under_recall(iou, thin: int | None = THIN) -> float:
    """Area under recall against the IoU threshold, from 0 to 1; NaN without boxes.

    Parameters
    ----------
    iou, thin
        As in `recall_curve`.

    Notes
    -----
    Trapezoids under the points of `recall_curve`. The steps themselves have the mean IoU as area; the trapezoids
    add (largest - smallest + .001) / 2n, with the last term only where the largest is under 1.

    References
    ----------
    Hosang et al., §3.1.

    Examples
    --------
    >>> area_under_recall([1, 1, 1]), round(area_under_recall([0.2, 0.6]), 5)
    (1.0, 0.50025)
    """
    return _area(_check_overlaps(iou), _check_thin(thin))


def _area(iou: np.ndarray, thin: int | None) -> float:
    thresholds, recall = recall_curve(iou, thin)
    return (
        float((np.diff(thresholds) * (recall[1:] + recall[:-1]) / 2).sum()) if len(recall) else float("nan")
    )


def _check_overlaps(iou: object) -> np.ndarray:
    expected, remedy = (
        "overlaps from 0 to 1 in one row",
        "Give the IoU of each box; NaN if it is not compared.",
    )
    values = as_floats(iou, expected, remedy, "iou")
    if values.ndim != 1 or not ((values >= 0) & (values <= 1) | np.isnan(values)).all():
        raise fail(expected, f"shape {values.shape}" if values.ndim != 1 else values.tolist(), remedy, "iou")
    return values


def _check_thin(thin: object) -> int | None:
    return None if thin is None else check_positive_int(thin, "thin")


def group_areas(iou, groups, thin: int | None = THIN, n: int = GROUPS) -> np.ndarray:
    """Area under recall of each group of sizes.

    Parameters
    ----------
    iou, thin
        As in :func:`area_under_recall`.
    groups : array of int, (n_boxes,)
        From :func:`size_groups`.
    n : int
        Number of groups.

    Returns
    -------
    float64 array, (n,)
        NaN for a group without boxes.

    Examples
    --------
    >>> group_areas([1, 0.5, 0.5], [0, 1, 1], n=3).round(3).tolist()
    [1.0, 0.5, nan]
    """
    values, thin, n = _check_overlaps(iou), _check_thin(thin), check_positive_int(n, "n")
    group, remedy = np.asarray(unmasked(groups, "groups")), "Take those of size_groups with the same n."
    if group.shape != values.shape or group.dtype.kind not in "iu" or ((group < 0) | (group >= n)).any():
        expected = f"a group from 0 to {n - 1} for each of {len(values)} overlaps"
        raise fail(expected, group.tolist(), remedy, "groups")
    return np.array([_area(values[group == g], thin) for g in range(n)])


def mean_area(areas, empty: str = "zero") -> float:
    """Repeatability: the mean of the areas of the groups, whatever the number of boxes in each.

    Parameters
    ----------
    areas : array, (n_groups,)
        From :func:`group_areas`.
    empty : {"zero", "leave_out"}
        A group without boxes counts 0, as in the authors' program, or is left out of the mean.

    Returns
    -------
    float
        NaN if all groups are empty: then nothing was compared.

    References
    ----------
    Hosang et al., §3.1.

    Examples
    --------
    >>> mean_area([0.5, 1, np.nan]), mean_area([0.5, 1, np.nan], empty="leave_out")
    (0.5, 0.75)
    """
    check_choice(empty, ("zero", "leave_out"), "empty")
    expected, remedy = "areas from 0 to 1, one for each group", "Take those of group_areas."
    values = as_floats(areas, expected, remedy, "areas")
    possible = (values >= 0) & (values <= 1 + STEP) | np.isnan(
        values
    )  # the last trapezoid may reach beyond 1
    if values.ndim != 1 or not len(values) or not possible.all():
        raise fail(expected, values.tolist(), remedy, "areas")
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    return float(values[known].sum() / (len(values) if empty == "zero" else known.sum()))
