"""The methods at a glance: their boxes on one photograph, and the paper's stars beside the numbers that they sum up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import short_name, without_place
from propeval_lite.boxes.cover import located
from propeval_lite.boxes.match import match
from propeval_lite.boxes.recall import recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.methods.run import list_methods, propose
from propeval_lite.studies.hosang_detection_predictors import AR, at, correlations, predictors, targets
from propeval_lite.studies.hosang_findings import MANY, VOC, by_budget, chance_of
from propeval_lite.studies.hosang_recall import runnable
from propeval_lite.studies.hosang_repeatability_paper import paper_curves

PHOTO = "astronaut"  # several objects of unlike sizes
DRAWN = 12  # boxes per method in the picture: more hide the photograph


def on_photo(methods: Sequence[str], photo: Dataset) -> list[str]:
    """Return the methods that can run on a photograph, whichever data set they are meant for; no boxes of files.

    Examples
    --------
    >>> from propeval_lite.datasets import load_dataset
    >>> on_photo(["uniform", "uniform?dataset=voc2012", "file:boxes.csv"], load_dataset("scenes?n=1"))
    ['uniform']
    """
    return runnable(list(dict.fromkeys(without_place(method) for method in methods)), photo)


def first_boxes(methods: Sequence[str], photo: Dataset, k: int, seed: int) -> pd.DataFrame:
    """Return the first boxes of each method on one photograph, on the grid of its pixels' edges.

    Parameters
    ----------
    methods : sequence of str
        Methods that can run on the photograph.
    photo : Dataset
        Of one image.
    k : int
        Boxes that each method is asked for.
    seed : int

    Returns
    -------
    DataFrame
        Columns ``method, rank, x1, y1, x2, y2``; rank counts from 1.
    """
    parts = []
    for spec in methods:
        boxes = propose(located(spec), photo, k, seed, duplicates="hosang").converted("edges", 0).boxes
        part = pd.DataFrame(boxes, columns=list(BOX_COLUMNS))
        part.insert(0, "rank", np.arange(1, len(part) + 1))
        part.insert(0, "method", short_name(spec))
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def glance(methods: Sequence[str], photo: Dataset, k: int, seed: int, tau: float = 0.5) -> pd.DataFrame:
    """Return a line for each method: what it is, what it sees, and how many objects of a photograph it finds.

    Parameters
    ----------
    methods, photo, k, seed
        As for :func:`first_boxes`.
    tau : float
        IoU from which an object is found, by one-to-one matching.

    Returns
    -------
    DataFrame
        Columns ``method, reads pictures, boxes, found, of, in a line``; the last is empty for a user's own method.
    """
    known = list_methods()
    rows = []
    for spec in methods:
        name, boxes = short_name(spec), propose(located(spec), photo, k, seed, duplicates="hosang")
        share = recall(match(photo, boxes, [k], ignore="count"), tau, average="object")[k]
        needs, summary = known.loc[name, ["needs", "summary"]] if name in known.index else ("image", "")
        rows.append(
            (
                name,
                needs == "image",
                len(boxes.boxes),
                round(share * len(photo.objects)),
                len(photo.objects),
                summary,
            )
        )
    return pd.DataFrame(rows, columns=["method", "reads pictures", "boxes", "found", "of", "in a line"])


def truth_boxes(photo: Dataset) -> np.ndarray:
    """Return the objects of a photograph as edges of pixels, from 0."""
    return Frame.of(photo).to_grid(photo.objects[list(BOX_COLUMNS)])


def behind_stars(curves: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the numbers, by method, that each column of stars in Table 1 sums up.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.hosang_findings.curves`.

    Returns
    -------
    dict of Series
        ``repeatability``: the mean of figures 5c to 5h, each perturbation counting the same; ``recall``: AR with 1 000
        proposals, figure 7c; ``detection``: the mean mAP over the detectors of figure 13.
    """
    repeats = paper_curves().query("of == 'all'").groupby(["method", "perturbation"])["repeatability"].mean()
    return {
        "repeatability": repeats.groupby("method").mean(),
        "recall": by_budget(curves, VOC)[MANY],
        "detection": targets().mean(axis=1),
    }


def predicted(n: int, seed: int) -> pd.DataFrame:
    """Correlate published recall and AR with the published mAP of each detector of figure 13.

    Parameters
    ----------
    n : int
        Methods are drawn anew so many times for the intervals.
    seed : int

    Returns
    -------
    DataFrame
        Columns ``detector, predictor, r, low, high``.
    """
    simple = predictors()[[AR, at(0.5), at(0.8)]]
    return correlations(simple, targets(), n, seed)[["detector", "predictor", "r", "low", "high"]]


def predicted_in_words(table: pd.DataFrame) -> str:
    """Say how well each predictor of :func:`predicted` does over the detectors.

    Examples
    --------
    >>> print(predicted_in_words(pd.DataFrame({"predictor": ["AR", "AR"], "detector": ["a", "b"], "r": [0.9, 0.8]})))
    Over 2 detectors AR correlates with mAP by 0.800 to 0.900.
    """
    parts = [
        f"{name} correlates with mAP by {rows.min():.3f} to {rows.max():.3f}"
        for name, rows in table.groupby("predictor", sort=False)["r"]
    ]
    return f"Over {table['detector'].nunique()} detectors {', '.join(parts)}."


def stars_against(stars: pd.DataFrame, numbers: dict[str, pd.Series]) -> pd.DataFrame:
    """Ask whether methods with more stars have larger numbers.

    Parameters
    ----------
    stars : DataFrame
        Columns ``method`` and those of `numbers`; NaN where the paper has no data.
    numbers : dict of Series
        Values by method, for each column of stars.

    Returns
    -------
    DataFrame
        Columns ``stars for, methods, pairs`` (with unlike stars), ``against`` (pairs in which the method with fewer
        stars has the larger number), ``rank correlation, by chance``.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["a", "b", "c"], "recall": [0, 1, 1]})
    >>> stars_against(table, {"recall": pd.Series({"a": 0.3, "b": 0.2, "c": 0.9})})[["pairs", "against"]].to_numpy()
    array([[2, 1]])
    """
    rows = []
    for column, values in numbers.items():
        both = pd.DataFrame({"stars": stars.set_index("method")[column], "value": values}).dropna()
        pairs = [
            (one, two) if one[0] > two[0] else (two, one)
            for one, two in combinations(both.itertuples(index=False, name=None), 2)
            if one[0] != two[0]
        ]
        against = sum(more[1] < fewer[1] for more, fewer in pairs)
        correlation = float(spearmanr(both["stars"], both["value"]).statistic)
        rows.append(
            (column, len(both), len(pairs), against, correlation, chance_of(both["stars"], both["value"]))
        )
    return pd.DataFrame(
        rows, columns=["stars for", "methods", "pairs", "against", "rank correlation", "by chance"]
    )


def judge_stars(table: pd.DataFrame) -> dict:
    """Return what a verdict on Table 1 needs: stars agree when no pair is against, in trend when few are.

    Examples
    --------
    >>> judge_stars(pd.DataFrame({"stars for": ["recall"], "pairs": [10], "against": [1], "by chance": [0.001]}))
    {'here': False, 'trend': True, 'because': 'in 1 of 10 pairs for recall fewer stars stand for a larger number'}
    """
    said = "; ".join(
        f"in {row['against']} of {row['pairs']} pairs for {row['stars for']} fewer stars stand for a larger number"
        for row in table.to_dict("records")
    )
    return {
        "here": bool((table["against"] == 0).all()),
        "trend": bool((table["by chance"] < 0.05).all()),
        "because": said,
    }
