"""Average precision: how a detector is judged, in the ways of VOC and COCO."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice, check_threshold, fail, threshold_list
from propeval_lite.boxes.detections import rank_detections
from propeval_lite.datasets.base import Dataset

KINDS = ("voc11", "area", "coco")
COCO_LEVELS = np.linspace(0, 1, 101)


def average_precision(
    dataset: Dataset,
    detections: pd.DataFrame,
    tau=0.5,
    kind: str = "area",
    matching: str | None = None,
    ignore: str = "absorb",
    pixels: str | None = None,
    limit: int | None = None,
) -> pd.Series | pd.DataFrame:
    """Average precision of detections, by category; mAP is the mean of the result.

    Parameters
    ----------
    dataset, detections, ignore, pixels, limit
        As in :func:`propeval_lite.boxes.judge_detections`.
    tau : float or sequence of float
        IoU thresholds in (0, 1]. COCO's are .5, .55, … .95.
    kind : {"voc11", "area", "coco"}
        "voc11": mean at the eleven recalls 0, .1, … 1 (VOC until 2009). "area": under the whole curve (VOC since
        2010). "coco": mean at 101 recalls.
    matching : {"voc", "coco"}, optional
        As in :func:`propeval_lite.boxes.judge_detections`; by default "coco" with ``kind="coco"``, else "voc".

    Returns
    -------
    Series or DataFrame
        Indexed by category; a column for each of several thresholds. NaN where a category has no object to be
        found, 0 where it has objects and no detection. ``.attrs`` holds the conventions and under ``"tied"`` how
        many detections share their score with another of their category: the order among them is that of images
        and rows, so with many the number is partly arbitrary.

    Notes
    -----
    Detections of a category in order of score; of the first j, t_j are right, f_j wrong (those not judged are left
    out), n are to be found. With recall ``r_j = t_j / n`` and precision ``p_j = t_j / (t_j + f_j)`` let
    ``p(r) = max p_j over r_j >= r``, 0 where there is none. Then

    - voc11: ``1/11 Σ p(i/10)``, i = 0 … 10;
    - area: ``∫ p(r) dr = Σ p(r_j) (r_j − r_{j−1})``;
    - coco: ``1/101 Σ p(i/100)``, with the float recalls and levels of pycocotools.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5.2 and §5.3, Tables 2 to 4 (mAP).

    Examples
    --------
    Two cups; the best detection finds one, the second misses, the third finds the other.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [10]})
    >>> objects = pd.DataFrame({"image_id": "a", "object_id": [1, 2], "category": "cup", "x1": [0, 20], "y1": 0,
    ...                         "x2": [10, 30], "y2": 10, "ignore": False})
    >>> found = pd.DataFrame({"image_id": "a", "category": "cup", "score": [3, 2, 1], "x1": [0, 12, 20], "y1": 0,
    ...                       "x2": [10, 18, 30], "y2": 10})
    >>> cups = Dataset("two cups", images, objects)
    >>> [round(float(average_precision(cups, found, kind=kind)["cup"]), 4) for kind in ("voc11", "area", "coco")]
    [0.8485, 0.8333, 0.835]
    """
    check_choice(kind, KINDS, "kind")
    matching = ("coco" if kind == "coco" else "voc") if matching is None else matching
    levels = threshold_list(tau)
    if not levels or len({check_threshold(level) for level in levels}) < len(levels):
        got = "none" if not levels else f"{levels}"
        raise fail("at least one threshold, each once", got, "Give for example tau=[0.5, 0.75].", "tau")
    ranked = rank_detections(dataset, detections, matching, ignore, pixels, limit)
    ends = np.cumsum(np.bincount(ranked.kind, minlength=len(ranked.counts)))[:-1]
    columns = {}
    for level in levels:
        outcomes = np.split(ranked.outcomes(float(check_threshold(level)))[0][ranked.by_score], ends)
        columns[level] = [
            _precision(part, int(n), kind)
            for part, n in zip(outcomes, ranked.counts.to_numpy(), strict=len(ranked.counts) > 0)
        ]
    table = pd.DataFrame(columns, index=ranked.counts.index)
    tied = int(ranked.table.duplicated(["category", "score"], keep=False).sum())
    conventions: dict[Hashable | None, object] = {
        "dataset": dataset.name,
        "kind": kind,
        "matching": matching,
        "ignore": ignore,
        "pixels": dataset.pixels if pixels is None else pixels,
        "limit": limit,
        "tied": tied,
    }
    if np.ndim(tau) == 0:
        curve = table[levels[0]].rename(f"AP at IoU {tau!s}")
        curve.attrs = conventions
        return curve
    table.columns.name = "tau"
    table.attrs = conventions
    return table


def precision_recall(judged: pd.DataFrame, counts: pd.Series, category) -> pd.DataFrame:
    """Precision and recall of a category after each of its judged detections.

    Parameters
    ----------
    judged, counts
        As :func:`judge_detections` returns them.
    category : label
        One of the index of `counts`.

    Returns
    -------
    DataFrame
        Columns ``score, right, wrong, recall, precision``; recall is NaN where nothing is to be found.
    """
    mine = judged[(judged["category"] == category) & (judged["outcome"] != "not judged")]
    right = (mine["outcome"] == "right").cumsum().to_numpy()
    wrong = (mine["outcome"] == "wrong").cumsum().to_numpy()
    n = int(counts[category])
    recall = right / n if n else np.full(len(right), np.nan)
    return pd.DataFrame(
        {
            "score": mine["score"].to_numpy(),
            "right": right,
            "wrong": wrong,
            "recall": recall,
            "precision": right / np.maximum(right + wrong, 1),
        }
    )


def _precision(outcomes: np.ndarray, n: int, kind: str) -> float:
    """AP of outcomes (1, 0, −1) in order of score, with `n` objects to be found."""
    if not n:
        return np.nan
    outcomes = outcomes[outcomes >= 0]
    if not len(outcomes):
        return 0.0
    right = np.cumsum(outcomes == 1)
    envelope = np.maximum.accumulate((right / np.arange(1, len(right) + 1))[::-1])[::-1]
    if kind == "area":
        return float((envelope * np.diff(right, prepend=0)).sum() / n)
    if kind == "voc11":
        # Whole numbers: a recall of 3/10 reaches the level .3 whatever floats make of it.
        first = np.searchsorted(right * 10, np.arange(11) * n, side="left")
        return float(np.append(envelope, 0)[first].sum() / 11)
    first = np.searchsorted(right / n, COCO_LEVELS, side="left")
    return float(np.append(envelope, 0)[first].mean())
