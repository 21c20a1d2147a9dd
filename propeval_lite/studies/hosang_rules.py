"""What the rules of a recall study move: another random draw, what counts as a copy, two conventions mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import short_name
from propeval_lite.boxes.cover import located, reads_pictures
from propeval_lite.boxes.match import match
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods import propose
from propeval_lite.proposals.columns import DUPLICATES
from propeval_lite.studies.hosang_recall import covered

RANDOM = ("uniform", "gaussian")
DRAWS = 8
PUBLISHED_DIGITS = 5e-5
#: Two draws are further apart than so many spreads of one draw in one of 370 cases.
APART = 3 * np.sqrt(2)


def blind(methods: Sequence[str]) -> list[str]:
    """Those of `methods` that need only the size of an image.

    Examples
    --------
    >>> blind(["edge_boxes", "uniform", "file:mine.csv"])
    ['uniform']
    """
    return [method for method in methods if not reads_pictures(method)]


def draws(
    dataset: Dataset, budget: int, taus: Sequence[float], n: int, matching: str = "greedy"
) -> pd.DataFrame:
    """Judge several draws of the random baselines.

    Parameters
    ----------
    dataset : Dataset
    budget : int
    taus : sequence of float
        Thresholds of recall.
    n : int
        Number of draws: seeds 1 to n.
    matching : str
        As in :func:`match`.

    Returns
    -------
    DataFrame
        Columns ``method, seed, criterion, tau, value``.
    """
    rows = []
    for method in RANDOM:
        for seed in range(1, n + 1):
            proposals = propose(method, dataset, budget, seed, duplicates="hosang")
            table = match(dataset, proposals, [budget], matching=matching)
            rows.append((method, seed, "AR", np.nan, float(average_recall(table))))
            rows += [(method, seed, "recall", tau, float(np.squeeze(recall(table, tau)))) for tau in taus]
    return pd.DataFrame(rows, columns=["method", "seed", "criterion", "tau", "value"])


def spreads(drawn: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation over draws.

    Parameters
    ----------
    drawn : DataFrame
        From :func:`draws`.

    Returns
    -------
    DataFrame
        Columns ``method, criterion, tau, draws, mean, spread``.
    """
    by = drawn.groupby(["method", "criterion", "tau"], sort=False, dropna=False)["value"]
    return by.agg(draws="size", mean="mean", spread="std").reset_index()


def copies(methods: Sequence[str], dataset: Dataset, budget: int, seed: int) -> pd.DataFrame:
    """Count what is left of each method's boxes when copies are removed, by what counts as a copy.

    Returns
    -------
    DataFrame
        Columns ``method`` and one per policy of ``duplicates``: boxes per image before the cut.
    """
    rows = []
    for method in methods:
        boxes = propose(located(method), dataset, budget, seed, duplicates="keep")
        left = {policy: len(boxes.deduplicate(policy)) / len(dataset.images) for policy in DUPLICATES}
        rows.append({"method": short_name(method), **left})
    return pd.DataFrame(rows, columns=["method", *DUPLICATES])


def mixed(methods: Sequence[str], dataset: Dataset, budget: int, seed: int) -> pd.DataFrame:
    """Compare AR with the frame that a data set declares and AR when its corners are taken for another frame.

    Parameters
    ----------
    methods : sequence of str
    dataset : Dataset
        Boxes from x to x + w, counted from 0.
    budget, seed : int

    Returns
    -------
    DataFrame
        Columns ``dataset, method, as declared, mixed, change``. Mixed: the corners x and x + w are read as the first
        and the last pixel, counted from 1, as the boxes of the methods are.
    """
    other = replace(dataset, pixels="inclusive", origin=1)
    rows = []
    for data in (dataset, other):
        for name, (table,) in covered(methods, data, [budget], seed, [{"matching": "greedy"}]):
            rows.append((dataset.name, name, data is other, float(average_recall(table))))
    if not rows:
        return pd.DataFrame(columns=["dataset", "method", "as declared", "mixed", "change"])
    found = pd.DataFrame(rows, columns=["dataset", "method", "mixed", "AR"])
    wide = found.pivot_table(index=["dataset", "method"], columns="mixed", values="AR", sort=False)
    wide = wide.rename(columns={False: "as declared", True: "mixed"}).reset_index().rename_axis(columns=None)
    return wide.assign(change=wide["mixed"] - wide["as declared"])


def beside_draws(drawn: pd.DataFrame | None, theirs: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Set published values beside the mean of draws.

    Parameters
    ----------
    drawn : DataFrame or None
        From :func:`draws`.
    theirs : DataFrame
        Published: ``method, budget, criterion, tau, value``.
    names : dict
        What the paper calls our methods.

    Returns
    -------
    DataFrame
        Columns ``method, criterion, tau, draws, paper, mean, spread, apart``: paper less mean, in spreads. Empty where
        there are no draws.
    """
    columns = ["method", "criterion", "tau", "draws", "paper", "mean", "spread", "apart"]
    if drawn is None:
        return pd.DataFrame(columns=columns)
    table = spreads(drawn)
    table["method"] = table["method"].map(names)
    printed = theirs[["method", "criterion", "tau", "value"]].rename(columns={"value": "paper"})
    both = table.merge(printed)
    return both.assign(apart=(both["paper"] - both["mean"]) / both["spread"])[columns]


def judge_draws(spread: pd.DataFrame, method: str) -> dict:
    """Return the arguments of a verdict on a random baseline: its criterion that is furthest apart.

    Parameters
    ----------
    spread : DataFrame
        From :func:`beside_draws`.
    method : str
        As the paper calls it.
    """
    rows = spread[spread["method"] == method]
    if rows.empty:
        return {"because": "no draws are stored; run the profile paper"}
    worst = rows.iloc[int(rows["apart"].abs().to_numpy().argmax())]
    reason = f"{_named(worst)} is {abs(worst['apart']):.1f} spreads of a draw from the mean of {worst['draws']} draws"
    return {
        "here": worst["mean"],
        "paper": worst["paper"],
        "tolerance": APART * worst["spread"],
        "trend": bool((rows["apart"].abs() <= APART).any()),
        "because": reason,
    }


def judge_windows(rows: pd.DataFrame) -> dict:
    """Return the arguments of the verdict on SlidingWindow, which leaves nothing to chance.

    Parameters
    ----------
    rows : DataFrame
        Of :func:`propeval_lite.studies.hosang_datasets.beside_published`.
    """
    if rows.empty:
        return {"because": "no results on VOC 2007 are stored; run the profile paper"}
    reason = (
        ""
        if rows["difference"].abs().max() < PUBLISHED_DIGITS
        else "the windows or their matching are not the authors'"
    )
    return {"here": rows["here"].tolist(), "paper": rows["paper"].tolist(), "digits": 4, "because": reason}


def in_words(far: pd.DataFrame) -> str:
    """Name the values of :func:`beside_draws` in `far`, with their differences."""
    words = [
        f"{row['method']}, {_named(row)}: {row['paper']:.4f} published and {row['mean']:.4f} here"
        for _, row in far.iterrows()
    ]
    return "; ".join(words)


def _named(row: pd.Series) -> str:
    return "AR" if row["criterion"] == "AR" else f"recall at {row['tau']:g}"
