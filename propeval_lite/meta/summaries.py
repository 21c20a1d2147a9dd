"""The value of a measure over the images of a data set: a mean, or F of what precision and recall come to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice
from propeval_lite.meta.discrimination import check_score_columns
from propeval_lite.partitions.boundaries import BoundaryCounts
from propeval_lite.partitions.precision_recall import f_of, sides_of_counts

SUMMARIES = ("mean", "f_of_means", "f_of_counts")
#: The measures of the authors' curves, and how they report them over a data set, see `summarise`.
SUMMARY = {"fb": "f_of_means", "fop": "f_of_means"}
#: How they report all that have precision and recall; the others by their mean.
REPORTED = SUMMARY | {"region_f": "f_of_means"}
_COUNTS = list(BoundaryCounts._fields)


def summarise(scores: pd.DataFrame, measure: str, summary: str | None = None) -> float:
    """Value of a measure over the images of one parameter.

    Parameters
    ----------
    scores : DataFrame
        One row per image.
    measure : str
        Column of the scores.
    summary : {"mean", "f_of_means", "f_of_counts"}, optional
        Mean of the scores; F of the mean precision and mean recall (columns ``MEASURE_precision``,
        ``MEASURE_recall``; for fb counts do, see `sides_of_counts`); F of the counts added over the images (columns
        ``matched_truth, truth, matched_partition, partition``). Without it as the authors report the measure, see
        `REPORTED`.

    Returns
    -------
    float
        NaN if a score is NaN; only for the recall of fb, images in which nobody drew a contour are left out.

    Notes
    -----
    F of means is the rule of both tables and of the curves of fig. 11, also for fb. The BSDS benchmark and the
    authors' later program add the counts of fb.

    Examples
    --------
    >>> table = pd.DataFrame({"fop": [1.0, 0.0], "fop_precision": [1.0, 0.5], "fop_recall": [1.0, 0.0]})
    >>> summarise(table, "fop", "mean"), summarise(table, "fop")
    (0.5, 0.6)
    """
    summary = check_choice(
        REPORTED.get(measure, "mean") if summary is None else summary, SUMMARIES, "summary"
    )
    if summary == "f_of_counts":
        check_score_columns(scores, _COUNTS, "scores")
        return BoundaryCounts(*(int(scores[name].sum()) for name in _COUNTS)).scores()[0]
    if summary == "mean":
        check_score_columns(scores, [measure], "scores")
        return _mean(scores[measure])
    return f_of(*mean_sides(scores, measure))


def mean_sides(scores: pd.DataFrame, measure: str) -> tuple[float, float]:
    """Mean precision and mean recall of a measure over images, as `summarise` takes them.

    Examples
    --------
    >>> counts = {"matched_truth": [1, 0], "truth": [4, 4], "matched_partition": [1, 0], "partition": [2, 0]}
    >>> mean_sides(pd.DataFrame(counts), "fb")
    (0.75, 0.125)
    """
    names = [f"{measure}_precision", f"{measure}_recall"]
    if measure == "fb" and not set(names) <= set(scores.columns):
        check_score_columns(scores, _COUNTS, "scores")
        precision, recall = sides_of_counts(*(scores[name] for name in _COUNTS))
        return _mean(precision), _mean(recall[~np.isnan(recall)])
    check_score_columns(scores, names, "scores")
    return _mean(scores[names[0]]), _mean(scores[names[1]])


def _mean(values: Sequence[float] | np.ndarray | pd.Series) -> float:
    return math.fsum(values) / len(values) if len(values) else math.nan
