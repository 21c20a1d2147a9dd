"""F of precision and recall, from the two or from the counts behind them."""

from __future__ import annotations

import numpy as np


def f_of(precision, recall):
    """Harmonic mean of precision and recall.

    Parameters
    ----------
    precision, recall : float or array

    Returns
    -------
    float or array
        ``2 P R / (P + R)``; 0 where both are 0, NaN where one is NaN.

    Examples
    --------
    >>> f_of(0.5, 1), f_of(0, 0), f_of([0.5, 0.25], 0.25).round(3).tolist()
    (0.6666666666666666, 0.0, [0.333, 0.25])
    """
    precision, recall = np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64)
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.zeros(total.shape), where=total != 0)
    return f if f.ndim else float(f)


def f_of_counts(matched_truth, truth, matched_found, found):
    """Harmonic mean of precision ``matched_found / found`` and recall ``matched_truth / truth``, rounded once.

    Parameters
    ----------
    matched_truth, truth, matched_found, found : int or array
        What is matched on each side and what is there; nothing is matched on one side only.

    Returns
    -------
    float or array
        0 where nothing is matched, NaN where neither side has anything.

    Examples
    --------
    >>> f_of_counts(3, 4, 1, 2), f_of_counts(0, 4, 0, 0), f_of_counts(0, 0, 0, 0)
    (0.6, 0.0, nan)
    """
    sides = np.broadcast_arrays(matched_truth, truth, matched_found, found)
    matched_truth, truth, matched_found, found = (side.astype(np.float64) for side in sides)
    below = matched_found * truth + matched_truth * found
    f = np.divide(2 * matched_found * matched_truth, below, out=np.zeros(below.shape), where=below > 0)
    f[(truth == 0) & (found == 0)] = np.nan
    return f if f.ndim else float(f)


def sides_of_counts(matched_truth, truth, matched_found, found):
    """Precision and recall of contours from counts, as the authors' files have them for every picture.

    Parameters
    ----------
    matched_truth, truth, matched_found, found : int or array
        See `f_of_counts`.

    Returns
    -------
    precision, recall : float array
        A contour without pixels makes no mistake: its precision is 1. Recall is NaN where the truth has none.

    Examples
    --------
    >>> precision, recall = sides_of_counts([3, 0], [4, 4], [1, 0], [2, 0])
    >>> precision.tolist(), recall.tolist()
    ([0.5, 1.0], [0.75, 0.0])
    """
    sides = (np.asarray(side, dtype=np.float64) for side in (matched_truth, truth, matched_found, found))
    matched_truth, truth, matched_found, found = sides
    precision = np.divide(matched_found, found, out=np.ones(found.shape), where=found > 0)
    return precision, np.divide(matched_truth, truth, out=np.full(truth.shape, np.nan), where=truth > 0)
