"""The published detection results of Hosang et al., §5: their tables made again, and scores around objects."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from propeval_lite.results.published import published

PRINTED = 0.05 + 1e-9  # half of a last digit of the tables, and what floats make of a half
#: The columns of figures 13 and 14 and of Table 3: detector, regression, trained on the proposals of.
DETECTORS = {
    "LM-LLDA": ("LM-LLDA", False, "–"),
    "LM-LLDA with regression": ("LM-LLDA", True, "–"),
    "R-CNN": ("R-CNN", False, "SelectiveSearch"),
    "Fast R-CNN": ("Fast R-CNN", False, "each method"),
    "Fast R-CNN with regression": ("Fast R-CNN", True, "each method"),
}
PANELS = tuple(name for name in DETECTORS if name != "LM-LLDA")
NOT_RETRAINED = ("Fast R-CNN", True, "SelectiveSearch")
GAIN = "gain of training"
DENSE = "Dense"
TOP = ("MCG", "SelectiveSearch", "EdgeBoxes", "Geodesic", "Rigor")


def compared() -> list[str]:
    """Return the 16 methods that the paper compares: one of the ten variants of EdgeBoxes.

    Examples
    --------
    >>> len(compared()), "EdgeBoxes50" in compared()
    (16, False)
    """
    table = published("hosang_detection_recall")
    return pd.unique(table["method"][table["compared"]]).tolist()


def precisions(detector: str, regression: bool, trained: str) -> pd.DataFrame:
    """Return published APs in percent: a row per method, a column per category and ``mean``.

    Examples
    --------
    >>> float(precisions("R-CNN", False, "SelectiveSearch").loc["MCG", "mean"].round(1))
    56.5
    """
    table = published("hosang_detection")
    rows = table[(table["detector"] == detector) & (table["regression"] == regression)]
    rows = rows[rows["trained"] == trained]
    columns = pd.unique(rows["category"])
    return rows.pivot_table(index="method", columns="category", values="value")[columns]


def mean_precisions() -> pd.DataFrame:
    """Return published mAPs in percent of the methods compared: a column per entry of `DETECTORS`, and the gain.

    The last column is what Fast R-CNN with regression gains when it is trained on the proposals of the method itself
    and not on those of SelectiveSearch.
    """
    means = {name: precisions(*key)["mean"] for name, key in DETECTORS.items()}
    table = pd.DataFrame(means).loc[compared()]
    return table.assign(**{GAIN: table["Fast R-CNN with regression"] - precisions(*NOT_RETRAINED)["mean"]})


def table_again(name: str) -> pd.DataFrame:
    """Compute Table 2, 3 or 4 of the paper from the authors' files.

    Parameters
    ----------
    name : {"Table 2", "Table 3", "Table 4"}

    Returns
    -------
    DataFrame
        A row per method, a column per column of the table; NaN where the table has a dash.
    """
    methods = compared()
    if name == "Table 2":
        values = precisions(*DETECTORS["LM-LLDA with regression"]).loc[[DENSE, *methods]]
        dense = values.loc[[DENSE]]
        rest = values.loc[methods] - values.loc[DENSE]
        top = rest.loc[list(TOP)].mean().to_frame("Top methods avg.").T
        return pd.concat([dense, rest, top])
    if name == "Table 3":
        dense = pd.DataFrame({key: precisions(*DETECTORS[key])["mean"] for key in list(DETECTORS)[:2]})
        return pd.concat([dense.loc[[DENSE]], mean_precisions()])
    values = precisions(*DETECTORS["Fast R-CNN with regression"]).loc[methods]
    best = values.max()
    # The mean of the best APs, not the best mean.
    best["mean"] = best.drop("mean").mean()
    return pd.concat([values, best.to_frame("best per class").T])


def digits(name: str) -> pd.DataFrame:
    """Compare a table of the paper with the same table made from the authors' files, number by number.

    Returns
    -------
    DataFrame
        Columns ``table, page, method, column, printed, here, difference, equal``: equal means that `here` is printed
        like this when rounded to one decimal.
    """
    printed = published("hosang_detection_tables")
    printed = printed[printed["table"] == name].rename(columns={"value": "printed"})
    again = table_again(name)
    places = (
        again.index.get_indexer(pd.Index(printed["method"])),
        again.columns.get_indexer(pd.Index(printed["column"])),
    )
    rows = printed.drop(columns="paper").assign(here=again.to_numpy(dtype=np.float64)[places])
    rows["difference"] = rows["here"] - rows["printed"]
    return rows.assign(equal=rows["difference"].abs() <= PRINTED).reset_index(drop=True)


def digit_summary(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Count per table how many numbers are printed as the files say, and the largest difference."""
    rows = [
        {
            "table": name,
            "numbers": len(table),
            "equal": int(table["equal"].sum()),
            "largest difference": float(table["difference"].abs().max()),
        }
        for name, table in tables.items()
    ]
    return pd.DataFrame(rows)


def same_order(means: pd.DataFrame, top: int = 5) -> pd.DataFrame:
    """Say how alike two detectors order the methods.

    Parameters
    ----------
    means : DataFrame
        A row per method, a column of mAPs per detector.
    top : int

    Returns
    -------
    DataFrame
        Columns ``first, second, correlation`` (of ranks, Spearman's) and ``in common`` (methods among the first `top`
        of both).

    Examples
    --------
    >>> table = pd.DataFrame({"one": [1, 2, 3], "other": [2, 1, 3]}, index=["a", "b", "c"])
    >>> same_order(table, top=1).to_dict("records")
    [{'first': 'one', 'second': 'other', 'correlation': 0.5, 'in common': 1}]
    """
    rows = []
    for one, other in combinations(means.columns, 2):
        best = (set(means[name].nlargest(top).index) for name in (one, other))
        correlation = float(means[one].rank().corr(means[other].rank()))
        rows.append((one, other, correlation, len(set.intersection(*best))))
    return pd.DataFrame(rows, columns=["first", "second", "correlation", "in common"])


def best_by_category(table: pd.DataFrame) -> pd.Series:
    """Count for how many categories each method of a table of APs is best; equal ones all count.

    Examples
    --------
    >>> best_by_category(pd.DataFrame({"cat": [1, 2], "dog": [3, 3]}, index=["a", "b"])).to_dict()
    {'b': 2, 'a': 1}
    """
    values = table.drop(columns="mean", errors="ignore")
    return (values == values.max()).sum(axis=1).sort_values(ascending=False, kind="stable")


def scores_by_overlap() -> pd.DataFrame:
    """Return the mean score of boxes by their overlap with the object: ``detector, iou, score, lowest, highest``.

    Notes
    -----
    As in figure 12: the mean scores of a category are stretched to 0 … 1, then averaged over the 20 categories.
    `lowest` and `highest` are the extremes of the categories.
    """
    table = published("hosang_detection_scores")
    name = table["detector"] + np.where(table["regression"], " with regression", "")
    table = table.assign(detector=name)
    groups = table.groupby(["detector", "category"], sort=False)["value"]
    low, high = groups.transform("min"), groups.transform("max")
    table["score"] = (table["value"] - low) / (high - low)
    found = table.groupby(["detector", "iou"], sort=False)["score"].agg(["mean", "min", "max"]).reset_index()
    return found.rename(columns={"mean": "score", "min": "lowest", "max": "highest"})


def linearity(scores: pd.DataFrame, low: float = 0.4, high: float = 0.8, full: float = 0.9) -> pd.DataFrame:
    """Say how straight each curve of :func:`scores_by_overlap` is between two overlaps, and where it ends to rise.

    Returns
    -------
    DataFrame
        Columns ``detector, straightness`` (share of the variance that a line explains), ``slope, full from`` (the first
        overlap with `full` of the largest score) and ``last`` (score in the last bin over the largest).
    """
    rows = []
    for name, part in scores.groupby("detector", sort=False):
        middle = part[(part["iou"] > low) & (part["iou"] < high)]
        line = np.polyfit(middle["iou"], middle["score"], 1)
        rest = middle["score"] - np.polyval(line, middle["iou"])
        top = part["score"].max()
        rows.append(
            {
                "detector": name,
                "straightness": 1 - float(rest.var(ddof=0) / middle["score"].var(ddof=0)),
                "slope": float(line[0]),
                "full from": float(part["iou"][part["score"] >= full * top].iloc[0]),
                "last": float(part["score"].iloc[-1] / top),
            }
        )
    return pd.DataFrame(rows)


def score_map() -> np.ndarray:
    """Return the published mean score map of R-CNN, (11, 11, 11): scores of boxes moved along two axes and resized.

    The file does not name its axes; the third is the one along which the map is least symmetric, as is to
    be expected of a size.
    """
    table = published("hosang_detection_map")
    return table["value"].to_numpy().reshape(11, 11, 11)


def symmetry(cube: np.ndarray) -> pd.DataFrame:
    """Say how symmetric a score map is along each axis, and how far its largest value lies from the middle.

    Returns
    -------
    DataFrame
        Columns ``axis, correlation`` (of the map and its mirror image), ``peak`` (steps from the middle).
    """
    peak = np.array(np.unravel_index(np.argmax(cube), cube.shape)) - np.array(cube.shape) // 2
    names = ("first", "second", "third")
    rows = [
        (names[axis], float(np.corrcoef(cube.ravel(), np.flip(cube, axis).ravel())[0, 1]), int(peak[axis]))
        for axis in range(cube.ndim)
    ]
    return pd.DataFrame(rows, columns=["axis", "correlation", "peak"])


def printed_number(place: str) -> int:
    """Return the whole number that the paper prints at a place outside its tables.

    Examples
    --------
    >>> printed_number("Table 2")
    6
    """
    table = published("hosang_detection_figures")
    (value,) = table["value"][table["place"] == place].tolist()
    return int(value)


def printed_correlations(place: str) -> list[float]:
    """Return the correlations that a figure of the paper prints, in the order of `PANELS`.

    Examples
    --------
    >>> printed_correlations("fig. 14")
    [0.895, 0.956, 0.948, 0.873]
    """
    table = published("hosang_detection_figures")
    table = table[table["place"].str.startswith(place)]
    names = table["detector"] + np.where(table["regression"], " with regression", "")
    values = dict(zip(names, table["value"], strict=True))
    return [float(values[name]) for name in PANELS]
