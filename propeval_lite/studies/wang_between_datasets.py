"""Tables that the pages about OMA show: distances, drops, steadiness, stretches below chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite.boxes.oma import chance_recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.results import keep, kept
from propeval_lite.studies.wang_criteria import below_chance, nearest_budget, split_by_count

CURVES = {
    ("number", "recall"): "recall vs number",
    ("number", "OMA"): "OMA vs number",
    ("number", "AR"): "AR vs number",
    ("number", "AO"): "AO vs number",
    ("IoU", "recall"): "recall vs IoU",
    ("IoU", "OMA"): "OMA vs IoU",
}
PAIRS = tuple(zip(list(CURVES)[::2], list(CURVES)[1::2], strict=True))


def fresh_or_kept(mine: pd.DataFrame | None, dataset: str, name: str, source: str) -> pd.DataFrame | None:
    """Return the table of this run and offer it for keeping, or else the one that an earlier run kept.

    Parameters
    ----------
    mine : DataFrame or None
        None where this run did not look at `dataset`.
    dataset, name, source
        As in :func:`propeval_lite.results.keep`.
    """
    if mine is None:
        return kept(dataset, name)
    keep(mine, dataset, name, source)
    return mine


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
        luck = chance_recall(nearest_budget(part, budget), tau, lattice=lattice, round=True)
        images = len(np.unique(part.image_row))
        rows.append((overlaps.conventions["dataset"], title, images, len(part), float(luck)))
    return pd.DataFrame(rows, columns=["data set", "part", "images", "objects", "recall of chance"])


def distance_table(distances: pd.DataFrame) -> pd.DataFrame:
    """One row per method and one column per curve, in hundredths, as the paper prints distances.

    Parameters
    ----------
    distances : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.average_distance`. A curve that it does not have is no column.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, Tables 2 and 3.
    """
    keys = zip(distances["axis"], distances["criterion"], strict=True)
    named = distances.assign(curve=[CURVES[key] for key in keys])
    wide = 100 * named.pivot_table(index="method", columns="curve", values="distance")
    columns = [name for name in CURVES.values() if name in wide]
    return wide.loc[pd.unique(named["method"]), columns].rename_axis(columns=None)


def relative_distances(distances: pd.DataFrame) -> pd.DataFrame:
    """Mean distance over methods, and mean distance relative to the height of the curves.

    Parameters
    ----------
    distances : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.average_distance`.

    Returns
    -------
    DataFrame
        One row per pair of curves: ``replacing``, and of either kind the distance and the relative distance.
    """
    rows = []
    for pair in PAIRS:
        row = {"replacing": _title(pair)}
        for name, (axis, criterion) in zip(("recall", "OMA"), pair, strict=True):
            part = distances[(distances["axis"] == axis) & (distances["criterion"] == criterion)]
            row[name] = part["distance"].mean()
            row[f"{name}, rel."] = (part["distance"] / part["level"]).mean()
        rows.append(row)
    return pd.DataFrame(rows)


def drops(tables: dict[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Count for how many methods OMA brings two data sets closer, and list the distances as points.

    Parameters
    ----------
    tables : dict of DataFrame
        By source, as from :func:`distance_table`; a pair of curves that a table lacks is left out.

    Returns
    -------
    counts : DataFrame
        Columns ``source, replacing, closer, by over 80 %, drop in %``; the last is the median.
    points : DataFrame
        Columns ``source, method, curve, recall, OMA``, for the figure `distances`.

    Examples
    --------
    >>> table = pd.DataFrame({"AR vs number": [10.0, 8], "AO vs number": [1.0, 6]}, index=["a", "b"])
    >>> drops({"ours": table})[0].to_numpy().tolist()
    [['ours', 'AR → AO vs number', '2 of 2', '1 of 2', 57.5]]
    """
    rows, points = [], []
    for source, table in tables.items():
        for pair in PAIRS:
            base, other = (CURVES[key] for key in pair)
            if base not in table or other not in table:
                continue
            drop = 1 - table[other] / table[base].where(table[base] > 0)
            counts = [f"{(drop > limit).sum()} of {len(drop)}" for limit in (0, 0.8)]
            rows.append((source, _title(pair), *counts, float(np.round(100 * drop.median(), 6))))
            columns = {"method": table.index, "recall": table[base].array, "OMA": table[other].array}
            points.append(pd.DataFrame(columns).assign(source=source, curve=_title(pair)))
    columns = ["source", "replacing", "closer", "by over 80 %", "drop in %"]
    order = ["source", "method", "curve", "recall", "OMA"]
    return pd.DataFrame(rows, columns=columns), pd.concat(points, ignore_index=True)[order]


def _title(pair) -> str:
    (_, base), key = pair
    return f"{base} → {CURVES[key]}"


def beside(paper: pd.DataFrame, ours: pd.DataFrame, same: dict[str, str]) -> pd.DataFrame:
    """Put distances of the paper and ours beside each other, for methods that correspond.

    Parameters
    ----------
    paper, ours : DataFrame
        As from :func:`distance_table`.
    same : dict
        Name in `ours` of each method of `paper`.
    """
    rows = [
        (long, short, curve, paper.loc[short, curve], ours.loc[long, curve])
        for short, long in same.items()
        for curve in ours.columns
    ]
    table = pd.DataFrame(rows, columns=["method", "stands for", "curve", "paper", "here"])
    return table.assign(difference=table["here"] - table["paper"])


def steadiness(curves: pd.DataFrame, low: int, high: int, taus: Sequence[float]) -> pd.DataFrame:
    """Compare the spread of OMA with that of recall along the number of candidates.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.
    low, high : int
        First and last number of candidates to look at.
    taus : sequence of float
        Thresholds.

    Returns
    -------
    DataFrame
        Spread is the largest less the smallest value of a curve; the last columns are means over methods.
    """
    part = curves[(curves["axis"] == "number") & curves["budget"].between(low, high)]
    rows = []
    for base, other, tau in [*(("recall", "OMA", tau) for tau in taus), ("AR", "AO", None)]:
        level = part[part["tau"].isna() if tau is None else np.isclose(part["tau"], tau)]
        groups = level.groupby(["criterion", "method"])["value"]
        spread = groups.max() - groups.min()
        first, second = spread[base], spread[other]
        at = "" if tau is None else f" at IoU {tau:g}"
        held = f"{(second < first).sum()} of {len(first)}"
        rows.append(
            (f"{other} steadier than {base}{at}", f"{low:,} to {high:,}", held, first.mean(), second.mean())
        )
    columns = ["claim: most methods", "candidates", "holds for", "spread, recall", "spread, OMA"]
    return pd.DataFrame(rows, columns=columns)


def stretches_below(table: pd.DataFrame, value: str, dataset: str) -> pd.DataFrame:
    """List for each method the IoU thresholds at which chance beats it.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, tau`` and `value`, which is OMA.
    value : str
    dataset : str
        Written into the first column.
    """
    rows = []
    for method, curve in table.groupby("method", sort=False):
        for low, high in below_chance(curve["tau"], curve[value]):
            inside = curve.loc[curve["tau"].between(low, high), value]
            rows.append((dataset, method, low, high, inside.min()))
    return pd.DataFrame(rows, columns=["data set", "method", "from", "to", "lowest OMA"])


def best_thresholds(table: pd.DataFrame, value: str, dataset: str, low: float, high: float) -> pd.DataFrame:
    """Say at which IoU threshold OMA is largest: the median over methods, and how many lie in [low, high].

    Parameters
    ----------
    table, value, dataset
        As in :func:`stretches_below`.
    low, high : float
    """
    best = table.loc[table.groupby("method", sort=False)[value].idxmax()].set_index("method")["tau"]
    near = best.between(low, high)
    row = (dataset, best.median(), f"{near.sum()} of {len(near)}", ", ".join(best.index[~near]))
    return pd.DataFrame([row], columns=["data", "median", f"from {low:g} to {high:g}", "elsewhere"])
