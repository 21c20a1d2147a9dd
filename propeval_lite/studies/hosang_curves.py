"""Our recalls beside the published curves of Hosang et al., point by point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite.studies.hosang_findings import COCO, IMAGENET, VOC, swapped_pairs

#: Our names of the data sets of the figures.
SAME = {"voc2007-test": VOC, "ilsvrc2013-val": IMAGENET, "instances_val2014_100": COCO}


def compare(recall: pd.DataFrame, table: pd.DataFrame, figure: str, names: dict[str, str]) -> pd.DataFrame:
    """Set our recalls beside the points of a published figure.

    Parameters
    ----------
    recall : DataFrame
        Tidy, ``dataset, method, budget, criterion, tau, low, value, high``; one data set or several.
    table : DataFrame
        From :func:`curves`.
    figure : str
        Such as ``"7c"``.
    names : dict
        What the paper calls our methods.

    Returns
    -------
    DataFrame
        Columns ``method, budget, criterion, tau, paper, here, low, high, difference``.
    """
    keys = ["dataset", "method", "budget", "criterion", "tau"]
    theirs = table.loc[table["figure"] == figure, [*keys, "value"]].rename(columns={"value": "paper"})
    ours = recall.assign(
        method=recall["method"].map(names),
        dataset=recall["dataset"].map(SAME).fillna(recall["dataset"]),
        tau=recall["tau"].round(3),
    )
    both = ours.rename(columns={"value": "here"}).merge(theirs, on=keys)
    return both.assign(difference=both["here"] - both["paper"])[
        [*keys, "paper", "here", "low", "high", "difference"]
    ]


def same_order(compared: pd.DataFrame) -> float:
    """Share of points at which our methods stand in the order of the published ones.

    Parameters
    ----------
    compared : DataFrame
        From :func:`compare`.
    """
    points = compared.groupby(["dataset", "budget", "criterion", "tau"], dropna=False)
    return float(np.mean([swapped_pairs(point["paper"], point["here"]) == 0 for _, point in points]))


def drawn(table: pd.DataFrame, figures: Sequence[str]) -> pd.DataFrame:
    """Return the rows of some figures with a column ``line``: what a line of the picture shows.

    Parameters
    ----------
    table : DataFrame
        From :func:`curves` or :func:`compare`.
    figures : sequence of str
        Of :func:`curves`; a table of :func:`compare` has no column ``figure`` and is taken whole.
    """
    rows = table[table["figure"].isin(figures)] if "figure" in table else table
    if len(pd.unique(rows["dataset"])) > 1:
        return rows.assign(line=rows["dataset"])
    by_iou = rows.groupby("budget")["tau"].nunique().max() > 2
    words = (
        rows["budget"].map("{:,} proposals".format)
        if by_iou
        else rows["criterion"].where(rows["tau"].isna(), "recall at " + rows["tau"].astype(str))
    )
    return rows.assign(line=words)


def by_figure(compared: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Condense comparisons: a row per figure that has points.

    Parameters
    ----------
    compared : dict of DataFrame
        By figure, from :func:`compare`.

    Returns
    -------
    DataFrame
        Columns ``figure, dataset, methods, points, largest difference, tolerance, same order``.
    """
    rows = [
        {
            "figure": figure,
            "dataset": points["dataset"].iloc[0],
            "methods": points["method"].nunique(),
            "points": len(points),
            "largest difference": points["difference"].abs().max(),
            "tolerance": half_width(points),
            "same order": same_order(points),
        }
        for figure, points in compared.items()
        if len(points)
    ]
    columns = ["figure", "dataset", "methods", "points", "largest difference", "tolerance", "same order"]
    return pd.DataFrame(rows, columns=columns)


def half_width(points: pd.DataFrame) -> float:
    """Return the largest half of our intervals."""
    return float((points["high"] - points["low"]).max() / 2)


def judge_figure(points: pd.DataFrame) -> dict:
    """Return the arguments of a verdict on a figure.

    Parameters
    ----------
    points : DataFrame
        From :func:`compare`.
    """
    if points.empty:
        return {"because": "no results on its data set are stored; run the profile paper"}
    order, number = same_order(points), points["method"].nunique()
    reason = f"{number} of its methods need no pictures; they stand in the printed order at {order:.0%} of its points"
    if (points["dataset"] == COCO).all():
        reason += "; only 100 of the images are here"
    return {
        "here": points["here"].tolist(),
        "paper": points["paper"].tolist(),
        "tolerance": half_width(points),
        "trend": order > 0.5,
        "because": reason,
    }
