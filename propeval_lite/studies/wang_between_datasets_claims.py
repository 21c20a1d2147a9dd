"""Tables of distances: as the paper prints them, relative to the height of the curves, and the paper's beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite.studies.wang_between_datasets import CURVES, PAIRS


def distance_table(distances: pd.DataFrame) -> pd.DataFrame:
    """One row per method and one column per curve, in hundredths, as the paper prints distances.

    Parameters
    ----------
    distances : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets.average_distance`. A curve that
        it does not have is no column.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, Tables 2 and 3.
    """
    keys = zip(distances["axis"], distances["criterion"], strict=True)
    named = distances.assign(curve=[CURVES[key] for key in keys])
    wide = 100 * named.pivot_table(index="method", columns="curve", values="distance")
    columns = [name for name in CURVES.values() if name in wide]
    return wide.loc[list(pd.unique(named["method"])), columns].rename_axis(columns=None)


def for_page(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of :func:`distance_table` with names that fit a page: k stands for the number of candidates."""
    return table.rename(columns=lambda name: name.replace("vs number", "vs k")).reset_index()


def relative_distances(
    distances: pd.DataFrame, comparison: str, without: Sequence[str] = ("random_boxes",)
) -> pd.DataFrame:
    """Mean distance over methods, and mean distance relative to the height of the curves.

    Parameters
    ----------
    distances : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets.average_distance`.
    comparison : str
        What is compared, written into the first column.
    without : sequence of str
        Methods to leave out; chance has no height of its own.

    Returns
    -------
    DataFrame
        One row per pair of curves: ``comparison, replacing``, and of either kind the distance and the relative
        distance.
    """
    distances = distances[~distances["method"].isin(without)]
    rows = []
    for pair in PAIRS:
        row: dict[str, Any] = {"comparison": comparison, "replacing": _title(pair)}
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
            both = {"method": table.index, "recall": table[base].array, "OMA": table[other].array}
            points.append(pd.DataFrame(both).assign(source=source, curve=_title(pair)))
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


def paper_distances(printed: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the paper's tables of distances as from :func:`distance_table`, by the name of the table.

    Parameters
    ----------
    printed : DataFrame
        Columns ``table, method, quantity, value``; rows of the table "text" are no distances.
    """
    printed = printed[printed["table"] != "text"]
    printed = printed.assign(curve=printed["quantity"].str.removeprefix("average distance of "))
    return {
        str(name): part.pivot_table(index="method", columns="curve", values="value", sort=False)
        for name, part in printed.groupby("table")
    }


def split_sizes(paper: pd.DataFrame, parts: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Put the paper's numbers of images with few and with multiple objects of VOC 2007 beside ours.

    Parameters
    ----------
    paper : DataFrame
        Columns ``dataset, quantity, value``.
    parts : dict
        By which objects are counted, a table with ``part, images``.
    """
    facts = paper[paper["quantity"] == "images"].set_index("dataset")["value"]
    rows = [
        (row.part, counted, int(facts[f"VOC 2007 {row.part}"]), row.images)
        for counted, table in parts.items()
        for row in table.itertuples()
    ]
    table = pd.DataFrame(rows, columns=["part", "objects counted", "paper", "here"])
    return table.assign(difference=table["here"] - table["paper"])


def largest_differences(table: pd.DataFrame) -> list[str]:
    """Say how far we are from the paper: the mean and the largest difference, for recall and for OMA.

    Parameters
    ----------
    table : DataFrame
        From :func:`beside`.
    """
    is_oma = table["curve"].str.startswith(("OMA", "AO"))
    lines = []
    for title, part in (("recall", table[~is_oma]), ("OMA", table[is_oma])):
        worst = part.iloc[part["difference"].abs().argmax()]
        lines.append(
            f"{title}: mean difference {part['difference'].mean():+.1f}, largest {worst['difference']:+.1f} "
            f"({worst['method']}, {worst['curve']})"
        )
    return lines


def fit_lines(
    paper: dict[str, pd.DataFrame], curves: tuple[str, str] = ("recall vs number", "OMA vs number")
):
    """Fit a line to the paper's distances under OMA against those under recall.

    Parameters
    ----------
    paper : dict of DataFrame
        From :func:`paper_distances`. OBJ, which lies off the line of Table 2, is left out there.
    curves : (str, str)
        The columns to fit.

    Returns
    -------
    DataFrame
        Columns ``paper's, methods, slope, intercept, largest residual, ratio from, ratio to``.
    """
    rows = []
    for name, table in paper.items():
        known = table.drop(index="OBJ") if name == "Table 2" else table
        x, y = (known[curve] for curve in curves)
        slope, start = np.polyfit(x, y, 1)
        ratio = y / x
        rows.append(
            (name, len(known), slope, start, (y - slope * x - start).abs().max(), ratio.min(), ratio.max())
        )
    columns = ["paper's", "methods", "slope", "intercept", "largest residual", "ratio from", "ratio to"]
    return pd.DataFrame(rows, columns=columns)


def without_factor(table: pd.DataFrame, slope: float) -> pd.DataFrame:
    """Divide the paper's distances under OMA, vs number, by a slope, beside ours.

    Parameters
    ----------
    table : DataFrame
        From :func:`beside`.
    slope : float
    """
    part = table[table["curve"] == "OMA vs number"].reset_index(drop=True)
    scaled = part[["stands for", "paper"]].assign(**{"paper / slope": part["paper"] / slope})
    return scaled.assign(here=part["here"])


def near_and_far(table: pd.DataFrame, within: float = 0.1) -> list[str]:
    """Say which methods of :func:`without_factor` come near our distance, and which do not."""
    far = (table["paper / slope"] - table["here"]).abs() / table["here"] >= within
    kinds = (("near", table[~far]), ("not near", table[far]))
    return [f"{words} ours without the factor: {', '.join(some['stands for'])}" for words, some in kinds]
