"""What the curves of OMA say: peaks, stretches below chance, steadiness, humps, and the paper's claims beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

#: What the paper says of Objectness in §5.3.
OBJECTNESS = {
    "OMA at IoU 0.5, k to 1,000": "below 0",
    "above 0 at IoU 0.8": "k to 500",
    "below 0 at k = 1,000": "IoU 0.5 to 0.8",
}
#: The paper's methods, as the published overlaps of VOC 2007 call them.
IN_PAPER = ("edgebox", "selective_search", "objectness", "MCG")
SHORT = {"dataset": "data", "tau": "IoU", "budget": "k", "of possible": "share"}


def peaks(curves: pd.DataFrame) -> pd.DataFrame:
    """Return the number of candidates at which each OMA curve of each method is largest.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.

    Returns
    -------
    DataFrame
        One row per method, one column per threshold and one for average OMA.
    """
    number = curves[(curves["axis"] == "number") & curves["criterion"].isin(["OMA", "AO"])]
    at = "OMA at " + number["tau"].map("{:g}".format)
    number = number.assign(column=at.where(number["criterion"] == "OMA", "average OMA"))
    best = number.groupby(["method", "column"], sort=False)["value"].idxmax()
    wide = number.loc[best].pivot_table("budget", "method", "column", aggfunc="first")
    return wide.loc[list(pd.unique(number["method"]))].reset_index().rename_axis(columns=None)


def at_budget_table(*tables: pd.DataFrame) -> pd.DataFrame:
    """Join tables of :func:`propeval_lite.studies.wang_criteria.at_budget`, with short names for a page."""
    joined = pd.concat(tables, ignore_index=True).drop(columns="average").rename(columns=SHORT)
    return joined.assign(data=joined["data"].str.replace("-test", "").str.replace("-val", ""))


def data_counts(paper: pd.DataFrame, counts: dict[str, pd.DataFrame | None]) -> pd.DataFrame:
    """Put the numbers of images and objects of the paper beside ours.

    Parameters
    ----------
    paper : DataFrame
        Columns ``dataset, quantity, value``.
    counts : dict
        By the paper's name of the data set, a row with ``images, objects``; None where ours are not known.
    """
    facts = paper.set_index(["dataset", "quantity"])["value"]
    rows = []
    for title, ours in counts.items():
        here = [np.nan] * 2 if ours is None else ours.iloc[0][["images", "objects"]].tolist()
        # Of the paper's images of VOC 2012 only a part has objects.
        there = [facts.get((title, "annotated images"), facts[title, "images"]), facts[title, "objects"]]
        for quantity, theirs, mine in zip(
            ("images", "objects", "objects per image"),
            (*there, there[1] / there[0]),
            (*here, here[1] / here[0]),
            strict=True,
        ):
            rows.append((title, quantity, theirs, mine, mine - theirs))
    return pd.DataFrame(rows, columns=["data set", "quantity", "paper", "here", "difference"])


class AgainstChance(NamedTuple):
    """How one method stands against chance.

    Attributes
    ----------
    numbers : Series
        OMA at the first threshold, by number of candidates.
    thresholds : Series
        OMA by IoU at one number of candidates.
    crossing : float
        Number of candidates at which OMA at the second threshold falls below 0, interpolated; NaN if it never does.
    between : (int, int)
        Sampled numbers on either side of the crossing.
    below : list of (float, float)
        Stretches of IoU thresholds with OMA below 0.
    """

    numbers: pd.Series
    thresholds: pd.Series
    crossing: float
    between: tuple[int, int]
    below: list[tuple[float, float]]


def against_chance(
    curves: pd.DataFrame, method: str, taus: tuple[float, float] = (0.5, 0.8)
) -> AgainstChance:
    """Follow OMA of a method along the number of candidates at two thresholds, and along IoU.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.
    method : str
    taus : two floats
    """
    rows = curves[(curves["method"] == method) & (curves["criterion"] == "OMA")]
    number, by_iou = (rows[rows["axis"] == axis] for axis in ("number", "IoU"))
    first, second = (number[np.isclose(number["tau"], tau)].set_index("budget")["value"] for tau in taus)
    stretches = below_chance(second.index, second, log=True)
    crossing = stretches[0][0] if stretches else np.nan
    sampled = second.index.to_numpy()
    place = int(np.searchsorted(sampled, crossing))
    between = (int(sampled[max(place - 1, 0)]), int(sampled[min(place, len(sampled) - 1)]))
    thresholds = by_iou.set_index("tau")["value"]
    return AgainstChance(first, thresholds, crossing, between, below_chance(thresholds.index, thresholds))


def objectness(pooled: pd.DataFrame, found: dict[str, AgainstChance]) -> pd.DataFrame:
    """Put what the paper says of Objectness and chance beside several sets of its boxes.

    Parameters
    ----------
    pooled : DataFrame
        Of VOC 2007, columns ``method, tau, OMA``, with the method ``Objectness``.
    found : dict
        By title of a column, from :func:`against_chance`.
    """
    there = pooled[pooled["method"] == "Objectness"]
    at_half = there.loc[np.isclose(there["tau"], 0.5), "OMA"].iloc[0]
    columns = {"VOC 2007, pooled": [f"{at_half:+.3f}", "–", _stretches(there["tau"], there["OMA"])]}
    for title, one in found.items():
        few = one.numbers[one.numbers.index <= 1000]
        cells = [f"{few.min():+.3f} to {few.max():+.3f}", f"k to {one.crossing:.0f}", spans(one.below)]
        columns[title] = cells
    table = pd.DataFrame({"Objectness": list(OBJECTNESS), "paper": list(OBJECTNESS.values()), **columns})
    return table[["Objectness", "paper", *found, "VOC 2007, pooled"]]


def spans(stretches: Sequence[tuple[float, float]]) -> str:
    """Write stretches as text.

    Examples
    --------
    >>> spans([(0.5, 0.55), (0.7, 0.9)]), spans([])
    ('0.50 to 0.55, 0.70 to 0.90', 'none')
    """
    return ", ".join(f"{low:.2f} to {high:.2f}" for low, high in stretches) or "none"


def _stretches(x, values) -> str:
    return spans(below_chance(x, values))


def is_lowest(curves: pd.DataFrame, method: str, tau: float, methods: Sequence[str] = IN_PAPER) -> bool:
    """Say whether a method has the lowest recall of some at a threshold, on the curves against IoU.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.
    method : str
    tau : float
    methods : sequence of str

    Examples
    --------
    >>> rows = [("a", "IoU", "recall", 0.5, 0.9), ("b", "IoU", "recall", 0.5, 0.7), ("c", "IoU", "recall", 0.5, 0.1)]
    >>> curves = pd.DataFrame(rows, columns=["method", "axis", "criterion", "tau", "value"])
    >>> is_lowest(curves, "b", 0.5, ["a", "b"]), is_lowest(curves, "b", 0.5, ["a", "b", "c"])
    (True, False)
    """
    rows = curves[
        (curves["axis"] == "IoU") & (curves["criterion"] == "recall") & np.isclose(curves["tau"], tau)
    ]
    return str(rows.set_index("method")["value"].loc[list(methods)].idxmin()) == method


def crossing_tolerance(found: AgainstChance, claimed: float) -> float:
    """Return how far the crossing may lie from a claimed one, for both to lie between the same two sampled numbers.

    Examples
    --------
    >>> one = AgainstChance(pd.Series(dtype=float), pd.Series(dtype=float), 455.0, (316, 1000), [])
    >>> crossing_tolerance(one, 500), crossing_tolerance(one, 100)
    (545.0, 139.0)
    """
    low, high = found.between
    return float(high - found.crossing if claimed > found.crossing else found.crossing - low)


def below_chance(x, values, tolerance: float = 0.001, log: bool = False) -> list[tuple[float, float]]:
    """Return the stretches of a curve that lie below 0, ends interpolated.

    Parameters
    ----------
    x, values : array_like, shape (n,)
        Points of the curve, x rising.
    tolerance : float
        A stretch counts only if some point of it lies below ``-tolerance``: where chance itself is next to
        nothing, so is the difference.
    log : bool
        Interpolate in the logarithm of x, for numbers of candidates.

    Returns
    -------
    list of (start, end)

    Examples
    --------
    >>> below_chance([0.5, 0.6, 0.7, 0.8], [0.1, -0.1, -0.1, 0.3])
    [(0.55, 0.725)]
    """
    x = np.asarray(x, dtype=np.float64)
    y = np.asarray(values, dtype=np.float64)
    place = np.log(x) if log else x

    def zero(i):
        share = y[i] / (y[i] - y[i + 1])
        at = place[i] + share * (place[i + 1] - place[i])
        return float(np.round(np.exp(at) if log else at, 9))

    edges = np.diff(np.concatenate(([0], (y < 0).astype(np.int64), [0])))
    stretches = []
    for first, after in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        if y[first:after].min() < -tolerance:
            start = float(x[0]) if first == 0 else zero(first - 1)
            end = float(x[-1]) if after == len(y) else zero(after - 1)
            stretches.append((start, end))
    return stretches


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
    row = (dataset, best.median(), int(near.sum()), len(near), ", ".join(best.index[~near]))
    return pd.DataFrame([row], columns=["data", "median", f"from {low:g} to {high:g}", "of", "elsewhere"])


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
        held = int((second < first).sum()), len(first)
        rows.append(
            (f"{other} steadier than {base}{at}", f"{low:,} to {high:,}", *held, first.mean(), second.mean())
        )
    columns = ["claim: most methods", "candidates", "holds for", "of", "spread, recall", "spread, OMA"]
    return pd.DataFrame(rows, columns=columns)


def how_many(held: int, total: int) -> str:
    """Say a number of methods in words that are right for it.

    Examples
    --------
    >>> [how_many(n, 6) for n in (0, 2, 4, 6)]
    ['none of the 6', 'only 2 of the 6', 'most (4 of the 6)', 'all 6']
    """
    if held in (0, total):
        return f"all {total}" if held else f"none of the {total}"
    return f"most ({held} of the {total})" if 2 * held > total else f"only {held} of the {total}"


def where_recall_falls(curves: pd.DataFrame, middle: float = 0.8) -> tuple[pd.Series, pd.DataFrame]:
    """Return by how much recall falls per unit of IoU below and above a threshold: of chance, and of each method.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.
    middle : float

    Returns
    -------
    chance : Series
        ``below, above``, the mean over methods; they differ in budget only.
    methods : DataFrame
        The same columns, a row per method.
    """
    rows = curves[curves["axis"] == "IoU"]
    recall, oma = (
        rows[rows["criterion"] == name].pivot_table("value", "method", "tau") for name in ("recall", "OMA")
    )
    tables = []
    for table in (recall - oma, recall):
        taus = table.columns.to_numpy()
        at = taus[np.argmin(np.abs(taus - middle))]
        low, high = taus[0], taus[-1]
        ends = {
            "below": (table[low] - table[at]) / (at - low),
            "above": (table[at] - table[high]) / (high - at),
        }
        tables.append(pd.DataFrame(ends))
    return tables[0].mean(), tables[1]
