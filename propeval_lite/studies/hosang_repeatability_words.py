"""Sentences of the page on repeatability, made from its tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies import hosang_repeatability_paper as paper


def same(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of a curve at which nothing has changed."""
    return table[paper.unchanged(table)]


def unchanged(curve: pd.DataFrame) -> str:
    """Say which methods give the same boxes twice, and what the others reach."""
    rows = same(curve[curve["of"] == study.ALL]).dropna(subset="repeatability")
    filled = 1 - rows["empty groups"] / 10
    value = rows["repeatability"].to_numpy()
    exact = np.isclose(value, filled.to_numpy(), rtol=0, atol=1e-12) | (value == 1)
    always = pd.Series(exact, index=rows["method"]).groupby(level=0, sort=False).all()
    worst = (
        rows[~rows["method"].isin(always.index[always])].groupby("method", sort=False)["repeatability"].mean()
    )
    good = listed(always.index[always])
    give = "gives" if always.sum() == 1 else "give"
    said = f"Where nothing changes, {good} {give} the same boxes again: IoU 1 in every group that has boxes. "
    if len(worst):
        reached = listed([f"{name} {value:.3f}" for name, value in worst.items()])
        said += f"The others draw at random and reach {reached}."
    return said


def empty_groups(curve: pd.DataFrame, empty: str) -> str:
    """Say where groups of sizes are empty, and what that takes away."""
    rows = curve[(curve["of"] == study.ALL) & (curve["empty groups"] > 0)]
    if rows.empty:
        return "No group of sizes is empty, for any method or perturbation."
    most = rows.groupby("method", sort=False)["empty groups"].max()
    named = listed([f"{name} (up to {number})" for name, number in most.items()])
    counted = (
        "Each counts 0, as in the paper's program, so that a method that never changes its mind loses a tenth for each"
        if empty == "zero"
        else "They are left out of the mean, while the paper's program counts each as 0"
    )
    return f"Groups without any box: {named}. {counted}."


def problems(table: pd.DataFrame) -> str:
    """Say what could not be judged, by method and kind of problem."""
    if table.empty:
        return "Every method answered on every version of every picture, and some of its boxes were left to compare."
    short = table.assign(problem=table["problem"].str.split(":").str[:2].str.join(":"))
    counts = short.groupby(["method", "problem"], sort=False).size().reset_index(name="number")
    rows = counts.itertuples(index=False, name=None)
    named = "; ".join(f"{method}: {problem} ({number} times)" for method, problem, number in rows)
    return f"Not judged, and listed by image in the table: {named}."


def subtle(curve: pd.DataFrame) -> str:
    """Say what the smallest change of scale costs the methods that look."""
    rows = curve[(curve["of"] == study.ALL) & (curve["perturbation"] == "scale")]
    table = rows.pivot_table(index="method", columns="value", values="repeatability", sort=False)
    near = table.columns[np.isclose(np.abs(table.columns.to_numpy(float) - 1), 0.01)]
    lost = (table[1.0] - table[near].mean(axis=1)).sort_values(ascending=False)
    return (
        f"A change of scale by one percent costs {lost.index[0]} most ({lost.iloc[0]:.3f}) and {lost.index[-1]} least "
        f"({lost.iloc[-1]:+.3f})."
    )


def sizes(table: pd.DataFrame) -> str:
    """Say whose boxes are smallest and largest in the middle, and how far apart the distributions are."""
    wide = table.pivot_table(index="method", columns="size", values="share", sort=False)
    middle = (wide * wide.columns.to_numpy()).sum(axis=1).sort_values()
    apart = max(float(np.abs(wide.loc[a] - wide.loc[b]).sum() / 2) for a in wide.index for b in wide.index)
    return (
        f"Mean sizes go from {middle.iloc[0]:.2f} of the picture's side ({middle.index[0]}) to {middle.iloc[-1]:.2f} "
        f"({middle.index[-1]}); the two distributions furthest apart share only {1 - apart:.0%}."
    )


def by_size(table: pd.DataFrame, method: str) -> str:
    """Say how the area under recall grows with size, from the smallest to the largest group that has boxes."""
    areas = [
        (str(size), float(np.trapezoid(rows["recall"], rows["iou"])))
        for size, rows in table.groupby("size", sort=False)
    ]
    if len(areas) < 2:
        return f"{method} has boxes of too few sizes to compare."
    rises = sum(after[1] > before[1] for before, after in pairwise(areas))
    return (
        f"The area under recall of {method} is {areas[0][1]:.2f} for sizes {areas[0][0]} and {areas[-1][1]:.2f} for "
        f"{areas[-1][0]}; it rises at {rises} of {len(areas) - 1} steps."
    )


def listed(names: Sequence | pd.Index) -> str:
    """Join names with commas and a last "and"; "no method" for none.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed([])
    ('a, b and c', 'no method')
    """
    texts = [str(name) for name in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "no method"


def rises(table: pd.DataFrame) -> float:
    """Rank correlation of the size of a group with its area under recall; NaN for fewer than three groups."""
    areas = [
        float(np.trapezoid(rows["recall"], rows["iou"])) for _, rows in table.groupby("size", sort=False)
    ]
    if len(areas) < 3:
        return float("nan")
    return float(spearmanr(areas, range(len(areas))).statistic)


def furthest_apart(table: pd.DataFrame) -> float:
    """Largest share of boxes by which two methods' distributions of sizes differ; the objects take no part."""
    rows = table[table["method"] != "annotations"]
    wide = rows.pivot_table(index="method", columns="size", values="share", sort=False).to_numpy()
    return float(np.abs(wide[:, np.newaxis] - wide).sum(axis=2).max() / 2)


def ends(curve: pd.DataFrame) -> pd.DataFrame:
    """Return repeatability at the smallest change of each kind, a row per data set and method."""
    rows = curve[curve["of"] == study.ALL]
    far = []
    for kind, part in rows.groupby("perturbation", sort=False):
        values = np.sort(part["value"].unique())
        away = np.abs(values - PERTURBATIONS[str(kind)].identity)
        away[away == 0] = np.inf
        value = values[np.argmin(away)]
        far.append(part[part["value"] == value].assign(change=f"{kind} {value:g}".replace("_", " ")))
    table = pd.concat(far).pivot_table(
        index=["dataset", "method"], columns="change", values="repeatability", sort=False
    )
    return table.reset_index().rename_axis(columns=None)


def gaps(blind: pd.DataFrame) -> str:
    """Say how far blind methods are from the published curves, at no change and anywhere."""
    if blind.empty:
        return "There are no results on VOC 2007 here to compare."
    parts = []
    for name, rows in blind.groupby("method", sort=False):
        worst = rows.iloc[int(rows["difference"].abs().to_numpy().argmax())]
        at = same(rows.assign(of=study.ALL))
        parts.append(
            f"{name} is {at['here'].mean():.3f} where nothing changes (published {at['paper'].mean():.3f}) and at most "
            f"{abs(worst['difference']):.3f} off ({worst['perturbation']} {worst['value']:.3g})"
        )
    return "; ".join(parts) + "."


def unchanged_table(curve: pd.DataFrame, empty: str) -> pd.DataFrame:
    """Return repeatability where nothing changes, with empty groups and without: a row per data set and method."""
    rows = same(curve[(curve["of"] == study.ALL) & (curve["perturbation"] == "scale")])
    filled = 10 - rows["empty groups"] if empty == "zero" else 10
    counted = 10 * rows["repeatability"] / filled
    columns = ["dataset", "method", "repeatability", "low", "high", "boxes", "empty groups"]
    return rows[columns].assign(**{"of groups with boxes": counted}).reset_index(drop=True)
