"""Two data sets, or two parts of one: their curves, what chance explains of the gap, and their distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.boxes.oma import chance_recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets import Dataset
from propeval_lite.studies.wang_criteria import (
    CURVE,
    criteria_curves,
    nearest_budget,
    pooled_oma,
    published_recalls,
)

CURVES = {
    ("number", "recall"): "recall vs number",
    ("number", "OMA"): "OMA vs number",
    ("number", "AR"): "AR vs number",
    ("number", "AO"): "AO vs number",
    ("IoU", "recall"): "recall vs IoU",
    ("IoU", "OMA"): "OMA vs IoU",
}
PAIRS = tuple(zip(list(CURVES)[::2], list(CURVES)[1::2], strict=True))
#: Methods of the paper: what they are called in the published overlaps of VOC 2007 and of 2012, and in the recalls.
SAME_2007 = {"EB": "edgebox", "MCG": "MCG", "OBJ": "objectness", "SS": "selective_search"}
SAME = {"EB": "ebox", "GOP": "gop_base", "OBJ": "objectness", "SS": "selsearch_small"}
IN_RECALLS = {"EdgeBoxes": "EB", "Geodesic": "GOP", "Objectness": "OBJ", "SelectiveSearch": "SS"}


def split_by_count(overlaps: Overlaps, few: int = 2) -> tuple[Overlaps, Overlaps]:
    """Part a table into images with up to `few` objects and images with more.

    Parameters
    ----------
    overlaps : Overlaps
    few : int
        Largest number of objects of an image of the first part.

    Returns
    -------
    few, multiple : Overlaps

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §5.4.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.2], [0.5], [0.9], [1]], budgets=[10], image_row=[0, 1, 1, 1])
    >>> [len(part) for part in split_by_count(table)]
    [1, 3]
    """
    counts = np.bincount(overlaps.image_row, minlength=overlaps.n_images)
    is_few = counts[overlaps.image_row] <= check_positive_int(few, "few")
    name = overlaps.conventions.get("dataset", "unknown")

    def part(keep, ending):
        table = overlaps.select(keep)
        return replace(table, conventions=table.conventions | {"dataset": f"{name}-{ending}"})

    return part(is_few, "few"), part(~is_few, "multiple")


def split_counts(overlaps: Overlaps, few: int, budget: int, tau: float, lattice: str | None) -> pd.DataFrame:
    """Count images and objects of both parts of a data set, and what chance recalls there per image.

    Parameters
    ----------
    overlaps : Overlaps
        Of any method.
    few
        As in :func:`split_by_count`.
    budget, tau, lattice
        Candidates, threshold and lattice of the recall of chance.
    """
    rows = []
    for part, title in zip(split_by_count(overlaps, few), ("few", "multiple"), strict=True):
        luck = chance_recall(nearest_budget(part, budget), tau, "image", lattice, round=True)
        images = len(np.unique(part.image_row))
        rows.append((overlaps.conventions["dataset"], title, images, len(part), luck.to_numpy().item()))
    return pd.DataFrame(rows, columns=["data set", "part", "images", "objects", "recall of chance"])


def average_distance(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Mean vertical distance between the curves of the same method on two data sets.

    Parameters
    ----------
    first, second : DataFrame
        From :func:`criteria_curves`, each of one data set and with one threshold against the number.

    Returns
    -------
    DataFrame
        Columns ``method, axis, criterion, points, distance, level``: distance is the mean of ``|a − b|`` over the
        sampling points that both curves have, level the mean of ``(|a| + |b|) / 2``. Methods that only one
        table has are left out.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §5.4, Tables 2 and 3.

    Examples
    --------
    >>> curve = pd.DataFrame({"method": "m", "axis": "number", "criterion": "OMA", "tau": 0.8, "budget": [1, 10],
    ...                       "value": [0.25, 0.75]})
    >>> average_distance(curve, curve.assign(value=[0.5, 0.5])).distance.tolist()
    [0.25]
    """
    keys = ["method", *CURVE]
    for table in (first, second):
        number = table.loc[table["axis"] == "number", [*keys, "tau"]]
        if number.drop_duplicates().duplicated(keys).any():
            raise fail(
                "one threshold for the curves against the number",
                "several",
                "Choose one: table[table.tau.isna() | ...].",
                "average_distance",
            )
    # Along the IoU axis the budget may be the nearest one that each table has.
    points = [
        table.assign(x=np.where(table["axis"] == "IoU", table["tau"], table["budget"]))[[*keys, "x", "value"]]
        for table in (first, second)
    ]
    both = points[0].merge(points[1], on=[*keys, "x"], suffixes=("_a", "_b"), validate="one_to_one")
    both["distance"] = (both["value_a"] - both["value_b"]).abs()
    both["level"] = (both["value_a"].abs() + both["value_b"].abs()) / 2
    groups = both.groupby(keys, sort=False)
    return groups.agg(
        points=("x", "size"), distance=("distance", "mean"), level=("level", "mean")
    ).reset_index()


def halves(
    tables: dict[str, Overlaps], few: int, budget: int, tau: float, average: str = "image", lattice=None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the six curves of each method on the images with few objects, and on those with more.

    Parameters
    ----------
    tables : dict of Overlaps
        By method, all of one data set.
    few : int
        As in :func:`split_by_count`.
    budget, tau, average, lattice
        As in :func:`propeval_lite.studies.wang_criteria.criteria_curves`, with one threshold.
    """
    parts = {method: split_by_count(table, few) for method, table in tables.items()}
    first, second = (
        criteria_curves(
            {m: pair[i] for m, pair in parts.items()}, budget, [tau], average=average, lattice=lattice
        )
        for i in (0, 1)
    )
    return first, second


def up_to(curves: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return curves without the points along the number of candidates that lie beyond `most`.

    Examples
    --------
    >>> curve = pd.DataFrame({"axis": ["number", "number", "IoU"], "budget": [10, 3162, 1035]})
    >>> up_to(curve, 1000)["budget"].tolist()
    [10, 1035]
    """
    return curves[(curves["axis"] != "number") | (curves["budget"] <= most)].reset_index(drop=True)


def at_budgets(curves: pd.DataFrame, budgets: Sequence[int]) -> pd.DataFrame:
    """Read curves against the number of candidates at given numbers, on a line in log k between sampled ones.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`; rows along IoU are kept.
    budgets : sequence of int
        Those outside the sampled range of a curve are left out, except within a percent of its end.

    Examples
    --------
    >>> curve = pd.DataFrame({"method": "m", "axis": "number", "criterion": "AR", "tau": np.nan, "budget": [1, 100],
    ...                       "value": [0.2, 0.4]})
    >>> at_budgets(curve, [1, 10, 1000])[["budget", "value"]].to_numpy().round(3).tolist()
    [[1.0, 0.2], [10.0, 0.3]]
    """
    wanted = np.array(budgets)
    is_number = curves["axis"] == "number"
    keys = [name for name in curves.columns if name not in ("budget", "value")]
    parts = [curves[~is_number]]
    for key, curve in curves[is_number].groupby(keys, sort=False, dropna=False):
        known = curve.sort_values("budget")
        low, high = known["budget"].iloc[[0, -1]]
        inside = wanted[(wanted >= 0.99 * low) & (wanted <= 1.01 * high)]
        values = np.interp(np.log(inside), np.log(known["budget"]), known["value"])
        parts.append(pd.DataFrame(dict(zip(keys, key, strict=True)) | {"budget": inside, "value": values}))
    return pd.concat(parts, ignore_index=True)[curves.columns]


def between_years(
    first: dict[str, Overlaps],
    second: dict[str, Overlaps],
    budgets: Sequence[int],
    budget: int,
    tau: float,
    lattice: str | None,
) -> pd.DataFrame:
    """Distance per image between VOC 2007 and VOC 2012 of the methods whose overlaps are published for both.

    Parameters
    ----------
    first, second : dict of Overlaps
        Of VOC 2007 and of VOC 2012, by method.
    budgets : sequence of int
        Sampling points along the number of candidates, see :func:`at_budgets`.
    budget, tau, lattice
        As in :func:`propeval_lite.studies.wang_criteria.criteria_curves`, with one threshold.

    Returns
    -------
    DataFrame
        As from :func:`average_distance`, under the paper's short names.
    """
    pair = []
    for tables, names in ((first, SAME_2007), (second, SAME)):
        both = {short: tables[names[short]] for short in SAME_2007 if short in SAME}
        pair.append(at_budgets(criteria_curves(both, budget, [tau], lattice=lattice), budgets))
    return average_distance(*pair)


def gaps(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Return how much two data sets differ under recall, under OMA and in what chance recalls, at each point.

    Parameters
    ----------
    first, second : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, with the same sampling points.

    Returns
    -------
    DataFrame
        Indexed by method, axis, tau and budget; columns ``recall, OMA, chance``.
    """
    keys = ["method", "axis", "tau", "budget"]
    wide = [
        table[table["criterion"].isin(["recall", "OMA"])].pivot_table("value", keys, "criterion")
        for table in (first, second)
    ]
    gap = (wide[0] - wide[1])[["recall", "OMA"]].rename_axis(columns=None)
    return gap.assign(chance=gap["recall"] - gap["OMA"])


def counted_split(dataset: Dataset, few: int) -> pd.DataFrame:
    """Count the images with few and with multiple objects where difficult objects are not counted.

    Returns
    -------
    DataFrame
        Columns ``part, images``.
    """
    n = dataset.objects.loc[~dataset.objects["difficult"], "image_id"].value_counts()
    return pd.DataFrame(
        {"part": ["few", "multiple"], "images": [int((n <= few).sum()), int((n > few).sum())]}
    )


def pooled_between(
    methods: Sequence[str],
    dataset: Dataset,
    tables: dict[str, Overlaps],
    tau: float,
    budget: int,
    lattice: str | None,
) -> pd.DataFrame | None:
    """Distance along IoU between published recalls on VOC 2007 and published best IoUs elsewhere, both pooled.

    Parameters
    ----------
    methods : sequence of str
        With ``"recall:FILE?dataset=voc2007"``; None is returned where it is missing.
    dataset : Dataset
        VOC 2007.
    tables : dict of Overlaps
        Of the other data set, with the methods of :data:`SAME`.
    tau, budget, lattice
        As in :func:`propeval_lite.studies.wang_criteria.criteria_curves`.

    Returns
    -------
    DataFrame or None
        As from :func:`average_distance`, for the methods that both have.
    """
    recalls = published_recalls(methods, "voc2007")
    if recalls is None:
        return None
    pooled = pooled_oma(recalls, dataset, 1000, lattice)
    pooled = pooled.melt(["method", "tau"], ["recall", "OMA"], "criterion")
    pooled = pooled.assign(method=pooled["method"].map(IN_RECALLS), axis="IoU", budget=1000).dropna()
    there = {method: tables[name] for method, name in SAME.items()}
    curves = criteria_curves(there, budget, [tau], average="object", lattice=lattice)
    return average_distance(pooled, curves[curves["axis"] == "IoU"])
