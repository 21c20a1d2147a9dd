"""Sentences of the page on two data sets, made from its tables of distances, and the tolerance of its verdicts."""

from __future__ import annotations

import math

import pandas as pd

from propeval_lite.studies.wang_between_datasets import CURVES, PAIRS
from propeval_lite.studies.wang_criteria_claims import how_many


def sampling_tolerance(first: int, second: int) -> float:
    """Return, in hundredths, twice the largest standard error of a difference of two means over images.

    Parameters
    ----------
    first, second : int
        Numbers of images. The recall of an image lies between 0 and 1, so its standard deviation is at most one half.

    Examples
    --------
    >>> round(sampling_tolerance(100, 100), 2)
    14.14
    """
    return 200 * math.sqrt(0.25 / first + 0.25 / second)


def drop_range(table: pd.DataFrame, pair: int = 1) -> tuple[float, float]:
    """Return by how many per cent the distance of a method drops, at least and at most, under OMA.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.distance_table`.
    pair : int
        Which pair of curves: 0 recall and OMA against the number, 1 AR and AO, 2 against IoU.

    Examples
    --------
    >>> drop_range(pd.DataFrame({"AR vs number": [10.0, 8], "AO vs number": [1.0, 6]}))
    (25.0, 90.0)
    """
    base, other = (CURVES[key] for key in PAIRS[pair])
    drops = 100 * (1 - table[other] / table[base])
    return float(drops.min()), float(drops.max())


def every_drops(table: pd.DataFrame) -> tuple[int, int]:
    """Count the distances that are smaller under OMA, and all.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.distance_table`.
    """
    smaller = total = 0
    for pair in PAIRS:
        base, other = (CURVES[key] for key in pair)
        if {base, other} <= set(table.columns):
            smaller += int((table[other] < table[base]).sum())
            total += len(table)
    return smaller, total


def drop_sentence(table: pd.DataFrame, title: str) -> str:
    """Say how many distances drop under OMA, and how far the averages do.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.distance_table`.
    title : str
        What is compared.
    """
    low, high = drop_range(table)
    smaller, total = every_drops(table)
    rises = [
        f"{method} ({CURVES[pair[0]]})"
        for pair in PAIRS
        for method in table.index
        if table.loc[method, CURVES[pair[1]]] >= table.loc[method, CURVES[pair[0]]]
    ]
    exception = f" (not: {', '.join(rises)})" if rises else ""
    return (
        f"{title}: OMA brings the curves closer in {smaller} of {total} cases{exception}. From AR to AO the distance "
        f"changes by {-high:+.0f} to {-low:+.0f} %."
    )


def relative_sentence(table: pd.DataFrame) -> str:
    """Say in how many rows OMA is closer, and in how many it still is relative to the height of its curves.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.relative_distances`.
    """
    closer = int((table["OMA"] < table["recall"]).sum())
    relative = int((table["OMA, rel."] < table["recall, rel."]).sum())
    return (
        f"The distance is smaller under OMA in {closer} of the {len(table)} rows; relative to the height of the curves "
        f"it is smaller in {relative} of them."
    )


def crossing_sentence(curves: pd.DataFrame, few: str, multiple: str, tau: float, title: str) -> str:
    """Say for how many methods recall and OMA are higher on images with few objects, at the most candidates.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of both parts.
    few, multiple : str
        Names of the parts in the column ``dataset``.
    tau : float
        Threshold of the curves against the number.
    title : str
        Of the data set.
    """
    rows = curves[(curves["axis"] == "number") & (curves["tau"] == tau)]
    last = rows[rows["budget"] == rows.groupby("method")["budget"].transform("max")]
    wide = last.pivot_table("value", "method", ["criterion", "dataset"])
    ahead = {name: wide[name, few] > wide[name, multiple] for name in ("recall", "OMA")}
    parts = [f"{name} is higher on images with few objects for {how_many(int(ahead[name].sum()), len(wide))} methods"
             for name in ahead]  # fmt: skip
    return f"*{title}*, at IoU {tau:g} and with the most candidates drawn: " + "; ".join(parts) + "."


def split_sentence(table: pd.DataFrame) -> str:
    """Say whether a way of counting gives the paper's split into few and multiple objects.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.split_sizes`.
    """
    agrees = [
        str(name)
        for name, rows in table.groupby("objects counted", sort=False)
        if (rows["difference"] == 0).all()
    ]
    most = table.loc[table["part"] == "multiple"]
    more = (most["difference"] < 0).all()
    text = (
        f"The split agrees where these objects are counted: {', '.join(agrees)}."
        if agrees
        else ("No way of counting here gives the paper's split.")
    )
    if more:
        text += (
            " The paper has more images with multiple objects than all boxes of the annotation file allow, which fits "
            "its [larger number of objects](wang_criteria.ipynb)."
        )
    return text


def lines_sentence(lines: pd.DataFrame) -> str:
    """Say which line the paper's distances lie on.

    Parameters
    ----------
    lines : DataFrame
        From :func:`propeval_lite.studies.wang_between_datasets_claims.fit_lines`.
    """
    found = ", ".join(
        f"{row.slope:.3f} in {name} (it starts at {row.intercept:+.2f}, and the printed numbers leave the line by at "
        f"most {residual:.3f})"
        for row, name, residual in zip(
            lines.itertuples(), lines["paper's"], lines["largest residual"], strict=True
        )
    )
    return f"The slope is {found}; a constant chance would make it 1."
