"""Recall of methods on one data set: their overlap tables, one tidy table with intervals, and what is read off it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import short_name
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.cover import cover, reads_pictures, usable
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods import list_methods

TAUS = tuple(np.round(np.linspace(0.5, 1, 21), 3).tolist())


def looking(methods: Sequence[str]) -> set[str]:
    """Labels of the methods that look at pictures: those of `methods`, and all that the library ships.

    Examples
    --------
    >>> found = looking(["uniform", "file:results/mine.csv"])
    >>> "mine" in found, "edge_boxes" in found, "uniform" in found
    (True, True, False)
    """
    shipped = list_methods()
    return {short_name(name) for name in methods if reads_pictures(name)} | set(
        shipped.index[shipped["needs"] == "image"]
    )


def covered(
    methods: Sequence[str],
    dataset: Dataset,
    budgets: Sequence[int],
    seed: int,
    conventions: Sequence[dict],
    files: bool = True,
    made: dict | None = None,
) -> Iterator[tuple[str, list[Overlaps]]]:
    """Yield the name and the overlap tables, one per convention, of each method that belongs to a data set.

    Parameters
    ----------
    methods : sequence of str
    dataset : Dataset
    budgets : sequence of int
    seed : int
        Of the methods.
    conventions : sequence of dict
        Arguments of :func:`match`.
    files : bool
        Whether boxes of files belong to this data set.
    made : dict, optional
        Proposals made earlier for the same images; those made here are added.
    """
    for method in usable(methods, dataset, files)[0]:
        yield short_name(method), cover(method, dataset, budgets, seed, conventions, made=made)


class Evaluation(NamedTuple):
    """What methods find on a data set.

    Attributes
    ----------
    tables : dict of Overlaps
        By label of the method, in the matching asked for.
    rivals : DataFrame
        Columns ``budget, greedy, best, dataset, method``: AR with both ways of matching.
    left_out : list of str
        Methods that belong to other data sets.
    """

    tables: dict[str, Overlaps]
    rivals: pd.DataFrame
    left_out: list[str]


def evaluate(
    methods: Sequence[str],
    dataset: Dataset,
    budgets: Sequence[int],
    matching: str = "greedy",
    seed: int = 0,
    files: bool = True,
    made: dict | None = None,
) -> Evaluation:
    """Cover the objects of a data set by every method that belongs to it; one that cannot run there is an error.

    Parameters
    ----------
    methods, dataset, budgets, seed, files, made
        As in :func:`covered`.
    matching : str
        Of the overlap tables, as in :func:`match`.
    """
    ways = [{"matching": way} for way in (matching, "greedy", "best")]
    tables, rivals = {}, []
    for name, (main, *pair) in covered(methods, dataset, budgets, seed, ways, files, made):
        tables[name] = main
        greedy, best = (average_recall(table) for table in pair)
        both = pd.DataFrame({"greedy": greedy, "best": best}).reset_index()
        rivals.append(both.assign(dataset=dataset.name, method=name))
    return Evaluation(tables, pd.concat(rivals, ignore_index=True), usable(methods, dataset, files)[1])


def file_frames(tables: dict[str, Overlaps]) -> str:
    """Say how the boxes that came from files were read, method by method; empty where none did.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.5]], budgets=[10], image_row=[0], **{"frame of file": "edges from 0, as told"})
    >>> file_frames({"mine": table})
    'mine: edges from 0, as told'
    """
    key = "frame of file"
    return "; ".join(f"{name}: {t.conventions[key]}" for name, t in tables.items() if key in t.conventions)


def criteria(overlaps: Overlaps, taus: Sequence[float] = TAUS) -> pd.DataFrame:
    """Average recall (the integral) and recall at each threshold: one row each, one column per budget.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.5, 0.75], [0, 1]], budgets=[10, 100], image_row=[0, 0])
    >>> criteria(table, [0.5, 0.8]).to_numpy().tolist()
    [[0.0, 0.75], [0.5, 1.0], [0.0, 0.5]]
    """
    rows = [average_recall(overlaps), *(recall(overlaps, tau) for tau in taus)]
    return pd.DataFrame(
        np.array([row.to_numpy() for row in rows]),
        index=pd.Index(["AR", *taus], name="criterion", dtype=object),
        columns=pd.Index(overlaps.budgets, name="budget"),
    )


def summarise(
    tables: dict[str, Overlaps],
    taus: Sequence[float] = TAUS,
    n: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the criteria of several methods with bootstrap intervals over images, as a tidy table.

    Parameters
    ----------
    tables : dict of Overlaps
        By method.
    taus : sequence of float
        Thresholds of recall.
    n, level, seed
        As in :func:`bootstrap`.

    Returns
    -------
    DataFrame
        Columns ``dataset, method, budget, criterion, tau, low, value, high``; criterion is "AR", where tau
        is NaN, or "recall".
    """
    parts = []
    for method, overlaps in tables.items():
        band = bootstrap(overlaps, criteria, taus, n=n, level=level, seed=seed).reset_index()
        is_ar = band["criterion"] == "AR"
        part = pd.DataFrame({"dataset": overlaps.conventions["dataset"], "method": method}, index=band.index)
        part["budget"] = band["budget"].astype(np.int64)
        part["criterion"] = np.where(is_ar, "AR", "recall")
        part["tau"] = band["criterion"].where(~is_ar, np.nan).astype(np.float64)
        parts.append(part.assign(low=band["low"], value=band["estimate"], high=band["high"]))
    return pd.concat(parts, ignore_index=True)


def left_over(summary: pd.DataFrame, budget: int, taus: Sequence[float]) -> pd.DataFrame:
    """Return how much of the recall at the looser of two thresholds is left at the stricter one.

    Parameters
    ----------
    summary : DataFrame
        From :func:`summarise`, of one data set.
    budget : int
    taus : (float, float)
        Thresholds that the summary has.

    Returns
    -------
    DataFrame
        Columns ``method, recall at …, recall at …, left over``; the best placed boxes first.
    """
    at = summary[(summary["budget"] == budget) & (summary["criterion"] == "recall")]
    recalls = at.set_index(["tau", "method"])["value"]
    loose, strict = (recalls.xs(tau) for tau in taus)
    table = pd.DataFrame(
        {
            f"recall at {taus[0]}": loose,
            f"recall at {taus[1]}": strict.reindex(loose.index),
            "left over": (strict / loose).reindex(loose.index),
        }
    )
    return table.reset_index().sort_values("left over", ascending=False)


def gain_of_looking(summary: pd.DataFrame, looking: set[str]) -> pd.DataFrame:
    """Compare the best method that looks at pictures with the best that does not, at each budget.

    Parameters
    ----------
    summary : DataFrame
        From :func:`summarise`, of one data set.
    looking : set of str
        Labels of the methods that look, from :func:`looking`.

    Returns
    -------
    DataFrame
        Columns ``proposals, best that looks, its AR, best blind, AR of that, ratio``; NaN where no method looks.
    """
    ar = summary[summary["criterion"] == "AR"].assign(blind=~summary["method"].isin(looking))
    best = ar.loc[ar.groupby(["budget", "blind"])["value"].idxmax()]
    looks, blind = (best[best["blind"] == side].set_index("budget") for side in (False, True))
    table = pd.DataFrame(
        {
            "proposals": blind.index,
            "best that looks": looks["method"].reindex(blind.index).to_numpy(),
            "its AR": looks["value"].reindex(blind.index).to_numpy(),
            "best blind": blind["method"].to_numpy(),
            "AR of that": blind["value"].to_numpy(),
        }
    )
    return table.assign(ratio=table["its AR"] / table["AR of that"])


def ar_kinds(tables: dict[str, Overlaps], budget: int) -> pd.DataFrame:
    """Return the three averages of recall of each method, with their distance as recall at 0.5 and 1 foretells it.

    Parameters
    ----------
    tables : dict of Overlaps
        By method.
    budget : int
        One of theirs.

    Returns
    -------
    DataFrame
        Columns ``method, sum, integral, coco, coco − sum, in %`` (of the integral); the highest integral first.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.72], [1.0]], budgets=[10], image_row=[0, 0])
    >>> ar_kinds({"a": table}, 10).round(3).iloc[0, 1:].astype(float).tolist()
    [0.7, 0.72, 0.75, 0.05, 6.944]
    """
    rows = []
    for name, overlaps in tables.items():
        kinds = {kind: average_recall(overlaps, kind)[budget] for kind in ("sum", "integral", "coco")}
        gap = (recall(overlaps, 0.5)[budget] - recall(overlaps, 1)[budget]) / 10
        rows.append({"method": name, **kinds, "coco − sum": gap, "in %": 100 * gap / kinds["integral"]})
    return pd.DataFrame(rows).sort_values("integral", ascending=False)


def partial_ranges(tables: dict[str, Overlaps], budget: int, split: float) -> pd.DataFrame:
    """Return AR over the thresholds from 0.5 to 1 and over both parts of that range.

    Parameters
    ----------
    tables : dict of Overlaps
        By method.
    budget : int
        One of theirs.
    split : float
        Where the range is parted.

    Returns
    -------
    DataFrame
        Columns ``method, .5 to 1, .5 to S, S to 1``, S being `split`.
    """
    edge = f"{split:g}".removeprefix("0")
    ranges = {".5 to 1": (0.5, 1), f".5 to {edge}": (0.5, split), f"{edge} to 1": (split, 1)}
    return pd.DataFrame(
        [
            {"method": name}
            | {
                text: average_recall(table, low=low, high=high)[budget]
                for text, (low, high) in ranges.items()
            }
            for name, table in tables.items()
        ]
    )
